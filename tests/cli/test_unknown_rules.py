"""Commands with a transcript of another release, whose rules this release lacks."""

from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parlour.cli.arguments import app
from parlour.cli.table_screen import match_lines
from parlour.protocol.forms import MatchInfo, TableTerms
from parlour.referee.transcript import encode
from tests.here import mistake_here as refused
from tests.releases import FIXTURES, joined, lines_of, with_header

OLD = FIXTURES / "release-0.1.0"
VERSION = "rules version 2, this release has 1"


@pytest.fixture
def newer(tmp_path: Path) -> Path:
    """A finished match of Dominion, as a release with another rules version writes it."""
    path = tmp_path / "m.jsonl"
    path.write_bytes(joined(with_header(lines_of(OLD / "dominion" / "plain.jsonl"), version=2)))
    return path


@pytest.fixture
def cut(tmp_path: Path) -> Path:
    """An unfinished one, with its seed beside it."""
    path, old = tmp_path / "cut.jsonl", OLD / "dominion" / "unfinished.jsonl"
    path.write_bytes(joined(with_header(lines_of(old), version=2)))
    path.with_name("cut.jsonl.seed").write_bytes(old.with_name("unfinished.jsonl.seed").read_bytes())
    return path


def exit_code(*words: str) -> int:
    code: int = app(list(words), standalone_mode=False)
    return code


def test_verify_says_what_it_could_not_check_by_an_exit_code_of_its_own(newer: Path) -> None:
    codes = {
        4: newer.read_bytes(),
        3: joined(lines_of(newer)[:-1]),
        1: newer.read_bytes().replace(b'"n":5', b'"n":6', 1),
    }
    for code, data in codes.items():
        newer.write_bytes(data)
        assert exit_code("verify", str(newer)) == code


def test_verify_names_both_versions(newer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr("parlour.cli.inspect_commands.console.print", lambda text, **_: told.append(str(text)))
    assert exit_code("verify", str(newer)) == 4
    assert told[0] == f"not replayed: chain and commitment hold, moves not replayed ({VERSION})"


def test_other_commands_answer_plainly_and_change_nothing(newer: Path, cut: Path) -> None:
    before = cut.read_bytes()
    for words in (
        ("replay", str(newer)),
        ("replay", str(newer), "--seat", "1"),
        ("export", str(newer)),
        ("export", str(cut), str(cut.with_name("form"))),
        ("resume", str(cut), "money", "money", "money"),
    ):
        assert refused(*words) == f"{words[1]}: this release cannot replay the match: {VERSION}"
    assert cut.read_bytes() == before and not cut.with_name("form").exists()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"game": "chess"}, "this release has no game 'chess'"),
        ({"data": "ab" * 32}, "data files abababababababab, this release has none"),
        ({"options": {"colonies": True}}, "option colonies, which this release does not have"),
    ],
)
def test_the_same_for_another_game_data_or_option(tmp_path: Path, change: dict[str, object], why: str) -> None:
    path = tmp_path / "m.jsonl"
    path.write_bytes(joined(with_header(lines_of(OLD / "dominion" / "plain.jsonl"), **change)))
    assert exit_code("verify", str(path)) == 4
    assert refused("replay", str(path)) == f"{path}: this release cannot replay the match: {why}"


def test_a_table_that_an_arena_cannot_resume_is_shown_with_the_reason() -> None:
    match = MatchInfo("m", "forsale", "running", None, TableTerms(), (), 0, None, not_resumed=VERSION)
    lines = [*match_lines("http://127.0.0.1:8000", match)]
    assert f"parked    the arena cannot resume it, and keeps it unchanged: {VERSION}" in lines
    assert not any(line.startswith(("connect", "watch")) for line in lines)


def with_joins(changes: dict[str, Any]) -> bytes:
    """A match of another rules version, whose players joined with these fields too."""
    written: list[bytes] = []
    for line in with_header(lines_of(OLD / "colorfight" / "joins.jsonl"), version=2):
        record = msgspec.json.decode(line)
        if written:
            record["prev"] = sha256(written[-1]).hexdigest()
        if record.get("do", {}).get("type") == "Join":
            record["do"] |= changes
        written.append(encode(record))
    return joined(written)


@pytest.mark.parametrize(
    ("changes", "names"), [({"team": 3}, ["joined 0", "joined 1"]), ({"name": ""}, ["", ""]), ({"name": {"a": 1}}, [])]
)
def test_verify_expects_nothing_of_how_other_rules_write_a_join(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, Any], names: list[str]
) -> None:
    data = with_joins(changes)
    for code, lines in ((4, data.splitlines(keepends=True)), (3, data.splitlines(keepends=True)[:-2])):
        path = tmp_path / f"{code}.jsonl"
        path.write_bytes(b"".join(lines))
        assert exit_code("verify", str(path), "--json") == code
        told = msgspec.json.decode(capsys.readouterr().out)
        assert [player["name"] for player in told["players"]][:2] == names[:2]
    assert exit_code("verify", str(tmp_path)) == 4
    assert "2 transcripts; holds so far: 1, not replayed: 1" in capsys.readouterr().out

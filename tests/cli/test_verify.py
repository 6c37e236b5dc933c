"""`parlour verify`: marks that players keep, folders, receipts and signatures, with exit codes for scripts."""

import gzip
import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from parlour.core import Signature, Sitting
from parlour.games import game
from parlour.referee.driver import drive
from parlour.referee.log import MemoryLog
from parlour.referee.match import Match
from parlour.referee.receipt import AnswerEntry, AnyEntry, HelloEntry, OverEntry, SeatEntry, written
from parlour.referee.signature import Signer, new_key
from parlour.referee.transcript import header
from tests.cli.test_commands import parlour
from tests.here import here, mistake_here

RULES = game("forsale")
SEED = b"parlour"
PLAYERS = (Sitting("ada", "seven green bottles"), Sitting("bob"), Sitting("eve", "0:odd"))
SIGNER = Signer(new_key())


class Recorded:
    """A match with its marks, as the file has them."""

    def __init__(self, seed: bytes = SEED) -> None:
        match: Match[Any] = Match(RULES, header(RULES, PLAYERS, seed), seed)
        self.lines: list[bytes] = []
        drive(match, [RULES.hosting.bots["minimum"]] * 3, MemoryLog(self.lines))
        self.lines.append(match.reveal())
        self.id = match.header.match
        self.commit = match.header.commit
        self.header, self.head = (sha256(self.lines[place]).hexdigest() for place in (0, -2))
        assert match.end is not None
        self.signed: Signature = SIGNER.sign(self.id, self.header, self.head, match.end)
        self.end = match.end

    @property
    def data(self) -> bytes:
        return b"".join(line + b"\n" for line in self.lines)

    def receipt(self, *, signed: bool = True, over: bool = True) -> bytes:
        """The receipt of the player at seat 0."""
        hello = HelloEntry(
            receipt=1, url="", server="", game="forsale", version=1, commit=self.commit, salt=PLAYERS[0].salt
        )
        entries: list[AnyEntry] = [hello, SeatEntry(self.id, 0, ("ada", "bob", "eve"), self.header)]
        actions = [json.loads(line)["do"] for line in self.lines if json.loads(line).get("by") == 0]
        entries += [AnswerEntry(n, action) for n, action in enumerate(actions, start=1)]
        key = (self.signed.signature, self.signed.public_key) if signed else ()
        entries += [OverEntry(self.end, self.head, *key)] if over else []
        return b"".join(map(written, entries))


MATCH = Recorded()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "m.jsonl"
    path.write_bytes(MATCH.data)
    return path


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    path = tmp_path / "mine.receipt"
    path.write_bytes(MATCH.receipt())
    return path


def verified(*words: object) -> tuple[int, str]:
    """The exit code, and what is printed. What is said on stderr is said there."""
    done = here("verify", *map(str, words), cwd=Path.cwd())
    sys.stderr.write(done.stderr)
    return done.returncode, done.stdout


def refusal(*words: object) -> str:
    return mistake_here("verify", *map(str, words), cwd=Path.cwd())


# Marks


def test_the_marks_are_printed(file: Path) -> None:
    code, out = verified(file)
    first, *marks = out.splitlines()
    assert code == 0 and first.startswith("holds: ")
    assert [line.split(maxsplit=1) for line in marks[:4]] == [
        ["match", f"{MATCH.id}, forsale 1"],
        ["commit", MATCH.commit],
        ["header", MATCH.header],
        ["head", MATCH.head],
    ]
    assert marks[4:] == [
        '  seat 0  ada, salt "seven green bottles"',
        "  seat 1  bob, no salt",
        '  seat 2  eve, salt "0:odd"',
    ]


def test_an_unfinished_match_has_no_head(file: Path) -> None:
    file.write_bytes(b"".join(line + b"\n" for line in MATCH.lines[:9]))
    code, out = verified(file, "--head", MATCH.head, "--commit", MATCH.commit)
    assert code == 3 and out.startswith("holds so far") and "head    none yet" in out
    why = "the head cannot be compared: the transcript has no end"
    assert f"  {why}\n" in out and why not in verified(file)[1]
    assert json.loads(verified(file, "--head", MATCH.head, "--json")[1])["not_compared"] == [why]


@pytest.mark.parametrize(
    "words",
    [
        ("--commit", MATCH.commit),
        ("--header", MATCH.header.upper()),
        ("--head", MATCH.head),
        ("--salt", "seven green bottles"),
        ("--salt", "0:seven green bottles"),
        ("--salt", "2:0:odd", "--salt", "seven green bottles"),
        ("--salt", "1:"),
        ("--commit", MATCH.commit, "--header", MATCH.header, "--head", MATCH.head, "--salt", "seven green bottles"),
    ],
)
def test_what_agrees_holds(file: Path, words: tuple[str, ...]) -> None:
    assert verified(file, *words)[0] == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--commit", "0" * 64), f"the commitment is {MATCH.commit}, not {'0' * 64}"),
        (("--header", "0" * 64), f"the header hash is {MATCH.header}, not {'0' * 64}"),
        (("--head", "0" * 64), f"the head is {MATCH.head}, not {'0' * 64}"),
        (("--salt", "another"), "no seat has the salt 'another'"),
        (("--salt", "1:seven green bottles"), "the salt of seat 1 is '', not 'seven green bottles'"),
        (("--salt", "3:x"), "there is no seat 3, which should have the salt 'x'"),
        (("--salt", "seven green bottles", "--salt", "seven green bottles"), "no seat has the salt"),
    ],
)
def test_what_differs_is_another_match(file: Path, words: tuple[str, ...], said: str) -> None:
    code, out = verified(file, *words)
    assert code == 1 and out.startswith("another match; the transcript by itself holds: ") and f"  {said}" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "give a transcript, a folder of them, or --receipt"),
        (("m.jsonl", "--head", "abc"), "--head abc: write all 64 hexadecimal digits"),
        (("m.jsonl", "--key", "0" * 64), "--key: there is no signature to check; give --receipt or --signature"),
        (("m.jsonl", "--signature", "0" * 128), "--signature: give the public key with --key"),
        (("m.jsonl", "m.jsonl", "--head", "0" * 64), "options that compare are for one transcript, and these are 2"),
        (("m.jsonl", "--receipt", "m.jsonl"), "m.jsonl: line 1: is not a line of a receipt"),
        (
            ("--receipt", "mine.receipt", "--head", "0" * 64),
            "there is nothing to compare that with; give the transcript",
        ),
        (("nowhere",), "nowhere: No such file or directory"),
        (("m.jsonl", "--receipt", "nowhere"), "nowhere: No such file or directory"),
    ],
)
def test_a_mistake_is_told_in_one_line(
    file: Path, kept: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(file.parent)
    assert refusal(*words).startswith(said)


def test_names_and_salts_cannot_play_tricks_on_a_terminal(file: Path) -> None:
    lines = [*MATCH.lines]
    lines[0] = lines[0].replace(b"seven green bottles", b"\\u001b[2Jx")
    file.write_bytes(b"".join(line + b"\n" for line in lines[:1]))
    code, out = verified(file)
    assert code == 3 and "\x1b" not in out and 'salt "?[2Jx"' in out


# Many at once


def test_what_is_wrong_cannot_play_tricks_on_a_terminal(tmp_path: Path) -> None:
    odd = tmp_path / "odd.jsonl"
    odd.write_text('{"kind":"\\u001b[31m\\u202e"}\n')
    assert "Invalid value '?[31m?'" in verified(odd)[1]


def test_a_folder_is_searched_and_summed_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "deep" / "er" / "one.jsonl").write_bytes(MATCH.data)
    (tmp_path / "deep" / "two.jsonl.gz").write_bytes(gzip.compress(MATCH.data))
    (tmp_path / "no_ending").write_bytes(MATCH.data)
    (tmp_path / "mine.receipt").write_bytes(MATCH.receipt())
    (tmp_path / "m.jsonl.seed").write_text("00")
    (tmp_path / "own_form.jsonl").write_text('{"type":"player-name"}\n')
    code, out = verified(tmp_path)
    assert code == 0 and out.splitlines()[-1] == "3 transcripts; holds: 3" and out.count(MATCH.id) == 3
    assert "own_form.jsonl is no transcript" in " ".join(capsys.readouterr().err.split())
    (tmp_path / "part.jsonl").write_bytes(b"".join(line + b"\n" for line in MATCH.lines[:5]))
    code, out = verified(tmp_path)
    assert code == 3 and out.splitlines()[-1] == "4 transcripts; holds: 3, holds so far: 1"
    (tmp_path / "junk.jsonl").write_bytes(b"junk\n")
    (tmp_path / "cut.jsonl.gz").write_bytes(gzip.compress(MATCH.data)[:200])
    code, out = verified(tmp_path)
    assert code == 1 and out.splitlines()[-1] == "6 transcripts; holds: 3, holds so far: 1, broken: 2"


@pytest.mark.parametrize("first", [0, 1], ids=["hello", "seat"])
def test_receipts_in_a_folder_are_passed_over_by_whatever_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], first: int
) -> None:
    (tmp_path / "m.jsonl").write_bytes(MATCH.data)
    (tmp_path / "mine.jsonl").write_bytes(b"".join(MATCH.receipt().splitlines(keepends=True)[first:]))
    code, out = verified(tmp_path)
    assert code == 0 and out.splitlines()[-1] == "1 transcript; holds: 1"
    assert "mine.jsonl is a receipt, and no transcript" in " ".join(capsys.readouterr().err.split())
    (tmp_path / "headless.jsonl").write_bytes(b"".join(line + b"\n" for line in MATCH.lines[1:]))
    code, out = verified(tmp_path)
    assert code == 1 and out.splitlines()[-1] == "2 transcripts; holds: 1, broken: 1"


def test_a_folder_without_a_transcript_is_a_mistake(tmp_path: Path) -> None:
    assert refusal(tmp_path) == f"{tmp_path}: there are no transcripts in this folder"


def test_json_is_a_line_for_each(tmp_path: Path, file: Path) -> None:
    (tmp_path / "n.jsonl").write_bytes(b"junk\n")
    code, out = verified(tmp_path, "--json")
    good, bad = map(json.loads, out.splitlines())
    assert code == 1 and (good["verdict"], good["code"], bad["verdict"], bad["line"]) == ("holds", 0, "broken", 1)
    assert good["head"] == MATCH.head and good["players"][0] == {"name": "ada", "salt": "seven green bottles"}
    code, out = verified(file, "--json", "--head", "0" * 64)
    assert code == 1 and json.loads(out)["differences"] == [f"the head is {MATCH.head}, not {'0' * 64}"]


# Receipts


def test_a_receipt_convinces_a_third_party(file: Path, kept: Path) -> None:
    code, out = verified("--receipt", kept, "--key", SIGNER.public_key, file)
    assert code == 0 and out.startswith("holds: ") and "  your match: 22 answers of seat 0 in it, in order" in out
    assert f"  signed: result and head, by {SIGNER.public_key} (the key given)" in out
    code, out = verified(file, "--receipt", kept)
    assert code == 0 and "(the key in the receipt: compare it with the server's)" in out
    code, out = verified(file, "--receipt", kept, "--json")
    assert code == 0 and json.loads(out)["receipt"]["troubles"] == []


def test_another_key_does_not(file: Path, kept: Path) -> None:
    code, out = verified(file, "--receipt", kept, "--key", "0" * 64)
    assert code == 1 and f"the result is signed with the key {SIGNER.public_key}, not {'0' * 64}" in out


def test_a_receipt_without_a_signature_is_said_to_be_so(file: Path, kept: Path) -> None:
    kept.write_bytes(MATCH.receipt(signed=False))
    code, out = verified(file, "--receipt", kept)
    assert code == 0 and "not signed: the server gave no signature" in out
    assert verified(file, "--receipt", kept, "--key", SIGNER.public_key)[0] == 1


def test_a_receipt_that_ends_early_is_completed_by_head_or_signature(file: Path, kept: Path) -> None:
    kept.write_bytes(MATCH.receipt(over=False))
    code, out = verified(file, "--receipt", kept)
    assert code == 3 and out.startswith("holds so far; the transcript by itself holds: ")
    assert "your match: 22 answers" in out and "the receipt ends before the match did" in out
    assert verified(file, "--receipt", kept, "--head", MATCH.head)[0] == 0
    signed = ("--signature", MATCH.signed.signature, "--key", SIGNER.public_key)
    assert verified(file, "--receipt", kept, *signed)[0] == verified(file, *signed)[0] == 0
    assert verified(file, "--receipt", kept, "--key", SIGNER.public_key)[0] == 1
    for bad in [("--signature", "0" * 128, "--key", SIGNER.public_key), (*signed[:3], "0" * 64)]:
        code, out = verified(file, *bad)
        assert code == 1 and "the signature does not hold" in out


def test_a_receipt_alone_has_its_signature_checked(kept: Path) -> None:
    code, out = verified("--receipt", kept, "--key", SIGNER.public_key)
    assert code == 3 and "signed: result and head" in out and "no transcript was compared" in out
    assert verified("--receipt", kept, "--key", "0" * 64)[0] == 1


def test_the_receipt_of_another_match(file: Path, kept: Path) -> None:
    other = Recorded(b"another seed")
    kept.write_bytes(other.receipt())
    code, out = verified(file, "--receipt", kept)
    assert code == 1 and f"the transcript is of match {MATCH.id}, the receipt of match {other.id}" in out


def test_an_unfinished_transcript_is_compared_as_far_as_it_goes(file: Path, kept: Path) -> None:
    file.write_bytes(b"".join(line + b"\n" for line in MATCH.lines[:9]))
    code, out = verified(file, "--receipt", kept)
    assert code == 3 and "your answers were not compared" in out


def test_a_broken_transcript_is_broken_with_any_receipt(file: Path, kept: Path) -> None:
    file.write_bytes(MATCH.data.replace(b'"amount":2', b'"amount":3', 1))
    code, out = verified(file, "--receipt", kept)
    assert code == 1 and out.startswith("broken at line ")


def test_the_exit_code_reaches_the_shell(file: Path) -> None:
    file.write_bytes(b"".join(line + b"\n" for line in MATCH.lines[:9]))
    done = parlour("verify", str(file))
    assert done.returncode == 3 and done.stdout.startswith("holds so far"), done.stderr

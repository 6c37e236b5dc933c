"""The pages on environments show what runs, and the tables of encodings are those of the code."""

import re
import runpy
from pathlib import Path

import gymnasium
import pytest

import parlour.envs
from parlour import plugins
from parlour.envs.gymnasium import id_of
from tests.docs.pages import blocks, page
from tests.docs.test_docs import schemas
from tests.here import here

assert parlour.envs

SHOWN = [*blocks("environments.md", "python"), *blocks("encodings.md", "python")]


@pytest.mark.parametrize("code", SHOWN, ids=range(len(SHOWN)))
def test_the_code_runs(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shown.py").write_text(code)
    runpy.run_path("shown.py")
    if "match.jsonl" in code:
        verified = here("verify", str(tmp_path / "match.jsonl"))
        assert verified.returncode == 0 and "every move replays" in verified.stdout


def test_the_tables_of_encodings_are_those_of_the_code() -> None:
    assert page("encodings.md") == schemas().encodings_page(), "`make docs` writes it anew"


def test_every_id_is_named() -> None:
    named = set(re.findall(r"`(parlour/\w+-v\d+)`", page("environments.md")))
    assert named == {id_of(game, 0) for game in plugins.games() if game.name != "liarsdice"}
    assert named <= {*gymnasium.registry}

"""Whole matches stay what they were, to the letter."""

import pytest

from tests.golden.render import FOLDER, GOLDEN, render


@pytest.mark.parametrize("name", sorted(GOLDEN))
def test_a_golden_match_is_played_as_ever(name: str) -> None:
    assert render(name) == (FOLDER / f"{name}.txt").read_text(), "`make golden` remakes it; read the difference first"


def test_there_is_one_for_every_file() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(GOLDEN)

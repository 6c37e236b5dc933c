"""Another package inherits all tests with a few lines, and keeps golden transcripts of its own."""

from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from hypothesis import settings

CONFTEST = """
from hypothesis import settings

pytest_plugins = ["parlour.testing"]
settings.register_profile("tiny", max_examples=3, derandomize=True, database=None)
settings.load_profile("tiny")
"""
TESTS = """
from parlour.testing import GameContract, Subject
from tests.toys.cups import GAME


class TestCups(GameContract):
    subject = Subject(GAME, treasure=lambda state: [len(cup) for cup in state.cups])
"""


@pytest.fixture
def package(pytester: pytest.Pytester) -> Iterator[pytest.Pytester]:
    """The tests of another package."""
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_cups=TESTS)
    yield pytester
    settings.load_profile("steady")


def run(package: pytest.Pytester, *words: str) -> pytest.RunResult:
    return package.runpytest_inprocess("-p", "no:cacheprovider", *words)


def test_a_few_lines_are_enough(package: pytest.Pytester) -> None:
    done = run(package, "--update-golden")
    passed = done.parseoutcomes()
    assert passed.keys() == {"passed"} and passed["passed"] > 35
    golden = package.path / "golden"
    assert sorted(path.name for path in golden.iterdir()) == ["cups-2.txt", "cups-3-rough.txt"]
    run(package, "-k", "golden").assert_outcomes(passed=3, deselected=passed["passed"] - 3)


def test_a_golden_transcript_is_compared_byte_for_byte(package: pytest.Pytester) -> None:
    run(package, "-k", "golden").stdout.fnmatch_lines(["*There is no golden transcript *cups-2.txt. *--update-golden*"])
    run(package, "-k", "golden", "--update-golden")
    kept: Path = package.path / "golden" / "cups-2.txt"
    kept.write_bytes(kept.read_bytes().replace(b"cups 1, 2 seats", b"cups 1, 2  seats"))
    (package.path / "golden" / "cups-old.txt").write_text("cups")
    done = run(package, "-k", "golden")
    done.stdout.fnmatch_lines(["*The match of *cups-2.txt is now played differently.*", "*-cups 1, 2  seats*"])
    done.stdout.fnmatch_lines(["*files of no golden match, which can be deleted: *'cups-old'*"])
    assert done.parseoutcomes()["failed"] == 2


def test_pytest_does_not_load_the_plug_in_by_itself() -> None:
    assert not [point for point in entry_points(group="pytest11") if point.value.startswith("parlour")]

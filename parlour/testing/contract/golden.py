"""Golden transcripts: whole matches stay what they were, byte for byte."""

import inspect
from difflib import unified_diff
from itertools import islice
from pathlib import Path
from typing import ClassVar

import pytest

from parlour.testing.contract.base import ContractTests
from parlour.testing.golden import render

MOST_LINES = 20
"""Of a difference that is shown."""
REMAKE = "`pytest --update-golden` makes it; read it before you commit it."


class GoldenContract(ContractTests):
    """The matches of `Subject.golden`, compared with their files."""

    golden_folder: ClassVar[Path | None] = None
    """Where the files are; None: in a folder `golden` beside the test file."""

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """One test for each match."""
        if "golden" in metafunc.fixturenames:
            metafunc.parametrize("golden", sorted(self.subject.golden))

    def test_a_golden_match_is_played_as_ever(self, golden: str, request: pytest.FixtureRequest) -> None:
        path = self._folder() / f"{golden}.txt"
        played = render(self.subject, golden)
        if request.config.getoption("update_golden", default=False):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(played.encode())
            return
        assert path.exists(), f"There is no golden transcript {path}. {REMAKE}"
        if path.read_bytes() != played.encode():
            raise AssertionError(f"The match of {path} is now played differently. {REMAKE}\n{difference(path, played)}")

    def test_there_is_a_golden_match_for_every_file(self) -> None:
        name = self.game.name
        strange = [each for each in self.subject.golden if not each.startswith(f"{name}-")]
        assert not strange, f"Golden matches are named {name}-SOMETHING, and these are not: {strange}"
        left = {path.stem for path in self._folder().glob(f"{name}-*.txt")} - set(self.subject.golden)
        assert not left, f"{self._folder()} has files of no golden match, which can be deleted: {sorted(left)}"

    def _folder(self) -> Path:
        return self.golden_folder or Path(inspect.getfile(type(self))).parent / "golden"


def difference(path: Path, played: str) -> str:
    """The first lines that differ."""
    was = path.read_text(encoding="utf-8", errors="replace").splitlines()
    lines = unified_diff(was, played.splitlines(), "kept", "played", n=1, lineterm="")
    return "\n".join(islice(lines, MOST_LINES))

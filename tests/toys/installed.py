"""Games for tests as an installer would leave them: found through entry points."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from parlour import plugins

ENTRY_POINTS = "[parlour.games]\ncups = tests.toys.cups:GAME\nlotto = tests.toys.lotto:GAME\n"


@pytest.fixture
def toys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Cups and Lotto are installed. Their only bot is the random one."""
    metadata = tmp_path / "installed" / "toys-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: toys\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(ENTRY_POINTS)
    with monkeypatch.context() as patched:
        patched.syspath_prepend(metadata.parent)
        plugins.refresh()
        yield
    plugins.refresh()

"""`parlour serve` as a process of its own, in an environment in which other packages are installed."""

import contextlib
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.here import ROOT
from tests.ports import free_row

UP_WITHIN_S = 60.0
SETTINGS = """
port = {port}
store = "sqlite:///{folder}/arena.db"
log = "off"
quick_s = 0.1
[listeners]
"""


@contextmanager
def serving(folder: Path, variables: Mapping[str, str]) -> Iterator[str]:
    """The address of a server that fills empty seats with house bots almost at once."""
    port, settings, told = free_row(), folder / "arena.toml", folder / "told.txt"
    settings.write_text(SETTINGS.format(port=port, folder=folder))
    command = [sys.executable, "-m", "parlour", "serve", "--settings", str(settings)]
    with told.open("wb") as errors, subprocess.Popen(command, cwd=ROOT, env={**variables}, stderr=errors) as process:
        try:
            end = time.monotonic() + UP_WITHIN_S
            while not _answers(f"http://127.0.0.1:{port}/health"):
                assert process.poll() is None and time.monotonic() < end, told.read_text()
                time.sleep(0.02)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.kill()


def _answers(url: str) -> bool:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with contextlib.suppress(OSError, urllib.error.URLError), opener.open(url, timeout=10):
        return True
    return False

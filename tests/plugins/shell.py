"""One process for many commands, in an environment in which other packages are installed.

It starts once, reads commands as lines of JSON, runs each as `tests.here` does, and writes what came of it.
"""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from tests.here import ROOT, Done, here


class Order(Struct, frozen=True):
    """A command to run."""

    words: tuple[str, ...]
    stdin: str
    cwd: str


def environment(folders: Iterable[Path]) -> dict[str, str]:
    """The variables of a process that finds packages in these folders before those of the tests."""
    before = filter(None, [os.environ.get("PYTHONPATH")])
    return {**os.environ, "PYTHONPATH": os.pathsep.join([*map(str, folders), *before])}


class Shell:
    """The process, as tests see it."""

    def __init__(self, process: "subprocess.Popen[bytes]", cwd: Path) -> None:
        self._process = process
        self._cwd = cwd

    def run(self, *words: str, stdin: str = "") -> Done:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(msgspec.json.encode(Order(words, stdin, str(self._cwd))) + b"\n")
        self._process.stdin.flush()
        return msgspec.json.decode(self._process.stdout.readline(), type=Done)

    def printed(self, *words: str, stdin: str = "") -> str:
        """What a command prints that succeeds."""
        done = self.run(*words, stdin=stdin)
        assert done.returncode == 0, done.stderr
        return done.stdout


@contextmanager
def shell(folders: Iterable[Path], cwd: Path) -> Iterator[Shell]:
    """A shell in which packages of these folders are installed, in front of those of the tests."""
    command = [sys.executable, "-m", "tests.plugins.shell"]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment(folders), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        yield Shell(process, cwd)


def main() -> None:
    for line in sys.stdin.buffer:
        order = msgspec.json.decode(line, type=Order)
        done = here(*order.words, stdin=order.stdin, cwd=Path(order.cwd))
        sys.stdout.buffer.write(msgspec.json.encode(done) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()

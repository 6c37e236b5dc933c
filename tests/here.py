"""The `parlour` command in this process: what it answers, without the half second that a program takes to start."""

import io
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from unittest.mock import patch

from msgspec import Struct

from parlour.cli import run

ROOT = Path(__file__).parents[1]
WIDE = {"COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb"}
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Done(Struct, frozen=True):
    """How a command ended, and what it wrote."""

    returncode: int
    stdout: str
    stderr: str


def here(*words: str, stdin: str | bytes = "", cwd: Path = ROOT) -> Done:
    """Run a command to its end. Tests of signals, of terminals and of being killed start a process instead."""
    raw = stdin if isinstance(stdin, bytes) else stdin.encode()
    given, out, err = (io.TextIOWrapper(io.BytesIO(each), encoding="utf-8") for each in (raw, b"", b""))
    code = 0
    with (
        _settled(cwd),
        patch.dict(os.environ, WIDE),
        patch.multiple(sys, argv=["parlour", *words], path=[*sys.path], stdin=given, stdout=out, stderr=err),
    ):
        try:
            run()
        except SystemExit as e:
            code = e.code if isinstance(e.code, int) else int(e.code is not None)
    return Done(code, _written(out), _written(err))


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    raw = stream.buffer
    assert isinstance(raw, io.BytesIO)
    return raw.getvalue().decode()


@contextmanager
def _settled(cwd: Path) -> Iterator[None]:
    """Restore the folder, the signal handlers and the loaded modules: bots of a file share one name in all folders."""
    before, handlers = Path.cwd(), {number: signal.getsignal(number) for number in SIGNALS}
    bots = _unloaded_bots()
    os.chdir(cwd)
    try:
        yield
    finally:
        os.chdir(before)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        _unloaded_bots()
        sys.modules.update(bots)


def _unloaded_bots() -> dict[str, ModuleType]:
    """The modules of bots, which are no longer loaded."""
    return {name: sys.modules.pop(name) for name in [*sys.modules] if name.startswith("parlour_player_")}


def printed(*words: str) -> str:
    """What a command prints that succeeds. What it says on stderr is said there."""
    done = here(*words)
    assert done.returncode == 0, done.stderr
    sys.stderr.write(done.stderr)
    return done.stdout


def mistake_here(*words: str, cwd: Path = ROOT) -> str:
    """What is said of a mistake: one line, and a status that is not 0."""
    return said_of_a_mistake(here(*words, cwd=cwd))


def said_of_a_mistake(done: Done) -> str:
    """The one line, without the name of the program."""
    assert done.returncode != 0 and "Traceback" not in done.stderr + done.stdout
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("parlour: ")
    return done.stderr.removeprefix("parlour: ").strip()

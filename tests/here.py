"""The `parlour` command in this process: what it answers, without the half second that a program takes to start."""

import io
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
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
    """Run a command to its end. Commands that are killed, or that start others, are run as programs instead."""
    raw = stdin if isinstance(stdin, bytes) else stdin.encode()
    given, out, err = (io.TextIOWrapper(io.BytesIO(each), encoding="utf-8") for each in (raw, b"", b""))
    code = 0
    with (
        _settled(cwd),
        patch.dict(os.environ, WIDE),
        patch.multiple(sys, argv=["parlour", *words], stdin=given, stdout=out, stderr=err),
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
    """The folder and the handlers of signals are afterwards as they were."""
    before, handlers = Path.cwd(), {number: signal.getsignal(number) for number in SIGNALS}
    os.chdir(cwd)
    try:
        yield
    finally:
        os.chdir(before)
        for number, handler in handlers.items():
            signal.signal(number, handler)


def mistake_here(*words: str, cwd: Path = ROOT) -> str:
    """What is said of a mistake: one line, and a status that is not 0."""
    done = here(*words, cwd=cwd)
    assert done.returncode != 0 and "Traceback" not in done.stderr + done.stdout
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("parlour: ")
    return done.stderr.removeprefix("parlour: ").strip()

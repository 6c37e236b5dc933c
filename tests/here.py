"""The `parlour` command in this process: what it answers, without the half second that a program takes to start."""

import io
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from msgspec import Struct

from parlour.cli import run

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Done(Struct, frozen=True):
    """How a command ended, and what it wrote."""

    returncode: int
    stdout: str
    stderr: str


def here(*words: str, stdin: bytes = b"", cwd: Path | None = None, environment: Mapping[str, str] = {}) -> Done:
    """Run a command to its end. Commands that are killed, or that start others, are run as programs instead."""
    given, out, err = (io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8") for raw in (stdin, b"", b""))
    code = 0
    with (
        _settled(cwd or Path.cwd()),
        patch.dict(os.environ, environment),
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

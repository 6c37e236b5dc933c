"""The log: one JSON object per line, with match and seat if there are any.

It contains no secrets: no tokens, passwords, keys or seeds, and nothing that a client has sent except its name.
"""

import asyncio
import logging
import math
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, TextIO

import msgspec

from parlour.protocol.reports import log, tell, tell_bug
from parlour.server.ops.metrics import Metrics
from parlour.store.failures import is_store_failure, kind_of, words_of

LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}
MOST_WORDS = 200
MOST_KINDS = 1000
AGAIN_AFTER_S = 60.0
"""Minimum time between two log lines of a repeated event."""
DEEPEST = 8
"""How many calls of a traceback are logged."""


class JsonLines(logging.Formatter):
    """Formats an event and its facts."""

    def format(self, record: logging.LogRecord) -> str:
        is_ours = record.name == log.name
        told = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage() if is_ours else "library",
            **getattr(record, "facts", {}),
        }
        if not is_ours:  # the message template, without arguments that a client may have sent
            told |= {"logger": record.name, "words": str(record.msg)[:MOST_WORDS]}
        if record.exc_info is not None and record.exc_info[1] is not None:
            told |= _bug(record.exc_info[1])
        return msgspec.json.encode(told).decode()


def _bug(error: BaseException) -> dict[str, Any]:
    """Type and traceback of an exception; not its message, which may contain secrets."""
    calls = traceback.extract_tb(error.__traceback__)[-DEEPEST:]
    return {
        "error": type(error).__name__,
        "calls": [f"{call.filename.rpartition('/')[2]}:{call.lineno} {call.name}" for call in calls],
    }


class ThrottledEvents:
    """Logs each kind of event at most once a minute, with the number that was left out."""

    def __init__(self) -> None:
        self._told: dict[tuple[str, ...], float] = {}
        self._untold: Counter[tuple[str, ...]] = Counter()

    def tell(self, event: str, level: int = logging.INFO, **kind: str) -> None:
        """Log an event; events with equal facts are of the same kind."""
        untold = self.due(event, *kind.values())
        if untold is not None:
            tell(event, level, **kind, untold=untold)

    def due(self, *key: str) -> int | None:
        """The number of such events left out so far, if this one should be logged; None if it is too early."""
        now = _now()
        if now - self._told.get(key, -math.inf) < AGAIN_AFTER_S:
            self._untold[key] += 1
            return None
        if len(self._told) >= MOST_KINDS:
            self.forget()
        self._told[key] = now
        return self._untold.pop(key, 0)

    def forget(self) -> None:
        """Reset, for a new server."""
        self._told.clear()
        self._untold.clear()


def _now() -> float:
    try:
        return asyncio.get_running_loop().time()
    except RuntimeError:  # libraries also log from threads
        return time.monotonic()


seldom = ThrottledEvents()


class RepeatedWork:
    """Work that is repeated: an error is logged, but only once until the work succeeds."""

    def __init__(self, event: str) -> None:
        self._event = event
        self._failing: set[tuple[str, ...]] = set()

    @contextmanager
    def going_on(self, *, without_store: bool = True, **facts: str) -> Iterator[None]:
        """Log an error in the block and continue. The facts say which part of the work it is. Unless it can go on
        `without_store`, a failure of the store is raised."""
        part = (*facts.values(),)
        try:
            yield
            self._failing.discard(part)
        except Exception as e:
            if not without_store and is_store_failure(e):
                raise
            if part not in self._failing:
                tell_bug(self._event, e, **facts)
            self._failing.add(part)


def _tell_store_failure(record: logging.LogRecord) -> bool:
    """Log failures of the database with their message, once a minute, in place of the event that they disturbed."""
    error = record.exc_info[1] if record.exc_info else None
    if error is None or not is_store_failure(error):
        return True
    kind, words = kind_of(error), words_of(error)
    untold = seldom.due("store failed", kind, words)
    record.msg, record.exc_info, record.facts = "store failed", None, {"kind": kind, "words": words, "untold": untold}
    return untold is not None


log.addFilter(_tell_store_failure)


def tell_refused(metrics: Metrics, code: str, words: str, way: str, address: str, name: str | None = None) -> None:
    """Count and log a refused request or client, and show it to administrators. `words` are ours, not the client's."""
    metrics.refused.labels(code).inc()
    metrics.refusals.add(code, words, way, address, name)
    seldom.tell("refused", code=code)


def tell_dropped(metrics: Metrics, way: str, why: str, address: str = "") -> None:
    """The same for a connection that the server closes."""
    metrics.dropped.labels(why).inc()
    metrics.refusals.add(why, "the connection was closed", way, address)
    seldom.tell("dropped", way=way, why=why)


def _is_due(record: logging.LogRecord) -> bool:
    """Log records of libraries once a minute for each source line, so that no client can fill the log."""
    error = record.exc_info[1] if record.exc_info else None
    bug = {} if error is None else _bug(error)
    place = f"{record.pathname}:{record.lineno}"
    untold = seldom.due("library", record.name, place, bug.get("error", ""), *bug.get("calls", ()))
    if untold:
        record.facts = {"untold": untold}
    return untold is not None


@contextmanager
def written(level: str, stream: TextIO | None = None) -> Iterator[None]:
    """Write the log during the block, unless the level is off."""
    if level == "off":
        yield
        return
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    others = logging.StreamHandler(stream or sys.stderr)
    others.setFormatter(JsonLines())
    others.setLevel(max(LEVELS[level], logging.WARNING))
    others.addFilter(_is_due)
    before = (log.level, log.propagate)
    log.setLevel(LEVELS[level])
    log.propagate = False
    log.addHandler(handler)
    logging.getLogger().addHandler(others)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(others)
        log.removeHandler(handler)
        log.level, log.propagate = before


@contextmanager
def loop_errors() -> Iterator[None]:
    """Log unhandled exceptions of the event loop during the block."""
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()
    loop.set_exception_handler(_tell_loop_error)
    try:
        yield
    finally:
        loop.set_exception_handler(before)


def _tell_loop_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    words = str(context.get("message", ""))[:MOST_WORDS]
    log.error("loop error", exc_info=context.get("exception"), extra={"facts": {"words": words}})

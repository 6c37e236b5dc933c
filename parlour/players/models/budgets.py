"""Budgets for models. Money is counted in billionths of a dollar, so that sums are exact."""

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Protocol, TypeVar

from parlour.core.values import plain
from parlour.players.models.exchange import ModelFailure

T = TypeVar("T")

NANOS = 1_000_000_000
"""Billionths in one dollar."""
LOCK_S = 30.0
"""How long to wait for other processes that use the ledger."""


def dollars(nanos: int) -> str:
    """An amount for people: `$0.0123`, with as many digits as small amounts need."""
    amount = nanos / NANOS
    digits = 2 if amount == 0 or abs(amount) >= 1 else 4 if amount >= 0.01 else 6
    return f"${amount:,.{digits}f}"


def no_budget(left: int, needed: int, whose: str) -> ModelFailure:
    words = f"no budget: {whose} has {dollars(max(0, left))} left, and the next request may cost {dollars(needed)}"
    return ModelFailure("no_budget", words, is_final=True)


class Purse(Protocol):
    """Money for requests. The highest cost of a request is taken before it is sent; afterwards the rest is put back."""

    async def take(self, nanos: int) -> None:
        """Take an amount; ModelFailure if not so much is left."""

    async def put_back(self, nanos: int) -> None:
        """Put back the part that a request has not cost; a negative amount if it has cost more."""


class LedgerFails(ModelFailure):
    """The shared ledger cannot be read or written, so no further request may be paid."""

    def __init__(self, file: Path, error: sqlite3.Error) -> None:
        words = f"no budget: what is spent cannot be counted in {plain(str(file), 200)}: {plain(str(error), 100)}"
        super().__init__("no_budget", words, is_final=True)


class FreePurse:
    """Money without a limit."""

    async def take(self, nanos: int) -> None:
        """Do nothing."""

    async def put_back(self, nanos: int) -> None:
        """Do nothing."""


class Ceiling:
    """A limit for all matches of a process or, with a file, of all processes that share it."""

    def __init__(self, limit: int, file: Path | None = None) -> None:
        self._limit = limit
        self._file = file
        self._spent = 0
        """By this process, if there is no file."""

    async def take(self, nanos: int) -> None:
        left = self._take(nanos) if self._file is None else await self._in_ledger(self._take_from, self._file, nanos)
        if left is not None:
            raise no_budget(left, nanos, f"the ceiling of {dollars(self._limit)}")

    async def put_back(self, nanos: int) -> None:
        if self._file is None:
            self._spent -= nanos
            return
        with contextlib.suppress(LedgerFails):  # the ledger then shows more than was spent, but the answer is not lost
            await self._in_ledger(self._add, self._file, -nanos)

    async def _in_ledger(self, change: Callable[[Path, int], T], file: Path, nanos: int) -> T:
        try:
            return await asyncio.to_thread(change, file, nanos)
        except sqlite3.Error as e:
            raise LedgerFails(file, e) from None

    def _take(self, nanos: int) -> int | None:
        """Take an amount. Returns None, or the amount that is left if it is too little."""
        if nanos and self._spent + nanos > self._limit:
            return self._limit - self._spent
        self._spent += nanos
        return None

    def _take_from(self, file: Path, nanos: int) -> int | None:
        with closing(_opened(file)) as ledger, ledger:
            ledger.execute("BEGIN IMMEDIATE")
            [spent] = ledger.execute("SELECT nanos FROM spent").fetchone()
            if nanos and spent + nanos > self._limit:
                return int(self._limit - spent)
            ledger.execute("UPDATE spent SET nanos = nanos + ?", [nanos])
        return None

    def _add(self, file: Path, nanos: int) -> None:
        with closing(_opened(file)) as ledger, ledger:
            ledger.execute("UPDATE spent SET nanos = nanos + ?", [nanos])


def _opened(file: Path) -> sqlite3.Connection:
    ledger = sqlite3.connect(file, timeout=LOCK_S, isolation_level=None)
    ledger.execute("CREATE TABLE IF NOT EXISTS spent (id INTEGER PRIMARY KEY CHECK (id = 1), nanos INTEGER NOT NULL)")
    ledger.execute("INSERT OR IGNORE INTO spent VALUES (1, 0)")
    return ledger

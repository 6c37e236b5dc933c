"""Limits on wrong passwords by account, and their place in the log.

The limit by address does not stop a guess that comes from many. This one counts the wrong passwords for a name from all
addresses that are new to it. An address from which the account has logged in, and a client that shows a token of the
account, are not held to it: a stranger cannot lock the owner out.
"""

import logging
from collections.abc import Callable
from typing import Any

from parlour.server.accounts import MOST_REMEMBERED, Attempts
from parlour.server.ops.logs import tell
from parlour.store.store import Account

MOST_ADDRESSES = 20
"""How many addresses are remembered of one account, in memory only."""


class LoginLimits:
    """Wrong passwords, by account."""

    def __init__(self, a_minute: int, clock: Callable[[], float]) -> None:
        self._attempts = Attempts(a_minute, 60.0, clock)
        self._known: dict[str, dict[str, None]] = {}
        """By name, the addresses it has logged in from; the last one last."""

    def count(self, name: str, address: str, *, proved: bool = False) -> None:
        """Somebody tries a password; Trouble, if too many wrong ones have come for this name. To be called before the
        password is checked: of many that come at once each counts."""
        if not proved and address not in self._known.get(name, ()):
            self._attempts.count(name)

    def right(self, name: str, address: str, *, proved: bool = False) -> None:
        """The password that was counted was the right one."""
        known = self._known.pop(name, {})
        if not proved and address not in known:
            self._attempts.forgive(name)
        known.pop(address, None)
        known[address] = None
        self._known[name] = known
        _forget(known, MOST_ADDRESSES)
        _forget(self._known, MOST_REMEMBERED)

    def wrong(self, account: Account | None, address: str, way: str) -> None:
        """Log a wrong password. A name that is nobody's is not told: it may be a password in the wrong field."""
        whose = {} if account is None else {"account": account.id, "name": account.name}
        tell("login failed", logging.WARNING, way=way, address=address, **whose)


def _forget(known: dict[str, Any], most: int) -> None:
    """The oldest make room."""
    while len(known) > most:
        del known[next(iter(known))]

"""Limits on wrong passwords by account, and logging of them.

A limit by address does not stop guesses from many addresses. This one counts the wrong passwords for a name from all
addresses that are new to it. It does not apply to addresses from which the account has logged in, nor to clients with a
token of the account, so a stranger cannot lock the owner out.
"""

import logging
from collections import deque

from parlour.protocol.records import Account
from parlour.protocol.reports import tell
from parlour.server.net.attempts import MOST_REMEMBERED, Attempts

MOST_ADDRESSES = 20
"""How many addresses are remembered for one account, in memory only."""


class LoginLimits:
    """Wrong passwords, by account."""

    def __init__(self, a_minute: int) -> None:
        self._attempts = Attempts(a_minute)
        self._known: dict[str, deque[str]] = {}
        """By name, the addresses it has logged in from, newest last."""

    def count(self, name: str, address: str, *, proved: bool = False) -> None:
        """Count an attempt; RequestError if too many wrong passwords have come for this name.

        Call it before the password is checked, so that simultaneous attempts all count."""
        if not proved and address not in self._known.get(name, ()):
            self._attempts.count(name)

    def most_used(self) -> int:
        """The number of attempts on the account that most were made on in the last minute."""
        return self._attempts.most_used()

    def right(self, name: str, address: str, *, proved: bool = False) -> None:
        """The counted attempt had the right password."""
        known = self._known.pop(name, None) or deque(maxlen=MOST_ADDRESSES)
        if not proved and address not in known:
            self._attempts.forgive(name)
        if address in known:
            known.remove(address)
        known.append(address)
        self._known[name] = known
        if len(self._known) > MOST_REMEMBERED:
            del self._known[next(iter(self._known))]

    def wrong(self, account: Account | None, address: str, way: str) -> None:
        """Log a wrong password. An unknown name is not logged: it may be a password in the wrong field."""
        whose = {} if account is None else {"account": account.id, "name": account.name}
        tell("login failed", logging.WARNING, way=way, address=address, **whose)

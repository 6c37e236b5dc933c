"""One connected client, whatever its transport and protocol."""

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from parlour.core import Dialect, Message
from parlour.players.remote import RemotePlayer
from parlour.transports.peer import Peer

Errors: TypeAlias = Callable[[str, str], list[Message]]
"""Writes an error, given a code and words, for a client whose protocol may not be known yet."""
Dropped: TypeAlias = Callable[[str, str, str], None]
"""Counts and logs a client that the server disconnects: its way, the reason and the address."""


class Visit(Struct, frozen=True):
    """The account and token of a connected client."""

    account: int = 0
    """0: not known yet."""
    token: int = 0
    """0: none, for a guest whose protocol has no tokens."""
    expires_ms: int | None = None


UNKNOWN = Visit()


class Session:
    """A client: its connection, its account, and the reason if the server disconnects it."""

    def __init__(
        self, peer: Peer, way: str, address: str = "", errors: Errors | None = None, dropped: Dropped | None = None
    ) -> None:
        """`way` names the transport and protocol, for administrators. Without `errors`, the client is disconnected
        without a word."""
        self.peer = peer
        self.way = peer.way = way
        self.address = address
        self.visit = UNKNOWN
        self._player: RemotePlayer | None = None
        self._errors = errors
        self._dropped = dropped
        peer.exceeded = self.end

    @property
    def is_here(self) -> bool:
        return self.peer.is_here

    def speak(self, dialect: Dialect) -> RemotePlayer:
        """Create the player of the client, whose protocol is known by now."""
        self._player = RemotePlayer(self.peer, dialect)
        return self._player

    @property
    def player(self) -> RemotePlayer:
        """The player of the client. Its game and protocol must be known."""
        assert self._player is not None
        return self._player

    def end(self, why: str, words: str) -> None:
        """Disconnect a client that exceeds a limit, and tell it why. It can resume its seat. Without words it has been
        disconnected already."""
        if self._dropped is not None:
            self._dropped(self.way, why, self.address)
        if words:
            self.tell(why, words)
            self.peer.hang_up()

    def tell(self, code: str, words: str) -> None:
        """Send an error, if all clients of this way understand it."""
        if self._errors is not None:
            (self._player or self.peer).send(self._errors(code, words))

    async def refuse(self, code: str, words: str) -> None:
        """Disconnect a client that is known, with an error message in its protocol unless `words` is empty."""
        if words:
            self.player.send(self.player.dialect.error(code, words))
        await self.peer.close()

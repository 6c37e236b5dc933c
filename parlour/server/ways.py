"""Ways in: whoever connects, by whatever protocol, is brought to its seat, or back to it."""

import re
from hashlib import sha256
from typing import Any

from parlour.core import Dialect, Game, Hello, Over, Seat, Sitting, Value
from parlour.players.remote import NotIntroduced, RemotePlayer, Returns
from parlour.referee.transcript import End, read_record
from parlour.server.arena import Arena, OpenTable, Trouble
from parlour.server.auth import Attempts, Doorkeeper
from parlour.server.logs import tell
from parlour.server.metrics import Metrics
from parlour.server.playing import Playing
from parlour.store.store import Account
from parlour.transports.peer import Peer
from parlour.transports.v1 import V1

HELLO_S = 10.0
"""How long somebody may take to say who it is."""
PARKED = ("parked", "the server stops; come back in a while, and go on where you were")

_string = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_bracket = re.compile(rb"[\[\]{}]")


def is_too_deep(raw: bytes, most: int) -> bool:
    """Whether lists and objects lie in each other more often than that."""
    if raw.count(b"[") + raw.count(b"{") <= most:
        return False
    depth = 0
    for bracket in _bracket.findall(_string.sub(b"", raw)):
        depth += 1 if bracket in b"[{" else -1
        if depth > most:
            return True
    return False


class Ways:
    """Everybody comes through here."""

    def __init__(
        self,
        arena: Arena,
        doorkeeper: Doorkeeper,
        *,
        hello_s: float = HELLO_S,
        guests: Attempts | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        self._arena = arena
        self._door = doorkeeper
        self._hello_s = hello_s
        self._guests = guests
        self._metrics = metrics or Metrics()
        self._here: set[RemotePlayer] = set()
        """Who has come and not gone."""
        self._parked = False

    async def welcome(
        self,
        peer: Peer,
        rules: Game[Any],
        dialect: Dialect,
        table: str | None = None,
        token: str | None = None,
        address: str = "",
    ) -> None:
        """Seat somebody at a table of its choice, or at the next one; or send it away with a word."""
        player = RemotePlayer(peer, dialect)
        player.lost = _nothing
        self._here = {other for other in self._here if other.peer.gone is None} | {player}
        try:
            if self._parked:
                raise Trouble(503, *PARKED)
            await self._welcome(player, rules, table, token, address)
        except Trouble as e:
            await self._send_away(player, e.code, e.words)
        except NotIntroduced as e:
            await self._send_away(player, e.why, str(e))

    async def park(self) -> None:
        """Play no more, and tell everybody to come back; nothing is lost."""
        self._parked = True
        await self._arena.close()
        tell("parked", tables=len(self._arena.open))
        for player in self._here:
            if isinstance(player.dialect, V1):
                player.peer.send(player.dialect.error(*PARKED))
            await player.peer.close()

    async def seat(self, match: str, token: str | None) -> tuple[Playing, Seat]:
        """The seat that somebody has in a match under way; Trouble, if it has none."""
        account = (await self._door.allowed(token, "play")).account
        playing = self._arena.playing.get(match)
        if playing is None:
            raise Trouble(404, "not_playing", "there is no such match under way")
        return playing, _seat_of(playing, account)

    async def _send_away(self, player: RemotePlayer, code: str, words: str) -> None:
        self._metrics.refused.labels(code).inc()
        tell("refused", code=code)
        player.peer.send(player.dialect.error(code, words))
        await player.peer.close()

    async def _welcome(
        self, player: RemotePlayer, rules: Game[Any], id: str | None, token: str | None, address: str
    ) -> None:
        playing = self._arena.playing.get(id) if id is not None else None
        if playing is not None:
            await self._come_back(player, playing, token, address)
            return
        table = await self._arena.quick(rules.name, player) if id is None else self._arena.open.get(id)
        if table is None:
            await self._tell_end(player, id or "")
            return
        if table.game is not rules:
            raise Trouble(404, "no_such_table", f"there is no such table of {rules.title}")
        try:
            sitting = await self._introduced(player, table)
            account, guest_token = await self._account(player, sitting, token, address)
            if (playing := self._arena.playing.get(table.id)) is not None:  # it began meanwhile
                self._attach(player, playing, account)
                return
            name = await self._shown(account, sitting)
            table, seat = await self._arena.sit(table.id, account, name=name, salt=sitting.salt, holder=player)
        finally:
            self._arena.release(table, player)
        player.dialect.token = guest_token
        chair = table.chairs[seat]
        if chair.player is not None:
            chair.player.let_go()
        chair.player, chair.guest = player, account.password is None
        await self._arena.begin_if_full(table)

    async def _introduced(self, player: RemotePlayer, table: OpenTable) -> Sitting:
        rules, dialect = table.game, player.dialect
        hello = Hello(rules.name, rules.version, table.commit, True, len(table.chairs), table.id)
        if not dialect.introduces:
            return Sitting(dialect.nameless(hello))
        try:
            return await player.introduced(hello, self._hello_s)
        except Returns as e:
            raise Trouble(404, "no_such_seat", "no seat is kept for this token") from e

    async def _account(
        self, player: RemotePlayer, sitting: Sitting, token: str | None, address: str
    ) -> tuple[Account, str]:
        """Whose token it is; without one, a new guest, and what lets it come back."""
        said = _said(player, token)
        if said:
            return await self._known(said, address), ""
        self._count(address)
        return await self._door.guest(sitting.name)

    async def _known(self, token: str | None, address: str) -> Account:
        """Whose token it is. Who guesses has not many tries."""
        try:
            return (await self._door.allowed(token, "play")).account
        except Trouble:
            self._count(address)
            raise

    def _count(self, address: str) -> None:
        if self._guests is not None:
            self._guests.count(address)

    async def _tell_end(self, player: RemotePlayer, id: str) -> None:
        """Who comes back too late hears how it came out, which is public by then."""
        stored = await self._arena.store.match(id)
        if stored is not None and stored.state == "running":
            raise Trouble(503, "parked", "the match is not under way just now; come back in a while")
        if stored is None or stored.state not in ("over", "void"):
            raise Trouble(404, "no_such_table", "there is no such table, and no such match")
        lines = await self._arena.store.lines(id)
        end = next(record for line in reversed(lines) if isinstance(record := read_record(line, 1), End))
        head = sha256(lines[-2]).hexdigest()
        player.peer.send(player.dialect.over(Over(end.end, head, id), _NOTHING))
        await player.peer.close()

    async def _come_back(self, player: RemotePlayer, playing: Playing, token: str | None, address: str) -> None:
        header = playing.match.header
        rules = playing.match.game
        hello = Hello(rules.name, rules.version, header.commit, False, 0, header.match)
        await player.introduced(hello, self._hello_s)
        self._attach(player, playing, await self._known(_said(player, token), address))

    def _attach(self, player: RemotePlayer, playing: Playing, account: Account) -> None:
        seat = _seat_of(playing, account)
        tell("back", match=playing.id, seat=seat)
        playing.back(seat, player)

    async def _shown(self, account: Account, sitting: Sitting) -> str:
        """Guests are called as they like, but not like somebody who has an account, and is called by it."""
        if account.password is not None:
            return account.name
        other = await self._arena.store.account(sitting.name)
        return sitting.name if other is None or other.password is None else account.name


def _said(player: RemotePlayer, token: str | None) -> str | None:
    """The token it has come with, or has told in its hello."""
    return token or (player.dialect.said_token if isinstance(player.dialect, V1) else None)


def _seat_of(playing: Playing, account: Account) -> Seat:
    if account.id not in playing.accounts:
        raise Trouble(403, "not_yours", "you have no seat in this match")
    return playing.accounts.index(account.id)


class _Nothing(Value, frozen=True):
    """In place of a view that nobody needs."""


_NOTHING = _Nothing()


def _nothing() -> None:
    """The seat stays its owner's, who may come back."""

"""Ways in: whoever connects, by whatever protocol, is brought to its seat, or back to it."""

from hashlib import sha256
from typing import Any

from parlour.core import Dialect, Game, Hello, Over, Sitting, Value
from parlour.players.remote import NotIntroduced, RemotePlayer, Returns
from parlour.referee.transcript import End, read_record
from parlour.server.arena import Arena, OpenTable, Trouble
from parlour.server.auth import Doorkeeper
from parlour.server.playing import Playing
from parlour.store.store import Account
from parlour.transports.peer import Peer
from parlour.transports.v1 import V1

HELLO_S = 10.0
"""How long somebody may take to say who it is."""


class Ways:
    """Everybody comes through here."""

    def __init__(self, arena: Arena, doorkeeper: Doorkeeper) -> None:
        self._arena = arena
        self._door = doorkeeper

    async def welcome(
        self, peer: Peer, rules: Game[Any], dialect: Dialect, table: str | None = None, token: str | None = None
    ) -> None:
        """Seat somebody at a table of its choice, or at the next one; or send it away with a word."""
        player = RemotePlayer(peer, dialect)
        player.lost = _nothing
        try:
            await self._welcome(player, rules, table, token)
        except Trouble as e:
            await self._send_away(player, e.code, e.words)
        except NotIntroduced as e:
            await self._send_away(player, e.why, str(e))

    async def _send_away(self, player: RemotePlayer, code: str, words: str) -> None:
        player.peer.send(player.dialect.error(code, words))
        await player.peer.close()

    async def _welcome(self, player: RemotePlayer, rules: Game[Any], id: str | None, token: str | None) -> None:
        playing = self._arena.playing.get(id) if id is not None else None
        if playing is not None:
            await self._come_back(player, playing, token)
            return
        table = await self._arena.quick(rules.name, player) if id is None else self._arena.open.get(id)
        if table is None:
            await self._tell_end(player, id or "")
            return
        if table.game is not rules:
            raise Trouble(404, "no_such_table", f"there is no such table of {rules.title}")
        try:
            sitting = await self._introduced(player, table)
            account, guest_token = await self._account(player, sitting, token)
            if (playing := self._arena.playing.get(table.id)) is not None:  # it began meanwhile
                self._attach(player, playing, account)
                return
            name = _shown(account, sitting)
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
            return await player.introduced(hello, HELLO_S)
        except Returns as e:
            raise Trouble(404, "no_such_seat", "no seat is kept for this token") from e

    async def _account(self, player: RemotePlayer, sitting: Sitting, token: str | None) -> tuple[Account, str]:
        """Whose token it is; without one, a new guest, and what lets it come back."""
        said = token or (player.dialect.said_token if isinstance(player.dialect, V1) else None)
        if said:
            return (await self._door.allowed(said, "play")).account, ""
        account, new = await self._door.guest(sitting.name)
        return account, new

    async def _tell_end(self, player: RemotePlayer, id: str) -> None:
        """Who comes back too late hears how it came out, which is public by then."""
        stored = await self._arena.store.match(id)
        if stored is None or stored.state not in ("over", "void"):
            raise Trouble(404, "no_such_table", "there is no such table, and no such match")
        lines = await self._arena.store.lines(id)
        end = next(record for line in reversed(lines) if isinstance(record := read_record(line, 1), End))
        head = sha256(lines[-2]).hexdigest()
        player.peer.send(player.dialect.over(Over(end.end, head, id), _NOTHING))
        await player.peer.close()

    async def _come_back(self, player: RemotePlayer, playing: Playing, token: str | None) -> None:
        header = playing.match.header
        rules = playing.match.game
        hello = Hello(rules.name, rules.version, header.commit, False, 0, header.match)
        await player.introduced(hello, HELLO_S)
        said = token or (player.dialect.said_token if isinstance(player.dialect, V1) else None)
        self._attach(player, playing, (await self._door.allowed(said, "play")).account)

    def _attach(self, player: RemotePlayer, playing: Playing, account: Account) -> None:
        if account.id not in playing.accounts:
            raise Trouble(403, "not_yours", "you have no seat in this match")
        playing.back(playing.accounts.index(account.id), player)


def _shown(account: Account, sitting: Sitting) -> str:
    """Guests are called as they like; who has an account is called by it."""
    return sitting.name if account.password is None else account.name


class _Nothing(Value, frozen=True):
    """In place of a view that nobody needs."""


_NOTHING = _Nothing()


def _nothing() -> None:
    """The seat stays its owner's, who may come back."""

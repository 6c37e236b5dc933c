"""Seat clients of all protocols, or return them to the seats that they have."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from parlour.core import Dialect, Game, Hello, Seat, Sitting, Value
from parlour.players.remote import NotIntroduced, RemotePlayer, Returns
from parlour.players.session import UNKNOWN, Errors, Session, Visit
from parlour.protocol.errors import RequestError
from parlour.protocol.forms import Joining, Seated
from parlour.protocol.records import UNTOLD, Account
from parlour.protocol.reports import tell
from parlour.referee.transcript import Header
from parlour.server.accounts import ORDINARY, ChosenVisits, Doorkeeper, visit_of
from parlour.server.api.app import tell_failure
from parlour.server.api.lookups import NOT_YOURS, check_resumed
from parlour.server.net.attempts import Attempts
from parlour.server.ops.logs import tell_dropped, tell_refused
from parlour.server.ops.metrics import Metrics
from parlour.server.settings import Settings
from parlour.server.venue import OpenVenue, VenueTable
from parlour.store.store import Token
from parlour.tables.arena import BEGUN, STOPPING, Arena
from parlour.tables.table import Table
from parlour.transports.tcp import SocketPeer

MOST_GONE = 100
"""Disconnected clients are removed from the list once it may hold this many of them."""
NO_SEAT = (404, "no_such_seat", "no seat is kept for this token")
NUL = ("bad_hello", "a text of your messages has a NUL character, which cannot be stored")
UNREADABLE = "its introduction cannot be read"
"""Told to administrators in place of the exact words, which may repeat what the client sent."""
RESTS = ("parked", "the match is not running now; try again later")


class ClientDesk:
    """Seats all clients that connect."""

    def __init__(self, arena: Arena, doorkeeper: Doorkeeper, settings: Settings, metrics: Metrics) -> None:
        self._arena = arena
        self._door = doorkeeper
        self._hello_s = settings.hello_s
        self._metrics = metrics
        self.guests = Attempts(settings.guests_a_minute)
        """Counts new guests and wrong tokens, by address."""
        self._here: list[Session] = []
        """All clients that have connected; some may have disconnected."""
        self._tidied = MOST_GONE
        self._parked = False
        self.venues: Mapping[str, OpenVenue] = {}
        """By game, the venues that are open."""
        doorkeeper.watch(self._end)

    def connected(self, peer: SocketPeer, way: str, address: str, errors: Errors | None = None) -> Session:
        """The session of a client that has just connected. It is counted until it disconnects."""
        gauge = self._metrics.connections.labels(way)
        gauge.inc()
        peer.on_lost.append(gauge.dec)
        return Session(peer, way, address, errors, partial(tell_dropped, self._metrics))

    async def welcome(
        self,
        session: Session,
        game: Game[Any],
        dialect: Dialect,
        table: str | None = None,
        token: str | None = None,
        seats: int | None = None,
    ) -> None:
        """Seat a client at the table that it names, or at the next one, with `seats` seats if given. If that fails,
        tell the client why and disconnect it."""
        tell_why = partial(tell_refused, self._metrics, way=session.way, address=session.address)
        self._arena.logs.begin(session.speak(dialect))
        self._add_session(session)
        try:
            if self._parked:
                raise RequestError(503, *STOPPING)
            try:
                await self._welcome(session, game, table, token, seats)
            except Returns as e:
                await self._return(session, game, e.token)
        except RequestError as e:
            tell_why(e.code, e.words, name=e.name)
            await session.refuse(e.code, e.words)
        except NotIntroduced as e:
            tell_why(e.why, UNREADABLE if e.told else str(e))
            await session.refuse(e.why, "" if e.told else str(e))
        except Exception as e:
            code, words = tell_failure(e, NUL)
            tell_why(code, words)
            await session.refuse(code, words)

    async def park(self) -> None:
        """Stop all matches, which can be resumed, and disconnect all clients, telling them to return later."""
        self._parked = True
        await self._arena.close()
        tell("parked", tables=len(self._arena.open))
        for session in self._here:
            session.tell(*STOPPING)
            await session.peer.close()

    def _add_session(self, session: Session) -> None:
        self._here.append(session)
        if len(self._here) > 2 * self._tidied:
            self._here = [other for other in self._here if other.is_here]
            self._tidied = max(len(self._here), MOST_GONE)

    def _end(self, chosen: ChosenVisits, code: str, words: str) -> None:
        """Close the connections of clients, and tell them why."""
        for session in [each for each in self._here if each.is_here and chosen(each.visit)]:
            session.visit = UNKNOWN
            session.player.send(session.player.dialect.error(code, words))
            self._arena.run(session.peer.close())

    async def _welcome(
        self, session: Session, game: Game[Any], id: str | None, token: str | None, seats: int | None
    ) -> None:
        player = session.player
        playing = self._arena.playing.get(id) if id is not None else None
        if playing is not None and playing.match.game is game:
            await self._return_to_match(session, playing, token)
            return
        venue = self.venues.get(game.name)
        if venue is not None and (place := venue.table(id)) is not None:
            await self._enter(session, game, place, token)
            return
        check_resumed(self._arena, id or "")
        table = await self._arena.quick(game.name, player, seats) if id is None else self._arena.open.get(id)
        if table is None:
            await self._tell_end(player, game, id or "")
            return
        if table.game is not game:
            raise RequestError(404, "no_such_table", f"there is no such table of {game.title}")
        try:
            sitting = await self._introduced(player, table)
            account, guest_token = await self._account(session, sitting, token)
            if (playing := self._arena.playing.get(table.id)) is not None:  # the match began in the meantime
                self._attach(player, playing, account, otherwise=BEGUN)
                return
            seat = await self._seat(player, table, account, sitting, is_new=bool(guest_token))
        finally:
            table.seats.release(player)
        if seat is None:
            return
        player.dialect.token = player.dialect.token or guest_token
        table.connect(seat, player, guest=account.password is None, untold=bool(guest_token))
        await self._arena.begin_if_full(table)

    async def _seat(
        self, player: RemotePlayer, table: Table, account: Account, sitting: Sitting, *, is_new: bool
    ) -> Seat | None:
        """The new seat; None if the match began in the meantime, and the client is back at the seat that it had. A new
        guest waits for a seat whose player may not return."""
        name = await self.shown(account, sitting.name)
        try:
            _, seat = await self._arena.sit(
                table.id,
                account.id,
                name,
                salt=sitting.salt,
                about=sitting.about,
                holder=player,
                guest=account.password is None,
            )
        except RequestError as e:
            if is_new and e.code == "table_full" and await self._can_retry(player, table):
                return await self._seat(player, table, account, sitting, is_new=True)
            playing = self._arena.playing.get(table.id)
            if playing is None and table.id not in self._arena.open:  # the match may even have ended
                await self._tell_end(player, table.game, table.id)
                return None
            if playing is None or playing.seats.seat_of(account.id) is None:
                raise
            self._attach(player, playing, account)
            return None
        return seat

    async def _can_retry(self, player: RemotePlayer, table: Table) -> bool:
        """Whether a client that found the table full is still connected and can try again."""
        return player.peer.gone is None and await self._arena.wait_for_awaited(table)

    async def _enter(self, session: Session, game: Game[Any], table: VenueTable, token: str | None) -> None:
        """Let a client join the match that is played at a table of a venue, or return to it."""
        player = session.player
        sitting = await player.introduced(_hello(game, table.header()), self._hello_s)
        await table.check(sitting, session.address)
        account, guest_token = await self._account(session, sitting, token, label=ORDINARY)
        player.dialect.token = guest_token
        await table.seat(player, await self.shown(account, sitting.name), account)

    async def _introduced(self, player: RemotePlayer, table: Table) -> Sitting:
        if not player.dialect.introduces:
            return Sitting(player.dialect.nameless(table.hello(player)))
        return await player.introduced(table.hello(player), self._hello_s)

    async def _account(
        self, session: Session, sitting: Sitting, token: str | None, label: str = UNTOLD
    ) -> tuple[Account, str]:
        """The account of the token. Without a token: a new guest, and a token with this label if the guest's protocol
        can show one later."""
        player = session.player
        if said := _said(player, token):
            return await self._known(session, said), ""
        self.guests.count(session.address)
        if player.dialect.can_reconnect:
            own, known = await self._door.guest(sitting.name, label)
            session.visit = visit_of(known)
            return known.account, own
        account = await self._door.guest_without_token(sitting.name)
        session.visit = Visit(account.id)
        return account, ""

    async def known(self, token: str | None, address: str) -> Token:
        """A token, which must have the scope `play`. Wrong tokens are counted, by address."""
        try:
            return await self._door.allowed(token, "play")
        except RequestError:
            self.guests.count(address)
            raise

    async def _known(self, session: Session, token: str | None) -> Account:
        known = await self.known(token, session.address)
        session.visit = visit_of(known)
        return known.account

    async def _tell_end(self, player: RemotePlayer, game: Game[Any], id: str) -> None:
        """Send the result to a client that returns after the end of its match; results are public."""
        stored = await self._arena.store.match(id)
        if stored is not None and stored.game == game.name and stored.state in ("open", "running"):
            raise RequestError(503, *RESTS)
        if stored is None or stored.game != game.name or not stored.is_over:
            raise RequestError(404, "no_such_table", "there is no such table or match")
        if await self._arena.store.hides_result(id):
            raise RequestError(404, "no_such_table", "the result is hidden until the league of the match is over")
        end = None if self._arena.ends is None else await self._arena.ends.of(id)
        if end is None:
            raise RequestError(404, "void", "the match could not be resumed, and is void")
        player.send(player.dialect.over(end.over, _NOTHING))
        await player.peer.close()

    async def _return_to_match(self, session: Session, playing: Table, token: str | None) -> None:
        player, game = session.player, playing.match.game
        await player.introduced(_hello(game, playing.match.header), self._hello_s)
        account = await self._known(session, _said(player, token))
        now = self._arena.playing.get(playing.id)  # the match may have ended or been resumed during the handshake
        if now is None:
            await self._tell_end(player, game, playing.id)
        else:
            self._attach(player, now, account)

    async def _return(self, session: Session, game: Game[Any], token: str) -> None:
        """Resume a seat over a protocol that has its own tokens and does not name matches."""
        arena, player, account = self._arena, session.player, await self._owner(session, token)
        player.dialect.token = token
        playing, table = arena.match_of(game, account.id), arena.table_of(game, account.id)
        if playing is not None and (table is None or playing.is_played_by(account.id)):
            self._attach(player, playing, account)
        elif table is not None:
            await self._wait_again(player, table, account)
        elif arena.has_failed_match(game, account.id):
            raise RequestError(503, *RESTS)
        elif (left := arena.unresumed_of(game, account.id)) is not None:
            raise left.trouble()
        else:
            raise RequestError(*NO_SEAT)

    async def _owner(self, session: Session, token: str) -> Account:
        """The account of a token that resumes a seat. A host has no other tokens."""
        try:
            return await self._known(session, token)
        except RequestError:
            if self._arena.only is None:
                raise
            raise RequestError(*NO_SEAT) from None

    async def _wait_again(self, player: RemotePlayer, table: Table, account: Account) -> None:
        """Return to a seat whose match has not begun. If it is freed meanwhile, take a free one under the same name."""
        name, is_guest = table.seats.name_of(account.id), account.password is None
        try:
            _, seat = await self._arena.sit(table.id, account.id, name, guest=is_guest)
        except RequestError as e:
            if e.code == "table_full":
                raise RequestError(*NO_SEAT) from None
            if (playing := self._arena.playing.get(table.id)) is None:
                raise
            self._attach(player, playing, account, otherwise=NO_SEAT)  # the match began in the meantime
            return
        table.connect(seat, player, guest=is_guest)
        await self._arena.begin_if_full(table)

    def _attach(
        self, player: RemotePlayer, playing: Table, account: Account, otherwise: tuple[int, str, str] = NOT_YOURS
    ) -> None:
        """Return a client to its seat in a match. `otherwise`: the error if it has none."""
        if (seat := playing.seats.seat_of(account.id)) is None:
            raise RequestError(*otherwise)
        tell("back", match=playing.id, seat=seat)
        playing.reconnect(seat, player)

    async def shown(self, account: Account, name: str) -> str:
        """The name to show: an account's own, or the one a guest chose, unless it looks like an account's."""
        if account.password is not None:
            return account.name
        return name if await self._door.is_free(name) else account.name


async def take_seat(
    arena: Arena, table: str, own: Token, wanted: Joining, holder: object = None, name: str | None = None
) -> Seated:
    """Take a seat for a client that connects later. `name`: how it is shown, if not by its account's name."""
    found, seat = await arena.sit(
        table,
        own.account.id,
        name or own.account.name,
        salt=wanted.salt,
        about=wanted.about,
        key=wanted.key,
        holder=holder,
        guest=own.account.password is None,
    )
    await arena.begin_if_full(found)
    return Seated(found.id, seat, found.commit)


def _said(player: RemotePlayer, token: str | None) -> str | None:
    """The token of the connection, or of the client's hello."""
    return token or player.dialect.said_token


def _hello(game: Game[Any], header: Header) -> Hello:
    """The greeting of a client that gets its seat in a running match."""
    return Hello(game.name, game.rules.version, header.commit, False, 0, header.match)


_NOTHING = Value()
"""Placeholder for a view that is not needed."""

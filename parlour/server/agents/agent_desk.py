"""Gives agents their seats, and finds them again.

A seat belongs to an account or a guest, not to a connection: the holder of the token plays on, also after a restart."""

import asyncio
import secrets
from functools import partial
from typing import Annotated, Any

from msgspec import Meta, Struct

from parlour import plugins
from parlour.core import Game, Sitting, Value
from parlour.core.generated_text import rules_text
from parlour.players.player_specs import MODEL
from parlour.protocol.errors import RequestError
from parlour.protocol.forms import Joining
from parlour.protocol.reports import tell_bug
from parlour.server.agents.agent_errors import ToolFailed
from parlour.server.agents.agent_reports import questions_text, waiting_words
from parlour.server.agents.agent_seat import WAY, AgentSeat, AgentSession
from parlour.server.api.app import failure_of
from parlour.server.api.lookups import NOT_YOURS, found_match, stored_transcript
from parlour.server.joining import take_seat
from parlour.server.net.addresses import counted_address
from parlour.server.ops.logs import tell_dropped
from parlour.server.venue import Premises
from parlour.store.store import Token
from parlour.tables.match_setup import terms_of
from parlour.tables.table import Table
from parlour.transports.limits import AGENT_IDLE_S, AGENTS_PER_ACCOUNT, AGENTS_PER_ADDRESS, MOST_AGENTS
from parlour.transports.rate_limits import IdleTimeout

SIT_S = 20.0
"""How long a call waits until the agent has its seat. If a host has no free seat, the agent stays in the queue."""
BAD_SEAT = ("bad_seat", "that is no seat; pass it on exactly as sit returned it")
LOST = ("lost", "parked", "closing", "store_failed")
"""Reasons for the end of a connection after which the agent may return at once."""


Word = Annotated[str, Meta(max_length=64)]
Seats = Annotated[int, Meta(ge=2, le=1000)]


class Caller(Struct, frozen=True):
    """The caller of a tool."""

    address: str = ""
    token: str | None = None
    account: int | None = None
    """The account of the token; None: the account is not known."""


class Wanted(Struct, frozen=True):
    """The seat that an agent wants."""

    game: Annotated[Word | None, Meta(description="The game, for a quick match.")] = None
    table: Annotated[Word | None, Meta(description="The id of a table, to sit there instead.")] = None
    key: Annotated[Word, Meta(description="The key of the table, if it is by invitation.")] = ""
    name: Annotated[Word | None, Meta(description="How guests want to be called.")] = None
    seats: Annotated[Seats | None, Meta(description="Only a quick match with this many seats.")] = None


class AgentDesk:
    """All seats of agents."""

    def __init__(self, premises: Premises) -> None:
        self._store = premises.store
        self._arena = premises.arena
        self._client_desk = premises.client_desk
        self._door = premises.doorkeeper
        self._tries = premises.tries
        self._guests = premises.guests
        self._metrics = premises.metrics
        self.sessions: dict[AgentSession, IdleTimeout] = {}
        """All sessions that count against the limits, oldest first, each with its idle timeout."""

    # Games

    def game(self, name: str) -> Game[Any]:
        """A game by its name or title; RequestError if there is none."""
        wanted = name.strip().casefold()
        for game in self.games():
            if wanted in (game.name.casefold(), game.title.casefold()):
                return game
        known = ", ".join(game.name for game in self.games())
        raise RequestError(404, "no_such_game", f"there is no game of that name. There is: {known}")

    def games(self) -> list[Game[Any]]:
        """The games that are played here."""
        return [game for game in plugins.games() if self._arena.only in (None, game.name)]

    async def rules(self, name: str, table: str | None) -> str:
        """The rules of a game, with the house rules of a table or the usual ones."""
        game = self.game(name)
        options = None if table is None else await self._options(game, table)
        asked = f"\n{questions_text(game.rules.questions)}\n" if game.rules.questions else ""
        return rules_text(game, options) + asked

    async def _options(self, game: Game[Any], id: str) -> Any:
        if (playing := self._arena.playing.get(id)) is not None and playing.game is game:
            return playing.match.options
        table = self._arena.open.get(id)
        if table is None or table.game is not game:
            raise RequestError(404, "no_such_table", f"there is no such table of {game.title}")
        return terms_of(game, table.terms).options

    async def transcript(self, id: str) -> str:
        """The transcript of a match that is over. Its players are told the end before it is stored."""
        if (playing := self._arena.playing.get(id)) is not None and playing.match.end is not None:
            await playing.ended.wait()
        return "".join(line.decode() + "\n" for line in await stored_transcript(self._store, id))

    # Callers

    async def caller(self, address: str, token: str | None) -> Caller:
        """The caller with this token. Wrong tokens are counted, by address."""
        if token is None:
            return Caller(address)
        return Caller(address, token, (await self._known(address, token)).account.id)

    async def guest(self, address: str, name: str | None = None) -> Caller:
        """A new guest."""
        self._guests.count(counted_address(address))
        token, known = await self._door.guest(name)
        return Caller(address, token, known.account.id)

    async def _known(self, address: str, token: str) -> Token:
        return await self._client_desk.known(token, counted_address(address))

    # Seats

    async def sit(self, caller: Caller, wanted: Wanted) -> AgentSession:
        """Take a seat: at a table, or at the next one of a game."""
        game = await self._wanted_game(wanted)
        self._check_room(caller)
        is_new = caller.token is None
        if is_new:
            caller = await self.guest(caller.address, wanted.name)
        assert caller.token is not None and caller.account is not None
        self._tries.count(f"join {caller.account}")
        if wanted.table is not None and wanted.key:
            known = await self._known(caller.address, caller.token)
            name = await self._client_desk.shown(known.account, wanted.name or known.account.name)
            await take_seat(self._arena, wanted.table, known, Joining(_salt(), wanted.key, MODEL), name=name)
        seat = AgentSeat(game, caller.account, caller.token)
        session = await self._enter(caller, seat, wanted.table, wanted.name, wanted.seats)
        seat.handle = f"{game.name}/{seat.table}" + (f"/{seat.token}" if is_new else "")
        return session

    async def _wanted_game(self, wanted: Wanted) -> Game[Any]:
        """The game that is named, or that is played at the table."""
        if wanted.game is not None:
            return self.game(wanted.game)
        if wanted.table is None:
            known = ", ".join(game.name for game in self.games())
            raise ToolFailed("which_game", f"say which game to play, or at which table. The games: {known}")
        table = self._arena.open.get(wanted.table) or self._arena.playing.get(wanted.table)
        return self.game(table.game.name if table is not None else (await found_match(self._store, wanted.table)).game)

    async def again(self, caller: Caller, handle: str) -> AgentSession:
        """Take a seat again, also if another connection has it now."""
        return await self._return(*await self._read(caller, handle), handle)

    async def find(self, caller: Caller, handle: str | None) -> AgentSession:
        """The seat of this name, or the only one that the caller has; it is connected again if it is not."""
        if handle is None or not handle.strip():
            handle = await self._only(caller)
        caller, game, table = await self._read(caller, handle)
        for session in reversed(self.sessions):
            seat = session.seat
            if (seat.account, seat.table) == (caller.account, table) and not _is_lost(seat):
                return session
        return await self._return(caller, game, table, handle)

    async def _read(self, caller: Caller, handle: str) -> tuple[Caller, Game[Any], str]:
        """The owner, the game and the table of a seat that is written as `GAME/TABLE` or `GAME/TABLE/TOKEN`."""
        match handle.strip().split("/"):
            case [name, table, token] if table and token:
                caller = await self.caller(caller.address, token)
            case [name, table] if table:
                pass
            case _:
                raise ToolFailed(*BAD_SEAT)
        if caller.account is None:
            raise ToolFailed(*BAD_SEAT)
        return caller, self.game(name), table

    async def _only(self, caller: Caller) -> str:
        """The only seat of the caller at a table or in a match that is not over."""
        if caller.account is None:
            raise ToolFailed(*BAD_SEAT)
        tables = [*self._arena.open.values(), *self._arena.playing.values()]
        owned = [table for table in tables if table.seats.seat_of(caller.account) is not None]
        if not owned:
            owned_by = (each.seat for each in reversed(self.sessions))
            last = next((seat.handle for seat in owned_by if seat.account == caller.account and seat.handle), None)
            if last is None:
                raise ToolFailed("no_such_seat", "you have no seat; call sit")
            return last
        handles = [f"{table.game.name}/{table.id}" for table in owned]
        if len(handles) > 1:
            raise ToolFailed("which_seat", f"you have several seats; say which one: {', '.join(handles)}")
        return handles[0]

    async def _return(self, caller: Caller, game: Game[Any], table: str, handle: str) -> AgentSession:
        """Connect again to a seat that the caller has."""
        assert caller.token is not None and caller.account is not None
        waiting = self._arena.open.get(table)
        if waiting is not None and waiting.seats.seat_of(caller.account) is None:
            raise RequestError(*NOT_YOURS)
        self._check_room(caller)
        seat = AgentSeat(game, caller.account, caller.token)
        seat.table, seat.handle = table, handle.strip()
        return await self._enter(caller, seat, table)

    async def _enter(
        self, caller: Caller, seat: AgentSeat, table: str | None, name: str | None = None, seats: int | None = None
    ) -> AgentSession:
        """Connect a seat as any other client is connected; RequestError if that is refused."""
        own = name or (await self._known(caller.address, seat.token)).account.name
        sitting = Sitting(own, _salt(), MODEL)
        dropped = partial(tell_dropped, self._metrics)
        session = AgentSession(seat, sitting, counted_address(caller.address), dropped)
        self._begin(session)
        entered = asyncio.Event()
        self._arena.run(self._welcome(session, table, seats, entered))
        with seat.in_use():
            try:
                async with asyncio.timeout(SIT_S):
                    await entered.wait()
            except TimeoutError:
                if not seat.table:
                    session.agent.drop("dead")
                    raise RequestError(409, "table_full", "all seats are taken; try again later") from None
        if seat.closed is not None and seat.over is None:
            self._forget(session)
            raise ToolFailed(seat.closed.code, seat.closed.words)
        if seat.over is not None and seat.place is None:
            stored = await found_match(self._store, seat.table)
            seat.known_names = [each.name or "" for each in stored.seats]
            mine = stored.seat_of(seat.account)
            seat.known_number = None if mine is None else mine.seat
        playing = self._arena.playing.get(seat.table)
        seat.has_left = playing is not None and seat.place is not None and seat.place.seat in playing.match.gone
        return session

    async def _welcome(
        self, session: AgentSession, table: str | None, seats: int | None, entered: asyncio.Event
    ) -> None:
        """Have an agent welcomed as any other client is. The event is set when it has a seat or was refused."""
        try:
            where = table or await self._reserved(session, seats)
            await self._client_desk.welcome(
                session, session.seat.game, session.dialect, where, session.seat.token, seats
            )
        except RequestError as e:
            await session.refuse(e.code, e.words)
        except Exception as e:
            tell_bug("tool", e, tool="sit")
            await session.refuse(*failure_of(e))
        finally:
            entered.set()

    async def _reserved(self, session: AgentSession, seats: int | None) -> str | None:
        """A quick table with a seat that is reserved for the agent, also of a game that is usually played in rooms,
        where agents would be too slow. None: the host knows which."""
        if self._arena.only is not None:
            return None
        player = session.speak(session.dialect)
        return (await self._arena.quick(session.seat.game.name, player, seats)).id

    def _begin(self, session: AgentSession) -> None:
        """Count a session, and disconnect it when it is idle."""
        gauge, seat = self._metrics.connections.labels(WAY), session.seat
        gauge.inc()
        seat.is_open = lambda n: self._is_open(seat, n)

        def lost() -> None:
            gauge.dec()
            if seat.over is None:
                seat.ended("lost", "the connection was closed")

        session.agent.on_lost = lost
        self.sessions[session] = IdleTimeout(AGENT_IDLE_S, partial(self._idle, session))

    def _is_open(self, seat: AgentSeat, n: int) -> bool:
        playing = self._arena.playing.get(seat.table)
        if playing is None or seat.place is None:
            return True
        open = playing.match.open.get(seat.place.seat)
        return open is not None and open.n == n

    def used(self, session: AgentSession) -> None:
        """Restart the idle timeout, because a tool was called."""
        if (quiet := self.sessions.get(session)) is not None:
            quiet.since = asyncio.get_running_loop().time()

    def _idle(self, session: AgentSession) -> None:
        if session.seat.calls:
            self.sessions[session] = IdleTimeout(AGENT_IDLE_S, partial(self._idle, session))
            return
        self._forget(session)
        session.agent.drop("dead")

    def _forget(self, session: AgentSession) -> None:
        if (quiet := self.sessions.pop(session, None)) is not None:
            quiet.cancel()

    def _check_room(self, caller: Caller) -> None:
        """RequestError if there are too many agents. Those whose match is over make room."""
        live = [session for session in self.sessions if session.is_here]
        address = counted_address(caller.address)
        if sum(each.seat.account == caller.account for each in live) >= AGENTS_PER_ACCOUNT:
            raise RequestError(429, "too_many", f"you have {AGENTS_PER_ACCOUNT} seats; leave one first")
        if sum(each.address == address for each in live) >= AGENTS_PER_ADDRESS:
            raise RequestError(429, "too_many", "there are too many agents at your address")
        if len(live) >= MOST_AGENTS:
            raise RequestError(503, "too_many", "there are too many agents; try again later")
        over = [each for each in self.sessions if not each.is_here and not each.seat.calls]
        for each in over[: max(0, len(self.sessions) - MOST_AGENTS)]:
            self._forget(each)

    def left(self, session: AgentSession) -> None:
        """Disconnect an agent that has left for good."""
        self._forget(session)
        asyncio.get_running_loop().call_soon(session.agent.hang_up)

    def close(self) -> None:
        """Cancel all timers."""
        for session in [*self.sessions]:
            self._forget(session)

    # Positions

    async def view(self, seat: AgentSeat) -> Value | None:
        """The position as the seat may see it now; None if no match is running."""
        playing = self._arena.playing.get(seat.table)
        if playing is None or seat.place is None or not await playing.settled():
            return None
        return playing.match.state.view(seat.place.seat)

    def waiting(self, seat: AgentSeat) -> str:
        """Describe the table, if its match has not begun."""
        table: Table | None = self._arena.open.get(seat.table)
        if table is None:
            return ""
        names = [chair.name for chair in table.chairs if chair.name is not None]
        left_s = table.due_at - asyncio.get_running_loop().time()
        return waiting_words(names, len(table.chairs) - len(names), left_s)


def _is_lost(seat: AgentSeat) -> bool:
    """Whether only the connection was lost, so that the agent may simply go on."""
    return seat.over is None and seat.closed is not None and seat.closed.code in LOST


def _salt() -> str:
    return secrets.token_hex(16)

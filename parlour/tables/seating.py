"""Seating policies decide which table a client gets if it names none, and when the match of a table begins."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec import Struct

from parlour.core import Game, Seat, Seating, Sitting
from parlour.players.player_specs import MODEL, ModelSpec, Spec
from parlour.players.remote import RemotePlayer
from parlour.players.starter import Started, Starter
from parlour.players.terms import Terms
from parlour.protocol.errors import RequestError
from parlour.protocol.forms import Plan, TableTerms
from parlour.referee.log import Log
from parlour.referee.match import Out
from parlour.tables.match_setup import terms_of
from parlour.tables.seat_keeper import Chair
from parlour.tables.table import Origin, Table

if TYPE_CHECKING:  # the arena imports this module
    from parlour.tables.arena import Arena

T = TypeVar("T", bound=Table)

MOST_QUICK = 8
"""Upper limit on the seats of a quick table."""
LATE_S = 5.0
"""How long a match of a league waits for a player that was absent when its last match began."""
HELD_S = 1.0
"""How much longer a table waits for a client that is introducing itself; also the pause between retries."""


class SeatedPlayers(Struct, frozen=True):
    """The players of a match that is about to begin, by seat."""

    terms: Terms
    sittings: Sequence[Sitting]
    own: Sequence[Spec | Started | None]
    """Bots and commands; some may have been started."""
    starter: Starter


class SeatingPolicy(ABC, Generic[T]):
    """Seats the clients of one game. Derived classes override what they need."""

    seats_again = True
    """Whether clients that stay after a match are seated at the next table."""

    def __init__(self, arena: "Arena") -> None:
        self._arena = arena

    @abstractmethod
    async def place(self, holder: object = None, seats: int | None = None, *, again: bool = False) -> Table:
        """A table with a seat that is reserved for the holder; with that many seats, if given. `again`: the holder has
        stayed after a match, and is first in the queue."""

    @abstractmethod
    async def due(self, table: T) -> None:
        """Begin or drop a table whose waiting time is over. Its lock is held."""

    async def prepare(self, table: T) -> None:
        """Store what is to be known about a match that is about to begin. The lock of its table is held."""
        return

    async def players(self, table: T) -> SeatedPlayers:
        """The players of a table whose match is to begin; CannotPlay if one of them cannot be started."""
        terms, dealer = self._arena.equipped(table, terms_of(table.game, table.terms)), self._arena.dealer
        own = [dealer.spec_or_nobody(table.game, chair.plan) for chair in table.chairs]
        sittings = [
            Sitting(chair.name or "", chair.salt, MODEL if isinstance(spec, ModelSpec) else chair.about)
            for chair, spec in zip(table.chairs, own, strict=True)
        ]
        return SeatedPlayers(terms, sittings, own, Starter(terms, table.seed))

    async def _with_room(self, tables: Iterable[T]) -> T | None:
        """The first of these tables that has a seat for anybody."""
        for table in tables:
            async with table.lock:
                if table.id in self._arena.open:  # its match may have begun meanwhile
                    await self._arena.sweep(table)
                    if any(chair.is_open_to_all for chair in table.chairs):
                        return table
        return None

    async def free(self, table: T, seat: Seat) -> None:
        """Free a seat of an open table."""
        await self._arena.store.stand_up(table.id, seat)
        table.chairs[seat] = table.chairs[seat].freed()
        table.seats.changed()

    def is_ready(self, table: T) -> bool:
        """Whether the match of a table can begin."""
        return table.is_ready()

    def log(self, table: T, stored: Log) -> Log:
        """The log of its match, which writes to the stored one."""
        return stored

    # What happens to its tables and matches

    def reopened(self, table: T, left_s: float) -> float:
        """A table is open again after a restart. Returns how long it waits; `left_s` is left of its waiting time."""
        return left_s

    def sat(self, table: T, seat: Seat) -> None:
        """A client has taken a seat."""
        return

    def connected(self, table: T, player: RemotePlayer) -> None:
        """A client is connected to its seat before the match."""
        player.on_resigned(lambda: self._arena.run(self._arena.resign(table, player)))

    def begun(self, table: T, out: Out) -> None:
        """A match begins; `out` is its first output, whose lines are not stored yet."""
        return

    def over(self, table: T) -> None:
        """A match has ended, and clients that stay for the next one wait for it."""
        return

    def failed(self, error: Exception, table: T) -> bool:
        """Handle a match that could not begin or go on. Whether to give it up; otherwise it is resumed."""
        return False


class QuickTables(SeatingPolicy[Table]):
    """Quick tables, which fill up with players that look for any match. When the waiting time is over, bots take the
    free seats."""

    def __init__(self, arena: "Arena", game: Game[Any]) -> None:
        super().__init__(arena)
        self._game = game
        self._finding = asyncio.Lock()

    async def place(self, holder: object = None, seats: int | None = None, *, again: bool = False) -> Table:
        """Find or open a quick table, and reserve a seat for the holder, if there is one."""
        arena = self._arena
        async with self._finding:  # so that two simultaneous clients share a table
            table = await self._with_room(table for table in [*arena.open.values()] if self._fits(table, seats))
            if table is None or table.is_due:  # its time may have ended while its lock was waited for
                plans = [Plan("open")] * (seats or self.usual_seats(self._game))
                terms = TableTerms(quick=True, wait_s=arena.quick_s)
                table = arena.new_table(self._game.name, plans, terms, Origin(is_rated=True))
                arena.keep_open(table, arena.quick_s)
            next(chair for chair in table.chairs if chair.is_open_to_all).held_for = holder
            if table.due_at > asyncio.get_running_loop().time() + arena.quick_s:  # its host chose a longer wait
                arena.keep_open(table, arena.quick_s)
            return table

    def _fits(self, table: Table, seats: int | None) -> bool:
        is_quick = table.terms.quick and not table.is_due
        if table.game is not self._game or not is_quick or seats not in (None, len(table.chairs)):
            return False
        # the lock of a full table may be held for seconds, while its match begins, even if a guest has just left
        will_be_free = not table.lock.locked() and any(chair.is_left for chair in table.chairs)
        return will_be_free or any(chair.is_open_to_all for chair in table.chairs)

    def reopened(self, table: Table, left_s: float) -> float:
        """A table is open again after a restart. A quick table with players waits no longer for others than before."""
        has_players = table.terms.quick and table.seats.people()
        return min(left_s, self._arena.quick_s) if has_players else left_s

    async def due(self, table: Table) -> None:
        """Begin with the players present if they are enough; otherwise drop the table. It waits a little longer for a
        client that is about to connect."""
        arena, now = self._arena, asyncio.get_running_loop().time()
        if not table.is_due:
            table.is_due, table.latest = True, now + arena.connect_s
        if any(
            chair.held_for is not None or chair.is_expected(now, arena.connect_s, table.latest)
            for chair in table.chairs
        ):
            arena.keep_open(table, HELD_S)
            return
        await arena.sweep(table, awaited=True)
        if table.seats.people() and table.terms.quick:
            self.fill(table)
        here = [chair for chair in table.chairs if chair.taken]
        waits_for_all = any(chair.plan.kind == "invited" for chair in table.chairs) and len(here) < len(table.chairs)
        if table.seats.people() and len(here) in table.game.table_seats() and not waits_for_all:
            table.chairs[:] = here
            await arena.begin(table)
        else:
            await arena.abandon(table, "the others did not come in time")

    @staticmethod
    def usual_seats(game: Game[Any]) -> int:
        """The seats of a new table: the fewest that can play."""
        return max(2, game.table_seats()[0])

    @staticmethod
    def fill(table: Table) -> None:
        """Fill the free seats with bots."""
        table.chairs[:] = [chair if chair.taken else _bot(table.game) for chair in table.chairs]


class QuickSignUp(QuickTables):
    """Quick tables of games that any number can play: many seats, and only as many bots as the match needs."""

    @staticmethod
    def usual_seats(game: Game[Any]) -> int:
        """The seats of a new table: the most that can play."""
        return min(game.table_seats()[-1], MOST_QUICK)

    @staticmethod
    def fill(table: Table) -> None:
        """Remove the free seats, and add as many bots as the match needs; nobody plays alone."""
        table.chairs[:] = [chair for chair in table.chairs if chair.taken]
        few = max(2, table.game.table_seats()[0])
        table.chairs += [_bot(table.game) for _ in range(few - len(table.chairs))]


class ArrangedTables(SeatingPolicy[Table]):
    """Tables of leagues. Their seats are assigned when they are created, and none becomes free. The match begins when
    all clients are connected, or without those that are absent when the waiting time is over."""

    seats_again = False

    def __init__(self, arena: "Arena") -> None:
        super().__init__(arena)
        self.changed: Callable[[], None] = lambda: None
        """Called when a match has begun, was given up, or is over."""
        self._late: set[tuple[str | None, str | None]] = set()
        """League and name of players that were absent when their last match began."""

    async def place(self, holder: object = None, seats: int | None = None, *, again: bool = False) -> Table:
        """Nobody is sent to one of these tables."""
        raise RequestError(404, "no_such_table", "a table of a league is for its players only")

    def expect(self, table: Table) -> None:
        """A table was opened. Players that were absent the last time are waited for only a moment."""
        now = asyncio.get_running_loop().time()
        for chair in table.chairs:
            chair.taken_at = now
            chair.is_late = bool(chair.owners) and (table.origin.league, chair.name) in self._late
            chair.must_connect = bool(chair.owners) and not chair.is_late
        if any(chair.is_late for chair in table.chairs):
            self._arena.run(self._begin_soon(table))

    def reopened(self, table: Table, left_s: float) -> float:
        """Its players have to connect again, and have the whole waiting time for that."""
        for chair in table.chairs:
            chair.must_connect = bool(chair.owners)
        return table.terms.wait_s

    async def free(self, table: Table, seat: Seat) -> None:
        """Disconnect a seat. It stays its owner's, who may connect again."""
        table.chairs[seat].occupant = None

    async def _begin_soon(self, table: Table) -> None:
        await asyncio.sleep(LATE_S)
        await self._arena.begin_if_full(table)

    def is_ready(self, table: Table) -> bool:
        """Whether the match of a table can begin."""
        now = asyncio.get_running_loop().time()
        late = (chair for chair in table.chairs if chair.is_late and not chair.is_connected)
        if any(now < chair.taken_at + LATE_S for chair in late) or not table.is_ready():
            return False
        return len(_absent(table)) < len(table.chairs)

    async def prepare(self, table: Table) -> None:
        """Store which players are absent at the beginning. They have left the match."""
        absent = _absent(table)
        await self._arena.store.note_absent(table.id, absent)
        for seat, chair in enumerate(table.chairs):
            chair.is_hopeless = seat in absent
            (self._late.add if seat in absent else self._late.discard)((table.origin.league, chair.name))

    async def due(self, table: Table) -> None:
        """Begin without absent players; if nobody came, drop the table."""
        if len(_absent(table)) < len(table.chairs):
            await self._arena.begin(table)
            return
        await self.prepare(table)
        await self._arena.abandon(table, "nobody came in time")
        self.changed()

    def begun(self, table: Table, out: Out) -> None:
        """A match begins."""
        self.changed()

    def over(self, table: Table) -> None:
        """A match has ended."""
        self.changed()


def _absent(table: Table) -> list[Seat]:
    """The seats for clients of which none is connected."""
    return [
        seat
        for seat, chair in enumerate(table.chairs)
        if chair.plan.kind not in ("bot", "command") and not chair.is_connected
    ]


QUICK: dict[Seating, type[QuickTables]] = {"fixed": QuickTables, "sign_up": QuickSignUp, "open": QuickSignUp}
"""The quick tables of a game, by its `hosting.seating`."""


def house_bot(game: Game[Any]) -> Plan:
    """The bot that fills free seats."""
    return Plan("bot", game.hosting.house_bot)


def _bot(game: Game[Any]) -> Chair:
    plan = house_bot(game)
    return Chair(plan, name=plan.spec)

"""The tables of a host, one after the other, with the players, options and seeds of the host."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from parlour.core import BadOptions, Dice, Seat, Seating, Sitting
from parlour.players.play import Begun, Played
from parlour.players.player_specs import LocalSpec, Spec
from parlour.players.remote import NotIntroduced, RemotePlayer
from parlour.players.starter import Starter
from parlour.players.terms import CannotPlay, Terms
from parlour.protocol.errors import RequestError
from parlour.protocol.forms import Plan, TableTerms
from parlour.referee.driver import Watch
from parlour.referee.log import ImmediateLog, Log, done
from parlour.referee.match import Match, Out
from parlour.referee.player import place_of
from parlour.tables.seat_keeper import Chair
from parlour.tables.seating import SeatedPlayers, SeatingPolicy
from parlour.tables.table import Table
from parlour.transports.limits import MOST_QUEUED, PRESSED_S, RETURN_S, SIGN_UP_HELLO_S

if TYPE_CHECKING:  # slow to import
    from parlour.tables.arena import Arena

LOOK_S = 10.0
"""How often a table looks for guests that took a seat over HTTP and did not connect."""


class NextMatch(Struct, frozen=True):
    """The seed, the log and the observer of the next match."""

    seed: bytes
    log: ImmediateLog | None = None
    """Records the match, in addition to the store."""
    watch: Watch | None = None


NewMatch: TypeAlias = Callable[[], NextMatch]


class Waits(Struct, frozen=True, kw_only=True):
    """Time limits of a sign-up."""

    period_s: float = 20.0
    """The sign-up period; it is repeated once if there are too few players."""
    name_s: float = SIGN_UP_HELLO_S
    """Time for a client to introduce itself."""
    cap_s: float = 3600.0
    """Maximum duration of a match; then it is stopped and scored."""
    patient: bool = True
    """Whether to keep waiting for players whose protocol cannot express that a match does not begin."""


class HousePlan(Struct, frozen=True, kw_only=True):
    """How a host plays its game."""

    terms: Terms
    fewest: int
    """How many players a match needs."""
    most: int
    """How many seats a table has. A prepared position may have fewer than a match needs."""
    dialect: str | None = None
    """The dialect of its clients over WebSocket; None: the game's default."""
    specs: Sequence[Spec] = ()
    """The players of the host."""
    settings: Mapping[str, Any] = {}
    """For a game that is played in its venue: the options of the game and of the venue."""
    admin_password: str | None = None
    """The password with which clients administer the venue; None: no client can."""
    is_once: bool = False
    """Whether there is only one match."""
    new_match: NewMatch
    waits: Waits = Waits()
    return_s: float = RETURN_S
    """How long a disconnected client may resume its seat, if its protocol supports that."""
    joined: Callable[[str, int], None] = lambda name, missing: None
    """Called with the name of each client that takes a seat, and the number of seats still open."""
    ended: Callable[[Played], None] = lambda played: None
    """Called with every match that has ended."""
    failed: Callable[[Exception | None], None] = lambda error: None
    """Called if a match could not begin, or was given up; None: too few players signed up."""


class RecordedLog:
    """Writes to the log of the host first, then to the store."""

    def __init__(self, own: ImmediateLog, stored: Log) -> None:
        self._own = own
        self._stored = stored

    def write(self, lines: Sequence[bytes]) -> Awaitable[None] | None:
        self._own.write(lines)
        return self._stored.write(lines)

    async def end(self, match: Match[Any]) -> None:
        if not match.revealed:
            await done(self.write([match.reveal()]))
        self._own.end(match)
        await done(self._stored.end(match))


class HouseTable(Table):
    """A table of a host."""

    def __init__(self, plan: HousePlan, chairs: list[Chair]) -> None:
        self.next = plan.new_match()
        super().__init__(plan.terms.game, _table_terms(plan.terms), self.next.seed, chairs, plan.return_s)
        self.salted = plan.terms.salted
        self.own: Starter | None = None
        """Has the host's own players, if they have been started before the match."""


class HouseSeats(SeatingPolicy[HouseTable]):
    """Tables with fixed seats. The clients get the first seats, the host's own players the rest.

    A seat is reserved while a client introduces itself, because some protocols tell it the seat before. If all seats
    are taken or reserved, clients wait in order until one is free or the next table opens."""

    def __init__(self, arena: "Arena", plan: HousePlan) -> None:
        super().__init__(arena)
        self.plan = plan
        self._line: list[Ticket] = []
        """Clients that wait for a seat, in order."""
        self._changed = asyncio.Event()
        self._has_opened = False
        """Whether there has been a table."""

    def start(self) -> None:
        """Open for players; called once, when the arena has started."""

    async def close(self) -> None:
        """Stop the host's own players; called when the arena has stopped."""

    # Seats

    async def place(self, holder: object = None, seats: int | None = None, *, again: bool = False) -> Table:
        """Wait for a free seat. Clients that hold one without introducing themselves get less time."""
        if seats not in (None, self.plan.most):
            raise RequestError(400, "bad_seats", f"the tables of this host have {self.plan.most} seats")
        ticket = self._queue(Ticket(holder, again))
        try:
            changed = self._changed
            while (table := await self._free_table() if self._line[0] is ticket else None) is None:
                self._hurry()
                await self._check_waiting(ticket)
                await changed.wait()
                changed = self._changed
            next(chair for chair in table.chairs if chair.is_open_to_all).held_for = holder
        finally:
            self._line.remove(ticket)
            self.changed()
        if self._line and isinstance(holder, RemotePlayer):
            holder.hurry(PRESSED_S)
        return table

    def _queue(self, ticket: "Ticket") -> "Ticket":
        self._line.insert(sum(other.again for other in self._line) if ticket.again else len(self._line), ticket)
        return ticket

    async def _check_waiting(self, ticket: "Ticket") -> None:
        """Check whether a client may wait for a seat; RequestError if not."""

    def _own_tables(self) -> list[HouseTable]:
        return [table for table in self._arena.open.values() if isinstance(table, HouseTable)]

    async def _free_table(self) -> HouseTable | None:
        """A table with a free seat, which may be new; None if clients have to wait for one."""
        tables = self._own_tables()
        waiting = [table for table in tables if not table.seats.is_full()]
        if waiting:
            return await self._with_room(waiting)
        if self.plan.is_once and tables:  # a seat may become free until the match begins
            return None
        if self.plan.is_once and self._has_opened:
            raise RequestError(409, "late", "this host plays only one match")
        self._has_opened = True
        return self._opened(HouseTable(self.plan, self._chairs()), LOOK_S)

    def _chairs(self) -> list[Chair]:
        clients = self.plan.most - len(self.plan.specs)
        return [*(Chair(Plan("open")) for _ in range(clients)), *map(_own_chair, self.plan.specs)]

    def _opened(self, table: HouseTable, wait_s: float) -> HouseTable:
        table.policy, table.seats.changed = self, self.changed
        self._arena.keep_open(table, wait_s)
        return table

    def _hurry(self) -> None:
        for chair in (chair for table in self._own_tables() for chair in table.chairs):
            if isinstance(chair.held_for, RemotePlayer):
                chair.held_for.hurry(PRESSED_S)

    def changed(self) -> None:
        """Wake all clients in the queue, because a seat may be free."""
        self._changed.set()
        self._changed = asyncio.Event()

    # Matches

    def sat(self, table: HouseTable, seat: Seat) -> None:
        missing = sum(not chair.taken for chair in table.chairs)
        self.plan.joined(table.chairs[seat].name or "", missing)
        if not missing:  # its match may have to wait, but the next table can be opened
            self.changed()

    async def due(self, table: HouseTable) -> None:
        """Free the seats of guests that took them over HTTP and did not connect."""
        long_ago = asyncio.get_running_loop().time() - self._arena.connect_s
        if any(chair.is_missed and chair.taken_at < long_ago for chair in table.chairs):
            await self._arena.sweep(table, awaited=True)
        self._arena.keep_open(table, LOOK_S)

    async def players(self, table: HouseTable) -> SeatedPlayers:
        """Start the host's own players. Meanwhile the next table can be opened, because this one is full."""
        self.changed()
        starter, table.own = table.own or await self._started(table), None
        sittings = [starter.sittings.get(seat) or self._sitting(chair) for seat, chair in enumerate(table.chairs)]
        own = [starter.players.get(seat) for seat in range(len(table.chairs))]
        return SeatedPlayers(self.plan.terms, sittings, own, starter)

    def _sitting(self, chair: Chair) -> Sitting:
        return Sitting(chair.name or "", chair.salt if self.plan.terms.salted else "", chair.about)

    async def _started(self, table: HouseTable) -> Starter:
        """Start the host's own players at their seats; CannotPlay if one of them cannot be started."""
        starter = Starter(replace(self.plan.terms, dropped=self._arena.dropped), table.seed)
        seats = [seat for seat, chair in enumerate(table.chairs) if chair.plan.kind != "open"]
        try:
            await starter.come_all(dict(zip(seats, self.plan.specs, strict=True)))
        except BaseException:
            await starter.close()
            raise
        for seat, sitting in starter.sittings.items():
            table.chairs[seat].name = sitting.name
        return starter

    def log(self, table: HouseTable, stored: Log) -> Log:
        return stored if table.next.log is None else RecordedLog(table.next.log, stored)

    def begun(self, table: HouseTable, out: Out) -> None:
        """Tell observers the whole match."""
        if table.next.watch is not None:
            table.observe = _from_the_first_line(table.next.watch, out.lines)

    def over(self, table: HouseTable) -> None:
        assert table.match.end is not None
        self.plan.ended(Played(table.match, table.match.end, {}, {**table.endings}))

    def failed(self, error: Exception, table: HouseTable) -> bool:
        self.plan.failed(error)
        return True


class HouseSignUp(HouseSeats):
    """Sign-up periods. A match begins when all places are taken, or at the end of a period if there are enough players.

    The host's own players sign up first. While a match is played, clients can only wait for the next sign-up, if their
    protocol allows that."""

    def __init__(self, arena: "Arena", plan: HousePlan) -> None:
        super().__init__(arena, replace(plan, most=_places(plan)))
        self._is_busy = False
        """Whether nobody can sign up, because a match is played or cannot begin."""
        self._periods = 0
        self._alarm: asyncio.TimerHandle | None = None
        """Stops a match that takes too long."""

    def start(self) -> None:
        self._arena.run(self._open_next())

    async def close(self) -> None:
        for table in self._own_tables():
            await self._dismiss(table)

    async def _dismiss(self, table: HouseTable) -> None:
        """Stop the host's own players of a table that has no match."""
        if table.own is not None:
            await table.own.close()
            table.own = None

    async def _open_next(self) -> None:
        """Start the host's own players, and let clients sign up."""
        if not self.plan.most:  # a prepared position without places
            self.plan.failed(None)
            return
        table = HouseTable(self.plan, self._chairs())
        while table.own is None:
            try:
                self._check_places()
                table.own = await self._started(table)
            except Exception as e:
                self._is_busy = True
                self.changed()
                self.plan.failed(e)
                await asyncio.sleep(self.plan.waits.period_s)  # do not retry in a tight loop
        self._is_busy, self._periods = False, 0
        self._opened(table, self.plan.waits.period_s)
        self.changed()
        await self._arena.begin_if_full(table)  # the host's own players may be enough

    def _check_places(self) -> None:
        for spec in self.plan.specs[self.plan.most :]:
            raise CannotPlay(f"there is no seat for {spec.name}")

    def _chairs(self) -> list[Chair]:
        clients = self.plan.most - len(self.plan.specs)
        return [*map(_own_chair, self.plan.specs), *(Chair(Plan("open")) for _ in range(clients))]

    async def _free_table(self) -> HouseTable | None:
        return await self._with_room(self._own_tables())

    async def _check_waiting(self, ticket: "Ticket") -> None:
        """A late client is told so once, and waits, if its protocol allows that and the queue is not full."""
        client = ticket.client
        if ticket.is_gone:
            raise NotIntroduced("dead", "was gone before it signed up")
        tables = self._own_tables()
        is_late = (self._is_busy and not ticket.again) or (tables and all(table.seats.is_full() for table in tables))
        if not is_late or ticket.is_told:
            return
        waiting = [other for other in self._line if other is not ticket and not other.is_gone]
        if len(waiting) < len(self._line) - 1:
            self.changed()  # those that are gone leave the queue
        if client is None or not client.dialect.queues_for_next_match or len(waiting) >= MOST_QUEUED:
            if client is not None and client.dialect.introduces and not client.dialect.can_reconnect:
                # such a client reads no error before it has introduced itself
                await client.introduced(self.plan.terms.hello(b"", 0), self.plan.waits.name_s)
            raise RequestError(409, "late", "nobody can sign up now; try again after the match")
        ticket.is_told = True
        client.wait()
        client.send(client.dialect.late())

    def connected(self, table: HouseTable, player: RemotePlayer) -> None:
        """Disconnect a client that sends anything else before the match, unless its protocol allows that."""
        super().connected(table, player)
        if player.dialect.can_reconnect:
            return
        if player.talked:
            player.peer.drop("talks")
            return
        player.wait()
        if not player.dialect.introduces and self.plan.terms.start is None:
            self._register(table, player)

    def _register(self, table: HouseTable, player: RemotePlayer) -> None:
        """Tell a client its place as soon as it has signed up. Only its id and its own goal are known by then, and they
        do not depend on those who sign up later."""
        names = [chair.name or "" for chair in table.chairs if chair.taken]
        seat, missing = len(names) - 1, max(0, self.plan.fewest - len(names))
        sittings = [Sitting(name) for name in (*names, *["anybody"] * missing)]
        match = Begun(self.plan.terms, table.seed, sittings, None, 0.0).match
        player.send(player.dialect.began(place_of(match, seat), match.state.view(seat)))

    def is_ready(self, table: HouseTable) -> bool:
        return super().is_ready(table) and len(table.chairs) >= self.plan.fewest

    async def due(self, table: HouseTable) -> None:
        """End a period: begin if there are enough players; otherwise repeat the period once, and then give up."""
        waits, self._periods, self._is_busy = self.plan.waits, self._periods + 1, False
        await self._arena.sweep(table, awaited=True)
        here = [chair for chair in table.chairs if chair.taken]
        stay = any(chair.player is not None and chair.player.dialect.queues_for_next_match for chair in here)
        if len(here) >= self.plan.fewest:
            await self._arena.begin(table)
        elif self._periods < 2 or (waits.patient and stay):
            self._arena.keep_open(table, table.due_at + waits.period_s - asyncio.get_running_loop().time())
        else:
            await self._dismiss(table)
            await self._arena.abandon(table, "too few players signed up")
            self.plan.failed(None)
            self._open_again()

    async def players(self, table: HouseTable) -> SeatedPlayers:
        """Seat the players that have signed up, in this order. No other client can sign up from now on."""
        self._is_busy = table.is_due = True
        count = len(self.plan.specs)
        clients = sorted((chair for chair in table.chairs[count:] if chair.taken), key=lambda chair: chair.taken_at)
        table.chairs[count:] = clients
        for seat, chair in enumerate(table.chairs):
            if chair.player is not None and not chair.player.dialect.introduces:  # its name depends on its seat
                chair.name = chair.player.dialect.nameless(self.plan.terms.hello(table.seed, seat))
        return await super().players(table)

    def begun(self, table: HouseTable, out: Out) -> None:
        """Stop the match when its time is over, and disconnect removed players at once."""
        super().begun(table, out)
        self._alarm = asyncio.get_running_loop().call_later(self.plan.waits.cap_s, table.stop)
        observe = table.observe

        def watch(match: Match[Any], out: Out) -> None:
            if observe is not None:
                observe(match, out)
            for seat, player in table.seats.connected.items():
                if seat in match.gone and player.peer.gone is None:
                    self._arena.run(player.peer.close())

        table.observe = watch

    def over(self, table: HouseTable) -> None:
        super().over(table)
        self._open_again()

    def failed(self, error: Exception, table: HouseTable) -> bool:
        super().failed(error, table)
        self._open_again()
        return True

    def _open_again(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._is_busy = False  # clients that stay are not late
        self._arena.run(self._open_next())


HOUSES: dict[Seating, type[HouseSeats]] = {"fixed": HouseSeats, "sign_up": HouseSignUp}
"""The tables of a host, by the game's `hosting.seating`. Games with open seating are played in their venue."""


def new_house(arena: "Arena", plan: HousePlan | None, parts: AsyncExitStack) -> Callable[[], None]:
    """Have an arena play only the game of the plan, as the plan says. Returns a function to call once the arena has
    started; `parts` closes the tables at the end. Without a plan, the function does nothing."""
    if plan is None:
        return lambda: None
    game = plan.terms.game
    arena.only, arena.dialect = game.name, plan.dialect
    if game.hosting.seating not in HOUSES:
        return lambda: None
    house = HOUSES[game.hosting.seating](arena, plan)
    arena.seatings[game.name] = house
    parts.push_async_callback(house.close)
    return house.start


class Ticket(Struct, eq=False):
    """A client in the queue."""

    holder: object
    again: bool
    """Whether it has played before, and comes first."""
    is_told: bool = False
    """Whether it has been told to wait."""

    @property
    def client(self) -> RemotePlayer | None:
        """The holder, unless it is a request over HTTP, which waits for its answer."""
        return self.holder if isinstance(self.holder, RemotePlayer) else None

    @property
    def is_gone(self) -> bool:
        return self.client is not None and self.client.peer.gone is not None


def _places(plan: HousePlan) -> int:
    """The most players that can sign up: as many as have a place under these options."""
    rules, terms = plan.terms.game.rules, plan.terms
    for count in range(plan.most, 0, -1):
        try:
            options = rules.resolve(terms.options or rules.options(), [Sitting("anybody")] * count)
            rules.new(count, options, terms.start, Dice(b"places"))
        except BadOptions:
            continue
        return count
    return plan.most


def _own_chair(spec: Spec) -> Chair:
    name = spec.name[:64]
    return Chair(Plan("bot" if isinstance(spec, LocalSpec) else "command", name), name=name)


def _table_terms(terms: Terms) -> TableTerms:
    """The terms as they are stored and shown."""
    limit_s = None if terms.limits is None else min(3600.0, terms.limits.limit_ms / 1000)
    options = {} if terms.options is None else msgspec.to_builtins(terms.options)
    options.pop("type", None)
    return TableTerms(quick=True, limit_s=limit_s, options=options)


def _from_the_first_line(watch: Watch, lines: Sequence[bytes]) -> Watch:
    """An observer that is also told the lines that were stored before the match was played."""
    first = [*lines]

    def observe(match: Match[Any], out: Out) -> None:
        watch(match, Out([*first, *out.lines], out.notices))
        first.clear()

    return observe

"""Tables that become matches, and matches that outlive the server.

A table is stored before anybody is told of it, and so is every seat that is taken. When its seats are filled, or its
waiting time is over, the match begins; from then on each accepted action is durable before anybody hears of it.
"""

import asyncio
import contextlib
import hmac
import secrets
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct
from sqlalchemy.exc import SQLAlchemyError

from parlour.core import BadOptions, Game, Seat, Sitting
from parlour.games import NAMES, game
from parlour.players.load import Spec, load
from parlour.players.play import Begun, CannotPlay, Terms
from parlour.players.remote import RemotePlayer
from parlour.referee.transcript import BadTranscript, Limits, commitment, match_name, new_seed
from parlour.server.playing import Playing
from parlour.store.store import Account, Store, StoredMatch, StoredSeat, now_ms

Kind: TypeAlias = Literal["open", "invited", "bot", "command"]

AGAIN_S = (1.0, 5.0, 20.0, 60.0, 300.0)
"""After how long a match is gone on with that has failed once, twice and so on."""


class Plan(Struct, frozen=True, forbid_unknown_fields=True):
    """Who is to have a seat: anybody, whoever has the key, a built-in bot, or a command of the host's by its name."""

    kind: Kind
    spec: Annotated[str, Meta(max_length=64)] = ""


class TableTerms(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a table is played under."""

    options: dict[str, Any] = {}
    limit_s: Annotated[float, Meta(gt=0, le=3600)] | None = None
    """Time to answer in; None: what is usual for the game."""
    bank_s: Annotated[float, Meta(ge=0, le=3600)] = 0.0
    wait_s: Annotated[float, Meta(gt=0, le=86400)] = 600.0
    """How long the table waits for its seats to be filled."""
    quick: bool = False
    """Whether anybody who is looking for a match may be sent here."""


class Trouble(Exception):
    """Why something is not done; `code` is for programs, and `status` is what HTTP calls it."""

    def __init__(self, status: int, code: str, words: str) -> None:
        super().__init__(words)
        self.status = status
        self.code = code
        self.words = words


class Chair(Struct, eq=False):
    """A seat of an open table."""

    plan: Plan
    account: int | None = None
    name: str | None = None
    salt: str = ""
    player: RemotePlayer | None = None
    """Who is connected to it."""
    guest: bool = False
    """Whether the seat is free again if the connection is lost before the match."""
    held_for: object = None
    """Who has been greeted for it, and is about to say its name."""

    @property
    def taken(self) -> bool:
        return self.name is not None

    @property
    def free(self) -> bool:
        return not self.taken and self.held_for is None


class OpenTable:
    """A table that is not full yet."""

    def __init__(self, game: Game[Any], terms: TableTerms, seed: bytes, chairs: list[Chair]) -> None:
        self.game = game
        self.terms = terms
        self.seed = seed
        self.chairs = chairs
        self.key_hash: str | None = None
        self.timer: asyncio.TimerHandle | None = None
        self.lock = asyncio.Lock()

    @property
    def id(self) -> str:
        return match_name(self.seed)

    @property
    def commit(self) -> str:
        """What is known of the seed before the match."""
        return commitment(self.seed)

    def is_full(self) -> bool:
        return all(chair.taken for chair in self.chairs)


class Arena:
    """All tables and matches of a server."""

    def __init__(self, store: Store, commands: Mapping[str, Mapping[str, str]] | None = None) -> None:
        self.store = store
        self._commands = commands or {}
        """By game and name, what the host lets players be seated against."""
        self.open: dict[str, OpenTable] = {}
        self.playing: dict[str, Playing] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False
        self._finding = asyncio.Lock()
        self._failures: dict[str, int] = {}
        """By match, how often something failed that is no player's fault."""
        self.broken: list[str] = []
        """Matches that could not be gone on with, and why."""

    # The life of the arena

    async def start(self) -> None:
        """Go on with all that was not finished."""
        for stored in await self.store.unfinished():
            try:
                lines = await self.store.lines(stored.id)
                if lines:
                    await self._go_on(stored, lines)
                else:  # nobody was told of a match yet, whatever the table had come to
                    await self._reopen(stored)
            except (BadTranscript, BadOptions, CannotPlay, KeyError, ValueError, msgspec.MsgspecError) as e:
                self.broken.append(f"{stored.id}: {e}")
                await self.store.change_match(stored.id, state="void", ended_ms=now_ms())

    async def close(self) -> None:
        """Park all matches where they are; nothing is lost."""
        self._closing = True
        for table in self.open.values():
            if table.timer is not None:
                table.timer.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Tables

    async def create(
        self, game_name: str, plans: Sequence[Plan], terms: TableTerms, owner: Account | None
    ) -> tuple[OpenTable, str | None]:
        """A table, and the key for its invited seats, which is told this once."""
        if self._closing:
            raise Trouble(503, "closing", "no new tables: the server is about to stop")
        if game_name not in NAMES:
            raise Trouble(404, "no_such_game", f"there is no game {game_name[:40]!r}")
        rules = game(game_name)
        chairs = [Chair(plan, name=self._spec(rules, plan).name if plan.spec else None) for plan in plans]
        self._check(rules, terms, chairs)
        table = OpenTable(rules, terms, new_seed(), chairs)
        key = secrets.token_urlsafe(16) if any(plan.kind == "invited" for plan in plans) else None
        table.key_hash = None if key is None else sha256(key.encode()).hexdigest()
        await self.store.add_match(self._stored(table, owner), table.seed)
        self._opened(table, terms.wait_s)
        await self.begin_if_full(table)
        return table, key

    def _check(self, rules: Game[Any], terms: TableTerms, chairs: Sequence[Chair]) -> None:
        """Say now what would be wrong later."""
        seats = rules.served or rules.seats
        if len(chairs) not in seats:
            raise Trouble(400, "bad_seats", f"{rules.title} has {seats[0]} to {seats[-1]} seats, not {len(chairs)}")
        try:
            rules.resolve(_options(rules, terms), [Sitting(chair.name or "anybody") for chair in chairs])
        except (BadOptions, msgspec.MsgspecError) as e:
            raise Trouble(400, "bad_options", str(e)) from None

    def _spec(self, rules: Game[Any], plan: Plan) -> Spec:
        """A bot by its name, or a command of the host's; nothing else, whoever asks for it."""
        if plan.kind == "bot" and plan.spec in rules.bots:
            return load(rules, plan.spec)
        if plan.kind == "command" and plan.spec in self._commands.get(rules.name, {}):
            return msgspec.structs.replace(load(rules, self._commands[rules.name][plan.spec]), name=plan.spec)
        raise Trouble(400, "no_such_player", f"there is no {plan.kind} {plan.spec!r} for {rules.title}")

    def _stored(self, table: OpenTable, owner: Account | None) -> StoredMatch:
        seats = [
            StoredSeat(seat, chair.plan.kind, chair.plan.spec, None, chair.name, chair.salt)
            for seat, chair in enumerate(table.chairs)
        ]
        return StoredMatch(
            id=table.id,
            game=table.game.name,
            state="open",
            terms=msgspec.json.encode(table.terms).decode(),
            owner=None if owner is None else owner.id,
            key_hash=table.key_hash,
            waits_until_ms=now_ms() + int(table.terms.wait_s * 1000),
            created_ms=now_ms(),
            ended_ms=None,
            seats=tuple(seats),
        )

    def _opened(self, table: OpenTable, wait_s: float) -> None:
        self.open[table.id] = table
        loop = asyncio.get_running_loop()
        table.timer = loop.call_later(max(0.0, wait_s), lambda: self.run(self._waited(table)))

    def run(self, work: Any) -> None:
        """Do something on the side, until it is done or the arena is closed."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def quick(self, game_name: str, holder: object = None) -> OpenTable:
        """The table where whoever looks for a match of this game is sent; a seat is held for who asks for that."""
        if game_name not in NAMES:
            raise Trouble(404, "no_such_game", f"there is no game {game_name[:40]!r}")
        async with self._finding:  # or two who come together would each get a table
            table = await self._quick_table(game_name)
            if table is None:
                seats = game(game_name).served or game(game_name).seats
                plans = [Plan("open")] * max(2, seats[0])
                table, _ = await self.create(game_name, plans, TableTerms(quick=True, wait_s=86400), None)
            next(chair for chair in table.chairs if chair.free).held_for = holder
            return table

    async def _quick_table(self, game_name: str) -> OpenTable | None:
        for table in [*self.open.values()]:
            if table.game.name == game_name and table.terms.quick:
                async with table.lock:
                    await self._sweep(table)
                    if table.id in self.open and any(chair.free for chair in table.chairs):
                        return table
        return None

    def release(self, table: OpenTable, holder: object) -> None:
        """Whoever was greeted has a seat now, or will not have one."""
        for chair in table.chairs:
            if chair.held_for is holder:
                chair.held_for = None

    async def sit(
        self,
        id: str,
        account: Account,
        *,
        name: str | None = None,
        salt: str = "",
        key: str = "",
        holder: object = None,
    ) -> tuple[OpenTable, Seat]:
        """Take a seat, the one that is held if there is one; who has one already keeps it."""
        table = self.open.get(id)
        if table is None:
            raise Trouble(404, "no_such_table", "there is no open table of that name")
        async with table.lock:
            if table.id not in self.open:
                raise Trouble(409, "begun", "the match has just begun")
            await self._sweep(table)
            for seat, chair in enumerate(table.chairs):
                if chair.account == account.id:
                    return table, seat
            self.release(table, holder)
            seat = self._free_seat(table, key)
            chair = table.chairs[seat]
            await self.store.sit(table.id, seat, account.id, name or account.name, salt)
            chair.account, chair.name, chair.salt = account.id, name or account.name, salt
        return table, seat

    def _free_seat(self, table: OpenTable, key: str) -> Seat:
        invited = table.key_hash is not None and hmac.compare_digest(sha256(key.encode()).hexdigest(), table.key_hash)
        kinds = ("invited", "open") if invited else ("open",)
        for kind in kinds:
            for seat, chair in enumerate(table.chairs):
                if chair.plan.kind == kind and chair.free:
                    return seat
        if table.key_hash is not None and not invited and not table.is_full():
            raise Trouble(403, "key_needed", "the seats that are left are for who has the key")
        raise Trouble(409, "table_full", "all seats are taken")

    async def _sweep(self, table: OpenTable) -> None:
        """Guests who did not wait for the match make room for others."""
        for seat, chair in enumerate(table.chairs):
            if chair.guest and chair.player is not None and chair.player.peer.gone is not None:
                await self.store.stand_up(table.id, seat)
                table.chairs[seat] = Chair(chair.plan)

    async def begin_if_full(self, table: OpenTable) -> None:
        """Somebody has sat down, and may have been the last."""
        async with table.lock:
            if table.id in self.open and not self._closing:
                await self._sweep(table)
                if table.is_full():
                    await self._begin(table)

    async def _waited(self, table: OpenTable) -> None:
        """The waiting time is over: who has come plays, if they are enough; otherwise the table is dropped."""
        async with table.lock:
            if table.id not in self.open or self._closing:
                return
            seats = table.game.served or table.game.seats
            here = [chair for chair in table.chairs if chair.taken]
            people = [chair for chair in here if chair.account is not None]
            if people and len(here) in seats and all(chair.plan.kind != "invited" for chair in table.chairs):
                table.chairs = here
                await self._begin(table)
                return
            del self.open[table.id]
            await self.store.change_match(table.id, state="dropped", ended_ms=now_ms())
            for chair in here:
                if chair.player is not None:
                    chair.player.peer.send(chair.player.dialect.error("dropped", "the others did not come in time"))
                    await chair.player.peer.close()

    # Matches

    async def _begin(self, table: OpenTable) -> None:
        if table.timer is not None:
            table.timer.cancel()
        sittings = [Sitting(chair.name or "", chair.salt) for chair in table.chairs]
        terms = self._terms(table.game, table.terms)
        await self.store.begin_match(
            table.id,
            [
                StoredSeat(seat, chair.plan.kind, chair.plan.spec, chair.account, chair.name, chair.salt)
                for seat, chair in enumerate(table.chairs)
            ],
        )
        begun = Begun(terms, table.seed, sittings, None, asyncio.get_running_loop().time())
        specs = [
            chair.player
            if chair.player is not None
            else self._spec(table.game, chair.plan)
            if chair.plan.spec
            else None
            for chair in table.chairs
        ]
        accounts = [chair.account for chair in table.chairs]
        del self.open[table.id]
        self._play(Playing(self.store, terms, begun, 0, accounts), specs)

    def _play(self, playing: Playing, specs: Sequence[Spec | RemotePlayer | None]) -> None:
        self.playing[playing.id] = playing
        self.run(self._played(playing, specs))

    async def _played(self, playing: Playing, specs: Sequence[Spec | RemotePlayer | None]) -> None:
        try:
            await playing.run(specs)
        except asyncio.CancelledError:
            raise
        except Exception as e:  # the store failed, or a player could not be started
            self.broken.append(f"{playing.id}: {type(e).__name__}: {e}")
            self.run(self._go_on_later(playing))
        finally:
            self.playing.pop(playing.id, None)

    async def _go_on_later(self, playing: Playing) -> None:
        """As after a crash: from what is kept, whoever was there coming back. The oftener it fails, the later."""
        id = playing.id
        await playing.part()
        while not self._closing:
            self._failures[id] = tries = self._failures.get(id, 0) + 1
            await asyncio.sleep(AGAIN_S[min(tries, len(AGAIN_S)) - 1])
            with contextlib.suppress(SQLAlchemyError, OSError):
                stored, lines = await self.store.match(id), await self.store.lines(id)
                if stored is not None and stored.state == "running":
                    await (self._go_on(stored, lines) if lines else self._reopen(stored))
                return

    async def _reopen(self, stored: StoredMatch) -> None:
        """Guests learn how to come back when the match begins, and so these will not: their seats are free."""
        rules = game(stored.game)
        if stored.state != "open":
            await self.store.change_match(stored.id, state="open")
        guests = await self.store.guests(seat.account for seat in stored.seats if seat.account is not None)
        for seat in stored.seats:
            if seat.account in guests:
                await self.store.stand_up(stored.id, seat.seat)
        chairs = [
            Chair(Plan(seat.kind, seat.spec))  # type: ignore[arg-type]
            if seat.account in guests
            else Chair(Plan(seat.kind, seat.spec), seat.account, seat.name, seat.salt or "")  # type: ignore[arg-type]
            for seat in stored.seats
        ]
        table = OpenTable(
            rules, msgspec.json.decode(stored.terms, type=TableTerms), await self.store.seed(stored.id), chairs
        )
        table.key_hash = stored.key_hash
        self._opened(table, ((stored.waits_until_ms or 0) - now_ms()) / 1000)
        await self.begin_if_full(table)

    async def _go_on(self, stored: StoredMatch, lines: Sequence[bytes]) -> None:
        """Replay the lines there are; sockets come back by themselves, bots and commands are started again."""
        rules = game(stored.game)
        table_terms = msgspec.json.decode(stored.terms, type=TableTerms)
        terms = self._terms(rules, table_terms)
        seed = await self.store.seed(stored.id)
        sittings = [Sitting(seat.name or "", seat.salt or "") for seat in stored.seats]
        begun = Begun(terms, seed, sittings, lines, asyncio.get_running_loop().time())
        specs = [
            self._spec(rules, Plan(seat.kind, seat.spec)) if seat.spec else None  # type: ignore[arg-type]
            for seat in stored.seats
        ]
        accounts = [seat.account for seat in stored.seats]
        self._play(Playing(self.store, terms, begun, len(lines), accounts), specs)

    def _terms(self, rules: Game[Any], terms: TableTerms) -> Terms:
        limit_ms = round((terms.limit_s or rules.limit_s) * 1000)
        limits = Limits(max(1, limit_ms), round(terms.bank_s * 1000))
        return Terms(game=rules, options=_options(rules, terms), limits=limits, salted=True)


def _options(rules: Game[Any], terms: TableTerms) -> Any:
    return msgspec.convert({"type": rules.options.__name__, **terms.options}, rules.options)

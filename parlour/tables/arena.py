"""Tables that become matches, and matches that are resumed after a restart of the server.

A table, and every seat that is taken, is stored before any client is told about it. The match begins when all seats are
taken or the waiting time is over. From then on each action is durable before any client is told about it.
"""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Any

import msgspec
from msgspec.structs import replace
from sqlalchemy.exc import SQLAlchemyError

from parlour import plugins
from parlour.core import BadOptions, Game, Seat
from parlour.players.play import Begun
from parlour.players.player_specs import ModelSpec, Spec
from parlour.players.remote import NotIntroduced, RemotePlayer
from parlour.players.session import Dropped
from parlour.players.starter import Started
from parlour.players.terms import CannotPlay, Terms
from parlour.protocol.errors import BUG, STORE_FAILED, RequestError
from parlour.protocol.forms import Plan, TableTerms
from parlour.protocol.records import TOLD, Account, StoredMatch, StoredSeat, now_ms
from parlour.protocol.reports import tell, tell_bug
from parlour.referee.known_rules import UnknownRules
from parlour.referee.match import Match
from parlour.referee.player import place_of
from parlour.referee.signature import Signer, new_key
from parlour.referee.transcript import BadTranscript, new_seed
from parlour.tables.match_setup import PERSON_S, Dealer, begun_in_thread, terms_for_people
from parlour.tables.model_seats import ModelSeats
from parlour.tables.retries import Retries
from parlour.tables.seat_keeper import Chair
from parlour.tables.seat_log import SeatLog, SeatLogs, waiting_log
from parlour.tables.seating import HELD_S, QUICK, ArrangedTables, SeatedPlayers, SeatingPolicy
from parlour.tables.signed_ends import Ends
from parlour.tables.stored_tables import (
    NotResumed,
    check_known,
    no_rematch,
    rebuilt_match,
    rebuilt_open_table,
    rematch_plans,
    rematch_terms,
    reserve,
    stored_seats,
    stored_table,
)
from parlour.tables.table import BY_HOST, Origin, Table
from parlour.tables.table_store import NewLog, TableStore
from parlour.transports.limits import HELLO_S, RETURN_S

QUICK_S = 20.0
BEGUN = (409, "begun", "the match has just begun")
STOPPING = ("parked", "the server is stopping; try again later, and your match resumes")
LAST_WORDS, LAST_WORDS_S = 20, 0.05
"""How often, and at which intervals, to see whether a client has disconnected by itself."""


class Arena:
    """All tables and matches of a server."""

    only: str | None = None
    """The only game that is played; None: all."""
    model_seats: ModelSeats | None = None
    """Checks and pays for models at tables. Without it, models play without a budget. Set by the server."""
    dialect: str | None = None
    """The dialect of its own protocol over WebSocket; None: the default."""
    dropped: Dropped | None = None
    """Called for each command that is disconnected because it exceeds a limit. Set by the server."""
    ends: Ends | None = None
    """Signs finished matches; set by `start`."""
    person_s: float = PERSON_S
    """Time limit for an answer at quick tables with people or language models."""

    def __init__(
        self,
        store: TableStore,
        new_log: NewLog,
        commands: Mapping[str, Mapping[str, str]] | None = None,
        *,
        quick_s: float = QUICK_S,
        return_s: float = RETURN_S,
        connect_s: float = HELLO_S,
    ) -> None:
        self.store = store
        self._new_log = new_log
        self.quick_s = quick_s
        """How long a quick table waits for more players."""
        self._return_s = return_s
        """How long a disconnected client may resume its seat."""
        self.connect_s = connect_s
        """How long a guest that took a seat over HTTP has to connect, even if the table's wait is over."""
        self.dealer = Dealer(commands or {})
        self.open: dict[str, Table] = {}
        self.playing: dict[str, Table] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False
        self.seatings: dict[str, SeatingPolicy[Any]] = {}
        """By game, how clients are seated; quick tables unless set otherwise."""
        self.arranged = ArrangedTables(self)
        self._failed: dict[str, Table] = {}
        """Matches that have failed and will be resumed."""
        self.retries = Retries()
        self.timed: Callable[[str, float], None] | None = None
        """Called for each answer with the game's name and the seconds it took to handle."""
        self.barred: Collection[int] = ()
        """Accounts that may not take a seat, because they are banned or deleted."""
        self.broken: list[str] = []
        """Matches that could not be resumed, and why."""
        self.not_resumed: dict[str, NotResumed] = {}
        """Tables and matches whose rules this release lacks."""
        self.logs = SeatLogs()
        """The messages of all clients at seats, for their owners."""

    # Start and stop

    async def start(self) -> None:
        """Resume all unfinished tables and matches."""
        self.ends = Ends(self.store, Signer(await self.store.signing_key(new_key)))
        for stored in await self.store.unfinished():
            await self._resume(stored)

    def leave_unresumed(self, stored: StoredMatch, error: UnknownRules) -> None:
        """Report a table or match that stays in the store unchanged."""
        self.not_resumed[stored.id] = NotResumed(stored, error.why)
        tell("not resumed", logging.WARNING, match=stored.id, game=stored.game, state=stored.state, why=error.why)

    async def close(self) -> None:
        """Stop all matches. They are resumed at the next start."""
        self._closing = True
        for table in self.open.values():
            table.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Tables

    async def create(
        self, game_name: str, plans: Sequence[Plan], terms: TableTerms, owner: Account | None
    ) -> tuple[Table, str | None]:
        """A new table, and the key for its invited seats, which is not stored."""
        key = secrets.token_urlsafe(16) if any(plan.kind == "invited" for plan in plans) else None
        key_hash = None if key is None else sha256(key.encode()).hexdigest()
        table = self.new_table(game_name, plans, terms, Origin(None if owner is None else owner.id, key_hash))
        await self._add(table)
        await self.begin_if_full(table)
        return table, key

    async def create_rematch(self, stored: StoredMatch, owner: Account, longest_wait_s: float) -> Table:
        """A new table for the players of a finished match. Their seats are reserved for them."""
        if self.only is not None:
            raise no_rematch("this host opens its tables by itself; take a seat at the next one")
        origin = Origin(owner.id, rematch_of=stored.id)
        table = self.new_table(stored.game, rematch_plans(stored), rematch_terms(stored, longest_wait_s), origin)
        reserve(table, stored)
        await self._add(table)
        return table

    async def _add(self, table: Table) -> None:
        """Store and open a new table, if its owner has the budget for its models."""
        await self._check_models(table)
        await self._store_table(table)
        self.keep_open(table, table.terms.wait_s)

    async def arrange(self, table: Table, add: Callable[[StoredMatch, bytes], Awaitable[bool]]) -> bool:
        """Open a new table whose seats are all assigned. `add` stores it; if it returns False, there is no table."""
        try:
            is_needed = await add(stored_table(table), table.seed)
        except (SQLAlchemyError, OSError) as e:
            await self._check_stored(table, e)
            is_needed = True
        if not is_needed:
            return False
        table.is_kept = True
        self.keep_open(table, table.terms.wait_s)
        self.arranged.expect(table)
        await self.begin_if_full(table)
        return True

    def new_table(self, game_name: str, plans: Sequence[Plan], terms: TableTerms, origin: Origin = BY_HOST) -> Table:
        """A table that is not open yet; RequestError if there can be none."""
        if self._closing:
            raise closing()
        game = _game(game_name)
        chairs = [Chair(plan, name=self.dealer.spec(game, plan).name if plan.spec else None) for plan in plans]
        terms = self.dealer.terms(game, plans, terms)
        self.dealer.check(game, terms, chairs)
        return self._with_policy(Table(game, terms, new_seed(), chairs, self._return_s, origin))

    def _with_policy(self, table: Table) -> Table:
        is_arranged = table.origin.league is not None
        table.policy = self.arranged if is_arranged else self.seating(table.game.name)
        return table

    async def _check_models(self, table: Table) -> None:
        """RequestError if the owner of the table has no budget for the models at its seats."""
        for chair in table.chairs:
            spec = self.dealer.spec(table.game, chair.plan) if chair.plan.spec else None
            if isinstance(spec, ModelSpec) and self.model_seats is not None:
                await self.model_seats.check(spec.terms, table.origin.owner)

    def equipped(self, table: Table, terms: Terms) -> Terms:
        """The terms of a match with what its commands and models use."""
        models = None if self.model_seats is None else self.model_seats.service(table.origin.owner)
        return replace(terms, dropped=self.dropped, models=models)

    async def _store_table(self, table: Table, taken: StoredSeat | None = None) -> None:
        try:
            await self.store.add_match(stored_table(table, taken), table.seed)
        except (SQLAlchemyError, OSError) as e:
            await self._check_stored(table, e)
            if taken is not None:  # an earlier try may have stored the table with another seat
                await self.store.sit(table.id, taken.seat, taken.account, taken.name or "", taken.salt or "")
        table.is_kept = True

    async def _check_stored(self, table: Table, error: Exception) -> None:
        """Raise the error unless the table was stored nevertheless: a lost connection may hide that."""
        if await self.store.match(table.id) is None:
            raise error

    def keep_open(self, table: Table, wait_s: float) -> None:
        """Open a table, or let an open one wait that long from now."""
        self.open[table.id] = table
        table.wait(wait_s, lambda: self.run(self._wait_is_over(table)))

    def _closed(self, table: Table) -> None:
        table.close()
        del self.open[table.id]
        table.seats.changed()

    def run(self, work: Any) -> None:
        """Run a background task; `close` cancels it."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            tell_bug("bug", error)

    def seating(self, game_name: str) -> SeatingPolicy[Any]:
        """The policy that seats the clients of a game."""
        if self.only is not None and game_name != self.only:
            raise RequestError(404, "no_such_game", f"there is no game {game_name[:40]!r}; this host plays {self.only}")
        if game_name not in self.seatings:
            game = _game(game_name)
            self.seatings[game_name] = QUICK[game.hosting.seating](self, game)
        return self.seatings[game_name]

    async def quick(
        self, game_name: str, holder: object = None, seats: int | None = None, *, again: bool = False
    ) -> Table:
        """A table of this game, with a seat that is reserved for the holder, if there is one."""
        if self._closing:
            raise closing()
        return await self.seating(game_name).place(holder, seats, again=again)

    async def sit(
        self,
        id: str,
        account: int,
        name: str,
        *,
        salt: str = "",
        about: Mapping[str, int | str] = {},
        key: str = "",
        holder: object = None,
        guest: bool = False,
    ) -> tuple[Table, Seat]:
        """Take a seat, the holder's reserved one if any. An account that has a seat keeps it, with its newest salt."""
        table = self._open_table(id)
        async with table.lock:
            self._check_joining(table, account)
            if (own := table.seats.seat_of(account)) is not None:
                await self._sit_again(table, own, name, salt, about)
                return table, own
            await self.sweep(table)
            seat = table.free_seat(account, key) if (held := table.seats.held(holder)) is None else held
            chair = table.chairs[seat]
            if (kind := about.get("kind")) in ("person", "model"):
                await self._allow_for_people(table, with_pace=kind == "person")
            taken = StoredSeat(seat, chair.plan.kind, chair.plan.spec, account, name, salt)
            if table.is_kept:
                await self.store.sit(table.id, seat, account, name, salt)
            else:  # nobody has been told of the table
                await self._store_table(table, taken)
            chair.account, chair.name, chair.salt, chair.held_for = account, name, salt, None
            chair.about, chair.must_connect = {**about}, guest and table.terms.quick
            chair.taken_at = asyncio.get_running_loop().time()
            table.waiting.tell_seats()
            table.policy.sat(table, seat)
        return table, seat

    def _check_joining(self, table: Table, account: int) -> None:
        if self._closing:  # a cancelled write may be in the store
            raise RequestError(503, *STOPPING)
        if table.id not in self.open:
            raise RequestError(*BEGUN)
        if account in self.barred:
            raise RequestError(403, "banned", "this account is banned")

    def _open_table(self, id: str) -> Table:
        if id in self.not_resumed:
            raise self.not_resumed[id].trouble()
        if (table := self.open.get(id)) is None:
            raise RequestError(404, "no_such_table", "there is no open table of that name")
        return table

    async def _allow_for_people(self, table: Table, *, with_pace: bool) -> None:
        """Give the people and language models at a quick table time to think. For people, its bots answer at a pace
        that they can follow."""
        terms = terms_for_people(table.game, table.first_terms, self.person_s)
        terms = terms if with_pace else replace(terms, pace_s=table.terms.pace_s)
        if terms != table.terms:
            if table.is_kept:
                await self.store.change_match(table.id, terms=msgspec.json.encode(terms).decode())
            table.terms = terms

    async def _sit_again(self, table: Table, seat: Seat, name: str, salt: str, about: Mapping[str, int | str]) -> None:
        """An account that has a seat keeps it, with its newest salt."""
        chair = table.chairs[seat]
        chair.about = chair.about or {**about}
        if salt not in ("", chair.salt):
            await self.store.sit(table.id, seat, chair.account or 0, chair.name or name, salt)
            chair.salt = salt

    async def wait_for_awaited(self, table: Table) -> bool:
        """Wait a moment for a seat of a full table; False if no seat can become free.

        If the server was killed while it told a guest its token, the guest returns with the token, or, if the token was
        lost, as a new guest. So a new guest waits, and gets the seat if nobody resumes it within `connect_s`."""
        async with table.lock:
            awaited = {seat: chair for seat, chair in enumerate(table.chairs) if chair.is_awaited}
            if not awaited or self._closing or table.id not in self.open:
                return False
            latest = asyncio.get_running_loop().time() - self.connect_s
            for seat, chair in awaited.items():
                if chair.taken_at <= latest:
                    await self._free(table, seat)
                    return True
        await asyncio.sleep(HELD_S)
        return True

    async def sweep(self, table: Table, *, awaited: bool = False) -> None:
        """Free the seats of guests that have disconnected; with `awaited` also of those that could still resume."""
        for seat, chair in enumerate(table.chairs):
            if chair.is_left or (awaited and (chair.is_awaited or chair.is_missed)):
                await self._free(table, seat)

    async def _free(self, table: Table, seat: Seat) -> None:
        """Free a seat of an open table, if its policy allows that."""
        await table.policy.free(table, seat)
        table.waiting.tell_seats()

    async def begin_if_full(self, table: Table) -> None:
        """Begin the match if all seats are taken. Called whenever a seat was taken."""
        async with table.lock:
            if table.id in self.open and not self._closing:
                try:
                    await self.sweep(table)
                    if table.policy.is_ready(table):
                        await self.begin(table)
                except (SQLAlchemyError, OSError):
                    if not table.is_retried:
                        table.is_retried = True
                        self.run(self._begin_later(table))
                    raise

    async def _begin_later(self, table: Table) -> None:
        """Retry after a failure of the store. Each table has at most one such task."""
        await asyncio.sleep(HELD_S)
        table.is_retried = False
        with contextlib.suppress(SQLAlchemyError, OSError):
            await self.begin_if_full(table)

    async def _wait_is_over(self, table: Table) -> None:
        """Let the policy of a table decide what to do when its waiting time is over."""
        async with table.lock:
            if table.id not in self.open or self._closing:
                return
            try:
                await table.policy.due(table)
            except (SQLAlchemyError, OSError) as e:
                tell_bug("store", e, match=table.id)
                self.keep_open(table, HELD_S)

    async def drop(self, id: str) -> None:
        """Cancel an open table."""
        table = self._open_table(id)
        async with table.lock:
            if id not in self.open:
                raise RequestError(404, "no_such_table", "its match has just begun")
            await self.abandon(table, "the table was cancelled")

    async def abandon(self, table: Table, words: str) -> None:
        """Close a table whose match never begins, and tell its clients why."""
        if table.is_kept:
            await self.store.change_match(table.id, state="dropped", ended_ms=now_ms())
        self._closed(table)
        for chair in table.chairs:
            if chair.player is not None:
                await _disconnect(chair.player, "dropped", words)
            if (log := waiting_log(chair.player)) is not None:
                log.end(is_over=True)

    async def evict(self, account: int) -> None:
        """Remove an account from all open tables and running matches."""
        for table in [*self.open.values()]:
            async with table.lock:
                seat = table.seats.seat_of(account)
                if seat is not None and table.id in self.open and table.chairs[seat].loses(account):
                    table.chairs[seat].must_connect = False
                    await self._free(table, seat)
        for playing in [*self.playing.values()]:
            playing.seats.kick(account)

    async def resign(self, table: Table, player: RemotePlayer) -> None:
        """Free the seat of a waiting player that gives it up. If its match has begun, it leaves when it is seated."""
        async with table.lock:
            seat = next((seat for seat, chair in enumerate(table.chairs) if chair.player is player), None)
            if seat is not None and table.id in self.open:
                await self._free(table, seat)
                await _disconnect(player, "left", "you have given up your seat")

    # Matches

    async def begin(self, table: Table) -> None:
        """Begin the match of a table whose lock is held."""
        await table.policy.prepare(table)
        async with contextlib.AsyncExitStack() as unless_begun:
            try:
                players = await table.policy.players(table)
                unless_begun.push_async_callback(players.starter.close)
                known = [chair.player or own for chair, own in zip(table.chairs, players.own, strict=True)]
                begun = await begun_in_thread(players.terms, table.seed, players.sittings, None, known)
            except Exception as e:
                await self._not_begun(table, e)
                return
            try:
                is_announced = await self._announce_begin(table, begun.match)
            except (SQLAlchemyError, OSError):
                raise
            except Exception as e:
                await self._not_begun(table, e)
                return
            if not is_announced:
                return
            unless_begun.pop_all()
        self._closed(table)
        table.policy.begun(table, begun.out)
        self._play(table, begun, players, 0)

    async def _not_begun(self, table: Table, error: Exception) -> None:
        """Close a table whose match could not begin."""
        is_mistake = isinstance(error, BadOptions)  # whether the options are valid may depend on the seed
        if not table.policy.failed(error, table) and not is_mistake:
            tell_bug("bug", error, match=table.id)
        await self.abandon(table, f"the match could not begin: {error}" if is_mistake else "the match could not begin")

    async def _announce_begin(self, table: Table, match: Match[Any]) -> bool:
        """Store that the match begins, and tell guests their tokens; False if it cannot begin now."""
        if self._closing:  # no client was told, so the match begins after the next start
            return False
        if not table.is_kept:  # its players are all the host's own
            await self._store_table(table)
        untold = [chair.account for chair in table.chairs if chair.is_untold and chair.account is not None]
        await self.store.begin_match(table.id, stored_seats(table), untold, TOLD)
        return await self._tell_tokens(table, match) and not self._closing

    async def _tell_tokens(self, table: Table, match: Match[Any]) -> bool:
        """Tell guests their tokens, so that all can resume as soon as the match has a stored line.

        If a guest has just disconnected and cannot be told, its seat is freed and the match does not begin."""
        untold = {seat: chair for seat, chair in enumerate(table.chairs) if chair.is_untold}
        await asyncio.gather(*(_tell_token(chair, match, seat) for seat, chair in untold.items()))
        if not any(chair.is_untold for chair in untold.values()):
            return True
        for seat, chair in untold.items():
            if chair.is_untold:
                await self._free(table, seat)
                if chair.is_connected and chair.player is not None:  # it has not read what it was sent
                    await _disconnect(chair.player, "slow", "you did not read your messages in time")
            elif chair.player is not None:
                chair.player.unannounce()
        await self.store.change_match(table.id, state="open")
        if table.is_due:
            self.keep_open(table, HELD_S)
        return False

    def table_of(self, game: Game[Any], account: int) -> Table | None:
        """The open table of this game at which the account has a seat."""
        tables = (table for table in self.open.values() if table.game is game)
        return next((table for table in tables if table.seats.seat_of(account) is not None), None)

    def match_of(self, game: Game[Any], account: int) -> Table | None:
        """The running match of this game in which the account has a seat, preferably one that it has not left."""
        return _match_of(self.playing.values(), game, account)

    def has_failed_match(self, game: Game[Any], account: int) -> bool:
        """Whether the account has a seat in a match of this game that has failed and will be resumed."""
        return _match_of(self._failed.values(), game, account) is not None

    def unresumed_of(self, game: Game[Any], account: int) -> NotResumed | None:
        """The match of this game in which the account has a seat, and which this release cannot resume."""
        for left in self.not_resumed.values():
            if left.stored.game == game.name and any(seat.account == account for seat in left.stored.seats):
                return left
        return None

    def equip(self, table: Table) -> None:
        """Have the match of a table timed, signed and logged like all others."""
        timed, game = self.timed, table.game.name
        table.timed = None if timed is None else partial(timed, game)
        table.sign = None if self.ends is None else self.ends.signer.sign
        table.logs = self.logs

    def _play(self, table: Table, begun: Begun, players: SeatedPlayers, kept: int) -> None:
        """Play a match, of which so many lines are stored."""
        self.equip(table)
        log = table.policy.log(table, self._new_log(begun.match, kept))
        table.begin(begun.match, log, players.starter, begun.past)
        self.playing[table.id] = table
        self.run(self._played(table, begun, players.own))

    async def _played(self, playing: Table, begun: Begun, own: Sequence[Spec | Started | None]) -> None:
        try:
            await playing.play(begun, own)
        except asyncio.CancelledError:
            raise
        except Exception as e:  # the store failed, or a player could not be started
            if playing.policy.failed(e, playing):
                self.run(playing.seats.disconnect_all())
                return
            tell_bug("match", e, match=playing.id)
            self.broken.append(f"{playing.id}: {type(e).__name__}: {e}")
            self._failed[playing.id] = playing
            self.run(self._resume_later(playing))
        else:
            self.retries.forget(playing.id)
            self.run(self._reseat_or_disconnect(playing))
        finally:
            del self.playing[playing.id]  # clients that return from now on get the end from the store

    async def _reseat_or_disconnect(self, playing: Table) -> None:
        """Seat clients that stay for the next match at a new table; disconnect the others."""
        others = []
        for seat, player in playing.seats.connected.items():
            account, gone = playing.chairs[seat].account, seat in playing.match.gone or player.peer.gone is not None
            if playing.policy.seats_again and player.dialect.queues_for_next_match and account is not None and not gone:
                player.wait()
                self.run(self._seat_again(playing.game, player, account, playing.match.names[seat]))
            else:
                others.append(_disconnect_at_end(player))
        await asyncio.gather(*others, asyncio.sleep(0))  # now the clients that stay are in the queue
        playing.policy.over(playing)

    async def _seat_again(self, game: Game[Any], player: RemotePlayer, account: int, name: str) -> None:
        try:
            table = await self.quick(game.name, player, again=True)
            if not player.dialect.introduces:  # its name depends on the match
                name = player.dialect.nameless(table.hello(player))
            try:
                table, seat = await self.sit(table.id, account, name, holder=player)
            finally:
                table.seats.release(player)
            table.connect(seat, player, guest=True)
            await self.begin_if_full(table)
        except RequestError as e:
            await _disconnect(player, e.code, e.words)
        except NotIntroduced:  # it has disconnected while it waited
            await player.peer.close()
        except (SQLAlchemyError, OSError) as e:
            tell_bug("store", e)
            await _disconnect(player, *STORE_FAILED)
        except Exception as e:
            tell_bug("bug", e)
            await _disconnect(player, *BUG)

    async def _resume_later(self, playing: Table) -> None:
        """Resume a failed match from the store, as after a crash. Clients have to reconnect."""
        id = playing.id
        try:
            await playing.seats.disconnect_all()
            while not self._closing and not await self._try_to_resume(id):
                pass
        finally:
            self._failed.pop(id, None)

    async def _try_to_resume(self, id: str) -> bool:
        """Try to resume a match after a delay that grows with its failures; False if the store fails again. An open
        table counts as resumed, because it retries its beginning itself."""
        await asyncio.sleep(self.retries.failed(id))
        try:
            stored = await self.store.match(id)
            is_here = id in self.open or id in self.playing
            if stored is not None and stored.state in ("open", "running") and not is_here:
                await self._resume(stored)
        except Exception as e:
            if not isinstance(e, SQLAlchemyError | OSError):
                tell_bug("match", e, match=id)
            return id in self.open
        return True

    async def _resume(self, stored: StoredMatch) -> None:
        """Resume a match, or reopen its table if no line is stored: then no client was told that the match began. It is
        void if its record is wrong, and stays as it is if this release lacks its rules."""
        try:
            lines = await self.store.lines(stored.id)
            check_known(self.dealer, stored, lines)
            await (self._resume_match(stored, lines) if lines else self._reopen(stored))
        except UnknownRules as e:
            self.leave_unresumed(stored, e)
        except (BadTranscript, BadOptions, CannotPlay, KeyError, ValueError, msgspec.MsgspecError) as e:
            self.broken.append(f"{stored.id}: {e}")
            await self.store.change_match(stored.id, state="void", ended_ms=now_ms())
            tell("void", logging.ERROR, match=stored.id, game=stored.game, why=str(e))

    async def _reopen(self, stored: StoredMatch) -> None:
        """Reopen a stored table. Its match waits for guests that may have been told their tokens."""
        table = self._with_policy(await rebuilt_open_table(self.store, stored, self._return_s))
        left_s = ((stored.waits_until_ms or 0) - now_ms()) / 1000
        wait_s = table.policy.reopened(table, min(left_s, table.terms.wait_s))  # the machine's clock may have been set
        are_told = any(chair.is_told for chair in table.chairs)
        self.keep_open(table, max(wait_s, self._return_s) if are_told else wait_s)
        await self.begin_if_full(table)

    async def _resume_match(self, stored: StoredMatch, lines: Sequence[bytes]) -> None:
        """Replay the stored lines, and restart bots and commands. Clients reconnect by themselves."""
        table, begun = await rebuilt_match(self.store, stored, self._return_s, lines)
        players = await self._with_policy(table).policy.players(table)
        self._play(table, begun, players, len(lines))


def closing() -> RequestError:
    """The error for players that come while the server stops."""
    return RequestError(503, "closing", "no new tables: the server is about to stop")


def _game(name: str) -> Game[Any]:
    if (game := plugins.find_game(name)) is None:
        raise RequestError(404, "no_such_game", f"there is no game {name[:40]!r}")
    return game


def _match_of(matches: Iterable[Table], game: Game[Any], account: int) -> Table | None:
    """A match that the account plays, or else one that it has left."""
    running = (table for table in matches if table.game is game and table.match.end is None)
    own = [table for table in running if table.seats.seat_of(account) is not None]
    return next((table for table in own if table.is_played_by(account)), own[0] if own else None)


async def _tell_token(chair: Chair, match: Match[Any], seat: Seat) -> None:
    """Tell a guest its token, unless it has disconnected."""
    if chair.player is not None:
        chair.is_told = await chair.player.announce(place_of(match, seat), match.state.view(seat))
        chair.is_untold = not chair.is_told


async def _disconnect_at_end(player: RemotePlayer) -> None:
    """Disconnect a client at the end of its match. If it sends stderr, it has a moment to send the rest."""
    if isinstance(player.log, SeatLog) and player.log.has_stderr:
        for _ in range(LAST_WORDS):
            if player.peer.gone is not None:
                break
            await asyncio.sleep(LAST_WORDS_S)
    await player.peer.close()


async def _disconnect(player: RemotePlayer, code: str, words: str) -> None:
    player.send(player.dialect.error(code, words))
    await player.peer.close()

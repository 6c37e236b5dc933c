"""Plays the leagues: starts them at the deadline, draws their rounds, opens tables and settles matches.

All of its memory is in the store, so it continues after a restart where it was."""

import asyncio
import random
from collections.abc import Sequence
from functools import partial

from parlour.protocol.errors import RequestError
from parlour.protocol.forms import Plan, TableTerms
from parlour.protocol.records import now_ms
from parlour.protocol.reports import tell
from parlour.server.leagues.draw import draw, terms_of
from parlour.server.leagues.ratings import rate_due
from parlour.server.ops.logs import RepeatedWork
from parlour.store.league_values import SeatResult, Slot, StoredEntry, StoredLeague
from parlour.store.store import Store
from parlour.tables.arena import Arena
from parlour.tables.seat_keeper import Chair
from parlour.tables.table import Origin

CHECK_S = 1.0
"""How often deadlines and matches are looked at, even if nothing is known to have changed."""
AT_ONCE = 500
"""How many planned matches are looked at in one step."""


class LeagueRunner:
    """Plays all leagues of a server."""

    def __init__(self, store: Store, arena: Arena, most: int) -> None:
        """`most`: how many matches of leagues are played at the same time."""
        self._store = store
        self._arena = arena
        self._most = most
        self._changed = asyncio.Event()
        self._work = RepeatedWork("league")
        arena.arranged.changed = self.wake

    def wake(self) -> None:
        """Look at the leagues soon, because something has changed."""
        self._changed.set()

    async def run(self) -> None:
        """Run until cancelled. A failure is logged, and retried."""
        while True:
            self._changed.clear()
            with self._work.going_on(league=""):
                await self.step()
            try:
                async with asyncio.timeout(CHECK_S):
                    await self._changed.wait()
            except TimeoutError:
                continue

    async def step(self) -> None:
        """Do everything that is due."""
        for league in await self._store.leagues.unfinished():
            with self._work.going_on(league=league.id):
                await self._advance(league)
        while await rate_due(self._store):
            await asyncio.sleep(0)

    async def _advance(self, league: StoredLeague) -> None:
        if league.state == "open":
            if league.deadline_ms > now_ms():
                return
            await self._start(league)
        await self._continue(league)

    async def _start(self, league: StoredLeague) -> None:
        """Draw the places of the entries by lot."""
        entries = [entry for entry in await self._store.leagues.entries(league.id) if entry.takes_part]
        if (why := _why_impossible(league, entries)) is not None:
            await self._store.schedule.end(league.id, "cancelled", why)
            tell("league cancelled", league=league.id, why=why)
            return
        places = {entry.id: place for place, entry in enumerate(_by_lot(league, entries))}
        if await self._store.schedule.start(league.id, places):
            tell("league started", league=league.id, entries=len(entries))

    async def _continue(self, league: StoredLeague) -> None:
        """Settle matches that have ended, and open tables for the next ones."""
        await self._store.schedule.settle(league.id)
        planned, playing = await self._store.schedule.due(league.id, AT_ONCE)
        if planned:
            await self._open_some(league, planned)
        elif not playing:
            await self._draw(league)

    async def _draw(self, league: StoredLeague) -> None:
        """Draw the next round, or end the league."""
        current = await self._store.leagues.one(league.id)
        if current is None or current.state != "running":
            return
        entries, slots = await self._store.leagues.entries(league.id), await self._store.leagues.slots(league.id)
        byes = await self._store.schedule.byes(league.id)
        drawn = await asyncio.to_thread(draw, league, entries, slots, byes)
        if drawn is None:
            if await self._store.schedule.end(league.id, "over", "all matches have been played"):
                tell("league over", league=league.id)
        elif await self._store.schedule.add_round(league.id, drawn.round, drawn.byes, drawn.slots):
            tell("league drawn", league=league.id, round=drawn.round + 1, matches=len(drawn.slots))
        self.wake()

    async def _open_some(self, league: StoredLeague, planned: Sequence[Slot]) -> None:
        """Open tables for matches whose entries are free, as far as the limit allows."""
        count, accounts, busy = await self._store.schedule.busy()
        entries = {entry.id: entry for entry in await self._store.leagues.entries(league.id)}
        for slot in planned:
            if count >= self._most:
                return
            own = {account for id in slot.entries for account in entries[id].accounts}
            clients = {id for id in slot.entries if entries[id].kind == "client"}
            if accounts & own or busy & clients:
                continue
            if await self._open(league, slot, [entries[id] for id in slot.entries]):
                count += 1
                accounts |= own
                busy |= clients

    async def _open(self, league: StoredLeague, slot: Slot, players: Sequence[StoredEntry]) -> bool:
        """Open the table of a match; False if none is played there."""
        if sum(entry.takes_part for entry in players) < 2:
            await self._store.schedule.walk_over(slot, _walkover(players))
            self.wake()
            return False
        if not any(_can_play(entry) for entry in players):
            await self._store.schedule.miss(slot)
            self.wake()
            return False
        terms = terms_of(league)
        own = TableTerms(options=terms.options, limit_s=terms.limit_s, bank_s=terms.bank_s, wait_s=terms.grace_s)
        try:
            origin = Origin(league=league.id, is_rated=league.team_size == 1)
            table = self._arena.new_table(league.game, [_plan(entry) for entry in players], own, origin)
        except RequestError as e:
            if e.status == 503:  # the server is stopping
                return False
            await self._store.schedule.lose(slot, e.words)
            return False
        for chair, entry in zip(table.chairs, players, strict=True):
            _assign(chair, entry, is_anonymous=league.anonymous)
        is_open = await self._arena.arrange(table, partial(self._store.open_slot, slot))
        if is_open:
            tell("league match", league=league.id, n=slot.n, attempt=slot.attempt, match=table.id)
        return is_open


def _why_impossible(league: StoredLeague, entries: Sequence[StoredEntry]) -> str | None:
    """Why a league cannot start; None if it can."""
    if len(entries) < league.seats:
        count = "1 entry" if len(entries) == 1 else f"{len(entries)} entries"
        return f"too few entries: {count}, and a match has {league.seats} seats"
    if league.format == "gauntlet" and not any(entry.place == 0 for entry in entries):
        return "the player that the gauntlet is against was removed"
    return None


def _by_lot(league: StoredLeague, entries: Sequence[StoredEntry]) -> list[StoredEntry]:
    """The entries in the order of their places. The player that a gauntlet is against comes first."""
    order = random.SystemRandom().sample(entries, len(entries))
    return sorted(order, key=lambda entry: entry.place != 0) if league.format == "gauntlet" else order


def _can_play(entry: StoredEntry) -> bool:
    """Whether anybody can play for an entry. If all of its accounts are banned, its command does not play either."""
    return entry.takes_part and (entry.owner is None or bool(entry.accounts))


def _plan(entry: StoredEntry) -> Plan:
    if entry.kind == "client" or not _can_play(entry):
        return Plan("invited")
    return Plan(entry.kind, entry.spec)


def _assign(chair: Chair, entry: StoredEntry, *, is_anonymous: bool) -> None:
    """Assign a seat to an entry, which has no account if a bot, a command or nobody plays."""
    chair.name = entry.alias if is_anonymous else entry.name
    if entry.kind == "client" and _can_play(entry):
        chair.account = entry.owner if entry.owner in entry.accounts else min(entry.accounts)
        chair.team = entry.accounts if len(entry.members) > 1 else frozenset()


def _walkover(players: Sequence[StoredEntry]) -> list[SeatResult]:
    """The entry that still takes part is first, and the others share the last place."""
    return [SeatResult(1 if entry.takes_part else 2, None, 0) for entry in players]

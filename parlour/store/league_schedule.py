"""The play of leagues in the store: rounds, slots, and the results of their matches.

Every step is one transaction that checks whether the step is still due. So a server that is killed at any moment
continues with the next step after its restart, and takes none twice.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, insert, select, update

from parlour.protocol.errors import RequestError
from parlour.protocol.league_forms import LeagueState
from parlour.protocol.records import now_ms
from parlour.store.admin_orders import give
from parlour.store.league_schema import league_entries, league_members, league_rounds, league_slots, leagues
from parlour.store.league_values import ENDED, PLAYED, UNSETTLED, SeatResult, Slot, entries_in, json_text
from parlour.store.leagues import note
from parlour.store.ratings import close_rating
from parlour.store.schema import matches, seats
from parlour.store.transactions import StorePart, reads, writes

MOST_VOIDS = 3
"""How many attempts of a match are lost to failures of the server before it is void."""
MOST_WHY = 300
LOST = "the match was lost to a failure of the server"


class LeagueSchedule(StorePart):
    """Draws, opens and settles the matches of leagues."""

    @writes
    def start(self, connection: Connection, league: str, places: Mapping[str, int]) -> bool:
        """Start a league with these entries and their places, if it is open and its deadline has passed."""
        here = update(leagues).where(leagues.c.id == league, leagues.c.state == "open")
        query = here.where(leagues.c.deadline_ms <= now_ms()).values(state="running", started_ms=now_ms())
        if not connection.execute(query).rowcount:
            return False
        for entry, place in places.items():
            connection.execute(update(league_entries).where(league_entries.c.id == entry).values(place=place))
        note(connection, league, "started", "the deadline for entries has passed")
        return True

    async def byes(self, league: str) -> list[tuple[str, ...]]:
        """By round, the entries that do not play."""
        r = league_rounds.c
        query = select(r.byes).where(r.league == league).order_by(r.round)
        return [entries_in(byes) for byes in await self._database.values(query)]

    @writes
    def add_round(
        self, connection: Connection, league: str, round: int, byes: Sequence[str], slots: Sequence[Slot]
    ) -> bool:
        """Store a round that has been drawn; False if it was drawn before, or the league does not run."""
        r = league_rounds.c
        if _state(connection, league) != "running":
            return False
        if connection.scalar(select(r.round).where(r.league == league, r.round == round)) is not None:
            return False
        connection.execute(insert(league_rounds), {"league": league, "round": round, "byes": json_text(byes)})
        connection.execute(insert(league_slots), [slot.row() for slot in slots])
        return True

    @reads
    def busy(self, connection: Connection) -> tuple[int, set[int], set[str]]:
        """How many matches of all leagues are played now, and the accounts and entries that play them."""
        query = select(league_slots.c.entries).where(league_slots.c.state.in_(PLAYED))
        playing = [entries_in(raw) for raw in connection.scalars(query)]
        entries = {entry for each in playing for entry in each}
        owners = select(league_members.c.account).where(league_members.c.entry.in_(entries))
        return len(playing), {*connection.scalars(owners)}, entries

    @writes
    def open(self, connection: Connection, slot: Slot, match: str, add: Callable[[Connection], None]) -> bool:
        """Store the table of a slot, and that it is the slot's, in one transaction; False if the slot needs none any
        more. `add` stores the table."""
        if _state(connection, slot.league) != "running":
            return False
        query = _planned(slot).where(league_slots.c.match.is_(None))
        if connection.execute(select(league_slots.c.n).where(query.whereclause)).first() is None:
            return False
        add(connection)
        connection.execute(query.values(state="waiting", match=match))
        return True

    @writes
    def note_absent(self, connection: Connection, match: str, absent: Sequence[int]) -> None:
        """The match is about to begin, or to be given up, without the players of these seats."""
        query = update(league_slots).where(league_slots.c.match == match, league_slots.c.state.in_(UNSETTLED))
        connection.execute(query.values(absent=json_text(absent)))

    @writes
    def walk_over(self, connection: Connection, slot: Slot, results: Sequence[SeatResult] | None) -> None:
        """Settle a match that is not played, because too few of its entries take part."""
        row = {"state": "walkover", "results": None if results is None else json_text(results)}
        connection.execute(_planned(slot).values(**row, settled_ms=now_ms()))

    @writes
    def miss(self, connection: Connection, slot: Slot) -> None:
        """Settle a match for which nobody can come."""
        row = {"state": "missed", "absent": json_text([*range(len(slot.entries))])}
        connection.execute(_planned(slot).values(**row, settled_ms=now_ms()))

    @writes
    def lose(self, connection: Connection, slot: Slot, why: str) -> None:
        """A table could not be opened for a slot."""
        if slot in _slots(connection, slot.league, ("planned",)):
            _settle_lost(connection, slot, f"no table could be opened: {why}"[:MOST_WHY])

    @reads
    def due(self, connection: Connection, league: str, most: int) -> tuple[list[Slot], bool]:
        """The next slots that are planned, and whether any match is played now."""
        planned = _slots(connection, league, ("planned",), most)
        playing = _slots(connection, league, PLAYED, 1)
        return planned, bool(playing)

    async def playing(self, league: str) -> list[tuple[str, tuple[str, ...]]]:
        """The tables and matches of a league that are open or running, with their entries."""
        c = league_slots.c
        query = select(c.match, c.entries).where(c.league == league, c.state.in_(PLAYED))
        rows = await self._database.rows(query.where(c.match.is_not(None)).order_by(c.n))
        return [(match, entries_in(entries)) for match, entries in rows]

    @writes
    def settle(self, connection: Connection, league: str) -> None:
        """Settle the slots whose matches have ended, and plan those again whose matches were lost."""
        if _state(connection, league) != "running":
            return
        for slot in _slots(connection, league, PLAYED):
            query = select(matches.c.state, matches.c.ended_ms).where(matches.c.id == slot.match)
            state, ended_ms = connection.execute(query).first() or ("void", None)
            if state == "running" and slot.state != "running":
                connection.execute(_this(slot).values(state="running"))
            elif state == "over":
                _settle_over(connection, slot, ended_ms)
            elif state == "dropped" and len(slot.absent) == len(slot.entries):
                connection.execute(_this(slot).values(state="missed", settled_ms=ended_ms or now_ms()))
            elif state in ("void", "dropped"):
                _settle_lost(connection, slot)

    @writes
    def end(self, connection: Connection, league: str, state: LeagueState, why: str, by: int | None = None) -> bool:
        """End or cancel a league, and stop its matches. False if it has ended before."""
        query = update(leagues).where(leagues.c.id == league, leagues.c.state.not_in(ENDED))
        reason = why if state == "cancelled" else None
        if not connection.execute(query.values(state=state, ended_ms=now_ms(), why=reason)).rowcount:
            return False
        for slot in _slots(connection, league, UNSETTLED):
            _cancel(connection, slot)
        note(connection, league, "cancelled" if state == "cancelled" else "over", why, by=by)
        return True

    @writes
    def cancel_slot(self, connection: Connection, league: str, n: int, why: str, by: int) -> None:
        """Cancel a match, which is stopped if it runs; RequestError if that is not possible now."""
        slot = _changeable(connection, league, n)
        if slot.state == "cancelled":
            raise RequestError(409, "cancelled", "the match is cancelled already")
        _cancel(connection, slot)
        note(connection, league, "match cancelled", why, by=by, n=n, match=slot.match)

    @writes
    def rerun(self, connection: Connection, league: str, n: int, why: str, by: int) -> None:
        """Plan a match again; RequestError if that is not possible now. A league that is over runs again for it."""
        slot = _changeable(connection, league, n)
        if slot.state == "planned":
            raise RequestError(409, "planned", "the match has not been played yet")
        if not slot.is_settled:
            raise RequestError(409, "running", "the match is being played; cancel it first")
        _plan_again(connection, slot, voids=0)
        connection.execute(update(leagues).where(leagues.c.id == league).values(state="running", ended_ms=None))
        note(connection, league, "match rerun", why, by=by, n=n, match=slot.match)


def _settle_over(connection: Connection, slot: Slot, ended_ms: int | None) -> None:
    """Copy the results of a match that is over. It counts from the time when it ended, so that a freeze hides it in the
    standings if and only if it hides the match itself."""
    s = seats.c
    rows = connection.execute(select(s.rank, s.score, s.faults).where(s.match == slot.match).order_by(s.seat)).all()
    results = [SeatResult(rank or len(rows), score, faults or 0) for rank, score, faults in rows]
    connection.execute(_this(slot).values(state="over", results=json_text(results), settled_ms=ended_ms or now_ms()))


def _settle_lost(connection: Connection, slot: Slot, why: str = LOST) -> None:
    """Play a match again that the server has lost, or declare it void after several attempts."""
    if slot.voids + 1 >= MOST_VOIDS:
        connection.execute(_this(slot).values(state="void", voids=slot.voids + 1, settled_ms=now_ms()))
        return
    _plan_again(connection, slot, voids=slot.voids + 1)
    note(connection, slot.league, "match rerun", why, n=slot.n, match=slot.match)


def _plan_again(connection: Connection, slot: Slot, voids: int) -> None:
    row = {"state": "planned", "attempt": slot.attempt + 1, "voids": voids, "match": None, "absent": "[]"}
    connection.execute(_this(slot).values(**row, results=None, settled_ms=None))


def _cancel(connection: Connection, slot: Slot) -> None:
    """Cancel a slot. Its match is stopped, and changes no rating unless it is over already."""
    connection.execute(_this(slot).values(state="cancelled", results=None, settled_ms=now_ms()))
    if slot.match is not None and not slot.is_settled:
        close_rating(connection, slot.match, "left out")
        give(connection, "stop", slot.match)


def _changeable(connection: Connection, league: str, n: int) -> Slot:
    """A slot that an administrator may cancel or have played again; RequestError if that is not possible now."""
    row = connection.execute(
        select(leagues.c.state, leagues.c.format).where(leagues.c.id == league).with_for_update()
    ).first()
    c = league_slots.c
    found = connection.execute(select(league_slots).where(c.league == league, c.n == n)).first()
    if row is None or found is None:
        raise RequestError(404, "no_such_match", "the league has no match of that number")
    if row.state not in ("running", "over"):
        raise RequestError(409, row.state, f"the league is {row.state}")
    slot = Slot.of(found)
    later = select(c.n).where(c.league == league, c.round > slot.round).limit(1)
    if slot.is_settled and connection.scalar(later) is not None:
        raise RequestError(409, "drawn", "the next round has been drawn from the result of this match")
    return slot


def _state(connection: Connection, league: str) -> str | None:
    """The state of a league, which does not change before the end of the transaction."""
    state: str | None = connection.scalar(select(leagues.c.state).where(leagues.c.id == league).with_for_update())
    return state


def _slots(connection: Connection, league: str, states: Sequence[str], limit: int | None = None) -> list[Slot]:
    c = league_slots.c
    query = select(league_slots).where(c.league == league, c.state.in_(states)).order_by(c.n).limit(limit)
    return [Slot.of(row) for row in connection.execute(query)]


def _this(slot: Slot) -> Any:
    """An update of this attempt of a slot."""
    c = league_slots.c
    return update(league_slots).where(c.league == slot.league, c.n == slot.n, c.attempt == slot.attempt)


def _planned(slot: Slot) -> Any:
    """An update of this attempt of a slot, if it is still planned."""
    return _this(slot).where(league_slots.c.state == "planned")

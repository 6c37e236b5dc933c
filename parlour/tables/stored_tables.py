"""Convert tables and matches to store rows and back."""

import asyncio
from collections.abc import Collection, Sequence
from typing import Any, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from parlour import plugins
from parlour.core import Game
from parlour.players.play import Begun
from parlour.protocol.errors import RequestError
from parlour.protocol.forms import Plan, SeatKind, TableTerms
from parlour.protocol.records import TOLD, UNTOLD, StoredMatch, StoredSeat, now_ms
from parlour.referee.known_rules import UnknownRules, check_rules
from parlour.referee.replay import read_header
from parlour.referee.transcript import BadTranscript, check_header
from parlour.tables.match_setup import Dealer, begun_in_thread, terms_of
from parlour.tables.seat_keeper import Chair
from parlour.tables.table import Origin, Table
from parlour.tables.table_store import TableStore


class NotResumed(Struct, frozen=True):
    """A table or a match that only another release can resume. It stays in the store unchanged."""

    stored: StoredMatch
    why: str

    def trouble(self) -> RequestError:
        """The error for its players and spectators."""
        return RequestError(
            409, "not_resumed", f"this server cannot resume the match, which is stored unchanged: {self.why}"
        )


def stored_table(table: Table, taken: StoredSeat | None = None) -> StoredMatch:
    """The row of an open table, with a seat that is just taken."""
    seats = stored_seats(table)
    if taken is not None:
        seats[taken.seat] = taken
    return StoredMatch(
        id=table.id,
        game=table.game.name,
        state="open",
        terms=msgspec.json.encode(table.terms).decode(),
        waits_until_ms=now_ms() + int(table.terms.wait_s * 1000),
        created_ms=now_ms(),
        ended_ms=None,
        seats=tuple(seats),
        **asdict(table.origin),
    )


def stored_seats(table: Table) -> list[StoredSeat]:
    """The rows of its seats."""
    return [
        StoredSeat(seat, chair.plan.kind, chair.plan.spec, chair.account, chair.name, chair.salt)
        for seat, chair in enumerate(table.chairs)
    ]


async def _rebuilt_table(store: TableStore, stored: StoredMatch, return_s: float, gone: Collection[int] = ()) -> Table:
    """Rebuild a table. Seats of the accounts in `gone` are free."""
    seed = await store.seed(stored.id)
    chairs = [stored_chair(seat, gone) for seat in stored.seats]
    origin = Origin(stored.owner, stored.key_hash, stored.rematch_of, stored.league)
    table = Table(plugins.game(stored.game), table_terms(stored), seed, chairs, return_s, origin)
    table.is_kept = True
    if stored.league is not None:  # all accounts of a team may play at its seat
        for seat, team in (await store.teams(stored.id)).items():
            chairs[seat].team = team if chairs[seat].account is not None else frozenset()
    return table


async def rebuilt_open_table(store: TableStore, stored: StoredMatch, return_s: float) -> Table:
    """Rebuild an open table, or one whose match has no line yet. Guests that were not told their tokens cannot return,
    so their seats are freed."""
    if stored.state != "open":
        await store.change_match(stored.id, state="open")
    owners = [seat.account for seat in stored.seats if seat.account is not None]
    gone = await store.tokenless(owners, but=UNTOLD)
    for seat in stored.seats:
        if seat.account in gone:
            await store.stand_up(stored.id, seat.seat)
    told = await store.tokenless(owners, but=TOLD) - gone
    table = await _rebuilt_table(store, stored, return_s, gone)
    if stored.rematch_of is not None and (before := await store.match(stored.rematch_of)) is not None:
        reserve(table, before)
    guests = await store.guests(owners)
    for chair in table.chairs:
        chair.is_told = chair.account in told
        chair.must_connect = table.terms.quick and chair.account in guests
        chair.taken_at = asyncio.get_running_loop().time()  # all have to reconnect
    return table


async def rebuilt_match(
    store: TableStore, stored: StoredMatch, return_s: float, lines: Sequence[bytes]
) -> tuple[Table, Begun]:
    """Rebuild a table and replay its match. Clients reconnect by themselves, if they can."""
    table = await _rebuilt_table(store, stored, return_s)
    hopeless = await store.tokenless(account for chair in table.chairs for account in chair.owners)
    for chair in table.chairs:
        chair.is_hopeless = bool(chair.owners) and chair.owners <= hopeless
    return table, await begun_in_thread(terms_of(table.game, table.terms), table.seed, [], lines)


def check_known(dealer: Dealer, stored: StoredMatch, lines: Sequence[bytes]) -> None:
    """Raise UnknownRules if this release lacks the rules of a table or match, which another release has written.

    Releases can differ only in the game's name, the terms and the header. An error after the first line is damage.
    """
    try:
        game = plugins.game(stored.game)
    except KeyError:
        raise UnknownRules(f"this release has no game {stored.game!r}") from None
    if lines:
        check_begun(game, lines[0])
    try:
        terms = table_terms(stored)
        terms_of(game, terms)
        if not lines:
            dealer.check(game, terms, [stored_chair(seat) for seat in stored.seats])
    except (RequestError, msgspec.MsgspecError, ValueError) as e:
        raise UnknownRules(f"its terms: {e}") from None


def check_begun(game: Game[Any], first_line: bytes) -> None:
    """Raise UnknownRules if no match of this release begins with this header."""
    try:
        header = read_header(first_line)
        check_rules(header, game)
        check_header(game, header)
    except UnknownRules:
        raise
    except (msgspec.MsgspecError, ValueError, RecursionError) as e:
        raise UnknownRules(f"its header: {e.why if isinstance(e, BadTranscript) else e}") from None


def table_terms(stored: StoredMatch) -> TableTerms:
    return msgspec.json.decode(stored.terms, type=TableTerms)


def no_rematch(why: str) -> RequestError:
    """The error for a match that cannot be played again."""
    return RequestError(409, "no_rematch", f"the match cannot be played again: {why}")


def rematch_plans(stored: StoredMatch) -> Sequence[Plan]:
    """The seats of the rematch. Seats of players are invited ones, which no key opens."""
    if stored.league is not None:  # its seats may have pseudonyms
        raise no_rematch("it belongs to a league")
    if not stored.seats or any(seat.kind not in get_args(SeatKind) for seat in stored.seats):
        raise no_rematch("it was not played at a table")
    return [Plan("invited") if seat.account is not None else _plan(seat) for seat in stored.seats]


def rematch_terms(stored: StoredMatch, longest_wait_s: float) -> TableTerms:
    """The terms of the rematch. It is not for strangers, so it waits as long as a table that somebody created."""
    try:
        terms = table_terms(stored)
    except msgspec.MsgspecError as e:  # written by another release
        raise no_rematch(f"its terms: {e}") from None
    wait_s = TableTerms().wait_s if terms.quick else terms.wait_s
    return replace(terms, quick=False, wait_s=min(wait_s, longest_wait_s))


def reserve(table: Table, before: StoredMatch) -> None:
    """Reserve the seats of the rematch for the players that had them."""
    for chair, seat in zip(table.chairs, before.seats, strict=False):
        chair.reserved_for = seat.account


def stored_chair(seat: StoredSeat, gone: Collection[int] = ()) -> Chair:
    """Rebuild a seat, which is free if its account is in `gone`."""
    plan = _plan(seat)
    return Chair(plan) if seat.account in gone else Chair(plan, seat.account, seat.name, seat.salt or "")


def _plan(seat: StoredSeat) -> Plan:
    return Plan(seat.kind, seat.spec)  # type: ignore[arg-type]  # as it was written

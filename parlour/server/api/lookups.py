"""Find what a request names, or refuse the request."""

from collections.abc import Sequence
from typing import Any, TypeVar

from parlour import plugins
from parlour.core import Game, Seat
from parlour.protocol.errors import RequestError
from parlour.protocol.records import Account, StoredMatch
from parlour.store.league_values import StoredLeague
from parlour.store.store import Store
from parlour.tables.arena import Arena
from parlour.tables.table_store import TableStore

L = TypeVar("L", StoredMatch, StoredLeague)
MOST_ID = 2**31
NOT_YOURS = (403, "not_yours", "you have no seat in this match")
HIDDEN = (409, "not_over", "the result of this match is hidden until its league is over")


def found_game(name: str) -> Game[Any]:
    """A game that is installed."""
    if (game := plugins.find_game(name)) is None:
        raise RequestError(404, "no_such_game", "there is no such game")
    return game


async def found_account(store: Store, id: int) -> Account:
    """An account that is not deleted."""
    account = await store.account_of(id) if 0 < id < MOST_ID else None
    if account is None or account.state == "deleted":
        raise RequestError(404, "no_such_account", "there is no such account")
    return account


async def found_match(store: TableStore, id: str) -> StoredMatch:
    """A stored table or match."""
    if (stored := await store.match(id)) is None:
        raise RequestError(404, "no_such_match", "there is no such match")
    return stored


async def stored_transcript(store: Store, id: str) -> list[bytes]:
    """The transcript of a match that is over, which everybody may read."""
    stored = await found_match(store, id)
    check_over(stored, "a transcript is public when the match is over")
    if stored.league is not None and await store.hides_result(id):
        raise RequestError(*HIDDEN)
    return await store.lines(id)


def check_over(stored: StoredMatch, words: str) -> None:
    """`words` say what is possible after the end of the match."""
    if not stored.is_over:
        raise RequestError(409, "not_over", words)


def read_cursor(cursor: str | None) -> tuple[int, str] | None:
    """The time and the id after which a page begins."""
    ms, _, id = (cursor or "").partition(".")
    return (int(ms), id) if ms else None


def page_of(found: Sequence[L], limit: int) -> tuple[Sequence[L], str | None]:
    """A page of a list, and the cursor of the next one. `found` has one more if there is a next one."""
    page = found[:limit]
    return page, f"{page[-1].created_ms}.{page[-1].id}" if len(found) > limit else None


def own_seat(stored: StoredMatch, account: int, wanted: Seat | None = None) -> Seat:
    """The seat of an account, or the wanted one of several."""
    own = [each.seat for each in stored.seats if each.account == account]
    if not own or wanted not in (None, *own):
        raise RequestError(*NOT_YOURS)
    return own[0] if wanted is None else wanted


def check_resumed(arena: Arena, id: str) -> None:
    """A match that this release cannot resume is refused with the reason."""
    if (left := arena.not_resumed.get(id)) is not None:
        raise left.trouble()

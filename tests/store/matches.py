"""Whole matches in a store, as an arena keeps them."""

from sqlalchemy import delete

from parlour.games import game
from parlour.players.play import play
from parlour.players.player_specs import load
from parlour.players.terms import Terms
from parlour.protocol.records import StoredSeat
from parlour.referee.log import MemoryLog
from parlour.referee.transcript import match_name, new_seed
from parlour.store import schema
from parlour.store.match_log import StoredLog
from parlour.store.store import Store
from tests.store.stored import executed, table

FORSALE = game("forsale")
SEATS = tuple(StoredSeat(seat, "bot", "random", None, "random", "") for seat in range(3))


async def played(store: Store) -> str:
    """A finished match of bots; gives its id."""
    seed, log = new_seed(), MemoryLog()
    await store.add_match(table(seed, *SEATS), seed)
    await store.begin_match(match_name(seed), SEATS)

    match = play(Terms(game=FORSALE), [load(FORSALE, "random")] * 3, seed, log).match
    kept = StoredLog(store, match)
    await kept.write(log.lines)
    await kept.end(match)
    return match_name(seed)


async def half_played(store: Store, lines: int = 10) -> str:
    """A match of which only the first lines are there; gives its id."""
    whole = await played(store)
    raws, seed = await store.lines(whole), await store.seed(whole)
    await forget(store, whole)
    await store.add_match(table(seed, *SEATS, state="running"), seed)
    await store.writer.keep(whole, 0, raws[:lines])
    return whole


async def forget(store: Store, id: str) -> None:
    """Throw a whole match away."""
    parts = [delete(part).where(part.c.match == id) for part in (schema.lines, schema.seats, schema.seeds)]
    await executed(store, *parts, delete(schema.matches).where(schema.matches.c.id == id))

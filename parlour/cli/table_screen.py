"""Show tables and matches of an arena on a terminal."""

import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from rich.table import Table
from rich.text import Text

from parlour import plugins
from parlour.cli.match_screen import colour
from parlour.cli.tables import table_of
from parlour.core.values import plain
from parlour.protocol.forms import CreatedTable, MatchInfo, SeatInfo, TableTerms

COLOURS = {
    "open": "bold yellow",
    "running": "bold green",
    "waiting": "yellow",
    "cancelled": "dim",
    "dropped": "dim",
    "void": "red",
    "missed": "red",
    "walkover": "yellow",
}
"""Of the states of tables, matches and leagues."""
STEPS = ((86400, "d"), (3600, "h"), (60, "min"))


def matches_table(matches: Sequence[MatchInfo]) -> Table:
    """Matches, one per line."""
    table = Table()
    for column in ("id", "game", "state", "seats", "set up"):
        table.add_column(column, no_wrap=column != "seats")
    for match in matches:
        seats = Text(", ").join(_seat(seat, match.state) for seat in match.seats)
        table.add_row(match.id, plain(match.game), state_text(match.state), seats, ago(match.created_ms))
    return table


def seats_table(match: MatchInfo) -> Table:
    """The seats of one match."""
    title = plain(match.game) if (game := plugins.find_game(match.game)) is None else game.title
    ranked = any(seat.rank is not None for seat in match.seats)
    columns = (">seat", "kind", "player", *((">score", ">rank") if ranked else ()))
    table = table_of(*columns, title=Text.assemble(f"{title}, ", state_text(match.state)), min_width=44)
    for seat in match.seats:
        name = Text("free", "dim") if seat.name is None else Text(plain(seat.name), colour(seat.seat))
        results = ["" if it is None else str(it) for it in (seat.score, seat.rank)] if ranked else []
        table.add_row(str(seat.seat), seat.kind, name, *results)
    return table


def match_lines(url: str, match: MatchInfo) -> Iterator[str]:
    """Details of a match, and how to connect."""
    yield f"table     {match.id}"
    if match.commit is not None:
        yield f"commit    {match.commit}"
    yield f"set up    {moment(match.created_ms)}"
    if match.ended_ms is not None:
        yield f"ended     {moment(match.ended_ms)}"
    yield f"terms     {', '.join(terms_in_words(match.terms))}"
    if match.not_resumed is not None:
        yield f"parked    the arena cannot resume it, and keeps it unchanged: {match.not_resumed}"
        return
    if match.state in ("open", "running"):
        yield f"connect   {connects_to(url, match)}"
    if match.state == "running":
        yield f"watch     {_socket(url)}/watch/{match.id}"
    if match.state in ("over", "void"):
        yield f"record    parlour table transcript {url} {match.id} --out {match.id}.jsonl"


def new_lines(url: str, created: CreatedTable) -> Iterator[str]:
    """The facts about a new table for its owner and for players."""
    match = created.table
    yield f"table     {match.id}"
    yield f"connect   {connects_to(url, match)}"
    yield f"commit    {match.commit}"
    if created.key is not None:
        yield f"key       {created.key}   for the invited seats; shown only once"
    if match.state != "open":
        yield f"to see    parlour table show {url} {match.id}   all seats are taken; it has begun"
    elif created.key is not None and all(seat.kind != "open" for seat in match.seats):
        yield f"to join   parlour join {url} {match.game} BOT --table {match.id} --key {created.key}"
    else:
        yield f"to join   parlour join {url} {match.game} BOT --table {match.id}"


def connects_to(url: str, match: MatchInfo) -> str:
    """The URL for protocol 1."""
    return f"{_socket(url)}/play/{match.game}/{match.id}"


def terms_in_words(terms: TableTerms) -> Iterator[str]:
    limit, bank = terms.limit_s, terms.bank_s
    yield "the game's default time for an answer" if limit is None else f"{limit:g} s for an answer"
    if bank:
        yield f"{bank:g} s in the bank"
    if terms.quick:
        yield "open to players who name no table"
    yield from (plain(f"{name}={value}") for name, value in terms.options.items())


def moment(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def ago(ms: int) -> str:
    """The time since then, in one unit."""
    seconds = max(0, round(time.time() - ms / 1000))
    for size, unit in STEPS:
        if seconds >= size:
            return f"{seconds // size} {unit} ago"
    return f"{seconds} s ago"


def _socket(url: str) -> str:
    return "ws" + url.removeprefix("http")


def state_text(state: str) -> Text:
    return Text(plain(state), COLOURS.get(state, ""))


def ranked_name(name: str, rank: int | None, remark: str = "") -> Text:
    """A player with its rank; the winner stands out."""
    place = "" if rank is None else f" ({rank})"
    return Text(plain(name), "bold" if rank == 1 else "") + Text(place + remark, "dim")


def _seat(seat: SeatInfo, state: str) -> Text:
    if seat.name is None:
        return Text(seat.kind if state == "open" else "nobody", "dim")
    return ranked_name(seat.name, seat.rank)

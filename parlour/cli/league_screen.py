"""Show leagues and ratings of an arena on a terminal."""

from collections.abc import Iterator, Sequence

from rich.table import Table
from rich.text import Text

from parlour.cli.table_screen import moment, ranked_name, state_text
from parlour.cli.tables import table_of
from parlour.core.values import plain
from parlour.protocol.league_forms import (
    LeagueInfo,
    LeagueMatch,
    LeagueRecord,
    LeagueStandings,
    OwnEntry,
)
from parlour.protocol.rating_forms import RatingRow


def leagues_table(leagues: Sequence[LeagueInfo]) -> Table:
    """Leagues, one per line."""
    table = table_of("id", "name", "game", "format", "state", ">entries", ">matches", "deadline")
    for each in leagues:
        played = f"{each.settled}/{each.matches}"
        cells = (plain(each.game), plain(each.format), state_text(each.state), str(each.entries), played)
        table.add_row(each.id, plain(each.name), *cells, moment(each.deadline_ms))
    return table


def standings_table(found: LeagueStandings) -> Table:
    """The table of a league."""
    info = found.league
    title = Text.assemble(f"{plain(info.name)}, {plain(info.game)}, {plain(info.format)}, ", state_text(info.state))
    columns = (">rank", "name", ">points", ">mean", ">matches", ">wins", ">faults", ">absences")
    table = table_of(*columns, title=title, min_width=44)
    for row in found.standings:
        name = Text(plain(row.name), "" if row.state == "in" else "dim")
        if row.alias is not None:
            name += Text(f" ({plain(row.alias)})", "dim")
        rank = plain(row.state) if row.rank is None else str(row.rank)
        figures = (f"{row.points:.2f}", f"{row.mean:.3f}", str(row.matches), f"{row.wins:.2f}")
        table.add_row(rank, name, *figures, str(row.faults), str(row.absences))
    return table


def league_lines(info: LeagueInfo) -> Iterator[str]:
    """The times of a league, and what is hidden."""
    yield f"deadline  {moment(info.deadline_ms)}"
    yield f"matches   {info.settled} of {info.matches} drawn so far are settled"
    if info.freeze_ms is not None:
        yield f"freeze    {moment(info.freeze_ms)}{'; later results are hidden' if info.is_frozen else ''}"
    if info.is_masked:
        yield "names     pseudonyms until the league is over"
    if info.why is not None:
        yield f"cancelled {plain(info.why)}"


def new_league_lines(url: str, info: LeagueInfo) -> Iterator[str]:
    """The facts about a new league for its host and for entrants."""
    yield f"league    {info.id}"
    yield f"deadline  {moment(info.deadline_ms)}"
    yield f"to enter  parlour league enter {url} {info.id}"
    yield f"to play   parlour join {url} {info.game} BOT --league {info.id}"
    yield f"to see    parlour league show {url} {info.id}"


def own_lines(url: str, game: str, own: OwnEntry) -> Iterator[str]:
    """The facts for an entrant."""
    yield f"entry     {plain(own.entry.name)}"
    if own.plays_as != own.entry.name:
        yield f"plays as  {plain(own.plays_as)}"
    if own.code is not None:
        yield f"code      {own.code}   for the other accounts of your team; shown only once"
    if own.entry.kind == "client":
        yield f"to play   parlour join {url} {game} BOT --league {own.league}"


def schedule_table(matches: Sequence[LeagueMatch]) -> Table:
    """The matches of a league, one per line."""
    table = table_of(">n", ">round", "state", "match", "seats")
    for each in matches:
        seated = (ranked_name(seat.name, seat.rank, " absent" if seat.absent else "") for seat in each.seats)
        seats = Text(", ").join(seated)
        shown = "hidden" if each.is_hidden else each.match or ""
        attempt = "" if each.attempt == 1 else f" (attempt {each.attempt})"
        table.add_row(str(each.n), str(each.round), state_text(each.state) + Text(attempt, "dim"), shown, seats)
    return table


def record_lines(records: Sequence[LeagueRecord]) -> Iterator[str]:
    """The records of a league, one per line."""
    for each in records:
        what = [plain(each.kind)]
        if each.n is not None:
            what.append(f"{each.n}")
        if each.entry is not None:
            what.append(plain(each.entry))
        by = "" if each.by is None else f" by {plain(each.by)}"
        yield f"{moment(each.at_ms)}  {' '.join(what)}{by}: {plain(each.why)}"


def ratings_table(rows: Sequence[RatingRow]) -> Table:
    """The leaderboard of a game."""
    table = table_of(">rank", "name", "kind", ">rating", ">mean", ">deviation", ">matches", ">trend")
    for row in rows:
        rank = "provisional" if row.rank is None else str(row.rank)
        figures = (f"{row.rating:.2f}", f"{row.mean:.2f}", f"{row.deviation:.2f}", str(row.matches))
        table.add_row(rank, plain(row.name), plain(row.kind), *figures, f"{row.trend:+.2f}")
    return table

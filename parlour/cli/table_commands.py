"""The commands of `parlour table`, which set up and show tables of an arena."""

from collections.abc import Sequence
from itertools import chain
from typing import Annotated, Any

import typer

from parlour.cli.arena_requests import Most, OnlyGame, OutFile, Token, asking, needed_token, save, tell, tell_list
from parlour.cli.arguments import ArenaUrl, BankS, GameName, Json, Settings, app
from parlour.cli.common import UserError, find_game, seats_of, stderr
from parlour.cli.options import read_options, read_settings
from parlour.cli.table_screen import connects_to, match_lines, matches_table, new_lines, seats_table
from parlour.core import Game, Sitting
from parlour.protocol.forms import MatchState, NewTable, Plan, TableTerms
from parlour.referee.log import new_file

LONGEST_S = 3600.0
LONGEST_WAIT_S = 86400.0

table = typer.Typer(
    help="Tables of an arena: set them up, show them, remove them, fetch transcripts.", no_args_is_help=True
)
app.add_typer(table, name="table")

Id = Annotated[str, typer.Argument(metavar="ID", help="The id of a table or a match.")]
Seats = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SEAT",
        help="open, invited (needs the key), a built-in bot, or command:NAME for a command of the arena's host. "
        "Without any, the smallest table of the game, with open seats.",
    ),
]


@table.command()
def new(
    url: ArenaUrl,
    game_name: GameName,
    seats: Seats = None,
    settings: Settings = None,
    limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Time for an answer; otherwise the game's default.")
    ] = None,
    bank: BankS = 0.0,
    wait: Annotated[float, typer.Option(metavar="SECONDS", help="How long the table waits for players.")] = 600.0,
    quick: Annotated[bool, typer.Option("--quick", help="Players who name no table may be sent here.")] = False,
    token: Token = None,
    as_json: Json = False,
) -> None:
    """Set up a table. Its match begins when its seats are filled.

    \b
    parlour table new http://127.0.0.1:8000 GAME open open random
    parlour table new http://127.0.0.1:8000 GAME invited random --limit 5
    """
    game = find_game(game_name)
    words = seats or ["open"] * max(2, seats_of(game)[0])
    plans = [_plan(game, word) for word in words]
    options = _options(game, settings or (), words)
    terms = TableTerms(
        options=options,
        limit_s=None if limit is None else _within("--limit", limit, LONGEST_S),
        bank_s=_within("--bank", bank, LONGEST_S, least=0.0),
        wait_s=_within("--wait", wait, LONGEST_WAIT_S),
        quick=quick,
    )
    with asking(url, needed_token(token, "to set up a table")) as arena:
        created = arena.new_table(NewTable(game=game.name, seats=plans, terms=terms))
    told = {"table": created.table, "key": created.key, "connect": connects_to(arena.url, created.table)}
    tell(told, as_json, new_lines(arena.url, created))


@table.command("list")
def list_(
    url: ArenaUrl,
    game_name: OnlyGame = None,
    state: Annotated[MatchState | None, typer.Option(help="Only in this state.")] = None,
    most: Most = 20,
    as_json: Json = False,
) -> None:
    """List tables and matches, the newest first.

    \b
    parlour table list http://127.0.0.1:8000 --state open
    """
    name = None if game_name is None else find_game(game_name).name
    with asking(url) as arena:
        found = arena.matches(most, name, state)
    such = "such " if name or state else ""
    tell_list(found, as_json, matches_table, f"There are no {such}tables at {arena.url}")


@table.command()
def show(url: ArenaUrl, id: Id, as_json: Json = False) -> None:
    """Show a table or a match: its seats, its terms, and how to connect.

    \b
    parlour table show http://127.0.0.1:8000 1a9b23494df5a916
    """
    with asking(url, about=id) as arena:
        found = arena.match(id)
    tell(found, as_json, chain([seats_table(found)], match_lines(arena.url, found)))


@table.command()
def drop(url: ArenaUrl, id: Id, token: Token = None) -> None:
    """Remove a table that has not begun: one of your own, or any with the scope admin.

    \b
    parlour table drop http://127.0.0.1:8000 1a9b23494df5a916
    """
    with asking(url, needed_token(token, "to remove a table"), about=id) as arena:
        arena.drop(id)
    stderr.print(f"{id} is removed")


@table.command()
def transcript(url: ArenaUrl, id: Id, out: OutFile = None) -> None:
    """Fetch the transcript of a finished match, for `parlour verify`, `replay` and `export`.

    \b
    parlour table transcript http://127.0.0.1:8000 1a9b23494df5a916 --out m.jsonl
    """
    path = None if out is None else new_file(out)
    with asking(url, about=id) as arena:
        record = arena.transcript(id)
    lines = record.count(b"\n")
    save(record, path, f"{lines} lines in {path}: prove them with `parlour verify {path}`")


def _plan(game: Game[Any], word: str) -> Plan:
    kind, colon, name = word.partition(":")
    if word == "open":
        return Plan("open")
    if word == "invited":
        return Plan("invited")
    if kind == "command" and colon and name:
        return Plan("command", name)
    if word in game.hosting.bots:
        return Plan("bot", word)
    known = ", ".join(game.hosting.bots)
    raise UserError(
        f"unknown seat {word!r} of {game.title}: write open, invited, command:NAME for a command of the arena's host, "
        f"or one of the bots {known}"
    )


def _options(game: Game[Any], settings: Sequence[str], seats: Sequence[str]) -> dict[str, Any]:
    """The given options; UserError if they or the number of seats do not fit the game."""
    fewest, most = seats_of(game)
    if not fewest <= len(seats) <= most:
        raise UserError(f"{game.title} has {fewest} to {most} seats, not {len(seats)}")
    game.rules.resolve(read_options(game, settings), [Sitting("anybody")] * len(seats))
    return read_settings(game, settings)


def _within(option: str, seconds: float, most: float, least: float | None = None) -> float:
    if not (seconds > 0 or seconds == least) or seconds > most:
        raise UserError(f"{option} must be {'above 0' if least is None else 'at least 0'} and at most {most:,.0f} s")
    return seconds

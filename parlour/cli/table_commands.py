"""The commands of `parlour table`, which set up and show tables of an arena."""

import contextlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from parlour.cli.arguments import ArenaUrl, GameName, Json, Settings, app
from parlour.cli.common import UserError, console, find_game, seats_of, stderr
from parlour.cli.options import read_options, read_settings
from parlour.core import Game, Sitting
from parlour.protocol.forms import CreatedTable, MatchState, NewTable, Plan, TableTerms
from parlour.referee.log import new_file

if TYPE_CHECKING:  # slow to import
    from parlour.client.api import ArenaApi

LONGEST_S = 3600.0
LONGEST_WAIT_S = 86400.0

table = typer.Typer(
    help="Tables of an arena: set them up, show them, remove them, fetch transcripts.", no_args_is_help=True
)
app.add_typer(table, name="table")

Id = Annotated[str, typer.Argument(metavar="ID", help="The id of a table or a match.")]
Token = Annotated[
    str | None,
    typer.Option(envvar="PARLOUR_TOKEN", show_envvar=True, metavar="TOKEN", help="Your token, with the scope host."),
]


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
    bank: Annotated[float, typer.Option(metavar="SECONDS", help="Extra time for the whole match.")] = 0.0,
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
        _tell_new(arena.url, created, as_json)


@table.command("list")
def list_(
    url: ArenaUrl,
    game_name: Annotated[str | None, typer.Option("--game", metavar="GAME", help="Only of this game.")] = None,
    state: Annotated[MatchState | None, typer.Option(help="Only in this state.")] = None,
    most: Annotated[int, typer.Option("--limit", metavar="N", min=1, help="How many at most.")] = 20,
    as_json: Json = False,
) -> None:
    """List tables and matches, the newest first.

    \b
    parlour table list http://127.0.0.1:8000 --state open
    """
    from parlour.cli.table_screen import matches_table

    name = None if game_name is None else find_game(game_name).name
    with asking(url) as arena:
        found = arena.matches(most, name, state)
    if as_json:
        print_json(found)
    elif found:
        console.print(matches_table(found))
    else:
        stderr.print(
            f"There are no such tables at {arena.url}" if name or state else f"There are no tables at {arena.url}"
        )


@table.command()
def show(url: ArenaUrl, id: Id, as_json: Json = False) -> None:
    """Show a table or a match: its seats, its terms, and how to connect.

    \b
    parlour table show http://127.0.0.1:8000 1a9b23494df5a916
    """
    from parlour.cli.table_screen import match_lines, seats_table

    with asking(url, about=id) as arena:
        found = arena.match(id)
    if as_json:
        print_json(found)
        return
    console.print(seats_table(found))
    for line in match_lines(arena.url, found):
        console.print(line, soft_wrap=True)


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
def transcript(
    url: ArenaUrl,
    id: Id,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="A new file; otherwise it is printed.")] = None,
) -> None:
    """Fetch the transcript of a finished match, for `parlour verify`, `replay` and `export`.

    \b
    parlour table transcript http://127.0.0.1:8000 1a9b23494df5a916 --out m.jsonl
    """
    path = None if out is None else new_file(out)
    with asking(url, about=id) as arena:
        record = arena.transcript(id)
    if path is None:
        sys.stdout.buffer.write(record)
        sys.stdout.buffer.flush()
        return
    with path.open("xb") as file:
        file.write(record)
    lines = record.count(b"\n")
    stderr.print(f"{lines} lines in {path}: prove them with `parlour verify {path}`", soft_wrap=True)


@contextlib.contextmanager
def asking(url: str, token: str | None = None, about: str | None = None) -> "Iterator[ArenaApi]":
    """The API of an arena; UserError if it refuses. The message begins with `about` or the URL."""
    from parlour.client.api import ArenaApi, Refused

    try:
        yield ArenaApi(url, token)
    except Refused as e:
        there = e.code in ("unreachable", "no_arena", "bad_url")
        raise UserError(f"{url if there or about is None else about}: {e}") from None


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


def needed_token(token: str | None, what: str) -> str:
    """The token; UserError if there is none."""
    if not token:
        raise UserError(
            f"{what} you need a token: give it with --token or in PARLOUR_TOKEN. `parlour admin token` makes one, "
            "and so does the arena's POST /api/login"
        )
    return token


def _tell_new(url: str, created: CreatedTable, as_json: bool) -> None:
    from parlour.cli.table_screen import connects_to, new_lines

    if as_json:
        print_json({"table": created.table, "key": created.key, "connect": connects_to(url, created.table)})
        return
    for line in new_lines(url, created):
        console.print(line, soft_wrap=True)


def print_json(what: object) -> None:
    """Print the result of a command with --json."""
    print(msgspec.json.encode(what).decode())

"""The commands of `parlour league`, which open and show leagues of an arena, and enter them."""

import contextlib
import re
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from parlour.cli.arguments import ArenaUrl, GameName, Json, Settings, app
from parlour.cli.common import UserError, console, find_game, stderr
from parlour.cli.options import read_settings
from parlour.cli.table_commands import Token, needed_token, print_json
from parlour.core import Game
from parlour.protocol.league_forms import (
    HousePlayer,
    LeagueFormat,
    LeagueInfo,
    LeagueState,
    LeagueTerms,
    LeagueTimes,
    NewEntry,
    NewLeague,
)
from parlour.referee.log import new_file

if TYPE_CHECKING:  # slow to import
    from parlour.client.leagues import LeagueApi

league = typer.Typer(
    help="Leagues of an arena: open them, enter them, show standings and ratings, export grades.", no_args_is_help=True
)
app.add_typer(league, name="league")

Id = Annotated[str, typer.Argument(metavar="ID", help="The id of a league.")]
Number = Annotated[int, typer.Argument(metavar="N", min=1, help="The number of a match in the schedule.")]
Why = Annotated[str, typer.Option("--why", metavar="WORDS", help="The reason, for the record of the league.")]
Full = Annotated[bool, typer.Option("--full", help="With all names and results; only for administrators.")]
Time = Annotated[
    str | None,
    typer.Option(metavar="TIME", help="A duration from now, such as 90s, 30m, 2h or 7d; or 2027-01-31T18:00."),
]
Deadline = Annotated[
    str,
    typer.Option(
        "--deadline", metavar="TIME", help="When entries close and the matches begin: 30m, 2h, 7d, or a time."
    ),
]

Grace = Annotated[float, typer.Option(metavar="SECONDS", help="How long a match waits for absent players.")]
House = Annotated[
    list[str] | None,
    typer.Option(metavar="PLAYER", help="A built-in bot, or command:NAME, that the host enters; repeatable."),
]


@league.command()
def new(
    url: ArenaUrl,
    game_name: GameName,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the league.")],
    deadline: Deadline,
    format: Annotated[LeagueFormat, typer.Option(help="How it is played.")] = "round-robin",
    seats: Annotated[int | None, typer.Option(metavar="N", min=2, help="The seats of every match.")] = None,
    deals: Annotated[int, typer.Option(metavar="N", min=1, help="Matches of every line-up.")] = 1,
    rounds: Annotated[int, typer.Option(metavar="N", min=1, help="Rounds of a Swiss league.")] = 3,
    settings: Settings = None,
    limit: Annotated[float | None, typer.Option(metavar="SECONDS", help="Time for an answer.")] = None,
    bank: Annotated[float, typer.Option(metavar="SECONDS", help="Extra time for the whole match.")] = 0.0,
    grace: Grace = 60.0,
    freeze: Time = None,
    anonymous: Annotated[bool, typer.Option("--anonymous", help="Show pseudonyms until the league is over.")] = False,
    team_size: Annotated[int, typer.Option(metavar="N", min=1, help="How many accounts may share an entry.")] = 1,
    house: House = None,
    token: Token = None,
    as_json: Json = False,
) -> None:
    """Open a league, as an administrator: parlour league new http://127.0.0.1:8000 GAME "Spring cup" --deadline 2h"""
    game = find_game(game_name)
    wanted = NewLeague(
        name=name,
        game=game.name,
        format=format,
        seats=seats,
        deals=deals,
        rounds=rounds,
        terms=LeagueTerms(options=read_settings(game, settings or ()), limit_s=limit, bank_s=bank, grace_s=grace),
        deadline_ms=read_time("--deadline", deadline),
        freeze_ms=None if freeze is None else read_time("--freeze", freeze),
        anonymous=anonymous,
        team_size=team_size,
        house=tuple(_house(game, word) for word in house or ()),
    )
    with asking_leagues(url, needed_token(token, "to open a league")) as arena:
        _tell_new(arena.url, arena.new_league(wanted), as_json=as_json)


@league.command("list")
def list_(
    url: ArenaUrl,
    game_name: Annotated[str | None, typer.Option("--game", metavar="GAME", help="Only of this game.")] = None,
    state: Annotated[LeagueState | None, typer.Option(help="Only in this state.")] = None,
    most: Annotated[int, typer.Option("--limit", metavar="N", min=1, help="How many at most.")] = 20,
    as_json: Json = False,
) -> None:
    """List leagues, the newest first."""
    from parlour.cli.league_screen import leagues_table

    name = None if game_name is None else find_game(game_name).name
    with asking_leagues(url) as arena:
        found = arena.leagues(most, state, name)
    if as_json:
        print_json(found)
    elif found:
        console.print(leagues_table(found))
    else:
        stderr.print(f"There are no {'such ' if name or state else ''}leagues at {arena.url}")


@league.command()
def show(url: ArenaUrl, id: Id, full: Full = False, token: Token = None, as_json: Json = False) -> None:
    """Show the standings of a league."""
    from parlour.cli.league_screen import league_lines, standings_table

    with asking_leagues(url, token if full else None, about=id) as arena:
        found = arena.standings(id, full=full)
    if as_json:
        print_json(found)
        return
    console.print(standings_table(found))
    for line in league_lines(found.league):
        console.print(line, soft_wrap=True)


@league.command()
def matches(url: ArenaUrl, id: Id, full: Full = False, token: Token = None, as_json: Json = False) -> None:
    """Show the schedule of a league, with results."""
    from parlour.cli.league_screen import schedule_table

    with asking_leagues(url, token if full else None, about=id) as arena:
        found = arena.league_matches(id, full=full)
    if as_json:
        print_json(found)
    elif found:
        console.print(schedule_table(found))
    else:
        stderr.print(f"No match of {id} has been drawn yet")


@league.command()
def records(url: ArenaUrl, id: Id, as_json: Json = False) -> None:
    """Show what was done to a league, with reasons."""
    from parlour.cli.league_screen import record_lines

    with asking_leagues(url, about=id) as arena:
        found = arena.records(id)
    if as_json:
        print_json(found)
        return
    for line in record_lines(found):
        console.print(line, soft_wrap=True)


@league.command()
def enter(
    url: ArenaUrl,
    id: Id,
    team: Annotated[str | None, typer.Option(metavar="NAME", help="Make a new team.")] = None,
    code: Annotated[str | None, typer.Option(metavar="CODE", help="Join the team with this invitation code.")] = None,
    command: Annotated[str | None, typer.Option(metavar="NAME", help="A command that the host offers plays.")] = None,
    token: Token = None,
    as_json: Json = False,
) -> None:
    """Enter a league with your account.

    \b
    parlour league enter http://127.0.0.1:8000 ID
    parlour join http://127.0.0.1:8000 GAME mybot.py --league ID
    """
    from parlour.cli.league_screen import own_lines

    with asking_leagues(url, needed_token(token, "to enter a league"), about=id) as arena:
        own = arena.enter(id, NewEntry(command=command, team=team, code=code))
        game = arena.league(id).game
    if as_json:
        print_json(own)
        return
    for line in own_lines(arena.url, game, own):
        console.print(line, soft_wrap=True)


@league.command()
def withdraw(url: ArenaUrl, id: Id, token: Token = None) -> None:
    """Withdraw your entry from a league, or leave your team."""
    with asking_leagues(url, needed_token(token, "to withdraw"), about=id) as arena:
        arena.withdraw(id)
    stderr.print(f"You have left the league {id}")


@league.command()
def change(
    url: ArenaUrl,
    id: Id,
    deadline: Time = None,
    freeze: Time = None,
    unfreeze: Annotated[bool, typer.Option("--unfreeze", help="Do not hide results any more.")] = False,
    token: Token = None,
) -> None:
    """Change the times of a league, as an administrator."""
    from parlour.cli.league_screen import league_lines

    times = LeagueTimes(
        deadline_ms=None if deadline is None else read_time("--deadline", deadline),
        freeze_ms=None if freeze is None else read_time("--freeze", freeze),
        unfreeze=unfreeze,
    )
    with asking_leagues(url, needed_token(token, "to change a league"), about=id) as arena:
        found = arena.change_league(id, times)
    for line in league_lines(found):
        console.print(line, soft_wrap=True)


@league.command()
def cancel(url: ArenaUrl, id: Id, why: Why, token: Token = None) -> None:
    """Cancel a league, as an administrator. Its matches are stopped."""
    with asking_leagues(url, needed_token(token, "to cancel a league"), about=id) as arena:
        arena.cancel_league(id, why)
    stderr.print(f"{id} is cancelled")


@league.command("cancel-match")
def cancel_match(url: ArenaUrl, id: Id, n: Number, why: Why, token: Token = None) -> None:
    """Cancel a match of a league, as an administrator. It counts for nobody."""
    with asking_leagues(url, needed_token(token, "to cancel a match"), about=id) as arena:
        arena.cancel_match(id, n, why)
    stderr.print(f"Match {n} of {id} is cancelled")


@league.command()
def rerun(url: ArenaUrl, id: Id, n: Number, why: Why, token: Token = None) -> None:
    """Have a match of a league played again, as an administrator."""
    with asking_leagues(url, needed_token(token, "to have a match played again"), about=id) as arena:
        arena.rerun(id, n, why)
    stderr.print(f"Match {n} of {id} will be played again")


@league.command()
def remove(
    url: ArenaUrl,
    id: Id,
    entry: Annotated[str, typer.Argument(metavar="ENTRY", help="The name of an entry.")],
    why: Why,
    token: Token = None,
) -> None:
    """Remove an entry from a league, as an administrator."""
    with asking_leagues(url, needed_token(token, "to remove an entry"), about=id) as arena:
        found = [each.id for each in arena.entries(id, full=True) if entry in (each.name, each.id)]
        if not found:
            raise UserError(f"{id}: there is no entry {entry!r}")
        arena.remove(id, found[0], why)
    stderr.print(f"{entry} is removed from {id}")


@league.command()
def export(
    url: ArenaUrl,
    id: Id,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="A new file; otherwise it is printed.")] = None,
    token: Token = None,
) -> None:
    """Export the standings of a league as CSV with a line per account, for grades; as an administrator."""
    path = None if out is None else new_file(out)
    with asking_leagues(url, needed_token(token, "to export grades"), about=id) as arena:
        lines = arena.export(id)
    if path is None:
        sys.stdout.buffer.write(lines)
        sys.stdout.buffer.flush()
        return
    with path.open("xb") as file:
        file.write(lines)
    stderr.print(f"{len(lines.splitlines()) - 1} lines in {path}", soft_wrap=True)


@league.command()
def ratings(
    url: ArenaUrl,
    game_name: GameName,
    most: Annotated[int, typer.Option("--limit", metavar="N", min=1, help="How many at most.")] = 50,
    as_json: Json = False,
) -> None:
    """Show the leaderboard of a game: the ratings of accounts and bots."""
    from parlour.cli.league_screen import ratings_table

    game = find_game(game_name)
    with asking_leagues(url) as arena:
        found = arena.ratings(game.name, most)
    if as_json:
        print_json(found)
    elif found:
        console.print(ratings_table(found))
    else:
        stderr.print(f"No match of {game.title} has been rated at {arena.url}")


@contextlib.contextmanager
def asking_leagues(url: str, token: str | None = None, about: str | None = None) -> "Iterator[LeagueApi]":
    """The API of an arena; UserError if it refuses. The message begins with `about` or the URL."""
    from parlour.client.api import Refused
    from parlour.client.leagues import LeagueApi

    try:
        yield LeagueApi(url, token)
    except Refused as e:
        there = e.code in ("unreachable", "no_arena", "bad_url")
        raise UserError(f"{url if there or about is None else about}: {e}") from None


_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


def read_time(option: str, text: str) -> int:
    """A duration from now, or a local time, in milliseconds since 1970."""
    found = re.fullmatch(r"(\d{1,6})([smhd])", text.strip())
    try:
        if found is not None:
            when = datetime.now() + timedelta(**{_UNITS[found[2]]: int(found[1])})
        else:
            when = datetime.fromisoformat(text.strip())
        return int(when.timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        raise UserError(
            f"{option} {text}: write a duration such as 90s, 30m, 2h or 7d, or a time such as 2027-01-31T18:00"
        ) from None


def _tell_new(url: str, found: LeagueInfo, *, as_json: bool) -> None:
    from parlour.cli.league_screen import new_league_lines

    if as_json:
        print_json(found)
        return
    for line in new_league_lines(url, found):
        console.print(line, soft_wrap=True)


def _house(game: Game[Any], word: str) -> HousePlayer:
    kind, colon, name = word.partition(":")
    if kind == "command" and colon and name:
        return HousePlayer("command", name)
    if word in game.hosting.bots:
        return HousePlayer("bot", word)
    known: Sequence[str] = [*game.hosting.bots]
    raise UserError(
        f"--house {word}: write command:NAME for a command of the arena's host, or one of the bots {', '.join(known)}"
    )

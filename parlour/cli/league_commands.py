"""The commands of `parlour league`, which open and show leagues of an arena, and enter them."""

import re
from datetime import datetime, timedelta
from itertools import chain
from typing import Annotated, Any

import typer

from parlour.cli.arena_requests import Most, OnlyGame, OutFile, Token, asking, needed_token, save, tell, tell_list
from parlour.cli.arguments import ArenaUrl, BankS, GameName, Json, LimitS, Settings, app
from parlour.cli.common import UserError, find_game, stderr
from parlour.cli.league_screen import (
    league_lines,
    leagues_table,
    new_league_lines,
    own_lines,
    ratings_table,
    record_lines,
    schedule_table,
    standings_table,
)
from parlour.cli.options import read_settings
from parlour.core import Game
from parlour.protocol.league_forms import (
    HousePlayer,
    LeagueFormat,
    LeagueState,
    LeagueTerms,
    LeagueTimes,
    NewEntry,
    NewLeague,
)
from parlour.referee.log import new_file

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
    limit: LimitS = None,
    bank: BankS = 0.0,
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
    with asking(url, needed_token(token, "to open a league")) as arena:
        found = arena.new_league(wanted)
    tell(found, as_json, new_league_lines(arena.url, found))


@league.command("list")
def list_(
    url: ArenaUrl,
    game_name: OnlyGame = None,
    state: Annotated[LeagueState | None, typer.Option(help="Only in this state.")] = None,
    most: Most = 20,
    as_json: Json = False,
) -> None:
    """List leagues, the newest first."""
    name = None if game_name is None else find_game(game_name).name
    with asking(url) as arena:
        found = arena.leagues(most, state, name)
    such = "such " if name or state else ""
    tell_list(found, as_json, leagues_table, f"There are no {such}leagues at {arena.url}")


@league.command()
def show(url: ArenaUrl, id: Id, full: Full = False, token: Token = None, as_json: Json = False) -> None:
    """Show the standings of a league."""
    with asking(url, token if full else None, about=id) as arena:
        found = arena.standings(id, full=full)
    tell(found, as_json, chain([standings_table(found)], league_lines(found.league)))


@league.command()
def matches(url: ArenaUrl, id: Id, full: Full = False, token: Token = None, as_json: Json = False) -> None:
    """Show the schedule of a league, with results."""
    with asking(url, token if full else None, about=id) as arena:
        found = arena.league_matches(id, full=full)
    tell_list(found, as_json, schedule_table, f"No match of {id} has been drawn yet")


@league.command()
def records(url: ArenaUrl, id: Id, as_json: Json = False) -> None:
    """Show what was done to a league, with reasons."""
    with asking(url, about=id) as arena:
        found = arena.records(id)
    tell(found, as_json, record_lines(found))


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
    with asking(url, needed_token(token, "to enter a league"), about=id) as arena:
        own = arena.enter(id, NewEntry(command=command, team=team, code=code))
        game = arena.league(id).game
    tell(own, as_json, own_lines(arena.url, game, own))


@league.command()
def withdraw(url: ArenaUrl, id: Id, token: Token = None) -> None:
    """Withdraw your entry from a league, or leave your team."""
    with asking(url, needed_token(token, "to withdraw"), about=id) as arena:
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
    times = LeagueTimes(
        deadline_ms=None if deadline is None else read_time("--deadline", deadline),
        freeze_ms=None if freeze is None else read_time("--freeze", freeze),
        unfreeze=unfreeze,
    )
    with asking(url, needed_token(token, "to change a league"), about=id) as arena:
        found = arena.change_league(id, times)
    tell(found, as_json=False, shown=league_lines(found))


@league.command()
def cancel(url: ArenaUrl, id: Id, why: Why, token: Token = None) -> None:
    """Cancel a league, as an administrator. Its matches are stopped."""
    with asking(url, needed_token(token, "to cancel a league"), about=id) as arena:
        arena.cancel_league(id, why)
    stderr.print(f"{id} is cancelled")


@league.command("cancel-match")
def cancel_match(url: ArenaUrl, id: Id, n: Number, why: Why, token: Token = None) -> None:
    """Cancel a match of a league, as an administrator. It counts for nobody."""
    with asking(url, needed_token(token, "to cancel a match"), about=id) as arena:
        arena.cancel_match(id, n, why)
    stderr.print(f"Match {n} of {id} is cancelled")


@league.command()
def rerun(url: ArenaUrl, id: Id, n: Number, why: Why, token: Token = None) -> None:
    """Have a match of a league played again, as an administrator."""
    with asking(url, needed_token(token, "to have a match played again"), about=id) as arena:
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
    with asking(url, needed_token(token, "to remove an entry"), about=id) as arena:
        found = [each.id for each in arena.entries(id, full=True) if entry in (each.name, each.id)]
        if not found:
            raise UserError(f"{id}: there is no entry {entry!r}")
        arena.remove(id, found[0], why)
    stderr.print(f"{entry} is removed from {id}")


@league.command()
def export(url: ArenaUrl, id: Id, out: OutFile = None, token: Token = None) -> None:
    """Export the standings of a league as CSV with a line per account, for grades; as an administrator."""
    path = None if out is None else new_file(out)
    with asking(url, needed_token(token, "to export grades"), about=id) as arena:
        lines = arena.export(id)
    save(lines, path, f"{len(lines.splitlines()) - 1} lines in {path}")


@league.command()
def ratings(
    url: ArenaUrl,
    game_name: GameName,
    most: Most = 50,
    as_json: Json = False,
) -> None:
    """Show the leaderboard of a game: the ratings of accounts and bots."""
    game = find_game(game_name)
    with asking(url) as arena:
        found = arena.ratings(game.name, most)
    tell_list(found, as_json, ratings_table, f"No match of {game.title} has been rated at {arena.url}")


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


def _house(game: Game[Any], word: str) -> HousePlayer:
    kind, colon, name = word.partition(":")
    if kind == "command" and colon and name:
        return HousePlayer("command", name)
    if word in game.hosting.bots:
        return HousePlayer("bot", word)
    known = ", ".join(game.hosting.bots)
    raise UserError(f"--house {word}: write command:NAME for a command of the arena's host, or one of the bots {known}")

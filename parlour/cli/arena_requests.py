"""Shared by commands that ask an arena: the request, the token, and the answer on the screen or as JSON."""

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from rich.table import Table

from parlour.cli.common import UserError, console, print_json, stderr

if TYPE_CHECKING:  # slow to import
    from parlour.client.leagues import LeagueApi

T = TypeVar("T")

Token = Annotated[
    str | None,
    typer.Option(envvar="PARLOUR_TOKEN", show_envvar=True, metavar="TOKEN", help="Your token, with the scope host."),
]
OnlyGame = Annotated[str | None, typer.Option("--game", metavar="GAME", help="Only of this game.")]
Most = Annotated[int, typer.Option("--limit", metavar="N", min=1, help="How many at most.")]
OutFile = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="A new file; otherwise it is printed.")]


@contextlib.contextmanager
def asking(url: str, token: str | None = None, about: str | None = None) -> "Iterator[LeagueApi]":
    """The API of an arena; UserError if it refuses. The message begins with `about` or the URL."""
    from parlour.client.api import Refused
    from parlour.client.leagues import LeagueApi

    try:
        yield LeagueApi(url, token)
    except Refused as e:
        there = e.code in ("unreachable", "no_arena", "bad_url")
        raise UserError(f"{url if there or about is None else about}: {e}") from None


def needed_token(token: str | None, what: str) -> str:
    """The token; UserError if there is none."""
    if not token:
        raise UserError(
            f"{what} you need a token: give it with --token or in PARLOUR_TOKEN. `parlour admin token` makes one, "
            "and so does the arena's POST /api/login"
        )
    return token


def tell(found: object, as_json: bool, shown: Iterable[str | Table]) -> None:
    """Print an answer as JSON, or as it is shown: as tables and lines."""
    if as_json:
        print_json(found)
        return
    for each in shown:
        console.print(each, soft_wrap=isinstance(each, str))


def tell_list(found: Sequence[T], as_json: bool, table: Callable[[Sequence[T]], Table], nothing: str) -> None:
    """Print a list as JSON or as a table; if it is empty, say `nothing`."""
    if as_json:
        print_json(found)
    elif found:
        console.print(table(found))
    else:
        stderr.print(nothing)


def save(data: bytes, path: Path | None, told: str) -> None:
    """Write an answer to a new file and say what is there; without a file, print it."""
    if path is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    with path.open("xb") as file:
        file.write(data)
    stderr.print(told, soft_wrap=True)

"""Administer an arena: administrators, tokens, and checks and backups of the store."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from rich.progress import Progress

from parlour import plugins
from parlour.cli.arguments import app
from parlour.cli.common import StoreFailed, UserError, console, stderr
from parlour.cli.tables import table_of
from parlour.core.values import plain, why_not_a_name
from parlour.protocol.errors import RequestError
from parlour.referee.known_rules import UnknownRules
from parlour.referee.log import new_file

if TYPE_CHECKING:  # SQLAlchemy is slow to import, and other commands do not need it
    from parlour.protocol.records import StoredMatch
    from parlour.store.store import Store

T = TypeVar("T")

admin = typer.Typer(
    help="Administer an arena: accounts, tokens, matches, and checks and backups of the store.", no_args_is_help=True
)
app.add_typer(admin, name="admin")

Url = Annotated[
    str,
    typer.Option(
        "--store",
        metavar="URL",
        envvar="PARLOUR_STORE",
        show_envvar=True,
        help="sqlite:///FILE or postgresql://USER@HOST/NAME.",
    ),
]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of the account.")]
PasswordStdin = Annotated[bool, typer.Option("--password-stdin", help="Read the password from standard input.")]
HERE = "sqlite:///arena.db"
SCOPES = ("play", "host", "account", "admin")
SHORTEST = 8
UNFINISHED = ("open", "running")
"""The states of tables and matches that are not over."""
DAMAGED = 3
"""The exit status of `check` when the database itself is damaged."""


@admin.command()
def create(
    name: Name,
    password_stdin: PasswordStdin = False,
    store: Url = HERE,
) -> None:
    """Create an administrator. The password is asked for and not shown."""
    check_name(name)
    password = new_password(password_stdin)

    async def work(opened: "Store") -> None:
        from parlour.server.accounts import Doorkeeper

        try:
            await Doorkeeper(opened).register(name, password, admin=True)
        except RequestError as e:
            raise UserError(f"{name}: {e.words}") from None

    with_store(store, work)
    stderr.print(f"{name} is an administrator of {shown_url(store)}")


@admin.command()
def token(
    name: Name,
    scope: Annotated[
        list[str] | None, typer.Option(metavar="SCOPE", help="play, host, account or admin; repeatable.")
    ] = None,
    label: Annotated[str, typer.Option(help="What it is for.")] = "command line",
    days: Annotated[
        int, typer.Option(metavar="N", min=0, max=36500, help="How long it is valid; 0: until it is revoked.")
    ] = 90,
    store: Url = HERE,
) -> None:
    """Create a token for an account and print it, only once. Without --scope, it allows all that the account may do."""
    if wrong := [each for each in scope or () if each not in SCOPES]:
        raise UserError(f"--scope {wrong[0]}: unknown scope; choose from {', '.join(SCOPES)}")
    if len(label) > 64:
        raise UserError("--label: at most 64 characters")

    async def work(opened: "Store") -> str:
        from parlour.server.accounts import Doorkeeper
        from parlour.server.settings import Settings

        account = await opened.account(name)
        if account is None:
            raise UserError(f"{name}: there is no such account")
        wanted: Any = scope or [each for each in SCOPES if each != "admin" or account.admin]
        try:
            return (await Doorkeeper(opened, Settings(token_days=days)).make_token(account, wanted, label))[0]
        except RequestError as e:
            raise UserError(f"{name}: {e.words}") from None

    print(with_store(existing(store), work))


@admin.command()
def check(store: Url = HERE) -> None:
    """Verify all matches of the store. Exits 0 only if all are correct, 1 if a match is not, and 3 if the database is
    damaged.

    Exits 4 if only chain and commitment of some matches could be checked, because this release lacks their rules.
    No server should be using the store; if one is, check a backup."""
    _check_database(store)
    try:
        checked, troubles, unproved = with_store(store, _checked)
    except StoreFailed as e:
        raise _damaged([e.words], store) from None
    for line in (*troubles, *unproved):
        console.print(line, soft_wrap=True)
    if unproved:
        stderr.print(f"the moves of {len(unproved)} matches were not replayed: this release lacks their rules")
    if troubles:
        stderr.print(f"{len(troubles)} of {checked} matches are broken")
        raise typer.Exit(1)
    if unproved:
        raise typer.Exit(4)
    stderr.print(f"all {checked} matches hold")


def _check_database(url: str) -> None:
    """Check the database before it is opened, as opening creates missing tables."""
    from parlour.store.damage import damage
    from parlour.store.database import BadUrl

    try:
        wrong = asyncio.run(damage(existing(url)))
    except BadUrl as e:
        raise UserError(f"--store: {e}") from None
    if wrong:
        raise _damaged(wrong, url)


def _damaged(wrong: list[str], url: str) -> typer.Exit:
    """Print the damage of the database, and the advice to restore a backup."""
    for words in wrong:
        console.print(words, soft_wrap=True)
    stderr.print(f"{shown_url(url)} is damaged; restore a backup", soft_wrap=True)
    return typer.Exit(DAMAGED)


async def _checked(opened: "Store") -> tuple[int, list[str], list[str]]:
    """The number of matches, a line for each that is broken, and one for each whose moves could not be replayed."""
    from parlour.store.check import not_replayed

    troubles, unproved, checked = [], [], 0
    with Progress(console=stderr, transient=True) as progress:
        bar = progress.add_task("checking", total=await opened.count_matches())
        async for match in opened.each_match():
            if wrong := await _wrong(opened, match):
                troubles.append(f"{match.id} ({match.game}, {match.state}): {'; '.join(wrong)}")
            elif (why := await not_replayed(opened, match, plugins.game)) is not None:
                unproved.append(f"{match.id} ({match.game}, {match.state}): not replayed: {why}")
            checked += 1
            progress.advance(bar)
    return checked, troubles, unproved


@admin.command()
def matches(store: Url = HERE) -> None:
    """List the tables and matches that are not over, and whether this release can resume them."""
    table = table_of("match", "game", "state", "seats", "resumes here", folds=True)
    for row in with_store(existing(store), _unfinished):
        table.add_row(*row)
    console.print(table if table.row_count else "no table is open, and no match is running")


async def _unfinished(opened: "Store") -> list[tuple[str, ...]]:
    from parlour.tables.match_setup import Dealer
    from parlour.tables.stored_tables import check_known

    rows: list[tuple[str, ...]] = []
    async for match in opened.each_match():
        if match.state in UNFINISHED:
            try:
                check_known(Dealer({}), match, await opened.lines(match.id, limit=1))
                resumes = "yes"
            except UnknownRules as e:
                resumes = f"no: {e.why}"
            names = ", ".join(plain(seat.name or "-") for seat in match.seats)
            rows.append((match.id, match.game, match.state, names, plain(resumes)))
    return rows


async def _wrong(opened: "Store", match: "StoredMatch") -> list[str]:
    """The errors of a stored match. A failure of the database is raised."""
    from parlour.store.check import check as wrong_with
    from parlour.store.failures import is_store_failure

    try:
        return await wrong_with(opened, match, plugins.game)
    except Exception as e:
        if is_store_failure(e):
            raise
        return [f"it cannot be checked: {type(e).__name__}: {' '.join(str(e).split())}"]


@admin.command()
def key(store: Url = HERE) -> None:
    """Print the public key of the server's signatures, for others to compare."""

    async def work(opened: "Store") -> str:
        from parlour.referee.signature import Signer, new_key

        return Signer(await opened.signing_key(new_key)).public_key

    print(with_store(existing(store), work))


@admin.command()
def backup(
    to: Annotated[Path, typer.Argument(metavar="FILE", help="Where to put the copy; nothing is overwritten.")],
    store: Url = HERE,
) -> None:
    """Copy an SQLite store as it is at this moment, even while the server runs. For PostgreSQL, use pg_dump."""
    from parlour.store.backup import back_up
    from parlour.store.database import file_of

    file = file_of(existing(store))
    if file is None:
        raise UserError("backup is for SQLite; for PostgreSQL use pg_dump, which can run beside the server")
    back_up(Path(file), new_file(to))
    stderr.print(f"{shown_url(store)} is copied to {to}", soft_wrap=True)


@admin.command()
def tidy(
    days: Annotated[int, typer.Option(metavar="N", min=1, help="Their age, at least.")] = 30,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count them.")] = False,
    store: Url = HERE,
) -> None:
    """Delete old guests who have never had a seat. A running server also does this by itself."""
    from parlour.store.tidy import tidy as tidied

    found = with_store(existing(store), lambda opened: tidied(opened, days, dry_run=dry_run))
    guests = "1 guest who has" if found == 1 else f"{found} guests who have"
    stderr.print(f"{guests} never had a seat {'would be' if dry_run else 'was' if found == 1 else 'were'} removed")


def with_store(url: str, work: "Callable[[Store], Awaitable[T]]") -> T:
    """Run `work` on a store; StoreFailed if its database fails. A server may be using the store."""
    from sqlalchemy.exc import SQLAlchemyError

    from parlour.store.database import BadUrl
    from parlour.store.failures import StoreGone, words_of
    from parlour.store.lock import StoreInUse
    from parlour.store.store import Store

    async def opened() -> T:
        store = await Store.open(url)
        try:
            return await work(store)
        finally:
            await store.close()

    try:
        return asyncio.run(opened())
    except (BadUrl, StoreInUse) as e:
        raise UserError(f"--store: {e}") from None
    except (SQLAlchemyError, StoreGone) as e:
        raise StoreFailed(shown_url(url), words_of(e)) from None


def existing(url: str) -> str:
    """Return the URL; UserError if it is a file that does not exist, as opening would create it."""
    from parlour.store.database import BadUrl, file_of

    try:
        file = file_of(url)
    except BadUrl as e:
        raise UserError(f"--store: {e}") from None
    if file is not None and not Path(file).is_file():
        raise UserError(f"--store: there is no store {file}")
    return url


def shown_url(url: str) -> str:
    """The URL of a store without its password."""
    from parlour.store.database import without_password

    return without_password(url)


def check_name(name: str) -> None:
    """UserError if this is not a valid name."""
    if why := why_not_a_name(name):
        raise UserError(f"{plain(name)!r}: {why}")


def new_password(from_stdin: bool) -> str:
    """A password, read from standard input or asked for; UserError if it is too short or too long."""
    if from_stdin:
        password = sys.stdin.readline().rstrip("\r\n")
    else:
        password = typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    if not SHORTEST <= len(password) <= 200:
        raise UserError(f"a password has {SHORTEST} to 200 characters")
    return password

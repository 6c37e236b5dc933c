"""Administer the accounts and matches of an arena, even while its server runs.

These commands change the store and leave an order there, which the server carries out within a second or two.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated

import typer

from parlour.cli.admin import HERE, UNFINISHED, Name, PasswordStdin, Url, admin, existing, new_password, with_store
from parlour.cli.common import UserError, stderr

if TYPE_CHECKING:
    from parlour.protocol.records import Account
    from parlour.store.store import Store

LOOK_S = 0.1


@admin.command()
def grant(name: Name, store: Url = HERE) -> None:
    """Make an account an administrator. Its new tokens can have the scope admin."""
    _change(store, name, lambda opened, account: opened.people.set_admin(account.id, True), "a guest has no password")
    stderr.print(f"{name} is an administrator")


@admin.command()
def withdraw(name: Name, store: Url = HERE) -> None:
    """Make an administrator an ordinary account again. Its tokens lose the scope admin at once."""
    _change(store, name, lambda opened, account: opened.people.set_admin(account.id, False), "a guest has no password")
    stderr.print(f"{name} is no longer an administrator")


@admin.command()
def ban(name: Name, store: Url = HERE) -> None:
    """Ban an account: it cannot log in or use its tokens, is disconnected, and leaves its matches."""
    _change(store, name, lambda opened, account: opened.people.set_state(account.id, "banned"))
    stderr.print(f"{name} is banned")


@admin.command()
def unban(name: Name, store: Url = HERE) -> None:
    """Let a banned account back in; its tokens are valid again. It does not return to matches that it has left."""
    _change(store, name, lambda opened, account: opened.people.set_state(account.id, "active"))
    stderr.print(f"{name} is not banned")


@admin.command()
def password(
    name: Name,
    password_stdin: PasswordStdin = False,
    draw: Annotated[bool, typer.Option("--draw", help="Draw a random password and print it, only once.")] = False,
    store: Url = HERE,
) -> None:
    """Set another password. All tokens of the account end."""
    from parlour.store.passwords import drawn_password

    existing(store)
    given = drawn_password() if draw else new_password(password_stdin)

    async def work(opened: "Store", account: "Account") -> bool:
        from parlour.store.passwords import hashed

        return await opened.people.set_password(account.id, hashed(given)) is not None

    _change(store, name, work, "a guest has no password")
    stderr.print(f"{name} has another password, and all its tokens have ended")
    if draw:
        print(given)


@admin.command()
def delete(
    name: Name,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    store: Url = HERE,
) -> None:
    """Delete an account for good. It leaves its matches; finished matches keep its name."""
    existing(store)
    if not yes and not typer.confirm(f"Delete {name} for good?", err=True):
        raise UserError("nothing was deleted")
    _change(store, name, lambda opened, account: opened.people.delete(account.id))
    stderr.print(f"{name} is deleted")


@admin.command()
def stop(
    match: Annotated[str, typer.Argument(metavar="MATCH", help="The id of the match.")],
    wait: Annotated[float, typer.Option(metavar="S", min=0, help="How long to wait for the server.")] = 10.0,
    store: Url = HERE,
) -> None:
    """End a match now, as it stands, or remove a table. Exits 0 once that is done; 3 if no server has done it yet."""

    async def work(opened: "Store") -> str:
        stored = await opened.match(match)
        if stored is None:
            raise UserError(f"{match}: there is no such match")
        if stored.state not in UNFINISHED:
            raise UserError(f"{match}: the match is over already")
        await opened.orders.give("stop", match)
        return await _ended(opened, match, wait)

    state = with_store(existing(store), work)
    if state in UNFINISHED:
        stderr.print(f"{match} is still {state}: it ends as soon as a server plays it")
        raise typer.Exit(3)
    stderr.print(f"{match} is {state}")


async def _ended(opened: "Store", match: str, wait_s: float) -> str:
    """The state of a match, once it is finished or after `wait_s`."""
    until = asyncio.get_running_loop().time() + wait_s
    while True:
        stored = await opened.match(match)
        assert stored is not None
        if stored.state not in UNFINISHED or asyncio.get_running_loop().time() >= until:
            return stored.state
        await asyncio.sleep(LOOK_S)


def _change(
    url: str, name: str, change: "Callable[[Store, Account], Awaitable[bool]]", unless: str = "it cannot be changed"
) -> None:
    """Change an account; UserError if there is none, or if the change fails."""

    async def work(opened: "Store") -> None:
        account = await opened.account(name)
        if account is None or account.state == "deleted":
            raise UserError(f"{name}: there is no such account")
        if not await change(opened, account):
            raise UserError(f"{name}: {unless}")

    with_store(existing(url), work)

"""Create accounts for a class, all of them or none. The API and `parlour admin import` share this.

First every name is checked, so that all mistakes are reported together. Then passwords are drawn and hashed, which
takes most of the time. At last all accounts are added in one transaction.
"""

from collections.abc import Callable, Sequence

from msgspec import Struct

from parlour.core.values import why_not_a_name
from parlour.server.accounts import Doorkeeper
from parlour.server.reserved_names import why_refused_in_thread
from parlour.store.name_skeletons import keys_in_thread
from parlour.store.passwords import drawn_password, hashed_in_thread
from parlour.store.store import NewAccount, Store

SHORTEST, LONGEST = 8, 200
"""Characters of a password."""


class WantedAccount(Struct, frozen=True):
    """An account to be created, and the line that names it."""

    line: int
    """Counted from 1."""
    name: str
    password: str = ""
    """Empty: one is drawn."""


class RefusedName(Struct, frozen=True):
    """A name that no account can be created for."""

    line: int
    """Its place in the list, counted from 1."""
    name: str
    why: str


class CheckedNames(Struct, frozen=True):
    """The result of checking an import."""

    new: tuple[WantedAccount, ...]
    """The accounts that would be created."""
    kept: tuple[WantedAccount, ...]
    """Names that have an account already, which stays as it is."""
    refused: tuple[RefusedName, ...]
    """If there are any, nothing is created."""


async def check_names(store: Store, wanted: Sequence[WantedAccount]) -> CheckedNames:
    """Check all names against the rules for names, against each other, and against the accounts of the store."""
    new, kept, refused = list[WantedAccount](), list[WantedAccount](), list[RefusedName]()
    seen: dict[str, int] = {}
    for each in wanted:
        why = await _wrong_with(each) or await _like_another(each, seen)
        if why is None and await _has_account(store, each.name):
            kept.append(each)
            continue
        if why is None:
            why = await Doorkeeper(store).why_taken(each.name)
        if why is None:
            new.append(each)
        else:
            refused.append(RefusedName(each.line, each.name, why))
    return CheckedNames(tuple(new), tuple(kept), tuple(refused))


async def _wrong_with(wanted: WantedAccount) -> str | None:
    """The mistake in a line, as far as it can be found without the others and the store."""
    if why := why_not_a_name(wanted.name) or await why_refused_in_thread(wanted.name):
        return why
    if wanted.password and not SHORTEST <= len(wanted.password) <= LONGEST:
        return f"a password has {SHORTEST} to {LONGEST} characters"
    return None


async def _like_another(wanted: WantedAccount, seen: dict[str, int]) -> str | None:
    """Remember the keys of a name; the mistake if an earlier line has one of them."""
    own = await keys_in_thread(wanted.name)
    twice = next((seen[key] for key in own if key in seen), None)
    if twice is not None:
        return f"it looks like the name in line {twice}"
    seen |= dict.fromkeys(own, wanted.line)
    return None


async def _has_account(store: Store, name: str) -> bool:
    account = await store.account(name)
    return account is not None and account.password is not None


def with_passwords(wanted: Sequence[WantedAccount]) -> list[WantedAccount]:
    """The same accounts, with a drawn password where none is given."""
    return [WantedAccount(each.line, each.name, each.password or drawn_password()) for each in wanted]


async def hashed_accounts(
    given: Sequence[WantedAccount], progress: Callable[[int], None] = lambda done: None
) -> list[NewAccount]:
    """The accounts with the hashes of their passwords. Passwords are hashed one after the other in the thread for
    passwords, so the event loop goes on and logins wait for one hash at most. `progress` is told the number done."""
    hashed = list[NewAccount]()
    for each in given:
        hashed.append(NewAccount(each.name, await hashed_in_thread(each.password)))
        progress(len(hashed))
    return hashed

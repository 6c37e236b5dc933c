"""Stored tokens: a limit per account, and families that are revoked together."""

from sqlalchemy import ColumnElement, Connection, case, func, insert, or_, select, update

from parlour.protocol.records import Account, now_ms
from parlour.store.schema import accounts, tokens
from parlour.store.statements import Statement

MOST_LISTED = 1000
"""How many tokens of an account are listed."""


class TooManyTokens(Exception):
    """The account has reached its limit of tokens."""


class ParentEnded(Exception):
    """The parent token is no longer valid."""


class PasswordChanged(Exception):
    """The account no longer has the password with which it logged in."""


def holds(at_ms: int) -> ColumnElement[bool]:
    """The SQL condition that a token is neither revoked nor expired."""
    return tokens.c.revoked.is_(False) & or_(tokens.c.expires_ms.is_(None), tokens.c.expires_ms > at_ms)


def ended(before_ms: int) -> ColumnElement[bool]:
    """The condition that a token was revoked or has expired before that time."""
    at_ms = func.coalesce(tokens.c.expires_ms, tokens.c.created_ms)  # older releases kept no time of revoking
    return ~holds(before_ms) & (at_ms < before_ms)


def check(connection: Connection, account: Account, parent: int | None, most: int | None) -> None:
    """Raise PasswordChanged, ParentEnded or TooManyTokens if the account may not get another token now.

    The account's row is locked, so that no other change of its tokens comes in between."""
    good = holds(now_ms())
    if parent is None:
        check_password(connection, account)
    else:
        _lock(connection, account.id)
        valid = select(tokens.c.id).where(tokens.c.id == parent, tokens.c.account == account.id, good)
        if connection.scalar(valid) is None:
            raise ParentEnded
    if most is not None:
        own = select(func.count()).select_from(tokens).where(tokens.c.account == account.id, good)
        if (connection.scalar(own) or 0) >= most:
            raise TooManyTokens


def check_password(connection: Connection, account: Account) -> None:
    """Raise PasswordChanged if the account was read before its last change of password; locks its row."""
    if _lock(connection, account.id) != account.password:
        raise PasswordChanged


def add(connection: Connection, row: dict[str, object]) -> int:
    """Add a token and return its id."""
    [[id]] = _ADD.rows(connection, row)
    return int(id)


def end(connection: Connection, account: int, token: int) -> list[int]:
    """Revoke a token and all that were made from it, directly or not; returns their ids."""
    _lock(connection, account)
    family = select(tokens.c.id).where(tokens.c.id == token, tokens.c.account == account).cte(recursive=True)
    family = family.union(select(tokens.c.id).join(family, tokens.c.parent == family.c.id))
    _revoke(connection, tokens.c.id.in_(select(family.c.id)))  # a list of ids may be too long for a statement
    return [*connection.scalars(select(family.c.id).order_by(family.c.id))]


def end_all(connection: Connection, account: int) -> list[int]:
    """Revoke all tokens of an account; returns the ids of those that were not revoked."""
    _lock(connection, account)
    ids = [*connection.scalars(select(tokens.c.id).where(tokens.c.account == account, tokens.c.revoked.is_(False)))]
    _revoke(connection, tokens.c.account == account)
    return ids


def _revoke(connection: Connection, which: ColumnElement[bool]) -> None:
    """Revoke these tokens. Valid ones expire now, so that it is known when they ended."""
    now = now_ms()
    expires_ms = case((holds(now), now), else_=tokens.c.expires_ms)
    connection.execute(update(tokens).where(which).values(revoked=True, expires_ms=expires_ms))


def _lock(connection: Connection, account: int) -> str | None:
    """Lock the row of an account; returns the hash of its password."""
    return connection.scalar(select(accounts.c.password).where(accounts.c.id == account).with_for_update())


_ADD = Statement(insert(tokens).returning(tokens.c.id), [column.name for column in tokens.c if column.name != "id"])

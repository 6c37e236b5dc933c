"""`parlour admin import`: accounts for a class, from a file."""

import csv
import io
import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Struct
from rich.progress import Progress

from parlour.cli.admin import HERE, SHORTEST, Url, admin, existing, with_store
from parlour.cli.common import UserError, new_file, stderr
from parlour.core.values import MOST_NAME, plain, why_not_a_name

if TYPE_CHECKING:
    from parlour.store.store import Store

COLUMNS = ("name", "password")
LONGEST = 200


class AccountLine(Struct, frozen=True):
    """An account to be created, and its line in the file."""

    number: int
    name: str
    password: str
    """Empty: one is drawn."""


@admin.command(name="import")
def import_accounts(
    file: Annotated[
        Path, typer.Argument(metavar="FILE.csv", help="A CSV file with the column name and, optionally, password.")
    ],
    passwords: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where to write names and drawn passwords; otherwise they are printed."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only check the file.")] = False,
    store: Url = HERE,
) -> None:
    """Create an account for each line of a file. All lines are checked before any account is created."""
    lines = _read(file)
    new, mistakes = with_store(existing(store), lambda opened: _checked(opened, lines))
    if mistakes:
        for mistake in mistakes:
            stderr.print(mistake, soft_wrap=True)
        raise UserError(f"{file}: {_lines(len(mistakes))} cannot be imported; nothing was created")
    here = {line.number for line in new}
    for line in lines:
        if line.number not in here:
            stderr.print(f"line {line.number}: {line.name} has an account, which stays as it is", soft_wrap=True)
    if dry_run:
        stderr.print(f"{_accounts(len(new))} would be created")
        return
    if passwords is not None:
        new_file(passwords)
    given = [AccountLine(line.number, line.name, line.password or secrets.token_urlsafe(9)) for line in new]
    drawn = [line for line, before in zip(given, new, strict=True) if not before.password]
    _create(store, given, drawn, passwords)
    stderr.print(f"{_accounts(len(new))} created")


def _accounts(count: int) -> str:
    return "1 account" if count == 1 else f"{count} accounts"


def _lines(count: int) -> str:
    return "1 line" if count == 1 else f"{count} lines"


# The file


def _read(file: Path) -> list[AccountLine]:
    """The lines of the file; UserError if it cannot be read."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(f"{file}: not UTF-8 text") from None
    first = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=";" if ";" in first and "," not in first else ",")
    try:
        header = [cell.strip().lower() for cell in next(reader, [])]
        _check_header(file, header)
        rows, first_line = list[tuple[int, list[str]]](), reader.line_num + 1
        for row in reader:
            if any(cell.strip() for cell in row):
                rows.append((first_line, row))
            first_line = reader.line_num + 1
    except csv.Error as e:
        raise UserError(f"{file}: line {reader.line_num}: {e}") from None
    if wrong := next((number for number, row in rows if len(row) != len(header)), None):
        raise UserError(f"{file}: line {wrong}: there must be {len(header)} columns")
    return [_line(number, dict(zip(header, row, strict=True))) for number, row in rows]


def _check_header(file: Path, header: list[str]) -> None:
    if "name" not in header:
        raise UserError(f"{file}: line 1: it must name the columns: name and, optionally, password")
    if unknown := [column for column in header if column not in COLUMNS]:
        raise UserError(f"{file}: line 1: unknown column {unknown[0]!r}; allowed: {' and '.join(COLUMNS)}")
    if len(header) != len({*header}):
        raise UserError(f"{file}: line 1: a column appears twice")


def _line(number: int, cells: dict[str, str]) -> AccountLine:
    return AccountLine(number, cells["name"].strip(), cells.get("password", ""))


# Checking it


async def _checked(opened: "Store", lines: list[AccountLine]) -> tuple[list[AccountLine], list[str]]:
    """The accounts to be created, and a line for each mistake."""
    from parlour.server.accounts import Doorkeeper
    from parlour.store.name_skeletons import keys

    new, mistakes, seen = list[AccountLine](), list[str](), dict[str, int]()
    for line in lines:
        why = _wrong_with(line)
        twice = None if why else next((seen[key] for key in keys(line.name) if key in seen), None)
        if twice is not None:
            why = f"it looks like the name in line {twice}"
        if why is None:
            seen |= dict.fromkeys(keys(line.name), line.number)
            account = await opened.account(line.name)
            if account is not None and account.password is not None:
                continue
            why = await Doorkeeper(opened).why_taken(line.name)
        if why is None:
            new.append(line)
        else:
            mistakes.append(f"line {line.number}: {plain(line.name, MOST_NAME)}: {why}")
    return new, mistakes


def _wrong_with(line: AccountLine) -> str | None:
    """The mistake in a line, as far as it can be found without the store."""
    from parlour.server.reserved_names import why_refused

    if why := why_not_a_name(line.name) or why_refused(line.name):
        return why
    if line.password and not SHORTEST <= len(line.password) <= LONGEST:
        return f"a password has {SHORTEST} to {LONGEST} characters"
    return None


# Creating the accounts


def _create(url: str, given: list[AccountLine], drawn: list[AccountLine], passwords: Path | None) -> None:
    """Create all accounts or none. Drawn passwords are written first, as they are stored nowhere else."""
    from parlour.store.passwords import hashed
    from parlour.store.store import NameTaken, NewAccount

    with Progress(console=stderr, transient=True, disable=not stderr.is_terminal) as progress:
        bar = progress.add_task("hashing passwords", total=len(given))
        wanted = []
        for line in given:
            wanted.append(NewAccount(line.name, hashed(line.password)))
            progress.advance(bar)
    written = _written(drawn, passwords)
    try:
        with_store(url, lambda opened: opened.add_accounts(wanted))
    except BaseException as e:
        if written is not None:
            written.unlink()
        if isinstance(e, NameTaken):
            raise UserError(f"{e}: the name was taken in the meantime; nothing was created") from None
        raise
    if drawn and passwords is None:
        print(_table(drawn), end="")


def _written(drawn: list[AccountLine], passwords: Path | None) -> Path | None:
    if passwords is None:
        return None
    with os.fdopen(os.open(passwords, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(_table(drawn))
    return passwords


def _table(drawn: list[AccountLine]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([COLUMNS, *((line.name, line.password) for line in drawn)])
    return text.getvalue()

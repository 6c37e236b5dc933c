"""`parlour admin import`: accounts for a class, from a file."""

import asyncio
import csv
import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import Progress

from parlour.cli.admin import HERE, Url, admin, existing, with_store
from parlour.cli.common import UserError, counted, stderr
from parlour.core.values import MOST_NAME, plain
from parlour.referee.log import new_file

if TYPE_CHECKING:  # SQLAlchemy is slow to import, and other commands do not need it
    from parlour.server.ops.account_import import WantedAccount

COLUMNS = ("name", "password")


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
    from parlour.server.ops.account_import import check_names, with_passwords

    lines = _read(file)
    checked = with_store(existing(store), lambda opened: check_names(opened, lines))
    if checked.refused:
        for each in checked.refused:
            stderr.print(f"line {each.line}: {plain(each.name, MOST_NAME)}: {each.why}", soft_wrap=True)
        raise UserError(f"{file}: {counted(len(checked.refused), 'line')} cannot be imported; nothing was created")
    for line in checked.kept:
        stderr.print(f"line {line.line}: {line.name} has an account, which stays as it is", soft_wrap=True)
    if dry_run:
        stderr.print(f"{counted(len(checked.new), 'account')} would be created")
        return
    if passwords is not None:
        new_file(passwords)
    given = with_passwords(checked.new)
    drawn = [line for line, before in zip(given, checked.new, strict=True) if not before.password]
    _create(store, given, drawn, passwords)
    stderr.print(f"{counted(len(given), 'account')} created")


# The file


def _read(file: Path) -> "list[WantedAccount]":
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


def _line(number: int, cells: dict[str, str]) -> "WantedAccount":
    from parlour.server.ops.account_import import WantedAccount

    return WantedAccount(number, cells["name"].strip(), cells.get("password", ""))


# Creating the accounts


def _create(
    url: str, given: "Sequence[WantedAccount]", drawn: "Sequence[WantedAccount]", passwords: Path | None
) -> None:
    """Create all accounts or none. Drawn passwords are written first, as they are stored nowhere else."""
    from parlour.server.ops.account_import import hashed_accounts
    from parlour.store.store import NameTaken

    with Progress(console=stderr, transient=True, disable=not stderr.is_terminal) as progress:
        bar = progress.add_task("hashing passwords", total=len(given))
        wanted = asyncio.run(hashed_accounts(given, lambda done: progress.update(bar, completed=done)))
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


def _written(drawn: "Sequence[WantedAccount]", passwords: Path | None) -> Path | None:
    if passwords is None:
        return None
    with os.fdopen(os.open(passwords, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(_table(drawn))
    return passwords


def _table(drawn: "Sequence[WantedAccount]") -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([COLUMNS, *((line.name, line.password) for line in drawn)])
    return text.getvalue()

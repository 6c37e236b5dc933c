"""`parlour verify`: check transcripts and receipts."""

import gzip
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from msgspec import Struct
from rich.progress import Progress
from rich.text import Text

from parlour import plugins
from parlour.cli.arguments import Json, command_with
from parlour.cli.common import UserError, console, counted, print_json, stderr
from parlour.cli.tables import table_of
from parlour.core import Signature
from parlour.core.values import plain
from parlour.referee.fingerprint import Expected, Fingerprint, differences, fingerprint_of, not_compared
from parlour.referee.receipt import BadReceipt, Receipt, read_receipt
from parlour.referee.receipt_check import NO_END, ReceiptCheck, check_receipt, check_signature, compare_receipt
from parlour.referee.replay import Verdict
from parlour.referee.replay import verify as verify_transcript
from parlour.referee.signature import statement
from parlour.referee.transcript import split

GZIPPED = b"\x1f\x8b"
BEGINS = b'{"kind":"header"'
"""The first bytes of a transcript."""
ENDINGS = (".jsonl", ".jsonl.gz")
SIDE_FILES = (".models.jsonl", ".models.jsonl.gz")
"""Records of models in recorded matches. These files are beside the transcripts and no part of them."""
RECEIPT_BEGINS = ("hello", "seat")
"""The kinds of a receipt's first line."""
HASH_DIGITS, SIGNATURE_DIGITS = 64, 128

WORDS = {
    "yes": ("holds", "bold green", 0),
    "so far": ("holds so far", "bold yellow", 3),
    "not replayed": ("not replayed", "bold yellow", 4),
    "no": ("broken", "bold red", 1),
}
"""By verdict: its word, colour and exit code."""
DIFFERS = ("another match", "bold red", 1)
WORST_FIRST = (1, 4, 3, 0)


class Checked(Struct):
    """All findings about one transcript."""

    file: str
    verdict: Verdict | None
    """None: there was no transcript, only a receipt."""
    marks: Fingerprint | None
    differences: list[str]
    belonging: ReceiptCheck | None = None
    not_compared: list[str] = []

    @property
    def word(self) -> tuple[str, str, int]:
        """The word for the result, its colour and exit code."""
        if self.verdict is not None and self.verdict.holds == "no":
            return WORDS["no"]
        if self.differences or (self.belonging is not None and self.belonging.troubles):
            return DIFFERS
        word = WORDS["so far" if self.verdict is None else self.verdict.holds]
        unchecked = self.belonging is not None and self.belonging.open
        return WORDS["so far"] if unchecked and word[2] == 0 else word


class VerifyFlags(Struct, frozen=True, kw_only=True):
    """The arguments of the command."""

    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE...", help="Transcripts, or folders of them.", show_default=False),
    ] = None
    commit: Annotated[str | None, typer.Option(metavar="HEX", help="The commitment must be this one, from hello.")] = (
        None
    )
    header: Annotated[
        str | None, typer.Option(metavar="HEX", help="The hash of the header must be this one, from seat.")
    ] = None
    head: Annotated[str | None, typer.Option(metavar="HEX", help="The head must be this one, from over.")] = None
    salt: Annotated[
        list[str] | None,
        typer.Option(metavar="[SEAT:]SALT", help="A seat must have this salt; seats count from 0. Repeatable."),
    ] = None
    receipt: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A receipt: the transcript must be of its match.")
    ] = None
    key: Annotated[
        str | None, typer.Option(metavar="HEX", help="The public key with which the result must be signed.")
    ] = None
    signature: Annotated[
        str | None, typer.Option(metavar="HEX", help="The server's signature, if there is no receipt; needs --key.")
    ] = None
    as_json: Json = False


@command_with(VerifyFlags)
def verify(flags: VerifyFlags) -> None:
    """Check transcripts: chain, seed and every move. Exits 0 only if everything is correct.

    1: broken, or of another match. 3: correct so far, the match is not over. 4: chain and seed are correct, but this
    release lacks the rules.

    \b
    parlour verify m.jsonl
    parlour verify matches/
    parlour verify m.jsonl --head 6e6f837e... --salt "0:seven green bottles"
    parlour verify m.jsonl --receipt mine.receipt --key 3b6a27bc...
    """
    files = flags.files or []
    checked = _check_all(files, flags)
    if flags.as_json:
        for each in checked:
            print_json(_as_json(each))
    elif len(checked) == 1 and not any(path.is_dir() for path in files):
        _tell(checked[0])
    else:
        _tell_all(checked)
    raise typer.Exit(min((each.word[2] for each in checked), key=WORST_FIRST.index))


def _check_all(files: list[Path], flags: VerifyFlags) -> list[Checked]:
    """Check every transcript, or a receipt alone."""
    expected = Expected(
        _hex("--commit", flags.commit),
        _hex("--header", flags.header),
        _hex("--head", flags.head),
        tuple(map(_salt, flags.salt or ())),
    )
    signed, key = _signature(flags), _hex("--key", flags.key)
    found = [*_transcripts(files)]
    kept = None if flags.receipt is None else _receipt(flags.receipt)
    if kept is None and not found:
        raise UserError("give a transcript, a folder of them, or --receipt")
    if len(found) > 1 and (expected != Expected() or kept is not None or signed is not None):
        raise UserError(f"options that compare are for one transcript, and these are {len(found)}")
    if kept is not None and not found:
        if signed is not None or expected != Expected():
            raise UserError("there is nothing to compare that with; give the transcript too")
        alone = check_receipt(kept, key)
        alone.open.append("no transcript was compared")
        return [Checked(str(flags.receipt), None, None, [], alone)]
    return [_checked(path, expected, kept, key, signed) for path in _counted(found)]


# Reading arguments and files


def _hex(option: str, given: str | None, digits: int = HASH_DIGITS) -> str | None:
    if given is None:
        return None
    text = given.strip().lower()
    if not re.fullmatch(rf"[0-9a-f]{{{digits}}}", text):
        raise UserError(f"{option} {plain(given)}: write all {digits} hexadecimal digits")
    return text


def _salt(given: str) -> tuple[int | None, str]:
    """`SEAT:SALT`, or a salt alone if it does not begin with a number and a colon."""
    seat, colon, rest = given.partition(":")
    return (int(seat), rest) if colon and re.fullmatch("[0-9]{1,4}", seat) else (None, given)


def _signature(flags: VerifyFlags) -> Signature | None:
    text, public_key = _hex("--signature", flags.signature, SIGNATURE_DIGITS), _hex("--key", flags.key)
    if text is None:
        if public_key is not None and flags.receipt is None:
            raise UserError("--key: there is no signature to check; give --receipt or --signature")
        return None
    if public_key is None:
        raise UserError("--signature: give the public key with --key")
    return Signature(text, public_key)


def _receipt(path: Path) -> Receipt:
    try:
        return read_receipt(path.read_bytes())
    except BadReceipt as e:
        raise UserError(f"{path}: {plain(str(e))}") from None


def _transcripts(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        path.stat()  # a missing file is reported before the work begins
        if not path.is_dir():
            yield path
            continue
        inside = [file for file in sorted(path.rglob("*")) if file.is_file() and _is_transcript(file)]
        if not inside:
            raise UserError(f"{path}: there are no transcripts in this folder")
        yield from inside


def _is_transcript(file: Path) -> bool:
    """Judge by the first line; or by the name, unless the line is of another format: a damaged file is not skipped."""
    with file.open("rb") as opened:
        first = opened.readline()
    if first.startswith(BEGINS):
        return True
    if not file.name.endswith(ENDINGS) or file.name.endswith(SIDE_FILES):
        return False
    if other := _other_form(first):
        stderr.print(f"skipped: {plain(str(file), 4096)} is {other}", soft_wrap=True)
    return not other


def _other_form(line: bytes) -> str:
    """The kind of a file with this first line, in words, if it is clearly not a transcript; otherwise empty."""
    try:
        kind = msgspec.json.decode(line, type=dict[str, Any]).get("kind")
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return ""
    if kind is None:  # the games' own formats have none
        return "no transcript"
    return "a receipt, and no transcript" if kind in RECEIPT_BEGINS else ""


def _read(path: Path) -> bytes:
    """A transcript, which may be compressed with gzip."""
    data = path.read_bytes()
    return gzip.decompress(data) if data.startswith(GZIPPED) else data


def _counted(paths: Sequence[Path]) -> Iterator[Path]:
    """Show the progress if there are several."""
    if len(paths) == 1:
        yield paths[0]
        return
    with Progress(console=stderr, transient=True) as progress:
        yield from progress.track(paths, description="verifying")


# Checking


def _checked(
    path: Path, expected: Expected, kept: Receipt | None, key: str | None, signed: Signature | None
) -> Checked:
    try:
        data = _read(path)
    except (EOFError, zlib.error, gzip.BadGzipFile) as e:
        return Checked(str(path), Verdict("no", f"not a gzip file: {e}", 1), None, [])
    verdict = verify_transcript(data, plugins.game)
    if verdict.holds == "no":
        return Checked(str(path), verdict, None, [])
    marks = fingerprint_of(split(data))
    left = not_compared(marks, expected)
    checked = Checked(str(path), verdict, marks, differences(marks, expected), not_compared=left)
    if kept is not None:
        unsigned = kept.over is None or kept.over.signed is None
        checked.belonging = compare_receipt(kept, data, verdict, plugins.game, None if signed and unsigned else key)
    if signed is not None:
        checked.belonging = _with_signature(checked.belonging or ReceiptCheck([], [], [], []), marks, signed)
    if checked.belonging is not None and marks.head is not None and (expected.head or signed):
        checked.belonging.open = [
            each for each in checked.belonging.open if each != NO_END
        ]  # the end was given by an option
    return checked


def _with_signature(found: ReceiptCheck, marks: Fingerprint, signed: Signature) -> ReceiptCheck:
    """Add the check of a signature that was given as an option."""
    if marks.head is None or marks.end is None:
        found.open.append("nothing is signed before the end")
        return found
    stated = statement(marks.match, marks.header, marks.head, marks.end)
    check_signature(found, signed, stated, signed.public_key)
    return found


# Printing the results


def _tell(checked: Checked) -> None:
    verdict, marks = checked.verdict, checked.marks
    word, colour, _ = checked.word
    if verdict is not None and verdict.holds == "no":
        console.print(Text.assemble((word, colour), f" at line {verdict.line}: {verdict.why}"), soft_wrap=True)
        return
    why = "" if verdict is None else f": {verdict.why}"
    if verdict is not None and word != WORDS[verdict.holds][0]:
        why = f"; the transcript by itself {WORDS[verdict.holds][0]}{why}"
    console.print(Text.assemble((word, colour), why), soft_wrap=True)
    for line in [*checked.differences, *(checked.belonging.troubles if checked.belonging else ())]:
        console.print(Text(f"  {plain(line, 500)}", "red"), soft_wrap=True)
    for line in checked.not_compared:
        console.print(Text(f"  {line}", "yellow"), soft_wrap=True)
    if checked.belonging is not None:
        for line in [*checked.belonging.proved, *checked.belonging.open, *checked.belonging.notes]:
            console.print(Text(f"  {plain(line, 500)}"), soft_wrap=True)
    if marks is not None:
        for name, value in _marks(marks):
            console.print(Text.assemble((f"  {name:8}", "dim"), value), soft_wrap=True)


def _marks(marks: Fingerprint) -> Iterator[tuple[str, str]]:
    yield "match", f"{marks.match}, {plain(marks.game)} {marks.version}"
    yield "commit", marks.commit
    yield "header", marks.header
    yield "head", marks.head or "none yet: the match is not finished"
    for seat, player in enumerate(marks.players):
        salt = f'salt "{plain(player.salt)}"' if player.salt else "no salt"
        yield f"seat {seat}", f"{plain(player.name)}, {salt}"


def _tell_all(checked: Sequence[Checked]) -> None:
    table = table_of("file", "match", "game", "verdict", folds=True)
    for each in checked:
        word, colour, _ = each.word
        why = f" at line {each.verdict.line}: {each.verdict.why}" if each.verdict and word == WORDS["no"][0] else ""
        marks = each.marks
        names = ("", "") if marks is None else (marks.match, plain(marks.game))
        table.add_row(plain(each.file, 4096), *names, Text.assemble((word, colour), why))
    console.print(table)
    times = Counter(each.word[0] for each in checked)
    words = ", ".join(f"{word}: {times[word]}" for word, _, _ in [*WORDS.values(), DIFFERS] if times[word])
    console.print(f"{counted(len(checked), 'transcript')}; {words}", style="bold", soft_wrap=True)


def _as_json(checked: Checked) -> dict[str, Any]:
    verdict, marks, belonging = checked.verdict, checked.marks, checked.belonging
    return {
        "file": checked.file,
        "verdict": checked.word[0],
        "code": checked.word[2],
        "holds": None if verdict is None else verdict.holds,
        "why": None if verdict is None else verdict.why,
        "line": None if verdict is None else verdict.line,
        "differences": checked.differences,
        "not_compared": checked.not_compared,
        "receipt": None if belonging is None else msgspec.to_builtins(belonging),
        **({} if marks is None else msgspec.to_builtins(marks)),
    }

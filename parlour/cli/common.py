"""Shared by several commands: error messages, reading arguments, and writing a game's own format."""

import errno
import gzip
import os
import re
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import IO, Any, cast

import msgspec
from msgspec.structs import replace
from rich.console import Console

from parlour import plugins
from parlour.core import BadOptions, Dice, Game, Value
from parlour.core.values import MOST_NAME
from parlour.players.player_specs import BadPlayer, Spec, load
from parlour.players.terms import CannotPlay
from parlour.referee.driver import Watch
from parlour.referee.known_rules import UnknownRules, known_game
from parlour.referee.log import CannotRecord, CombinedLog, FileLog, ImmediateLog, new_file, seed_path
from parlour.referee.match import Match, Out
from parlour.referee.scribe import Written
from parlour.referee.transcript import AnyRecord, BadTranscript, Header, Limits, Reveal, new_seed

console = Console(highlight=False, markup=False)
stderr = Console(stderr=True, highlight=False, markup=False)


LONGEST_S = 1_000_000


class UserError(Exception):
    """The command cannot be carried out. The message says why and, if possible, what to do instead."""


class StoreFailed(UserError):
    """The store failed while it was in use, for instance because it is damaged."""

    def __init__(self, url: str, words: str) -> None:
        super().__init__(f"{url} failed: {words}")
        self.words = words


MISTAKES = (UserError, BadPlayer, BadOptions, CannotPlay, CannotRecord, BadTranscript, OSError)
"""Errors that are not bugs."""


def in_words(error: Exception) -> str:
    """The message of an error, in one line."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    if isinstance(error, OSError) and (where := re.search(r"\('([^']+)', (\d+)", str(error))):
        return _cannot_listen(error, *where.groups())
    return " ".join(str(error).split())


def _cannot_listen(error: OSError, address: str, port: str) -> str:
    """The message for a port that cannot be used. The event loop gives the address only in its message."""
    match error.errno:
        case errno.EADDRINUSE:
            return f"port {port} on {address} is in use; choose another one"
        case errno.EADDRNOTAVAIL:
            return f"{address} is not an address of this machine"
        case _:
            return f"cannot listen on port {port} of {address}: {os.strerror(error.errno or 0).lower()}"


def find_game(name: str) -> Game[Any]:
    try:
        return plugins.game(name)
    except KeyError:
        raise UserError(f"there is no game {name!r}. There is: {', '.join(plugins.names())}") from None
    except plugins.BrokenPlugin as e:
        raise UserError(f"the game {e}") from None


def warn_of_skipped() -> None:
    """Name every plug-in that is skipped, on stderr."""
    for plugin in plugins.skipped():
        words = f"plug-in {plugin.name!r} of {plugin.package} is skipped: {plugin.error}"
        stderr.print(words, style="yellow", markup=False, soft_wrap=True)


def played_game(path: Path, header: Header) -> Game[Any]:
    """The game of a transcript; UserError if this release lacks its rules."""
    try:
        return known_game(header, plugins.game)
    except UnknownRules as e:
        raise UserError(f"{path}: {e}") from None


def seats_of(game: Game[Any]) -> tuple[int, int]:
    """The fewest and the most seats of a table."""
    seats = game.table_seats()
    return seats[0], seats[-1]


def read_start(game: Game[Any], path: Path | None) -> Value | None:
    """A prepared position from a file."""
    if path is None:
        return None
    if game.rules.prepare is None:
        raise UserError(f"--state: {game.title} always begins from the beginning")
    try:
        start: Value = game.rules.prepare(path.read_text())
    except ValueError as e:
        raise UserError(f"--state {path}: {e}") from None
    return start


def read_seed(text: str | None) -> bytes:
    if text is None:
        return new_seed()
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        raise UserError(f"--seed {text}: write an even number of hexadecimal digits") from None
    if not seed:
        raise UserError("--seed: the seed is empty")
    return seed


def seed_of(seed: bytes, number: int) -> bytes:
    """The seed of one of many matches, derived from one seed for all."""
    return blake2b(number.to_bytes(8, "big"), key=blake2b(seed).digest(), digest_size=32).digest()


def seating(players: int, number: int, seed: bytes) -> list[int]:
    """The player at each seat of one of many matches: shuffled for every block, and rotated within it."""
    block, turn = divmod(number, players)
    order = list(range(players))
    Dice(seed_of(seed, block) + b"seating").shuffle(order)
    return order[turn:] + order[:turn]


def read_limits(limit_s: float | None, bank_s: float) -> Limits | None:
    if limit_s is None:
        if bank_s:
            raise UserError("--bank: a bank needs a --limit")
        return None
    if not (0 < limit_s <= LONGEST_S and 0 <= bank_s <= LONGEST_S):
        raise UserError(f"--limit must be above 0 s, --bank not below, and neither above {LONGEST_S:,} s")
    return Limits(max(1, round(limit_s * 1000)), round(bank_s * 1000))


def read_players(game: Game[Any], texts: Sequence[str]) -> list[Spec]:
    """The players; those with the same name are numbered."""
    specs = [load(game, text) for text in texts]
    seen: dict[str, int] = {}
    for place, spec in enumerate(specs):
        seen[spec.name] = count = seen.get(spec.name, 0) + 1
        if count > 1:
            specs[place] = replace(spec, name=f"{spec.name[: MOST_NAME - 5]} {count}")
    return specs


def apart(record: Path | None, store: Path | None) -> None:
    """UserError if both are the same file, or one is the seed file of the other."""
    if record is not None and store is not None and store.resolve() in (record.resolve(), seed_path(record).resolve()):
        raise UserError(f"--store {store}: that is where --record writes")


def form_of(game: Game[Any], out: IO[bytes]) -> IO[bytes]:
    """A file for a match in its game's own format, compressed if the format is. The same match gives the same bytes."""
    if game.hosting.scribe is None or not game.hosting.scribe().gzipped:
        return out
    return cast(IO[bytes], gzip.GzipFile("", "wb", fileobj=out, mtime=0))


def write_form(game: Game[Any], out: IO[bytes], told: Iterable[bytes]) -> None:
    """Write a whole match in its game's own format."""
    form = form_of(game, out)
    form.writelines(line + b"\n" for line in told)
    if form is not out:
        form.close()


class FormatLog(ImmediateLog):
    """Writes a running match in its game's own format. It shows hands, so only the owner can read it until the end."""

    def __init__(self, path: Path, game: Game[Any], seed: bytes) -> None:
        if game.hosting.scribe is None:
            raise UserError(f"{game.title} has no match format of its own; see --record")
        self.path = new_file(path)
        self._written = Written(game, seed)
        self._game = game
        self._file: IO[bytes] | None = None

    def write(self, lines: Sequence[bytes]) -> None:
        if self._file is None:
            self._file = os.fdopen(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
            self._form = form_of(self._game, self._file)
        for line in lines:
            self._form.writelines(told + b"\n" for told in self._written.take(line))
        self._file.flush()

    def end(self, match: Match[Any]) -> None:
        """Let others read the file, too."""
        super().end(match)
        if self._file is not None:
            self._form.close()
            self._file.close()
            mask = os.umask(0o077)
            os.umask(mask)
            self.path.chmod(0o666 & ~mask)


class MatchFiles(CombinedLog):
    """Writes a match to the files that are wanted: a transcript, and the game's own format."""

    def __init__(self, recorder: FileLog | None = None, form: FormatLog | None = None) -> None:
        super().__init__(*(log for log in (recorder, form) if log is not None))
        self.record = None if recorder is None else recorder.path
        self.form = None if form is None else form.path


def new_files(game: Game[Any], seed: bytes, record: Path | None, store: Path | None = None) -> MatchFiles:
    """The files of a new match; CannotRecord if one exists already."""
    recorder = None if record is None else FileLog(new_file(record), seed)
    return MatchFiles(recorder, None if store is None else FormatLog(store, game, seed))


def all_of(*watches: Watch) -> Watch:
    """Call each of these."""

    def watch(match: Match[Any], out: Out) -> None:
        for each in watches:
            each(match, out)

    return watch


def print_json(what: object) -> None:
    """Print a result as a line of JSON."""
    print(msgspec.json.encode(what).decode(), flush=True)


def counted(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"


def tournament_module(name: str) -> Any:
    """A module of this package that needs the libraries of tournaments, which not every installation has."""
    try:
        return import_module(f"parlour.cli.{name}")
    except ModuleNotFoundError as e:
        raise UserError(f"{e.name} is not installed; `pip install parlour[tournament]` installs it") from None


def seed_for(path: Path, last: AnyRecord) -> bytes:
    """The seed of a transcript: from its last record, or from the seed file if the match is not finished."""
    if isinstance(last, Reveal):
        return bytes.fromhex(last.seed)
    try:
        return bytes.fromhex(seed_path(path).read_text())
    except (OSError, ValueError):
        raise UserError(f"{path}: its seed is not revealed yet, so its cards are not known") from None

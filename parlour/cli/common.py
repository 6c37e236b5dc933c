"""Shared by several commands: error messages, reading arguments, and recording."""

import contextlib
import errno
import fcntl
import gzip
import os
import re
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any, cast

from msgspec.structs import replace
from rich.console import Console

from parlour import plugins
from parlour.core import BadOptions, Dice, Game, Value
from parlour.core.values import MOST_NAME
from parlour.players.play import CannotPlay
from parlour.players.player_specs import BadPlayer, Spec, load
from parlour.referee.known_rules import UnknownRules, known_game
from parlour.referee.match import Match, Out
from parlour.referee.scribe import Written
from parlour.referee.transcript import AnyRecord, BadTranscript, Header, Limits, Reveal, new_seed, read_record, split

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


MISTAKES = (UserError, BadPlayer, BadOptions, CannotPlay, BadTranscript, OSError)
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


def read_lines(path: Path) -> list[bytes]:
    """The lines of a transcript, without an incomplete last line if the match is not finished."""
    data = path.read_bytes()
    lines = split(data[: data.rfind(b"\n") + 1] or data)
    return split(data) if isinstance(read_record(lines[-1], len(lines)), Reveal) else lines


def apart(record: Path | None, store: Path | None) -> None:
    """UserError if both are the same file, or one is the seed file of the other."""
    if record is not None and store is not None and store.resolve() in (record.resolve(), seed_path(record).resolve()):
        raise UserError(f"--store {store}: that is where --record writes")


def new_file(path: Path) -> Path:
    """Return the path; UserError if it exists or its folder does not."""
    if path.exists():
        raise UserError(f"{path} exists already, and nothing is overwritten")
    if not path.parent.is_dir():
        raise UserError(f"cannot write {path}: there is no folder {path.parent}")
    return path


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


class Keeper:
    """Writes a running match in its game's own format. It shows hands, so only the owner can read it until the end."""

    def __init__(self, path: Path, game: Game[Any], seed: bytes) -> None:
        if game.hosting.scribe is None:
            raise UserError(f"{game.title} has no match format of its own; see --record")
        self.path = new_file(path)
        self._written = Written(game, seed)
        self._game = game
        self._file: IO[bytes] | None = None

    def __call__(self, match: Match[Any], out: Out) -> None:
        if self._file is None:
            self._file = os.fdopen(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
            self._form = form_of(self._game, self._file)
        for line in out.lines:
            self._form.writelines(told + b"\n" for told in self._written.take(line))
        self._file.flush()
        if match.revealed:
            self._form.close()
            self._file.close()
            mask = os.umask(0o077)
            os.umask(mask)
            self.path.chmod(0o666 & ~mask)


class Recorder:
    """Writes the transcript of a running match. Until the end, the seed is in a file beside it, for its owner only."""

    def __init__(self, path: Path, seed: bytes, kept: int | None = None) -> None:
        self.path = path if kept is not None else new_file(path)
        self._seed = seed
        self._kept = kept
        """The size of the file so far; None if it does not exist yet."""
        self._file: IO[bytes] | None = None
        self._resumed: IO[bytes] | None = None

    @classmethod
    def resume(cls, path: Path) -> tuple["Recorder", bytes, list[bytes]]:
        """Continue a transcript: the recorder, the seed and the lines so far, without an incomplete last line.

        The file is locked: only one process can record a match."""
        lines = read_lines(path)
        if isinstance(read_record(lines[-1], len(lines)), Reveal):
            raise UserError(f"{path} is finished; see it with `parlour replay`")
        try:
            seed = bytes.fromhex(seed_path(path).read_text())
        except (OSError, ValueError):
            raise UserError(f"{path} cannot be resumed: its seed is not in {seed_path(path)}") from None
        file = _locked(path.open("r+b"), path)
        lines = read_lines(path)  # again, now that the file is locked
        recorder = cls(path, seed, sum(len(line) + 1 for line in lines))
        recorder._resumed = file
        return recorder, seed, lines

    def release(self) -> None:
        """Unlock the file if the match was not resumed."""
        if self._resumed is not None and self._file is None:
            self._resumed.close()

    def __call__(self, match: Match[Any], out: Out) -> None:
        if out.lines:
            file = self._file = self._file or self._open()
            file.write(b"".join(line + b"\n" for line in out.lines))
            file.flush()
        if match.revealed:
            self._close()

    def _open(self) -> IO[bytes]:
        if self._resumed is not None and self._kept is not None:
            self._resumed.truncate(self._kept)
            self._resumed.seek(self._kept)
            return self._resumed
        file = _locked(self.path.open("xb"), self.path)
        with os.fdopen(os.open(seed_path(self.path), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as beside:
            beside.write(self._seed.hex() + "\n")
        return file

    def _close(self) -> None:
        """Close the file, which now has the seed, and delete the seed file."""
        if self._file is not None:
            self._file.close()
        with contextlib.suppress(FileNotFoundError):
            seed_path(self.path).unlink()


def _locked(file: IO[bytes], path: Path) -> IO[bytes]:
    """Lock the file until it is closed; UserError if another process has locked it."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise UserError(f"{path} is being recorded by another process") from None
    return file


def seed_for(path: Path, last: AnyRecord) -> bytes:
    """The seed of a transcript: from its last record, or from the seed file if the match is not finished."""
    if isinstance(last, Reveal):
        return bytes.fromhex(last.seed)
    try:
        return bytes.fromhex(seed_path(path).read_text())
    except (OSError, ValueError):
        raise UserError(f"{path}: its seed is not revealed yet, so its cards are not known") from None


def seed_path(path: Path) -> Path:
    return path.with_name(path.name + ".seed")

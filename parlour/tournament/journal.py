"""The journal of a tournament: its plan, then one line for every finished match, in the order of finishing.

A line is written before anything is made of it, so a run that is killed loses no finished match.
"""

import contextlib
import os
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Self

import msgspec
from msgspec import Raw, Struct

from parlour.referee.log import try_to_lock
from parlour.tournament.plan import TournamentPlan
from parlour.tournament.playing import Outcome, SeatFault, match_file, set_name, withhold
from parlour.tournament.records import MatchResult

JOURNAL = "journal.jsonl"
TRANSCRIPTS = "transcripts"
WITHHELD = "withheld"


class CannotJournal(Exception):
    """A folder cannot be used for this tournament; the message says why."""


class JournalEntry(Struct, frozen=True):
    """The fields of a line that are used during the tournament."""

    result: MatchResult
    faults: list[SeatFault] = []
    void: str = ""
    decisions: Raw = Raw(b"")
    """Not decoded: they are most of the line."""


_finished = msgspec.json.Decoder(JournalEntry)
_outcome = msgspec.json.Decoder(Outcome)


class Journal:
    """The finished matches of a tournament in a folder. Only one process at a time can have it."""

    def __init__(self, folder: Path, plan: TournamentPlan, file: IO[bytes]) -> None:
        self.folder, self.plan = folder, plan
        self._file = file
        self._places = array("q")
        """By match, where its line begins; -1 if it is not finished."""
        self.transcripts = TranscriptFolder(folder)
        if plan.transcripts:
            self.transcripts.withheld.mkdir(mode=0o700, exist_ok=True)
            self.transcripts.published.mkdir(exist_ok=True)

    @classmethod
    def begin(cls, folder: Path, plan: TournamentPlan) -> "Journal":
        """Begin a tournament in a new or empty folder; CannotJournal if it is neither."""
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            hint = "; --resume continues its tournament" if (folder / JOURNAL).exists() else ""
            raise CannotJournal(f"{folder} is not empty{hint}")
        file = _locked(folder / JOURNAL, "x+b")
        file.write(msgspec.json.encode(plan) + b"\n")
        file.flush()
        os.fsync(file.fileno())
        return cls(folder, plan, file)

    @classmethod
    def resume(cls, folder: Path) -> "Journal":
        """Continue the tournament in a folder; CannotJournal if there is none. A last line that was cut is removed."""
        if not (folder / JOURNAL).exists():
            raise CannotJournal(f"{folder} has no tournament to resume: there is no {JOURNAL}")
        file = _locked(folder / JOURNAL, "r+b")
        try:
            journal = cls(folder, msgspec.json.decode(file.readline(), type=TournamentPlan), file)
            journal._read()
        except msgspec.MsgspecError as e:
            file.close()
            raise CannotJournal(f"{folder / JOURNAL}: the first line is not the plan of a tournament: {e}") from None
        except CannotJournal:
            file.close()
            raise
        return journal

    def _read(self) -> None:
        """Learn which matches are finished."""
        end = place = self._file.tell()
        for line in self._file:
            if not line.endswith(b"\n"):
                break
            result = self._decoded(line, place).result
            self._note(result.match, place)
            self.transcripts.count(result)
            place = end = place + len(line)
        self._file.truncate(end)
        self._file.seek(end)

    def _decoded(self, line: bytes, place: int) -> JournalEntry:
        try:
            return _finished.decode(line)
        except msgspec.MsgspecError as e:
            raise CannotJournal(f"{self.folder / JOURNAL}: the line at byte {place} is broken: {e}") from None

    def _note(self, match: int, place: int) -> None:
        if match >= len(self._places):
            self._places.extend([-1] * (match + 1 - len(self._places)))
        self._places[match] = place

    def has(self, match: int) -> bool:
        """Whether the match is finished."""
        return match < len(self._places) and self._places[match] >= 0

    def add(self, packages: Sequence[bytes]) -> list[JournalEntry]:
        """Keep finished matches: first their transcripts, if the packages have them, then their lines."""
        lines, added = [], []
        place = self._file.tell()
        for package in packages:
            line, _, transcript = package.partition(b"\n")
            finished = _finished.decode(line)
            if transcript:
                withhold(self.transcripts.withheld, finished.result, transcript)
            self._note(finished.result.match, place)
            place += len(line) + 1
            lines.append(line + b"\n")
            added.append(finished)
        self._file.write(b"".join(lines))
        self._file.flush()
        for finished in added:
            self.transcripts.count(finished.result)
        return added

    def results(self) -> Iterator[MatchResult]:
        """The results of all finished matches, in the order of the schedule."""
        return (entry.result for entry in self.entries())

    def entries(self) -> Iterator[JournalEntry]:
        """All finished matches without their decisions, in the order of the schedule."""
        return (self._decoded(line, -1) for line in self._lines())

    def outcomes(self) -> Iterator[Outcome]:
        """All about all finished matches, in the order of the schedule."""
        return map(_outcome.decode, self._lines())

    def _lines(self) -> Iterator[bytes]:
        with (self.folder / JOURNAL).open("rb") as file:
            for place in self._places:
                if place >= 0:
                    file.seek(place)
                    yield file.readline()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Unlock the journal."""
        self._file.close()
        with contextlib.suppress(OSError):  # it is not empty, or there is none
            self.transcripts.withheld.rmdir()


class TranscriptFolder:
    """The transcripts. Those of a duplicate set are withheld until the set is complete: they show its cards."""

    def __init__(self, folder: Path) -> None:
        self.published = folder / TRANSCRIPTS
        self.withheld = folder / WITHHELD
        self._open: Counter[str] = Counter()
        """The number of finished matches of each set that is not complete."""

    def path(self, result: MatchResult) -> Path:
        """Where a transcript is, once its set is complete."""
        return self.published / set_name(result) / match_file(result.match)

    def count(self, result: MatchResult) -> None:
        """A match is in the journal. If its set is complete, publish the transcripts of the set."""
        name = set_name(result)
        self._open[name] += 1
        if self._open[name] == result.seatings:
            del self._open[name]
            with contextlib.suppress(FileNotFoundError):  # published already, or without a transcript
                os.rename(self.withheld / name, self.published / name)


def _locked(path: Path, mode: str) -> IO[bytes]:
    file: IO[bytes] = path.open(mode)
    if not try_to_lock(file):
        raise CannotJournal(f"{path} is in use by another process")
    return file

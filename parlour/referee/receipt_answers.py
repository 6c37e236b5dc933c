"""Compare a receipt with a transcript: the same answers in the same order, and the same faults.

A server reports every answer that it refuses, and handles the messages of one connection in order. So an answer that is
missing in the transcript must have been refused, unless the connection was lost or the match ended right after it was
sent. This distinguishes answers lost on the way from answers that a server left out.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from parlour.core import Asked, Game, Leave, Seat
from parlour.core.values import plain
from parlour.referee.action_json import decoder
from parlour.referee.checked_replay import CheckedReplay
from parlour.referee.match_values import Open
from parlour.referee.receipt import AnswerEntry, AnyEntry, FaultEntry, OverEntry, Receipt, SeatEntry
from parlour.referee.replay import Replay
from parlour.referee.transcript import Line, encode

MOST_SHOWN = 120


class Said(Struct, frozen=True):
    """An answer or fault that the transcript attributes to the seat."""

    line: int
    ask: int
    """The open ask, or 0 if there was none."""
    kind: Literal["answer", "illegal", "unreadable", "late", "unasked"]
    action: bytes | None = None
    """As the referee writes it; None if none was recorded."""
    code: str = ""


class ReceiptPart(Struct, frozen=True):
    """Everything in a transcript that concerns one seat."""

    said: list[Said]
    asked: set[int]
    """The asks that it got."""
    left: list[str]
    """Why it left, if it did."""


def part_of(game: Game[Any], lines: Sequence[bytes], seed: bytes, seat: Seat) -> ReceiptPart:
    """Collect a seat's part by replaying the match."""
    part, replaying = ReceiptPart([], set(), []), Replay(game, seed)
    match: CheckedReplay[Any] | None = None
    for number, raw in enumerate(lines, start=1):
        open = None if match is None else match.open.get(seat)
        step = replaying.take(raw)
        match = step.match
        part.asked.update(notice.n for notice in step.out.to(seat) if isinstance(notice, Asked))
        if isinstance(step.record, Line):
            _take(part, step.record, match.action_or_none(step.record), seat, number, open)
    return part


def _take(part: ReceiptPart, line: Line, action: Any, seat: Seat, number: int, open: Open | None) -> None:
    leaves = isinstance(action, Leave) and action.seat == seat
    if leaves:
        part.left.append(f"{action.why}, at line {number}")
    fault, ask = line.fault, 0 if open is None else open.n
    if fault is None:
        # In protocol 1 the referee answers an ask with a default itself, so no receipt has that answer.
        if line.by == seat and (open is None or open.ask.default is None or open.ask.default != action):
            part.said.append(Said(number, ask, "answer", bytes(line.do)))
    elif (line.by == seat or leaves) and fault.kind != "gone":
        part.said.append(Said(number, ask, fault.kind, bytes(line.said) or None, fault.code))


class Comparison:
    """Compares one receipt with its seat's part of a transcript."""

    def __init__(self, game: Game[Any], receipt: Receipt, part: ReceiptPart) -> None:
        self._read = decoder(game.rules.actions).decode
        self._shorten = game.rules.shorten
        self._entries = receipt.entries
        self._answers = {place: each for place, each in enumerate(receipt.entries) if isinstance(each, AnswerEntry)}
        """By position in the receipt."""
        self._part = part
        self._used: dict[int, Said] = {}
        """By position in the receipt: the same answer in the transcript."""
        self.troubles: list[str] = []
        """Reasons why the transcript and the receipt do not belong together."""
        self.notes: list[str] = []
        self._match_answers()
        self._check_order()
        self._check_missing()
        self._check_faults()
        self.notes += [f"the transcript says that the seat left: {why}" for why in part.left]
        self.taken = sum(said.kind == "answer" for said in self._used.values())
        """How many answers of the receipt are in the transcript as accepted."""

    # Answers in the transcript

    def _match_answers(self) -> None:
        """Find each answer of the transcript among the receipt's answers to the same ask."""
        answers: defaultdict[int, list[int]] = defaultdict(list)
        for place, answer in self._answers.items():
            answers[answer.id].append(place)
        said: defaultdict[int, list[Said]] = defaultdict(list)
        for each in self._part.said:
            if each.kind in ("answer", "illegal", "unreadable"):
                said[each.ask].append(each)
        for ask, those in said.items():
            self._match_ask(those, answers[ask])

    def _match_ask(self, said: Sequence[Said], places: Sequence[int]) -> None:
        """Match from the last answer back. Of two equal answers around a lost connection, the later one was accepted:
        otherwise the seat would not have been asked again."""
        left = [*places]
        for each in reversed(said):
            skipped = [*left]
            while left and not self._fits(each, left[-1]):
                left.pop()
            if not left:
                self.troubles.append(self._unlike(each, skipped))
                return
            self._used[left.pop()] = each

    def _fits(self, said: Said, place: int) -> bool:
        read = self._readings(place)
        if said.kind == "unreadable":
            return not read or said.code == "too_big"
        return said.action in read

    def _unlike(self, said: Said, places: Sequence[int]) -> str:
        action = "an answer that cannot be read" if said.action is None else _shown(said.action)
        has = f"line {said.line}: the transcript has {action} of yours to ask {said.ask}"
        if said.kind != "answer":
            has += f" ({said.kind} {said.code})"
        if not places:
            return f"{has}, and the receipt has no such answer"
        return f"{has}, and the receipt has {_shown(bytes(self._answers[places[-1]].action))}"

    def _readings(self, place: int) -> list[bytes]:
        """An answer as the referee writes it, and in its shortened form; empty if it is not an action."""
        try:
            action = self._read(self._answers[place].action)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return []
        return [encode(action)] if self._shorten is None else [encode(action), encode(self._shorten(action))]

    def _check_order(self) -> None:
        places = [place for place, _ in sorted(self._used.items(), key=lambda used: used[1].line)]
        if places != sorted(places):
            self.troubles.append("the transcript has your answers in another order than the receipt")

    # Answers that are not in the transcript

    def _check_missing(self) -> None:
        lost = refused = 0
        for entries in self._connections():
            missing = [place for place in entries if place in self._answers and place not in self._used]
            behind = sum(self._answers[place].behind for place in missing)
            untold = [place for place in missing if not self._may_be_lost(place, entries)]
            told = sum(self._is_unasked(place) for place in entries)
            if len(untold) > told:
                self._tell_missing(untold[told])
            refused += max(behind, min(told, len(missing)))
            lost += max(0, len(missing) - max(behind, told))
        if refused:
            self.notes.append(f"{refused} of your answers came when their ask was closed, as you were told")
        if lost and not self.troubles:
            why = "a connection was lost or the match ended right after they were sent"
            self.notes.append(f"{lost} of your answers are not in the transcript: {why}")

    def _tell_missing(self, place: int) -> None:
        answer = self._answers[place]
        asked = "" if answer.id in self._part.asked else ", which it says was never put to you"
        self.troubles.append(
            f"your answer {_shown(bytes(answer.action))} to ask {answer.id}{asked} is not in the transcript, "
            "and you were not told that it was refused"
        )

    def _may_be_lost(self, place: int, entries: Sequence[int]) -> bool:
        """Whether the answer was too late anyway, or is to a connection's last ask with no later answer accepted."""
        if self._answers[place].behind:
            return True
        answers = [each for each in entries if each in self._answers and not self._answers[each].behind]
        last = max(self._answers[each].id for each in answers)
        id = self._answers[place].id
        taken = any(each in self._used for each in answers if each > place)
        return id == last and id in self._part.asked and not taken

    def _connections(self) -> Iterator[list[int]]:
        """Positions of the entries, grouped by connection."""
        places: list[int] = []
        for place, entry in enumerate(self._entries):
            if places and (isinstance(entry, SeatEntry) or (isinstance(entry, OverEntry) and entry.returned)):
                yield places
                places = []
            places.append(place)
        yield places

    def _is_unasked(self, place: int) -> bool:
        entry = self._entries[place]
        return isinstance(entry, FaultEntry) and entry.fault == "unasked"

    # Faults

    def _check_faults(self) -> None:
        """Each fault in the receipt must be in the transcript, and the reverse while the seat was connected."""
        told = [entry for entry in self._entries if isinstance(entry, FaultEntry)]
        recorded = [said for said in self._part.said if said.kind != "answer"]
        for said in recorded:
            fault = (said.ask, said.kind, said.code)
            entry = next((entry for entry in told if (entry.id, entry.fault, entry.code) == fault), None)
            if entry is not None:
                told.remove(entry)
            elif self._was_connected(said.ask):
                self.troubles.append(
                    f"line {said.line}: the transcript has a fault of yours ({said.kind} {said.code}, ask {said.ask}), "
                    "and you were not told of it"
                )
        for entry in told:
            if entry.fault != "unasked":
                self.troubles.append(
                    f"you were told of a fault ({entry.fault} {entry.code}, ask {entry.id}) that the transcript lacks"
                )
        if kinds := Counter(said.kind for said in recorded):
            words = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
            self.notes.append(f"faults of yours in the transcript: {words}")

    def _was_connected(self, ask: int) -> bool:
        """Whether the seat was connected without a break when this ask closed."""
        before: AnyEntry | None = None
        for entry in self._entries:
            if isinstance(entry, OverEntry) or (isinstance(entry, AnswerEntry | FaultEntry) and entry.id > ask):
                return not any(isinstance(each, SeatEntry | OverEntry) and each.returned for each in (before, entry))
            before = entry
        return False


def _shown(action: bytes) -> str:
    return plain(action.decode(errors="replace"), MOST_SHOWN)

"""A recorded match, replayed and checked once. Afterwards any moment of it can be shown at once.

Copies of the state are kept at regular distances. A frame is made by playing the recorded inputs from the nearest copy
before it.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Raw, Struct

from parlour.core import (
    AnswerRefused,
    By,
    Event,
    Game,
    IllegalAction,
    Inconsistent,
    Join,
    Leave,
    Result,
    Seat,
    Sitting,
    State,
    Void,
)
from parlour.core.values import plain
from parlour.referee.action_json import decoder
from parlour.referee.ask_frames import AskFrames
from parlour.referee.checked_replay import CheckedReplay
from parlour.referee.fault_words import fault_in_words
from parlour.referee.replay import Replay, Step
from parlour.referee.timeline import Frame, FrameEvent, FrameFault, LogLine, Mark, Timeline, match_player
from parlour.referee.transcript import NOTHING, BadTranscript, End, Header, Line, read_record

MOST_LOG = 20_000
"""Lines of a log."""
MOST_SNAPSHOTS = 128
NO_INPUT = Line("", 0)
"""Before the first position."""


class NoSuchSeat(ValueError):
    """The match has no such seat."""


class PlayedMoment(Struct, frozen=True):
    """The state after a frame, the number of seats then, and the events of its input."""

    n: int
    state: State[Any]
    seats: int
    events: Sequence[Event] = ()


class Decision(Struct, frozen=True):
    """The ask of a seat in a position, and its action."""

    seat: Seat
    players: tuple[str, ...]
    options: Any
    ask: Any
    view: Any
    recorded: Raw | None
    """The next action that was played for the seat; None if there was none."""


class Trial(Struct, frozen=True):
    """Whether an action is legal in a position, and what it does."""

    legal: bool
    why: str | None
    """Why it is not legal."""
    words: str | None
    """The events that the seat would see, in words."""


class RecordedMatch:
    """A recorded match; BadTranscript if the referee would not have written its lines."""

    def __init__(self, game: Game[Any], lines: Sequence[bytes], seed: bytes) -> None:
        self.game = game
        self.end: Result | Void | None = None
        self.names: list[str] = []
        self.snapshots: list[PlayedMoment] = []
        self._every = 1
        """A snapshot is kept of every so many frames."""
        self._inputs: list[Line] = []
        """The input of frame n at n - 1."""
        self._match: CheckedReplay[Any]
        self._story = Story(game)
        self.ask_frames = AskFrames()
        taken = Replay(game, seed)
        for number, raw in enumerate(lines, start=1):
            if not self._take(taken, raw, number):
                break

    @property
    def total(self) -> int:
        """The number of frames: the first position, and one for each input."""
        return len(self._inputs) + 1

    def _take(self, taken: Replay, raw: bytes, number: int) -> bool:
        """Replay a line. False: the match was ended from outside the rules, and this is its end."""
        try:
            step = taken.take(raw)
        except BadTranscript:
            record = read_record(raw, number)
            if not (self.snapshots and isinstance(record, End) and isinstance(record.end, Void)):
                raise
            if record.prev != self._match.head:
                raise
            self.end = record.end
            return False
        if isinstance(step.record, Header | Line):
            if isinstance(step.record, Line):
                self._inputs.append(step.record)
            self._match, self.names = step.match, step.match.names
            self._keep(step.match)
            self._story.tell(self.total - 1, step)
            self.ask_frames.tell(self.total - 1, step.out)
        self.end = step.match.end
        return True

    def _keep(self, match: CheckedReplay[Any]) -> None:
        n = self.total - 1
        if n % self._every == 0:
            self.snapshots.append(PlayedMoment(n, match.state.copy(), len(match.names)))
        if len(self.snapshots) > MOST_SNAPSHOTS:
            self.thin()

    def thin(self) -> None:
        """Drop every second snapshot."""
        self._every *= 2
        self.snapshots = [kept for kept in self.snapshots if kept.n % self._every == 0]

    def timeline(self, who: By) -> Timeline:
        """The match at a glance, with the log of a seat, or of a spectator."""
        self.check_seat(who)
        header, story = self._match.header, self._story
        log = story.logs[0 if who is None else who + 1]
        players = [*header.players, *(Sitting(name) for name in self.names[len(header.players) :])]
        standing = self.game.words.standing
        return Timeline(
            match=header.match,
            game=header.game,
            version=header.version,
            players=tuple(match_player(self.game, player) for player in players),
            total=self.total,
            end=self.end,
            label=None if standing is None else standing.label,
            scores=tuple(story.scores),
            marks=tuple(story.marks),
            log=tuple(log)[-MOST_LOG:],
            hidden=len(log) > MOST_LOG,
        )

    def check_seat(self, who: By) -> None:
        """Raise NoSuchSeat unless it is a seat of the match, or None for a spectator."""
        if who is not None and not 0 <= who < len(self.names):
            seats = f"there are seats 0 to {len(self.names) - 1}" if self.names else "nobody has joined"
            raise NoSuchSeat(f"seat {who}: {seats}")

    def frames(self, who: By, first: int, last: int) -> Iterator[Frame]:
        """The frames from `first` up to but not including `last`, as a seat or a spectator saw them.

        Before a seat was taken, they are a spectator's."""
        self.check_seat(who)
        for moment in self._moments(first, last):
            yield self._frame(moment, who if who is not None and who < moment.seats else None)

    def _moments(self, first: int, last: int) -> Iterator[PlayedMoment]:
        """The moments from `first` up to but not including `last`. They share one state, which changes."""
        start = next(kept for kept in reversed(self.snapshots) if kept.n < max(first, 1))
        state, seats = start.state.copy(), start.seats
        if first == 0 < last:
            yield PlayedMoment(0, state, seats)
        for n in range(start.n + 1, min(last, self.total)):
            line = self._inputs[n - 1]
            action = self._match.action_or_none(line)
            events = _played(state, line.by, action)
            seats += line.by is None and isinstance(action, Join)
            if n >= first:
                yield PlayedMoment(n, state, seats, events)

    def decision(self, seat: Seat, n: int) -> Decision | None:
        """The decision of a seat in the position of a frame; None if it was not asked."""
        self.check_seat(seat)
        moment = next(self._moments(n, n + 1))
        has_left = any(mark.kind == "left" and mark.seat == seat and mark.n <= n for mark in self._story.marks)
        ask = None if has_left or seat >= moment.seats else moment.state.asks().get(seat)
        if ask is None or not ask.waits or (self.end is not None and n == self.total - 1):
            return None
        own = (line for line in self._inputs[n:] if line.by == seat and line.do is not NOTHING)
        recorded = next((line.do for line in own), None)
        players = tuple(self.names[: moment.seats])
        return Decision(seat, players, self._match.options, ask, moment.state.view(seat), recorded)

    def trial(self, seat: Seat, n: int, raw: bytes) -> Trial:
        """Try an action of a seat in the position of a frame. `raw`: the action as JSON."""
        moment = next(self._moments(n, n + 1))
        try:
            action = decoder(self.game.rules.actions).decode(raw)
            events = moment.state.play(seat, action)
        except IllegalAction as e:
            return Trial(False, e.words, None)
        except (msgspec.MsgspecError, ValueError, RecursionError) as e:
            return Trial(False, plain(f"not an action: {e}"), None)
        except Exception as e:  # a bug of the rules
            return Trial(False, f"the rules fail: {type(e).__name__}", None)
        seen = [event for each in events if (event := each.seen_by(seat)) is not None]
        lines = [line for event in seen for line in event_lines(self.game, event, self.names)]
        return Trial(True, None, "\n".join(lines) or None)

    def _frame(self, moment: PlayedMoment, who: By) -> Frame:
        words, names, state = self.game.words, self.names[: moment.seats], moment.state
        line = self._inputs[moment.n - 1] if moment.n else NO_INPUT
        fault = line.fault
        return Frame(
            n=moment.n,
            by=line.by if fault is None else self._match.fault_of(line),
            ms=line.ms,
            part=None if words.part is None else words.part(state.view(None)),
            view=state.view(who),
            events=tuple(
                FrameEvent(event_seat(seen), tuple(event_lines(self.game, seen, names)), seen)
                for event in moment.events
                if (seen := event.seen_by(who)) is not None
            ),
            fault=None if fault is None else FrameFault(fault.kind, fault.code, fault.words),
            answer=_answer(line),
        )


class Story:
    """Scores, marks and logs of a match, collected while it is replayed."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self.scores: list[tuple[int, tuple[int, ...]]] = []
        self.marks: list[Mark] = []
        self._part: str | None = None
        self._leader: Seat | None = None
        self._views: list[Any] = []
        self.logs: list[deque[LogLine]] = [deque(maxlen=MOST_LOG + 1)]
        """A spectator's, then those of the seats. One line more than is shown tells that there were more."""

    def tell(self, n: int, step: Step) -> None:
        """Add what one input changed."""
        match, names = step.match, step.match.names
        while len(self.logs) <= len(names):  # a player who joins has seen what spectators saw
            self.logs.append(self.logs[0].copy())
        if n == 0:
            self._open(match)
        for notice in step.out.notices:
            if isinstance(notice, Event):
                self._add_event(n, notice, names)
            elif isinstance(notice, AnswerRefused):
                self.marks.append(Mark(n, "fault", notice.seat, fault_in_words(notice, names)))
        if isinstance(step.record, Line) and isinstance(left := match.action_or_none(step.record), Leave):
            self.marks.append(Mark(n, "left", left.seat, f"{names[left.seat]} has left ({left.why})"))
        self._compare(n, match)

    def _open(self, match: CheckedReplay[Any]) -> None:
        opening = self._game.words.opening
        if opening is not None:
            for place, log in enumerate(self.logs):
                view = match.state.view(place - 1 if place else None)
                log.extend(LogLine(0, None, line) for line in _lines(opening(view, match.names)))

    def _add_event(self, n: int, event: Event, names: Sequence[str]) -> None:
        told: tuple[Event, list[LogLine]] | None = None  # most events are the same for everybody
        for place, log in enumerate(self.logs):
            seen = event.seen_by(place - 1 if place else None)
            if seen is None:
                continue
            if told is None or told[0] is not seen:
                seat = event_seat(seen)
                told = seen, [LogLine(n, seat, line) for line in event_lines(self._game, seen, names)]
            log.extend(told[1])

    def _compare(self, n: int, match: CheckedReplay[Any]) -> None:
        """Add marks and scores if the views have changed."""
        state, words = match.state, self._game.words
        views = [state.view(who) for who in (None, *range(len(match.names)))]
        if len(views) == len(self._views) and all(a is b for a, b in zip(views, self._views, strict=True)):
            return
        self._views = views
        part = None if words.part is None else words.part(views[0])
        if part and part != self._part:
            self._part = part
            self.marks.append(Mark(n, "part", None, part))
        if words.standing is not None:
            self._score(n, tuple(words.standing.of(views[1:])), match.names)

    def _score(self, n: int, scores: tuple[int, ...], names: Sequence[str]) -> None:
        if self.scores and self.scores[-1][1] == scores:
            return
        self.scores.append((n, scores))
        best = [seat for seat, score in enumerate(scores) if score == max(scores)]
        if len(best) == 1 and len(scores) > 1 and best[0] != self._leader:
            self._leader = best[0]
            self.marks.append(Mark(n, "lead", best[0], f"{names[best[0]]} takes the lead"))


def event_lines(game: Game[Any], event: Event, names: Sequence[str]) -> list[str]:
    """An event in words, line by line."""
    return _lines(game.words.say(event, names))


def event_seat(event: Event) -> Seat | None:
    """The seat that an event is about."""
    seat = getattr(event, "seat", None)
    return seat if isinstance(seat, int) else None


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _answer(line: Line) -> Any:
    """The action that a seat sent; None if it sent none that could be read."""
    if line.fault is not None:
        return None if line.said is NOTHING else line.said
    return None if line.by is None or line.do is NOTHING else line.do


def _played(state: State[Any], by: By, action: Any) -> Sequence[Event]:
    """Play a recorded input; None: a fault that cost nothing."""
    if action is None:
        return ()
    try:
        return state.play(by, action)
    except Inconsistent as e:  # the last input of a match that was void
        return e.events
    except Exception:  # likewise, because of a bug of ours
        return ()

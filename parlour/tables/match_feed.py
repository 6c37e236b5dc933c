"""Messages for the watchers of a match: its events and views, as each audience may see them.

`Feed` has the plain messages of an audience. `Feeds` has those of all audiences, and the messages of
`parlour.protocol.feed`. It counts the events of every audience from the beginning, so that a late watcher gets their
numbers. It encodes only if somebody watches, and once for each audience. Until then it only collects the events, which
is far cheaper.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from parlour.core import AnswerRefused, Asked, By, Event, Notice, Over, Seat, Value
from parlour.protocol.feed import (
    FeedAsk,
    FeedBegin,
    FeedChat,
    FeedEvent,
    FeedFault,
    FeedOver,
    FeedView,
    WatchedClock,
)
from parlour.referee.frames import event_lines, event_seat
from parlour.referee.match import Match, Open, Out
from parlour.referee.timeline import MatchPlayer, PlayerKind, stated_kind
from parlour.transports.limits import WATCH_QUEUE

TAIL = 200
"""How many past events a new watcher is sent."""
MOST_UNTOLD = 200
"""How many outputs are collected for feeds that nobody watches."""

encode = msgspec.json.encode


class Watcher:
    """The unread messages of one watcher; None ends them."""

    def __init__(self, messages: Iterable[bytes], gone: Callable[["Watcher"], None]) -> None:
        self._messages: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._gone = gone
        for message in messages:
            self._messages.put_nowait(message)

    @property
    def is_behind(self) -> bool:
        return self._messages.qsize() >= WATCH_QUEUE

    def tell(self, message: bytes | None) -> None:
        self._messages.put_nowait(message)

    def __aiter__(self) -> "Watcher":
        return self

    async def __anext__(self) -> bytes:
        if (message := await self._messages.get()) is None:
            raise StopAsyncIteration
        return message

    async def aclose(self) -> None:
        self._gone(self)


class Watchers:
    """The watchers that get the same messages. Each reads at its own pace, up to a limit."""

    def __init__(self) -> None:
        self.all: set[Watcher] = set()

    def add(self, first: Iterable[bytes]) -> Watcher:
        watcher = Watcher(first, self.all.discard)
        self.all.add(watcher)
        return watcher

    def tell(self, message: bytes) -> None:
        for watcher in [*self.all]:
            if watcher.is_behind:
                self.all.discard(watcher)
                watcher.tell(None)
            else:
                watcher.tell(message)

    def end(self) -> None:
        for watcher in self.all:
            watcher.tell(None)
        self.all.clear()


class Feed:
    """The plain messages of a match for a seat or for spectators."""

    def __init__(self, who: By = None) -> None:
        self._who = who
        self._tail: deque[dict[str, Any]] = deque(maxlen=TAIL)
        self._watchers = Watchers()
        self._over = False

    def take(self, out: Out) -> None:
        for notice in out.to(self._who):
            if isinstance(notice, Event):
                self._send({"type": "event", "event": notice})
            elif isinstance(notice, Asked):
                self._send({"type": "ask", "id": notice.n, "ask": notice.ask})
            elif isinstance(notice, AnswerRefused):
                self._send({"type": "fault", "id": notice.n, "fault": notice.fault, "cost": notice.cost})
            elif isinstance(notice, Over):
                self._send({"type": "over", "end": notice.end, "head": notice.head})

    def _send(self, message: dict[str, Any]) -> None:
        self._tail.append(message)
        if self._watchers.all:
            self._watchers.tell(encode(message))

    def end(self) -> None:
        self._over = True
        self._watchers.end()

    def messages(self, first: bytes) -> Watcher:
        """Send `first`, which is the current view, then the last events, then all new ones."""
        watcher = self._watchers.add([first, *map(encode, self._tail)])
        if self._over:
            self._watchers.end()
        return watcher


class SeenEvent(Struct, gc=False):
    """An event as an audience saw it, and its message, once somebody watched."""

    n: int
    event: Event
    message: bytes | None = None


class Audience:
    """A seat or the spectators: the events that it has seen, and its watchers."""

    def __init__(self, who: By) -> None:
        self.who = who
        self.n = 0
        """How many events it has seen."""
        self.tail: deque[SeenEvent] = deque(maxlen=TAIL)
        self.watchers = Watchers()
        self.shown: Value | None = None
        """The last view that its watchers were sent."""
        self.shown_n = 0
        """How many events it had seen then."""

    def see(self, event: Event) -> SeenEvent | None:
        """Count an event, if this audience may see it."""
        seen = event.seen_by(self.who)
        if seen is None:
            return None
        self.n += 1
        self.tail.append(told := SeenEvent(self.n, seen))
        return told

    def newcomer(self, seat: Seat) -> "Audience":
        """A seat that joins now, and has seen the same so far."""
        audience = Audience(seat)
        audience.n = self.n
        audience.tail.extend(SeenEvent(seen.n, seen.event) for seen in self.tail)
        return audience


class Feeds:
    """The plain and full feeds of a match.

    An audience gets messages only about what it may see: nothing is sent when another seat chooses in secret, and all
    numbers and times of other seats are counted from public events.
    """

    def __init__(
        self,
        match: Match[Any],
        kinds: Mapping[Seat, PlayerKind],
        report: Callable[[Exception], None],
        past: Iterable[Out] = (),
    ) -> None:
        """`kinds` are those that the header does not tell, by seat. `report` gets errors in the game's words. `past` is
        the output of a resumed match so far."""
        self._match = match
        self._kinds = kinds
        self._report = report
        self._public = Audience(None)
        self._audiences = [self._public, *map(Audience, range(len(match.names)))]
        self._plain: dict[By, Feed] = {None: Feed()}
        self._is_watched = False
        """Whether anybody has ever watched."""
        self._untold: list[tuple[tuple[Notice, ...], float, Over | None, int]] = []
        """Before that: the notices that the feeds were not told yet, and the other arguments of `_tell`."""
        self._public_at = 0.0
        """When spectators last saw an event, in loop time."""
        self._over: bytes | None = None
        self._ended = False
        for out in past:
            self._count(out)

    # Output of the match

    def take(self, out: Out, now: float, over: Over | None = None) -> None:
        """Send what is new after one input. `over` is the end of the match with its signature."""
        seats = len(self._match.names)
        if self._is_watched:
            self._tell(out, now, over, seats)
            return
        events = [notice for notice in out.notices if isinstance(notice, Event) or notice is self._match.over]
        self._untold.append((tuple(events), now, over, seats))  # the garbage collector need not look into tuples
        if len(self._untold) >= MOST_UNTOLD:
            self._catch_up()

    def _catch_up(self) -> None:
        untold, self._untold = self._untold, []
        for events, now, over, seats in untold:
            self._tell(Out([], [*events]), now, over, seats)

    def _tell(self, out: Out, now: float, over: Over | None, seats: int) -> None:
        """Count and send what is new, with so many seats."""
        for feed in self._plain.values():
            feed.take(out)
        joined = self._admit(seats)
        before = self._public.n
        watched = [audience for audience in self._audiences if audience.watchers.all]
        if watched:
            self._tell_news(watched, out, joined)
        else:
            self._count(out)
        if self._public.n > before or not self._public_at:
            self._public_at = now
        for audience in watched:
            self._tell_position(audience, out, now)
        if over is not None and self._over is None:
            self._end(over, watched)

    def _admit(self, seats: int) -> bool:
        """Add players that have joined; they have seen what spectators saw. False: there are none."""
        new = range(len(self._audiences) - 1, seats)
        self._audiences += [self._public.newcomer(seat) for seat in new]
        return bool(new)

    def _count(self, out: Out) -> None:
        for notice in out.notices:
            if isinstance(notice, Event):
                for audience in self._audiences:
                    audience.see(notice)

    def _tell_news(self, watched: Sequence[Audience], out: Out, joined: bool) -> None:
        """Count the events, and send events and faults in their order."""
        for audience in watched if joined else ():
            audience.watchers.tell(self._begin(audience.who))
        for notice in out.notices:
            if isinstance(notice, Event):
                for audience in self._audiences:
                    seen = audience.see(notice)
                    if seen is not None and audience.watchers.all:
                        audience.watchers.tell(self._event(seen))
            elif isinstance(notice, AnswerRefused):
                audience = self._audiences[notice.seat + 1]
                if audience.watchers.all:
                    audience.watchers.tell(encode(FeedFault(notice.n, notice.fault, notice.cost)))

    def _tell_position(self, audience: Audience, out: Out, now: float) -> None:
        """Send the view, if it has changed or events were sent, and the newest ask of the seat."""
        view = self._match.state.view(audience.who)
        if audience.n != audience.shown_n or (view is not audience.shown and view != audience.shown):
            audience.shown, audience.shown_n = view, audience.n
            audience.watchers.tell(self._view(audience, view, now))
        asked = [notice for notice in out.notices if isinstance(notice, Asked) and notice.seat == audience.who]
        if asked and (ask := self._ask(audience.who, now)) is not None:
            audience.watchers.tell(ask)

    def _end(self, over: Over, watched: Sequence[Audience]) -> None:
        signed = over.signed
        key, signature = (None, None) if signed is None else (signed.public_key, signed.signature)
        self._over = encode(FeedOver(over.end, over.head, signature, key))
        for audience in watched:
            audience.watchers.tell(self._over)

    def tell_chat(self, message: FeedChat) -> None:
        """Send a chat message to the seats, not to spectators."""
        encoded = encode(message)
        for audience in self._audiences[1:]:
            audience.watchers.tell(encoded)

    def end(self) -> None:
        """End all streams: the match is over, or the server stops."""
        self._ended = True
        for feed in self._plain.values():
            feed.end()
        for audience in self._audiences:
            audience.watchers.end()

    def plain(self, who: By) -> Feed:
        """The plain feed of a seat or of spectators, for somebody who watches."""
        self._begin_watching()
        if who not in self._plain:
            self._plain[who] = Feed(who)
            if self._ended:
                self._plain[who].end()
        return self._plain[who]

    def _begin_watching(self) -> None:
        self._is_watched = True
        self._catch_up()

    def messages(self, who: By, now: float) -> Watcher:
        """Send the match, the last events, the position and the open ask, and then all that is new."""
        self._begin_watching()
        audience = self._audiences[0 if who is None else who + 1]
        view = self._match.state.view(who)
        audience.shown, audience.shown_n = view, audience.n
        first = [self._begin(who), *map(self._event, audience.tail), self._view(audience, view, now)]
        first += [] if (ask := self._ask(who, now)) is None else [ask]
        first += [] if self._over is None else [self._over]
        watcher = audience.watchers.add(first)
        if self._ended:
            audience.watchers.end()
        return watcher

    # Messages

    def _begin(self, who: By) -> bytes:
        match, header = self._match, self._match.header
        players = tuple(MatchPlayer(name, self._kind(seat)) for seat, name in enumerate(match.names))
        return encode(
            FeedBegin(header.match, header.game, who, players, match.options, header.commit, match.header_hash)
        )

    def _kind(self, seat: Seat) -> PlayerKind:
        """The kind of the player at a seat: built in, or as its client stated."""
        players = self._match.header.players
        return self._kinds.get(seat) or stated_kind(players[seat].about if seat < len(players) else {})

    def _event(self, seen: SeenEvent) -> bytes:
        if seen.message is None:
            event = seen.event
            lines = self._in_words((), event_lines, self._match.game, event, self._match.names)
            seen.message = encode(FeedEvent(seen.n, event_seat(event), tuple(lines), event))
        return seen.message

    def _view(self, audience: Audience, view: Value, now: float) -> bytes:
        part = self._in_words(None, self._match.game.words.part, view)
        return encode(FeedView(audience.n, part, view, tuple(self._clocks(audience.who, now))))

    def _ask(self, who: By, now: float) -> bytes | None:
        """The open ask of a seat."""
        open = None if who is None else self._match.open.get(who)
        if open is None or who is None or not open.ask.waits or who in self._match.gone:
            return None
        clock = self._own_clock(who, open, now)
        limit, left, bank = None, None, None
        if clock is not None:
            limit, left, bank = self._match.clock.limit(who, open.ask), clock.left_ms, clock.bank_ms
        return encode(FeedAsk(open.n, len(open.faults) + 1, limit, left, bank, open.ask))

    # Clocks

    def _clocks(self, who: By, now: float) -> list[WatchedClock]:
        """The clocks of the seats that everybody can see have to act, counted from public events; and the seat's own
        clock, which is exact."""
        match = self._match
        limits, own = match.header.limits, None if who is None else match.open.get(who)
        if limits is None or match.end is not None:
            return []
        acting = self._in_words((), match.game.words.to_act, match.state.view(None))
        clocks = [self._public_clock(seat, limits.limit_ms, limits.bank_ms, now) for seat in acting if seat != who]
        if who is not None and own is not None and own.ask.waits:
            clocks += [] if (clock := self._own_clock(who, own, now)) is None else [clock]
        return sorted(clocks, key=lambda clock: clock.seat)

    def _public_clock(self, seat: Seat, limit_ms: int, bank_ms: int, now: float) -> WatchedClock:
        """The clock of another seat. Its real deadline could show that a seat chose in secret, or tried before."""
        shared = self._match.span_due(seat)
        due, bank = (self._public_at + limit_ms / 1000, None if bank_ms else 0) if shared is None else (shared, 0)
        return WatchedClock(seat, max(0, round((due - now) * 1000)), bank)

    def _own_clock(self, seat: Seat, open: Open, now: float) -> WatchedClock | None:
        if open.due is None:
            return None
        left, match = max(0, round((open.due - now) * 1000)), self._match
        bank = 0 if open.ask.span is not None else min(left, match.clock.bank(seat, open.ask))
        return WatchedClock(seat, left - bank, bank)

    def _in_words(self, otherwise: Any, words: Callable[..., Any] | None, *args: Any) -> Any:
        """Call a function of the game's words. An error in it must not stop the match."""
        try:
            return otherwise if words is None else words(*args)
        except Exception as e:
            self._report(e)
            return otherwise

"""Sets tables for the tests: hands in words, moves in words, starter problems, and rooms with a referee."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parlour.core import Dice, Event, IllegalAction, Leave, Sitting, Stop, Table
from parlour.games.tradecraft import GAME
from parlour.games.tradecraft.amounts import Amount, Items, Written, write_amount
from parlour.games.tradecraft.lines import Lines
from parlour.games.tradecraft.phases import Crafting
from parlour.games.tradecraft.rules import State
from parlour.games.tradecraft.setup import prepare
from parlour.games.tradecraft.values import (
    Action,
    Apply,
    Check,
    Checked,
    Decide,
    Done,
    Forgo,
    Options,
    Problem,
    Propose,
    View,
)
from parlour.players.remote import RemotePlayer
from parlour.protocol.v1 import V1
from parlour.referee.match import Match, Out
from parlour.referee.player import place_of
from parlour.referee.transcript import Limits, SeatBrief, header
from parlour.transports.peer import Peer

SEED = b"a seed"
NAMES = ("ada", "bob", "cleo", "dan", "eve", "fay")
STARTERS = {path.stem: prepare(path.read_text()) for path in (Path(__file__).parent / "problems").glob("*.json")}
FAR = {"beacon": 1}
"""A target that is out of reach."""


# Items from words


def items(words: str) -> Written:
    """Such as "2 stick 1/8 coal"."""
    said = words.split()
    amounts: list[Amount] = [write_amount(Fraction(word)) for word in said[::2]]
    return dict(zip(said[1::2], amounts, strict=True))


def wholes(words: str) -> dict[str, int]:
    return {item: int(amount) for item, amount in items(words).items()}


def exact(words: str) -> Items:
    return {item: Fraction(amount) for item, amount in items(words).items()}


# Tables


def problem(*hands: str, targets: Sequence[str] = (), max_turn: int | None = None) -> Problem:
    """Seats without a target get one that is out of reach."""
    wanted = [wholes(target) if target else FAR for target in targets]
    wanted += [FAR] * (len(hands) - len(wanted))
    return Problem(tuple(wholes(hand) for hand in hands), tuple(wanted), max_turn)


def table(*hands: str, targets: Sequence[str] = (), max_turn: int | None = None, **options: Any) -> State:
    """Seat 0 is to propose."""
    start = problem(*hands, targets=targets, max_turn=max_turn)
    return State.new(len(hands), Options(**options), start, Dice(SEED))


def bench(*hands: str, targets: Sequence[str] = (), **options: Any) -> State:
    """The crafting phase after a rejected proposal."""
    state = table(*hands, targets=targets, **options)
    play(state, "0 offers 1 nothing", "1 rejects")
    return state


def play(state: State, *moves: str) -> list[Event]:
    """Play moves in words; returns the events.

    Such as "0 offers 1 2 coal for 3 stick: please", "0 offers 1 nothing", "1 accepts", "1 rejects: never",
    "0 checks 1 coal 1 stick = 4 torch", "0 applies", "0 crafts 1 coal 1 stick = 4 torch" (both), "0 is done",
    "all are done", "0 forgoes", "1 leaves" or "time is up".
    """
    events: list[Event] = []
    for words in moves:
        for by, action in read(words, state):
            events += state.play(by, action)
    return events


def read(words: str, state: State) -> list[tuple[int | None, Action | Table]]:
    match words.split():
        case ["time", "is", "up"]:
            return [(None, Stop())]
        case ["all", "are", "done"]:
            return [(seat, Done()) for seat in state.asks() if seat is not None]
        case [seat, "leaves"]:
            return [(None, Leave(int(seat), "quit"))]
        case [seat, "crafts", *recipe]:
            return [(int(seat), _check(" ".join(recipe))), (int(seat), Apply())]
        case [seat, *_]:
            return [(int(seat), _act(words.partition(" ")[2]))]
    raise ValueError(f"not a move: {words}")


def _act(words: str) -> Action:
    move, _, message = words.partition(":")
    match move.split():
        case ["offers", partner, *trade]:
            offer, _, request = " ".join(trade).replace("nothing", "").partition("for")
            return Propose(int(partner), items(offer), items(request), message.strip())
        case [("accepts" | "rejects") as decision]:
            return Decide("accept" if decision == "accepts" else "reject", message.strip())
        case ["checks", *recipe]:
            return _check(" ".join(recipe))
        case ["applies"]:
            return Apply()
        case ["is", "done"]:
            return Done()
        case ["forgoes"]:
            return Forgo()
    raise ValueError(f"not a move: {words}")


def _check(words: str) -> Check:
    input, _, output = words.partition("=")
    return Check(items(input), items(output))


# Looking


def hands(state: State) -> list[Written]:
    """The public hands."""
    return list(state.view(None).hands)


def held(state: State, seat: int) -> Written:
    """The seat's current hand."""
    return state.view(seat).hand


def code(state: State, words: str, seat: int = 0) -> int:
    """The verdict on a recipe."""
    [checked] = play(state, f"{seat} checks {words}")
    assert isinstance(checked, Checked)
    return checked.code


def seen(events: Sequence[Event], who: int | None) -> list[Event]:
    return [each for event in events if (each := event.seen_by(who)) is not None]


def refusal(state: State, words: str) -> str:
    """The code with which a move is refused. A refused move leaves no trace."""
    return refused(state, words).code


def refused(state: State, words: str) -> IllegalAction:
    before, asks = state.copy(), dict(state.asks())
    with pytest.raises(IllegalAction) as caught:
        play(state, words)
    assert state == before and state.asks() == asks
    return caught.value


def crafting(state: State) -> Crafting:
    assert isinstance(state.phase, Crafting)
    return state.phase


def pass_turn(state: State) -> list[Event]:
    """A turn in which nothing happens."""
    proposer = state.proposer
    partner = (proposer + 1) % state.seats
    return play(state, f"{proposer} offers {partner} nothing", f"{partner} rejects", "all are done")


# A referee's room


class Room:
    """A match with manual moves and a manual clock."""

    def __init__(
        self, start: Problem, *, limit_s: float | None = None, bears: int | None = None, **options: Any
    ) -> None:
        players = [Sitting(name) for name in NAMES[: len(start.hands)]]
        limits = None if limit_s is None else Limits(round(1000 * limit_s))
        briefs = [] if limits is None else [brief for seat in range(len(players)) for brief in briefs_of(seat)]
        terms = {"options": Options(**options), "start": start, "limits": limits, "briefs": briefs, "bears": bears}
        head = header(GAME, players, SEED, **terms)  # type: ignore[arg-type]  # each has its own type
        self.match: Match[Any] = Match(GAME, head, SEED)
        self.now = 0.0
        self.outs: list[Out] = []
        self.views: list[dict[int | None, View]] = []
        """What every audience saw after each move."""
        self.take(self.match.begin(0.0))

    @property
    def state(self) -> State:
        state = self.match.state
        assert isinstance(state, State)
        return state

    def take(self, out: Out) -> Out:
        self.outs.append(out)
        self.views.append({who: self.state.view(who) for who in (None, *range(self.state.seats))})
        return out

    def says(self, seat: int, said: Any) -> Out:
        return self.take(self.match.answer(seat, said, self.now))

    def do(self, *moves: str) -> Out:
        """In the words of `play`."""
        out = Out([], [])
        for words in moves:
            for by, action in read(words, self.state):
                out = self.take(self.match.table(action, self.now)) if by is None else self.says(by, action)  # type: ignore[arg-type]
        return out

    def wait(self, seconds: float) -> Out:
        self.now += seconds
        return self.take(self.match.expire(self.now))

    @property
    def lines(self) -> list[bytes]:
        return [line for out in self.outs for line in out.lines]


def briefs_of(seat: int) -> list[SeatBrief]:
    """The asks with less time in the game's own protocol."""
    return [SeatBrief(seat, ask, brief.limit_ms, brief.again_ms) for ask, brief in sorted(Lines.briefs.items())]


class Ear(Peer):
    """Keeps what is sent to a player."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[bytes] = []

    def send(self, messages: Iterable[bytes]) -> None:
        self.heard += messages


def overheard(room: Room, who: int | None) -> list[bytes]:
    """Everything that an audience has received: events and views, and for a player the messages of every protocol."""
    heard: list[bytes] = []
    ears: list[tuple[Ear, RemotePlayer]] = []
    if who is not None:
        ears = [
            (ear := Ear(), RemotePlayer(ear, make())) for make in (lambda: V1(GAME), *GAME.hosting.dialects.values())
        ]
    for _, player in ears:
        player.sit(place_of(room.match, who or 0), room.views[0][who], lambda said, n: None)
    for out, views in zip(room.outs, room.views, strict=True):
        notices = list(out.to(who))
        heard += [msgspec.json.encode(notice) for notice in notices if isinstance(notice, Event)]
        heard += [view] if (view := msgspec.json.encode(views[who])) not in heard else []
        for _, player in ears:
            for notice in notices:
                player.tell(notice, views[who])
    blind = room.match.header_hash.encode()  # it stands for what nobody can find out from it
    return heard + [message.replace(blind, b"") for ear, _ in ears for message in ear.heard]


def total(hands: Sequence[Mapping[str, Amount]]) -> Items:
    """All items of all hands together."""
    sums: Items = {}
    for hand in hands:
        for item, amount in hand.items():
            sums[item] = sums.get(item, Fraction(0)) + Fraction(amount)
    return sums

"""Play a match of random bots to a drawn depth, with or without mishaps."""

import contextlib
from typing import Any

import msgspec
from hypothesis import strategies as st
from msgspec import Struct

from parlour.core import BadMessage, Close, Dice, IllegalAction, Join, Leave, Sitting, Value
from parlour.referee.match import Match, Out
from parlour.referee.transcript import header
from parlour.testing.subject import Subject

MOST_STEPS = 20_000
"""After so many inputs, a match of random bots is taken to be endless."""


class Case(Struct, frozen=True):
    """A drawn case: a game, how it is played, and how far."""

    subject: Subject
    seats: int
    options: Value
    seed: bytes
    depth: int
    rough: bool
    """Whether faults, departures and newcomers happen on the way."""

    def match(self) -> Match[Any]:
        players = [Sitting(f"player {seat}", f"salt {seat}") for seat in range(self.seats)]
        game, eager = self.subject.game, self.seats > 0  # a round must not close before players have joined
        return Match(game, header(game, players, self.seed, options=self.options, eager=eager), self.seed)


@st.composite
def cases(draw: st.DrawFn, subject: Subject, rough: bool | None = None) -> Case:
    """Draw a match of a game; `rough` settles whether mishaps happen on the way."""
    return Case(
        subject,
        draw(st.sampled_from(subject.seats)),
        draw(st.sampled_from(subject.options)),
        draw(st.binary(min_size=1, max_size=4)),
        draw(st.integers(0, 20) | st.integers(0, 90)),
        draw(st.booleans()) if rough is None else rough,
    )


class Walk:
    """A match that is being played, with its lines so far."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.match = case.match()
        self.dice = Dice(case.seed + b"walk")
        self.lines: list[bytes] = []
        self.outs: list[Out] = []
        self.moments: list[Any] = []
        """The match after each output."""

    def begin(self) -> "Walk":
        self.take(self.match.begin(0.0))
        return self

    def take(self, out: Out) -> Out:
        self.lines += out.lines
        self.outs.append(out)
        self.moments.append(was(self.match))
        return out

    def step(self) -> None:
        """Give the match one input, which is mostly a legal answer."""
        match, dice = self.match, self.dice
        roll = dice.below(40) if self.case.rough else 40
        asked = sorted(match.open.keys() - match.gone)
        if self.case.seats == 0 and len(match.names) < 2:
            self.table(Join(f"early {len(match.names)}", "salt"))
        elif roll == 0 and len(match.names) > 0:
            self.take(match.table(Leave(dice.below(len(match.names)), "quit"), 0.0))
        elif roll == 1:
            self.table(Join(f"late {len(match.names)}", "salt"))
        elif roll in (2, 3) and asked:
            self.take(match.answer(dice.pick(asked), BadMessage("junk", "not even JSON"), 0.0))
        elif asked and not self._may_close(asked):
            seat = dice.pick(asked)
            ask = match.open[seat].ask
            self.take(match.answer(seat, match.game.hosting.bots["random"](match.state.view(seat), ask, dice), 0.0))
        elif None in match.state.asks():
            self.table(Close())

    def _may_close(self, asked: list[int]) -> bool:
        """Whether the table closes the round now: all seats have answered. Sometimes an answer is replaced first."""
        if None not in self.match.state.asks() or any(self.match.open[seat].ask.waits for seat in asked):
            return False
        return self.dice.below(3) > 0

    def table(self, act: Any) -> None:
        with contextlib.suppress(IllegalAction):
            self.take(self.match.table(act, 0.0))

    def to_depth(self) -> "Walk":
        self.begin()
        for _ in range(self.case.depth):
            if self.match.end is not None:
                break
            self.step()
        return self

    def to_end(self) -> "Walk":
        for _ in range(MOST_STEPS):
            if self.match.end is not None:
                return self
            self.step()
        raise AssertionError(
            f"A match between random bots is not over after {MOST_STEPS} inputs. Either the rules allow endless "
            "matches, or the subject needs shorter options."
        )


def was(match: Match[Any]) -> Any:
    """Everything that a resumed match must have again."""
    asks = {seat: (open.n, open.ask, list(open.faults)) for seat, open in match.open.items()}
    return match.state.copy(), match.head, match.end, asks, dict(match.gone), list(match.names)


def walked(case: Case) -> Walk:
    return Walk(case).to_depth()


def junk(kind: type[Any]) -> st.SearchStrategy[Any]:
    """Values of an action's type with any content that its fields allow."""
    fields = {field.name: _anything(field.type) for field in msgspec.inspect.type_info(kind).fields}  # type: ignore[attr-defined]
    return st.builds(kind, **fields)


def _anything(kind: Any) -> st.SearchStrategy[Any]:
    match kind:
        case msgspec.inspect.Metadata(type=plain):
            return _anything(plain)
        case msgspec.inspect.IntType(ge=low, le=high):
            wide = st.integers(-(10**9) if low is None else low, 10**9 if high is None else high)
            return st.integers(-3, 40).filter(lambda n: low is None or n >= low) | wide
        case msgspec.inspect.LiteralType(values=values):
            return st.sampled_from(values)
        case msgspec.inspect.NoneType():
            return st.none()
        case msgspec.inspect.StrType():
            return st.text(max_size=40)
        case msgspec.inspect.BoolType():
            return st.booleans()
        case msgspec.inspect.UnionType(types=types):
            return st.one_of([_anything(each) for each in types])
        case msgspec.inspect.VarTupleType(item_type=item):
            return st.lists(_anything(item), max_size=4).map(tuple)
        case msgspec.inspect.DictType(key_type=key, value_type=value):
            return st.dictionaries(_anything(key), _anything(value), max_size=4)
        case msgspec.inspect.StructType(cls=cls):
            return junk(cls)
        case _:
            raise TypeError(f"The contract tests cannot draw values of type {kind!r}, which a field of an action has.")

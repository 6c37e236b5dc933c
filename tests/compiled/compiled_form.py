"""What holds of the compiled form alone. `make test` runs this with the compiled wheel, where there is no clone."""

import copy
import importlib
import pickle
import traceback
from pathlib import Path
from typing import Any

import pytest
from mypy_extensions import mypyc_attr

from parlour import __version__
from parlour.core import Ask, Comparable, Dice, Fault, Leave, Position, Sitting, Value, dice
from parlour.games import game
from parlour.games.forsale.rules import State
from parlour.games.forsale.thinker import Thinker
from parlour.games.forsale.values import Bid, Options
from parlour.referee.driver import SteppedMatch, drive
from parlour.referee.log import ImmediateLog
from parlour.referee.match import Match
from parlour.referee.transcript import header
from tests.compiled.listed import compiled_modules
from tests.here import here

FORSALE = game("forsale")


@pytest.mark.parametrize("name", compiled_modules())
def test_every_listed_module_is_compiled(name: str) -> None:
    file = importlib.import_module(name).__file__
    assert file is not None and file.endswith((".so", ".pyd"))
    assert Path(file).with_name(f"{name.rpartition('.')[2]}.py").is_file(), "the source is beside it, for tracebacks"


def test_the_version_says_so() -> None:
    assert here("--version").stdout == f"parlour {__version__} (compiled)\n"


def test_a_traceback_names_file_and_line() -> None:
    try:
        Dice(b"").below(0)
    except ValueError as e:
        *_, last = traceback.extract_tb(e.__traceback__)
    assert last.filename.endswith("parlour/core/dice.py") and last.name == "_far_below" and last.lineno is not None
    lines = Path(str(dice.__file__)).with_name("dice.py").read_text().splitlines()
    assert lines[last.lineno - 1].strip() == 'raise ValueError(f"cannot draw below {n}")'


def test_a_bot_that_crashes_in_compiled_code_is_told_where() -> None:
    def bot(view: Any, ask: Any, dice: Dice) -> Any:
        return dice.below(0)

    match = new_match()
    out: list[Any] = []
    drive(match, [bot] * 3, watch=lambda _, each: out.extend(each.notices))
    words = [notice.fault.words for notice in out if hasattr(notice, "fault")]
    assert "ValueError: cannot draw below 0 at " in words[0] and "parlour/core/dice.py:" in words[0]


def new_match() -> Match[Any]:
    return Match(FORSALE, header(FORSALE, [Sitting("bot")] * 3, b"seed"), b"seed")


def test_true_is_no_number() -> None:
    """Compiled code takes True for an int, so actions are checked before they get there."""
    match = new_match()
    match.begin(0.0)
    [seat] = match.open
    match.answer(seat, Bid(True), 0.0)
    [fault] = match.open[seat].faults
    assert (fault.kind, fault.code) == ("unreadable", "wrong_shape")


class Counter(Position[Value]):
    """A state of another package, which is not compiled."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self.dice = Dice(b"seed")

    def _new_asks(self) -> dict[int | None, Any]:
        return {0: Ask(choices=(self.count,))}

    def _new_view(self, who: int | None) -> Value:
        return Leave(0, str(self.count))

    def add(self) -> None:
        self.count += 1
        self._changed()


def test_a_state_that_is_not_compiled_has_caches_equality_copies_and_pickles() -> None:
    state = Counter()
    assert state.asks() is state.asks() and state.view(0) is state.view(0)
    twins = copy.deepcopy(state), pickle.loads(pickle.dumps(state)), copy.copy(state)
    assert all(twin == state and twin is not state for twin in twins)
    state.add()
    assert state.view(0) == Leave(0, "1") and all(twin != state for twin in twins)
    assert twins[0].view(0) == Leave(0, "0") and twins[0].dice.below(99) == Dice(b"seed").below(99)


def test_matches_can_be_copied() -> None:
    match = new_match()
    match.begin(0.0)
    twin, [seat] = match.copy(), match.open
    assert twin.answer(seat, Bid(1), 0.0).lines != [] and twin.records == match.records + 1
    assert match.open.keys() == {seat} and match.state != twin.state
    match = new_match()
    stepped = SteppedMatch(match, [None] * 3, match.begin(0.0), ImmediateLog())
    assert stepped.copy(ImmediateLog()).asked == stepped.asked


@pytest.mark.parametrize("name", ["forsale", "dominion", "maze", "colorfight", "tradecraft"])
def test_states_can_be_copied_and_pickled(name: str) -> None:
    rules = game(name).rules
    state: Any = rules.new(3, rules.options(), None, Dice(b"seed"))
    for twin in (copy.deepcopy(state), pickle.loads(pickle.dumps(state)), state.copy()):
        assert twin.dice == state.dice and twin.asks() == state.asks()
        twin.dice.below(9)
        assert twin.dice != state.dice
    with pytest.raises(TypeError, match="unhashable"):
        hash(state)


class Generous(State):
    """Rules with a change that compiled code has to notice."""

    def amends(self, seat: int, faults_made: Any) -> Any:
        return Bid(1)


def test_compiled_code_calls_the_methods_of_an_interpreted_subclass() -> None:
    state = Generous.new(3, Options(), None, Dice(b"seed"))
    assert type(state) is Generous and state.amends(0, [Fault("late", "late")]) == Bid(1)

    class Eager(Thinker):
        def event(self, seen: Any) -> None:
            super().event(seen)

    assert callable(Eager())


@mypyc_attr(allow_interpreted_subclasses=True)
class Pair(Comparable):
    def __init__(self, left: int) -> None:
        self.left = left
        self._right = left


def test_equality_is_that_of_public_attributes() -> None:
    one, other = Pair(1), Pair(1)
    other._right = 2
    assert one == other and one != Pair(2) and one != 1
    del other.left
    assert one != other

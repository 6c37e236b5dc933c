"""For Sale with a planted bug: a subclass, because methods of compiled classes cannot be replaced."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from parlour.core import Event, Game
from parlour.games.forsale import GAME, faults
from parlour.games.forsale.phases import Auction
from parlour.games.forsale.rules import State
from parlour.games.forsale.values import Action


def with_methods(**methods: Callable[..., Any]) -> Game[Action]:
    """The game with other methods of its states."""
    kind: Any = type("Faulty", (State,), methods)
    return replace(GAME, rules=replace(GAME.rules, new=kind.new))


def planted(state: State, **methods: Callable[..., Any]) -> State:
    """The same position with other methods."""
    kind: Any = type("Faulty", (State,), methods)
    twin: State = kind()
    twin.__setstate__(state.__getstate__())
    return twin


def miscounting(words: str) -> Game[Action]:
    """As if the rules lost count of estates in the second round, in every match alike."""

    def win(state: Any, auction: Auction, seat: int, events: list[Event]) -> None:
        round = state.round
        State._win(state, auction, seat, events)
        if round == 2:
            state._heed((faults.WRONG_ESTATE_SIZE, words, {"pid": -1}), events)

    return with_methods(_win=win)

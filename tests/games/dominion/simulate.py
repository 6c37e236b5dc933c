"""Games played on the bare rules, without a referee: many, and always the same ones."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from parlour.core import Dice, Place
from parlour.games.dominion.rules import State
from parlour.games.dominion.values import Options

Bot: TypeAlias = Callable[..., Any]


class Ending(NamedTuple):
    """How a game came out, by player; seats are out of it."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    first_turns: int
    """Of whoever began."""

    def share(self, player: int) -> float:
        """What a player has of the win: a tie of k counts 1/k."""
        return (player in self.winners) / len(self.winners)


def play_out(players: Sequence[Bot], seed: str) -> State:
    """Play to the end, seat by seat. An illegal answer raises."""
    dice = Dice(seed.encode())
    state = State.new(len(players), Options(), None, dice.split())
    listeners = [(place, player.event) for place, player in enumerate(players) if hasattr(player, "event")]
    for place, player in enumerate(players):
        if hasattr(player, "sit"):
            player.sit(Place("dominion", seed, place, ("",) * len(players), Options(), ""))
    while asks := state.asks():
        seat, ask = next(iter(asks.items()))
        assert seat is not None
        for event in state.play(seat, players[seat](state.view(seat), ask, dice)):
            for listener, tell in listeners:
                tell(event.seen_by(listener))
    return state


def play_many(players: Sequence[Bot], games: int, rotate: bool = True) -> list[Ending]:
    """So many games; if they rotate, every player sits everywhere equally often."""
    return [ending(players, game % len(players) if rotate else 0, f"dominion {game}") for game in range(games)]


def ending(players: Sequence[Bot], first: int, seed: str) -> Ending:
    """One game, which player number `first` begins; those after it follow in order."""
    seats = len(players)
    state = play_out([*players[first:], *players[:first]], seed)
    result = state.result()
    assert result is not None
    seat_of = [(player - first) % seats for player in range(seats)]
    winners = tuple(player for player in range(seats) if result.ranks[seat_of[player]] == 1)
    return Ending(tuple(result.scores[seat] for seat in seat_of), winners, state.turns[0])

"""A player who disconnects when its game needs no more decisions of it has finished, and has not left."""

from collections.abc import Callable
from typing import Any

import pytest

from parlour.core import Ask, Asked, Game, Leave, Notice, Place, Result, Sitting, Value, Void
from parlour.games import game
from parlour.games.maze.values import Ack, Pass
from parlour.games.tradecraft.values import CraftItems, Decide, DecideProposal, Done, Propose
from parlour.referee.match import Match
from parlour.referee.player import Post
from parlour.referee.replay import verify
from parlour.referee.shell import Shell
from parlour.referee.transcript import header
from tests import turned
from tests.games.maze.tables import crosses, position
from tests.games.tradecraft.tables import problem

SEED = b"a seed"
FORSALE = game("forsale")
TRADECRAFT = game("tradecraft")

Last = Callable[[Asked, Any], bool]
"""Whether an ask and the view with it are the last before the player disconnects."""


class Leaver:
    """A player that answers every ask, and disconnects after the one that it considers the last."""

    follows = False

    def __init__(
        self, decide: Callable[[Asked], Any], last: Last = lambda asked, view: False, why: str = "dead"
    ) -> None:
        self._decide, self._last, self._why = decide, last, why
        self._post: Post | None = None

    def sit(self, place: Place, view: Value, post: Post) -> None:
        self._post = post

    def tell(self, notice: Notice, view: Value | None) -> None:
        if isinstance(notice, Asked) and self._post is not None:
            self._post(self._decide(notice), notice.n)
            if self._last(notice, view):
                self._post(Leave(notice.seat, self._why), None)
                self._post = None

    def auto(self, ask: Ask[Any]) -> None:
        """No ask is answered automatically."""


def played(rules: Game[Any], players: list[Leaver], start: Value | None = None) -> tuple[Match[Any], Result | Void]:
    sittings = [Sitting(f"player {seat}") for seat in range(len(players))]
    match: Match[Any] = Match(rules, header(rules, sittings, SEED, start=start), SEED)
    return match, turned.run(Shell(match, players).run())


# For Sale (RULES 6.6)


def first(asked: Asked) -> Any:
    assert asked.ask.choices is not None
    return asked.ask.choices[0]


def estates(count: int) -> Last:
    """The ask of part II with so many estates to choose from."""
    return lambda asked, view: view.part == 2 and len(asked.ask.choices or ()) == count


def test_forsale_after_the_last_choice() -> None:
    """Seat 0 is asked first, so that the others have not chosen yet."""
    match, end = played(FORSALE, [Leaver(first, estates(1)), Leaver(first), Leaver(first)])
    _, stayed = played(FORSALE, [Leaver(first), Leaver(first), Leaver(first)])
    assert match.gone == {} and end == stayed


@pytest.mark.parametrize(("count", "why"), [(2, "dead"), (1, "quit"), (1, "flood")])
def test_forsale_before_it_or_by_its_own_doing(count: int, why: str) -> None:
    match, _ = played(FORSALE, [Leaver(first, estates(count), why), Leaver(first), Leaver(first)])
    assert match.gone == {0: why}


# tradeCraft (RULES 8.9)


def trader(asked: Asked) -> Any:
    if isinstance(asked.ask, CraftItems):
        return Done()
    return Decide("reject") if isinstance(asked.ask, DecideProposal) else Propose(1 - asked.seat)


def crafting(turn: int) -> Last:
    return lambda asked, view: isinstance(asked.ask, CraftItems) and asked.ask.turn == turn


def test_tradecraft_with_the_target_in_hand() -> None:
    def asks_for_it(asked: Asked) -> Any:
        return trader(asked) if isinstance(asked.ask, CraftItems) else Propose(1, {}, {"stick": 2})

    def gives_it(asked: Asked) -> Any:
        return Decide("accept") if isinstance(asked.ask, DecideProposal) else trader(asked)

    start = problem("2 coal", "2 stick", targets=["2 stick"], max_turn=3)
    match, end = played(TRADECRAFT, [Leaver(asks_for_it, crafting(1)), Leaver(gives_it)], start)
    assert match.gone == {} and end == Result((3, 0), (1, 2))


def test_tradecraft_in_the_last_turn() -> None:
    match, end = played(TRADECRAFT, [Leaver(trader, crafting(2)), Leaver(trader)], problem("2 coal", "", max_turn=2))
    assert match.gone == {} and end == Result((0, 0), (2, 2))


def test_tradecraft_before_the_last_turn() -> None:
    match, end = played(TRADECRAFT, [Leaver(trader, crafting(1)), Leaver(trader)], problem("2 coal", "", max_turn=2))
    assert match.gone == {0: "dead"} and end == Result((0, 0), (3, 2))


# Maze


def test_maze_a_transcript_in_which_such_a_player_has_left_still_holds() -> None:
    """Earlier releases recorded such a departure, and the winner lost; the rules replay these transcripts unchanged."""
    maze, start = game("maze"), position(crosses(3, 5), "1,1 1,3", "1,3 1,1")
    match: Match[Any] = Match(maze, header(maze, [Sitting("a"), Sitting("b")], SEED, start=start), SEED)
    outs = [match.begin(0.0)]
    answers = [(0, Ack()), (1, Ack()), (1, Pass()), (0, Pass()), (0, Ack())]
    outs += [match.answer(seat, answer, 0.0) for seat, answer in answers]
    assert match.has_finished(0) and match.state.view(0).winners == (0, 1)  # type: ignore[attr-defined]
    outs += [match.table(Leave(0, "dead"), 0.0), match.answer(1, Ack(), 0.0)]
    lines = [line for out in outs for line in out.lines]
    assert match.end == Result((0, 0), (2, 1)) and match.gone == {0: "dead"}
    assert verify(b"".join(line + b"\n" for line in [*lines, match.reveal()]), game).holds == "yes"

"""Positions that matches seldom reach, in which an event reveals something that no view shows."""

from collections.abc import Callable, Mapping

from parlour.games.forsale.values import Sell
from parlour.testing import Scene
from tests.games.dominion import tables as dominion
from tests.games.forsale import tables as forsale
from tests.games.maze import tables as maze


def last_but_one_sale() -> Scene:
    """The last cheques are known; the sealed offers of the others are not."""
    table = forsale.sale(hands=[[4, 9], [1, 17], [12, 30], [2, 20], [3, 21]], cheques=[2, 5, 11, 13, 14])
    forsale.play(table, "1 sells 17", "2 sells 12", "3 sells 2", "4 sells 21")
    return Scene(table, 0, 0, Sell(9))


def cellar_and_a_shuffle() -> Scene:
    """All cards that the Cellar discards are shuffled into the deck again."""
    table = dominion.table(["cellar estate copper", "copper"], discards=["silver duchy", ""])
    return Scene(table, 1, *dominion.read("0 plays cellar discarding estate copper"))


def cellar_and_too_small_a_deck() -> Scene:
    """If the Cellar discards both, they are shuffled into the deck again; if it discards none, nothing changes."""
    table = dominion.table(["cellar estate copper", "copper"], decks=["gold", ""])
    return Scene(table, 1, *dominion.read("0 plays cellar discarding estate copper"))


def home_in_the_last_round() -> Scene:
    table = maze.table(maze.crosses(5, 5), "1,1 3,3", "3,1 1,3", at="0,0 3,3", round_cap=1)
    maze.play(table, "1 passes")
    table.players[0].goal, table.players[0].going_home = table.players[0].home, True
    return Scene(table, 1, *maze.read("0 slides row 4 left to 1,1"))


SCENES: Mapping[str, tuple[Callable[[], Scene], ...]] = {
    "dominion": (cellar_and_a_shuffle, cellar_and_too_small_a_deck),
    "forsale": (last_but_one_sale,),
    "maze": (home_in_the_last_round,),
}

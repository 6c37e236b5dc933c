"""Contract tests for games, for the games of Parlour and for those of other packages.

Install them with `parlour[testing]`. They are loaded only where a project asks for them, in its top `conftest.py`:

    pytest_plugins = ["parlour.testing"]

A test file then needs a class that names the game:

    from liars_dice import GAME, dice_in_play
    from parlour.testing import GameContract, Subject


    class TestLiarsDice(GameContract):
        subject = Subject(GAME, treasure=dice_in_play)

The class inherits tests of everything that the referee, servers and players expect of a game: matches end, illegal
actions leave no trace, a transcript replays, nobody sees what is hidden, nothing is lost, and more. `Subject` says how
the game is played in the tests, and holds its few exceptions, each with a reason.

Golden transcripts are whole matches as text, in a folder `golden` beside the test file. `pytest --update-golden` writes
them; otherwise the tests compare them byte for byte.

Cases are drawn by hypothesis under the profile that is in force. Each test takes its share of `max_examples`.
"""

from parlour.testing.contract import GameContract
from parlour.testing.leaks import Leak
from parlour.testing.options import pytest_addoption
from parlour.testing.subject import Golden, Scene, Subject

__all__ = ["GameContract", "Golden", "Leak", "Scene", "Subject", "pytest_addoption"]

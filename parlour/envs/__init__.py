"""Games as environments for learning programs: PettingZoo, Gymnasium and OpenSpiel.

Importing this package makes all games with an encoding known to Gymnasium (`parlour/ForSale-v0`) and to OpenSpiel
(`parlour_forsale`), as far as these are installed.
"""

from importlib.util import find_spec

from parlour import plugins
from parlour.core import Game
from parlour.envs.setting import Setting

if find_spec("gymnasium") is None and find_spec("pyspiel") is None:
    raise ModuleNotFoundError("neither gymnasium nor open_spiel is installed: pip install 'parlour[envs]'")


def _register_all() -> None:
    for game in plugins.games():
        if game.encoding is not None:
            _register(game)


def _register(game: Game[object]) -> None:
    version = Setting(game, None, {}).encoding().version
    if find_spec("gymnasium") is not None:
        from parlour.envs import gymnasium

        gymnasium.register(game, version)


_register_all()

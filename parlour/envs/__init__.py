"""Games as environments for learning programs: PettingZoo, Gymnasium and OpenSpiel.

Importing this package makes all games with an encoding known to Gymnasium (`parlour/ForSale-v0`) and to OpenSpiel
(`parlour_forsale`), as far as these are installed.
"""

from importlib.util import find_spec

from parlour import plugins
from parlour.envs.setting import Setting

if find_spec("gymnasium") is None and find_spec("pyspiel") is None:
    raise ModuleNotFoundError("neither gymnasium nor open_spiel is installed: pip install 'parlour[envs]'")


def _register_all() -> None:
    for game in plugins.games():
        if game.encoding is not None:
            encoding = Setting(game, None, {}).encoding()
            if find_spec("gymnasium") is not None:
                from parlour.envs import gymnasium

                gymnasium.register(game, encoding.version)
            if find_spec("pyspiel") is not None and not encoding.no_tree:
                from parlour.envs import openspiel

                openspiel.register(game)


_register_all()

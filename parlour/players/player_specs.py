"""Find the player that a command line names."""

import importlib
import importlib.util
import inspect
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from msgspec import Struct

from parlour.core import Dialect, Game
from parlour.core.values import MOST_NAME, plain
from parlour.players.models.desk import check_affordable
from parlour.players.models.options import BadModel, ModelTerms, is_model, read_model
from parlour.protocol.v1 import V1
from parlour.referee.player import Bot

MODEL: dict[str, int | str] = {"kind": "model"}
"""The facts about a model in the header of a match."""
MOST_WHY = 500
"""Characters of a bot's own error while it is loaded."""


class BadPlayer(ValueError):
    """The text names no usable player."""


class LocalSpec(Struct, frozen=True):
    """A bot in this process; `make` creates a new one for each match."""

    name: str
    make: Callable[[], Bot]


class ExecSpec(Struct, frozen=True):
    """A command that is started for each match, and its protocol."""

    name: str
    argv: tuple[str, ...]
    dialect: Callable[[], Dialect]


class ModelSpec(Struct, frozen=True):
    """A language model, which is asked over the network."""

    name: str
    terms: ModelTerms


Spec = LocalSpec | ExecSpec | ModelSpec


def load(game: Game[Any], text: str) -> Spec:
    """`name`, `package.module:function`, `path/to/file.py`, `exec:COMMAND`, `exec+GAME[/DIALECT]:COMMAND`, or
    `model:PROVIDER/NAME`."""
    if is_model(text):
        return _model(text)
    if text.startswith(("exec:", "exec+")):
        return _command(game, text)
    if text in game.hosting.bots:
        return LocalSpec(text, _maker(game.hosting.bots[text], text))
    path, _, attribute = text.partition(":")
    if path.endswith(".py"):
        return LocalSpec(_name(Path(path).stem), _maker(_from_file(Path(path), attribute or "bot"), text))
    if attribute:
        return LocalSpec(_name(attribute), _maker(_from_module(path, attribute), text))
    raise BadPlayer(
        f"unknown player {text!r}. Built-in bots of {game.title}: {', '.join(game.hosting.bots)}; "
        "or give a file.py, a module:function, exec:COMMAND, or model:PROVIDER/NAME"
    )


def _model(text: str) -> ModelSpec:
    try:
        terms = read_model(text)
        check_affordable(terms)
    except BadModel as e:
        raise BadPlayer(str(e)) from None
    return ModelSpec(terms.player_name, terms)


def _command(game: Game[Any], text: str) -> ExecSpec:
    kind, _, command = text.partition(":")
    try:
        argv = tuple(shlex.split(command))
    except ValueError as e:
        raise BadPlayer(f"{text!r}: {e}") from None
    if not argv:
        raise BadPlayer(f"{text!r}: the command is missing")
    script = next((word for word in argv[1:] if Path(word).is_file()), argv[0])
    name = _name(Path(script).stem)
    spoken = kind.removeprefix("exec").removeprefix("+")
    if not spoken:
        return ExecSpec(name, argv, lambda: V1(game, name))
    protocol, _, dialect = spoken.partition("/")
    if protocol != game.name:
        raise BadPlayer(f"{text!r}: {game.title} has no protocol {protocol!r}")
    return ExecSpec(name, argv, find_dialect(game, dialect or game.hosting.command_dialect))


def find_dialect(game: Game[Any], name: str | None) -> Callable[[], Dialect]:
    """A dialect of the game by name, or BadPlayer."""
    if name is None:
        raise BadPlayer(f"{game.title} has no protocol of its own for this")
    if name not in game.hosting.dialects:
        known = ", ".join(game.hosting.dialects) or "none"
        raise BadPlayer(f"{game.title} has no dialect {name!r} of its own. It has: {known}")
    return game.hosting.dialects[name]


def _name(text: str) -> str:
    return plain(text, MOST_NAME) or "nameless"


def _maker(found: Any, text: str) -> Callable[[], Bot]:
    if inspect.isclass(found):
        if not _takes(found):
            raise BadPlayer(f"{text!r} is not a bot: its class must be callable without arguments")
        called = next((vars(base)["__call__"] for base in found.__mro__ if "__call__" in vars(base)), None)
        if not _takes(called, None, None, None, None):
            raise BadPlayer(f"{text!r} is not a bot: instances must be callable with view, ask and dice")
        return cast(Callable[[], Bot], found)
    if not _takes(found, None, None, None):
        raise BadPlayer(f"{text!r} is not a bot: a bot is a function of view, ask and dice")
    if inspect.iscoroutinefunction(found):
        raise BadPlayer(f"{text!r} is not a bot: a bot must not be async")
    return lambda: found


def _takes(found: Any, *arguments: None) -> bool:
    """Whether the signature accepts these arguments."""
    try:
        inspect.signature(found).bind(*arguments)
    except TypeError:
        return False
    except ValueError:  # written in C, without a signature
        return callable(found)
    return True


def _from_module(name: str, attribute: str) -> Any:
    _look_in(Path.cwd())
    try:
        module = importlib.import_module(name)
    except (Exception, SystemExit) as e:
        raise BadPlayer(f"cannot load {name}:{attribute}: {_why(e)}") from None
    return _attribute(module, attribute, name)


def _from_file(path: Path, attribute: str) -> Any:
    if not path.is_file():
        raise BadPlayer(f"there is no file {path}")
    name = f"parlour_player_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BadPlayer(f"{path} is not a Python file")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    _look_in(path.parent.resolve())
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as e:
        raise BadPlayer(f"cannot load {path}: {_why(e)}") from None
    return _attribute(module, attribute, str(path))


def _why(error: BaseException) -> str:
    return plain(f"{type(error).__name__}: {error}", MOST_WHY)


def _look_in(folder: Path) -> None:
    """Let a bot import modules from this folder."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def _attribute(module: ModuleType, attribute: str, where: str) -> Any:
    if not hasattr(module, attribute):
        raise BadPlayer(f"{where} has no {attribute!r}")
    return getattr(module, attribute)

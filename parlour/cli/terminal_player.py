"""A player who types in the terminal."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from rich.console import Console
from rich.text import Text

from parlour.cli.match_screen import board_table, painted
from parlour.core import Ask, Dice, Event, Game
from parlour.core.values import action_words
from parlour.referee.player import Resigned


class TerminalPlayer:
    """Shows events and the table, and asks until the answer is readable."""

    def __init__(
        self, game: Game[Any], names: Sequence[str], console: Console, read: Callable[[str], str] = input
    ) -> None:
        self._game = game
        self._names = names
        self._console = console
        self._read = read

    def event(self, seen: Event) -> None:
        for line in self._game.words.say(seen, self._names).splitlines():
            self._console.print(painted(line, self._names))

    def __call__(self, view: Any, ask: Ask[Any], dice: Dice) -> Any:
        self._console.print()
        self._console.print(board_table(self._game.words.board(view, self._names)))
        while True:
            try:
                text = self._read(f"Your turn ({_hint(ask, self._game)}; q leaves): ").strip()
            except EOFError:
                raise Resigned from None
            if text in ("q", "quit"):
                raise Resigned
            action = self._understood(text, view, ask)
            if action is not None and not isinstance(action, str):
                return action
            self._console.print(Text(action or "One of: " + _listed(ask, self._game), "red"))

    def _understood(self, text: str, view: Any, ask: Ask[Any]) -> Any | None:
        if self._game.words.hear is not None:
            return self._game.words.hear(text, view, ask)
        return _chosen(text, ask) if ask.choices is not None else _parsed(text, self._game)


def _listed(ask: Ask[Any], game: Game[Any]) -> str:
    if game.words.hint is not None:
        return game.words.hint(ask)
    if ask.choices is None:
        return ", ".join(_form(kind) for kind in game.rules.actions)
    return ", ".join(action_words(choice) for choice in ask.choices)


def _hint(ask: Ask[Any], game: Game[Any]) -> str:
    if game.words.hint is not None:
        return game.words.hint(ask)
    words = [action_words(choice) for choice in ask.choices or ()]
    return f"{words[0]}, {words[1]} ... {words[-1]}" if len(words) > 4 else _listed(ask, game)


def _form(kind: type[Any]) -> str:
    """The form of an action, such as `bid AMOUNT`."""
    wanted = [field.name.upper() for field in msgspec.structs.fields(kind) if field.required]
    return " ".join([kind.__name__.lower(), *wanted])


def _chosen(text: str, ask: Ask[Any]) -> Any | None:
    """The choice that was typed in full, by its last word, or by its beginning."""
    for meant in (action_words, lambda choice: action_words(choice).split()[-1]):
        for choice in ask.choices or ():
            if text.lower() == meant(choice):
                return choice
    begun = [choice for choice in ask.choices or () if text and action_words(choice).startswith(text.lower())]
    return begun[0] if len(begun) == 1 else None


def _parsed(text: str, game: Game[Any]) -> Any | None:
    """An action that was typed in full, for questions without a list of choices."""
    name, *numbers = text.lower().split() or [""]
    for kind in game.rules.actions:
        if kind.__name__.lower() == name and all(number.lstrip("-").isdigit() for number in numbers):
            try:
                return kind(*map(int, numbers))
            except TypeError:
                return None
    return None

"""A game as text, for language models: rules, views, questions and events are written, answers are read."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from parlour.core.game import Event
from parlour.core.values import Seat


class TextForm(Struct, frozen=True, kw_only=True):
    """How a game is written for a reader that knows only text. `names` are the players' names by seat.

    All functions are pure and get only what a seat may know, so that the text cannot tell more than the view."""

    rules: str
    """The rules in Markdown, for a reader that does not know the game."""
    view: Callable[[Any, Sequence[str]], str]
    """(view, names): everything in the view, in few words."""
    event: Callable[[Event, Sequence[str], Seat | None], str]
    """(event as the reader may see it, names, the reader's seat): what happened. Other players' words are quoted."""
    ask: Callable[[Any, Any, Sequence[str]], str]
    """(ask, view, names): what has to be decided, and how to write an answer. Every form it names can be parsed."""
    schema: Callable[[Any, Any, Sequence[str]], Mapping[str, object]]
    """(ask, view, names): a JSON Schema of the answer, as one object, for tool calls."""
    render: Callable[[Any, Sequence[str]], str]
    """(action, names): the action as text that `parse` reads."""
    parse: Callable[[str, Any, Any, Sequence[str]], Any]
    """(answer, ask, view, names): the action that the text names, or BadMessage with what was understood and what is
    missing. Lenient in form: JSON, a call or plain text, with other words around it. Strict in meaning: an answer that
    could mean two actions is refused."""

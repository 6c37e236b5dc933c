"""Requests to a model and its replies, in the same form for all APIs."""

from collections.abc import Mapping
from typing import Any, Literal, Protocol, TypeAlias

from msgspec import Struct

Role: TypeAlias = Literal["system", "user", "assistant"]
Stop: TypeAlias = Literal["end", "cut_off", "refused"]


class PromptMessage(Struct, frozen=True):
    """A part of a prompt. The first is the system prompt."""

    role: Role
    text: str


class FunctionForm(Struct, frozen=True):
    """The function by which a model answers."""

    name: str
    about: str
    schema: Mapping[str, object]
    """The JSON Schema of its arguments, which are one object."""


class ModelRequest(Struct, frozen=True):
    """A request without its address and key."""

    model: str
    messages: tuple[PromptMessage, ...]
    function: FunctionForm | None
    """None: the model answers in text."""
    max_tokens: int
    temperature: float | None
    extra: dict[str, Any] = {}


class FunctionCall(Struct, frozen=True):
    """A call of a function, even of one that was not offered."""

    name: str
    arguments: str
    """As the model wrote them; they should be JSON."""


class ModelReply(Struct, frozen=True):
    """The reply of a model."""

    text: str
    calls: tuple[FunctionCall, ...] = ()
    stop: Stop = "end"
    tokens_in: int | None = None
    """None: the endpoint did not tell them."""
    tokens_out: int | None = None


class ModelFailure(Exception):
    """A model gave no answer. The message is one line without the key."""

    def __init__(self, code: str, words: str, *, is_final: bool = False, wait_s: float | None = None) -> None:
        super().__init__(words)
        self.code = code
        self.words = words
        self.is_final = is_final
        """Whether the same request would fail again."""
        self.wait_s = wait_s
        """When the endpoint wants to be asked again, in seconds; None: it did not say."""


class ModelConnection(Protocol):
    """Whatever answers requests: an official client, or a framework that has models of its own."""

    async def ask(self, request: ModelRequest, timeout_s: float) -> ModelReply:
        """The model's answer, or ModelFailure."""

    async def close(self) -> None:
        """Close the connection; no request comes after this."""

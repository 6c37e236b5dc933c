"""Ask a model through the official clients, which are imported when the first model is asked."""

import asyncio
import os
import ssl
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

import msgspec
from msgspec import Raw, Struct

from parlour.core.values import plain
from parlour.players.models.endpoints import ApiKey, Endpoint
from parlour.players.models.exchange import FunctionCall, ModelFailure, ModelReply, ModelRequest, PromptMessage, Stop
from parlour.players.models.options import ModelTerms

MOST_SAID = 200
"""Characters of an endpoint's error that are shown."""
BUSY = frozenset((408, 409, 425, 429))
LONGEST_WAIT_S = 3600.0
MOST_TOKENS = 2**28
"""If an endpoint reports more tokens than this for one request, the number counts as wrong."""


class ModelApi(ABC):
    """A connection to an endpoint."""

    name: str
    """Also the name of the client's module."""
    client_name: str
    usual_url: str

    def __init__(self, endpoint: Endpoint, key: ApiKey) -> None:
        from parlour.players.models.http_guard import STAND_IN, GuardedClient

        self._where = endpoint.where
        self._variable = endpoint.key_variable
        self._key = key
        self._errors = import_module(self.name)
        """The module with the client's exceptions."""
        self._client = getattr(self._errors, self.client_name)(
            api_key=STAND_IN,
            base_url=endpoint.base_url or self.usual_url,
            max_retries=0,  # the desk retries within the time for the answer
            http_client=GuardedClient(endpoint, key),
        )
        self._create = self._create_of(self._client)  # this imports much, so it is done in a thread

    async def ask(self, request: ModelRequest, timeout_s: float) -> ModelReply:
        """The model's answer, or ModelFailure."""
        try:
            async with asyncio.timeout(timeout_s):
                more = {"extra_body": request.extra or None, "timeout": timeout_s}
                raw: bytes = (await self._create(**self._body(request), **more)).http_response.content
        except TimeoutError:
            raise ModelFailure("timeout", f"{self._where} did not answer within {timeout_s:.3g} s") from None
        except Exception as e:
            raise self._failure(e, timeout_s) from None
        try:
            return self._hidden(self._read(raw))
        except (msgspec.MsgspecError, ValueError, IndexError, RecursionError):
            raise ModelFailure("bad_reply", f"{self._where} sent no answer of the {self.name} API") from None

    @abstractmethod
    def _create_of(self, client: Any) -> Any:
        """The client's function that sends a request and returns the raw response."""

    @abstractmethod
    def _body(self, request: ModelRequest) -> dict[str, Any]:
        """The body of a request."""

    @abstractmethod
    def _read(self, raw: bytes) -> ModelReply:
        """The answer in a response; raises MsgspecError, ValueError or IndexError if there is none."""

    def _hidden(self, reply: ModelReply) -> ModelReply:
        """The answer without the key, which an endpoint might have written with escapes."""
        hide = self._key.hidden_in
        calls = tuple(FunctionCall(hide(call.name), hide(call.arguments)) for call in reply.calls)
        return msgspec.structs.replace(reply, text=hide(reply.text), calls=calls)

    def _failure(self, error: Exception, timeout_s: float) -> ModelFailure:
        """Why a request failed, in one line without the key."""
        chain = [*_chain(error)]
        if any(type(each).__name__ == "TooLong" for each in chain):
            return ModelFailure("too_long", f"{self._where} sent an answer of more than 4 MB")
        if isinstance(error, self._errors.APIStatusError):
            return self._refusal(error)
        if isinstance(error, self._errors.APITimeoutError):
            return ModelFailure("timeout", f"{self._where} did not answer within {timeout_s:.3g} s")
        if isinstance(error, self._errors.APIConnectionError):
            return ModelFailure("no_connection", f"cannot reach {self._where}{_why(chain)}")
        return ModelFailure("unusable", f"{self._where} cannot be asked: {type(error).__name__}", is_final=True)

    def _refusal(self, error: Any) -> ModelFailure:
        status: int = error.status_code
        raw, headers = error.response.content, error.response.headers
        code, said = _said(raw)
        said = plain(" ".join(self._key.hidden_in(said).split()), MOST_SAID)
        because = f": {said}" if said else ""
        if status in (401, 403):
            hint = f"check {self._variable}" if self._key else f"{self._variable} is not set"
            return ModelFailure("bad_key", f"{self._where} refused the key (HTTP {status}); {hint}", is_final=True)
        if status == 402 or "insufficient" in code or "credit" in said.lower() or "billing" in code:
            words = f"{self._where} refused: the account there has no budget left (HTTP {status})"
            return ModelFailure("no_budget", words, is_final=True)
        if status == 429:
            return ModelFailure("busy", f"{self._where} is busy (HTTP 429){because}", wait_s=_retry_after(headers))
        if status in BUSY or status >= 500:
            words = f"{self._where} failed (HTTP {status}){because}"
            return ModelFailure("failed", words, wait_s=_retry_after(headers))
        return ModelFailure("refused", f"{self._where} refused the request (HTTP {status}){because}", is_final=True)

    async def close(self) -> None:
        await self._client.close()


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


LOST = frozenset(("RemoteProtocolError", "ReadError", "WriteError"))
"""Exceptions of the HTTP client when a connection ends before the answer."""


def _why(chain: Sequence[BaseException]) -> str:
    for each in chain:
        if type(each).__name__ in LOST:
            return ": the connection was lost"
        if isinstance(each, ssl.SSLError):
            return ": no secure connection"
        if isinstance(each, OSError) and each.errno:
            return f": {os.strerror(each.errno).lower()}" if each.errno > 0 else ": there is no such host"
    return f": {type(chain[-1]).__name__}"


class _ErrorBody(Struct):
    message: str = ""
    type: str | None = None
    code: str | int | None = None


class _ErrorReply(Struct):
    error: _ErrorBody | str


def _said(raw: bytes) -> tuple[str, str]:
    """The code and the words of an error."""
    try:
        error = msgspec.json.decode(raw, type=_ErrorReply).error
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return "", ""
    if isinstance(error, str):
        return "", error
    return f"{error.code or ''} {error.type or ''}", error.message


def _retry_after(headers: Any) -> float | None:
    """The seconds to wait that a response names in its headers; a date there is ignored."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers[name]) * unit
        except (KeyError, ValueError):
            continue
        if 0 <= seconds <= LONGEST_WAIT_S:
            return seconds
    return None


def _turn(message: PromptMessage) -> dict[str, str]:
    return {"role": message.role, "content": message.text}


# The API of OpenAI, which many others answer, too


class _Function(Struct):
    name: str
    arguments: str | dict[str, Any] = ""


class _OpenAiCall(Struct):
    function: _Function | None = None


class _OpenAiPart(Struct):
    text: str | None = None
    type: str = "text"


class _OpenAiMessage(Struct):
    content: str | list[_OpenAiPart] | None = None
    refusal: str | None = None
    tool_calls: list[_OpenAiCall] | None = None


class _OpenAiChoice(Struct):
    message: _OpenAiMessage
    finish_reason: str | None = None


class _OpenAiReply(Struct):
    choices: list[_OpenAiChoice]
    usage: Any = None


class OpenAiApi(ModelApi):
    name, client_name, usual_url = "openai", "AsyncOpenAI", "https://api.openai.com/v1"

    def __init__(self, endpoint: Endpoint, key: ApiKey) -> None:
        super().__init__(endpoint, key)
        self._most = "max_completion_tokens" if endpoint.is_own else "max_tokens"

    def _create_of(self, client: Any) -> Any:
        return client.chat.completions.with_raw_response.create

    def _body(self, request: ModelRequest) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": request.model,
            "messages": [*map(_turn, request.messages)],
            self._most: request.max_tokens,
        }
        if request.temperature is not None:
            body["temperature"] = request.temperature
        if (form := request.function) is not None:
            tool = {"name": form.name, "description": form.about, "parameters": form.schema}
            body["tools"] = [{"type": "function", "function": tool}]
        return body

    def _read(self, raw: bytes) -> ModelReply:
        reply = msgspec.json.decode(raw, type=_OpenAiReply)
        choice = reply.choices[0]
        said = choice.message
        calls = [call.function for call in said.tool_calls or () if call.function is not None]
        stops: dict[str | None, Stop] = {"length": "cut_off", "content_filter": "refused"}
        stop: Stop = "refused" if said.refusal else stops.get(choice.finish_reason, "end")
        return ModelReply(
            said.refusal or _content(said.content),
            tuple(FunctionCall(call.name, _arguments(call.arguments)) for call in calls),
            stop,
            _count(reply.usage, "prompt_tokens"),
            _count(reply.usage, "completion_tokens"),
        )


def _arguments(told: str | dict[str, Any]) -> str:
    """Some servers send the arguments as an object."""
    return told if isinstance(told, str) else msgspec.json.encode(told).decode()


def _content(told: str | list[_OpenAiPart] | None) -> str:
    """Some servers send the text in parts, with thoughts in parts of another type."""
    if told is None or isinstance(told, str):
        return told or ""
    return "".join(part.text or "" for part in told if part.type == "text")


def _count(usage: Any, *names: str) -> int | None:
    """The tokens of these fields together; None if the first is missing or one of them makes no sense."""
    if not isinstance(usage, dict) or usage.get(names[0]) is None:
        return None
    counts = [usage.get(name) or 0 for name in names]
    return sum(counts) if all(type(count) is int and 0 <= count <= MOST_TOKENS for count in counts) else None


# The API of Anthropic


class _Block(Struct):
    type: str
    text: str = ""
    name: str = ""
    input: Raw = Raw(b"")


class _AnthropicReply(Struct):
    content: list[_Block]
    stop_reason: str | None = None
    usage: Any = None


class AnthropicApi(ModelApi):
    name, client_name, usual_url = "anthropic", "AsyncAnthropic", "https://api.anthropic.com"

    def _create_of(self, client: Any) -> Any:
        return client.messages.with_raw_response.create

    def _body(self, request: ModelRequest) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": request.model,
            "max_tokens": request.max_tokens,
            "system": "\n\n".join(each.text for each in request.messages if each.role == "system"),
            "messages": [_turn(each) for each in request.messages if each.role != "system"],
        }
        if request.temperature is not None:
            body["temperature"] = min(1.0, request.temperature)
        if (form := request.function) is not None:
            body["tools"] = [{"name": form.name, "description": form.about, "input_schema": form.schema}]
        return body

    def _read(self, raw: bytes) -> ModelReply:
        reply = msgspec.json.decode(raw, type=_AnthropicReply)
        calls = [
            FunctionCall(each.name, bytes(each.input).decode()) for each in reply.content if each.type == "tool_use"
        ]
        stops: dict[str | None, Stop] = {"max_tokens": "cut_off", "refusal": "refused"}
        return ModelReply(
            "\n".join(each.text for each in reply.content if each.type == "text"),
            tuple(calls),
            stops.get(reply.stop_reason, "end"),
            _count(reply.usage, "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"),
            _count(reply.usage, "output_tokens"),
        )


async def connect(terms: ModelTerms) -> ModelApi:
    """A connection for these terms. The clients take seconds to import, which happens in a thread."""
    api = OpenAiApi if terms.endpoint.api == "openai" else AnthropicApi
    return await asyncio.to_thread(api, terms.endpoint, terms.endpoint.key())

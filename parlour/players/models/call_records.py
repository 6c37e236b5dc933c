"""Records of requests to models and their answers, with tokens, cost and latency; and sums over them."""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import IO, Literal, Protocol, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from parlour.core import Seat
from parlour.players.models.exchange import FunctionForm, PromptMessage

Outcome: TypeAlias = Literal["answered", "unreadable", "failed", "dropped"]


class ModelCall(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One request and its answer. All of a seat, in order, give every prompt."""

    match: str
    seat: Seat
    ask: int
    """The id of the ask."""
    attempt: int
    """From 1; the referee asks again after a fault."""
    model: str
    """PROVIDER/NAME."""
    at_ms: int
    """When it was sent, in milliseconds since 1970."""
    ms: int
    """How long the answer took."""
    kept: int = 0
    """How many messages of the prompt before were sent again, followed by `messages`."""
    messages: tuple[PromptMessage, ...] = ()
    function: FunctionForm | None = None
    """The function by which it could answer."""
    answer: str = ""
    """The text that the model wrote, with its function calls."""
    outcome: Outcome
    """answered: an action was read. unreadable: none was. failed: no answer came. dropped: the match did not wait."""
    words: str = ""
    """The action as text, or the error."""
    tokens_in: int = 0
    tokens_out: int = 0
    estimated: bool = False
    """Whether the endpoint did not tell the tokens, and they are estimated from the texts."""
    nanodollars: int = 0
    """The cost; 0 if the prices are unknown."""
    cached: bool = False
    """Whether the answer came from the cache, and cost nothing."""


class ModelUsage(Struct, frozen=True):
    """A sum over calls."""

    decisions: int = 0
    """Questions of the referee; further attempts at the same one do not count."""
    calls: int = 0
    cached: int = 0
    unreadable: int = 0
    failed: int = 0
    dropped: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    nanodollars: int = 0
    ms: int = 0

    def __add__(self, other: "ModelUsage") -> "ModelUsage":
        fields = self.__struct_fields__
        return ModelUsage(*(getattr(self, name) + getattr(other, name) for name in fields))


class CallSink(Protocol):
    """Takes the records of a match."""

    def add(self, call: ModelCall) -> None: ...


def _of_one(call: ModelCall, *, is_new: bool) -> ModelUsage:
    return ModelUsage(
        decisions=int(is_new),
        calls=1,
        cached=int(call.cached),
        unreadable=int(call.outcome == "unreadable"),
        failed=int(call.outcome == "failed"),
        dropped=int(call.outcome == "dropped"),
        tokens_in=call.tokens_in,
        tokens_out=call.tokens_out,
        nanodollars=call.nanodollars,
        ms=call.ms,
    )


class UsageTally:
    """Adds up the calls of one match after the other, without keeping them."""

    def __init__(self) -> None:
        self.by_seat: defaultdict[tuple[Seat, str], ModelUsage] = defaultdict(ModelUsage)
        self._asked: set[tuple[str, Seat, int]] = set()

    def add(self, call: ModelCall) -> None:
        ask = call.match, call.seat, call.ask
        self.by_seat[call.seat, call.model] += _of_one(call, is_new=call.attempt == 1 and ask not in self._asked)
        self._asked.add(ask)


def usage_of(calls: Iterable[ModelCall]) -> dict[tuple[Seat, str], ModelUsage]:
    """The sums by seat and model. Calls of several matches may be mixed."""
    tally = UsageTally()
    for call in calls:
        tally.add(call)
    return tally.by_seat


class CallFile:
    """Writes the records of a match to a file, as lines of JSON. They show hands, so only the owner can read it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: IO[bytes] | None = None

    def add(self, call: ModelCall) -> None:
        if self._file is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.fdopen(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab")
        self._file.write(msgspec.json.encode(call) + b"\n")
        self._file.flush()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def call_file(transcript: Path) -> Path:
    """Where the calls of a recorded match are: `FILE.models.jsonl` beside `FILE.jsonl`."""
    return transcript.with_name(f"{transcript.name.removesuffix('.jsonl')}.models.jsonl")


def read_calls(path: Path) -> list[ModelCall]:
    """The calls in a file. A last line that was not written to its end is left out; ValueError for any other."""
    lines = path.read_bytes().split(b"\n")
    calls = []
    for number, line in enumerate(lines, start=1):
        try:
            calls += [msgspec.json.decode(line, type=ModelCall)] if line else []
        except (msgspec.MsgspecError, ValueError) as e:
            if number < len(lines):
                raise ValueError(f"line {number}: not a record of a model's answer") from e
    return calls


def with_prompts(calls: Sequence[ModelCall]) -> Iterator[ModelCall]:
    """The calls of one seat, each with its whole prompt."""
    before: tuple[PromptMessage, ...] = ()
    for call in calls:
        before = before[: call.kept] + call.messages
        yield replace(call, kept=0, messages=before)


def common(before: Sequence[PromptMessage], now: Sequence[PromptMessage]) -> int:
    """How many messages at the beginning of both prompts are equal."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, now, strict=False)))

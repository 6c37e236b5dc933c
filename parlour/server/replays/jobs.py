"""Jobs for a replay process and its answers. Both are MessagePack after four bytes of length."""

from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

JobKind: TypeAlias = Literal["timeline", "frames", "verdict", "example", "decision", "trial", "asks"]
LENGTH_BYTES = 4
MISSING = 0
"""The status of an answer to a job that came without its transcript, which the process does not have either."""


class ReplayJob(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A question about a recorded match."""

    kind: JobKind
    key: str
    """The match under which its replay is kept; empty: it is not kept. For an example, the name of the game."""
    data: bytes | None = None
    """The transcript; None: the process may have it."""
    seed: bytes | None = None
    """The seed, if the transcript may lack it."""
    seat: int | None = None
    first: int = 0
    """The frame, or the first of several."""
    last: int | None = None
    action: bytes = b""
    """For a trial: the action as JSON."""


class ReplayAnswer(Struct, frozen=True, omit_defaults=True):
    """An answer: a body of JSON, or why there is none."""

    status: int
    """An HTTP status, or MISSING."""
    body: bytes = b""
    code: str = ""
    words: str = ""


read_job = msgspec.msgpack.Decoder(ReplayJob).decode
read_answer = msgspec.msgpack.Decoder(ReplayAnswer).decode


def packed(message: ReplayJob | ReplayAnswer) -> bytes:
    """The bytes of a message, with its length."""
    raw = msgspec.msgpack.encode(message)
    return len(raw).to_bytes(LENGTH_BYTES, "big") + raw

"""Send what a command writes to stderr to the arena, for the owner of the seat."""

import codecs
from collections.abc import Sequence

from parlour.protocol.v1 import StderrMessage

SEND_S = 0.2
"""How often new text is sent."""
MOST_BYTES = 64 * 1024
"""Bytes that are sent of a match; an arena keeps no more."""
AT_ONCE = 4096
"""Characters of one message."""


class StderrBuffer:
    """Collects what a command writes, and turns it into messages. As the log of a command that speaks protocol 1, it
    also passes on the `stderr` messages of the command."""

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._text = ""
        self._left = MOST_BYTES
        self._dropped = 0
        """Bytes that are not sent, and that the arena has not been told of."""

    def add(self, data: bytes) -> None:
        kept = data[: self._left]
        self._left -= len(kept)
        self._text += self._decode(kept)
        self._dropped += len(data) - len(kept)

    def wrote(self, text: str, dropped: int) -> None:
        """The command has sent a `stderr` message."""
        self.add(text.encode("utf-8", "replace"))
        self._dropped += dropped

    def sent(self, messages: Sequence[bytes], secret: str) -> None:
        """Not needed here."""

    def heard(self, raw: bytes | None) -> None:
        """Not needed here."""

    def messages(self) -> list[StderrMessage]:
        """The new text, in parts."""
        text, self._text = self._text, ""
        dropped, self._dropped = self._dropped, 0
        parts = [text[first : first + AT_ONCE] for first in range(0, len(text), AT_ONCE)]
        messages = [StderrMessage(part) for part in parts]
        return [*messages, StderrMessage("", dropped)] if dropped else messages

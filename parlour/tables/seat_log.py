"""The last messages of each seat, its stderr and its notes, for the owner of the seat alone."""

import re
import time
from collections import deque
from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from parlour.core import Seat
from parlour.players.models.call_records import ModelCall
from parlour.players.remote import RemotePlayer
from parlour.protocol.seat_log import (
    LoggedMessage,
    LoggedNote,
    LoggedStderr,
    LogOver,
    OwnSeat,
    SeatMessages,
    SeatNote,
    SeatState,
    SeatTexts,
)
from parlour.tables.match_feed import Watcher, Watchers
from parlour.transports.limits import NOTES_BYTES, STDERR_KEPT

MOST_MESSAGES = 200
MOST_SHOWN = 16 * 1024
"""Bytes that are kept of one message."""
MOST_READ = MOST_SHOWN + 1024
"""Bytes of a message that are searched for secrets: more than are kept, so that a secret at the cut is found."""
MOST_BYTES = 512 * 1024
"""Bytes of the messages of one seat."""
MOST_WAITING = 64 * 1024
"""The same before its match has begun. It is no part of what all seats share."""
MOST_OF_ALL = 128 * 2**20
"""Bytes of the messages of all seats; with many seats each has less than `MOST_BYTES`."""
MOST_OF_ENDED = MOST_OF_ALL // 2
"""Bytes of the messages of all seats of finished matches; beyond that, those that ended first are dropped."""
EACH_BYTES = 160
"""Bytes of memory that a message takes beside its text."""
ENDED_MATCHES = 20
"""Finished matches of an account whose messages are kept."""
ENDED_S = 3600.0
"""How long the messages of a finished match are kept."""
HIDDEN = "(hidden)"
SECRETS = ("token", "salt", "key", "join_key", "password", "admin_password", "secret")
"""Fields of a client's messages whose values are not shown."""

encode = msgspec.json.encode
_token = re.compile(rb"parlour_[\w-]{16,}")
_field = re.compile(rb'("(?:%s)"\s*:\s*)"(?:[^"\\]|\\.)*(?:"|\\?\Z)' % "|".join(SECRETS).encode(), re.DOTALL)
_escaped = re.compile(rb"\\u00([2-7][0-9A-Fa-f])")
_SUSPECT = (b"hello", b"parlour", b"token", b"salt", b"key", b"passw", b"secret", b"\\u00")


def without_secrets(raw: bytes) -> bytes:
    """A client's message, or its beginning, with tokens, keys and salts replaced. If a message with one of them has
    escaped letters, these are replaced by the letters. It is not decoded, because that takes far longer."""
    if not any(sign in raw for sign in _SUSPECT):
        return raw
    plain = _escaped.sub(_letter, raw) if b"\\u00" in raw else raw
    shown, tokens = _token.subn(HIDDEN.encode(), plain)
    shown, fields = _field.subn(rb'\1"%s"' % HIDDEN.encode(), shown)
    return shown if tokens or fields else raw


def _letter(escaped: re.Match[bytes]) -> bytes:
    letter = bytes.fromhex(escaped[1].decode())
    return escaped[0] if letter in b'"\\' else letter


class KeptMessage(Struct, frozen=True, gc=False):
    """A message as it passed, or its beginning. Secrets are replaced when it is shown, which happens seldom."""

    at: float
    secret: str | None
    """The token that a message of the server may have in it; None: it is the client's."""
    raw: bytes
    size: int
    cut: bool

    def shown(self, n: int) -> LoggedMessage:
        text = self.public()[:MOST_SHOWN].decode("utf-8", "ignore" if self.cut else "replace")
        sender: Literal["server", "client"] = "client" if self.secret is None else "server"
        return LoggedMessage(n, int(self.at * 1000), sender, text, self.size, self.cut)

    def public(self) -> bytes:
        """Without secrets."""
        if self.secret is None:
            return without_secrets(self.raw)
        return self.raw.replace(self.secret.encode(), HIDDEN.encode()) if self.secret else self.raw

    def shortened(self) -> "KeptMessage":
        """Its beginning. Secrets are replaced first, so that none is cut where it is no longer found."""
        read = replace(self, raw=self.raw[:MOST_READ]).public()
        return replace(self, raw=read[:MOST_SHOWN], cut=self.size > MOST_READ or len(read) > MOST_SHOWN)


class LogMemory:
    """The memory that the logs of all seats share."""

    def __init__(self) -> None:
        self.logs = 0
        self.each = MOST_BYTES
        """How many bytes of messages each may keep."""

    def resize(self, logs: int) -> None:
        self.logs = logs
        self.each = min(MOST_BYTES, MOST_OF_ALL // max(1, logs))


class SeatLog:
    """The log of one seat, over all connections of its client."""

    def __init__(self, memory: LogMemory) -> None:
        self._memory = memory
        self._player: RemotePlayer | None = None
        """The client that is or was connected last; None before the match and after it, because a client refers to its
        match."""
        self._way, self._takes_again = "", False
        """How it is or was connected."""
        self.match, self.game, self.seat, self.account = "", "", -1, 0
        """Where it plays; set by `SeatLogs`."""
        self.ended_at: float | None = None
        """When its match stopped, by the monotonic clock; None: it waits or runs."""
        self.is_over = False
        self._messages: deque[KeptMessage] = deque()
        self.size = 0
        """The memory of the messages."""
        self._n = 0
        """How many messages there were."""
        self._stderr, self._dropped, self._notes = bytearray(), 0, list[SeatNote]()
        """The texts that are not stored yet."""
        self._stderr_kept = self._notes_kept = 0
        """Bytes of them that were kept."""
        self._is_full = False
        """Whether stderr was dropped."""
        self._watchers = Watchers()

    # Called for every message

    def sent(self, messages: Sequence[bytes], secret: str) -> None:
        """The server sent messages to the client. `secret` is the client's token."""
        at = time.time()
        for message in messages:
            self._add(KeptMessage(at, secret, message, len(message), False))

    def heard(self, raw: bytes | None) -> None:
        """The client sent a message; None: one that was too large."""
        text = raw or b""
        self._add(KeptMessage(time.time(), None, text, len(text), raw is None))

    def _add(self, message: KeptMessage) -> None:
        if message.size > MOST_SHOWN:
            message = message.shortened()
        self._n += 1
        messages = self._messages
        messages.append(message)
        self.size += len(message.raw) + EACH_BYTES
        most = self._memory.each if self.match else MOST_WAITING
        while len(messages) > MOST_MESSAGES or (self.size > most and len(messages) > 1):
            self.size -= len(messages.popleft().raw) + EACH_BYTES
        if self._watchers.all:
            self._watchers.tell(encode(message.shown(self._n)))

    def wrote(self, text: str, dropped: int = 0) -> None:
        """The client's program wrote to stderr; so many more bytes were not sent."""
        raw = text.encode("utf-8", "replace")
        left = 0 if self._is_full else STDERR_KEPT - self._stderr_kept
        kept = raw if len(raw) <= left else raw[:left].decode("utf-8", "ignore").encode()  # no character is cut
        self._is_full = self._is_full or len(kept) < len(raw)
        self._stderr_kept += len(kept)
        self._stderr += kept
        self._dropped += len(raw) - len(kept) + dropped
        if kept and self._watchers.all:
            self._watchers.tell(encode(LoggedStderr(int(time.time() * 1000), kept.decode())))

    def note(self, frame: int, ask: int, text: str) -> None:
        """Keep a note that came with the client's answer to an ask. The answer led to this frame."""
        size = len(text.encode("utf-8", "replace"))
        if self._notes_kept + size > NOTES_BYTES:
            return
        self._notes_kept += size
        self._notes.append(SeatNote(frame, ask, text))
        if self._watchers.all:
            self._watchers.tell(encode(LoggedNote(int(time.time() * 1000), ask, text)))

    @property
    def has_stderr(self) -> bool:
        return self._stderr_kept > 0

    # For the owner

    def shown(self) -> SeatMessages:
        first = self._n - len(self._messages)
        return SeatMessages(tuple(each.shown(first + n) for n, each in enumerate(self._messages, start=1)), first)

    def own_seat(self) -> OwnSeat:
        connected = self._player is not None and self._player.peer.gone is None
        state: SeatState = "over" if self.ended_at is not None else "running"
        return OwnSeat(self.match, self.game, self.seat, state, self._way, connected, self._takes_again)

    def watch(self) -> Watcher:
        """The last messages, and then each new one until the match ends."""
        watcher = self._watchers.add(map(encode, self.shown().messages))
        if self.ended_at is not None:
            self._end_watching()
        return watcher

    # Changes

    def add_connection(self, player: RemotePlayer) -> None:
        """Continue the log with a new connection of the client, and add the messages that it has had so far."""
        early = player.log
        if isinstance(early, SeatLog) and early is not self:
            for message in early._messages:
                self._add(message)
            if early._stderr:
                self.wrote(early._stderr.decode(), early._dropped)
        self._player, player.log, self.ended_at, self.is_over = player, self, None, False
        self._way, self._takes_again = player.peer.way, player.dialect.takes_again

    def end(self, *, is_over: bool) -> None:
        """Close the log, because the match has ended, or has stopped and will be resumed."""
        self._player, self.ended_at, self.is_over = None, time.monotonic(), is_over
        self._end_watching()

    def _end_watching(self) -> None:
        if self.is_over and self._watchers.all:
            self._watchers.tell(encode(LogOver()))
        self._watchers.end()

    def take_unsaved(self) -> SeatTexts | None:
        """The texts that are not stored yet; None if there are none."""
        if not (self._stderr or self._dropped or self._notes):
            return None
        texts = SeatTexts(self.match, self.seat, self.account, bytes(self._stderr), self._dropped, tuple(self._notes))
        self._stderr, self._dropped, self._notes = bytearray(), 0, []
        return texts

    def clear(self) -> None:
        """Free the memory of its messages."""
        self._messages.clear()
        self.size = 0

    def forget(self) -> None:
        """Its owner is deleted: keep nothing more, and store nothing."""
        self.clear()
        self.take_unsaved()
        self._is_full, self._notes_kept = True, NOTES_BYTES
        self.end(is_over=True)


def waiting_log(player: RemotePlayer | None) -> SeatLog | None:
    """The log of a client whose match has not begun."""
    log = None if player is None else player.log
    return log if isinstance(log, SeatLog) and not log.match else None


class SeatLogs:
    """The logs of all seats that accounts and guests have."""

    def __init__(self) -> None:
        self._memory = LogMemory()
        self._logs: dict[int, dict[str, SeatLog]] = {}
        """By account and match; of an account, those that ended first come first."""
        self._ended: dict[SeatLog, int] = {}
        """Those that have ended, oldest first, each with its memory then."""
        self._ended_size = 0
        """Their memory."""
        self.pending: list[SeatTexts] = []
        """Texts to be saved of seats whose log is not kept."""
        self.calls: list[tuple[int | None, ModelCall]] = []
        """Requests of models to be saved, each with the account that pays; None: the host."""

    def begin(self, player: RemotePlayer) -> None:
        """Keep the messages of a client that has just connected."""
        player.log = SeatLog(self._memory)

    def seated(self, match: str, game: str, seat: Seat, account: int, player: RemotePlayer) -> None:
        """A client is connected to its seat. Its messages are kept if they were from the beginning."""
        if not isinstance(player.log, SeatLog):
            return
        if player.log.match not in ("", match):  # the client has stayed for its next match
            self.begin(player)
        of_account = self._logs.setdefault(account, {})
        if match not in of_account:
            self._memory.resize(self._memory.logs + 1)
        log = of_account.setdefault(match, player.log)
        log.match, log.game, log.seat, log.account = match, game, seat, account
        self._uncount(log)
        log.add_connection(player)

    def of(self, match: str, account: int) -> SeatLog | None:
        self._forget_old()
        return self._logs.get(account, {}).get(match)

    def of_account(self, account: int) -> list[SeatLog]:
        """Newest first."""
        self._forget_old()
        return [*self._logs.get(account, {}).values()][::-1]

    def ended(self, match: str, accounts: Sequence[int | None], *, is_over: bool) -> None:
        """A match has stopped. Its logs are kept for a while."""
        for account in accounts:
            of_account = {} if account is None else self._logs.get(account, {})
            if (log := of_account.pop(match, None)) is not None:
                log.end(is_over=is_over)
                of_account[match] = log
                self._uncount(log)  # the match may have ended before, and was resumed without this client
                self._ended[log] = log.size
                self._ended_size += log.size
                ended = [each for each in of_account.values() if each.ended_at is not None]
                for old in ended[:-ENDED_MATCHES]:
                    self._drop(old)
        self._forget_old()

    def forget(self, account: int) -> None:
        """An account is deleted, with all that its programs wrote."""
        self.pending = [texts for texts in self.pending if texts.account != account]
        self.calls = [call for call in self.calls if call[0] != account]
        for log in self._logs.pop(account, {}).values():
            log.forget()
            self._uncount(log)
            self._memory.resize(self._memory.logs - 1)

    def _forget_old(self) -> None:
        """Drop what ended too long ago, and the oldest while all together are too large."""
        oldest = time.monotonic() - ENDED_S
        while (log := next(iter(self._ended), None)) is not None:
            if self._ended_size <= MOST_OF_ENDED and (log.ended_at or 0.0) >= oldest:
                return
            self._drop(log)

    def _uncount(self, log: SeatLog) -> None:
        self._ended_size -= self._ended.pop(log, 0)

    def _drop(self, log: SeatLog) -> None:
        self._uncount(log)
        of_account = self._logs.get(log.account, {})
        if of_account.get(log.match) is log:
            del of_account[log.match]
            if not of_account:
                del self._logs[log.account]
            self._memory.resize(self._memory.logs - 1)
            log.clear()
            self.pending += [] if (texts := log.take_unsaved()) is None else [texts]

    # What is stored

    def take_unsaved(self) -> list[SeatTexts]:
        """All texts that are not stored yet. The caller stores them, or gives them back."""
        texts, self.pending = self.pending, []
        logs = [log for of_account in self._logs.values() for log in of_account.values()]
        return texts + [taken for log in logs if (taken := log.take_unsaved()) is not None]

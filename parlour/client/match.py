"""One match of a client, over one or more connections."""

import asyncio
import contextlib
import logging
from collections import Counter, deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from parlour.client.api import Refused
from parlour.client.players import Decider
from parlour.client.receipts import ReceiptWriter
from parlour.client.stderr import SEND_S
from parlour.core import (
    Again,
    Asked,
    BadMessage,
    Fault,
    Game,
    Hello,
    Leave,
    Noted,
    Over,
    Place,
    Question,
    Replied,
    Result,
    Value,
    Void,
)
from parlour.core import AnswerRefused as RefusedAnswer
from parlour.core.values import any_of, plain
from parlour.players.terms import CannotPlay
from parlour.protocol.v1 import (
    AgainAnswerMessage,
    AgainMessage,
    AnswerMessage,
    AskMessage,
    ErrorMessage,
    EventMessage,
    FaultMessage,
    HelloMessage,
    LeaveMessage,
    OverMessage,
    PlayerHello,
    QueryMessage,
    ReplyMessage,
    SeatMessage,
    shortened,
    told_by_referee,
)

COMES_BACK = (
    "parked",
    "closing",
    "idle",
    "silent",
    "slow",
    "too_many",
    "too_many_tries",
    "begun",
    "no_name",
    "store_failed",
)
"""Error codes after which the client should reconnect."""
MOST_AHEAD = 100
"""How many answers of a bot wait for their asks."""

_log = logging.getLogger("parlour.client")


class Finished(Struct, frozen=True):
    """A finished match."""

    match: str
    seat: int
    players: tuple[str, ...]
    end: Result | Void
    faults: dict[str, int] = {}
    """Number of faults by code."""
    stderr: str = ""
    """The end of what a command wrote to stderr."""
    receipt: Path | None = None
    """The file of the receipt, if the client keeps receipts."""
    signed_by: str | None = None
    """The server's public key, if the server signed the end."""


class ClientMatch:
    """One match over any number of connections. Answers given while disconnected are sent after reconnecting."""

    leaves: bool = False
    """Whether we resign if the match is cancelled."""
    _resigned: bool = False
    """Whether the bot resigned; otherwise it may have failed."""

    def __init__(
        self,
        game: Game[Any],
        decider: Decider,
        hello: PlayerHello,
        salts: dict[str, str] | None,
        watch: Callable[[Any], None],
        receipt: ReceiptWriter | None = None,
    ) -> None:
        self._game, self._decider, self._own = game, decider, hello
        """`_own` has our name and token, if we have them."""
        self._salted = salts is None
        """Whether we can still give a salt."""
        self._salts = {**(salts or {})}
        """Our salt by commitment; it stays the same over all connections."""
        self._receipt = receipt or ReceiptWriter(None, "")
        self._watch = watch
        self._read = msgspec.json.Decoder(any_of(told_by_referee(game))).decode
        self.match: str | None = None
        self._seat: SeatMessage[Any, Any] | None = None
        self._view: Value | None = None
        """The last view."""
        self._faults: Counter[str] = Counter()
        self._left = asyncio.Event()
        self._asked: tuple[int, int] | None = None
        """The last ask, and its attempt."""
        self._answer: AnswerMessage[Any] | None = None
        """Our answer to it."""
        self._ahead = deque[Any](maxlen=MOST_AHEAD)
        """Answers to asks that have not come yet."""
        self._late = 0
        """The last ask for which we were told that our answer was late."""
        self._queries: dict[int, Any] = {}
        """Queries without a reply."""
        self._blunder: BadMessage | None = None
        """The bot's last answer, if it was not an action."""
        self._begin_connection()

    def _begin_connection(self) -> None:
        self._out: asyncio.Queue[Any] = asyncio.Queue()
        self.sits_here = self._asked_here = False
        """Whether we got our seat, and an ask, over this connection, or the last one."""
        self._takes_stderr = False
        """Whether the arena understands `stderr`; an older one would take it for a mistake."""
        self._agains: set[asyncio.Task[None]] = set()
        """Positions in which the bot is being asked again."""

    @property
    def token(self) -> str | None:
        """The token to resume with: our own, or the one we got as a guest."""
        return self._own.token or None

    async def pause(self, seconds: float) -> None:
        """Wait before reconnecting; CannotPlay if the bot leaves meanwhile."""
        try:
            async with asyncio.timeout(seconds):
                await self._left.wait()
        except TimeoutError:
            return
        raise CannotPlay(await self._decider.last_words())

    async def on(self, line: ClientConnection) -> Finished | None:
        """Play until the match ends, or the connection does (None)."""
        self._begin_connection()
        reading, writing = asyncio.ensure_future(self._listen(line)), asyncio.ensure_future(self._write(line))
        leaving, telling = asyncio.ensure_future(self._has_left()), asyncio.ensure_future(self._tell_stderr(line))
        pending = {reading, writing, leaving}
        try:
            while not reading.done():
                done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
                if writing in done:
                    await writing
                if leaving in done and not reading.done():
                    if self._resigned:
                        await self._resign(line)
                    words = await self._decider.last_words()
                    await self._send_stderr(line)
                    raise CannotPlay(words)
            return await reading
        except asyncio.CancelledError:
            if self.leaves:
                await self._resign(line)
            raise
        finally:
            tasks = (reading, writing, leaving, telling, *self._agains)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _has_left(self) -> None:
        """Return when the bot leaves, or its process ends before it has a seat."""
        left, gone = asyncio.ensure_future(self._left.wait()), asyncio.ensure_future(self._decider.gone())
        try:
            await asyncio.wait([left, gone], return_when=asyncio.FIRST_COMPLETED)
            if self._seat is not None:
                await left
        finally:
            left.cancel()
            gone.cancel()

    async def _resign(self, line: ClientConnection) -> None:
        """Tell the arena that we leave for good, so that the others do not wait for us."""
        with contextlib.suppress(ConnectionClosed):
            await line.send(msgspec.json.encode(LeaveMessage()).decode())

    async def _listen(self, line: ClientConnection) -> Finished | None:
        async for raw in line:
            try:
                message = self._read(raw)
            except (msgspec.MsgspecError, ValueError, RecursionError) as e:
                raise Refused("no_arena", f"cannot read its message: {plain(str(e))}") from None
            self._write_down(message)
            message = self._as_meant(message)
            self._watch(message)
            match message:
                case HelloMessage():
                    self._takes_stderr = "stderr" in message.takes
                    await line.send(msgspec.json.encode(await self._hello(message)).decode())
                case OverMessage():
                    await self._send_stderr(line)
                    return self._finished(message)
                case ErrorMessage(code=code, words=words) if code in COMES_BACK:
                    _log.info("%s; trying again", plain(words))
                    return None
                case ErrorMessage(code=code, words=words):
                    raise Refused(code, plain(words))
                case _:
                    self._take(message)
        return None

    async def _write(self, line: ClientConnection) -> None:
        with contextlib.suppress(ConnectionClosed):  # the reading task notices it too
            while True:
                message = await self._out.get()
                await self._send_stderr(line)  # what the bot wrote before its answer comes before it
                self._watch(message)
                await line.send(msgspec.json.encode(message).decode())

    async def _tell_stderr(self, line: ClientConnection) -> None:
        """Send what a command writes to stderr, as long as the connection lasts."""
        while True:
            await asyncio.sleep(SEND_S)
            await self._send_stderr(line)

    async def _send_stderr(self, line: ClientConnection) -> None:
        if self._takes_stderr:
            with contextlib.suppress(ConnectionClosed):
                for message in self._decider.written():
                    await line.send(msgspec.json.encode(message).decode())

    # Incoming messages

    def _write_down(self, message: Any) -> None:
        """Add a message to the receipt."""
        match message:
            case SeatMessage():
                self._receipt.seat(message)
            case FaultMessage():
                self._receipt.fault(message)
            case OverMessage():
                self._receipt.over(message, seated=self.sits_here)

    def _as_meant(self, message: Any) -> Any:
        """Explain a fault for an answer that we could not send by the reason why we could not."""
        blunder = self._blunder
        if blunder is None or not isinstance(message, FaultMessage) or message.kind != "unreadable":
            return message
        self._blunder = None
        return replace(message, code=blunder.code, words=blunder.words)

    async def _hello(self, told: HelloMessage) -> PlayerHello:
        if told.version != self._game.rules.version:
            raise Refused(
                "version",
                f"the arena has version {told.version} of {self._game.title}, "
                f"this client version {self._game.rules.version}",
            )
        hello = Hello(told.game, told.version, told.commit, told.salted and self._salted, 0, self.match or "")
        said = await self._decider.hello(hello)
        if hello.salted:
            said = replace(said, salt=self._salts.setdefault(told.commit, said.salt))
        self._receipt.hello(told, self._salts.get(told.commit, ""))
        again = True if self._decider.takes_again else UNSET
        return replace(said, name=self._own.name or said.name, token=self._own.token, again=again)

    def _take(self, message: Any) -> None:
        match message:
            case SeatMessage():
                self._sit(message)
            case AskMessage():
                self._ask(message)
            case EventMessage(event=event):
                self._decider.tell(event, None)
            case AgainMessage():
                asking = asyncio.ensure_future(self._ask_again(message))
                self._agains.add(asking)
                asking.add_done_callback(self._agains.discard)
            case FaultMessage() as it:
                self._faults[it.code] += it.kind != "unasked"
                self._late = it.id if it.kind == "late" else self._late
                fault = Fault(it.kind, it.code, it.words, it.facts)
                self._decider.tell(RefusedAnswer(self._number, it.id, fault, it.cost, 0), None)
            case ReplyMessage(id=id, answer=answer):
                self._queries.pop(id, None)
                self._decider.tell(Replied(self._number, id, answer), None)

    @property
    def _number(self) -> int:
        return -1 if self._seat is None else self._seat.seat

    def _sit(self, seat: SeatMessage[Any, Any]) -> None:
        before, self._seat = self._seat, seat
        self.match, self._view = seat.match, seat.view
        if seat.token is not UNSET:
            self._own = replace(self._own, token=seat.token)
        # a match that could not begin is announced again, with other players
        if before is None or (before.seat, before.header) != (seat.seat, seat.header):
            place = Place(seat.game, seat.match, seat.seat, seat.players, seat.options, seat.header)
            self._decider.sit(place, seat.view, self._post)
        self.sits_here = True
        for query in self._queries.values():
            self._out.put_nowait(query)

    def _ask(self, it: AskMessage[Any, Any]) -> None:
        """Pass on an ask, unless the bot already got it over an earlier connection."""
        again = not self._asked_here and self._asked == (it.id, it.attempt)
        self._asked_here, self._view = True, it.view
        if not again:
            self._asked, self._answer = (it.id, it.attempt), None
            asked = Asked(self._number, it.id, it.ask, it.attempt, None, it.limit_ms, it.bank_ms, it.last_ms)
            self._decider.tell(asked, it.view)
            if self._ahead and self._answer is None:
                self._answered(self._ahead.popleft(), None)
        elif self._answer is not None:
            self._out.put_nowait(self._answer)

    async def _ask_again(self, it: AgainMessage[Any, Any, Any]) -> None:
        """Ask the bot in a position of another match. Whatever it does there, our own match goes on."""
        try:
            said = await self._decider.again(Again(it.id, it.seat, it.players, it.options, it.ask, it.view))
            action = said.action if isinstance(said, Noted) else said
            raw = msgspec.Raw(msgspec.json.encode(action))
        except (CannotPlay, ConnectionError, msgspec.MsgspecError, TypeError, ValueError, RecursionError) as e:
            raw = msgspec.Raw(msgspec.json.encode({"type": type(e).__name__}))
        self._out.put_nowait(AgainAnswerMessage(it.id, raw))

    def _finished(self, over: OverMessage) -> Finished:
        if self._seat is None:
            raise Refused("over", "the match was already over")
        end = over.void or Result(over.scores, over.ranks)
        self._decider.tell(Over(end, over.head, over.record), self._view)
        seat = self._seat
        faults, path = +self._faults, self._receipt.path
        key = None if over.public_key is UNSET else over.public_key
        return Finished(seat.match, seat.seat, seat.players, end, faults, self._decider.stderr, path, key)

    # Outgoing messages

    def _post(self, said: Any, n: int | None) -> None:
        if isinstance(said, Leave):
            self._resigned = said.why == "quit"
            self._left.set()
        elif isinstance(said, Question):
            self._queries[said.id] = query = QueryMessage(said.id, said.question)
            if self.sits_here:  # otherwise it is sent with our seat
                self._out.put_nowait(query)
        elif n is None and self._answer is not None and self._decider.answers_ahead:
            self._ahead.append(said)
        else:
            self._answered(said, n)

    def _answered(self, said: Any, n: int | None) -> None:
        open = 0 if self._asked is None else self._asked[0]
        said, note = (said.action, shortened(str(said.note)) or UNSET) if isinstance(said, Noted) else (said, UNSET)
        answer = AnswerMessage(open if n is None else n, self._sendable(said), note)
        self._receipt.answer(answer, behind=answer.id in (self._late, 0) or answer.id != open)
        if answer.id == open:
            self._answer = answer
        if self._asked_here:  # otherwise it is sent when the ask comes again
            self._out.put_nowait(answer)

    def _sendable(self, said: Any) -> Any:
        """The action; or, if the answer is not one, a substitute that the referee rejects with the same price."""
        self._blunder = None
        try:
            if isinstance(said, BadMessage):
                raise said
            msgspec.json.encode(said)
        except BadMessage as e:
            self._blunder = e
        except (msgspec.MsgspecError, TypeError, ValueError, RecursionError) as e:
            self._blunder = BadMessage("wrong_shape", f"not an action: {e}")
        else:
            return said
        _log.warning("the bot's answer is not an action: %s", plain(self._blunder.words))
        return {"type": self._blunder.code}

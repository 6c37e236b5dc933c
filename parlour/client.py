"""Play at an arena from Python.

    from parlour.client import Client

    Client("http://127.0.0.1:8000").play("forsale", my_bot)

A bot is what it is everywhere: a function of view, ask and dice, or a class of such. A lost connection is made anew,
and play goes on where it was.
"""

import asyncio
import inspect
import secrets
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import UNSET, Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from parlour.core import Dice, Game, Place, Result, Void
from parlour.core.values import any_of
from parlour.games import game
from parlour.referee.player import Bot, Mind, Resigned
from parlour.transports.v1 import (
    AnswerMessage,
    AskMessage,
    ErrorMessage,
    EventMessage,
    HelloMessage,
    OverMessage,
    PlayerHello,
    SeatMessage,
    told_by_referee,
)

__all__ = ["Client", "Finished", "Refused"]

RETRY_S: tuple[float, ...] = (0.2, 0.5, 1.0, 2.0, 5.0)
"""How long to wait before each new try to connect; the last one again and again."""
TRIES = 60
COMES_BACK = ("parked", "closing", "idle", "too_many", "begun")
"""What a server says to who may come again in a while."""


class Refused(Exception):
    """The server does not let us play; `code` says why."""

    def __init__(self, code: str, words: str) -> None:
        super().__init__(words)
        self.code = code


class Finished(Struct, frozen=True):
    """A match that was played to its end."""

    match: str
    seat: int
    players: tuple[str, ...]
    end: Result | Void


class Client:
    """An arena by its address; without a token one plays as a guest."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        name: str | None = None,
        watch: Callable[[Any], None] = lambda message: None,
    ) -> None:
        self._url = "ws" + url.removeprefix("http").rstrip("/")
        self._token = token
        self._name = name
        self._watch = watch
        """Told of every message of protocol 1 that comes, and of every answer that goes."""

    def play(self, game_name: str, bot: Bot | type[Any], *, table: str | None = None) -> Finished:
        """Play one match, at this table or at the next one."""
        return asyncio.run(self.play_async(game_name, bot, table=table))

    async def play_async(self, game_name: str, bot: Bot | type[Any], *, table: str | None = None) -> Finished:
        """The same for who has a loop already. The bot thinks in a thread."""
        player: Any = bot() if inspect.isclass(bot) else bot
        mind = Mind(player, Dice(secrets.token_bytes(32)))
        playing = _Playing(game(game_name), mind, self._token, self._name, self._watch)
        tries = 0
        while tries < TRIES:
            path = f"/play/{game_name}" + (f"/{where}" if (where := playing.match or table) else "")
            try:
                async with connect(self._url + path, max_size=None) as line:
                    if (finished := await playing.on(line)) is not None:
                        return finished
            except (ConnectionClosed, InvalidHandshake, OSError):
                pass
            if playing.was_seated:
                playing.was_seated, tries = False, 0
            await asyncio.sleep(RETRY_S[min(tries, len(RETRY_S) - 1)])
            tries += 1
        raise Refused("unreachable", f"nobody answers at {self._url}")


class _Playing:
    """One match, over as many connections as it takes."""

    def __init__(
        self, rules: Game[Any], mind: Mind, token: str | None, name: str | None, watch: Callable[[Any], None]
    ) -> None:
        self._mind = mind
        self._token = token
        self._name = name
        self._watch = watch
        self.was_seated = False
        """Whether the last connection came to anything."""
        self._read = msgspec.json.Decoder(any_of(told_by_referee(rules))).decode
        self._seat: SeatMessage[Any, Any] | None = None
        self.match: str | None = None

    async def on(self, line: ClientConnection) -> Finished | None:
        """Until the end of the match, or of the connection."""
        async for raw in line:
            message = self._read(raw)
            self._watch(message)
            match message:
                case HelloMessage(salted=salted):
                    await line.send(self._hello(salted))
                case SeatMessage() as seat:
                    self._sit(seat)
                case EventMessage(event=event):
                    self._mind.hear([event])
                case AskMessage() as asked:
                    await self._answer(line, asked)
                case OverMessage() as over:
                    return self._finished(over)
                case ErrorMessage(code=code) if code in COMES_BACK:
                    return None
                case ErrorMessage(code=code, words=words):
                    raise Refused(code, words)
        return None

    def _hello(self, salted: bool) -> str:
        hello = PlayerHello(
            name=self._name or UNSET, salt=secrets.token_hex(16) if salted else "", token=self._token or UNSET
        )
        return msgspec.json.encode(hello).decode()

    def _sit(self, seat: SeatMessage[Any, Any]) -> None:
        self.match, self.was_seated, first = seat.match, True, self._seat is None
        self._seat = seat
        if seat.token is not UNSET:
            self._token = seat.token
        if first:
            self._mind.sit(Place(seat.game, seat.match, seat.seat, seat.players, seat.options, seat.header))

    async def _answer(self, line: ClientConnection, asked: AskMessage[Any, Any]) -> None:
        try:
            action = await asyncio.to_thread(self._mind.decide, asked.view, asked.ask)
        except Resigned:
            await line.close()
            raise Refused("resigned", "the bot would not go on") from None
        if isinstance(action, Exception):
            raise action
        answer = AnswerMessage(asked.id, action)
        self._watch(answer)
        await line.send(msgspec.json.encode(answer).decode())

    def _finished(self, over: OverMessage) -> Finished:
        if self._seat is None:
            raise Refused("over", "the match was over before we came")
        end = over.void or Result(over.scores, over.ranks)
        return Finished(self._seat.match, self._seat.seat, self._seat.players, end)

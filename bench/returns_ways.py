"""Clients of the games' own protocols in the soak of returns: traders with lines and in halls, users of channels."""

import asyncio
import contextlib
import itertools
import json
from collections.abc import Callable
from typing import Any

from returns_roads import AGAIN_S, CHUNK, GONE, HOST
from websockets.asyncio.client import ClientConnection, connect

from parlour.venues.tradecraft.hall import hall_name

COMES_BACK = ("parked", "closing", "begun", "store_failed", "too_many")


class Trader:
    """Plays tradeCraft in its own words: it trades nothing and crafts nothing, and comes back with its token."""

    def __init__(self, port: int, name: str) -> None:
        self._port = port
        self._name = name
        self._others: list[str] = []
        self._token: str | None = None
        self._is_over = False
        self._code = ""

    async def play(self) -> str:
        """One match; why it was sent away, if it was."""
        while not self._is_over and self._code in ("", *COMES_BACK):
            self._code = ""
            with contextlib.suppress(*GONE):
                reader, writer = await asyncio.open_connection(HOST, self._port, limit=CHUNK * 16)
                try:
                    await self._talk(reader, writer)
                finally:
                    writer.transport.abort()
            await asyncio.sleep(AGAIN_S)
        return "" if self._is_over else self._code

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        login = {"username": self._name} if self._token is None else {"token": self._token}
        writer.write(_line("login", **login))
        while (line := await reader.readline()).endswith(b"\n") and not self._is_over:
            writer.write(self._answer(json.loads(line)))
            await writer.drain()

    def _answer(self, said: dict[str, Any]) -> bytes:
        self._code = ""
        match said:
            case {"type": "login_success", "username": named, "token": token}:
                self._name, self._token = named, token
            case {"type": "game_start", "player_list": names}:
                self._others = [name for name in names if name != self._name]
            case {"type": "start_proposal", "proposer": self._name}:
                return _line("propose", partner=self._others[0], offer={}, request={}, message="nothing today")
            case {"type": "proposal"}:
                return _line("decide", decision="reject", message="no")
            case {"type": "proposal_accepted" | "proposal_rejected"}:
                return _line("done_crafting")
            case {"type": "game_over"}:
                self._is_over = True
            case {"type": "error", "code": code}:
                self._code = code
        return b""


def _line(kind: str, **body: Any) -> bytes:
    return json.dumps({"type": kind, **body}).encode() + b"\n"


class Painter:
    """A user of a room's channels, who sends lists that are its own, and remembers those that were taken."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.taken: list[str] = []
        self._numbers = itertools.count()

    async def play(self, url: str, room: str, ended: Callable[[], bool]) -> None:
        """Until all is over, over as many connections as it takes. Whatever is said is answered."""
        while not ended():
            with contextlib.suppress(*GONE, TimeoutError):  # of the handshake: nobody else waits here
                async with connect(f"{url}/gameroom/{room}/action_channel", proxy=None, open_timeout=10) as line:
                    await self._talk(line, ended)
            await asyncio.sleep(AGAIN_S)

    async def _talk(self, line: ClientConnection, ended: Callable[[], bool]) -> None:
        while not ended():
            reply = await self._ask(line, action="register", username=self.name, password=f"{self.name}'s own")
            while reply["success"] and not ended():
                words = f"{self.name} {next(self._numbers)}"
                reply = await self._ask(line, action="command", cmd_list=[words])
                if reply["success"]:
                    self.taken.append(words)
                await asyncio.sleep(AGAIN_S)  # ten lists a round are the most
            await asyncio.sleep(AGAIN_S)

    async def _ask(self, line: ClientConnection, **said: Any) -> dict[str, Any]:
        await line.send(json.dumps(said))
        reply: dict[str, Any] = json.loads(await line.recv())
        return reply


class HallUser:
    """Plays game after game of tradeCraft in a hall, by Socket.IO, as idly as a trader; who it is it can prove."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._token = ""
        self._others: list[str] = []
        self._is_done = False
        self.games = 0

    async def play(self, url: str, ended: Callable[[], bool]) -> None:
        """Until a game is over that was played to its end after all else has ended."""
        while not self._is_done:
            with contextlib.suppress(*GONE, TimeoutError):
                async with connect(f"{url}/socket.io/?EIO=4&transport=websocket", proxy=None, max_size=None) as line:
                    await line.send("40")
                    await self._talk(line, ended)
            await asyncio.sleep(AGAIN_S)

    async def _talk(self, line: ClientConnection, ended: Callable[[], bool]) -> None:
        async for packet in line:
            text = str(packet)
            if text == "2":
                await line.send("3")
            elif text.startswith("42"):
                event, body = json.loads(text[2:])
                for said, more in self._answers(event.removeprefix("server__"), body):
                    await line.send("42" + json.dumps([said, {"token": self._token, "_token": self._token, **more}]))
                if event == "server__game_over":
                    self.games += 1
                    self._is_done = ended()
                if self._is_done:
                    return

    def _answers(self, event: str, body: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
        match event:
            case "restored_proof_requested" if self._token:
                return [("restored_proof", {"_username": self._name})]
            case "restored_proof_requested" | "username_conflict" | "restored_proof_invalid":
                self._name, self._token = f"{self._name}'", ""
                return [("login", {"username": self._name[-60:]})]
            case "login_success":
                self._name, self._token = body["username"], body["token"]
                return [("enter_hall", {"_hallname": hall_name(2)})] if body["status_code"] == 0 else []
            case "game_restored" if body["gametype"] != "Game":
                return [("enter_hall", {"_hallname": hall_name(2)})]
            case "player_enter_room" if body["playername"] == self._name:
                return [("player__ready_to_start", {})]
            case "game_over":
                return [("player__ready_to_start", {})]
            case "error" if body["code"] in (*COMES_BACK, "no_such_seat"):
                return [("player__ready_to_start", {})]
        return [(f"player__{kind}", more) for kind, more in self._moves(event, body)]

    def _moves(self, event: str, body: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
        match event:
            case "game_start":
                self._others = [name for name in body["player_list"] if name != self._name]
            case "start_proposal" if body["proposer"] == self._name:
                return [("submit_proposal", {"proposal": {"partner": self._others[0]}})]
            case "proposal":
                return [("approval_or_reject", {"decision": "reject"})]
            case "proposal_accepted" | "proposal_rejected":
                return [("craft_done", {})]
        return []

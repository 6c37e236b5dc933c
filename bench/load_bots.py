"""The bots of the load bench: so many matches at once, over sockets, with as little work as can be.

A program of its own, which `load.py` starts, and tells on its standard input when to begin counting and when to report;
it answers with one JSON object a line. It uses no client library: the bots share the machine with the server, and are
to leave it as much as they can. They read what they need of an ask, and answer with something that is allowed.
"""

import argparse
import asyncio
import contextlib
import random
import struct
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any, Literal, cast

import msgspec
import uvloop
from msgspec import Struct

HOST = "127.0.0.1"
SEATS = {"forsale": 3, "dominion": 2}
LIMIT_S = 3600.0
"""The time limit for an answer, which even a busy machine keeps."""
AT_ONCE = 16
"""Tables that are being set up."""
TELLS_S = 0.5
AGAIN_S = 0.5
"""After so long a match that failed makes room for another."""

encode = msgspec.json.encode


class Orders(Struct, frozen=True):
    """What this program is started with."""

    port: int
    tcp_port: int
    way: Literal["websocket", "tcp"]
    games: tuple[str, ...]
    """By match: what is played there, one match after the other."""
    think_s: float
    """How long a bot thinks, on the average; 0: it answers at once."""
    host: str
    """The token of the account that creates tables."""
    players: tuple[str, ...]
    """The tokens of the players; all matches may be played by the same few."""


class Tally(Struct):
    """What the bots have seen since they began to count."""

    moves: int = 0
    """Answers of which it is certain that they were taken: the next ask or the end came, and no fault."""
    finished: int = 0
    faults: int = 0
    refused: dict[str, int] = {}
    """Whoever was sent away, not served, or cut off, by why."""
    waits_us: list[int] = msgspec.field(default_factory=list)
    """From an answer until any seat of its match was told the next ask, or the end."""
    held: int = 0
    """Matches under way at this moment."""
    begun: set[int] = set()
    """The places that have had a match, ever since the start."""
    is_report: bool = False
    """Whether it was asked for; what is told in between leaves out the waits."""


# What bots read and say


class AskSeen(Struct, frozen=True):
    type: str
    record: int = 0
    coins: int = 0
    buys: int = 0


class ViewSeen(Struct, frozen=True):
    hand: tuple[str | int, ...] = ()
    money: int = 0
    supply: dict[str, int] = {}


class AskMessage(Struct, frozen=True):
    id: int
    ask: AskSeen
    view: ViewSeen


_read = msgspec.json.Decoder(AskMessage).decode
WORTH: dict[str | int, int] = {"copper": 1, "silver": 2, "gold": 3}
SHOPPING = (("province", 8), ("gold", 6), ("silver", 3))


def action(ask: AskSeen, view: ViewSeen) -> dict[str, Any]:
    """For Sale: one more, or pass, by chance, and then any estate. Dominion: nothing but money and provinces."""
    if ask.type == "BidOrPass":
        raises = ask.record < ask.coins and random.random() < 0.5
        return {"type": "Bid", "amount": ask.record + 1} if raises else {"type": "Pass"}
    if ask.type == "ChooseEstate":
        return {"type": "Sell", "estate": view.hand[0]}
    if not ask.buys:
        return {"type": "CleanUp"}
    money = view.money + sum(WORTH.get(card, 0) for card in view.hand)
    wanted = [card for card, cost in SHOPPING if cost <= money and view.supply[card]]
    return {"type": "Buy", "cards": wanted[:1]}


# Connections


class Seat(asyncio.Protocol):
    """A client at a table. Subclasses know how messages are framed."""

    def __init__(self, match: "Match", token: str) -> None:
        self._match = match
        self._token = token
        self._transport: asyncio.Transport | None = None
        self._rest = b""
        self._has_answered = False
        self.is_over = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self.enter()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.is_over:
            self._match.fail("lost")

    def hang_up(self) -> None:
        self.is_over = True
        if self._transport is not None:
            self._transport.close()

    def enter(self) -> None:
        raise NotImplementedError

    def send(self, message: bytes) -> None:
        raise NotImplementedError

    def write(self, data: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def hear(self, message: bytes) -> None:
        kind = message[9:12]  # of "ask", "over", "hello" and so on; events are of no interest
        if kind in (b"ask", b"ove"):
            self._match.tally.moves += self._has_answered
            self._has_answered = False
            self._match.told()
        if kind == b"ask":
            self._match.think(self._answer, message)
        elif kind == b"ove":
            self.is_over = True
            self._match.end_if_over()
        elif kind == b"sea":
            self._match.begin()
        elif kind == b"hel":
            self.send(b'{"type":"hello","name":"bot"}')
        elif kind == b"fau":
            self._has_answered = False
            self._match.tally.faults += 1
        elif kind == b"err":
            self._match.fail(msgspec.json.decode(message)["code"])

    def _answer(self, message: bytes) -> None:
        asked = _read(message)
        self._has_answered = True
        self._match.answered(asked.ask.type)
        self.send(encode({"type": "answer", "id": asked.id, "action": action(asked.ask, asked.view)}))


class TcpSeat(Seat):
    """A message is a line."""

    def enter(self) -> None:
        match = self._match
        self.send(encode({"type": "enter", "game": match.game, "table": match.table, "token": self._token}))

    def send(self, message: bytes) -> None:
        self.write(message + b"\n")

    def data_received(self, data: bytes) -> None:
        *messages, self._rest = (self._rest + data).split(b"\n")
        for message in messages:
            self.hear(message)


class WebSocketSeat(Seat):
    """A message is a frame. A client's are masked: zeros are a mask, too, and cost nothing."""

    _is_open = False

    def enter(self) -> None:
        path = f"/play/{self._match.game}/{self._match.table}"
        upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        key = "Sec-WebSocket-Key: bG9hZCBsb2FkIGxvYWQhIQ==\r\n"
        head = f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\n{upgrade}{key}Authorization: Bearer {self._token}\r\n\r\n"
        self.write(head.encode())

    def send(self, message: bytes) -> None:
        size = len(message)
        head = struct.pack("!BB", 0x81, 0x80 | size) if size < 126 else struct.pack("!BBH", 0x81, 0xFE, size)
        self.write(head + bytes(4) + message)

    def data_received(self, data: bytes) -> None:
        data = self._rest + data
        if not self._is_open:
            head, end, data = data.partition(b"\r\n\r\n")
            self._is_open = bool(end)
            if not end:
                self._rest = head
                return
        at = 0
        while (frame := _frame(data, at)) is not None:
            first, begin, at = frame
            if first == 0x81:
                self.hear(data[begin:at])
        self._rest = data[at:]


def _frame(data: bytes, at: int) -> tuple[int, int, int] | None:
    """Its first byte, where its text begins and where it ends; None, if it is not whole yet."""
    if len(data) < at + 2:
        return None
    size, begin = data[at + 1], at + 2
    if size == 126:
        size, begin = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
    elif size == 127:
        size, begin = int.from_bytes(data[at + 2 : at + 10], "big"), at + 10
    return None if len(data) < begin + size else (data[at], begin, begin + size)


async def post(port: int, path: str, token: str, body: Any) -> Any:
    """What the API answers; OSError, if that is a refusal."""
    reader, writer = await asyncio.open_connection(HOST, port)
    try:
        raw = encode(body)
        head = f"POST /api{path} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(raw)}\r\n\r\n"
        writer.write(head.encode() + raw)
        status, _, answer = (await reader.read()).partition(b"\r\n\r\n")
        if not status.startswith(b"HTTP/1.1 2"):
            raise OSError(answer.decode() or "hung up")
        return msgspec.json.decode(answer)
    finally:
        writer.close()


# Matches


class Match:
    """One match with all its seats, and when the last answer was given in it."""

    def __init__(self, orders: Orders, place: int, game: str, table: str, tally: Tally) -> None:
        self._place = place
        self._is_held = False
        self.game = game
        self.table = table
        self.tally = tally
        self._orders = orders
        self._seats: list[Seat] = []
        self._since: float | None = None
        self._sealed = 0
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def play(self) -> None:
        loop, orders = asyncio.get_running_loop(), self._orders
        kind: type[Seat] = TcpSeat if orders.way == "tcp" else WebSocketSeat
        port = orders.tcp_port if orders.way == "tcp" else orders.port
        try:
            for token in orders.players[: SEATS[self.game]]:
                seat = kind(self, token)
                self._seats.append(seat)
                await loop.create_connection(lambda seat=seat: seat, HOST, port)  # type: ignore[misc]  # it has a type
            await self.ended
        finally:
            self.tally.held -= self._is_held
            for seat in self._seats:
                seat.hang_up()
        self.tally.finished += 1

    def begin(self) -> None:
        """Somebody was told its seat."""
        if not self._is_held:
            self._is_held = True
            self.tally.held += 1
            self.tally.begun.add(self._place)

    def think(self, answer: Callable[[bytes], None], message: bytes) -> None:
        if self._orders.think_s:
            pause_s = random.uniform(0.5, 1.5) * self._orders.think_s
            asyncio.get_running_loop().call_later(pause_s, answer, message)
        else:
            answer(message)

    def answered(self, ask: str) -> None:
        """Where all seats are asked at once, nothing follows before the last of them has answered."""
        if ask == "ChooseEstate":
            self._sealed += 1
            if self._sealed % len(self._seats):
                return
        self._since = perf_counter()

    def told(self) -> None:
        """Somebody has the next ask, or the end."""
        if self._since is not None:
            self.tally.waits_us.append(round((perf_counter() - self._since) * 1e6))
            self._since = None

    def end_if_over(self) -> None:
        if all(seat.is_over for seat in self._seats) and not self.ended.done():
            self.ended.set_result(None)

    def fail(self, why: str) -> None:
        if not self.ended.done():
            self.ended.set_exception(OSError(why))


class Bots:
    """All matches of this program, each followed by another as soon as it ends."""

    def __init__(self, orders: Orders) -> None:
        self._orders = orders
        self._setting_up = asyncio.Semaphore(AT_ONCE)
        self.tally = Tally()

    async def evening(self, place: int, game: str) -> None:
        """One match after another."""
        while True:
            try:
                await (await self._match(place, game)).play()
            except OSError as e:
                self.tally.refused[str(e)] = self.tally.refused.get(str(e), 0) + 1
                await asyncio.sleep(AGAIN_S)

    async def _match(self, place: int, game: str) -> Match:
        body = {"game": game, "seats": [{"kind": "open"}] * SEATS[game], "terms": {"limit_s": LIMIT_S}}
        async with self._setting_up:
            made = await post(self._orders.port, "/tables", self._orders.host, body)
        return Match(self._orders, place, game, made["table"]["id"], self.tally)

    def count_anew(self) -> None:
        """From now on; matches know the tally, so it stays the same one."""
        fresh = msgspec.structs.replace(Tally(), held=self.tally.held, begun=self.tally.begun)
        for field in Tally.__struct_fields__:
            setattr(self.tally, field, getattr(fresh, field))


async def work(orders: Orders) -> None:
    bots = Bots(orders)
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    evenings = [asyncio.ensure_future(bots.evening(place, game)) for place, game in enumerate(orders.games)]
    telling = asyncio.ensure_future(_tell_often(bots))
    while (line := await lines.readline()).strip():
        if line == b"count\n":
            bots.count_anew()
        else:
            _tell(msgspec.structs.replace(bots.tally, is_report=True))
    for task in (*evenings, telling):
        task.cancel()


async def _tell_often(bots: Bots) -> None:
    while True:
        _tell(msgspec.structs.replace(bots.tally, waits_us=[]))
        await asyncio.sleep(TELLS_S)


def _tell(tally: Tally) -> None:
    print(encode(tally).decode(), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("orders", help="as JSON")
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError):
        uvloop.run(work(msgspec.json.decode(parser.parse_args().orders, type=Orders)))


if __name__ == "__main__":
    main()

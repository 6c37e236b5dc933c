"""TCP ports of an arena: our own protocol for all games on one, and each game's own on others."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from parlour.core import Dialect, Game
from parlour.games import NAMES, game
from parlour.players.door import Door
from parlour.server.ways import HELLO_S, Ways
from parlour.transports.framing import framing
from parlour.transports.lines import LineSplitter
from parlour.transports.tcp import SocketPeer
from parlour.transports.v1 import V1, ErrorMessage


class Enter(Struct, frozen=True, tag="enter", forbid_unknown_fields=True):
    """The first line of who comes by our own port: what to play, and where."""

    game: Annotated[str, Meta(max_length=40)]
    table: Annotated[str, Meta(max_length=64)] | None = None
    token: Annotated[str, Meta(max_length=200)] | None = None


_enter = msgspec.json.Decoder(Enter)


class Listeners:
    """All of them; they share one limit on connections."""

    def __init__(self, ways: Ways) -> None:
        self._ways = ways
        self._door = Door()

    async def open(self, address: str, port: int) -> int:
        """Protocol 1, any game; returns the port, which matters if any would do."""
        return await self._door.open(address, port, LineSplitter, self._enter)

    async def open_dialect(self, address: str, port: int, rules: Game[Any], make: Callable[[], Dialect]) -> int:
        """A game's own protocol. Who comes by it is a guest at the next table."""
        welcome = partial(self._welcome, rules, make)
        return await self._door.open(address, port, lambda: framing(make().frames), welcome)

    async def close(self) -> None:
        await self._door.close()

    async def _welcome(self, rules: Game[Any], make: Callable[[], Dialect], peer: SocketPeer) -> None:
        await self._ways.welcome(peer, rules, make())

    async def _enter(self, peer: SocketPeer) -> None:
        try:
            said = _enter.decode(await _first_line(peer))
            rules = game(said.game) if said.game in NAMES else None
        except (TimeoutError, msgspec.MsgspecError, ValueError):
            rules = None
        if rules is None:
            words = f'the first line is {{"type": "enter", "game": NAME}}, a name being one of {", ".join(NAMES)}'
            peer.send([msgspec.json.encode(ErrorMessage("bad_enter", words))])
            await peer.close()
            return
        await self._ways.welcome(peer, rules, V1(rules), said.table, said.token)


async def _first_line(peer: SocketPeer) -> bytes:
    """What comes after it is kept for who listens next."""
    line: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    def heard(raw: bytes | None) -> None:
        peer.hold()
        if not line.done():
            line.set_result(raw or b"")

    def ended(why: str) -> None:
        if not line.done():
            line.set_result(b"")

    peer.listen(heard, ended)
    async with asyncio.timeout(HELLO_S):
        return await line

"""Play over WebSocket: protocol 1 at `/play/GAME` and `/play/GAME/TABLE`, a game's own protocol at `/ws/GAME`, and each
of its dialects at `/ws/GAME/DIALECT`.

A host of a single game has its own protocol at `/ws`, too."""

from functools import partial
from typing import Any

from msgspec import Struct

from parlour import plugins
from parlour.core import Dialect, Game
from parlour.players.session import Errors
from parlour.protocol import v1
from parlour.protocol.v1 import V1
from parlour.server.joining import ClientDesk
from parlour.server.net.connections import OpenPeer
from parlour.server.settings import Settings
from parlour.tables.arena import Arena
from parlour.transports.tcp import SocketPeer
from parlour.transports.websocket import WebSocketFraming

OURS = "websocket"
"""The transport name of protocol 1 over WebSocket, in metrics and logs."""
PATHS = ("/play/{name:str}", "/play/{name:str}/{table:str}", "/ws/{name:str}", "/ws/{name:str}/{dialect:str}")
NO_GAME = "there is no such game"
NO_DIALECT = "there is no such game with its own protocol, or its clients cannot connect with that dialect"


class SocketRoute(Struct, frozen=True):
    """The game, table and protocol of a path."""

    game: Game[Any]
    dialect: Dialect
    way: str
    table: str | None = None
    errors: Errors | None = None


class PlaySockets:
    """Opens peers for WebSockets that play."""

    def __init__(self, arena: Arena, client_desk: ClientDesk, settings: Settings) -> None:
        self._arena = arena
        self._client_desk = client_desk
        self._limits = settings.message_limits()

    def find(self, path: str) -> OpenPeer | None:
        """How to open the peer of a path; None if nothing is played there."""
        match [part for part in path.split("/") if part]:
            case ["play", name, *table] if len(table) <= 1:
                return partial(self._open, _ours(name, *table), NO_GAME)
            case ["ws", name]:
                return partial(self._open, _in_dialect(name, self._arena.dialect), NO_DIALECT)
            case ["ws", name, dialect]:
                return partial(self._open, _in_dialect(name, dialect), NO_DIALECT)
            case ["ws"] if self._arena.only is not None:
                return partial(self._open, _in_dialect(self._arena.only, self._arena.dialect), NO_DIALECT)
        return None

    def _open(self, route: SocketRoute | None, missing: str, address: str, token: str | None) -> SocketPeer:
        made = partial(_refuse, missing) if route is None else partial(self._begin, route, address, token)
        return SocketPeer(WebSocketFraming(self._limits.message_bytes), self._limits, made)

    def _begin(self, route: SocketRoute, address: str, token: str | None, peer: SocketPeer) -> None:
        session = self._client_desk.connected(peer, route.way, address, route.errors)
        self._arena.run(self._client_desk.welcome(session, route.game, route.dialect, route.table, token))


def _ours(name: str, table: str | None = None) -> SocketRoute | None:
    game = plugins.find_game(name)
    return None if game is None else SocketRoute(game, V1(game), OURS, table, v1.error)


def _in_dialect(name: str, dialect: str | None) -> SocketRoute | None:
    """`dialect`: None is the usual one."""
    game = plugins.find_game(name)
    chosen = None if game is None else dialect or game.hosting.socket_dialect
    if game is None or chosen is None or not game.hosting.lets_connect(chosen):
        return None
    return SocketRoute(game, game.hosting.dialects[chosen](), f"websocket {name}")


def _refuse(words: str, peer: SocketPeer) -> None:
    peer.send(v1.error("no_such_game", words))
    peer.hang_up()

"""A host's table over WebSocket, for dialects of lines: each line is one text frame."""

from functools import partial

from parlour.server.net.connections import OpenPeer
from parlour.server.net.web_server import FindPeer
from parlour.tables.host import Host
from parlour.transports.limits import A_SECOND, MessageLimits
from parlour.transports.tcp import SocketPeer
from parlour.transports.websocket import WebSocketFraming

PATH = "/ws"
LIMITS = MessageLimits(message_depth=10**9, messages_a_second=A_SECOND, idle_s=366 * 86400.0)
"""A table of friends: how deep a message is and how long a client is silent is its own affair."""


def lines_over_websocket(host: Host) -> FindPeer:
    """Connects clients to the host's table."""

    def open(address: str, token: str | None) -> SocketPeer:
        peer = SocketPeer(WebSocketFraming(), LIMITS)
        peer.on_made = partial(host.greet, peer)
        return peer

    def find(path: str) -> OpenPeer | None:
        return open if [part for part in path.split("/") if part] == [PATH[1:]] else None

    return find

"""A host's table over WebSocket, for dialects of lines: each line is one text frame."""

from litestar import Router, websocket

from parlour.server.net.rate_limits import Pace
from parlour.server.net.websockets import Socket, closed, received, sent
from parlour.tables.host import Host
from parlour.transports.websocket import WebSocketPeer

PATH = "/ws"


def lines_over_websocket(host: Host) -> Router:
    """A route that connects clients to the host's table."""

    @websocket(PATH)
    async def table(socket: Socket) -> None:
        await socket.accept()
        peer, pace = WebSocketPeer(), Pace()

        async def hear() -> str | None:
            await pace.keep()
            return await received(socket)

        async def tell(text: str) -> None:
            if not await sent(socket, text):
                peer.drop("dead")

        host.greet(peer)
        await peer.run(hear, tell)
        await closed(socket)

    return Router("/", route_handlers=[table])

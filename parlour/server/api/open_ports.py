"""An API route that says on which TCP ports clients can connect."""

from litestar import Router, get
from msgspec import Struct

from parlour.server.net.ports import Ports
from parlour.server.settings import Settings


class OpenPorts(Struct, frozen=True):
    """The TCP ports of the server, besides the one of the web server."""

    protocol_1: int | None = None
    """Protocol 1, all games; null: not over TCP."""
    own: dict[str, int] = {}
    """The games' own protocols, by GAME or GAME/DIALECT."""
    tls: bool = False
    """Whether these ports use TLS."""


def open_ports(ports: Ports, settings: Settings) -> OpenPorts:
    """The ports that were bound."""
    own = {where: each.getsockname()[1] for where, each in ports.dialects.items()}
    lines = None if ports.lines is None else ports.lines.getsockname()[1]
    return OpenPorts(lines, own, settings.certificate is not None)


def port_router(told: OpenPorts) -> Router:
    @get("/ports")
    async def ports() -> OpenPorts:
        """The TCP ports for clients that do not speak HTTP."""
        return told

    return Router("/api", route_handlers=[ports])

"""The ports of an arena. They are bound before the store is opened, and served after the matches are resumed."""

import errno
import socket
from contextlib import ExitStack

from msgspec import Struct

from parlour.server.settings import Settings

KEEP_ALIVE = (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 15), ("TCP_KEEPCNT", 4))
"""TCP keep-alive after a minute of silence. The client's operating system answers even if the client is busy."""


class CannotListen(OSError):
    """A port cannot be opened."""

    def __init__(self, address: str, port: int, error: OSError) -> None:
        self.is_in_use = error.errno == errno.EADDRINUSE
        if self.is_in_use:
            words = f"port {port} on {address} is in use; choose another one"
        elif error.errno == errno.EADDRNOTAVAIL:
            words = f"{address} is not an address of this machine"
        else:
            why = (error.strerror or str(error)).partition(" (while")[0]  # the rest repeats address and port
            words = f"cannot listen on port {port} of {address}: {why.lower()}"
        super().__init__(words)


class Ports(Struct):
    """Listening sockets. Clients can connect, and wait until they are accepted."""

    web: socket.socket
    lines: socket.socket | None
    """Protocol 1 over TCP."""
    dialects: dict[str, socket.socket]
    """Games' own protocols, by name."""
    taken: tuple[int, ...]
    """Default ports that are in use by other programs and were skipped."""

    def close(self) -> None:
        for each in (self.web, self.lines, *self.dialects.values()):
            if each is not None:
                each.close()


def listening(address: str, port: int) -> socket.socket:
    """A listening socket with keep-alive; CannotListen if the port cannot be opened.

    It listens at once, because two programs may bind the same port; only listening reserves it."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        listener = socket.create_server((address, port), family=family, backlog=1024)
    except OSError as e:
        raise CannotListen(address, port, e) from None
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in KEEP_ALIVE:
        if hasattr(socket, name):  # not on every system
            listener.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    return listener


def bound(settings: Settings) -> Ports:
    """Open all ports of an arena. Default ports that are in use are skipped; configured ports must be free."""
    taken: list[int] = []
    with ExitStack() as failing:

        def listens(port: int, asked: bool) -> socket.socket | None:
            try:
                return failing.enter_context(listening(settings.address, port))
            except CannotListen as e:
                if asked or not e.is_in_use:
                    raise
                taken.append(port)
                return None

        web = failing.enter_context(listening(settings.address, settings.port))
        lines = settings.lines_port()
        spoken = None if lines is None else listens(lines, settings.tcp_port is not None)
        dialects = {where: listens(port, settings.listeners is not None) for where, port, _, _ in settings.dialects()}
        failing.pop_all()
        return Ports(web, spoken, {where: each for where, each in dialects.items() if each is not None}, tuple(taken))

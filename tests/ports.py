"""Ports for servers that are started where they were before."""

import random
import socket
from contextlib import ExitStack


def free_row(length: int = 1) -> int:
    """The first of up to ten ports in a row that nobody has, and that the system gives to nobody who asks for any."""
    while True:
        first = random.SystemRandom().randrange(20_000, 30_000, 10)
        with ExitStack() as stack:
            try:
                for port in range(first, first + length):
                    stack.enter_context(socket.create_server(("127.0.0.1", port)))
            except OSError:
                continue
            return first

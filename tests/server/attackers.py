"""Clients that mean harm, in a process of their own: `python -m tests.server.attackers KIND PORT`.

They speak to bare sockets, so that nothing holds them back but the server.
"""

import base64
import json
import os
import socket
import sys
import threading
import time
from collections.abc import Callable

SHOWS = ("/game_channel", "/gameroom/public/game_channel")
TAKES = ("/action_channel", "/gameroom/public/action_channel")


def upgrade(path: str) -> bytes:
    """What asks for a WebSocket."""
    key = base64.b64encode(os.urandom(16)).decode()
    return (
        f"GET {path} HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()


def message(opcode: int, payload: bytes = b"", last: bool = True) -> bytes:
    """A frame under a mask of zeros."""
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
    return bytes([(0x80 if last else 0) | opcode]) + length + bytes(4) + payload


TEXT, BINARY, CLOSE, PING = 1, 2, 8, 9


def opened(port: int, path: str) -> socket.socket:
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect(("127.0.0.1", port))
    client.sendall(upgrade(path))
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += client.recv(1)
    return client


def flooding(payload: bytes, *paths: str) -> Callable[[int], None]:
    """As much of it as the server takes, on several connections, and never reading an answer."""

    def flood(port: int) -> None:
        clients = [opened(port, path) for path in paths]
        each(clients, lambda client: client.sendall(payload))

    return flood


def each(clients: list[socket.socket], does: Callable[[socket.socket], object]) -> None:
    """For ever, or until the connection is lost; each in a thread."""

    def goes_on(client: socket.socket) -> None:
        while True:
            try:
                does(client)
            except OSError:
                return

    for client in clients:
        threading.Thread(target=goes_on, args=(client,), daemon=True).start()
    time.sleep(1000)


def never_reading(port: int) -> None:
    clients = [opened(port, path) for path in SHOWS * 10]
    each(clients, lambda client: time.sleep(1000))


def registering(port: int) -> None:
    """Guesses passwords."""
    clients = [opened(port, path) for path in TAKES * 20]
    said = json.dumps({"action": "register", "username": "victim", "password": "guess"}).encode()

    def guess(client: socket.socket) -> None:
        client.sendall(message(TEXT, said))
        client.recv(1000)

    each(clients, guess)


def calling(port: int) -> None:
    """Guesses the admin's."""
    said = json.dumps({"gameroom_id": "public", "config": {}, "admin_password": "guess"}).encode()
    asked = b"POST /restart HTTP/1.1\r\nHost: here\r\nContent-Length: %d\r\n\r\n%b" % (len(said), said)

    def call(client: socket.socket) -> None:
        client.sendall(asked)
        client.recv(1000)

    clients = [socket.create_connection(("127.0.0.1", port)) for _ in range(20)]
    each(clients, call)


def coming_and_going(port: int) -> None:
    def comes(_: object) -> None:
        for path in (*SHOWS, *TAKES):
            client = opened(port, path)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")  # gone without a word
            client.close()

    each([socket.socket() for _ in range(4)], comes)


KINDS: dict[str, Callable[[int], None]] = {
    "small pings": flooding(message(PING) * 10_000, *TAKES, *SHOWS),
    "big pings": flooding(message(PING, bytes(125)) * 1000, *TAKES, *SHOWS),
    "small texts": flooding(message(TEXT, b"x") * 10_000, *TAKES, *SHOWS),
    "big texts": flooding(message(TEXT, b"x" * 60_000), *TAKES, *SHOWS),
    "empty parts": flooding(message(TEXT, b"", last=False) + message(0, b"", last=False) * 10_000, *TAKES),
    "never reading": never_reading,
    "registering": registering,
    "calling": calling,
    "coming and going": coming_and_going,
}


if __name__ == "__main__":
    KINDS[sys.argv[1]](int(sys.argv[2]))

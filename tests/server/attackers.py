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
    """The handshake of a WebSocket."""
    key = base64.b64encode(os.urandom(16)).decode()
    return (
        f"GET {path} HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()


def message(opcode: int, payload: bytes = b"", last: bool = True) -> bytes:
    """A frame with a mask of zeros."""
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
    return bytes([(0x80 if last else 0) | opcode]) + length + bytes(4) + payload


TEXT, BINARY, CLOSE, PING = 1, 2, 8, 9
ELSEWHERE = ("127.0.0.2", 0)
"""Another address than that of the players."""


def opened(port: int, path: str, source: tuple[str, int] = ("", 0)) -> socket.socket:
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.bind(source)
    client.connect(("127.0.0.1", port))
    client.sendall(upgrade(path))
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += client.recv(1)
    return client


def flooding(payload: bytes, *paths: str) -> Callable[[int], None]:
    """Send it on several connections, as fast as the server takes it, and read no answer."""

    def flood(port: int) -> None:
        clients = [opened(port, path) for path in paths]
        each(clients, lambda client: client.sendall(payload))

    return flood


def each(clients: list[socket.socket], does: Callable[[socket.socket], object]) -> None:
    """Repeat this for each client in a thread of its own, until its connection is lost."""

    def goes_on(client: socket.socket) -> None:
        while True:
            try:
                does(client)
            except OSError:
                return

    for client in clients:
        threading.Thread(target=goes_on, args=(client,), daemon=True).start()
    print("all are there", flush=True)
    time.sleep(1000)


def never_reading(port: int) -> None:
    clients = [opened(port, path) for path in SHOWS * 10]
    each(clients, lambda client: time.sleep(1000))


def registering(port: int) -> None:
    """Guess passwords of users."""
    clients = [opened(port, path) for path in TAKES * 20]
    said = json.dumps({"action": "register", "username": "victim", "password": "guess"}).encode()

    def guess(client: socket.socket) -> None:
        client.sendall(message(TEXT, said))
        client.recv(1000)

    each(clients, guess)


def calling(port: int) -> None:
    """Guess the password of the administrator."""
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


def pouring(first: bytes, payload: bytes, many: int = 4) -> Callable[[int], None]:
    """Over TCP: send a valid first message, then requests without end, and read no answer."""

    def pour(port: int) -> None:
        clients = []
        for _ in range(many):
            client = socket.socket()
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.bind(ELSEWHERE)
            client.connect(("127.0.0.1", port))
            client.sendall(first)
            clients.append(client)
        each(clients, lambda client: client.sendall(payload))

    return pour


def asking(request: bytes, many: int = 50) -> Callable[[int], None]:
    """Send one request after the other on many connections, and read every answer."""

    def ask(port: int) -> None:
        def goes(client: socket.socket) -> None:
            client.sendall(request * 10)
            client.recv(100_000)

        each([socket.create_connection(("127.0.0.1", port), source_address=ELSEWHERE) for _ in range(many)], goes)

    return ask


def chattering(path: str, first: tuple[str, ...], said: str, many: int = 4) -> Callable[[int], None]:
    """The same over WebSocket."""

    def chatter(port: int) -> None:
        clients = [opened(port, path, ELSEWHERE) for _ in range(many)]
        for number, client in enumerate(clients):
            for text in first:
                client.sendall(message(TEXT, text.replace("NUMBER", str(number)).encode()))
        each(clients, lambda client: client.sendall(message(TEXT, said.encode()) * 1000))

    return chatter


SOCKET_IO = "/socket.io/?EIO=4&transport=websocket"
ANSWER = '{"type": "answer", "id": 1000000, "action": {"type": "Pass"}}'
QUERY = '{"type": "query", "what": "item_info", "item": "torch"}'
LOGIN = '{"type": "login", "username": "noisy"}'
GETS = b"GET /api/games/dominion/schema HTTP/1.1\r\nHost: here\r\n\r\n"
POSTS = b'POST /api/login HTTP/1.1\r\nHost: here\r\nContent-Length: 32\r\n\r\n{"name": "ada", "password": "x" }'

ARENA: dict[str, Callable[[int], None]] = {
    "protocol 1 over TCP": pouring(
        b'{"type": "enter", "game": "forsale"}\n{"type": "hello"}\n', b"%b\n" % ANSWER.encode() * 100
    ),
    "lines over TCP": pouring(LOGIN.encode() + b"\n", b"%b\n" % QUERY.encode() * 100),
    "values over TCP": pouring(b'"noisy"', b'{"a": 1} ' * 1000),
    "one line without end": pouring(b"", b"x" * 60_000),
    "requests": pouring(b"", GETS * 100),
    "requests that are read": asking(b"GET /health HTTP/1.1\r\nHost: here\r\n\r\n"),
    "log-ins": pouring(b"", POSTS * 100),
    "events to watch": pouring(b"GET /api/matches/none/events HTTP/1.1\r\nHost: here\r\n\r\n", GETS),
    "protocol 1 over WebSocket": chattering("/play/forsale", ('{"type": "hello"}',), ANSWER),
    "lines over WebSocket": chattering("/ws/tradecraft", (LOGIN,), QUERY),
    "Socket.IO": chattering(SOCKET_IO, ("40", '42["login",{"username":"noisyNUMBER"}]'), '42["get_entry_info",{}]'),
    "sessions of Socket.IO": pouring(
        b"", b"GET /socket.io/?EIO=4&transport=polling HTTP/1.1\r\nHost: here\r\n\r\n" * 100
    ),
}
"""Floods of an arena, by each way in."""

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
    {**KINDS, **ARENA}[sys.argv[1]](int(sys.argv[2]))

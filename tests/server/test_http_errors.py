"""Requests that are not HTTP, or not whole: a plain answer, no traceback, and the same headers as on every response."""

import asyncio
import json
import logging
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.server.arenas import Hall, House, Seat, evening
from tests.server.test_watching import play
from tests.turned import soon, turn

POST = b"POST /api/guests HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n"
POLL = b"/socket.io/?EIO=4&transport=polling"
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"
END = b" HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"

NOT_HTTP = {
    "a session that is not UTF-8": [b"GET " + POLL + b"&x=%ff" + END],
    "a byte that no address has": [b"GET " + POLL + b"&\xff" + END],
    "a chunk without a size": [POST + CHUNKED + b"zz\r\n{}\r\n"],
    "the same, when the app waits for it": [POST + CHUNKED, b"zz\r\n{}\r\n"],
    "a chunk that is longer than it says": [POST + CHUNKED + b"2\r\n{}xx\r\n"],
    "a second chunk without a size": [POST + CHUNKED + b"2\r\n{}\r\n", b"q\r\n\r\n"],
    "a chunk to Socket.IO without a size": [b"POST " + POLL + b" HTTP/1.1\r\nHost: here\r\n" + CHUNKED, b"zz\r\n"],
    "a length below nothing": [POST + b"Content-Length: -4\r\n\r\n"],
    "no request at all": [b"\x00\x01\x02\r\n\r\n"],
}


async def said(hall: Hall, *parts: bytes) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of the answer to these bytes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", hall.serving.port)
    for part in parts:
        writer.write(part)
        await writer.drain()
        await hall.http.get("/health")  # the server has seen the part by now
    answer = await soon(reader.read())
    writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    return int(first.split()[1]), dict(line.lower().split(": ", 1) for line in lines), body


def logged(text: str) -> list[dict[str, Any]]:
    """The log; anything else on stderr is a failure."""
    return [json.loads(line) for line in text.splitlines()]


def is_guarded(headers: dict[str, str]) -> bool:
    policy = headers.get("content-security-policy", "")
    return headers.get("x-content-type-options") == "nosniff" and policy.startswith("default-src 'none'")


@pytest.mark.parametrize("parts", NOT_HTTP.values(), ids=NOT_HTTP.keys())
def test_what_is_not_http_is_answered_400(
    parts: list[bytes], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async def work(hall: Hall) -> None:
        status, headers, _ = await said(hall, *parts)
        assert status == 400 and is_guarded(headers)
        assert (await hall.http.get("/health")).status_code == 200

    evening(House(tmp_path, log="info"), work)
    assert not [line for line in logged(capfd.readouterr().err) if line["level"] in ("warning", "error")]


def test_junk_after_an_answer_has_begun_ends_the_connection(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    async def work(hall: Hall) -> None:
        status, headers, _ = await said(hall, b"GET /api/games HTTP/1.1\r\nHost: here\r\n" + CHUNKED, b"zz\r\n")
        assert status == 200 and is_guarded(headers)

    evening(House(tmp_path, log="info"), work)
    assert not [line for line in logged(capfd.readouterr().err) if line["level"] == "error"]


@pytest.mark.parametrize("path", [b"/api/guests", POLL])
def test_a_body_that_does_not_come_is_answered_408(path: bytes, tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", hall.serving.port)
        writer.write(b"POST " + path + b" HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n")
        writer.write(b"Content-Length: 50\r\n\r\n{")
        await writer.drain()
        await hall.http.get("/health")
        turn(9.0)
        await hall.http.get("/health")
        assert not reader.at_eof()
        turn(1.1)
        answer = await soon(reader.read())
        assert answer.startswith(b"HTTP/1.1 408 ") and b'"code":"too_slow"' in answer and b"nosniff" in answer
        assert (b"parlour-build: " in answer) == path.startswith(b"/api")
        writer.close()

    evening(House(tmp_path), work)


async def until_over(reader: asyncio.StreamReader) -> bytes:
    """A stream of events, until it tells the end of its match or ends itself."""
    heard = b""
    while b'"type":"over"' not in heard and (more := await soon(reader.read(65536))):
        heard += more
    return heard


def test_a_stream_lives_on_although_the_body_of_its_request_does_not_end(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("ada")
        table = (await hall.table(token, "forsale", "open", "random", "random"))["table"]["id"]
        async with hall.connect(f"/play/forsale/{table}") as line:
            seat = Seat(line)
            await seat.hello("ada", token=token)
            reader, writer = await asyncio.open_connection("127.0.0.1", hall.serving.port)
            writer.write(b"GET /api/matches/%s/events HTTP/1.1\r\nHost: here\r\n" % table.encode())
            writer.write(CHUNKED + b"1\r\na\r\n")
            assert (await soon(reader.readuntil(b"\r\n\r\n"))).startswith(b"HTTP/1.1 200 ")
            await hall.figure("parlour_connections", way="events")
            turn(11.0)
            await hall.http.get("/health")
            await play(seat)
            assert b'"type":"over"' in await until_over(reader)
            writer.close()

    evening(House(tmp_path, log="info"), work)
    assert not [line for line in logged(capfd.readouterr().err) if line["level"] == "error"]


UPGRADE_ONLY = b" HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
UPGRADE = b" /play/forsale" + UPGRADE_ONLY
KEY = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
VERSION = b"Sec-WebSocket-Version: "
HANDSHAKES = {
    "without a key": (b"GET" + UPGRADE + VERSION + b"13\r\n\r\n", 400),
    "with a key that is none": (b"GET" + UPGRADE + VERSION + b"13\r\nSec-WebSocket-Key: x\r\n\r\n", 400),
    "of another version": (b"GET" + UPGRADE + KEY + VERSION + b"8\r\n\r\n", 400),
    "with too many headers": (b"GET" + UPGRADE + KEY + VERSION + b"13\r\n" + 200 * b"x: y\r\n" + b"\r\n", 431),
    "with a long header": (b"GET" + UPGRADE + KEY + VERSION + b"13\r\nx: " + 9000 * b"y" + b"\r\n\r\n", 431),
    "with a long path": (b"GET /" + 9000 * b"y" + UPGRADE_ONLY + KEY + VERSION + b"13\r\n\r\n", 414),
    "of another method": (b"POST" + UPGRADE + KEY + VERSION + b"13\r\n\r\n", 405),
    "to where nothing is": (
        b"GET /nowhere" + UPGRADE_ONLY + KEY + VERSION + b"13\r\n\r\n",
        404,
    ),
}


@pytest.mark.parametrize(("handshake", "status"), HANDSHAKES.values(), ids=HANDSHAKES.keys())
def test_a_refused_handshake_has_the_security_headers(
    handshake: bytes, status: int, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async def work(hall: Hall) -> None:
        refused, headers, _ = await said(hall, handshake)
        assert refused == status and is_guarded(headers)

    evening(House(tmp_path, log="info"), work)
    assert not [line for line in logged(capfd.readouterr().err) if line["level"] == "error"]


PATHS = [
    "/",
    "/schema",
    "/schema/openapi.json",
    "/api/games",
    "/api/me",
    "/nowhere",
    "/health",
    "/metrics",
    "/socket.io/",
]


def test_a_zero_byte_which_postgresql_refuses_does_not_reach_the_store(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        admin = await hall.admin()
        for path in ("/accounts?q=a%00", "/matches?room=%00", "/matches/a%00", "/matches/a%00/stderr"):
            answer = await hall.get(path, admin)
            assert (answer.status_code, answer.json()["code"]) == (400, "bad_request"), path
        assert (await hall.post("/tokens", admin, scopes=["play"], label="a\0")).json()["code"] == "bad_request"

    evening(House(tmp_path, log="off"), work)


def test_every_response_has_the_security_headers(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        for path in PATHS:
            response = await hall.http.get(path)
            assert is_guarded(dict(response.headers)), path
            assert response.headers["referrer-policy"] == "no-referrer"
            assert response.headers["cache-control"] == "no-store", path
        async with hall.connect("/play/forsale") as line:
            assert line.response is not None
            headers = line.response.headers.raw_items()
            assert is_guarded({name.lower(): value for name, value in headers})

    evening(House(tmp_path), work)


@pytest.mark.parametrize("path", ["/", "/schema"])
def test_the_policy_allows_the_style_of_our_pages(path: str, tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        response = await hall.http.get(path)
        style = response.text.partition("<style>")[2].partition("</style>")[0]
        digest = b64encode(sha256(style.encode()).digest()).decode()
        assert style and f"style-src 'sha256-{digest}'" in response.headers["content-security-policy"]

    evening(House(tmp_path), work)


def test_errors_of_the_event_loop_go_to_the_log(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    async def work(hall: Hall) -> None:
        def breaks() -> None:
            raise ValueError("a secret")

        asyncio.get_running_loop().call_soon(breaks)
        await hall.http.get("/health")

    evening(House(tmp_path, log="info"), work)
    written = capfd.readouterr().err
    [told] = [line for line in logged(written) if line["event"] == "loop error"]
    assert told["error"] == "ValueError" and told["calls"] and "a secret" not in written


def test_errors_of_a_library_that_repeat_are_logged_once_a_minute(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async def work(hall: Hall) -> None:
        def fails(number: int, error: Exception) -> None:
            try:
                raise error
            except Exception:
                logging.getLogger("uvicorn.error").exception(f"request {number} failed")

        for number in range(20):
            fails(number, ValueError())
        fails(20, KeyError())
        turn(61.0)
        fails(21, ValueError())

    evening(House(tmp_path, log="info"), work)
    told = [line for line in logged(capfd.readouterr().err) if line["event"] == "library"]
    assert [(line["error"], line.get("untold", 0)) for line in told] == [
        ("ValueError", 0),
        ("KeyError", 0),
        ("ValueError", 19),
    ]

"""Socket.IO clients that send anything, too much, or do not read harm only themselves.

When a test is over nothing may have been logged, and nothing may be left running.
"""

import asyncio
import json
import socket
from typing import Any

import httpx
import pytest
from engineio.payload import Payload
from websockets.asyncio.client import ClientConnection

import parlour.server.net.socketio_clients
import parlour.transports.peer
from parlour.transports.limits import UNSENT_BYTES
from parlour.transports.rate_limits import TokenBucket
from tests.players.clients import run
from tests.server.guests import HALL, Inn
from tests.server.hall_moves import EVENTS, make_torches, table, trade
from tests.server.liners import closed
from tests.turned import SOON_S, turn, until


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


async def entered(inn: Inn) -> ClientConnection:
    """A WebSocket with a connected session of Socket.IO."""
    raw = await inn.raw()
    await raw.send("40")
    await event(raw)
    return raw


async def event(raw: ClientConnection) -> tuple[str, Any]:
    """The next event."""
    async with asyncio.timeout(SOON_S):
        while not (packet := str(await raw.recv())).startswith("42"):
            pass
    name, body = json.loads(packet[2:])
    return name.removeprefix("server__"), body


async def well(inn: Inn) -> None:
    """Check that other clients can play."""
    ada, bob = await table(inn)
    await trade(ada, bob)
    await make_torches(ada)
    for guest in (ada, bob):
        await guest.plays("craft_done")
    for guest in (ada, bob):
        await guest.hears("game_over")


# What is in an event

BODIES: list[tuple[Any, ...]] = [
    (),
    (None,),
    ([],),
    ("text",),
    (5,),
    (True,),
    ([1, 2],),
    ({}, {"token": "second"}),
    ({"token": nested(10)},),
    (nested(10),),
    ({"_token": "x" * 60_000},),
]


def test_odd_bodies_are_answered_as_if_nothing_was_said() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            guest = await inn.guest()
            for number, event in enumerate(("login", "restored_proof", *EVENTS)):
                for body in BODIES[number % 3 :: 3]:
                    before = len(guest.heard)
                    await guest.says(event, *body)
                    await until(lambda before=before: len(guest.heard) > before)  # type: ignore[misc]
            answers = {(event, body.get("code")) for event, body in guest.heard[1:]}
            assert answers == {
                ("server__error", "bad_login"),
                ("server__error", "bad_token"),
                ("server__restored_proof_invalid", None),
            }
            await well(inn)

    run(evening())


def test_odd_bodies_in_a_game_do_it_no_harm() -> None:
    odd: list[Any] = [
        None,
        5,
        "text",
        [],
        [1],
        {},
        {"a": 1},
        {"self": 1, "partner": []},
        nested(9),
        "x" * 30_000,
        1e308,
        -1,
    ]

    async def evening() -> None:
        async with Inn() as inn:
            ada, bob = await table(inn)
            for key, event in (("proposal", "submit_proposal"), ("recipe", "craft_recipe_check")):
                for value in odd:
                    before = len(bob.heard)
                    await bob.plays(event, **{key: value})
                    await until(lambda before=before: len(bob.heard) == before + 1)  # type: ignore[misc]
                    assert bob.heard[-1][0] == "server__phase_error"
            for value in odd[:8]:
                await ada.plays("submit_proposal", proposal=value, message=value)
                await ada.hears("proposal_invalid")
            await trade(ada, bob)
            for value in odd:
                await ada.plays("craft_recipe_check", recipe=value)
                assert (await ada.hears("craft_recipe_validity"))["return_code"] == 1
                await ada.plays("craft_recipe_check", recipe={"input": value, "output": value})
                assert (await ada.hears("craft_recipe_validity"))["return_code"] == 1
            await make_torches(ada)
            assert bob.told("error") == [] and ada.told("error") == []

    run(evening())


UNREADABLE = [
    "42",
    "42[]",
    "42{}",
    '42"login"',
    "42[5]",
    "42[null]",
    "42[[]]",
    '42[{"a":1}]',
    '42["*",{}]',
    '42["connect",{}]',
    '42["disconnect","x"]',
    '42["login",',
    '42["login",{"username":NaN}]',
    '42["login",{"username":"\\ud800"}]',
    f'42["login",{"[" * 50}{"]" * 50}]',
    f'42["login",{"[" * 30_000}{"]" * 30_000}]',
    f'42["login",{"[" * 30_000}',
    f'42{"9" * 200}["login"]',
    '42\u00b2["login"]',
    '421-["login"]',
    '4299999999999-["login"]',
]


def test_an_event_that_makes_no_sense_is_an_error() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            raw = await entered(inn)
            for packet in UNREADABLE:
                await raw.send(packet)
                name, body = await event(raw)
                assert (name, body["code"]) == ("error", "bad_message"), packet[:80]
            await raw.send('42["login",{"username":"ada"}]')
            assert (await event(raw))[0] == "login_success"
            assert set(inn.halls._users) == {"ada"}, "nobody was disconnected by its own event"
            await raw.send('4217["get_entry_info",{}]')
            await event(raw)
            assert await raw.recv() == "4317[]", "it may be acknowledged"

    run(evening())


def test_there_is_one_namespace_and_one_connection_in_it() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            raw = await inn.raw()
            for packet in (
                '42["login",{"username":"ada"}]',
                '42/other,["login",{"username":"ada"}]',
                "430[]",
                "41",
                "41/x",
            ):
                await raw.send(packet)  # before it has come
            await raw.send("40/other,")
            assert str(await raw.recv()).startswith("44/other,")
            await raw.send('40{"token":"guessed"}')
            assert str(await raw.recv()).startswith("40{")
            await event(raw)
            await raw.send("40")
            assert str(await raw.recv()).startswith("44")
            assert inn.halls._users == {}
            await raw.send("41")
            await raw.send("40")
            await event(raw)
            await well(inn)

    run(evening())


# What is no event


NO_PACKETS: list[str | bytes] = [
    "",
    "x",
    "0",
    "2",
    "6",
    "7",
    "9",
    "4",
    "44",
    "4{}",
    "4[",
    "4" + "[" * 60_000,
    '451-["login",{"_placeholder":true,"num":0}]',
    '459999999999-["login",{"_placeholder":true,"num":0}]',
    "46",
    "bAAAA",
    "b!",
    b"",
    b"\x00\x01",
    b"42[]",
    "\u00b2",
    "x" * 60_000,
]


def test_a_client_that_sends_what_is_no_packet_is_let_go() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            for packet in NO_PACKETS:
                raw = await entered(inn)
                await raw.send('42["login",{"username":"ada"}]')
                assert (await event(raw))[0] == "login_success", "the name was free"
                await raw.send(packet)
                assert await closed(raw) is not None, packet[:80]
                await until(lambda: not inn.halls._here)
            assert not inn.halls._clients.here
            await well(inn)

    run(evening())


@pytest.mark.parametrize("size", [70_000, 300_000])
def test_a_client_that_sends_too_much_at_once_is_let_go_and_may_come_back(size: int) -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, bob = await table(inn)
            await ada.plays("submit_proposal", proposal={"partner": "bob"}, message="x" * size)
            await until(lambda: not ada.io.connected)
            again = await inn.back(ada)
            await again.hears("start_proposal")
            await again.plays("submit_proposal", proposal={"partner": "bob"}, message="x" * 2001)
            assert "message" in (await again.hears("proposal_invalid"))["errmsg"]
            await again.plays("submit_proposal", proposal={"partner": "bob"}, message="x" * 2000)
            await bob.hears("proposal")

    run(evening())


# How much


def test_a_flood_holds_up_nobody_else() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            eve = await inn.user("eve")
            for _ in range(3000):
                await eve.says("get_entry_info", _token=eve.token)
            await eve.hears("entry_info")
            await well(inn)
            assert len(eve.told("entry_info")) < 3000, "it is held up itself"
            await eve.drop()
            await until(lambda: len(inn.halls._here) == 2)

    run(evening())


def test_a_flood_in_a_game_costs_the_seat_and_nobody_elses_time() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, bob = await table(inn)
            for client in inn.halls._here:
                client.bucket = TokenBucket(burst=5000)  # or it would take half a minute
            for _ in range(1100):
                await bob.plays("craft_done")
            await ada.hears("player_leave_room", reason="flood")
            assert (await bob.hears("error"))["code"] == "no_seat"
            await ada.plays("submit_proposal", proposal={"partner": "bob"})
            await ada.hears("proposal_rejected")
            await ada.plays("craft_done")
            await ada.hears("start_proposal", turn_index=2)

    run(evening())


async def _send(raw: ClientConnection, packet: str, times: int) -> None:
    for _ in range(times):
        await raw.send(packet)


def test_a_client_that_does_not_read_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parlour.transports.peer, "UNSENT_BYTES", 100_000)

    async def evening() -> None:
        async with Inn() as inn:
            small = socket.create_connection(("127.0.0.1", inn.web))
            small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            path = "/socket.io/?EIO=4&transport=websocket"
            raw = await inn.socket(path, sock=small, max_queue=1)
            await raw.recv()
            await raw.send("40")
            await event(raw)
            await raw.send('42["login",{"username":"eve"}]')
            token = (await event(raw))[1]["token"]
            big = json.dumps(["player__craft_done", {"token": token, "echo": "x" * 60_000}])
            sending = asyncio.create_task(_send(raw, f"42{big}", 1000))
            await until(lambda: not inn.halls._here)
            assert not inn.halls._clients.here
            sending.cancel()
            raw.transport.abort()
            await well(inn)

    run(evening())


# Long polling


async def polling(inn: Inn) -> str:
    """Open a session of long polling; returns the query that names it."""
    opened = await inn.call("GET")
    return f"&sid={json.loads(opened.text[1:])['sid']}"


async def posted(inn: Inn, session: str, *packets: str) -> httpx.Response:
    return await inn.call("POST", session, content="\x1e".join(packets).encode())


async def polled(inn: Inn, session: str) -> list[Any]:
    """All waiting events, or the next one."""
    answer = await inn.call("GET", session)
    return [json.loads(packet[2:]) for packet in answer.text.split("\x1e") if packet.startswith("42")]


BAD_POSTS: list[bytes] = [
    b"",
    b"6",
    b"2",
    b"2probe",
    b"5",
    b"7",
    b"x",
    b"4",
    b"44",
    b"\xff\xfe",
    b"d=42[]",
    b"bAAAA",
    b'451-["login",{}]',
    b"4" * 70_000,
    b"42" + b"x" * 70_000,
    b"3\x1e" * 20 + b"3",
    b"3\x1e6",
    b"4" + b"[" * 60_000,
]


def test_a_request_without_packets_is_refused_and_its_session_goes_on() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            session = await polling(inn)
            assert (await posted(inn, session, "40")).status_code == 200
            assert (await polled(inn, session))[0][0] == "server__restored_proof_requested"
            for body in BAD_POSTS:
                assert (await inn.call("POST", session, content=body)).status_code == 400, body[:80]
            for query in ("", "&sid=nobody", "&sid=%1b%5b2J", f"{session}&j=x"):
                assert (await posted(inn, query, "3")).status_code == 400
            assert (await inn.call("PUT", session)).status_code in (404, 405)
            await posted(inn, session, '42["login",{"username":"ada"}]')
            assert (await polled(inn, session))[0][0] == "server__login_success"
            await posted(inn, session, "1")
            await until(lambda: not inn.halls._here)

    run(evening())


def test_a_response_has_no_more_packets_than_the_librarys_clients_read() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            session = await polling(inn)
            await posted(inn, session, "40")
            await polled(inn, session)
            for _ in range(2):
                await posted(inn, session, *['42["get_entry_info",{}]'] * 10)
            heard: list[Any] = []
            while len(heard) < 20:
                answer = (await inn.call("GET", session)).text
                Payload(encoded_payload=answer)  # a ValueError if they are too many
                heard += [packet for packet in answer.split("\x1e") if packet.startswith("42")]

    run(evening())


def test_a_client_that_posts_and_does_not_poll_is_let_go() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            session = await polling(inn)
            await posted(inn, session, "40")
            await posted(inn, session, '42["login",{"username":"ada"}]')
            token = inn.halls._users["ada"].token
            big = json.dumps(["player__craft_done", {"token": token, "echo": "x" * 60_000}])
            answers = [(await posted(inn, session, f"42{big}")).status_code for _ in range(UNSENT_BYTES // 60_000 + 20)]
            assert answers[0] == 200 and answers[-1] == 400
            assert not inn.halls._here and not inn.halls._clients.here

    run(evening())


def test_a_client_that_is_ready_twice_at_the_same_time_has_one_seat() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            session = await polling(inn)
            await posted(inn, session, "40")
            await posted(inn, session, '42["login",{"username":"ada"}]')
            token = inn.halls._users["ada"].token
            enter = json.dumps(["enter_hall", {"_token": token, "_hallname": HALL}])
            await posted(inn, session, f"42{enter}")
            ready = json.dumps(["player__ready_to_start", {"token": token}])
            await asyncio.gather(*(posted(inn, session, f"42{ready}") for _ in range(5)))
            heard = await polled(inn, session)
            assert [name for name, _ in heard].count("server__player_ready_to_start") == 1
            assert [name for name, _ in heard].count("server__error") == 4
            await until(lambda: inn.waiting() == 1)

    run(evening())


def test_a_client_that_goes_before_it_is_heard_has_said_nothing() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            session = await polling(inn)
            await posted(inn, session, "40")
            [client] = inn.halls._clients.here.values()
            client.bucket = TokenBucket(burst=0, a_second=0.1)
            said = asyncio.create_task(posted(inn, session, '42["login",{"username":"ada"}]'))
            await until(lambda: client.bucket._free < 0)
            await posted(inn, session, "1")
            await until(lambda: not inn.halls._clients.here)
            turn(10)
            await said
            assert inn.halls._users == {} and inn.halls._here == {}

    run(evening())


def test_there_are_not_more_sessions_than_we_can_bear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parlour.server.net.socketio_clients, "MOST_SESSIONS", 3)

    async def evening() -> None:
        async with Inn() as inn:
            ada = await inn.user("ada")
            session = await polling(inn)
            assert (await posted(inn, session, "40")).status_code == 200
            raw = await inn.raw()
            bob = await inn.user("bob")
            assert (await posted(inn, session, "3")).status_code == 400, "who was there without a name makes room"
            cleo = await inn.user("cleo")
            assert await closed(raw) is not None
            assert (await inn.call("GET")).status_code == 503, "but who has one does not"
            with pytest.raises(Exception, match="503"):
                await inn.raw()
            for guest in (ada, bob, cleo):
                await guest.says("get_entry_info", _token=guest.token)
                await guest.hears("entry_info")
            await ada.leave()
            await until(lambda: len(inn.halls._here) == 2)
            assert (await inn.call("GET")).status_code == 200

    run(evening())


def test_when_the_house_closes_nobody_holds_it_up() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            await table(inn)
            await inn.player("cleo", transports=["polling"])
            await inn.raw()
            waiting = asyncio.create_task(inn.call("GET", await polling(inn)))
            liner = await inn.liner("dan")
            await inn.socket()
            await until(lambda: len(inn.playing) == 2)
            await liner.hears("game_start")
        assert (await waiting).status_code == 200, "it is told to go"
        assert not inn.halls._clients._leaving

    run(evening())

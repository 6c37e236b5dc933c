"""Tables that strangers join over TCP, in the game's own protocol."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import httpx
import pytest

import parlour.tables.house
from parlour.core import Result
from parlour.games import game
from parlour.players.play import Played
from parlour.players.terms import Terms
from parlour.referee.transcript import Limits
from parlour.tables.house import LOOK_S, HouseSeats
from parlour.transports.limits import HELLO_S, HOST_CONNECTIONS
from tests.logs import FullLog
from tests.players.clients import Client, connect, run
from tests.players.house import House
from tests.turned import turn, until

FORSALE = game("forsale")


class Room(House):
    """A host with seats for so many clients."""

    def __init__(self, guests: int, limit_ms: int = 30_000, handshake_s: float = 30.0, *, once: bool = False) -> None:
        terms = Terms(game=FORSALE, limits=Limits(limit_ms), handshake_s=handshake_s)
        super().__init__(terms, 3, ["minimum"] * (3 - guests), once=once)


async def answer(client: Client, decide: Callable[[dict[str, Any]], str]) -> list[dict[str, Any]]:
    """Play to the end of input; all that was heard."""
    reader, writer = client
    heard = []
    while line := await reader.readline():
        heard.append(json.loads(line))
        if heard[-1]["type"] == "response":
            writer.write(decide(heard[-1]).encode() + b"\n")
    writer.close()
    return heard


def passes(request: dict[str, Any]) -> str:
    return "0" if request["part"] == 1 else str(request["hand"][0])


def test_a_full_table_plays_and_everybody_is_told_the_end() -> None:
    async def evening() -> tuple[Played, list[list[dict[str, Any]]]]:
        room = Room(3)
        async with room.open() as port:
            clients = [await connect(port, name) for name in ("ann", "ben", "cat")]
            heard = await asyncio.gather(*(answer(client, passes) for client in clients))
            played = await room.next()
        assert room.holds() and sorted(line.split()[1] for line in room.joined) == ["0", "1", "2"]
        return played, heard

    played, heard = run(evening())
    assert isinstance(played.end, Result) and sorted(played.match.names) == ["ann", "ben", "cat"]
    for seat, name in enumerate(played.match.names):
        told = heard[["ann", "ben", "cat"].index(name)]
        assert told[-1] == {"type": "over", "scores": list(played.end.scores), "rank": played.end.ranks[seat]}
        assert all(message["type"] == "response" for message in told[:-1])


def test_matches_follow_each_other_and_run_side_by_side() -> None:
    async def evening() -> None:
        room = Room(1)
        async with room.open() as port:
            clients = [await connect(port, f"guest {number}") for number in range(8)]
            await asyncio.gather(*(answer(client, passes) for client in clients))
            names = {(await room.next()).match.names[0] for _ in range(8)}
        assert names == {f"guest {number}" for number in range(8)}

    run(evening())


def test_a_refused_number_is_explained_in_the_next_request() -> None:
    async def evening() -> list[dict[str, Any]]:
        room = Room(1)
        async with room.open() as port:
            return await answer(await connect(port, "bold"), lambda request: "99" if request["part"] == 1 else "0")

    heard = run(evening())
    assert heard[0]["fault"] is None and heard[0]["attempt"] == 1
    assert heard[1]["attempt"] == 2
    assert heard[1]["fault"] == {
        "code": "P0401",
        "seed_code": "#3",
        "name": "OverBet",
        "details": {"pid": 0, "balance": 18, "resp": 99},
    }


def test_bad_names_slow_names_and_no_names_harm_nobody() -> None:
    async def evening() -> None:
        room = Room(1, handshake_s=0.5)
        async with room.open() as port:
            bad = [await connect(port, name) for name in ("", "x" * 65, "\x07", "x" * 70_000)]
            silent = await connect(port, None)
            gone = await connect(port, None)
            gone[1].close()
            heard = await answer(await connect(port, "good"), passes)
            assert heard[-1]["type"] == "over"
            for reader, _ in [*bad, silent]:
                assert await reader.read() == b""

    run(evening())


def test_a_client_that_leaves_before_the_table_is_full_frees_the_seat() -> None:
    async def evening() -> None:
        room = Room(2)
        async with room.open() as port:
            _, writer = await connect(port, "early")
            await until(lambda: room.joined)
            writer.close()
            await until(lambda: room.connected() == 0)
            clients = [await connect(port, name) for name in ("one", "two")]
            await asyncio.gather(*(answer(client, passes) for client in clients))
            assert sorted((await room.next()).match.names[:2]) == ["one", "two"]

    run(evening())


def test_a_client_that_hangs_up_in_the_middle_is_played_for() -> None:
    async def evening() -> None:
        room = Room(2)
        async with room.open() as port:
            quitter, stayer = await connect(port, "quitter"), await connect(port, "stayer")
            staying = asyncio.create_task(answer(stayer, passes))
            await quitter[0].readline()
            quitter[1].close()
            heard = await staying
            played = await room.next()
        assert heard[-1]["type"] == "over" and isinstance(played.end, Result)
        assert len(played.match.gone) == 1 and room.holds()

    run(evening())


def test_a_flood_costs_the_seat_and_nobody_elses_time() -> None:
    async def evening() -> None:
        room = Room(2)
        async with room.open() as port:
            flood, good = await connect(port, "flood"), await connect(port, "good")
            playing = asyncio.create_task(answer(good, passes))
            await flood[0].readline()
            flood[1].write(b"1\n" * 100_000)
            heard = await playing
            played = await room.next()
        assert heard[-1]["type"] == "over" and len(played.match.gone) == 1

    run(evening())


def test_silence_is_played_for_after_three_tries() -> None:
    async def evening() -> None:
        room = Room(1, limit_ms=10)
        async with room.open() as port:
            reader, _ = await connect(port, "silent")
            heard = [json.loads(line) for line in (await reader.read()).splitlines()]
        assert [message["attempt"] for message in heard[:4]] == [1, 2, 3, 1]
        assert heard[1]["fault"]["code"] == "P0501"

    run(evening())


def test_there_are_not_more_connections_than_we_can_bear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parlour.tables.house, "PRESSED_S", 60.0)  # until then nobody goes

    async def evening() -> None:
        room = Room(1, handshake_s=60.0)
        async with room.open() as port:
            idle = [await connect(port, None) for _ in range(HOST_CONNECTIONS)]
            reader, _ = await connect(port, "one too many")
            with suppress(ConnectionResetError):
                assert await reader.read() == b""
            assert len(idle) == HOST_CONNECTIONS

    run(evening())


def test_what_keeps_a_match_from_beginning_is_told_and_the_guests_are_let_go() -> None:
    async def evening() -> None:
        room = Room(2)
        room.logs = [FullLog()]
        async with room.open() as port:
            clients = [await connect(port, name) for name in ("one", "two")]
            with pytest.raises(OSError, match="disk full"):
                await room.next()
            for reader, _ in clients:
                assert await reader.read() == b""
            clients = [await connect(port, name) for name in ("three", "four")]
            heard = await asyncio.gather(*(answer(client, passes) for client in clients))
        assert all(told[-1]["type"] == "over" for told in heard), "the next table plays"

    run(evening())


def test_a_guest_cannot_open_a_table_by_asking_for_a_rematch() -> None:
    async def evening() -> None:
        room = Room(1)
        async with room.open(), httpx.AsyncClient(base_url=f"http://127.0.0.1:{room.web}/api") as http:
            token = (await http.post("/guests", json={"name": "eve"})).json()["token"]
            http.headers["Authorization"] = f"Bearer {token}"
            reader, writer = await connect(
                room.serving.tcp_port or 0, json.dumps({"type": "enter", "game": "forsale", "token": token})
            )
            while (said := json.loads(await reader.readline()))["type"] != "over":
                if said["type"] == "hello":
                    writer.write(b'{"type":"hello","name":"eve"}\n')
                if said["type"] == "ask":
                    action = said["ask"]["choices"][0]
                    writer.write(json.dumps({"type": "answer", "id": said["id"], "action": action}).encode() + b"\n")
            await room.next()
            refused = await http.post(f"/matches/{said['record']}/rematch", json={})
            assert refused.status_code == 409 and refused.json()["code"] == "no_rematch"
            assert "opens its tables by itself" in refused.json()["detail"]

    run(evening())


def test_a_full_table_that_waits_for_guests_to_connect_keeps_nobody_waiting() -> None:
    async def evening() -> None:
        room = Room(2, handshake_s=3600.0)
        async with room.open() as port, httpx.AsyncClient(base_url=f"http://127.0.0.1:{room.web}/api") as http:

            async def take_seat(name: str) -> int:
                token = (await http.post("/guests", json={"name": name})).json()["token"]
                headers = {"Authorization": f"Bearer {token}"}
                return (await http.post("/queue/forsale", json={}, headers=headers)).status_code

            assert await asyncio.gather(*(take_seat(f"guest {number}") for number in range(8))) == [200] * 8
            clients = [await connect(port, name) for name in ("one", "two")]
            await asyncio.gather(*(answer(client, passes) for client in clients))
            assert sorted((await room.next()).match.names[:2]) == ["one", "two"]

    run(evening())


@pytest.mark.parametrize("late", ["one more", "a second group"])
def test_a_host_of_one_match_opens_no_second_table(late: str) -> None:
    async def evening() -> None:
        room = Room(3, once=True)
        async with room.open() as port:
            clients = [await connect(port, name) for name in ("ann", "ben", "cat")]
            await until(lambda: room.playing)
            for name in ("dan", "eve", "fay")[: 1 if late == "one more" else 3]:
                reader, _ = await connect(port, name)
                with suppress(ConnectionResetError):
                    assert await reader.read() == b""
            assert len(room.playing) == 1 and not room.serving.arena.open
            await asyncio.gather(*(answer(client, passes) for client in clients))
            assert (await room.next()).match.names == ["ann", "ben", "cat"]
        assert len(room.records) == 1 and room.holds()

    run(evening())


def test_a_host_of_one_match_gives_a_seat_that_becomes_free_to_a_client_that_waits() -> None:
    async def evening() -> None:
        room = Room(2, handshake_s=HELLO_S, once=True)
        async with room.open() as port, httpx.AsyncClient(base_url=f"http://127.0.0.1:{room.web}/api") as http:
            for name in ("gone", "away"):  # they take all seats and never connect
                token = (await http.post("/guests", json={"name": name})).json()["token"]
                headers = {"Authorization": f"Bearer {token}"}
                assert (await http.post("/queue/forsale", json={}, headers=headers)).status_code == 200
            clients = [await connect(port, name) for name in ("one", "two")]
            seating = room.serving.arena.seating("forsale")
            assert isinstance(seating, HouseSeats)
            await until(lambda: len(seating._line) == 2)
            turn(LOOK_S + HELLO_S + 1)
            await asyncio.gather(*(answer(client, passes) for client in clients))
            assert sorted((await room.next()).match.names[:2]) == ["one", "two"]
        assert len(room.records) == 1 and room.holds()

    run(evening())

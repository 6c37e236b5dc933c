"""Maze over real sockets: what clients of the source text's protocol do wrong, and that others play on."""

import asyncio
import json
import socket
from typing import Any

import pytest

from tests.players.clients import connect
from tests.players.maze_misdeeds import TURN, UNASKED, game_with
from tests.players.maze_room import (
    LONG_S,
    THREE,
    TWO,
    Course,
    Misdeed,
    Passing,
    Player,
    Room,
    Signed,
    Source,
    evening,
    response,
    wire,
)
from tests.turned import soon, turn, until


def hyphened(id: str) -> str:
    return "-".join([id[:8], id[8:12], id[12:16], id[16:20], id[20:]])


@pytest.mark.parametrize("misdeed", TURN)
def test_source_misbehaving_at_its_turn(misdeed: str) -> None:
    said, codes = TURN[misdeed]
    outcome = game_with(Source("RequestAction", said))
    outcome.ended_well()
    assert outcome.why in codes


@pytest.mark.parametrize("misdeed", ["silence", b'{"type":"RESPONSE","id":"', b" \n"])
def test_source_silence_at_its_turn(misdeed: Misdeed) -> None:
    outcome = game_with(Source("RequestAction", misdeed), silent=True)
    outcome.ended_well()
    assert outcome.room.faults() == [(1, "late", "late")]


@pytest.mark.parametrize("misdeed", UNASKED)
@pytest.mark.parametrize("request_", ["GameStart", "StateUpdate"])
def test_decision_10_source_speaking_unasked(request_: str, misdeed: str) -> None:
    outcome = game_with(Source(request_, UNASKED[misdeed]))
    outcome.ended_well()
    quick = ("not_json", "wrong_shape", "too_big", "wrong_id", "flood")  # when its turn has come meanwhile
    assert outcome.why in (("dead",) if misdeed in ("hang up", "reset") else ("not_asked", *quick))


@pytest.mark.parametrize("misdeed", UNASKED)
def test_source_speaking_while_others_sign_up(misdeed: str) -> None:
    async def work(room: Room) -> tuple[Signed | None, Player]:
        playing = asyncio.create_task(room.play())
        talker = await room.enter(Source("Registration", UNASKED[misdeed]))
        await soon(talker.playing)
        await room.emptied()
        for client in (Passing("a"), Passing("b")):
            await room.enter(client)
        return await playing, talker

    room = Room(range(2, 3), round_cap=1)
    signed, talker = evening(room, work)
    assert talker.kinds() == ["Registration"] and signed.removed() == []
    assert signed.played.match.names == ["a", "b"] and signed.winners() and signed.played.match.gone == {}


def test_decision_9_an_old_id() -> None:
    old: list[str] = []

    def first_id(request: Any) -> bytes:
        return wire(response(old[0]))

    class Forgetful(Source):
        def answer(self, message: Any) -> None:
            if message["body"]["type"] == "RequestAction":
                old.append(message["id"])
            super().answer(message)

    async def work(room: Room) -> Signed | None:
        playing = asyncio.create_task(room.play())
        for client in (Course("a"), Course("b"), Forgetful("RequestAction", first_id, 2)):
            await room.enter(client)
        return await playing

    room = Room(range(3, 4), start=THREE)
    signed = evening(room, work)
    assert signed.winners() == ["b"] and room.faults() == [(2, "wrong_id", "unreadable")]


def test_decision_3_hyphens_and_capitals_are_understood() -> None:
    class Formal(Source):
        def answer(self, message: Any) -> None:
            super().answer({**message, "id": hyphened(message["id"]).upper()})

    async def work(room: Room) -> Signed | None:
        playing = asyncio.create_task(room.play())
        for client in (Course("a"), Formal()):
            await room.enter(client)
        return await playing

    room = Room(range(2, 3), start=TWO)
    signed = evening(room, work)
    assert (signed.winners(), signed.removed()) == ([room.id(1)], []) and room.faults() == []


def test_source_a_game_over_that_is_answered_costs_the_connection_and_no_more() -> None:
    async def work(room: Room) -> None:
        talker = Source("GameOver", b'{"thanks":true}')
        playing = asyncio.create_task(room.play())
        for client in (Course("a"), talker):
            await room.enter(client)
        signed = await playing
        assert signed and signed.winners() == [room.id(1)] and signed.removed() == []
        await soon(talker.playing)
        playing = asyncio.create_task(room.play())
        for name in ("b", "c"):
            await room.enter(Course(name))
        signed = await playing
        assert signed and signed.played.match.names == ["b", "c"]

    evening(Room(range(2, 3), start=TWO), work)


@pytest.mark.parametrize("goes", ["hang up", "reset"])
def test_source_who_leaves_after_the_end_is_not_registered_again(goes: Misdeed) -> None:
    async def work(room: Room) -> None:
        leaver = Source("GameOver", goes)
        playing = asyncio.create_task(room.play())
        for client in (leaver, Course("a")):
            await room.enter(client)
        signed = await playing
        assert signed and signed.winners() == ["a"] and signed.removed() == []
        await leaver.playing
        await room.emptied()
        playing = asyncio.create_task(room.play())
        for name in ("b", "c"):
            await room.enter(Course(name))
        signed = await playing
        assert signed and signed.winners() == ["c"]

    evening(Room(range(2, 3), start=TWO), work)


def test_source_a_response_in_pieces() -> None:
    """Cut anywhere, even within a character."""

    class Slow(Source):
        def answer(self, message: Any) -> None:
            if message["body"]["type"] != "RequestAction":
                super().answer(message)
                return
            goal = message["body"]["turnInfo"]["goal"]
            said = {"comment": "→ └┘", **response(message["id"], goal)}
            self._typing = asyncio.create_task(self._type(json.dumps(said, ensure_ascii=False).encode()))

        async def _type(self, data: bytes) -> None:
            for byte in data:
                self.line.writer.write(bytes([byte]))
                await self.line.writer.drain()
                await asyncio.sleep(0)

    async def work(room: Room) -> Signed | None:
        playing = asyncio.create_task(room.play())
        for client in (Course("a"), Slow()):
            client_ready = await room.enter(client)
            client_ready.line.writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return await playing

    room = Room(range(2, 3), start=TWO)
    signed = evening(room, work)
    assert (signed.winners(), signed.removed()) == ([room.id(1)], [])


@pytest.mark.parametrize("home", [False, True])
def test_source_who_arrives_and_hangs_up_in_one_breath(home: bool) -> None:
    """The move stands. A player that has come home has finished; another one has lost its seat."""

    class Hasty(Source):
        def answer(self, message: Any) -> None:
            super().answer(message)
            if message["body"]["type"] == "RequestAction" and self.kinds().count("RequestAction") == 1 + home:
                self.line.writer.close()

    async def work(room: Room) -> Signed | None:
        hasty = Hasty()
        playing = asyncio.create_task(room.play())
        for client in (Course("a"), Course("b"), hasty):
            await room.enter(client)
        return await playing

    room = Room(range(3, 4), start=THREE)
    signed = evening(room, work)
    assert (signed.winners(), signed.removed()) == (([room.id(2)], []) if home else (["b"], [room.id(2)]))


def test_source_who_hangs_up_while_another_comes_home() -> None:
    """The winning move arrives first, together with the disconnection: the other player misses the end."""
    gone = Source()

    class Homing(Course):
        def answer(self, message: Any) -> None:
            super().answer(message)
            if message[0] == "take-turn" and self.kinds().count("take-turn") == 2:
                gone.line.writer.get_extra_info("socket").shutdown(socket.SHUT_WR)

    async def work(room: Room) -> Signed | None:
        playing = asyncio.create_task(room.play())
        for client in (gone, Course("a"), Homing("b")):
            await room.enter(client)
        return await playing

    room = Room(range(3, 4), start=THREE)
    signed = evening(room, work)
    assert (signed.winners(), signed.removed()) in ((["b"], [room.id(0)]), (["b"], []))


def test_source_a_client_that_stops_reading() -> None:
    """On the largest board its messages fill every buffer, and the match does not wait for it."""

    async def work(room: Room) -> Signed | None:
        playing = asyncio.create_task(room.play())
        for name in ("a", "b"):
            await room.enter(Passing(name))
        deaf = await connect(room.source_port)
        deaf[1].transport.pause_reading()  # type: ignore[attr-defined]  # a transport that reads
        await room.seated(3)
        await until(lambda: (room.match is not None and list(room.match.open) == [2]) or playing.done())
        await room.stored()
        turn(LONG_S)
        return await soon(playing)

    room = Room(range(3, 4), rows=40, columns=40, round_cap=30)
    signed = evening(room, work)
    assert signed.played.match.gone in ({2: "late"}, {2: "dead"}) and signed.removed() == [room.id(2)]


def test_no_state_update_comes_before_the_game_has_started() -> None:
    """The last client that the set-up waits for is removed."""

    async def work(room: Room) -> Source:
        source = Source()
        playing = asyncio.create_task(room.play())
        for client in (Course("a"), source, Course("bad", "setup", b'"no"')):
            await room.enter(client)
        signed = await playing
        assert signed and signed.removed() == ["bad"]
        await until(lambda: "GameOver" in source.kinds())
        return source

    source = evening(Room(range(3, 4), start=THREE), work)
    assert source.kinds()[:2] == ["Registration", "GameStart"]


def test_a_client_that_is_removed_is_told_nothing_more() -> None:
    outcome = game_with(Source("RequestAction", b"junk "))
    outcome.ended_well()
    assert outcome.bad.kinds()[-1] == "RequestAction"


def test_the_last_to_be_removed_is_not_told_the_end() -> None:
    async def work(room: Room) -> tuple[Signed | None, Player]:
        bad = Source("RequestAction", b"junk ")
        playing = asyncio.create_task(room.play())
        for client in (Course("a", "setup", "hang up"), bad):
            await room.enter(client)
        signed = await playing
        await bad.playing
        return signed, bad

    room = Room(range(2, 3), start=TWO)
    signed, bad = evening(room, work)
    assert (signed.winners(), signed.removed()) == ([], sorted(["a", room.id(1)]))
    assert "GameOver" not in bad.kinds()

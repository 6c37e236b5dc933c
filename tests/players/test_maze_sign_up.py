"""Signing up for Maze over real sockets: order, names, waiting clients, and clients that are disconnected."""

import asyncio
import json

import pytest

import parlour.tables.arena
import parlour.tables.house
from parlour.games.maze.source import Source as SourceDialect
from parlour.players.remote import RemotePlayer
from parlour.players.terms import CannotPlay
from parlour.tables.house import HouseSignUp
from parlour.transports.limits import HOST_CONNECTIONS, MOST_QUEUED
from parlour.transports.peer import Peer
from tests.players.clients import connect
from tests.players.maze_room import (
    FOUR,
    LONG_S,
    MAZE,
    ONE,
    THREE,
    TWO,
    Course,
    Line,
    Passing,
    Player,
    Room,
    Signed,
    Source,
    Thinking,
    at_once,
    evening,
    occupied,
    refused,
)
from tests.turned import SOON_S, settle, soon, turn, until

# Signing up (RULES 9.7, 10.2, 10.3)


def test_without_a_second_player_there_is_no_game_after_the_second_period() -> None:
    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.play())
        lonely = await room.enter(Course("lonely"))
        turn(LONG_S)
        await settle()
        assert not playing.done() and not lonely.playing.done()
        turn(LONG_S)
        assert await soon(playing) is None
        await lonely.playing
        assert lonely.heard == []

    evening(Room(range(2, 7)), work)


def test_a_client_that_comes_in_the_second_period_plays_at_its_end() -> None:
    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.play())
        first = await room.enter(Passing("first"))
        turn(LONG_S)
        await settle()
        await room.enter(Passing("second"))
        await settle()
        assert not playing.done() and first.heard == []
        turn(LONG_S)
        signed = await soon(playing)
        assert signed and signed.played.match.names == ["first", "second"]

    evening(Room(range(2, 7)), work)


def test_decision_7_with_a_source_client_the_waiting_goes_on() -> None:
    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.play())
        patient = await room.enter(Source())
        for _ in range(4):
            turn(LONG_S)
            await settle()
        assert not playing.done() and not patient.playing.done()
        await room.enter(Passing("late"))
        turn(LONG_S)
        signed = await soon(playing)
        assert signed and signed.played.match.names == [room.id(0), "late"]

    evening(Room(range(2, 7)), work)


def test_two_at_the_end_of_the_first_period_are_enough() -> None:
    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.play())
        clients = [await room.enter(client) for client in (Passing("a"), Source(), Passing("b"))]
        turn(LONG_S / 2)
        await settle()
        assert clients[0].heard == [], "more may come"
        turn(LONG_S / 2)
        assert await soon(playing)
        assert clients[0].kinds() == ["setup", "take-turn", "win"]

    evening(Room(range(2, 7), round_cap=1), work)


def test_six_begin_at_once() -> None:
    async def work(room: Room) -> Signed | None:
        playing = asyncio.create_task(room.play())
        for client in (Passing("a"), Source(), Passing("b"), Source(), Passing("c"), Passing("d")):
            await room.enter(client)
        return await playing

    room = Room(range(2, 7), round_cap=3)
    signed = evening(room, work)
    assert signed.played.match.names == ["a", room.id(1), "b", room.id(3), "c", "d"]
    assert len(json.loads(room.records[0][0])["players"]) == 6


def test_seven_who_come_at_once_are_six_and_one_too_late() -> None:
    """A client that gets no seat is told so, as if it had connected a moment later."""

    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.play())
        lines = await at_once(room.course_port, 7, b'"name"')
        firsts = await soon(asyncio.gather(*(line.hear() for line in lines)))
        assert sum(first is None for first in firsts) == 1, "one of them is let go"
        playing.cancel()

    evening(Room(range(2, 7)), work)


def test_seven_source_clients_who_come_at_once() -> None:
    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.play())
        lines = await at_once(room.source_port, 7)
        firsts = await soon(asyncio.gather(*(line.hear() for line in lines)))
        kinds = sorted(first["body"]["type"] for first in firsts)
        assert kinds == ["Registration"] * 6 + ["RegistrationOver"]
        playing.cancel()

    evening(Room(range(2, 7)), work)


def test_a_late_course_client_is_closed() -> None:
    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.play())
        thinker = Thinking("thinker")
        await room.enter(Course("a"))
        await room.enter(thinker)
        await thinker.asked()
        await refused(room.course_port, b'"late"')
        thinker.thought.set()
        signed = await playing
        assert signed and signed.played.match.names == ["a", "thinker"]

    evening(Room(range(2, 3), start=TWO), work)


def test_decision_8_a_late_source_client_waits_and_is_registered_on_the_same_connection() -> None:
    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.play())
        thinker, late = Thinking("thinker"), Source()
        await room.enter(Course("a"))
        await room.enter(thinker)
        await thinker.asked()
        late.begin(room)
        await until(lambda: late.heard)
        assert late.heard[0]["body"] == {"type": "RegistrationOver"}
        thinker.thought.set()
        assert await playing
        assert len(late.heard) == 1, "who waits is told nothing of the game"
        playing = asyncio.create_task(room.play())
        await room.seated(3)
        await room.enter(Course("b"))
        assert await playing
        await until(lambda: "GameOver" in late.kinds())
        assert late.kinds()[:3] == ["RegistrationOver", "Registration", "GameStart"]
        assert late.kinds()[-1] == "GameOver" and late.ids[:1] == [room.id(0, 2)]

    evening(Room(range(2, 3), start=TWO), work)


def test_decision_8_survivors_are_registered_again_under_a_new_id() -> None:
    async def work(room: Room) -> list[Source]:
        clients = [Source(), Source()]
        playing = asyncio.create_task(room.play())
        for client in clients:
            await room.enter(client)
        assert await playing
        for _ in range(2):
            assert await room.play()
        await until(lambda: all(client.kinds().count("GameOver") >= 3 for client in clients))
        return clients

    room = Room(range(2, 3), start=TWO)
    for seat, client in enumerate(evening(room, work)):
        assert client.ids[:3] == [room.id(seat, number) for number in (1, 2, 3)] and len(set(client.ids[:3])) == 3
        ids = [message["id"] for message in client.heard]
        assert len(set(ids)) == len(ids), "no request has the id of another"
    assert len({lines[0] for lines in room.records[:3]}) == 3


def test_survivors_come_before_those_who_wait() -> None:
    async def work(room: Room) -> None:
        thinker, stayer, late = Thinking("thinker"), Source(), [Source(), Source()]
        playing = asyncio.create_task(room.play())
        await room.enter(stayer)
        await room.enter(thinker)
        await thinker.asked()
        late[0].begin(room)
        await until(lambda: late[0].heard)
        late[1].begin(room)
        await until(lambda: late[1].heard)
        thinker.thought.set()
        assert await playing
        assert await room.play()
        await until(lambda: "GameOver" in late[0].kinds() and stayer.kinds().count("GameOver") >= 2)
        await settle()
        assert stayer.ids[:2] == [room.id(0, 1), room.id(0, 2)]
        assert room.id(0, 2) in room.joined, "a client that stays signs up with its id in the next match"
        assert late[0].ids[0] == room.id(1, 2) and late[1].ids == [], "first come, first served"
        assert late[1].kinds() == ["RegistrationOver"]

    evening(Room(range(2, 3), start=TWO), work)


def test_so_many_may_wait_and_no_more() -> None:
    async def work(room: Room) -> None:
        await occupied(room)
        for _ in range(MOST_QUEUED):
            waiting = Line(await connect(room.source_port))
            assert (await waiting.hear())["body"] == {"type": "RegistrationOver"}
        await refused(room.source_port)

    evening(Room(range(2, 3), start=TWO), work)


def test_a_client_that_has_stopped_waiting_takes_no_place_in_the_line() -> None:
    async def work(room: Room) -> None:
        await occupied(room)
        for _ in range(MOST_QUEUED + 3):
            waiting = Line(await connect(room.source_port))
            assert (await waiting.hear())["body"] == {"type": "RegistrationOver"}
            waiting.writer.close()
            await asyncio.sleep(0.005)
        await until(lambda: room.connected() == 2)  # those that play
        last = Line(await connect(room.source_port))
        assert (await last.hear())["body"] == {"type": "RegistrationOver"}
        [house] = room.serving.arena.seatings.values()
        assert isinstance(house, HouseSignUp)
        await until(lambda: len(house._line) == 1)

    evening(Room(range(2, 3), start=TWO), work)


@pytest.mark.parametrize("said", [b'"void"', b"{}", b"junk ", b'{"type":"RESPONSE"}'])
def test_a_client_that_talks_in_the_line_is_let_go(said: bytes) -> None:
    async def work(room: Room) -> None:
        thinker = await occupied(room)
        waiting = Line(await connect(room.source_port))
        assert (await waiting.hear())["body"] == {"type": "RegistrationOver"}
        waiting.writer.write(said)
        assert await soon(waiting.hear()) is None
        thinker.thought.set()
        assert await room.table

    evening(Room(range(2, 3), start=TWO), work)


@pytest.mark.parametrize("goes", ["hang up", "reset"])
def test_a_client_that_leaves_before_the_start_has_withdrawn(goes: str) -> None:
    async def work(room: Room) -> Signed | None:
        playing = asyncio.create_task(room.play())
        for quitter in (Course("quitter"), Source()):
            await room.enter(quitter)
            await settle()
            if goes == "hang up":
                quitter.line.writer.close()
            else:
                quitter.line.writer.transport.abort()
            await room.emptied()
        for client in (Course("a"), Course("b")):
            await room.enter(client)
        return await playing

    room = Room(range(2, 3), start=TWO)
    signed = evening(room, work)
    assert (signed.winners(), signed.removed()) == (["b"], [])
    assert signed.played.match.gone == {}


def test_after_a_game_that_did_not_come_about_the_next_one_does() -> None:
    async def work(room: Room) -> None:
        lonely = Course("lonely")
        playing = asyncio.create_task(room.play())
        await room.enter(lonely)
        turn(2 * LONG_S)
        assert await soon(playing) is None
        await lonely.playing
        playing = asyncio.create_task(room.play())
        for name in ("a", "b"):
            await room.enter(Course(name))
        signed = await playing
        assert signed and signed.winners() == ["b"]

    evening(Room(range(2, 3), start=TWO), work)


def test_there_are_not_more_connections_than_we_can_bear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parlour.tables.house, "PRESSED_S", LONG_S)  # until then no silent client is disconnected

    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.play())
        idle = [await connect(room.course_port) for _ in range(HOST_CONNECTIONS)]
        await until(lambda: room.connected() == HOST_CONNECTIONS)
        await refused(room.course_port, b'"toomany"')
        await refused(room.source_port)
        for _, writer in idle:
            writer.close()
        await room.emptied()
        for name in ("a", "b"):
            await room.enter(Course(name))
        assert await playing

    evening(Room(range(2, 3), start=TWO), work)


def test_when_the_lobby_closes_everybody_is_let_go() -> None:
    async def work(room: Room) -> None:
        thinker = await occupied(room)
        waiting = Line(await connect(room.source_port))
        assert (await waiting.hear())["body"] == {"type": "RegistrationOver"}
        await room.serving.client_desk.park()
        assert await soon(waiting.hear()) is None
        await soon(thinker.playing)

    evening(Room(range(2, 3), start=TWO), work)


# Names (RULES 10.2, 10.9)


def test_silence_instead_of_a_name() -> None:
    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.play())
        begun = asyncio.get_running_loop().time()
        await asyncio.gather(*(refused(room.course_port, first) for first in (b"", b'"half a na', b" \n")))
        assert 0.5 <= asyncio.get_running_loop().time() - begun < SOON_S
        assert not room.joined
        playing.cancel()

    evening(Room(range(2, 7), name_s=0.5), work)


BAD_NAMES = [
    b'""',
    b'"twentyonecharacterslo"',
    b'"no blanks"',
    b'"n\xc3\xa4me"',
    b'"under_score"',
    b'"new\\nline"',
    b'"new\nline"',
    b"1e999 ",
    b'\xef\xbb\xbf"ada"',
    b"null ",
    b"true ",
    b"name ",
    b"[]",
    b'["name"]',
    b'{"name":"a"}',
    b"'name' ",
    b"\xff\xfe\x00",
    b'"\xff"',
    b'"' + b"x" * 70_000 + b'"',
    b"[" * 100,
    b"}",
    b'"' + b"x" * 70_000,
]


@pytest.mark.parametrize("name", BAD_NAMES, ids=lambda name: repr(name[:20]))
def test_a_bad_name_is_disconnected(name: bytes) -> None:
    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.play())
        await refused(room.course_port, name)
        assert not room.joined
        playing.cancel()

    evening(Room(range(2, 7)), work)


@pytest.mark.parametrize("name", [b'"a"', b'"twentycharacterslong"', b' \n"Ab9"', b'"\\u0061da"'])
def test_a_good_name_is_taken_even_in_pieces(name: bytes) -> None:
    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.play())
        _, writer = await connect(room.course_port)
        for byte in name:
            writer.write(bytes([byte]))
            await asyncio.sleep(0.002)
        await room.seated(1)
        assert room.joined == [json.loads(name)]
        playing.cancel()

    evening(Room(range(2, 7)), work)


def test_decision_20_the_same_name_twice() -> None:
    async def work(room: Room) -> tuple[Signed | None, list[Player]]:
        playing = asyncio.create_task(room.play())
        bad = Course("twin", "take-turn", b"junk ")
        clients = [await room.enter(client) for client in (Course("twin"), bad, Course("twin"))]
        signed = await playing
        await asyncio.gather(*(client.playing for client in clients))
        return signed, clients

    signed, clients = evening(Room(range(3, 4), start=THREE), work)
    assert (signed.winners(), signed.removed()) == (["twin"], ["twin"])
    assert [client.heard[-1] for client in clients] == [["win", [False]], clients[1].heard[-1], ["win", [True]]]
    assert clients[1].kinds()[-1] == "take-turn"


# Prepared positions (RULES 10.10, 10.11)


def test_decision_21_more_clients_than_entries() -> None:
    async def work(room: Room) -> Signed | None:
        playing = asyncio.create_task(room.play())
        thinker = Thinking("thinker")
        await room.enter(Course("a"))
        await room.enter(thinker)
        await refused(room.course_port, b'"c"')
        await thinker.asked()
        thinker.thought.set()
        return await playing

    signed = evening(Room(range(2, 3), start=TWO), work)
    assert signed.played.match.names == ["a", "thinker"]


def test_decision_22_fewer_clients_than_entries() -> None:
    async def work(room: Room) -> list[Player]:
        playing = asyncio.create_task(room.play())
        clients = [await room.enter(client) for client in (Course("a"), Course("b"))]
        turn(LONG_S)
        assert await soon(playing)
        return clients

    a, b = evening(Room(range(2, 5), start=FOUR), work)
    [state, goal] = b.heard[0][1]
    assert [player["color"] for player in state["plmt"]] == ["white", "green"], "the first entries of plmt"
    assert goal == {"row#": 1, "column#": 1}
    assert [player["color"] for player in a.heard[0][1][0]["plmt"]] == ["green", "white"]


def test_nobody_begins_alone_from_a_position_for_one() -> None:  # RULES 2.1, 10.3
    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.play())
        alone = await room.enter(Course("alone"))
        for _ in range(2):
            await settle()
            assert not playing.done() and alone.heard == []
            await refused(room.course_port, b'"second"')
            turn(LONG_S)
        assert await soon(playing) is None
        await soon(alone.playing)
        assert alone.heard == [] and room.joined == ["alone"]

    evening(Room(range(2, 7), start=ONE), work)


def test_a_bot_does_not_begin_alone_either() -> None:
    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.play())
        await room.bots_seated(1)
        for _ in range(2):
            await settle()
            assert not playing.done()
            turn(LONG_S)
        assert await soon(playing) is None

    evening(Room(range(2, 7), "euclid", start=ONE), work)


# Time and signing up


def test_players_sign_up_for_longer_than_an_answer_may_take() -> None:
    """The time limit for answers closes no table, and an unused table leaves nothing behind."""

    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.play())
        await settle()
        turn(0.9 * LONG_S)  # of the time to sign up
        await settle()
        assert not playing.done() and room.records == [[]]
        for name in ("a", "b"):
            await room.enter(Course(name))
        signed = await playing
        assert signed and signed.played.match.names == ["a", "b"]

    evening(Room(range(2, 3), start=TWO, limit_s=LONG_S / 2), work)


def test_a_table_is_not_full_of_those_who_have_hung_up() -> None:
    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.play())
        await room.enter(Course("a"))
        for _ in range(10):
            _, writer = await connect(room.course_port, '"gone"')
            writer.transport.abort()
        await settle()
        await until(lambda: room.connected() == 1)
        await room.enter(Course("b"))
        signed = await playing
        assert (
            signed and signed.winners() and [name for name in signed.played.match.names if name != "gone"] == ["a", "b"]
        )
        assert signed.removed() == []

    evening(Room(range(2, 3), start=TWO), work)


def test_a_bot_without_a_seat_is_told_to_the_host() -> None:
    async def work(room: Room) -> None:
        with pytest.raises(CannotPlay, match="there is no seat for random"):
            await room.play()

    evening(Room(range(2, 7), "euclid", "riemann", "random", rows=3, columns=5), work)


def test_a_client_that_disconnects_in_the_queue_for_its_next_match_is_no_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    bugs: list[Exception] = []
    monkeypatch.setattr(parlour.tables.arena, "tell_bug", lambda where, error, **_: bugs.append(error))

    async def work(room: Room) -> None:
        arena = room.serving.arena
        await until(lambda: arena.open)
        for table in [*arena.open.values()]:
            arena._closed(table)  # the next table is not open yet
        peer = Peer()
        player = RemotePlayer(peer, SourceDialect())
        player.wait()
        seated = asyncio.ensure_future(arena._seat_again(MAZE, player, 1, "ada"))
        await settle()
        assert not seated.done()
        peer.drop("dead")
        sign_up = arena.seating("maze")
        assert isinstance(sign_up, HouseSignUp)
        sign_up.changed()
        await soon(seated)
        assert not bugs

    evening(Room(range(2, 3), start=TWO), work)

"""Users of rooms in an arena: seats and registered names belong to their owners, over every protocol."""

from pathlib import Path

import pytest
from msgspec import Raw

from parlour.core import Result
from parlour.games import game
from parlour.games.colorfight.wire import Refused
from parlour.referee.receipt import AnswerEntry, OverEntry, Receipt, SeatEntry
from parlour.referee.receipt_check import compare_receipt
from parlour.referee.replay import verify
from parlour.server.accounts import Doorkeeper
from parlour.server.net.attempts import Attempts
from tests.players.test_calls import DONE
from tests.server import arenas
from tests.server.arenas import Hall, Seat, evening
from tests.server.kept_house import KeptHouse, Line
from tests.server.visitors import LONG_S, NOT_JOINED, Actor, refused, room
from tests.turned import run, turn, until


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


def test_two_protocols_in_one_game(file: Path) -> None:
    async def work() -> None:
        async with KeptHouse(file) as house:
            vic = await Doorkeeper(house.store).register("vic", "long enough")
            line = Line()
            assert await house.room().admission.seat(line.player, "vic", vic) == 0
            ada = await house.player("ada")
            await house.start()
            await until(lambda: line.kinds().count("ask") == 2)
            line.answer("x", "y")
            assert await ada.command("z") == DONE
            id, viewer = house.game().id, await house.viewer()
            await house.round()
            assert set((await viewer.turn(2))["error"]) == {"1", "2"}
            await house.round()
            stored = await house.over(id)
            assert line.heard[-1]["type"] == "over" and line.closed
            assert [(seat.name, seat.account) for seat in stored.seats] == [("vic", vic.id), ("ada", None)]
            record = b"".join(raw + b"\n" for raw in await house.store.lines(id))
            key = line.heard[-1]["public_key"]
            found = compare_receipt(receipt(line), record, verify(record, game), game, key)
            assert found.troubles == [] and found.proved[0].startswith("your match: 1 answer of seat 0 in it")

    run(work())


def receipt(line: Line) -> Receipt:
    """The receipt of a client of protocol 1 that joined a running game and answered once."""
    seat = next(message for message in line.heard if message["type"] == "seat")
    asked = [message["id"] for message in line.heard if message["type"] == "ask"]
    over = line.heard[-1]
    end = Result(tuple(over["scores"]), tuple(over["ranks"]))
    return Receipt(
        [
            SeatEntry(seat["match"], seat["seat"], tuple(seat["players"]), seat["header"], returned=True),
            AnswerEntry(asked[1], Raw(b'{"type":"Command","orders":["x","y"]}')),
            OverEntry(end, over["head"], over["signature"], over["public_key"]),
        ]
    )


def test_a_player_of_protocol_1_comes_back_after_a_crash(file: Path) -> None:
    async def work() -> None:
        async with KeptHouse(file) as house:
            guest = (await Doorkeeper(house.store).guest("vic"))[1].account
            await house.room().admission.seat(Line().player, "vic", guest)
            await house.start()
            async with house.burnt_down() as again:
                id, line = again.game().id, Line()
                live = again.arena.playing[id]
                live.reconnect(live.seats.accounts.index(guest.id), line.player)
                await until(lambda: "ask" in line.kinds())
                line.answer("mine")
                await until(lambda: again.game().state.players[0].given is not None)
                assert await (await again.actor()).register("vic") == refused("Username exists")
                other = Line()
                assert await again.room().admission.seat(other.player, "another name", guest) == 0, (
                    "its seat, by any way"
                )
                await until(lambda: "seat" in other.kinds())
                assert again.game().match.names == ["vic"] and line.gone == "replaced"

    run(work())


def test_between_two_games_nobody_is_let_in(file: Path) -> None:
    async def work() -> None:
        async with KeptHouse(file) as house:
            guest = (await Doorkeeper(house.store).guest("vic"))[1].account
            line = Line()
            await house.room().admission.seat(line.player, "vic", guest)
            house.game().stop()
            await until(lambda: line.closed)
            for account in (guest, None):
                with pytest.raises(Refused, match="has not started or it ended already"):
                    await house.room().admission.seat(Line().player, "eve", account)
            await house.next_game()
            assert await house.room().admission.seat(Line().player, "vic", guest) == 0

    run(work())


def test_a_client_that_hangs_up_keeps_its_seat_as_long_as_the_game_lasts(file: Path) -> None:
    async def work() -> None:
        async with KeptHouse(file) as house:
            line = Line()
            await house.room().admission.seat(line.player, "vic", None)
            await house.start()
            line.drop("dead")
            turn(LONG_S)
            await until(lambda: house.game().state.turn == 2)
            assert not house.game().match.gone

    run(work())


def test_a_room_with_a_player_in_it_is_not_idle(file: Path) -> None:
    async def work() -> None:
        async with KeptHouse(file) as house:
            await house.post("/creategameroom", gameroom_id="r", config="official", admin_password="own")
            line = Line()
            await house.room("r").admission.seat(line.player, "vic", None)
            turn(20 * LONG_S)
            assert "r" in await house.list()
            line.drop("dead")
            turn(20 * LONG_S)
            assert "r" not in await house.list()

    run(work())


def test_a_registered_name_is_its_owners(file: Path) -> None:
    async def work() -> None:
        async with KeptHouse(file) as house:
            ada = await Doorkeeper(house.store).register("ada", "long enough")
            thief, owner = await house.actor(), await house.actor()
            assert await thief.register("ada", "guess") == refused("Username exists")
            assert house.game().match.names == []
            assert (await owner.register("ada", "long enough"))["uid"] == 1
            assert await thief.register("ada", "guess") == refused("Username exists")
            assert house.game().seats.accounts == [ada.id] and await owner.command() == DONE
            [seat] = (await house.kept(house.game().id)).seats
            assert (seat.account, seat.secret) == (ada.id, None)
            async with house.burnt_down() as again:
                assert await (await again.actor()).register("ada", "guess") == refused("Username exists")
                assert (await (await again.actor()).register("ada", "long enough"))["uid"] == 1

    run(work())


def test_one_owner_by_two_protocols(file: Path) -> None:
    async def work() -> None:
        async with KeptHouse(file) as house:
            account = await Doorkeeper(house.store).register("ada", "long enough")
            actor, line = await house.actor(), Line()
            assert (await actor.register("ada", "long enough"))["uid"] == 1
            assert await house.room().admission.seat(line.player, "ada", account) == 0
            await until(lambda: "ask" in line.kinds())
            assert await actor.command() == refused(NOT_JOINED), "who came last has the seat"
            assert (await actor.register("ada", "long enough"))["uid"] == 1
            assert await actor.command("x") == DONE and line.gone == "replaced"

    run(work())


def test_a_client_that_guesses_has_not_many_tries(file: Path) -> None:
    async def work() -> None:
        tries = Attempts(3)
        async with KeptHouse(file, tries=tries) as house:
            await Doorkeeper(house.store).register("ada", "long enough")
            said = []
            for _ in range(4):
                actor = await house.actor()
                said.append((await actor.register("ada", "guess"))["err_msg"])
            assert said == ["Username exists"] * 3 + ["at most 3 tries in 60 s"]
            assert (await (await house.actor()).register("bob"))["success"], "nobody's name"

    run(work())


def test_reasons_not_to_be_let_in(file: Path) -> None:
    async def work() -> None:
        config = room(max_player=2, allow_join_after_start=False)
        async with KeptHouse(file, config) as house:
            await house.player("ada")
            seat, words = house.room().admission.seat, []
            for name in ("ada", "bob", "eve"):
                try:
                    await seat(Line().player, name, None)
                except Refused as e:
                    words.append(e.words)
            await house.start()
            with pytest.raises(Refused) as late:
                await seat(Line().player, "late", None)
            assert [*words, late.value.words] == [
                "Username exists",
                "Map is full",
                "You are not allowed to join after the game starts",
            ]
            assert [*house.game().seats.connected] == [1]

    run(work())


# For everybody


def test_a_game_is_watched_and_listed_like_any_match(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        rooms = hall.rooms
        assert rooms is not None and rooms.public.game is not None
        id = rooms.public.game.id
        async with hall.connect(f"/watch/{id}") as line, hall.connect("/action_channel") as channel:
            watcher = Seat(line)
            assert (await watcher.hear("view"))["players"] == []
            assert (await Actor(channel).register("ada"))["uid"] == 1
            assert (await watcher.hear("event"))["event"]["name"] == "ada"
        [info] = (await hall.get("/matches")).json()["matches"]
        assert (info["id"], info["game"], info["state"]) == (id, "colorfight", "running")
        assert info["terms"]["options"]["max_turn"] == 500 and info["terms"]["limit_s"] == 1
        assert [(seat["kind"], seat["name"]) for seat in info["seats"]] == [("joined", "ada")]
        assert "argon2" not in str(info)
        assert (await hall.get(f"/matches/{id}/transcript")).status_code == 409
        assert "gameroom" not in (await hall.http.get("/schema/openapi.json")).text, "it is not the API's own"
        assert await hall.figure("parlour_matches", game="colorfight") == 1
        rooms.public.restart()
        await hall.over(id)
        assert (await hall.proof(id)).holds == "yes"

    evening(arenas.House(tmp_path, log="off", rooms=1), work)


def test_protocol_1_over_websocket_before_and_after_a_stop(tmp_path: Path) -> None:
    house = arenas.House(tmp_path, log="off", rooms=1)

    async def first(hall: Hall) -> tuple[str, str]:
        rooms = hall.rooms
        assert rooms is not None
        async with hall.connect("/play/colorfight/public") as line:
            seat = Seat(line)
            await seat.hello("vic")
            told = await seat.hear("seat")
            rooms.public.start()
            while (asked := await seat.hear("ask"))["ask"]["turn"] == 0:
                pass
            await seat.say(type="answer", id=asked["id"], action={"type": "Command", "orders": ["mine"]})
            await seat.hear("ask")
            return told["match"], told["token"]

    async def second(hall: Hall) -> None:
        rooms = hall.rooms
        assert rooms is not None
        for where in (id, "public"):
            async with hall.connect(f"/play/colorfight/{where}") as line:
                seat = Seat(line)
                await seat.hello("vic", token=token)
                told = await seat.hear("seat")
                assert (told["match"], told["seat"], told["players"]) == (id, 0, ["vic"])
                await seat.hear("ask")
        rooms.public.restart()
        await hall.over(id)
        assert (await hall.proof(id)).holds == "yes"
        assert b"mine" in (await hall.get(f"/matches/{id}/transcript")).content

    id, token = evening(house, first)
    evening(house, second)


def test_an_arena_without_rooms(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        assert hall.rooms is None and not hall.serving.arena.playing
        assert (await hall.http.get("/get_gameroom_list")).status_code == 404

    evening(arenas.House(tmp_path, log="off", rooms=0), work)

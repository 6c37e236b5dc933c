"""Rooms in an arena: whatever becomes of the server, games go on where they were, and everybody finds their seat."""

import asyncio
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import update
from sqlalchemy.exc import OperationalError

from parlour.games.colorfight.wire import Refused, Register
from parlour.players.player_specs import load
from parlour.protocol.records import StoredSeat
from parlour.referee.replay import resume
from parlour.store import schema
from parlour.store.passwords import hashed
from parlour.store.store import Store
from parlour.venues.colorfight import stored_rooms as kept_rooms
from parlour.venues.colorfight.room import Room
from parlour.venues.colorfight.room_config import CONFIGS
from parlour.venues.colorfight.room_game import GAME
from parlour.venues.colorfight.stored_rooms import RoomRecord
from tests.players.test_calls import DONE
from tests.server.kept_house import KeptHouse, Line
from tests.server.visitors import LONG_S, NOT_JOINED, PUBLIC, SLOW, WORD, closed, refused, room
from tests.store.stored import executed
from tests.turned import SOON_S, run, settle, turn, until


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


# Going on


def test_a_game_goes_on_after_the_server_is_lost(file: Path) -> None:
    async def work() -> None:
        async with KeptHouse(file) as house:
            ada, bob = await house.player("ada", PUBLIC), await house.player("bob", PUBLIC, password="other")
            await house.start()
            assert await ada.command("x") == await bob.command("y") == DONE
            await house.round()
            assert await ada.command("z") == DONE
            before = house.game()
            async with house.burnt_down() as again:
                after = again.game()
                assert after.id == before.id and after.shown == before.shown
                assert after.state == before.state and after.state.turn == 2
                assert (await (await again.actor(PUBLIC)).register("ada"))["uid"] == 1
                assert (await (await again.actor(PUBLIC)).register("bob", "other"))["uid"] == 2
                viewer = await again.viewer(PUBLIC)
                await again.round()
                frame = await viewer.turn(3)
                assert frame["error"]["1"] == ["z is a wrong command, cmd type z is invalid"], "taken before the crash"

    run(work())


def test_nobody_waits_while_a_game_is_played_again(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long one takes more than a second."""

    async def work() -> None:
        async with KeptHouse(file) as house:
            await house.player("ada")
            going, others = threading.Event(), asyncio.get_running_loop()

            def slowly(*args: Any, **more: Any) -> Any:
                others.call_soon_threadsafe(going.set)
                assert going.wait(SOON_S), "others are served meanwhile"
                return resume(*args, **more)

            monkeypatch.setattr(kept_rooms, "resume", slowly)
            async with house.burnt_down() as again:
                assert again.arena.broken == [] and again.game().id == house.game().id
                assert (await (await again.actor()).register("ada"))["uid"] == 1

    run(work())


def test_what_was_acknowledged_is_in_the_transcript(file: Path) -> None:
    async def work() -> None:
        async with KeptHouse(file) as house:
            ada = await house.player("ada")
            await house.start()
            assert await ada.command("first") == DONE
            async with house.burnt_down() as again:
                ada = await again.player("ada")
                assert await ada.command("second") == DONE
                id = again.game().id
                await again.round()
                await again.round()
                stored = await again.over(id)
                lines = b"".join(await again.store.lines(id))
                assert b"first" in lines and b"second" in lines and stored.state == "over"
                assert [(seat.name, seat.rank) for seat in stored.seats] == [("ada", 1)]

    run(work())


def test_a_wrong_password_is_wrong_after_a_crash_too(file: Path) -> None:
    async def work() -> None:
        async with KeptHouse(file) as house:
            await house.player("ada")
            async with house.burnt_down() as again:
                actor = await again.actor()
                assert await actor.register("ada", "guess") == refused("Username exists")
                assert await actor.command() == refused(NOT_JOINED)
                assert (await actor.register("eve"))["uid"] == 2

    run(work())


def test_passwords_are_kept_as_hashes(file: Path) -> None:
    async def work() -> None:
        async with KeptHouse(file) as house:
            await house.player("ada", password="in plain words")
            await house.post(
                "/creategameroom", gameroom_id="r", admin_password="in plain words", join_key="in plain words"
            )
            [seat] = (await house.kept(house.game().id)).seats
            assert seat.secret is not None and seat.secret.startswith("$argon2id$")
            kept = await house.store.room("r")
            assert kept is not None and kept.admin is not None and kept.admin.startswith("$argon2id$")
            assert kept.join_key.startswith("$argon2id$") and kept.join_key != kept.admin

    run(work())


def test_the_count_down_begins_afresh(file: Path) -> None:
    async def work() -> None:
        config = replace(SLOW, first_round_time=LONG_S)
        async with KeptHouse(file, config) as house:
            await house.player("ada")
            turn(LONG_S * 0.75)
            await until(lambda: 0 < house.game().count_down < LONG_S / 2)
            async with house.burnt_down(config) as again:
                await until(lambda: again.game().count_down > LONG_S / 2)
                turn(LONG_S * 0.75)
                await settle()
                assert again.game().state.turn == 0
                turn(LONG_S / 2)
                await until(lambda: again.game().state.turn == 1)

    run(work())


def test_a_game_waits_for_the_first_who_comes(file: Path) -> None:
    """Otherwise a server without clients would record empty rounds without end."""

    async def work() -> None:
        async with KeptHouse(file, replace(SLOW, first_round_time=LONG_S)) as house:
            turn(3 * LONG_S)
            await settle()
            assert house.game().state.turn == 0 and len(await house.store.lines(house.game().id)) == 1
            await house.player("ada")
            await until(lambda: house.game().count_down > 0)
            turn(LONG_S)
            await until(lambda: house.game().state.turn == 1)

    run(work())


def test_parked_is_not_ended(file: Path) -> None:
    async def work() -> None:
        async with KeptHouse(file) as house:
            ada, viewer = await house.player("ada", PUBLIC), await house.viewer(PUBLIC)
            await house.start()
            id = house.game().id
            await house.rooms.stop()
            assert await closed(ada.connection) == await closed(viewer.connection) == 1000
            assert id not in house.arena.playing
            with pytest.raises(Refused):
                await house.room().admission.seat(Line().player, "eve", None)
        async with KeptHouse(file) as house:
            assert house.game().id == id and house.game().state.turn == 1
            assert (await house.kept(id)).state == "running" and list(house.arena.playing) == [id]
            assert await (await house.player("ada")).command() == DONE

    run(work())


def test_after_a_finished_game_the_next_begins(file: Path) -> None:
    async def work() -> None:
        async with KeptHouse(file) as house:
            await house.player("ada")
            before = house.game()
            before.stop()
            await house.over(before.id)
            async with house.burnt_down() as again:
                assert again.game().id != before.id and again.game().match.names == []
                assert (await again.kept(again.game().id)).state == "running"

    run(work())


def test_a_crash_before_the_first_line(file: Path) -> None:
    """The game is stored, but no client was told of it."""

    async def work() -> None:
        async with KeptHouse(file) as house:
            await house.rooms.stop()
            id = house.game().id
            await executed(house.store, schema.lines.delete())
            assert (await house.kept(id)).state == "running"
        async with KeptHouse(file) as house:
            assert house.game().id == id
            await until(lambda: house.game().match.records)
            await house.player("ada")
            await house.kept(id)

    run(work())


def test_a_crash_between_the_end_and_the_result(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        async with KeptHouse(file) as house:
            await house.player("ada")
            game, ended = house.game(), asyncio.Event()

            async def never(*args: Any) -> None:
                ended.set()
                await asyncio.Event().wait()

            monkeypatch.setattr(house.store, "end_match", never)
            game.stop()
            await ended.wait()
            async with house.burnt_down() as again:
                assert (await again.over(game.id)).state == "over"

    run(work())


def test_a_crash_between_the_seat_and_the_joining(file: Path) -> None:
    async def work() -> None:
        async with KeptHouse(file) as house:
            await house.player("ada")
            id = house.game().id
            assert await house.store.join(id, StoredSeat(1, "joined", "", None, "bob", "", secret=hashed("ghost")))
            async with house.burnt_down() as again:
                assert [seat.name for seat in (await again.kept(id)).seats] == ["ada"]
                assert (await (await again.actor()).register("bob"))["uid"] == 2, "whatever password was said before"

    run(work())


def test_a_seat_that_nobody_came_to_is_the_next_ones(file: Path) -> None:
    async def work() -> None:
        async with KeptHouse(file, room(width=2, height=2, max_player=8)) as house:
            for name in "abcd":
                await house.player(name)
            assert await (await house.actor()).register("e") == refused("Map is full")
            assert [seat.name for seat in (await house.kept(house.game().id)).seats] == [*"abcd"]

    run(work())


def test_a_client_that_disconnects_while_it_joins_has_joined(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        async with KeptHouse(file) as house:
            reached, going = asyncio.Event(), asyncio.Event()
            keep = house.store.join

            async def slowly(*args: Any) -> bool:
                reached.set()
                await going.wait()
                return await keep(*args)

            monkeypatch.setattr(house.store, "join", slowly)
            leaving = asyncio.ensure_future(house.room().admission.register(Register("ada", "secret")))
            await reached.wait()
            leaving.cancel()
            bob = asyncio.ensure_future(house.player("bob"))
            await settle()
            going.set()
            await bob
            assert house.game().match.names == ["ada", "bob"] and house.game().seats.accounts == [None, None]
            assert [seat.name for seat in (await house.kept(house.game().id)).seats] == ["ada", "bob"]
            assert (await (await house.actor()).register("ada"))["uid"] == 1

    run(work())


def test_the_store_fails_and_the_game_goes_on_from_what_was_kept(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        async with KeptHouse(file) as house:
            ada, line = await house.player("ada", PUBLIC), Line()
            await house.room().admission.seat(line.player, "vic", None)
            await house.start()
            before = house.game()

            async def full(*args: Any) -> None:
                raise OperationalError("insert", {}, Exception("disk full"))

            with monkeypatch.context() as patch:
                patch.setattr(house.store.writer, "keep", full)
                assert not (await ada.command("lost"))["success"]
                await until(lambda: house.room().game is None)
            assert line.closed and house.arena.broken[0].startswith("room public: OperationalError")
            turn(LONG_S)
            await until(lambda: house.room().game is not None)
            assert house.game() is not before and house.game().id == before.id and house.game().state.turn == 1
            assert await ada.command() == refused(NOT_JOINED), "until it registers again"
            assert (await ada.register("ada"))["uid"] == 1 and await ada.command() == DONE

    run(work())


def test_a_client_that_joined_in_spite_of_an_error_has_its_seat(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection to the database may be lost after the commit."""

    async def work() -> None:
        async with KeptHouse(file) as house:
            before, keep = house.game(), house.store.writer.keep

            async def cut(*args: Any) -> None:
                await keep(*args)
                raise OperationalError("insert", {}, Exception("connection lost"))

            with monkeypatch.context() as patch:
                patch.setattr(house.store.writer, "keep", cut)
                ada = await house.actor()
                assert not (await ada.register("ada"))["success"]
                await until(lambda: house.room().game is None)
            turn(LONG_S)
            await until(lambda: house.room().game is not None)
            assert house.game().id == before.id and (await ada.register("ada"))["uid"] == 1
            assert (await (await house.actor()).register("ada", "guess")) == refused("Username exists")

    run(work())


# Bots


def test_bots_go_on_at_their_seats(file: Path) -> None:
    async def work() -> None:
        bots, config = (load(GAME, "greedy"), load(GAME, "random")), room(max_turn=20)
        async with KeptHouse(file, config, bots=bots) as house:
            await until(lambda: house.game().match.names == ["greedy", "random"])
            await house.player("ada")
            await house.start()
            seats = (await house.kept(house.game().id)).seats
            assert [(seat.kind, seat.spec) for seat in seats] == [("bot", "greedy"), ("bot", "random"), ("joined", "")]
            async with house.burnt_down(config, bots=bots) as again:
                players = again.game().state.players
                await until(lambda: all(player.given is not None for player in players[:2]))
                await again.round()
                await until(lambda: all(player.given is not None for player in players[:2]))
                assert again.game().match.names == ["greedy", "random", "ada"]
                await again.kept(again.game().id)

    run(work())


def test_what_a_command_writes_to_stderr_is_kept_for_administrators(file: Path) -> None:
    loud = file.with_name("loud.py")
    hello = '{"type": "hello"}'
    loud.write_text(f"import sys\nprint('loud', file=sys.stderr)\nprint({hello!r}, flush=True)\nsys.stdin.read()")

    async def work() -> None:
        async with KeptHouse(file, bots=(load(GAME, f"exec:{sys.executable} {loud}"),)) as house:
            await until(lambda: len(house.game().seats.accounts) == 1)
            game = house.game()
            running, nobody = game.command_stderr(0), game.command_stderr(1)
            assert running is not None and running.stderr == b"loud\n" and nobody is None
            assert house.rooms.public is not None
            house.rooms.public.restart()
            await until(lambda: house.game() is not game)
            assert running in house.arena.logs.pending and running.account is None

    run(work())


def test_a_bot_that_had_not_come_yet_comes_after_the_crash(file: Path) -> None:
    async def work() -> None:
        async with KeptHouse(file, bots=(load(GAME, "greedy"),)) as house:
            await until(lambda: len(house.game().seats.accounts) == 1)
            async with house.burnt_down(bots=(load(GAME, "random"), load(GAME, "greedy"))) as again:
                await until(lambda: again.game().match.names == ["greedy", "random"])
                await until(lambda: len(again.game().seats.accounts) == 2)
                await again.kept(again.game().id)

    run(work())


def test_a_bot_that_is_not_wanted_any_more_plays_this_game_to_its_end(file: Path) -> None:
    async def work() -> None:
        async with KeptHouse(file, bots=(load(GAME, "greedy"),)) as house:
            await until(lambda: len(house.game().seats.accounts) == 1)
            async with house.burnt_down() as again:
                await again.start()
                await until(lambda: again.game().state.players[0].given is not None)

    run(work())


# Rooms


def test_rooms_come_back_with_their_passwords_and_keys(file: Path) -> None:
    async def work() -> None:
        async with KeptHouse(file) as house:
            said = {"gameroom_id": "r", "config": "official", "admin_password": "own", "join_key": "friend"}
            assert await house.post("/creategameroom", **said) == DONE
            ada = await house.actor("/gameroom/r")
            assert (await ada.register("ada", join_key="friend"))["uid"] == 1
            async with house.burnt_down() as again:
                assert [*await again.list()] == ["public", "r"] and again.room("r").config == CONFIGS["official"]
                ada = await again.actor("/gameroom/r")
                wrong = refused("You need the correct join key for the room")
                assert await ada.register("ada") == wrong
                assert (await ada.register("ada", join_key="friend"))["uid"] == 1
                with pytest.raises(Refused, match="join key"):
                    await again.room("r").admission.unlock("", "")
                call = {"gameroom_id": "r", "admin_password": "guess"}
                assert await again.post("/start", **call) == refused("Wrong password")
                assert await again.post("/start", **{**call, "admin_password": "own"}) == DONE
                await until(lambda: again.game("r").state.turn == 1)

    run(work())


def test_a_room_is_run_as_it_was_set_last(file: Path) -> None:
    async def work() -> None:
        async with KeptHouse(file) as house:
            before = house.game()
            said = {"max_turn": 300, "round_time": 5, "max_player": 4}
            assert await house.post("/restart", admin_password=WORD, **said) == DONE
            await until(lambda: house.game() is not before)
            async with house.burnt_down() as again:
                config = again.room().config
                assert config == house.room().config and config.max_player == 4 and config.options.max_turn == 300
                assert again.game().match.options == config.options

    run(work())


@pytest.mark.parametrize("how", ["deleted", "forgotten"])
def test_a_room_that_is_gone_stays_so(file: Path, how: str) -> None:
    async def work() -> None:
        async with KeptHouse(file) as house:
            await house.post("/creategameroom", gameroom_id="r", config="official", admin_password="own")
            await (await house.player("ada", "/gameroom/r")).connection.close()
            await until(lambda: house.room("r").idle_s() > 0)
            id = house.game("r").id
            if how == "deleted":
                assert await house.post("/deletegameroom", gameroom_id="r", admin_password="own") == DONE
            turn(20 * LONG_S)
            assert [*await house.list()] == ["public"]
            assert (await house.kept(id)).state == "over", "as it stood"
            async with house.burnt_down() as again:
                assert [*await again.list()] == ["public"] and len(again.arena.playing) == 1
                assert await again.post("/creategameroom", gameroom_id="r") == DONE

    run(work())


def test_rooms_made_and_deleted_at_the_same_moment(file: Path) -> None:
    async def work() -> None:
        async with KeptHouse(file) as house:
            said = {"gameroom_id": "r", "admin_password": "own"}
            for _ in range(3):
                calls = [house.post(path, **said) for path in ["/creategameroom", "/deletegameroom"] * 3]
                await asyncio.gather(*calls)
            names = [room.name for room in await house.store.rooms()]
            assert sorted(names) == sorted(await house.list())

    run(work())


# What cannot be read


async def bad_config(store: Store, match: str) -> None:
    await executed(store, update(schema.rooms).values(config='{"finish_time":"soon"}'))


async def bad_line(store: Store, match: str) -> None:
    await store.writer.keep(match, len(await store.lines(match)), [b"nonsense"])


async def no_seat(store: Store, match: str) -> None:
    await store.drop_seats(match, 0)


@pytest.mark.parametrize("harm", [bad_line, no_seat])
def test_a_game_that_cannot_be_read_is_void_and_another_begins(file: Path, harm: Any) -> None:
    async def work() -> None:
        async with KeptHouse(file) as house:
            await house.player("ada")
            id = house.game().id
            await house.rooms.stop()
            await harm(house.store, id)
        async with KeptHouse(file) as house:
            stored = await house.store.match(id)
            assert stored is not None and stored.state == "void" and house.game().id != id
            assert [words.partition(":")[0] for words in house.arena.broken] == [id]
            assert await (await house.player("ada")).command() == DONE

    run(work())


def test_a_room_whose_settings_cannot_be_read_has_the_usual_ones(file: Path) -> None:
    async def work() -> None:
        async with KeptHouse(file) as house:
            await house.post("/creategameroom", gameroom_id="r", config="official", admin_password="own")
            await house.rooms.stop()
            await bad_config(house.store, "")
        async with KeptHouse(file) as house:
            assert house.room().config == SLOW and house.room("r").config == CONFIGS["default"]
            assert [words.partition(":")[0] for words in house.arena.broken] == ["room public", "room r"]
            assert await house.post("/start", gameroom_id="r", admin_password="own") == DONE

    run(work())


def test_a_room_is_made_while_all_are_parked(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        async with KeptHouse(file) as house:
            park = Room.park

            async def meanwhile(room: Room) -> None:
                if house.rooms.get("late") is None:
                    house.rooms.open(RoomRecord("late", SLOW))
                await park(room)

            monkeypatch.setattr(Room, "park", meanwhile)
            await house.rooms.stop()
            assert house.rooms.public.playing.done()

    run(work())

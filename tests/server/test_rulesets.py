"""The ruleset of a room: how it is set, where it is shown, and that it lasts."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from parlour.games.colorfight.values import Options, Ruleset
from parlour.server.settings import BadSettings, Settings, read_settings
from parlour.venues.colorfight.settings import RoomSettings
from tests.games.colorfight.hosts import hosting
from tests.players.test_calls import DONE
from tests.server.arenas import House as ArenaHouse
from tests.server.arenas import evening
from tests.server.kept_house import KeptHouse
from tests.server.visitors import PUBLIC, ROOT, WORD, House, refused, room, served
from tests.turned import run, until

CLASSIC = room(ruleset="classic")
NO_SUCH = refused("ruleset value invalid: seed or classic")


async def shown(house: House, name: str) -> tuple[str, str]:
    """The ruleset of a room: in the list, and in its frames."""
    viewer = await house.viewer(f"/gameroom/{name}")
    return (await house.list())[name]["ruleset"], (await viewer.frame())["info"]["ruleset"]


@pytest.mark.parametrize(
    "said",
    [
        {"ruleset": "classic"},
        {"ruleset": "classic", "config": "rank_2"},
    ],
    ids=str,
)
def test_a_classic_room_is_opened_over_http(said: dict[str, Any]) -> None:
    async def work() -> None:
        async with House() as house:
            assert await house.post("/creategameroom", gameroom_id="old", **said) == DONE
            assert await shown(house, "old") == ("classic", "classic")
            assert await shown(house, "public") == ("seed", "seed")
            state = house.game("old").state
            assert state.rules.home_by_level and state.options.ruleset == "classic"
            assert state.options.max_turn == (300 if "config" in said else 500)

    run(work())


@pytest.mark.parametrize("ruleset", ["modern", "Classic", "", None, 5, ["classic"], {}], ids=repr)
def test_a_ruleset_that_does_not_exist(ruleset: Any) -> None:
    async def work() -> None:
        async with served() as house:
            assert await house.post("/creategameroom", gameroom_id="old", ruleset=ruleset) == NO_SUCH
            said = {"gameroom_id": "public", "admin_password": WORD, "config": {"ruleset": ruleset}}
            assert await house.post("/restart", **said) == NO_SUCH
            assert [*await house.list()] == ["public"]

    run(work())


def test_a_room_on_a_classic_host_is_classic() -> None:
    async def work() -> None:
        async with House(room(ruleset="classic", errors="hidden", last_standing_ends=True)) as house:
            for config in ("default", "rank_2"):
                assert await house.post("/creategameroom", gameroom_id="other", config=config) == DONE
                assert await shown(house, "other") == ("classic", "classic")
                options = house.game("other").state.options
                assert (options.errors, options.last_standing_ends, options.width) == ("hidden", True, 30)
                await house.rooms._close(house.room("other"))
            assert await house.post("/creategameroom", gameroom_id="new", ruleset="seed") == DONE
            assert await shown(house, "new") == ("seed", "seed")

    run(work())


def test_the_command_hosts_classic_rooms() -> None:
    with hosting("--set", "ruleset=classic") as host:
        assert host.call("creategameroom", {"gameroom_id": "other"}) == DONE
        assert {room["name"]: room["ruleset"] for room in host.call("get_gameroom_list")} == {
            "public": "classic",
            "other": "classic",
        }


@pytest.mark.parametrize("where", [ROOT, PUBLIC])
def test_frames_of_both_forms_name_the_ruleset(where: str) -> None:
    async def work() -> None:
        async with House(CLASSIC) as house:
            viewer = await house.viewer(where)
            await house.start()
            assert (await viewer.turn(1))["info"]["ruleset"] == "classic"

    run(work())


def test_a_restart_keeps_the_ruleset_unless_it_names_one() -> None:
    async def work() -> None:
        async with served() as house:
            await house.post("/creategameroom", gameroom_id="old", ruleset="classic", admin_password="own")
            rulesets: list[tuple[dict[str, Any], Ruleset]] = [
                ({}, "classic"),
                ({"max_turn": 300}, "classic"),
                ({"ruleset": "seed"}, "seed"),
                ({"round_time": 5}, "seed"),
                ({"ruleset": "classic"}, "classic"),
            ]
            for config, ruleset in rulesets:
                before = house.game("old")
                said = {"gameroom_id": "old", "admin_password": "own", "config": config}
                assert await house.post("/restart", **said) == DONE
                await until(lambda: house.game("old") is not before)  # noqa: B023  # at once
                assert await shown(house, "old") == (ruleset, ruleset)
            before = house.game()
            assert await house.post("/restart", admin_password=WORD, ruleset="classic") == DONE
            await until(lambda: house.game() is not before)
            assert (await house.list())["public"]["ruleset"] == "classic", "in the source text's form, too"

    run(work())


def test_the_ruleset_of_a_room_outlives_the_server(tmp_path: Path) -> None:
    async def work() -> None:
        async with KeptHouse(tmp_path / "arena.db") as house:
            await house.post("/creategameroom", gameroom_id="old", ruleset="classic", admin_password="own")
            before = house.game("old").id
            async with house.burnt_down() as again:
                assert again.game("old").id == before and await shown(again, "old") == ("classic", "classic")
                said = {"gameroom_id": "old", "admin_password": "own", "config": {"max_turn": 300}}
                assert await again.post("/restart", **said) == DONE
                await until(lambda: again.game("old").id != before)
                assert await shown(again, "old") == ("classic", "classic")
                stored = await again.kept(again.game("old").id)
                assert '"ruleset":"classic"' in stored.terms

    run(work())


# In an arena, by its settings


async def listed(hall: Any) -> dict[str, str]:
    rooms = (await hall.http.get("/get_gameroom_list")).json()
    return {room["name"]: room["ruleset"] for room in rooms}


def test_an_arena_is_set_to_classic(tmp_path: Path) -> None:
    house = ArenaHouse(tmp_path, rooms=5, room_ruleset="classic")

    async def work(hall: Any) -> None:
        said = await hall.http.post("/creategameroom", json={"gameroom_id": "other"})
        assert said.json() == DONE
        said = await hall.http.post("/creategameroom", json={"gameroom_id": "new", "ruleset": "seed"})
        assert said.json() == DONE
        assert await listed(hall) == {"public": "classic", "other": "classic", "new": "seed"}

    async def again(hall: Any) -> None:
        assert await listed(hall) == {"public": "classic", "other": "classic", "new": "seed"}

    evening(house, work)
    evening(house, again)
    evening(ArenaHouse(tmp_path, rooms=5), again)


def test_an_arena_that_was_set_otherwise_before(tmp_path: Path) -> None:
    """The running game is finished by its old rules; the next one is classic."""

    async def before(hall: Any) -> None:
        assert await listed(hall) == {"public": "seed"}

    async def after(hall: Any) -> None:
        assert await listed(hall) == {"public": "seed"}
        room = hall.rooms.public
        game = room.game
        room.restart()
        async with asyncio.timeout(60):
            while room.game is game or room.game is None:
                await asyncio.sleep(0.01)
        assert await listed(hall) == {"public": "classic"}

    evening(ArenaHouse(tmp_path, rooms=5), before)
    evening(ArenaHouse(tmp_path, rooms=5, room_ruleset="classic"), after)


def test_rooms_of_the_settings_are_always_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rooms = {"lab": {"ruleset": "classic", "round_time": 2}, "final": {"config": "rank_4"}}
    house = ArenaHouse(tmp_path, rooms=5, standing_rooms=rooms, admin_password=WORD)

    async def work(hall: Any) -> None:
        assert await listed(hall) == {"public": "seed", "lab": "classic", "final": "seed"}
        assert hall.rooms.get("final").config.max_player == 4
        assert hall.rooms.get("lab").game.state.options.round_time == 2.0
        said = await hall.http.post("/deletegameroom", json={"gameroom_id": "lab", "admin_password": WORD})
        assert said.json() == refused("You are not allowed to do this")
        monkeypatch.setattr("parlour.venues.colorfight.rooms.EMPTY_S", -1.0)
        assert (await hall.http.post("/creategameroom", json={"gameroom_id": "mine"})).json() == DONE
        assert await listed(hall) == {"public": "seed", "lab": "classic", "final": "seed"}, "others are forgotten"
        monkeypatch.undo()

    evening(house, work)
    evening(house, work)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('room_ruleset = "modern"', "Invalid enum value 'modern' - at `$.venues.colorfight.room_ruleset`"),
        (
            '[venues.colorfight.standing_rooms.lab]\nruleset = "x"',
            "venues.colorfight.standing_rooms.lab: ruleset value invalid: seed or classic",
        ),
        (
            "[venues.colorfight.standing_rooms.lab]\nmax_turn = 5",
            "venues.colorfight.standing_rooms.lab: max_turn value invalid",
        ),
        (
            '[venues.colorfight.standing_rooms.lab]\nconfig = "none"',
            "venues.colorfight.standing_rooms.lab: config value invalid",
        ),
        (
            '[venues.colorfight.standing_rooms."a b"]',
            "venues.colorfight.standing_rooms.a b: You have illegal special characters in you gameroom id",
        ),
        (
            "[venues.colorfight.standing_rooms.public]",
            "venues.colorfight.standing_rooms: they are besides `public`, and fewer than `rooms`",
        ),
        (
            "rooms = 1\n[venues.colorfight.standing_rooms.lab]",
            "venues.colorfight.standing_rooms: they are besides `public`, and fewer than `rooms`",
        ),
    ],
)
def test_rooms_that_cannot_be_set_so(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "arena.toml").write_text(f"[venues.colorfight]\n{text}")
    with pytest.raises(BadSettings) as refusal:
        read_settings(tmp_path / "arena.toml", {})
    assert str(refusal.value) == words


def test_the_ruleset_in_the_environment() -> None:
    settings = read_settings(None, {"PARLOUR_VENUES_COLORFIGHT_ROOM_RULESET": "classic"})
    assert (
        settings == Settings(venues={"colorfight": RoomSettings(room_ruleset="classic")})
        and Options().ruleset == "seed"
    )

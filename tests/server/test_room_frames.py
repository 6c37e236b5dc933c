"""What the game channels of ColorfightII show, and when."""

import json

import pytest

import parlour.venues.colorfight.room
from parlour.games.colorfight.frames import game_info
from tests.games.colorfight.test_frames import FRAME, ROOM_FRAME, ROOM_INFO, ROOM_USER, USER
from tests.players.test_calls import DONE
from tests.server.visitors import BOTH, LONG_S, PUBLIC, ROOT, House, room
from tests.turned import run, settle, turn


def test_a_source_frame_is_what_get_game_info_says() -> None:  # RULES 10.5
    async def work() -> None:
        async with House() as house:
            await house.player("ada")
            viewer = await house.viewer(ROOT)
            await house.start()
            frame, game = await viewer.turn(1), house.game()
            assert frame == json.loads(json.dumps(game_info(game.state, game.match.names)))
            assert set(frame) == FRAME and set(frame["users"]["1"]) == USER

    run(work())


def test_a_compact_frame_has_what_todays_clients_need() -> None:
    async def work() -> None:
        async with House(room(max_player=8, allow_manual_mode=True)) as house:
            await house.player("ada", PUBLIC)
            frame, game = await (await house.viewer(PUBLIC)).frame(), house.game()
            assert set(frame) == ROOM_FRAME and set(frame["info"]) == ROOM_INFO
            assert set(frame["users"]["1"]) == ROOM_USER
            assert frame["info"] == {
                **{"max_turn": 3, "max_player": 8, "width": 30, "height": 30, "round_time": 60.0, "ruleset": "seed"},
                **{"start_count_down": 0, "allow_manual_mode": True, "game_id": game.shown},
                **{"replay_version": 2, "game_version": 2},
            }
            assert isinstance(frame["info"]["game_id"], str) and isinstance(frame["info"]["round_time"], float)

    run(work())


def test_root_channels_show_nothing_at_turn_0_and_a_turn_once() -> None:  # RULES 10.5
    async def work() -> None:
        async with House(room(max_turn=4)) as house:
            viewer = await house.viewer(ROOT)
            await house.player("ada")
            await settle()
            await house.start()
            await house.player("bob")
            await settle()
            await house.round()
            await house.round()
            turns = [(await viewer.frame())["turn"] for _ in range(3)]
            assert turns == [1, 2, 3]
            late = await house.viewer(ROOT)
            assert (await late.frame())["turn"] == 3, "who comes later is shown the turn that it is"

    run(work())


def test_a_room_shows_a_frame_at_once_and_one_for_every_change() -> None:  # RULES 10.5
    async def work() -> None:
        async with House() as house:
            viewer = await house.viewer(PUBLIC)
            assert (await viewer.frame())["users"] == {}
            await house.player("ada", PUBLIC)
            assert len((await viewer.frame())["users"]) == 1
            await house.player("bob", PUBLIC)
            assert len((await viewer.frame())["users"]) == 2
            await house.start()
            assert (await viewer.frame())["turn"] == 1
            late = await house.player("cat", PUBLIC)
            assert len((await viewer.frame())["users"]) == 3
            assert await late.command() == DONE and await viewer.shows_nothing(), "a list is nothing to be shown"
            await house.round()
            assert (await viewer.turn(2))["error"] == {"1": [], "2": [], "3": []}

    run(work())


def test_newcomers_who_come_together_are_shown_together() -> None:
    async def work() -> None:
        async with House() as house:
            viewer = await house.viewer(PUBLIC)
            await viewer.frame()
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(parlour.venues.colorfight.room, "TOGETHER_S", LONG_S)
                for name in ("a", "b", "c", "d"):
                    await house.player(name, PUBLIC)
            turn(LONG_S)
            assert len((await viewer.frame())["users"]) == 4

    run(work())


def test_a_room_shows_its_frame_again_after_half_a_minute_and_the_root_does_not() -> None:  # RULES 10.5
    async def work() -> None:
        async with House(room(first_round_time="never")) as house:
            viewer, other = await house.viewer(PUBLIC), await house.viewer(ROOT)
            first = await viewer.frame()
            for _ in range(2):
                turn(30.0)
                assert await viewer.frame() == first
            await house.start()
            assert (await other.frame())["turn"] == 1
            turn(45.0)
            assert await other.shows_nothing()

    run(work())


def test_the_seconds_before_the_first_round_are_counted_down() -> None:
    async def work() -> None:
        async with House(room(first_round_time=10.0)) as house:
            viewer, seen = await house.viewer(PUBLIC), []
            while (frame := await viewer.frame())["turn"] == 0:
                seen.append(frame["info"]["start_count_down"])
                turn(0.5)
            assert frame["info"]["start_count_down"] == 0
            assert seen == sorted(seen, reverse=True) and set(seen) <= {*range(10)} and len({*seen}) >= 2

    run(work())


def test_mistakes_can_be_hidden_on_both_channels() -> None:  # RULES 9.2
    async def work() -> None:
        async with House(room(errors="hidden")) as house:
            ada = await house.player("ada")
            viewers = [await house.viewer(where) for where in BOTH]
            await house.start()
            assert await ada.command("x", "a -1 -1 5") == DONE
            await house.round()
            for viewer in viewers:
                assert (await viewer.turn(2))["error"] == {"1": []}

    run(work())


def test_a_list_is_carried_out() -> None:
    async def work() -> None:
        async with House(room(max_turn=30)) as house:
            ada, viewer = await house.player("ada"), await house.viewer(ROOT)
            await house.start()
            for _ in range(20):
                await house.round()
            frame = await viewer.turn(21)
            (x, y), *_ = frame["users"]["1"]["cells"]
            target = x + 1 if x < 29 else x - 1
            cost = frame["game_map"][y][target]["attack_cost"]
            assert frame["users"]["1"]["energy"] == 100 + 21 * 10 >= cost
            assert await ada.command(f"a {target} {y} {cost}") == DONE
            await house.round()
            after = await viewer.turn(22)
            assert after["game_map"][y][target]["owner"] == 1 and after["error"] == {"1": []}
            assert after["game_map"][y][target]["force_field"] == 2 * cost
            assert sorted(after["users"]["1"]["cells"]) == sorted([[x, y], [target, y]])

    run(work())

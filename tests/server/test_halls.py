"""Halls for Socket.IO clients: names and tokens, entering, being ready."""

import pytest
import socketio

import parlour.venues.tradecraft.socketio_halls
from parlour.transports.limits import MOVES_A_MINUTE
from tests.players.clients import run
from tests.server.guests import HALL, Guest, Inn
from tests.server.hall_moves import EVENTS, free
from tests.turned import until

# Names


def test_a_client_that_logs_in_gets_the_name_and_a_secret() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, bob = await inn.guest(), await inn.guest()
            welcome = await ada.login("ada")
            assert welcome == {"status_code": 0, "message": "you are ada", "username": "ada", "token": ada.token}
            await bob.login("bob")
            assert len(ada.token) >= 40 and ada.token != bob.token

    run(evening())


def test_nobody_gets_the_name_of_somebody_who_is_connected() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, thief = await inn.user("ada"), await inn.guest()
            await thief.says("login", username="ada")
            conflict = await thief.hears("username_conflict")
            assert conflict["status_code"] == 2 and "token" not in conflict
            await thief.says("login", username="ada", token=ada.token)
            await thief.hears("username_conflict")
            await thief.login("eve")
            await ada.says("get_entry_info", _token=ada.token)
            await ada.hears("entry_info")

    run(evening())


def test_one_connection_is_one_user() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, eve = await inn.user("ada"), await inn.user("eve")
            await ada.says("login", username="another")
            assert (await ada.hears("session_conflict"))["status_code"] == 3
            await eve.says("restored_proof", _username="ada", _token=ada.token)
            assert (await eve.hears("session_conflict"))["status_code"] == 3
            assert free(inn, "another") and not free(inn, "ada") and not free(inn, "eve")
            for user in (ada, eve):
                await user.says("get_entry_info", _token=user.token)
                await user.hears("entry_info")

    run(evening())


BAD_NAMES = [None, "", " ", " ada", "ada ", 5, True, ["ada"], {"a": 1}, "x" * 65, "a\x07", "a\nb", "\u200b", "a\u202eb"]


def test_a_name_is_a_short_plain_text() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            guest = await inn.guest()
            for name in BAD_NAMES:
                await guest.says("login", username=name)
                assert (await guest.hears("error"))["code"] == "bad_login", name
            await guest.says("login")
            assert (await guest.hears("error"))["code"] == "bad_login"
            assert inn.halls._users == {}
            await guest.login("Ada Lovelace, 12 \u00b5" + "x" * 46)

    run(evening())


def test_the_name_of_a_client_that_goes_without_a_seat_is_free() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            for how in (Guest.drop, Guest.leave):
                ada = await inn.user("ada")
                await how(ada)
                await until(lambda: free(inn, "ada"))
                other = await inn.guest()
                await other.says("restored_proof", _username="ada", _token=ada.token)
                await other.hears("restored_proof_invalid")
                assert (await other.login("ada"))["token"] != ada.token
                await other.leave()
                await until(lambda: free(inn, "ada"))

    run(evening())


def test_the_name_of_a_client_that_waits_for_a_game_is_free_when_it_goes_and_so_is_the_seat() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada = await inn.player("ada")
            await ada.drop()
            await until(lambda: free(inn, "ada"))
            bob, cleo = await inn.player("bob"), await inn.player("cleo")
            start = await bob.hears("game_start")
            assert start["player_list"] == ["bob", "cleo"]
            await cleo.hears("game_start")

    run(evening())


def test_nobody_gets_the_name_of_somebody_who_has_lost_the_connection_in_a_game() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, bob = await inn.player("ada"), await inn.player("bob")
            await ada.hears("start_proposal")
            await ada.drop()
            await bob.hears("player_leave_room", playername="ada")
            thief = await inn.guest()
            for claim in ({}, {"token": ada.token}, {"_token": ada.token}):
                await thief.says("login", username="ada", **claim)
                assert (await thief.hears("username_conflict"))["status_code"] == 2
            again = await inn.back(ada)
            await again.plays("submit_proposal", proposal={"self": "ada", "partner": "bob"})
            await bob.hears("proposal")

    run(evening())


def test_the_name_of_a_client_that_does_not_come_back_is_free_after_the_game() -> None:
    async def evening() -> None:
        async with Inn(return_s=0.1) as inn:
            ada, bob = await inn.player("ada"), await inn.player("bob")
            await ada.hears("start_proposal")
            await ada.drop()
            await bob.hears("player_leave_room", reason="dead")
            assert not free(inn, "ada"), "the seat is still there"
            await bob.drop()
            played = await inn.next()
            assert played.match.gone == {0: "dead", 1: "dead"}
            await until(lambda: free(inn, "ada") and free(inn, "bob"))
            await inn.user("ada")

    run(evening())


def test_there_are_not_more_users_than_we_can_bear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parlour.venues.tradecraft.socketio_halls, "MOST_USERS", 2)

    async def evening() -> None:
        async with Inn() as inn:
            ada, _ = await inn.user("ada"), await inn.user("bob")
            cleo = await inn.guest()
            await cleo.says("login", username="cleo")
            assert (await cleo.hears("error"))["code"] == "full"
            await ada.drop()
            await until(lambda: free(inn, "ada"))
            await cleo.login("cleo")

    run(evening())


# Halls


def test_the_entry_lists_the_halls() -> None:
    async def evening() -> None:
        async with Inn(halls=("one", "two")) as inn:
            ada = await inn.player("ada", "one")
            counts = {"ongoing_games": 0, "ingame_players": 0, "available_players": 1}
            await ada.says("get_entry_info", _token=ada.token)
            assert (await ada.hears("entry_info"))["halls"] == [
                ["one", "tradeCraft for 2", counts],
                ["two", "tradeCraft for 2", {**counts, "available_players": 0}],
            ]
            await inn.player("bob", "one")
            await ada.hears("game_start")
            await ada.says("get_hall_info", _token=ada.token, _hallname="one")
            info = await ada.hears("hall_info")
            counts = {"ongoing_games": 1, "ingame_players": 2, "available_players": 0}
            assert info == {"hallname": "one", "general_info": ["one", "tradeCraft for 2", counts]}

    run(evening())


BAD_HALLS = [None, "nowhere", "", 5, ["hall"], {"hall": 1}, True]


def test_there_is_nothing_to_see_nor_to_enter_where_no_hall_is() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada = await inn.user("ada")
            for hall in BAD_HALLS:
                for event in ("get_hall_info", "enter_hall"):
                    await ada.says(event, _token=ada.token, _hallname=hall)
                    assert (await ada.hears("error"))["code"] == "no_such_hall", hall
            await ada.plays("ready_to_start")
            assert (await ada.hears("error"))["code"] == "not_now"

    run(evening())


def test_all_in_a_hall_are_told_who_comes_and_goes_and_nobody_else_is() -> None:
    async def evening() -> None:
        async with Inn(halls=("one", "two")) as inn:
            ada, bob, cleo = [await inn.user(name) for name in ("ada", "bob", "cleo")]
            await cleo.says("enter_hall", _token=cleo.token, _hallname="two")
            for guest in (ada, bob):
                await guest.says("enter_hall", _token=guest.token, _hallname="one")
                await guest.hears("player_enter_room")
            came = await ada.hears("player_enter_room")
            assert came == {
                "gamename": "one",
                "playername": "bob",
                "player_list": ["ada", "bob"],
                "type": "Game",
                "craft_rule_choice": "minecraft",
                "craft_rule_prefix": "minecraft",
            }
            await bob.says("enter_hall", _token=bob.token, _hallname="two")
            await bob.hears("player_enter_room", gamename="two")
            left = await ada.hears("player_leave_room")
            assert (left["playername"], left["player_list"]) == ("bob", ["ada"])
            await bob.drop()
            await cleo.hears("player_leave_room", playername="bob", player_list=["cleo"])
            assert [body["playername"] for body in cleo.told("player_enter_room")] == ["cleo", "bob"]
            assert len(ada.told("player_leave_room")) == 1

    run(evening())


def test_a_user_changes_halls_only_so_often() -> None:
    async def evening() -> None:
        async with Inn(halls=("one", "two")) as inn:
            ada, bob = await inn.user("ada"), await inn.user("bob")
            for guest in (bob, ada):
                await guest.says("enter_hall", _token=guest.token, _hallname="one")
                await guest.hears("player_enter_room")
            for move in range(MOVES_A_MINUTE + 1):
                await ada.says("enter_hall", _token=ada.token, _hallname=("two", "one")[move % 2])
            assert (await ada.hears("error"))["code"] == "too_many_tries"
            assert len(ada.told("player_enter_room")) == 1 + MOVES_A_MINUTE
            assert [user.hall for user in inn.halls._users.values()] == ["one", "one"]
            await bob.says("enter_hall", _token=bob.token, _hallname="two")
            await bob.hears("player_enter_room", gamename="two")
            assert len(bob.told("player_leave_room")) == MOVES_A_MINUTE // 2

    run(evening())


def test_a_client_that_enters_where_it_is_already_bothers_nobody() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, bob = await inn.user("ada"), await inn.user("bob")
            for guest in (ada, bob):
                await guest.says("enter_hall", _token=guest.token, _hallname=HALL)
            for _ in range(3):
                await bob.says("enter_hall", _token=bob.token, _hallname=HALL)
            await until(lambda: len(bob.told("player_enter_room")) == 4)
            assert len(ada.told("player_enter_room")) == 2

    run(evening())


def test_a_client_that_is_ready_is_so_once() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada = await inn.player("ada")
            for _ in range(3):
                await ada.plays("ready_to_start")
                assert (await ada.hears("error"))["code"] == "not_now"
            await ada.says("enter_hall", _token=ada.token, _hallname=HALL)
            assert (await ada.hears("error"))["code"] == "not_now"
            assert len(ada.told("player_ready_to_start")) == 1 and ada.told("game_start") == []

    run(evening())


def test_whatever_is_played_before_being_ready_is_a_phase_error() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada = await inn.user("ada")
            for event in EVENTS:
                if event.startswith("player__") and event != "player__ready_to_start":
                    await ada.says(event, token=ada.token, gamename="any", proposal={"partner": "bob"})
                    told = await ada.hears("phase_error")
                    assert told == {
                        "gamename": "any",
                        "proposal": {"partner": "bob"},
                        "phase": "lobby",
                        "incoming_event": event,
                    }

    run(evening())


def test_there_is_nothing_to_evaluate() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada = await inn.user("ada")
            for event in ("test", "test_status", "connect_to_server", "anything", "", "message", "unreadable", "*"):
                await ada.says(event, _token=ada.token, script="__import__('os').abort()")
                assert (await ada.hears("error"))["code"] in ("bad_event", "bad_message"), event

    run(evening())


def test_pages_of_others_cannot_use_a_hall() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            stranger = Guest()
            with pytest.raises(socketio.exceptions.ConnectionError):
                await stranger.connect(inn.web, headers={"Origin": "http://elsewhere.example"})
            await stranger.leave()
            await inn.guest(headers={"Origin": f"http://127.0.0.1:{inn.web}"})

    run(evening())

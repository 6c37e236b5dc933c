"""The holder of the token has the name and the seat, and no other client has."""

from typing import Any

from tests.players.clients import run
from tests.server.guests import HALL, Inn
from tests.server.hall_moves import EVENTS


def test_every_event_needs_the_token_of_its_own_connection() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            stranger, ada, bob = await inn.guest(), await inn.user("ada"), await inn.user("bob")
            bad: list[Any] = [
                bob.token,
                None,
                "",
                "guessed",
                ada.token[:-1],
                ada.token + "x",
                [ada.token],
                {"t": 1},
                5,
                True,
                "\u00e9",
            ]
            for token in bad:
                for key in ("_token", "token"):
                    await ada.says("player__ready_to_start", {key: token})
                    assert (await ada.hears("error"))["code"] == "bad_token", token
            for event in EVENTS:
                await ada.says(event, _token=bob.token, _hallname=HALL)
                assert (await ada.hears("error"))["code"] == "bad_token", event
                await ada.says(event, _hallname=HALL)
                assert (await ada.hears("error"))["code"] == "bad_token", event
                await stranger.says(event, _token=ada.token, token=ada.token, _hallname=HALL)
                assert (await stranger.hears("error"))["code"] == "bad_token", event
            assert inn.halls._users["ada"].hall is None and inn.halls._users["ada"].seat is None
            assert {event for event, _ in ada.heard[2:]} == {"server__error"}

    run(evening())


BAD_PROOFS: list[dict[str, Any]] = [
    {},
    {"_username": "ada"},
    {"_username": "ada", "_token": ""},
    {"_username": "ada", "_token": "guessed"},
    {"_username": "ada", "_token": None},
    {"_username": "ada", "_token": ["x"]},
    {"_username": ["ada"], "_token": "x"},
    {"_username": {"ada": 1}, "_token": "x"},
    {"_username": "nobody", "_token": "x"},
]


def test_only_the_right_token_restores_a_name() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, bob, thief = await inn.player("ada"), await inn.player("bob"), await inn.guest()
            await ada.drop()
            await bob.hears("player_leave_room", playername="ada")
            for proof in [*BAD_PROOFS, {"_username": "ada", "_token": bob.token}]:
                await thief.says("restored_proof", **proof)
                await thief.hears("restored_proof_invalid")
            await thief.says("get_entry_info", _token=ada.token)
            assert (await thief.hears("error"))["code"] == "bad_token"
            again = await inn.back(ada)
            assert await again.hears("game_restored") == {"gamename": HALL, "gametype": "Game"}

    run(evening())


def test_a_client_that_was_in_no_game_is_restored_to_the_entry() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada = await inn.user("ada")
            again = await inn.back(ada)
            assert (await again.hears("game_restored"))["gametype"] == "MainEntry"
            await again.ready()

    run(evening())


def test_of_two_connections_of_one_user_the_later_counts() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            before, bob = await inn.player("ada"), await inn.player("bob")
            await before.hears("start_proposal")
            later = await inn.back(before)
            await later.hears("start_proposal")
            told = len(before.heard)
            await before.plays("submit_proposal", proposal={"partner": "bob"})
            assert (await before.hears("error"))["code"] == "bad_token"
            await later.plays("submit_proposal", proposal={"partner": "bob"})
            await later.hears("proposal_sent")
            await bob.hears("proposal")
            assert len(before.heard) == told + 1, "it is told nothing any more"
            await before.leave()
            await bob.plays("approval_or_reject", decision="reject")
            await later.hears("proposal_rejected")
            assert inn.halls._users["ada"].client is not None
            assert not inn.lost() and not inn.match.gone

    run(evening())


def test_restoring_again_and_again_costs_no_seat() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, bob = await inn.player("ada"), await inn.player("bob")
            await ada.hears("start_proposal")
            guests = [await inn.guest() for _ in range(5)]
            for guest in guests:
                await guest.says("restored_proof", _username="ada", _token=ada.token)
            for guest in guests:
                await guest.hears("login_success")
            last = await inn.back(ada)
            await last.hears("start_proposal")
            await last.plays("submit_proposal", proposal={"partner": "bob"})
            await bob.hears("proposal")
            assert not inn.match.gone

    run(evening())


def test_a_client_that_waits_for_a_game_and_connects_anew_has_one_seat() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            before = await inn.player("ada")
            later = await inn.back(before)
            bob = await inn.player("bob")
            for guest in (later, bob):
                assert (await guest.hears("game_start"))["player_list"] == ["ada", "bob"]

    run(evening())

"""A client that guesses passwords of rooms is refused for a while, and the checks delay no other client."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from parlour.protocol.errors import RequestError
from parlour.server.net.attempts import Attempts
from parlour.store import passwords as accounts
from parlour.store.passwords import hashed
from parlour.venues.colorfight import admission
from parlour.venues.colorfight import room_keys as guesses
from parlour.venues.colorfight.room_keys import Guesses, Key
from tests.players.test_calls import DONE
from tests.server.arenas import Hall, House, Seat, evening
from tests.server.kept_house import KeptHouse
from tests.server.visitors import House as Rooms
from tests.server.visitors import refused
from tests.turned import run, settle, turn

WRONG = refused("You need the correct join key for the room")
ENOUGH = refused("at most 3 tries in 60 s")


def three() -> Attempts:
    return Attempts(3)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


# Keys


def test_a_client_that_guesses_at_a_key_is_not_heard_even_when_it_is_right(file: Path) -> None:
    async def work() -> None:
        async with KeptHouse(file, tries=three()) as house:
            await house.post("/creategameroom", gameroom_id="r", join_key="friend")
            said = [await (await house.actor("/gameroom/r")).register("eve", join_key=f"guess {n}") for n in range(3)]
            assert said == [WRONG] * 3
            actor = await house.actor("/gameroom/r")
            assert await actor.register("eve", join_key="friend") == ENOUGH
            assert (await (await house.actor()).register("eve"))["success"], "a room without a key has nothing to guess"
            turn(61)
            assert (await actor.register("eve", join_key="friend"))["success"]

    run(work())


def test_a_client_that_knows_the_key_is_not_counted(file: Path) -> None:
    async def work() -> None:
        async with KeptHouse(file, tries=three()) as house:
            await house.post("/creategameroom", gameroom_id="r", join_key="friend")
            actors = [await house.actor("/gameroom/r") for _ in range(8)]
            said = [actor.register(f"p{n}", join_key="friend") for n, actor in enumerate(actors)]
            assert all(reply["success"] for reply in await asyncio.gather(*said)), "though they all came at once"

    run(work())


def test_a_key_that_somebody_has_said_is_quickly_known_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        key = Key("r", hashed("friend"), Guesses())
        assert not await key.fits("fiend", "") and await key.fits("friend", "")

        async def slow(*args: Any) -> bool:
            raise AssertionError("nobody is to wait again")

        monkeypatch.setattr(guesses, "fits_in_thread", slow)
        assert await key.fits("friend", "") and not await key.fits("fiend", "") and not await key.fits("", "")

    run(work())


def test_guesses_are_counted_by_where_they_come_from() -> None:
    async def work() -> None:
        counted = Guesses(three())
        key = Key("r", hashed("friend"), counted)
        for _ in range(3):
            assert not await key.fits("guess", "10.0.0.1")
        with pytest.raises(RequestError, match="at most 3 tries"):
            await key.fits("friend", "10.0.0.1")
        assert await key.fits("friend", "10.0.0.2")
        assert await Key("other", hashed("friend"), counted).fits("friend", "10.0.0.1"), "another room, another key"

    run(work())


def test_a_key_is_not_guessed_over_protocol_1_either(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        said = {"gameroom_id": "club", "config": "duel", "join_key": "sesame"}
        assert (await hall.http.post("/creategameroom", json=said)).json()["success"]
        words = []
        for key in ("a", "b", "c", "sesame"):
            async with hall.connect("/play/colorfight/club") as line:
                seat = Seat(line)
                await seat.hello("ada", about={"join_key": key})
                told = await seat.hear("error")
                assert told["code"] == "not_admitted"
                words.append(told["words"])
        assert words == [WRONG["err_msg"]] * 3 + [ENOUGH["err_msg"]]
        assert await hall.store.accounts() == [], "who is not let in is nobody"

    evening(House(tmp_path, rooms=15, tries_a_minute=3, log="off"), work)


# Passwords


def test_the_password_of_a_user_is_not_guessed(file: Path) -> None:
    """The password is valid for this game only."""

    async def work() -> None:
        async with KeptHouse(file, tries=three()) as house:
            ada = await house.player("ada")
            said = await asyncio.gather(*[(await house.actor()).register("ada", f"guess {n}") for n in range(6)])
            assert said.count(refused("Username exists")) == 3 == said.count(ENOUGH), "many at once are many"
            assert (await (await house.actor()).register("bob"))["uid"] == 2 and await ada.command("x") == DONE
            turn(61)
            assert (await ada.register("ada"))["uid"] == 1

    run(work())


def test_a_password_that_is_right_is_not_counted(file: Path) -> None:
    async def work() -> None:
        async with KeptHouse(file, tries=three()) as house:
            ada = await house.player("ada")
            assert [(await ada.register("ada"))["uid"] for _ in range(9)] == [1] * 9

    run(work())


def test_the_password_of_the_administrator_of_rooms_is_not_guessed() -> None:
    async def work() -> None:
        async with Rooms(admin_password="swordfish", tries=three()) as house:
            said = [await house.post("/start", gameroom_id="public", admin_password=f"guess {n}") for n in range(3)]
            assert said == [refused("Wrong password")] * 3
            right = {"gameroom_id": "public", "admin_password": "swordfish"}
            for path in ("/start", "/deletegameroom"):
                assert await house.post(path, **right) == ENOUGH
            assert await house.post("/restart", **right, config={}) == ENOUGH
            turn(61)
            assert await house.post("/restart", **right, config={}) == DONE

    run(work())


# Nobody waits


@pytest.mark.parametrize("known", [False, True], ids=["a new user", "a user who comes again"])
def test_nobody_waits_for_anothers_password(file: Path, known: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        async with KeptHouse(file) as house:
            if known:
                await house.player("ada", password="slow")
            reached, going = asyncio.Event(), asyncio.Event()

            def slowly(quick: Any) -> Any:
                async def checked(password: str, *hash: str) -> Any:
                    if password == "slow":
                        reached.set()
                        await going.wait()
                    return await quick(password, *hash)

                return checked

            monkeypatch.setattr(admission, "hashed_in_thread", slowly(accounts.hashed_in_thread))
            monkeypatch.setattr(guesses, "fits_in_thread", slowly(accounts.fits_in_thread))
            ada = asyncio.ensure_future((await house.actor()).register("ada", "slow"))
            await reached.wait()
            assert (await (await house.actor()).register("bob"))["uid"] == 1 + known
            assert not ada.done()
            going.set()
            assert (await ada)["uid"] == (1 if known else 2)

    run(work())


def test_a_user_who_comes_by_two_sockets_at_once_is_one(file: Path) -> None:
    async def work() -> None:
        async with KeptHouse(file) as house:
            actors = [await house.actor() for _ in range(4)]
            said = await asyncio.gather(*(actor.register("ada") for actor in actors))
            assert [reply["uid"] for reply in said] == [1] * 4
            others = await asyncio.gather(*(actor.register("eve", f"of {n}") for n, actor in enumerate(actors)))
            assert sum(reply["success"] for reply in others) == 1, "and who has another password is another"
            await settle()
            assert house.game().match.names == ["ada", "eve"]

    run(work())

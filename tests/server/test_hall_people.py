"""People of the page and users of Socket.IO meet in the halls of tradeCraft."""

from pathlib import Path
from typing import Any

import pytest

from parlour.games.tradecraft.book import DIGEST, makers, tag
from tests.server.arenas import Hall, House, Seat, evening
from tests.server.guests import Guest

TWO = "2-player-pool-matching"


async def hall_of(hall: Hall, seats: int) -> dict[str, Any]:
    """A hall, as anybody sees it."""
    halls = (await hall.get("/halls")).json()["halls"]
    assert [each["seats"] for each in halls] == [2, 3, 4, 5, 6]
    found: dict[str, Any] = next(each for each in halls if each["seats"] == seats)
    return found


def test_a_user_of_socketio_and_a_person_play_together(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("ada")
        seated = (await hall.post("/queue/tradecraft", token, seats=2, about={"kind": "person"})).json()
        assert await hall_of(hall, 2) == {"name": TWO, "seats": 2, "playing": 0, "waiting": 1}
        async with hall.connect(f"/play/tradecraft/{seated['table']}", token) as line:
            ada, bob = Seat(line), Guest()
            await ada.hello("ada")
            await bob.connect(hall.serving.port)
            await bob.login("bob")
            await bob.ready(TWO)
            assert (await bob.hears("game_start"))["player_list"] == ["ada", "bob"]
            assert await hall_of(hall, 2) == {"name": TWO, "seats": 2, "playing": 1, "waiting": 0}
            assert (await hall_of(hall, 3))["playing"] == 0

            asked = await ada.hear("ask")
            words = {"partner": 1, "message": "come to my hall"}
            await ada.say(type="answer", id=asked["id"], action={"type": "Propose", **words})
            assert (await bob.hears("proposal"))["message"] == "come to my hall"
            await bob.plays("approval_or_reject", decision="reject", message="gladly")
            while (await ada.hear("event"))["event"]["type"] != "Answered":
                pass
            assert ada.heard[-1]["event"]["message"] == "gladly"
            await bob.plays("quit_game")
            await ada.say(type="leave")
            assert (await hall.over(seated["table"]))["seats"][1]["name"] == "bob"
            assert (await hall_of(hall, 2))["playing"] == 0
            await bob.leave()

    evening(House(tmp_path, log="off"), work)


def test_a_hall_has_tables_of_its_size_only(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        ada, bob, eve = [await hall.account(name) for name in ("ada", "bob", "eve")]
        three = (await hall.post("/queue/tradecraft", ada, seats=3)).json()
        two = (await hall.post("/queue/tradecraft", bob, seats=2)).json()
        again = (await hall.post("/queue/tradecraft", eve, seats=3)).json()
        assert three["table"] == again["table"] != two["table"]
        assert [(await hall_of(hall, seats))["waiting"] for seats in (2, 3, 4)] == [1, 2, 0]
        assert len((await hall.get(f"/matches/{three['table']}")).json()["seats"]) == 3
        any_size = await hall.post("/queue/tradecraft", await hall.guest())
        assert any_size.json()["table"] in (two["table"], three["table"]), "without a size, any table will do"

    evening(House(tmp_path, log="off"), work)


@pytest.mark.parametrize("seats", [0, -1, 7, 1000, 10**30, "two", 2.5, True, [2]], ids=repr)
def test_a_size_that_there_is_not_is_refused(tmp_path: Path, seats: Any) -> None:
    async def work(hall: Hall) -> None:
        said = await hall.post("/queue/tradecraft", await hall.guest(), seats=seats)
        assert said.status_code == 400 and said.json()["code"] in ("bad_seats", "bad_request")
        assert sum(each["waiting"] for each in (await hall.get("/halls")).json()["halls"]) == 0

    evening(House(tmp_path, log="off"), work)


def test_tables_with_bots_and_of_other_games_are_in_no_hall(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        await hall.table(ada, "tradecraft", "open", "planner")
        await hall.post("/queue/forsale", ada)
        halls = (await hall.get("/halls")).json()["halls"]
        assert {(each["playing"], each["waiting"]) for each in halls} == {(0, 0)}
        assert (await hall.post("/queue/forsale", ada, seats=2)).json()["code"] == "bad_seats", "it has three to six"

    evening(House(tmp_path, log="off"), work)


def test_the_recipe_book_is_sent_once(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        first = await hall.get("/recipes")
        book = first.json()
        assert book["digest"] == DIGEST and first.headers["content-encoding"] == "gzip"
        torch = [each for each in book["recipes"] if each["product"] == "torch"]
        assert len(torch) == len(makers("torch"))
        assert (torch[0]["input"], torch[0]["count"]) == ({"charcoal|coal": 1, "stick": 1}, 4)
        assert book["fuels"]["coal"] == 8 * book["smelt"] and book["containers"]["milk_bucket"] == "bucket"
        assert book["tags"]["planks"] == sorted(tag("planks"))
        known = {"If-None-Match": first.headers["etag"]}
        assert (await hall.http.get("/api/recipes", headers=known)).status_code == 304

    evening(House(tmp_path, log="off"), work)

"""Asking a bot again in a position of a finished match: it answers, and no match is changed."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from parlour.client import Client
from parlour.games import game
from parlour.players.player_specs import load
from parlour.server.api import authors as again_routes
from tests.server.arenas import Hall, House, Seat, evening
from tests.server.authors import Author, played, seated, waiting
from tests.server.test_bot_stderr import LOUD


class Replay:
    """A finished match of Ada and Bob, and a frame in which Ada was asked."""

    def __init__(self, hall: Hall, ada: str, bob: str, match: str) -> None:
        self.hall, self.ada, self.bob, self.match = hall, ada, bob, match
        self.seat = self.frame = -1

    async def find(self) -> "Replay":
        matches = (await self.hall.get("/me/matches", self.ada)).json()["matches"]
        [self.seat] = [own["seat"] for own in matches if own["match"]["id"] == self.match]
        frames = (await self.hall.get(f"/matches/{self.match}/frames")).json()["frames"]
        self.frame = next(frame["n"] for frame in frames if frame["by"] == self.seat) - 1
        return self

    def again(self, token: str | None = None, **body: Any) -> "asyncio.Task[httpx.Response]":
        asked = self.hall.post(f"/matches/{self.match}/again", token or self.ada, **{"frame": self.frame, **body})
        return asyncio.create_task(asked)


@asynccontextmanager
async def replay(hall: Hall) -> AsyncIterator[Replay]:
    ada, bob = await hall.account("ada"), await hall.account("bob")
    yield await Replay(hall, ada, bob, await played(hall, ada, bob)).find()


async def code(asked: "asyncio.Task[httpx.Response]") -> str:
    found: str = (await asked).json().get("code", "")
    return found


def test_a_bot_is_asked_again_and_whatever_it_says_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def check(it: Replay, bot: Author) -> None:
        before = (await it.hall.get(f"/matches/{it.match}/transcript")).content
        asked = it.again()
        told = await bot.seat.hear("again")
        assert (told["seat"], len(told["players"])) == (it.seat, 3) and told["view"]["seat"] == it.seat
        assert await code(it.again()) == "busy"
        first = told["ask"]["choices"][0]
        await bot.seat.say(type="again", id=told["id"] + 1, action=first)  # another id
        await bot.seat.say(type="answer", id=told["id"], action=first)  # no `again`
        await bot.seat.say(type="again", id=told["id"], action=first)
        await bot.seat.say(type="again", id=told["id"], action={"type": "twice"})
        said = (await asked).json()
        assert said["legal"] and said["action"] == first == said["recorded"] and said["why"] is None, said
        assert said["words"]
        for wrong in ({"type": "Bid", "amount": 10**6}, {"type": "Nonsense"}, 7):
            asked = it.again()
            await bot.seat.say(type="again", id=(await bot.seat.hear("again"))["id"], action=wrong)
            said = (await asked).json()
            assert not said["legal"] and said["why"] and said["words"] is None and said["action"] == wrong
        asked = it.again()
        id = (await bot.seat.hear("again"))["id"]
        await bot.seat.line.send(f'{{"type": "again", "id": {id}, "action": 1e999}}')
        said = (await asked).json()
        assert (said["legal"], said["action"]) == (False, None) and "out of range" in said["why"]
        monkeypatch.setattr(again_routes, "AGAIN_S", 0.05)
        late = it.again()
        told = await bot.seat.hear("again")
        assert ((await late).status_code, await code(late)) == (504, "too_slow")
        await bot.seat.say(type="again", id=told["id"], action=first)
        assert await code(it.again()) == "too_slow"
        assert (await it.hall.get(f"/matches/{it.match}/transcript")).content == before

    async def work(hall: Hall) -> None:
        async with replay(hall) as it, waiting(hall, it.ada, again=True) as bot:
            [own, *_] = (await hall.get("/me/seats", it.ada)).json()["seats"]
            assert (own["state"], own["takes_again"]) == ("waiting", True)
            await check(it, bot)
            waited = it.again()
            await bot.seat.hear("again")
            await bot.seat.line.close()
            assert await code(waited) in ("no_bot", "too_slow")

    evening(House(tmp_path), work)


def test_when_a_bot_may_be_asked_again(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        async with replay(hall) as it:
            path, eve, admin = f"/matches/{it.match}/again", await hall.account("eve"), await hall.admin()
            assert await code(it.again()) == "no_bot"
            async with waiting(hall, it.ada), waiting(hall, it.bob, again=True):  # Ada's does not take it
                assert await code(it.again()) == "no_bot"
            async with waiting(hall, it.ada, again=True):
                for token in (eve, admin, await hall.guest()):
                    assert await code(it.again(token)) == "not_yours"
                assert await code(it.again(it.bob, seat=it.seat)) == "not_yours"
                total = (await hall.get(f"/matches/{it.match}/timeline")).json()["total"]
                assert await code(it.again(frame=total - 1)) == "nothing_asked"
                assert await code(it.again(frame=total)) == "bad_range"
                bodies: list[Any] = [{"frame": -1}, {"frame": "one"}, {}, {"frame": 0, "more": 1}, [], None]
                for body in bodies:
                    said = await hall.http.post(f"/api{path}", json=body, headers={"Authorization": f"Bearer {it.ada}"})
                    assert said.status_code == 400, body
                assert (await hall.post(path, frame=0)).status_code == 401
                host = (await hall.post("/tokens", it.ada, scopes=["host"])).json()["token"]
                assert await code(it.again(host)) == "scope_needed"
                assert (await hall.post("/matches/none/again", it.ada, frame=0)).status_code == 404
                headers = {"Authorization": f"Bearer {it.ada}", "Content-Type": "text/plain"}
                assert (await hall.http.post(f"/api{path}", content="x", headers=headers)).status_code == 415
            async with seated(hall, it.ada, it.bob) as (running, _):
                said = await hall.post(f"/matches/{running.table}/again", it.ada, frame=0)
                assert said.json()["code"] == "not_over"

    evening(House(tmp_path), work)


def test_a_bot_in_a_match_is_asked_only_while_it_has_nothing_to_decide(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        async with replay(hall) as it, seated(hall, it.ada, it.bob, again=True) as (one, other):
            asked = asyncio.create_task(one.seat.hear("ask")), asyncio.create_task(other.seat.hear("ask"))
            done, rest = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
            [turn] = done
            decides, waits = (one, other) if turn is asked[0] else (other, one)
            for task in rest:
                task.cancel()
            busy, idle = [await Replay(hall, token, "", it.match).find() for token in (decides.token, waits.token)]
            assert await code(busy.again()) == "no_bot"
            wanted = idle.again()
            told = await waits.seat.hear("again")
            await waits.seat.say(type="again", id=told["id"], action=told["ask"]["choices"][0])
            assert (await wanted).json()["legal"]
            plays = [decides.seat.say(type="answer", id=turn.result()["id"], action=turn.result()["ask"]["choices"][0])]
            await asyncio.gather(*plays, one.play(), other.play())
            await hall.over(one.table)
            assert (await hall.proof(one.table)).holds == "yes"
            assert b"again" not in (await hall.get(f"/matches/{one.table}/transcript")).content

    evening(House(tmp_path), work)


def test_programs_and_python_bots_of_the_client_answer(tmp_path: Path) -> None:
    (tmp_path / "loud.py").write_text(LOUD)
    command = load(game("forsale"), f"exec:{sys.executable} {tmp_path / 'loud.py'}")

    class Stateful:
        """Remembers its seat; another one is asked again."""

        seats: list[int] = []

        def sit(self, place: Any) -> None:
            self.seats.append(place.seat)

        def __call__(self, view: Any, ask: Any, dice: Any) -> Any:
            return ask.choices[-1]

    async def work(hall: Hall) -> None:
        async with replay(hall) as it:
            for bot in (command, Stateful):
                table = (await hall.table(it.ada, "forsale", "open", "open", "random"))["table"]["id"]
                playing = asyncio.create_task(Client(hall.url, it.ada).play_async("forsale", bot, table=table))
                async with asyncio.timeout(30):
                    while (said := (await it.again()).json()).get("code") == "no_bot":
                        await asyncio.sleep(0.02)
                assert said["legal"], said
                async with hall.connect(f"/play/forsale/{table}", it.bob) as line:
                    other = Author(hall, it.bob, Seat(line), table)
                    await other.seat.hello("bob")
                    await other.play()
                    assert (await playing).faults == {}
        assert len(Stateful.seats) == 2

    evening(House(tmp_path), work)

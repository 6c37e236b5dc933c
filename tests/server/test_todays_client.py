"""The behaviour of today's public Python client: the fields that it reads, its waits, and its end."""

import asyncio
import json
from collections import deque
from typing import Any

from websockets.asyncio.client import ClientConnection

from parlour.games.colorfight.values import Options
from parlour.venues.colorfight.room_config import Config
from tests.players.test_calls import DONE, ENDED
from tests.server.visitors import LONG_S, PUBLIC, House, refused
from tests.turned import SOON_S, run, until

MAP_SIZE = 30
"""It ignores the size in a frame when it looks for neighbours."""
OVER = refused(ENDED)
REGISTER_S = 2.0
"""How long it waits for its uid."""


class Cell:
    """All values of a cell, under the names in the headers."""

    def __init__(self, values: dict[str, Any]) -> None:
        for name, value in values.items():
            setattr(self, name, value)
        self.position: tuple[int, int] = (values["position"][0], values["position"][1])
        self.kind, self.level = values["building"]

    @property
    def is_home(self) -> bool:
        return bool(self.kind == "h")

    @property
    def is_empty(self) -> bool:
        return bool(self.kind == " ")

    def neighbours(self) -> list[tuple[int, int]]:
        x, y = self.position
        around = [(x, y - 1), (x, y + 1), (x - 1, y), (x + 1, y)]
        return [(a, b) for a, b in around if 0 <= a < MAP_SIZE and 0 <= b < MAP_SIZE]


class User:
    """All values of a user."""

    def __init__(self, values: dict[str, Any], cells: dict[tuple[int, int], Cell]) -> None:
        for name, value in values.items():
            setattr(self, name, value)
        self.energy, self.gold, self.tech_level = values["energy"], values["gold"], values["tech_level"]
        self.own = [cells[x, y] for x, y in values["cells"]]


class Client:
    """It queues frames, and uses only the newest."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.uid = 0
        self.turn = 0
        self.first_game_id: str | None = None
        self.error: list[str] = []
        self.turns: list[int] = []
        self.replies: list[dict[str, Any]] = []
        self.cells: dict[tuple[int, int], Cell] = {}
        self._frames: deque[str | bytes] = deque()

    async def connect(self, house: House) -> None:
        """Three connections in all: the list of rooms, and two channels."""
        assert (await house.list())["public"].keys() >= {"player_number", "max_player", "turn", "max_turn", "rank"}
        self._shows = await house.connect(f"{PUBLIC}/game_channel")
        self._takes = await house.connect(f"{PUBLIC}/action_channel", ping_interval=0.1)
        self._listening = asyncio.ensure_future(self._listen(self._shows))
        self._frame(await self._newest())

    async def _listen(self, shows: ClientConnection) -> None:
        async for frame in shows:
            self._frames.append(frame)

    async def register(self) -> bool:
        async with asyncio.timeout(SOON_S):
            asked = {"action": "register", "username": self.name, "password": "pass", "join_key": ""}
            reply = await self._ask(asked)
        if "err_msg" not in reply:
            self.uid = reply["uid"]
        return "err_msg" not in reply

    async def update_turn(self) -> bool:
        """Wait for a new turn; False if the frame is of another game."""
        while True:
            frame = await self._newest()
            if frame["info"]["game_id"] != self.first_game_id:
                return False
            if frame["turn"] != self.turn:
                self._frame(frame)
                self.turns.append(self.turn)
                return True

    async def _newest(self) -> dict[str, Any]:
        while not self._frames:  # as long as it takes
            await asyncio.sleep(0.005)
        frame: dict[str, Any] = json.loads(self._frames.pop())
        self._frames.clear()
        return frame

    def _frame(self, frame: dict[str, Any]) -> None:
        """It makes an attribute of each key of `info`, so no key may have the name of another attribute."""
        assert frame["info"]["game_version"] == 2
        for name, value in frame["info"].items():
            assert not hasattr(type(self), name) and name not in ("uid", "turn", "me", "users", "error", "cells"), name
            setattr(self, name, value)
        self.turn = frame["turn"]
        self.first_game_id = self.first_game_id or frame["info"]["game_id"]
        headers = frame["game_map"]["headers"]
        cells = [Cell(dict(zip(headers, cell, strict=True))) for row in frame["game_map"]["data"] for cell in row]
        self.cells = {cell.position: cell for cell in cells}
        self.users = {int(uid): User(values, self.cells) for uid, values in frame["users"].items()}
        self.error = frame["error"].get(str(self.uid), [])

    async def send(self, orders: list[str]) -> None:
        """Send orders, and wait for the reply without a time limit."""
        self.replies.append(await self._ask({"action": "command", "cmd_list": orders}))

    async def _ask(self, message: dict[str, Any]) -> dict[str, Any]:
        await self._takes.send(json.dumps(message))
        reply: dict[str, Any] = json.loads(await self._takes.recv())
        return reply

    def orders(self) -> list[str]:
        """Attack cells that it can pay for, and build on its own."""
        me, orders = self.users[self.uid], []
        energy, gold = me.energy, me.gold
        for cell in me.own:
            for x, y in cell.neighbours():
                target = vars(self.cells[x, y])
                if target["attack_cost"] <= energy and target["owner"] != self.uid:
                    orders.append(f"a {x} {y} {target['attack_cost']}")
                    energy -= target["attack_cost"]
            if cell.is_empty and gold >= 100:
                orders.append(f"b {cell.position[0]} {cell.position[1]} f")
                gold -= 100
        return orders

    async def play_a_game(self) -> None:
        while await self.update_turn():
            await self.send(self.orders())

    async def disconnect(self) -> None:
        async with asyncio.timeout(SOON_S):
            await self._shows.close()
            await self._takes.close()
        self._listening.cancel()
        await asyncio.gather(self._listening, return_exceptions=True)


DUEL = Config(options=Options(round_time=0.2, max_turn=25), first_round_time="full", max_player=2, finish_time=LONG_S)
"""Played by the real clock, except for the time between two games."""


def test_it_plays_a_whole_game_and_ends_when_there_is_another() -> None:
    async def evening() -> None:
        async with House(DUEL) as house:
            clients = [Client("ada"), Client("bob")]
            for client in clients:
                await client.connect(house)
                assert await client.register()
            playing = [asyncio.ensure_future(client.play_a_game()) for client in clients]
            await until(lambda: all(client.turn == 25 and client.replies[-1] == OVER for client in clients))
            assert not any(each.done() for each in playing), "nothing else than another game ends it"
            await house.next_game()
            async with asyncio.timeout(SOON_S):
                await asyncio.gather(*playing)
            for client in clients:
                assert client.turns == sorted(client.turns) and client.turns[-1] == 25
                assert client.replies[0] == DONE, "and after the last turn it sends one more, which comes too late"
                assert all(reply in (DONE, OVER) for reply in client.replies)
                assert len(client.users[client.uid].own) > 1
                await client.disconnect()
            assert house.holds(0)
            again = Client("bob")
            await again.connect(house)
            assert await again.register() and again.uid == 1
            await again.disconnect()

    run(evening())


def test_a_fortress_which_our_rules_do_not_have_is_a_mistake_like_any_other() -> None:
    async def evening() -> list[str]:
        async with House() as house:
            client = Client("ada")
            await client.connect(house)
            await client.register()
            await house.start()
            assert await client.update_turn()
            x, y = client.users[client.uid].own[0].position
            a, b = client.cells[x, y].neighbours()[0]
            await client.send([f"b {x} {y} f", f"b {a} {b} f"])
            await house.round()
            assert await client.update_turn()
            await client.disconnect()
            return client.error

    assert [words.split(", ")[1] for words in run(evening())] == [
        "There is a building on this cell already.",
        "You need to build on your own cell.",
    ]


def test_it_registers_in_the_time_that_it_gives_us() -> None:
    """Connecting and the reply together; on a machine that stalls, one of a few tries."""

    async def evening() -> float:
        async with House(DUEL) as house:
            loop, best = asyncio.get_running_loop(), SOON_S
            for number in range(5):
                client, before = Client(f"p{number % 2}"), loop.time()
                await client.connect(house)
                assert await client.register()
                best = min(best, loop.time() - before)
                await client.disconnect()
            return best

    assert run(evening()) < REGISTER_S

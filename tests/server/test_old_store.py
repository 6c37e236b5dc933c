"""A store that an earlier release has backed up: its matches are played on by whoever had a seat in them."""

import asyncio
import gzip
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from parlour.client import Client
from parlour.games import game
from parlour.protocol.records import now_ms
from parlour.store import schema
from parlour.store.store import Store
from parlour.venues.colorfight.room_game import RoomGame
from tests import turned
from tests.releases import STORES, named
from tests.server.arenas import Hall, House
from tests.server.guests import Guest
from tests.server.visitors import Actor
from tests.turned import turn, until

each_store = pytest.mark.parametrize("folder", STORES, ids=named)


def restored(folder: Path, to: Path) -> tuple[House, dict[str, Any]]:
    """An arena on that store, and the tokens of those who had a seat."""
    (to / "arena.db").write_bytes(gzip.decompress((folder / "store.db.gz").read_bytes()))
    kept: dict[str, Any] = json.loads((folder / "tokens.json").read_text())
    return House(to, rooms=5, admin_password="open sesame"), kept


async def played_on(hall: Hall, name: str, match: str, tokens: list[str]) -> None:
    """To its end, by all of them."""
    bot = game(name).hosting.bots["random"]
    all_of_them = (Client(hall.url, token).play_async(name, bot, table=match) for token in tokens)
    finished = await asyncio.gather(*all_of_them)
    assert {each.match for each in finished} == {match}
    assert (await hall.over(match))["state"] == "over" and (await hall.proof(match)).holds == "yes"


def played_at_least(played: RoomGame, turn: int) -> bool:
    return played.state.turn >= turn


@each_store
def test_running_matches_are_played_to_their_end_by_returning_tokens(folder: Path, tmp_path: Path) -> None:
    house, kept = restored(folder, tmp_path)

    async def evening() -> None:
        async with house.open() as hall:
            arena = hall.serving.arena
            assert arena.broken == []
            for each in kept["matches"]:
                if each["match"] not in arena.not_resumed:
                    await played_on(hall, each["game"], each["match"], [*each["tokens"].values()])
            assert (await hall.proof(kept["finished"])).holds in ("yes", "not replayed")

    turned.run(evening())


@each_store
def test_a_hall_lets_its_users_come_back(folder: Path, tmp_path: Path) -> None:
    house, kept = restored(folder, tmp_path)
    match, users = kept["hall"]["match"], kept["hall"]["users"]

    async def evening() -> None:
        async with house.open() as hall:
            if match in hall.serving.arena.not_resumed:
                return
            for name, token in users.items():
                guest = Guest()
                await guest.connect(hall.serving.port)
                await guest.says("restored_proof", _username=name, _token=token)
                assert (await guest.hears("game_restored"))["gametype"] == "Game"
                await guest.leave()
            await played_on(hall, "tradecraft", match, [*users.values()])

    turned.run(evening())


@each_store
def test_a_room_goes_on_with_its_users(folder: Path, tmp_path: Path) -> None:
    house, kept = restored(folder, tmp_path)
    public, den = kept["rooms"]

    async def evening() -> None:
        async with house.open() as hall:
            if public["match"] in hall.serving.arena.not_resumed:
                return
            rooms = hall.rooms
            assert rooms is not None and rooms.public.game is not None and rooms.get(den["room"]) is not None
            played = rooms.public.game
            assert (played.id, played.state.turn) == (public["match"], public["turn"])
            for uid, (name, password) in enumerate(public["users"].items(), start=1):
                async with hall.connect("/action_channel") as line:
                    actor = Actor(line)
                    assert (await actor.register(name, "another password"))["success"] is False
                    assert (await actor.register(name, password))["success"] is True
                    assert (await actor.command(f"a {uid} {uid} 5"))["success"] is True
            for done in range(public["turn"] + 1, public["max_turn"] + 1):
                turn(public["round_s"])
                await until(partial(played_at_least, played, done))
            assert (await hall.over(public["match"]))["state"] == "over"
            assert (await hall.proof(public["match"])).holds == "yes"

    turned.run(evening())


@each_store
def test_an_open_table_waits_on_for_the_rest(folder: Path, tmp_path: Path) -> None:
    house, kept = restored(folder, tmp_path)
    table, accounts = kept["open"]["match"], kept["accounts"]

    async def still_waiting() -> None:
        store = await Store.open(house.url)
        async with store._database.write() as connection:
            until_ms = {"waits_until_ms": now_ms() + 3_600_000}
            await connection.execute(update(schema.matches).where(schema.matches.c.id == table).values(until_ms))
        await store.close()

    async def evening() -> None:
        await still_waiting()
        async with house.open() as hall:
            if table not in hall.serving.arena.not_resumed:
                await played_on(hall, "forsale", table, [accounts[name]["token"] for name in ("ada", "bob")])

    turned.run(evening())

"""A backup of an earlier release: the owners of the seats finish its matches."""

import asyncio
import gzip
import json
import sqlite3
from contextlib import closing
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
from tests.server.arenas import Hall, House, Seat
from tests.server.guests import Guest
from tests.server.visitors import Actor
from tests.store.stored import executed
from tests.turned import turn, until

each_store = pytest.mark.parametrize("folder", STORES, ids=named)


def tokens_in(folder: Path) -> dict[str, Any]:
    """The tokens and passwords of the owners of seats, and other facts about the store."""
    kept: dict[str, Any] = json.loads((folder / "tokens.json").read_text())
    return kept


each_store_with_texts = pytest.mark.parametrize(
    "folder", [folder for folder in STORES if "texts" in tokens_in(folder)], ids=named
)


def restored(folder: Path, to: Path) -> tuple[House, dict[str, Any]]:
    """An arena with that store, and the tokens of the owners of seats."""
    (to / "arena.db").write_bytes(gzip.decompress((folder / "store.db.gz").read_bytes()))
    return House(to, rooms=5, admin_password="open sesame", chat=True, chat_days=36500), tokens_in(folder)


def lines_in(file: Path) -> dict[str, list[bytes]]:
    """All lines of a store that is not in use, by match."""
    found: dict[str, list[bytes]] = {}
    with closing(sqlite3.connect(file)) as connection:
        for match, raw in connection.execute("SELECT match, raw FROM lines ORDER BY match, n"):
            found.setdefault(match, []).append(bytes(raw))
    return found


async def played_on(hall: Hall, name: str, match: str, tokens: list[str]) -> None:
    """Let all owners play the match to its end."""
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
    before = lines_in(tmp_path / "arena.db")

    async def evening() -> None:
        async with house.open() as hall:
            arena = hall.serving.arena
            assert arena.broken == []
            assert folder.parent.name.startswith("release-") or arena.not_resumed == {}, "the rules are the same"
            for each in kept["matches"]:
                if each["match"] not in arena.not_resumed:
                    await played_on(hall, each["game"], each["match"], [*each["tokens"].values()])
            assert (await hall.proof(kept["finished"])).holds in ("yes", "not replayed")

    turned.run(evening())
    after = lines_in(tmp_path / "arena.db")
    assert {match: after[match][: len(lines)] for match, lines in before.items()} == before


@each_store
def test_accounts_keep_their_passwords(folder: Path, tmp_path: Path) -> None:
    house, kept = restored(folder, tmp_path)

    async def evening() -> None:
        async with house.open() as hall:
            for name, account in kept["accounts"].items():
                said = await hall.post("/login", name=name, password=account["password"])
                assert (await hall.get("/me", said.json()["token"])).json()["name"] == name

    turned.run(evening())


@each_store_with_texts
def test_chat_notes_and_stderr_go_on_where_they_were(folder: Path, tmp_path: Path) -> None:
    house, kept = restored(folder, tmp_path)
    texts, other = kept["texts"], kept["accounts"]["cyd"]["token"]
    match, token = texts["match"], texts["token"]

    async def evening() -> None:
        async with house.open() as hall:

            async def read(what: str) -> Any:
                assert (await hall.get(f"/matches/{match}/{what}", other)).status_code == 403
                return (await hall.get(f"/matches/{match}/{what}", token)).json()

            async with hall.connect(f"/play/forsale/{match}") as line:
                seat = Seat(line)
                await seat.hello("ada", token=token)
                asked = await seat.hear("ask")
                await seat.say(type="stderr", text="back again\n")
                await seat.say(type="answer", id=asked["id"], action=asked["ask"]["choices"][0], note="a new one")
                await seat.hear("event")
                notes = (await read("notes"))["notes"]
                assert notes[:-1] == texts["notes"] and notes[-1]["text"] == "a new one"
                assert (await read("stderr"))["text"] == texts["stderr"]["text"] + "back again\n"
            said = await hall.post(f"/matches/{match}/chat", token, text="here I am")
            assert (await read("chat"))["messages"] == [*texts["chat"], said.json()]

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
def test_players_of_protocol_1_return_to_a_room(folder: Path, tmp_path: Path) -> None:
    house, kept = restored(folder, tmp_path)
    public = kept["rooms"][0]

    async def evening() -> None:
        async with house.open() as hall:
            for name, token in public.get("players", {}).items():
                async with hall.connect("/play/colorfight/public") as line:
                    seat = Seat(line)
                    await seat.hello(name, token=token)
                    told = await seat.hear("seat")
                    assert told["match"] == public["match"] and told["players"][told["seat"]] == name
                    asked = await seat.hear("ask")
                    await seat.say(type="answer", id=asked["id"], action={"type": "Command", "orders": ["a 3 3 5"]})
                    given = await hall.figure("parlour_moves_total", game="colorfight")
                    assert given >= 1

    turned.run(evening())


@each_store
def test_an_open_table_waits_on_for_the_rest(folder: Path, tmp_path: Path) -> None:
    house, kept = restored(folder, tmp_path)
    table, accounts = kept["open"]["match"], kept["accounts"]

    async def still_waiting() -> None:
        store = await Store.open(house.url)
        until_ms = {"waits_until_ms": now_ms() + 3_600_000}
        await executed(store, update(schema.matches).where(schema.matches.c.id == table).values(until_ms))
        await store.close()

    async def evening() -> None:
        await still_waiting()
        async with house.open() as hall:
            if table not in hall.serving.arena.not_resumed:
                await played_on(hall, "forsale", table, [accounts[name]["token"] for name in ("ada", "bob")])

    turned.run(evening())

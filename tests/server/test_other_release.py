"""A store of which this release lacks some rules: such matches are left as they are, and reported, and never void."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import compress
from pathlib import Path
from typing import Annotated, Any

import pytest
from msgspec.structs import force_setattr

from parlour.cli.arguments import app
from parlour.client import Client, Refused
from parlour.core import legacy
from parlour.games import game
from parlour.games.forsale import values
from parlour.plugins import names
from tests import turned
from tests.cli.served import printed
from tests.releases import FIXTURES
from tests.server.arenas import Hall, Seat
from tests.server.guests import Guest
from tests.server.test_old_store import played_on, restored
from tests.server.visitors import Actor, closed

STORE = FIXTURES / "release-0.1.0" / "store"
VERSION = "rules version 1, this release has 2"
NEWER = {("matches", "league"), ("matches", "rematch_of"), ("matches", "room"), ("seats", "faults"), ("rooms", "owner")}
"""The columns that this release adds to tables when it opens that store."""


@contextmanager
def release(*names: str, **changes: Any) -> Iterator[None]:
    """Change the rules of these games, as another release may."""
    before = [(game(name).rules, field, getattr(game(name).rules, field)) for name in names for field in changes]
    try:
        for name in names:
            for field, value in changes.items():
                force_setattr(game(name).rules, field, value)
        yield
    finally:
        for rules, field, value in before:
            force_setattr(rules, field, value)


def kept_in(folder: Path) -> dict[str, list[Any]]:
    """All rows about matches, without newer columns."""
    with closing(sqlite3.connect(folder / "arena.db")) as db:
        tables = ("matches", "seats", "seeds", "lines", "rooms")
        return {table: sorted(_rows(db, table), key=repr) for table in tables}


def _rows(db: sqlite3.Connection, table: str) -> Iterator[tuple[Any, ...]]:
    found = db.execute(f"SELECT * FROM {table}")
    is_old = [(table, column[0]) not in NEWER for column in found.description]
    for row in found:
        yield tuple(compress(row, is_old))


def change(folder: Path, sql: str, *values: Any) -> None:
    with closing(sqlite3.connect(folder / "arena.db")) as db, db:
        assert db.execute(sql, values).rowcount == 1


async def refusal(hall: Hall, name: str, match: str, token: str) -> Refused:
    """The refusal of a client that returns to its seat."""
    with pytest.raises(Refused) as refused:
        await Client(hall.url, token).play_async(name, game(name).hosting.bots["random"], table=match)
    return refused.value


def test_matches_of_another_version_are_left_as_they_are_and_go_on_under_their_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house, kept = restored(STORE, tmp_path)
    change(tmp_path, "DELETE FROM matches WHERE id = ?", kept["open"]["match"])  # its waiting time is long over
    before = kept_in(tmp_path)

    async def lacking() -> None:
        async with house.open() as hall:
            for each in kept["matches"]:
                name, match = each["game"], each["match"]
                info = (await hall.get(f"/matches/{match}")).json()
                assert (info["state"], info["not_resumed"]) == ("running", VERSION)
                for token in each["tokens"].values():
                    refused = await refusal(hall, name, match, token)
                    assert refused.code == "not_resumed" and VERSION in str(refused)
                assert (await hall.get(f"/matches/{match}/events")).status_code == 409
                assert (await hall.get(f"/matches/{match}/events/me", token)).json()["code"] == "not_resumed"
                assert (await hall.get(f"/matches/{match}/transcript")).json()["code"] == "not_over"
            listed = (await hall.get("/matches?state=running")).json()["matches"]
            assert {each["not_resumed"] for each in listed} == {VERSION}
            assert hall.serving.arena.broken == [] and not hall.serving.arena.playing

    async def again() -> None:
        async with house.open() as hall:
            assert not hall.serving.arena.not_resumed
            for each in kept["matches"]:
                assert (await hall.get(f"/matches/{each['match']}")).json()["not_resumed"] is None
            each = kept["matches"][0]
            await played_on(hall, each["game"], each["match"], [*each["tokens"].values()])

    with release(*names(), version=2):
        turned.run(lacking())
    assert kept_in(tmp_path) == before
    log = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    told = [line for line in log if line["event"] == "not resumed"]
    assert {(line["level"], line["why"]) for line in told} == {("warning", VERSION)}
    assert sorted(line["match"] for line in told) == sorted(row[0] for row in before["matches"] if "running" in row)
    turned.run(again())


def test_a_match_with_other_data_files_is_left_too(tmp_path: Path) -> None:
    house, kept = restored(STORE, tmp_path)
    match = next(each for each in kept["matches"] if each["game"] == "tradecraft")

    async def evening() -> None:
        async with house.open() as hall:
            refused = await refusal(hall, "tradecraft", match["match"], match["tokens"]["0"])
            assert refused.code == "not_resumed" and "data files" in str(refused)
            assert {left.stored.game for left in hall.serving.arena.not_resumed.values()} == {"tradecraft"}

    with release("tradecraft", data="ab" * 32):
        turned.run(evening())


def test_a_user_of_a_hall_is_told_why_its_seat_is_not_there(tmp_path: Path) -> None:
    house, kept = restored(STORE, tmp_path)

    async def evening() -> None:
        async with house.open() as hall:
            guest = Guest()
            await guest.connect(hall.serving.port)
            name, token = next(iter(kept["hall"]["users"].items()))
            await guest.says("restored_proof", _username=name, _token=token)
            assert VERSION in str(await guest.hears("restored_proof_invalid"))
            await guest.leave()

    with release("tradecraft", version=2):
        turned.run(evening())


def test_a_seat_is_not_looked_for_in_vain_over_a_protocol_without_match_names(tmp_path: Path) -> None:
    house, kept = restored(STORE, tmp_path)

    async def evening() -> None:
        async with house.open() as hall, hall.connect("/ws/tradecraft") as line:
            name, token = next(iter(kept["hall"]["users"].items()))
            seat = Seat(line)
            await seat.say(type="login", username=name, token=token)
            assert (await seat.hear("error"))["code"] == "not_resumed"

    with release("tradecraft", version=2):
        turned.run(evening())


def test_a_room_of_another_version_is_closed_and_opens_again(tmp_path: Path) -> None:
    house, kept = restored(STORE, tmp_path)
    public, den = kept["rooms"]
    before = kept_in(tmp_path)["rooms"]

    async def lacking() -> None:
        async with house.open() as hall:
            async with hall.connect("/action_channel") as line:
                said = await Actor(line).register("uma", public["users"]["uma"])
                assert said["success"] is False and VERSION in said["err_msg"]
            async with hall.connect("/game_channel") as line:
                assert await closed(line) == 1000
            async with hall.connect("/play/colorfight/public") as line:
                assert (await Seat(line).hear("error"))["code"] == "not_resumed"
            for call in ("/start", "/restart", "/deletegameroom"):
                asked = {"gameroom_id": den["room"], "admin_password": "mine", "config": {}}
                said = (await hall.http.post(call, json=asked)).json()
                assert said["success"] is False and VERSION in said["err_msg"]

    async def again() -> None:
        async with house.open() as hall:
            rooms = hall.rooms
            assert rooms is not None and rooms.public.game is not None and rooms.public.game.id == public["match"]

    with release("colorfight", version=2):
        turned.run(lacking())
    assert kept_in(tmp_path)["rooms"] == before
    turned.run(again())


@pytest.mark.parametrize(
    "settings",
    [
        '{"options":{"type":"Options","colonies":3}}',
        '{"options":{"type":"Options","ruleset":"later"}}',
        '{"seasons":4}',
    ],
)
def test_a_room_with_settings_of_another_release_is_closed_and_keeps_them(tmp_path: Path, settings: str) -> None:
    house, _ = restored(STORE, tmp_path)
    change(tmp_path, "UPDATE rooms SET config = ? WHERE name = 'den'", settings)
    before = kept_in(tmp_path)["rooms"]

    async def evening() -> None:
        async with house.open() as hall:
            rooms = hall.rooms
            assert rooms is not None and rooms.public.not_resumed is None
            den = rooms.get("den")
            assert den is not None and den.not_resumed is not None and den.game is None
            assert [trouble.partition(":")[0] for trouble in hall.serving.arena.broken] == ["room den"]

    turned.run(evening())
    assert kept_in(tmp_path)["rooms"] == before


@pytest.mark.parametrize(
    ("sql", "why"),
    [
        ("UPDATE matches SET game = 'chess' WHERE id = ?", "this release has no game 'chess'"),
        ("""UPDATE matches SET terms = '{"options":{"colonies":3}}' WHERE id = ?""", "unknown field `colonies`"),
        ("""UPDATE matches SET terms = '{"options":{"balances":"later"}}' WHERE id = ?""", "'later'"),
        ("""UPDATE matches SET terms = '{"limit_s":-1}' WHERE id = ?""", "limit_s"),
    ],
)
def test_an_open_table_that_this_release_cannot_play_stays_open_in_the_store(
    tmp_path: Path, sql: str, why: str
) -> None:
    house, kept = restored(STORE, tmp_path)
    table, ada = kept["open"]["match"], kept["accounts"]["ada"]["token"]
    change(tmp_path, sql, table)
    before = kept_in(tmp_path)["matches"]

    async def evening() -> None:
        async with house.open() as hall:
            info = (await hall.get(f"/matches/{table}")).json()
            assert info["state"] == "open" and why in info["not_resumed"]
            assert (await hall.post(f"/tables/{table}/join", ada)).json()["code"] == "not_resumed"
            bob = kept["accounts"]["bob"]["token"]
            assert (await hall.delete(f"/tables/{table}", bob)).json()["code"] == "not_resumed"
            assert (await hall.get("/matches?state=open")).status_code == 200
            if info["game"] == "forsale":
                assert (await refusal(hall, "forsale", table, ada)).code == "not_resumed"

    turned.run(evening())
    assert kept_in(tmp_path)["matches"] == before


def test_a_match_begun_before_an_option_was_added_goes_on_as_it_began(tmp_path: Path) -> None:
    class Options(values.Options, frozen=True, kw_only=True, tag="Options"):
        festive: Annotated[bool, legacy(False)] = True

    house, kept = restored(STORE, tmp_path)
    each = kept["matches"][0]

    async def evening() -> None:
        async with house.open() as hall:
            match = hall.serving.arena.playing[each["match"]].match
            assert match.options.festive is False and match.options.balances == "open"
            await played_on(hall, each["game"], each["match"], [*each["tokens"].values()])
            done = (await hall.table(kept["accounts"]["bob"]["token"], "forsale", "open", "random", "random"))["table"]
            await played_on(hall, "forsale", done["id"], [kept["accounts"]["bob"]["token"]])
            assert b'"festive":true' in (await hall.get(f"/matches/{done['id']}/transcript")).content

    with release("forsale", options=Options):
        turned.run(evening())


def test_an_administrator_sees_which_matches_are_not_resumed(tmp_path: Path) -> None:
    house, kept = restored(STORE, tmp_path)
    listed = printed("admin", "matches", "--store", house.url)
    assert listed.count("yes") == len(kept["matches"]) + len(kept["rooms"]) + 2 and "no:" not in listed
    assert app(["admin", "check", "--store", house.url], standalone_mode=False) is None
    with release("forsale", version=2):
        listed = printed("admin", "matches", "--store", house.url)
        assert "no: rules version 1, this release has 2" in " ".join(listed.split())
        assert app(["admin", "check", "--store", house.url], standalone_mode=False) == 4

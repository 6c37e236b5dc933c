"""Matches between clients of all protocols at one arena: all play without faults, and the transcripts hold."""

import json
import sys
from functools import partial
from pathlib import Path

import pytest

from parlour.games import game
from parlour.games.colorfight.values import Options
from parlour.games.maze.source import player_id
from parlour.store.check import check
from parlour.venues.colorfight.room_config import CONFIGS, Config
from parlour.venues.colorfight.room_game import GAME, RoomGame
from tests.players.clients import connect as connect_tcp
from tests.server.arenas import Hall, House, Seat, evening
from tests.server.guests import Guest
from tests.server.liners import Liner
from tests.server.mixed import Mix, Ours, Party, Watcher, connected, example, program, proved, records, seen_rightly
from tests.server.test_mixed_table import play_events, play_lines
from tests.turned import settle, soon, turn, until


def house(folder: Path, **commands: str) -> House:
    """An arena with these commands, by game; each has the name child."""
    return House(folder, log="off", commands={name: {"child": command} for name, command in commands.items()})


def nobody_plays(hall: Hall) -> bool:
    return not hall.serving.arena.playing


async def watched(mix: Mix) -> None:
    """Play the match while a spectator watches, and the first player watches its own seat."""
    first = mix.ours[0]
    await mix.until(first.asked.is_set)
    everybody = await Watcher.comes(mix.hall, f"/watch/{mix.table}")
    own = await Watcher.comes(mix.hall, f"/watch/{mix.table}/me", first.token)
    first.may_answer.set()
    await mix.end()
    await proved(mix.hall, mix.table, mix.names, mix.ours)
    assert first.returns == 1, "its connection was not lost"
    await seen_rightly(mix.hall, mix.table, await everybody.all(), await own.all(), first.seat)


# For Sale: numbers over TCP, and a child that speaks protocol 1


async def numbers(hall: Hall) -> None:
    """Passes, and sells the first estate that it has."""
    reader, writer = await connect_tcp(hall.serving.listeners["forsale"], "numbers")
    while (asked := json.loads(await reader.readline()))["type"] != "over":
        assert asked["fault"] is None
        writer.write(b"0\n" if asked["part"] == 1 else b"%d\n" % asked["hand"][0])


def test_for_sale(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        mix = await Mix.set_up(hall, "forsale", "child", "minimum", 3)
        await mix.sends_us("socket", lost_at=4)
        await mix.sends("numbers", numbers)
        await mix.sends_us("plain", "TCP")
        await watched(mix)

    evening(house(tmp_path, forsale="exec:" + example("any_language.py")), work)


# Dominion: lines over TCP, and a child that speaks the same


async def dominion_lines(hall: Hall) -> None:
    """Buys a silver if it can."""
    reader, writer = await connect_tcp(hall.serving.listeners["dominion"])
    while True:
        match json.loads(await reader.readline()):
            case {"type": "player-name-request", "player_number": you}:
                reply = {"type": "player-name-reply", "player_number": you, "name": "lines", "version": 1}
            case {"type": "play-turn", "buys": 0}:
                reply = {"type": "play-reply", "phase": "cleanup"}
            case {"type": "play-turn", "hand": hand}:
                coins = [card for card in hand if card in ("copper", "silver", "gold")]
                cards = ["silver"] if len(coins) >= 3 else []
                reply = {"type": "play-reply", "phase": "buy", "played_treasures": coins, "cards_to_buy": cards}
            case {"type": "attack-request", "options": options, "discard": discard}:
                reply = {"type": "attack-reply", "discard": options[:discard]}
            case {"type": "game-end"}:
                return
            case _:
                continue
        writer.write(json.dumps(reply).encode() + b"\n")


def test_dominion(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        mix = await Mix.set_up(hall, "dominion", "child", "militia", 2, turn_cap=8)
        await mix.sends_us("socket", lost_at=6)
        await mix.sends("lines", dominion_lines)
        await watched(mix)

    evening(house(tmp_path, dominion="exec+dominion:" + example("dominion_starter.py")), work)


# Maze: both of its protocols


async def source(hall: Hall) -> None:
    await program(example("maze_source.py", str(hall.serving.listeners["maze"])), "won", partial(nobody_plays, hall))


async def course(hall: Hall) -> None:
    port = str(hall.serving.listeners["maze/course"])
    await program(example("maze_course.py", port, "course"), "won", partial(nobody_plays, hall))


CHILDREN = ["exec+maze:" + example("maze_source.py"), "exec+maze/course:" + example("maze_course.py", "-", "child")]


@pytest.mark.parametrize("child", CHILDREN, ids=("source", "course"))
def test_maze(tmp_path: Path, child: str) -> None:
    async def work(hall: Hall) -> None:
        mix = await Mix.set_up(hall, "maze", "child", "euclid", 4, round_cap=4, goals_per_player=4)
        await mix.sends_us("socket", lost_at=2)
        await mix.sends(player_id(mix.table, 2), source)
        await mix.sends("course", course)
        await mix.sends_us("plain", "TCP", lost_at=2)
        await watched(mix)

    evening(house(tmp_path, maze=child), work)


# tradeCraft: lines over TCP and WebSocket, Socket.IO in a hall, and a child that speaks protocol 1


CRAFTLESS = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "name": "craftless"}), flush=True)
    elif message["type"] == "ask":
        kinds = {
            "MakeProposal": {"type": "Propose", "partner": 1},
            "DecideProposal": {"type": "Decide", "decision": "accept"},
            "CraftItems": {"type": "Done"},
        }
        print(json.dumps({"type": "answer", "id": message["id"], "action": kinds[message["ask"]["type"]]}), flush=True)
"""


async def lines_by_tcp(hall: Hall) -> None:
    port = str(hall.serving.listeners["tradecraft"])
    await program(example("tradecraft_lines.py", port, "lines"), "{", partial(nobody_plays, hall))  # the scores


async def lines_by_websocket(hall: Hall) -> None:
    guest = Liner(await connected(hall, "/ws/tradecraft"))
    await guest.says("login", username="web")
    await play_lines(guest)


async def events(hall: Hall) -> None:
    guest = Guest()
    await guest.connect(hall.serving.port)
    await guest.login("page")
    await guest.ready("6-player-pool-matching")
    try:
        await play_events(guest)
    finally:
        await guest.leave()


def test_tradecraft(tmp_path: Path) -> None:
    (tmp_path / "child.py").write_text(CRAFTLESS)

    async def work(hall: Hall) -> None:
        mix = await Mix.set_up(hall, "tradecraft", "child", "planner", 4, max_turn=12)
        await mix.sends_us("socket", lost_at=2)
        await mix.sends("lines", lines_by_tcp)
        await mix.sends("web", lines_by_websocket)
        await mix.sends("page", events)
        await watched(mix)

    evening(house(tmp_path, tradecraft=f"exec:{sys.executable} {tmp_path / 'child.py'}"), work)


# ColorfightII: the public room, with all of its channels, and with whom the host has seated there


EXPANDS = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "name": "child"}), flush=True)
    elif message["type"] == "ask":
        view, uid = message["view"], message["ask"]["uid"]
        places = [place for place, owner in enumerate(view["owner"]) if owner == uid and (place + 1) % view["width"]]
        orders = [f"a {(place + 1) % view['width']} {place // view['width']} 100" for place in places]
        action = {"type": "Command", "orders": orders}
        print(json.dumps({"type": "answer", "id": message["id"], "action": action}), flush=True)
"""
ROUND_S = 25.0
ROOM = Config(options=Options(round_time=ROUND_S, max_turn=5), first_round_time="never", finish_time=60.0)
"""A room whose rounds end when the test turns the clock."""


async def root(hall: Hall) -> None:
    await program(example("colorfight_root.py", str(hall.serving.port), "root", "secret"), "room ")


async def compact(hall: Hall) -> None:
    await program(example("colorfight_room.py", str(hall.serving.port), "public", "room", "secret"), "root ")


def given(played: RoomGame) -> int:
    """The number of players that have sent orders for this round."""
    return sum(player.given is not None for player in played.state.players)


async def rounds(played: RoomGame, party: Party) -> None:
    """End all rounds but the first, each as soon as all players have sent orders."""
    for number in range(1, ROOM.options.max_turn):
        await party.until(lambda: played.state.turn and given(played) == len(played.match.names))
        turn(ROUND_S)
        await until(partial(_is_after, played, number))


def _is_after(played: RoomGame, number: int) -> bool:
    return played.state.turn > number


@pytest.fixture
def arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """An arena in whose public room a command and a bot play."""
    (tmp_path / "child.py").write_text(EXPANDS)
    commands = {"colorfight": {"child": f"exec:{sys.executable} {tmp_path / 'child.py'}"}}
    monkeypatch.setitem(CONFIGS, "constant-run", ROOM)
    return House(tmp_path, log="off", rooms=1, commands=commands, room_bots=("child", "greedy"))


def test_colorfight(arena: House) -> None:
    async def work(hall: Hall) -> None:
        assert hall.rooms is not None and hall.rooms.public.game is not None
        room, played, party = hall.rooms.public, hall.rooms.public.game, Party()
        ours = Ours(hall, GAME, "socket", None, lost_at=2), Ours(hall, GAME, "plain", None, "TCP", lost_at=4)
        for player in ours:
            player.may_answer.set()
            party.begins(player.play())
        source, _ = party.begins(root(hall)), party.begins(compact(hall))
        await party.until(lambda: len(played.match.names) == 6 and given(played) == 4)  # the others wait for a frame
        everybody = await Watcher.comes(hall, f"/watch/{played.id}")
        own = await Watcher.comes(hall, f"/watch/{played.id}/me", ours[0].token)
        room.start()
        await rounds(played, party)
        await soon(source)  # has seen the last round
        while room.game is played:  # and the others see by another game that this one is over
            turn(ROOM.finish_time)
            await settle()
        await party.end()
        await proved(hall, played.id, ["child", "greedy", "socket", "plain", "root", "room"], ours)
        assert [player.returns for player in ours] == [1, 1]
        await seen_rightly(hall, played.id, await everybody.all(), await own.all(), ours[0].seat)

    evening(arena, work)


# Tables at which nobody gets to play


def test_a_client_that_looks_for_a_match_is_not_sent_where_one_must_be_invited(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        created = await hall.table(await hall.account("host"), "forsale", "invited", "random", "random", quick=True)
        async with hall.connect("/play/forsale") as line:
            await Seat(line).hello("me")
            tables = hall.serving.arena.open
            await until(lambda: sum(table.seats.people() for table in tables.values()) == 1)
            assert tables[created["table"]["id"]].seats.people() == 0

    evening(House(tmp_path, log="off"), work)


def test_a_table_is_dropped_if_nothing_can_be_dealt(tmp_path: Path) -> None:
    """Three players cannot all get what they want in one turn."""

    async def work(hall: Hall) -> None:
        token = await hall.account("host")
        created = await hall.table(token, "tradecraft", "open", "random", "random", options={"max_turn": 1})
        table = created["table"]["id"]
        async with hall.connect(f"/play/tradecraft/{table}") as line:
            seat = Seat(line)
            await seat.hello("me")
            assert (await seat.hear("error"))["code"] == "dropped"
        assert (await hall.over(table))["state"] == "dropped"
        stored = await hall.store.match(table)
        assert stored is not None and await check(hall.store, stored, game) == []

    evening(House(tmp_path, log="off"), work)


# What a protocol says of its player


def test_what_a_player_says_of_itself_is_known_to_the_game(tmp_path: Path) -> None:
    """A client of Dominion's own protocol has a shorter time limit under attack, and loses more by silence."""

    async def work(hall: Hall) -> None:
        mix = await Mix.set_up(hall, "dominion", "child", "militia", 2, turn_cap=1)
        await mix.sends_us("socket")
        mix.ours[0].may_answer.set()
        await mix.sends("lines", dominion_lines)
        await mix.end()
        await hall.over(mix.table)
        header = (await records(hall, mix.table))[0]
        assert header["options"]["on_silence"] == ["end_turn", "end_turn", "forfeit", "end_turn"]
        assert [brief["seat"] for brief in header["briefs"]] == [0, 2]

    evening(house(tmp_path, dominion="exec+dominion:" + example("dominion_starter.py")), work)

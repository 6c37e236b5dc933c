"""Maze at a table of `parlour host`: what it prints, whom it waits for, and when it ends."""

import json
from pathlib import Path
from typing import Any

import pytest

from parlour.games import game
from parlour.games.maze.observer import referee_state
from parlour.referee.replay import verify
from tests.games.maze.tables import crosses, fresh, position
from tests.players.clients import connect, run
from tests.players.maze_command import FIVE, Host, children, guests, state_file
from tests.players.maze_room import FOUR, ONE, THREE, TWO, Course, Pacing, Player, Source, Thinking
from tests.turned import soon


def test_host_prints_winners_and_misbehavers(tmp_path: Path) -> None:
    async def work() -> Any:
        record = tmp_path / "game.jsonl"
        words = ["--once", "--state", state_file(tmp_path, THREE), "--record", str(record)]
        async with Host(*words) as host:
            result = await guests(host, [Course("a"), Course("zed", "take-turn", b"junk "), Course("b")])
        assert verify(record.read_bytes(), game).holds == "yes"
        return result

    assert run(work()) == [["b"], ["zed"]]


def test_host_reports_a_source_client_by_its_id(tmp_path: Path) -> None:
    async def work() -> None:
        source = Source()
        async with Host("--once", "--state", state_file(tmp_path, TWO)) as host:
            result = await guests(host, [Course("a"), source])
        assert result == [[source.ids[0]], []] and len(source.ids[0]) == 32

    run(work())


def test_host_with_nobody() -> None:
    async def work() -> Any:
        async with Host("--once", "--wait", "0.3") as host:
            return await host.result()

    assert run(work()) == [[], []]


@pytest.mark.parametrize("lonely", [Course("lonely"), Source()])
def test_host_once_with_one_client_ends_after_two_periods(lonely: Player) -> None:
    async def work() -> Any:
        async with Host("--once", "--wait", "3") as host:
            result = await soon(guests(host, [lonely]))
            await soon(lonely.playing)
            return result

    assert run(work()) == [[], []]


def test_host_a_position_for_nobody(tmp_path: Path) -> None:
    async def work() -> Any:
        empty = position(crosses(3, 3), "", "")
        path = tmp_path / "state.json"
        form = referee_state(fresh(2, rows=3, columns=5))
        path.write_text(json.dumps({**form, "plmt": []}))
        assert empty.players == ()
        async with Host("--once", "--state", str(path)) as host:
            return await soon(host.result())

    assert run(work()) == [[], []]


def test_host_a_position_for_one(tmp_path: Path) -> None:
    async def work() -> Any:
        async with Host("--once", "--wait", "3", "--state", state_file(tmp_path, ONE)) as host:
            return await soon(guests(host, [Course("alone")]))

    assert run(work()) == [[], []]


def test_host_fewer_clients_than_the_position_has_players(tmp_path: Path) -> None:
    async def work() -> Any:
        async with Host("--once", "--wait", "3", "--state", state_file(tmp_path, FOUR)) as host:
            return await guests(host, [Course("a"), Course("b")])

    assert run(work()) == [["b"], []]


def test_host_more_clients_than_the_position_has_players(tmp_path: Path) -> None:
    async def work() -> Any:
        thinker = Thinking("thinker")
        async with Host("--once", "--state", state_file(tmp_path, TWO)) as host:
            for client in (Course("a"), thinker):
                client.begin(host)  # type: ignore[arg-type]  # it has the ports
                await host.signed_up()
            await thinker.asked()
            reader, _ = await connect(host.course_port, '"late"')
            assert await reader.read() == b""
            thinker.thought.set()
            return await host.result()

    assert run(work()) == [["thinker"], []]


def test_host_a_position_for_seven_is_played_by_six(tmp_path: Path) -> None:
    async def work() -> Any:
        homes = "1,1 1,3 1,5 3,1 3,3 3,5 5,1"
        seven = position(crosses(7, 7), homes, "5,5 5,3 5,1 5,5 5,5 5,5 5,5")
        clients = [Course(f"client{number}") for number in range(6)]
        async with Host("--once", "--state", state_file(tmp_path, seven)) as host:
            result = await guests(host, clients)
        colours = [player["color"] for player in clients[5].heard[0][1][0]["plmt"]]
        assert colours == ["purple", "pink", "black", "white", "green", "blue"], "the first six entries"
        return result

    assert run(work()) == [["client5"], []]


def test_host_stops_and_scores_a_game_that_takes_too_long(tmp_path: Path) -> None:
    async def work() -> Any:
        start = position(crosses(7, 7), "5,5 5,5", "5,5 1,1", at="0,0 0,0")
        async with Host("--once", "--cap", "0.6", "--state", state_file(tmp_path, start)) as host:
            return await guests(host, [Pacing("far"), Pacing("near")])

    assert run(work()) == [["near"], []]


def test_host_with_a_limit(tmp_path: Path) -> None:
    async def work() -> Any:
        async with Host("--once", "--limit", "3", "--state", state_file(tmp_path, TWO)) as host:
            return await guests(host, [Course("a"), Course("b", "take-turn", "silence")])

    assert run(work()) == [["a"], ["b"]]


def test_host_goes_on_from_game_to_game(tmp_path: Path) -> None:
    """Without --once: a line of JSON for each, and the source client stays."""

    async def work() -> None:
        folder = tmp_path / "records"
        stayer = Source()
        words = ["--state", state_file(tmp_path, TWO), "--record", str(folder)]
        async with Host(*words) as host:
            stayer.begin(host)  # type: ignore[arg-type]
            assert host.process.stdout is not None
            for number in range(3):
                await host.signed_up()
                Course(f"guest{number}").begin(host)  # type: ignore[arg-type]
                await host.signed_up()
                result = json.loads(await host.process.stdout.readline())
                assert result["players"] == [stayer.ids[number], f"guest{number}"] and result["ranks"] == [2, 1]
        records = list(folder.iterdir())
        assert len([path for path in records if verify(path.read_bytes(), game).holds == "yes"]) == 3

    run(work())


def test_host_everybody_at_one_table(tmp_path: Path) -> None:
    async def work() -> None:
        source = Source()
        record = tmp_path / "game.jsonl"
        words = ["--once", "--state", state_file(tmp_path, FIVE), "--record", str(record)]
        async with Host(*children(tmp_path), "euclid", *words) as host:
            assert await guests(host, [Course("course"), source]) == [source.ids, []]

    run(work())

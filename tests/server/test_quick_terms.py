"""What people get at quick tables."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from parlour.games import game
from parlour.protocol.forms import Plan, TableTerms
from parlour.tables import seating
from parlour.tables.match_setup import terms_for_people
from parlour.tables.seat_keeper import Chair
from parlour.tables.table import Table
from tests.server.arenas import Hall, House, evening

QUICK = TableTerms(quick=True)


def test_people_play_a_short_match_of_a_game_that_rooms_play_all_day() -> None:
    terms = terms_for_people(game("colorfight"), QUICK)
    assert terms.options == {"width": 14, "height": 14, "max_turn": 60}
    assert terms.limit_s == 60 and terms.pace_s > 0


@pytest.mark.parametrize("name", ["forsale", "maze"])
def test_other_games_have_their_usual_options(name: str) -> None:
    assert terms_for_people(game(name), QUICK).options == {}


@pytest.mark.parametrize("own", [{"limit_s": 5.0}, {"quick": False}])
def test_a_table_that_somebody_created_keeps_its_terms(own: dict[str, Any]) -> None:
    terms = TableTerms(**{"quick": True, **own})
    assert terms_for_people(game("colorfight"), terms) is terms


@pytest.mark.parametrize(("name", "players"), [("colorfight", 2), ("maze", 2), ("forsale", 3)])
def test_nobody_plays_alone(name: str, players: int) -> None:
    async def filled() -> Table:
        chairs = [Chair(Plan("open"), name="Ada", account=1), *[Chair(Plan("open")) for _ in range(2)]]
        table = Table(game(name), QUICK, bytes(32), chairs)
        seating.QUICK[table.game.hosting.seating].fill(table)
        return table

    table = asyncio.run(filled())
    assert len(table.chairs) == players and table.chairs[0].name == "Ada"
    assert all(chair.plan.kind == "bot" for chair in table.chairs[1:])


def test_nobody_asks_for_a_quick_match_alone(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        said = await hall.post("/queue/colorfight", await hall.account("ada"), seats=1)
        assert (said.status_code, said.json()["code"]) == (400, "bad_request")
        assert not hall.serving.arena.open and not hall.serving.arena.playing

    evening(House(tmp_path, log="off"), work)

"""The baselines: their files are complete, and the page has what they say."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from parlour import plugins
from parlour.cli.tournament_run import RunOptions, play_tournament
from parlour.tournament.plan import TournamentPlan
from tools import baselines

FILES = sorted(baselines.FILES.glob("*.toml"))


def test_every_game_has_a_file() -> None:
    assert {path.stem for path in FILES} == {game.name for game in plugins.games()}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_has_all_built_in_bots_at_tables_of_all_sizes(path: Path) -> None:
    plans = baselines.plans_of(path)
    game = plugins.game(path.stem)
    assert {plan.game for plan in plans} == {game.name}
    assert all({it.player for it in plan.players} == set(game.hosting.bots) for plan in plans)
    allowed = [seats for seats in game.table_seats() if seats >= 2]
    sizes = [plan.seats for plan in plans]
    assert sizes == allowed if len(allowed) < 10 else set(sizes) >= {2, 3, 4}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_page_is_of_this_file(path: Path) -> None:
    plans = baselines.plans_of(path)
    _, found, rest = baselines.PAGE.read_text().partition(baselines.plan_line(path, plans))
    part = rest.partition("\n## ")[0].splitlines()
    assert found, "the file has changed since the page was made: run `make baselines`"
    assert {line.split("`")[1] for line in part if line.startswith("| `")} == {it.name for it in plans[0].players}
    assert all(line.count("|") == len(plans) + 2 for line in part if line.startswith("| `"))
    sizes = [cells[1].strip() for cells in (line.split("|") for line in part if line.startswith("| "))]
    assert [size for size in sizes if size.isdecimal()] == [str(plan.seats) for plan in plans]


def test_a_section_is_made_of_results(tmp_path: Path) -> None:
    [path] = [path for path in FILES if path.stem == "forsale"]
    plans = [small(plan) for plan in baselines.plans_of(path)[:2]]
    results = [
        play_tournament(
            tmp_path / str(plan.seats),
            plan,
            RunOptions(out=tmp_path, workers=1, on=None, resume=False, seeded=True, as_json=True, as_csv=False),
        )
        for plan in plans
    ]
    lines = baselines.section(path, plans, results).splitlines()
    assert lines[0] == "## For Sale" and lines[4] == "| bot | 3 seats | 4 seats |"
    assert lines[6].startswith("| `minimum` | **+") and lines[7].startswith("| `random` | **-")
    assert lines[11].startswith("| 3 | 24 | ") and "of 1 | " in lines[11] and lines[12].startswith("| 4 | 8 | ")


def small(plan: TournamentPlan) -> TournamentPlan:
    """The same with quick bots and few deals."""
    quick = tuple(it for it in plan.players if it.player in ("random", "minimum"))
    return replace(plan, players=quick, deals=2)

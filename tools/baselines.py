"""Play the tournaments of tournaments/*.toml and write their results to docs/baselines.md.

An interrupted run is continued, a finished one is played again. The reports stay in .cache/baselines.
"""

import shutil
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

import msgspec

import parlour
from parlour import plugins
from parlour.cli.tournament_plan import read_all, read_plans
from parlour.cli.tournament_run import RunOptions, play_tournament, usual_workers
from parlour.tournament.plan import TournamentPlan
from parlour.tournament.results import PlayerResult, Results
from parlour.tournament.schedules import most_matches

ROOT = Path(__file__).parents[1]
FILES = ROOT / "tournaments"
PAGE = ROOT / "docs" / "baselines.md"
CACHE = ROOT / ".cache" / "baselines"
FINISHED = "finished"

HEAD = f"""\
# Baselines

How strong the built-in bots are, at tables of all usual sizes: a place to see where your own bot stands. `make
baselines` plays the tournaments of `tournaments/*.toml` and writes this page; the page was made with Parlour
{parlour.__version__}. [Tournaments](tournaments.md) explains how to play your own, and [how tournaments are
judged](tournaments-method.md) what the numbers mean.

Each cell has the rating with its 95 % interval and the share of wins. Ratings are Elo points among the bots of that
table: 0 is their mean, so ratings of different columns cannot be compared. If a table has more seats than there are
bots, bots hold several seats each, as evenly as possible.

The second table of each game has what duplicate play did to the errors of head-to-head shares: *variance ratio 1.50*
means that independent deals would need 1.5 times the matches for the same precision. Below 1, equal deals cost
precision: then matches of a deal resemble each other more than its seatings cancel, and `duplicate = false` is better.
The best and the worst seat are given with their win share above or below the average, if it is certain (95 %).
"""


def plans_of(path: Path) -> list[TournamentPlan]:
    """The tournaments of a file, one for each number of seats."""
    return read_plans(*read_all(path, {}))


def plan_line(path: Path, plans: Sequence[TournamentPlan]) -> str:
    """The line of the page that says what was played. It follows from the file alone."""
    plan = plans[0]
    matches = sum(map(most_matches, plans))
    seats = ", ".join(str(plan.seats) for plan in plans)
    return (
        f"`tournaments/{path.name}`: seed `{plan.seed}`, rules version {plan.rules}, {plan.deals} deals for each "
        f"line-up in its seatings, tables of {seats}; {matches:,} matches."
    )


def section(path: Path, plans: Sequence[TournamentPlan], results: Sequence[Results]) -> str:
    """The tables of a game."""
    head = "| bot | " + " | ".join(f"{plan.seats} seats" for plan in plans) + " |"
    by_name = [{player.name: player for player in each.players} for each in results]
    names = sorted(by_name[0], key=lambda name: -sum(players[name].rating.estimate for players in by_name))
    rows = [f"| `{name}` | " + " | ".join(_cell(players[name]) for players in by_name) + " |" for name in names]
    return "\n".join(
        [
            f"## {plugins.game(plans[0].game).title}",
            "",
            plan_line(path, plans),
            "",
            head,
            "|---" * (len(plans) + 1) + "|",
            *rows,
            "",
            "| seats | matches | variance ratio | errors | pairs decided | best seat | worst seat |",
            "|---" * 7 + "|",
            *map(_table_row, results),
            "",
        ]
    )


def _cell(player: PlayerResult) -> str:
    rated = player.rating
    low, high = (f"{value:+.0f}" for value in (rated.low, rated.high))
    return f"**{rated.estimate:+.0f}** ({low} to {high}), {player.standing.win_share.estimate:.0%}"


def _table_row(results: Results) -> str:
    gain, pairs = results.duplicate, results.head_to_head
    assert gain is not None
    errors = f"{abs(gain.error_cut):.0%} {'smaller' if gain.error_cut >= 0 else 'larger'}"
    decided = f"{sum(pair.decided() for pair in pairs)} of {len(pairs)}"
    ordered = sorted(results.seats, key=lambda seat: seat.win_share.estimate)
    best = ordered[-1] if ordered[-1].advantage.low > 0 else None
    worst = ordered[0] if ordered[0].advantage.high < 0 else None
    told = [f"{it.seat} ({100 * it.advantage.estimate:+.1f} %)" if it is not None else "-" for it in (best, worst)]
    cells = [
        str(results.tournament.seats),
        f"{results.matches:,}",
        f"{gain.variance_ratio:.2f}",
        errors,
        decided,
        *told,
    ]
    return "| " + " | ".join(cells) + " |"


def played(path: Path, plans: Sequence[TournamentPlan]) -> list[Results]:
    """Play what is left of the tournaments of a file."""
    found = []
    for plan in plans:
        digest = blake2b(msgspec.json.encode(plan), digest_size=4).hexdigest()
        folder = CACHE / f"{path.stem}-{plan.seats}-{digest}"
        resume = (folder / "journal.jsonl").exists()
        how = RunOptions(
            out=folder, workers=usual_workers(), on=None, resume=resume, seeded=True, as_json=True, as_csv=False
        )
        print(f"{plugins.game(plan.game).title}, {plan.seats} seats: {most_matches(plan):,} matches", flush=True)
        found.append(play_tournament(folder, plan, how))
    return found


def page(sections: Sequence[str]) -> str:
    """The whole page."""
    return "\n".join([HEAD, *sections])


def main() -> None:
    if (CACHE / FINISHED).exists():
        shutil.rmtree(CACHE)
    titled = sorted(FILES.glob("*.toml"), key=lambda path: plugins.names().index(path.stem))
    sections = []
    for path in titled:
        plans = plans_of(path)
        sections.append(section(path, plans, played(path, plans)))
    PAGE.write_text(page(sections))
    (CACHE / FINISHED).touch()
    print(f"Wrote {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()

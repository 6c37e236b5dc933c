"""Measure the figures of speed.py in both forms, and print them beside those of other projects.

The compiled form is the wheel that `make compiled` has installed, other projects are those of `make peers`. Both forms
are measured by turns, because other programs disturb a machine for seconds at a time; every figure is the best turn.
"""

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import NamedTuple

from peer_runs import NoPeer, figures
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from speed import FIGURES
from workers import Worker, by_turns

BENCH = Path(__file__).resolve().parent
COMPILED = BENCH.parent / ".compiled" / "bin" / "python"
TURNS = 9
"""Every figure is measured so many times in each form."""
YARDSTICK = 0
"""The row that says how fast the machine is."""
PEERS = {"pyminion": "pyminion_games.py", "rlcard": "rlcard_moves.py", "openspiel": "openspiel_moves.py"}
CARDS, DOMINION = ("RLCard", "OpenSpiel"), ("pyminion",)
AGAINST: Mapping[str, tuple[str, ...]] = {
    "For Sale engine, 4 random seats: moves": CARDS,
    "referee, validation and transcript: moves": CARDS,
    "Dominion engine, naive money, 2 seats: games": DOMINION,
    "the same with a view for every decision: games": DOMINION,
    "the same under the referee, no JSON: games": DOMINION,
}
"""By row, the projects with which it can be compared."""


class Peer(NamedTuple):
    """A figure of another project, per empty call of the same moment."""

    what: str
    rate: float
    yardstick: float

    @property
    def name(self) -> str:
        return self.what.split(",")[0].split(" ")[0]


def peers(seconds: float) -> Iterator[Peer | str]:
    """Measure those that are installed; of the others, the reason why not."""
    for name, script in PEERS.items():
        try:
            for found in figures(name, script, str(seconds)):
                yield Peer(found["what"], found["rate"], found["yardstick"])
        except NoPeer as e:
            yield str(e)


def workers() -> dict[str, Worker]:
    """A process for each form. The compiled one runs where no source of Parlour can be imported."""
    found = {"pure": Worker.of_checkout(BENCH.parent)}
    if COMPILED.exists():
        found["compiled"] = Worker(str(COMPILED), BENCH, BENCH)
    return found


def against(what: str, rate: float, yardstick: float, others: list[Peer]) -> str:
    """The ratio to each project of a row, both divided by the yardstick of their moment."""
    known = [peer for peer in others if peer.name in AGAINST.get(what, ())]
    return ", ".join(f"{rate / yardstick / (peer.rate / peer.yardstick):.2g} x {peer.name}" for peer in known)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the rules, the referee and the protocols on this machine.")
    parser.add_argument("--seconds", type=float, default=3.0, metavar="S", help="how long each figure is measured")
    parser.add_argument("--rows", default="", metavar="WORDS", help="only the rows whose name contains this")
    given = parser.parse_args()
    forms = workers()
    shown = [row for row, figure in enumerate(FIGURES) if given.rows in figure.what or row == YARDSTICK]
    wanted = {FIGURES[row].what for row in shown} & AGAINST.keys()
    table = Table(
        title="Measured here: the best of each form, and the medians", title_justify="left", title_style="bold"
    )
    columns = [*forms, "median", *(["faster"] if "compiled" in forms else []), "wanted", "per", "against others"]
    table.add_column("what", no_wrap=True)
    for column in columns:
        table.add_column(column, justify="left" if column in ("per", "against others") else "right")
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("Measuring other projects", total=len(shown) + 1)
        others = [*peers(given.seconds)] if wanted else []
        progress.advance(task)
        measured = [peer for peer in others if isinstance(peer, Peer)]
        yardstick = 0.0
        for row in shown:
            figure = FIGURES[row]
            progress.update(task, description=figure.what)
            rates = by_turns(list(forms.values()), row, TURNS, given.seconds / TURNS)
            best = [max(each) for each in rates]
            yardstick = yardstick or best[0]
            faster = [f"{median(new / old for old, new in zip(*rates, strict=True)):.2f} x"] if len(rates) > 1 else []
            table.add_row(
                figure.what,
                *[f"{each:,.0f}" for each in best],
                " / ".join(f"{median(each):,.0f}" for each in rates),
                *faster,
                f"{figure.wanted:,}" if figure.wanted else "",
                figure.unit,
                against(figure.what, best[-1], yardstick, measured),
            )
            progress.advance(task)
    for worker in forms.values():
        worker.close()
    console = Console()
    (console if console.is_terminal else Console(width=180)).print(table)
    for peer in others:
        print(peer if isinstance(peer, str) else f"{peer.what}: {peer.rate:,.0f} at {peer.yardstick / 1e6:.1f} M")
    if "compiled" not in forms:
        print("The compiled form is not installed: make compiled")

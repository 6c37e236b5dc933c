"""Problems: the first hands and the targets, generated or given."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from parlour.core import BadOptions, Dice, Sitting
from parlour.games.tradecraft.amounts import read_item
from parlour.games.tradecraft.book import known
from parlour.games.tradecraft.problems import deal
from parlour.games.tradecraft.values import MOST_TURNS, Options, Problem

SEATS = range(2, 7)
MOST_HELD = 100_000
"""The most items of a kind in a given problem."""


def begun(seats: int, options: Options, start: Problem | None, dice: Dice) -> Problem:
    """The problem of a new game (RULES 1.4, 1.5)."""
    if start is None:
        return dealt(seats, options, dice)
    check(start)
    if len(start.hands) != seats:
        raise BadOptions(f"the problem is for {len(start.hands)} players, not for {seats}")
    return start


def dealt(seats: int, options: Options, dice: Dice) -> Problem:
    made = deal(
        dice,
        seats,
        depths=range(options.least_depth, options.most_depth + 1),
        kinds=range(options.least_kinds, options.most_kinds + 1),
        decoys=options.decoys,
        max_amount=options.max_amount,
        max_turn=options.max_turn,
        whole_batches=options.whole_batches,
        fair=options.fair,
    )
    return Problem(tuple(made.hands), tuple(made.targets))


def check(problem: Problem) -> None:
    """Raise BadOptions if the problem is invalid (RULES 1.4)."""
    if len(problem.hands) not in SEATS:
        raise BadOptions(f"a problem has {SEATS[0]} to {SEATS[-1]} hands, not {len(problem.hands)}")
    if len(problem.targets) != len(problem.hands):
        raise BadOptions(f"there are {len(problem.targets)} targets for {len(problem.hands)} hands")
    for items in (*problem.hands, *problem.targets):
        for item, amount in items.items():
            if not known(item):
                raise BadOptions(f"there is no item {item[:80]!r}")
            if not 0 < amount <= MOST_HELD:
                raise BadOptions(f"{amount} {item}: an amount is from 1 to {MOST_HELD}")
    for seat, (hand, target) in enumerate(zip(problem.hands, problem.targets, strict=True)):
        if not target:
            raise BadOptions(f"the target of seat {seat} is empty")
        if all(hand.get(item, 0) >= amount for item, amount in target.items()):
            raise BadOptions(f"seat {seat} has its target in hand from the start")


def prepare(text: str) -> Problem:
    """Read a problem from JSON: hands, targets and optionally max_turn; item names with or without the prefix."""
    try:
        said: dict[str, Any] = msgspec.json.decode(text, type=dict[str, Any])
        said["hands"] = [_bare(hand) for hand in said.get("hands", ())]
        said["targets"] = [_bare(target) for target in said.get("targets", ())]
        problem = msgspec.convert({"type": "Problem", **said}, Problem)
        check(problem)
    except (msgspec.MsgspecError, RecursionError, TypeError) as e:
        raise ValueError(f"not a problem of hands and targets: {e}") from None
    return problem


def _bare(items: Mapping[str, Any]) -> dict[str, Any]:
    bare = {read_item(item): amount for item, amount in dict(items).items()}
    if len(bare) < len(items):
        raise ValueError("an item is named twice, with and without the prefix")
    return bare


def resolve(options: Options, players: Sequence[Sitting]) -> Options:
    """Check options against each other. None depends on the players."""
    if options.least_depth > options.most_depth:
        raise BadOptions("least_depth is above most_depth")
    if options.least_kinds > options.most_kinds:
        raise BadOptions("least_kinds is above most_kinds")
    if options.decoys >= options.most_kinds:
        raise BadOptions("with so many decoys there is no room in a hand for anything else")
    return options


def bound(seats: int, options: Options) -> int:
    """A turn has a proposal, a decision, and for each seat all checks, each applied, and `Done`.

    A given problem may have up to MOST_TURNS turns.
    """
    return MOST_TURNS * (2 + seats * (2 * options.max_checks + 1))

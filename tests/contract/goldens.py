"""Whole matches of our games that are kept as text, in tests/golden."""

from collections.abc import Mapping

from parlour.games import game
from parlour.testing import Golden

colorfight = game("colorfight").rules.options
dominion = game("dominion").rules.options
forsale = game("forsale").rules.options
maze = game("maze").rules.options
tradecraft = game("tradecraft").rules.options
GOLDEN: Mapping[str, Mapping[str, Golden]] = {
    "colorfight": {
        "colorfight-2": Golden(2, colorfight(width=3, height=3, max_turn=16)),
        "colorfight-2-rough": Golden(2, colorfight(width=3, height=2, max_turn=18), rough=True),
        "colorfight-classic-rough": Golden(
            2, colorfight(ruleset="classic", width=3, height=2, max_turn=18, last_standing_ends=True), rough=True
        ),
        "colorfight-joined-later": Golden(
            0, colorfight(ruleset="classic", width=2, height=2, max_turn=18, errors="hidden"), rough=True
        ),
    },
    "dominion": {
        "dominion-2": Golden(2, dominion(turn_cap=14)),
        "dominion-3-rough": Golden(3, dominion(turn_cap=10), rough=True),
        "dominion-4-house-rules": Golden(
            4,
            dominion(turn_cap=8, top_discard_from="hand_or_played", on_silence="forfeit", militia_on_leave="finish"),
            True,
        ),
    },
    "forsale": {
        "forsale-3": Golden(3, forsale()),
        "forsale-4-rough": Golden(4, forsale(), rough=True),
        "forsale-5-house-rules": Golden(
            5,
            forsale(start_coins="by_count", refund_rounding="up", bid_direction="ccw", sell_fallback="random_seeded"),
            True,
        ),
    },
    "maze": {
        "maze-2": Golden(2, maze(round_cap=12)),
        "maze-3-rough": Golden(3, maze(rows=5, columns=6, goals_per_player=2, round_cap=15), rough=True),
        "maze-signed-up": Golden(0, maze(rows=4, columns=5, extra_goals=1, round_cap=10)),
    },
    "tradecraft": {
        "tradecraft-2": Golden(2, tradecraft(max_turn=5)),
        "tradecraft-3-rough": Golden(3, tradecraft(max_turn=6), rough=True),
        "tradecraft-4-house-rules": Golden(
            4,
            tradecraft(
                max_turn=6,
                whole_batches=True,
                order="drawn",
                max_invalid_proposals=1,
                max_checks=2,
                decoys=0,
                fair=False,
            ),
            True,
        ),
    },
}

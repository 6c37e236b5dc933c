"""Our games under test: house rules, what must never be lost, and exceptions. A new game adds one entry."""

from collections import Counter
from typing import Any

from parlour.games import game
from parlour.games.maze.tiles import turned
from parlour.games.tradecraft.amounts import Items, unwritten
from parlour.games.tradecraft.phases import whole
from parlour.games.tradecraft.values import Applied
from parlour.testing import Subject
from tests.contract.goldens import GOLDEN
from tests.contract.scenes import SCENES
from tests.toys import lotto as toy


def forsale_treasure(state: Any) -> Any:
    hands = [estate for hand in state.hands for estate in hand]
    estates = Counter([*hands, *state.estate_deck, *state.removed_estates])
    if hasattr(state.phase, "bids"):
        estates.update(state.phase.market)
    cheques = Counter([cheque for won in state.cheques for cheque in won])
    cheques.update(state.cheque_deck + state.removed_cheques)
    if hasattr(state.phase, "chosen"):
        cheques.update(state.phase.market)
    sold = sum(map(len, state.cheques))
    return sum(state.coins) + state.bank, estates.total() + sold, cheques


def forsale() -> Subject:
    it = game("forsale")
    options = it.rules.options
    variants = (
        options(),
        options(refund_rounding="up", first_player_rule="random", sell_fallback="random_seeded", balances="open"),
        options(opener_may_pass=False, bid_direction="ccw", first_player_rule="rotate", tie_break="shared"),
        options(bid_fault_policy="clamp", start_coins=200, max_attempts=1),
        options(start_coins="by_count", first_player_rule="fixed", initial_first="seat:2", max_attempts=5),
    )
    deducible = {
        "bank": "payments are public",
        "cheques[other]": "who got which cheque is public",
        "coins[other]": "payments are public",
        "first": "public, and the next one follows from the rules",
        "hands[other]": "who bought and sold which estate is public",
        "hands[own]": "the seat's own estates, in the order in which it bought them",
        "phase.chosen[own]": "the seat's own answer",
    }
    revealing = {
        "Sold.estates": "all sealed answers",
        "Sold.cheques": "what the sealed answers of others fetched",
    }
    return Subject(
        it,
        (3, 4, 5, 6),
        variants,
        forsale_treasure,
        together=True,
        deducible=deducible,
        revealing=revealing,
        scenes=SCENES["forsale"],
        golden=GOLDEN["forsale"],
    )


def dominion_treasure(state: Any) -> Any:
    cards = Counter(state.supply)
    for holding in state.holdings:
        cards.update(holding.hand + holding.deck + holding.discard)
        assert all(count > 0 for count in holding.owned.values())
    cards.update(state.trash + state.played)
    owned = Counter[str]()
    for holding in state.holdings:
        owned.update(holding.owned)
    assert +(owned + Counter(state.supply) + Counter(state.trash)) == +cards
    return +cards


def dominion() -> Subject:
    it = game("dominion")
    options = it.rules.options
    variants = (
        options(),
        options(on_silence="forfeit", top_discard_from="hand_or_played"),
        options(militia_on_leave="finish", turn_cap=12),
    )
    deducible = {
        "holdings[other].owned": "what everybody gains and trashes is public",
        "holdings[own].discard": "the seat's own discards",
        "steps": "what an attack has still to do follows from the card, which is public",
    }
    revealing = {
        "CleanedUp.top": "the uppermost discard, which everybody sees before it is shuffled into the deck",
        "Discarded": "whether a Cellar discarded anything",
        "Discarded.count": "how many cards a Cellar discarded",
        "Discarded.top": "the uppermost discard, which everybody sees before it is shuffled into the deck",
        "Drew": "whether a Cellar drew anything",
        "Drew.count": "how many cards a Cellar drew",
        "Shuffled": "whether a Cellar drew more than the deck had",
    }
    return Subject(
        it,
        (2, 3, 4),
        variants,
        dominion_treasure,
        together=False,
        deducible=deducible,
        revealing=revealing,
        scenes=SCENES["dominion"],
        golden=GOLDEN["dominion"],
    )


def maze_treasure(state: Any) -> Any:
    """Every tile is there once, and nobody is off the board."""
    board = state.board
    cells = board.rows * board.columns
    assert all(0 <= player.at < cells for player in state.players)
    shapes = Counter(UNTURNED[board.shape(cell)] for cell in range(cells))
    shapes[UNTURNED[board.spare]] += 1
    return Counter([*board.gems, board.spare_gems]), shapes


UNTURNED = {shape: min(turned(shape, degrees) for degrees in (0, 90, 180, 270)) for shape in range(16)}
"""A tile may be turned, but stays a corner or a cross."""


def maze() -> Subject:
    it = game("maze")
    options = it.rules.options
    variants = (
        options(round_cap=30),
        options(rows=5, columns=8, goals_per_player=2, extra_goals=3, round_cap=25),
        options(rows=4, columns=7, round_cap=5),
    )
    deducible = {
        "upcoming": "the seats whose turns are over are public",
        "passed": "passes are public",
    }
    revealing = {"Decided.why": "how the game ended: a player came home, or there was no next round"}
    return Subject(
        it,
        (0, 2, 3),
        variants,
        maze_treasure,
        together=True,
        deducible=deducible,
        revealing=revealing,
        scenes=SCENES["maze"],
        golden=GOLDEN["maze"],
    )


def colorfight_treasure(state: Any) -> Any:
    """Natural values never change; all other values stay within bounds, and totals agree with the cells."""
    land, uids = state.land, range(len(state.players) + 1)
    assert all(0 <= field <= 1000 for field in land.field.tolist())
    assert set(land.owner.tolist()) <= set(uids)
    for uid, player in enumerate(state.players, start=1):
        own = land.owner == uid
        assert player.cells == own.sum() and player.energy >= 0 and player.gold >= 0
        assert player.dead == (player.cells == 0)
        homes = land.level[own & (land.building == 1)]
        assert state.turn == 0 or homes.max(initial=0) == player.tech_level
    assert not land.building[land.owner == 0].any()
    naturals = (land.natural_gold, land.natural_energy, land.natural_cost)
    return [each.tolist() for each in naturals]


def colorfight() -> Subject:
    it = game("colorfight")
    options = it.rules.options
    variants = (
        options(width=4, height=3, max_turn=25),
        options(width=6, height=5, max_turn=12, ruleset="classic", errors="hidden"),
        options(width=3, height=3, max_turn=30, last_standing_ends=True),
    )
    deducible = {
        "players[other].here": "departures are public",
        "waiting": "the first round is begun as soon as one has been played",
        "players[own].errors": "what was wrong with the seat's own orders",
        "players[own].given": "the seat's own orders",
        "players[own].lists": "how often the seat itself has sent orders",
    }
    return Subject(
        it,
        (0, 1, 2, 4),
        variants,
        colorfight_treasure,
        together=True,
        deducible=deducible,
        golden=GOLDEN["colorfight"],
    )


def tradecraft_treasure(state: Any) -> Any:
    """Hands hold whole items, except at a bench, where they differ by the applied recipes; targets never change."""
    held = [amount for hand in state.hands for amount in hand.values()]
    assert all(amount > 0 and amount.denominator == 1 for amount in held)
    for seat, bench in enumerate(getattr(state.phase, "benches", ())):
        hand: Any = Counter(state.hands[seat])
        for note in bench.told:
            if isinstance(note.event, Applied):
                hand.subtract(unwritten(note.event.input))
                hand.update(unwritten(note.event.output))
                hand.update(unwritten(note.event.returns))
        assert all(amount >= 0 for amount in hand.values())
        left: Items = {item: amount for item, amount in hand.items() if amount}
        assert bench.hand == (whole(left) if bench.done else left)
    return state.targets


def tradecraft() -> Subject:
    it = game("tradecraft")
    options = it.rules.options
    variants = (
        options(max_turn=5),
        options(max_turn=6, whole_batches=True, order="drawn", max_invalid_proposals=1),
        options(max_turn=5, max_checks=2, fair=False, decoys=0),
    )
    deducible = {"phase.benches[own].checks": "how often the seat itself has checked; no view shows it once it is done"}
    return Subject(
        it,
        (2, 3, 4),
        variants,
        tradecraft_treasure,
        together=True,
        deducible=deducible,
        golden=GOLDEN["tradecraft"],
    )


def lotto() -> Subject:
    variants = (toy.Options(), toy.Options(5, kicks=True))
    deducible = {
        "here": "departures are public",
        "left[own]": "how often the seat itself has guessed",
    }
    revealing = {"Drawn.number": "the number that was drawn"}
    return Subject(
        toy.GAME,
        options=variants,
        treasure=lambda state: state.options,
        together=True,
        deducible=deducible,
        revealing=revealing,
    )


SUBJECTS = {
    "tradecraft": tradecraft(),
    "colorfight": colorfight(),
    "maze": maze(),
    "dominion": dominion(),
    "forsale": forsale(),
    "lotto": lotto(),
}

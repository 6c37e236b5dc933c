"""Sets tables for the tests: positions in which every card and coin is accounted for, and moves in words."""

from collections.abc import Sequence
from typing import Any

from parlour.core import Dice, Event, Leave, Stop, Table
from parlour.games.forsale.phases import Auction, Sale
from parlour.games.forsale.rules import SELL_ANY, State
from parlour.games.forsale.setup import CHEQUES, ESTATES, REMOVED
from parlour.games.forsale.values import Action, Bid, Options, Pass, Sell


def new(seats: int, seed: bytes = b"a table", **options: Any) -> State:
    """A match just begun."""
    return State.new(seats, Options(**options), None, Dice(seed))


def auction(houses: Sequence[int], coins: Sequence[int], round: int = 1, **options: Any) -> State:
    """A round of part I with these estates on the table. Seat 0 begins unless the options say otherwise.

    Coins that are not in anybody's purse are in the bank. Before a later round everybody has bought some of the rest.
    """
    seats = len(coins)
    table = _laid(seats, coins, options)
    rest = _without(ESTATES, houses)
    table.removed_estates = _taken(rest, REMOVED[seats])
    table.hands = [_taken(rest, round - 1) for _ in range(seats)]
    table.estate_deck = rest
    table.round = round
    table.phase = Auction(sorted(houses), [0] * seats, list(range(seats)), table.first)
    return table


def sale(
    hands: Sequence[Sequence[int]],
    cheques: Sequence[int],
    coins: Sequence[int] | None = None,
    won: Sequence[Sequence[int]] | None = None,
    **options: Any,
) -> State:
    """A round of part II with these cheques on the table; as many are to follow as there are estates in each hand."""
    seats = len(hands)
    table = _laid(seats, [5] * seats if coins is None else coins, options)
    table.hands = [sorted(hand) for hand in hands]
    table.round = 11 - seats - len(hands[0]) + 1
    rest = _without(CHEQUES, cheques)
    if won is None:
        table.removed_cheques = _taken(rest, REMOVED[seats])
        table.cheques = [_taken(rest, table.round - 1) for _ in range(seats)]
    else:
        rest = _without(rest, [cheque for cheques_won in won for cheque in cheques_won])
        table.removed_cheques = _taken(rest, len(rest) - seats * (len(hands[0]) - 1))
        table.cheques = [list(cheques_won) for cheques_won in won]
    table.cheque_deck = rest
    table.estate_deck = []
    table.removed_estates = _without(ESTATES, [estate for hand in hands for estate in hand])
    table.phase = Sale(sorted(cheques), [None] * seats)
    return table


def play(table: State, *moves: str) -> list[Event]:
    """Do what the words say, such as "0 bids 5", "1 passes", "2 sells 17" or "time is up"; returns what happened."""
    events: list[Event] = []
    for words in moves:
        by, action = _read(words)
        events += table.play(by, action)
    return events


def auction_of(table: State) -> Auction:
    assert isinstance(table.phase, Auction)
    return table.phase


def _read(words: str) -> tuple[int | None, Action | Table]:
    match words.split():
        case ["time", "is", "up"]:
            return None, Stop()
        case [seat, "leaves"]:
            return None, Leave(int(seat), "quit")
        case [seat, "passes"]:
            return int(seat), Pass()
        case [seat, "bids", amount]:
            return int(seat), Bid(int(amount))
        case [seat, "sells", "any"]:
            return int(seat), SELL_ANY
        case [seat, "sells", estate]:
            return int(seat), Sell(int(estate))
    raise ValueError(f"not a move: {words}")


def _laid(seats: int, coins: Sequence[int], options: dict[str, Any]) -> State:
    table = new(seats, **{"start_coins": max(18, *coins), "initial_first": "seat:0", **options})
    table.coins = list(coins)
    table.bank = table.start * seats - sum(coins)
    assert table.bank >= 0, "more coins than the table began with"
    return table


def _taken(cards: list[int], count: int) -> list[int]:
    taken = cards[:count]
    del cards[:count]
    return taken


def _without(cards: Sequence[int], gone: Sequence[int]) -> list[int]:
    rest = list(cards)
    for card in gone:
        rest.remove(card)
    return rest

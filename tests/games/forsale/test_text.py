"""For Sale as text: what is shown, and how answers are read."""

from typing import Any

import pytest

from parlour.core import BadMessage
from parlour.games.forsale.text import TEXT
from parlour.games.forsale.values import Bid, Pass, Sell
from tests.games.forsale.tables import auction, play, sale

NAMES = ["ada", "bob", "cleo"]
AUCTION = auction(houses=[4, 11, 28], coins=[18, 18, 18])
play(AUCTION, "0 bids 5")
SALE = sale(hands=[[4, 9], [1, 17], [12, 30]], cheques=[2, 5, 11])


def parsed(state: Any, seat: int, text: str) -> Any:
    return TEXT.parse(text, state.asks()[seat], state.view(seat), NAMES)


def test_the_position_and_the_question() -> None:
    view = AUCTION.view(1)
    assert TEXT.view(view, NAMES).splitlines()[1:5] == [
        "On the table: estates 4 11 28.",
        "Highest bid: 5. To bid: you.",
        "Players:",
        '- seat 0 "ada": coins hidden, bid 5, still in',
    ]
    asked = TEXT.ask(AUCTION.asks()[1], view, NAMES)
    assert "You may bid a total of 6 to 18 coins" in asked and "Write for example: bid 6" in asked


@pytest.mark.parametrize("text", ["bid 6", "I bid 6 coins.", "6", "6.0", "BID: 6!", '{"bid": "6.0"}', "bid(amount=6)"])
def test_a_bid_is_the_whole_bid(text: str) -> None:
    assert parsed(AUCTION, 1, text) == Bid(6)


@pytest.mark.parametrize("text", ["pass", "I pass.", '{"action": "pass", "amount": null}', "PASS!"])
def test_a_pass(text: str) -> None:
    assert parsed(AUCTION, 1, text) == Pass()


@pytest.mark.parametrize(
    "text", ["sell 17", "I sell my estate 17", "17.", '{"action": "sell", "estate": 17.0}', "sell(17)"]
)
def test_an_estate_to_sell(text: str) -> None:
    assert parsed(SALE, 1, text) == Sell(17)


@pytest.mark.parametrize(
    "text",
    ["bid 6.5", "bid 6 or 7", "I will not pass", "bid -6", "bid six", "bid 6\nbid 7", "pass or bid 6", "bid 1e1"],
)
def test_what_is_unclear_is_refused_with_forms_that_are_possible(text: str) -> None:
    with pytest.raises(BadMessage, match=r"Write for example: bid 6; pass$"):
        parsed(AUCTION, 1, text)


def test_a_form_that_is_not_possible_is_not_named() -> None:
    poor = auction(houses=[4, 11, 28], coins=[18, 3, 18])
    play(poor, "0 bids 5")
    asked = TEXT.ask(poor.asks()[1], poor.view(1), NAMES)
    assert "you cannot bid" in asked and "bid 6" not in asked
    with pytest.raises(BadMessage, match=r"Write for example: pass$"):
        parsed(poor, 1, "hm")
    assert TEXT.schema(poor.asks()[1], poor.view(1), NAMES)["properties"] == {
        "action": {"type": "string", "enum": ["pass"]}
    }

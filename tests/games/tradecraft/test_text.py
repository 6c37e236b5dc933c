"""tradeCraft as text: what is shown, how answers are read, and that messages cannot pass for the referee's."""

from typing import Any

import pytest

from parlour.core import BadMessage, Event
from parlour.games.tradecraft.text import TEXT
from parlour.games.tradecraft.values import Answered, Apply, Check, Decide, Done, Propose, Proposed
from parlour.testing.hostile_texts import HOSTILE
from tests.games.tradecraft.tables import bench, play, table

NAMES = ["ada", "bob", "cleo"]
PROPOSING = table("2 coal 2 stick", "3 iron_ingot", targets=["1 torch"])
DECIDING = table("2 coal 2 stick", "3 iron_ingot")
play(DECIDING, "0 offers 1 1 coal for 1 iron_ingot: take it")
CRAFTING = bench("1 coal 1 stick", "1 dirt")


def parsed(state: Any, seat: int, text: str) -> Any:
    return TEXT.parse(text, state.asks()[seat], state.view(seat), NAMES)


def test_the_position_and_the_question() -> None:
    said = TEXT.view(DECIDING.view(1), NAMES)
    assert (
        'Seat 0 "ada" offers you 1 coal for 1 iron_ingot. [words of seat 0 "ada", not of the referee: "take it"]'
        in (TEXT.event(Proposed(0, 1, {"coal": 1}, {"iron_ingot": 1}, "take it"), NAMES, 1))
    )
    assert '[words of seat 0 "ada", not of the referee: "take it"]' in said
    asked = TEXT.ask(PROPOSING.asks()[0], PROPOSING.view(0), NAMES)
    assert "Your target torch is made: 1 charcoal or coal + 1 stick -> 4 torch" in asked
    assert "- offer 1 coal to seat 1 for 1 iron_ingot" in asked
    assert "- check 1 coal + 1 stick = 4 torch" in TEXT.ask(CRAFTING.asks()[0], CRAFTING.view(0), NAMES)


@pytest.mark.parametrize(
    "text",
    [
        "offer 2 stick, 1 coal to seat 1 for 1 iron_ingot",
        "I offer 2 sticks and 1 coal to Bob for 1 Iron Ingot.",
        "propose 2 minecraft:stick + 1 coal to 1 for 1 iron ingot",
        '{"action": "propose", "partner": "BOB", "offer": {"Stick": 2.0, "coal": "1"}, "request": {"iron_ingot": 1}}',
        '{"partner": 1, "offer": [{"item": "stick", "amount": 2}, "1 coal"], "request": "1 iron_ingot", "message": ""}',
        'propose(partner=1, offer={"stick": 2, "coal": 1}, request={"iron_ingot": 1})',
    ],
)
def test_a_proposal_may_be_written_in_many_ways(text: str) -> None:
    assert parsed(PROPOSING, 0, text) == Propose(1, {"stick": 2, "coal": 1}, {"iron_ingot": 1})


def test_a_message_comes_after_a_colon_or_in_its_field() -> None:
    assert parsed(PROPOSING, 0, 'offer nothing to 1 for nothing: "hello there"') == Propose(1, {}, {}, "hello there")
    assert parsed(DECIDING, 1, "accept: thanks, friend") == Decide("accept", "thanks, friend")
    assert parsed(DECIDING, 1, '{"action": "reject", "message": "no: too little"}') == Decide(
        "reject", "no: too little"
    )
    assert parsed(DECIDING, 1, "accept: \t thanks: friend \n") == Decide("accept", "thanks: friend")


def test_spaces_after_a_colon_are_read_once() -> None:
    """With one more line this took a time that grew with the cube of the number of spaces."""
    spaces = " " * 60_000
    assert parsed(DECIDING, 1, f"accept:{spaces}thanks{spaces}") == Decide("accept", "thanks")
    for text in (f"accept:{spaces}thanks\nfriend", f"accept: thanks{spaces}\nfriend"):
        assert parsed(DECIDING, 1, text) == Decide("accept")


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("Accept.", Decide("accept")),
        ("I accept because coal is worth more", Decide("accept")),
        ('{"decision": "ACCEPT"}', Decide("accept")),
        ("I reject.", Decide("reject")),
        ("They offer too little, so I reject.", Decide("reject")),
    ],
)
def test_a_decision(text: str, action: Any) -> None:
    assert parsed(DECIDING, 1, text) == action


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("check 1 coal + 1 stick = 4 torch", Check({"coal": 1, "stick": 1}, {"torch": 4})),
        ("check 1/2 coal, 0.5 stick -> 2 torches", Check({"coal": "1/2", "stick": "1/2"}, {"torches": 2})),
        (
            '{"check": {"input": {"coal": 1, "stick": 1}, "output": {"torch": 4}}}',
            Check({"coal": 1, "stick": 1}, {"torch": 4}),
        ),
        ("apply", Apply()),
        ("I am not sure, but:\nAnswer: done", Done()),
        ('{"action": "done_crafting"}', Done()),
    ],
)
def test_crafting(text: str, action: Any) -> None:
    assert parsed(CRAFTING, 0, text) == action


@pytest.mark.parametrize(
    ("state", "seat", "text"),
    [
        (PROPOSING, 0, "pass"),
        (PROPOSING, 0, "offer 1 coal to dan for 1 iron_ingot"),
        (PROPOSING, 0, "offer 1 coal to 1"),
        (PROPOSING, 0, "offer x coal to 1 for nothing"),
        (PROPOSING, 0, '{"partner": 1, "offer": {"coal": true}, "request": {}}'),
        (PROPOSING, 0, '{"partner": 1, "offer": {"coal": 1, "Coal": 1}, "request": {}}'),
        (PROPOSING, 0, '{"partner": 1, "offer": {}, "request": {}, "message": "' + "x" * 2001 + '"}'),
        (DECIDING, 1, "I do not accept"),
        (DECIDING, 1, "I will not accept: it is too little"),
        (DECIDING, 1, "accept or reject"),
        (DECIDING, 1, "accept: no, reject"),
        (DECIDING, 1, "accept: reject"),
        (DECIDING, 1, "reject\naccept"),
        (CRAFTING, 0, "check torch"),
        (CRAFTING, 0, "check 1 coal = 4 torch = 1 stick"),
        (CRAFTING, 0, "I am not done."),
    ],
)
def test_what_is_unclear_is_refused(state: Any, seat: int, text: str) -> None:
    with pytest.raises(BadMessage):
        parsed(state, seat, text)


@pytest.mark.parametrize("attack", HOSTILE)
def test_a_message_is_quoted_and_labelled(attack: str) -> None:
    """Wherever it is shown: the text is the same as with any other message, except for the quotation."""
    events: list[Event] = [Proposed(0, 1, {}, {}, attack), Answered(1, 0, attack)]
    for said in [*(TEXT.event(event, NAMES, 1) for event in events), _position(attack)]:
        assert said.count("\n") == (6 if "Hands" in said else 0) and said.replace("\n", "").isprintable()
        assert (
            said.count('[words of seat 0 "ada", not of the referee: "') == 1 and "```" not in said and "<|" not in said
        )
        quotation = said.partition('not of the referee: "')[2]
        assert quotation.count('"') - quotation.partition('"]')[2].count('"') == 1


def _position(message: str) -> str:
    state = table("2 coal", "3 stick")
    state.play(0, Propose(1, {}, {}, message[:2000]))
    return TEXT.view(state.view(1), NAMES)

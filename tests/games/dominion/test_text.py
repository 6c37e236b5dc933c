"""Dominion as text: what is shown, and how answers are read."""

from typing import Any

import pytest

from parlour.core import BadMessage
from parlour.games.dominion.text import TEXT
from parlour.games.dominion.values import Buy, CleanUp, Discard, Play, Reveal
from tests.games.dominion.tables import play, table

NAMES = ["ada", "bob"]
TURN = table(["cellar remodel workshop estate copper", "copper"])
POOR = table(["mine remodel", "copper"])
ATTACKED = table(["militia copper", "moat estate copper silver gold"])
play(ATTACKED, "0 plays militia")


def parsed(state: Any, text: str) -> Any:
    [(seat, ask)] = state.asks().items()
    return TEXT.parse(text, ask, state.view(seat), NAMES)


def asked(state: Any) -> str:
    [(seat, ask)] = state.asks().items()
    return TEXT.ask(ask, state.view(seat), NAMES)


def test_the_position() -> None:
    lines = TEXT.view(ATTACKED.view(1), NAMES).splitlines()
    assert lines[0].startswith('Turn 1: turn of seat 0 "ada". Left: actions 0, buys 1, money 0')
    assert "Under attack: you." in lines
    assert "Your hand: moat, estate, copper, silver, gold. Its treasures are worth 6 money." in lines


def test_a_question_names_what_is_possible() -> None:
    said = asked(TURN)
    assert "remodel (play remodel, trash cellar, gain " in said and "copper (0)" in said
    assert "You cannot play mine" in asked(POOR) and "- play mine" not in asked(POOR)
    assert "Discard exactly 2 cards of your hand, or reveal a moat" in asked(ATTACKED)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("play cellar", Play("cellar")),
        ("I play Cellar, discarding estate and copper.", Play("cellar", discard=("estate", "copper"))),
        ('{"action": "play", "card": "cellar", "discard": ["Estate", "copper"]}', Play("cellar", ("estate", "copper"))),
        ("play remodel, trash estate, gain silver", Play("remodel", trash="estate", gain="silver")),
        ("play remodel trashing an estate to gain a silver", Play("remodel", trash="estate", gain="silver")),
        ("play remodel estate silver", Play("remodel", trash="estate", gain="silver")),
        ("play(card=workshop, gain=village)", Play("workshop", gain="village")),
        ('{"play": "workshop", "gain": "village", "trash": null, "cards": []}', Play("workshop", gain="village")),
        ("Buy 2 coppers", Buy(("copper", "copper"))),
        ("buy copper and estate", Buy(("copper", "estate"))),
        ("buy nothing", Buy()),
        ('{"action": "buy", "cards": ["copper"], "treasures": ["copper"]}', Buy(("copper",), ("copper",))),
        ("end", CleanUp()),
        ("End my turn.", CleanUp()),
        ("end, top estate", CleanUp("estate")),
        ('{"action": "play", "card": "castle"}', Play("castle")),
    ],
)
def test_answers_in_a_turn(text: str, action: Any) -> None:
    assert parsed(TURN, text) == action


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("discard estate, copper", Discard(("estate", "copper"))),
        ('{"discard": ["estate", "copper"]}', Discard(("estate", "copper"))),
        ("reveal moat", Reveal()),
        ("I reveal the moat!", Reveal()),
        ("reveal", Reveal()),
    ],
)
def test_answers_to_an_attack(text: str, action: Any) -> None:
    assert parsed(ATTACKED, text) == action


@pytest.mark.parametrize(
    "text",
    [
        "play it safe",
        "play cellar\nbuy copper",
        "buy silvr",
        "buy copper, silvr",
        "buy",
        "buy copper or estate",
        "do not buy copper",
        "the end of the game is near",
        "play remodel, trash estate, gain castle",
        '{"action": "buy", "cards": [1]}',
        '{"action": "play"}',
    ],
)
def test_what_is_unclear_is_refused(text: str) -> None:
    with pytest.raises(BadMessage):
        parsed(TURN, text)

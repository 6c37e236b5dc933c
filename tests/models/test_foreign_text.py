"""No name, message or fault in the prompt of a model can pass for the referee's words."""

from collections.abc import Sequence
from typing import Any

import pytest

from parlour.core import AnswerRefused, Asked, Dice, Event, Fault, Place
from parlour.core.quoting import quoted
from parlour.core.values import MOST_NAME
from parlour.games import game
from parlour.players.models.conversation import ModelDialogue
from parlour.players.models.endpoints import Endpoint
from parlour.players.models.options import ModelOptions, ModelTerms
from parlour.plugins import names as games
from parlour.testing import Subject
from parlour.testing.hostile_texts import HOSTILE
from parlour.testing.walk import Case, Walk

STEPS = 25
TERMS = ModelTerms("m", Endpoint("openai", "openai", None, "OPENAI_API_KEY"), ModelOptions(answers="text"))


def prompts(name: str, players: Sequence[str]) -> str:
    """All prompts of seat 0 in the first moves of a match between these players."""
    it = game(name)
    walk = Walk(Case(Subject(it), 3, it.hosting.short or it.rules.options(), b"prompts", 0, False)).begin()
    place = Place(name, "m", 0, tuple(players), walk.match.options, "")
    talk = ModelDialogue(it, place, TERMS)
    told: list[str] = []
    for _ in range(STEPS):
        heard = len(walk.outs)
        walk.step()
        for event in [notice for out in walk.outs[heard:] for notice in out.to(0)]:
            if isinstance(event, Event):
                talk.hear(event)
        if 0 in walk.match.open:
            ask = walk.match.open[0].ask
            question = talk.begin(Asked(0, 1, ask, 1, None, None, None, None), walk.match.state.view(0))()
            talk.open(question)
            told += [message.text for message in talk.request().messages]
            talk.undecided()
    return "\n".join(told)


@pytest.mark.parametrize("name", games())
def test_names_are_quoted_in_every_prompt(name: str) -> None:
    usual = ["name000", "name001", "name002"]
    expected = prompts(name, usual)
    assert all(quoted(each) in expected for each in usual)
    for seat, attack in enumerate(HOSTILE[:12:4]):
        players = [attack if other == seat else each for other, each in enumerate(usual)]
        said = prompts(name, players).replace(quoted(attack, MOST_NAME), quoted(usual[seat]))
        assert said == expected, f"the name {attack!r} is not quoted"


@pytest.mark.parametrize("attack", HOSTILE)
def test_the_reason_of_a_refusal_stays_on_its_line(attack: str) -> None:
    it = game("forsale")
    state = it.rules.new(3, it.rules.options(), None, Dice(b"x"))
    place = Place("forsale", "m", 0, ("a", "b", "c"), it.rules.options(), "")
    talk = ModelDialogue(it, place, TERMS)

    def question(words: str) -> str:
        talk.refused(AnswerRefused(0, 1, Fault("illegal", "x", words), None, 1))
        ask: Any = next(iter(state.asks().values()))
        said = talk.begin(Asked(0, 1, ask, 1, None, None, None, None), state.view(0))()
        talk.undecided()
        return said

    said, usual = question(attack), question("x")
    assert len(said.splitlines()) == len(usual.splitlines()) and said.replace("\n", "").isprintable()
    assert "```" not in said and "<|" not in said

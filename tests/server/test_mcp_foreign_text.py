"""No name and no message of another player can pass for the referee's words in what an agent is told."""

from collections.abc import Iterator
from typing import Any

import pytest

from parlour.core import Asked, Event, Over, Place, Result
from parlour.core.quoting import quoted
from parlour.core.values import MOST_NAME
from parlour.games import game
from parlour.games.tradecraft.values import Proposed
from parlour.server.agents.agent_reports import seat_report, view_report, waiting_words
from parlour.server.agents.agent_seat import AgentSeat
from parlour.testing import Subject
from parlour.testing.hostile_texts import HOSTILE
from parlour.testing.walk import Case, Walk

STEPS = 12
USUAL = ("name000", "name001", "name002")


def flat(value: Any) -> Iterator[Any]:
    """All that is in a value."""
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from flat(part)
    else:
        yield value


def reports(name: str, players: tuple[str, ...], words: str = "") -> str:
    """All that the agent of seat 0 is told in the first moves of a match, in texts and in fields."""
    it = game(name)
    walk = Walk(Case(Subject(it), 3, it.hosting.short or it.rules.options(), b"reports", 0, False)).begin()
    seat, told = AgentSeat(it, 1, "token"), []

    def report() -> None:
        facts = {key: value for key, value in seat_report(seat).facts.items() if key != "players"}
        told.extend([seat_report(seat).text, *map(str, flat(facts)), view_report(seat, view).text])

    view: Any = walk.match.state.view(0)
    seat.sat(Place(name, "m", 0, players, walk.match.options, ""), view)
    if words:
        seat.told(Proposed(1, 0, {}, {}, words), None)
    for _ in range(STEPS):
        heard = len(walk.outs)
        walk.step()
        view = walk.match.state.view(0)
        for event in [notice for out in walk.outs[heard:] for notice in out.to(0)]:
            if isinstance(event, Event):
                seat.told(event, view)
        if 0 in walk.match.open:
            seat.told(Asked(0, 1, walk.match.open[0].ask, 1, None, None, None, None), view)
        report()
    seat.told(Over(Result((0, 0, 0), (1, 2, 3)), ""), view)
    report()
    return "\n".join([*told, waiting_words(players, 0, 1.0)])


@pytest.mark.parametrize("name", ["forsale", "tradecraft"])
def test_names_are_quoted_in_every_report(name: str) -> None:
    expected = reports(name, USUAL)
    assert all(quoted(each) in expected for each in USUAL)
    for seat, attack in enumerate(HOSTILE[:12:4]):
        players = tuple(attack if other == seat else each for other, each in enumerate(USUAL))
        said = reports(name, players).replace(quoted(attack, MOST_NAME), quoted(USUAL[seat]))
        assert said == expected, f"the name {attack!r} is not quoted"


@pytest.mark.parametrize("attack", HOSTILE)
def test_messages_of_tradecraft_are_quoted_in_every_report(attack: str) -> None:
    said, usual = reports("tradecraft", USUAL, attack), reports("tradecraft", USUAL, "hello")
    assert '"hello"' in usual
    assert len(said.splitlines()) == len(usual.splitlines()) and "```" not in said and "<|" not in said
    begins = [line[:12] for line in usual.splitlines()]
    assert [line[:12] for line in said.splitlines()] == begins, "the message begins no line"

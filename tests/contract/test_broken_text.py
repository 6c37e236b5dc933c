"""Text forms that tell a secret, or break the contract in another way, fail one test each."""

import time
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from parlour.core import BadMessage, Event, Seat
from parlour.games import game
from parlour.games.forsale.rules import State
from parlour.games.forsale.text import TEXT
from parlour.games.forsale.values import Pass
from parlour.testing import GameContract, Leak, Subject

pytestmark = pytest.mark.usefixtures("unshrunk")


def contract(**changes: Any) -> Any:
    """The tests that For Sale inherits with another text form."""
    forsale = replace(game("forsale"), text=replace(TEXT, **changes))
    return type("TestBrokenText", (GameContract,), {"subject": Subject(forsale, (3,))})()


@pytest.fixture
def states(monkeypatch: pytest.MonkeyPatch) -> list[State]:
    """The state whose view was built last: what a text form must never get hold of."""
    last: list[State] = []
    build = State.view

    def view(self: State, who: Any) -> Any:
        last[:] = [self]
        return build(self, who)

    monkeypatch.setattr(State, "view", view)
    return last


def secret(states: list[State]) -> int:
    """One bit of the cards that nobody has seen."""
    return sum(states[0].estate_deck[:1]) & 1


def test_a_secret_in_the_text_of_a_view_is_noticed(states: list[State]) -> None:
    tests = contract(view=lambda view, names: f"{TEXT.view(view, names)}{'.' * secret(states)}")
    with pytest.raises(Leak, match="tells a position from its redeal"):
        tests.test_the_text_of_a_position_is_that_of_its_redeal()


def test_a_secret_in_the_text_of_a_question_is_noticed(states: list[State]) -> None:
    tests = contract(ask=lambda ask, view, names: f"{TEXT.ask(ask, view, names)}{'.' * secret(states)}")
    with pytest.raises(Leak, match="tells a position from its redeal"):
        tests.test_the_text_of_a_position_is_that_of_its_redeal()


def test_a_secret_in_a_schema_is_noticed(states: list[State]) -> None:
    tests = contract(schema=lambda ask, view, names: {**TEXT.schema(ask, view, names), "title": str(secret(states))})
    with pytest.raises(Leak, match="tells a position from its redeal"):
        tests.test_the_text_of_a_position_is_that_of_its_redeal()


def test_a_secret_in_the_text_of_an_event_is_noticed(states: list[State]) -> None:
    def event(event: Event, names: Sequence[str], reader: Seat | None) -> str:
        return f"{TEXT.event(event, names, reader)}{states[0].estate_deck}"

    with pytest.raises(Leak, match="depends on more than the event"):
        contract(event=event).test_the_text_of_an_event_depends_only_on_what_is_seen_of_it()


def test_a_name_that_is_not_quoted_is_noticed() -> None:
    tests = contract(view=lambda view, names: "\n".join(names))
    with pytest.raises(AssertionError, match="is not quoted in"):
        tests.test_names_are_quoted_wherever_they_stand()


def test_a_name_that_ends_its_quotes_is_noticed() -> None:
    tests = contract(view=lambda view, names: " ".join(f'"{name}"' for name in names))
    with pytest.raises(AssertionError, match="is not quoted in"):
        tests.test_names_are_quoted_wherever_they_stand()


def test_a_text_of_an_event_that_is_not_quoted_is_noticed() -> None:
    tests = contract(event=lambda event, names, reader: getattr(event, "why", "") or TEXT.event(event, names, reader))
    with pytest.raises(AssertionError, match=r"breaks the lines|is not quoted"):
        tests.test_texts_in_events_stay_on_their_line()


def test_an_answer_that_is_read_as_another_is_noticed() -> None:
    tests = contract(parse=lambda text, ask, view, names: Pass())
    with pytest.raises(AssertionError, match="is read as Pass"):
        tests.test_an_answer_is_read_as_it_is_written()


def test_a_schema_that_refuses_an_answer_is_noticed() -> None:
    tests = contract(schema=lambda ask, view, names: {"type": "object", "maxProperties": 1})
    with pytest.raises(AssertionError, match="the schema refuses"):
        tests.test_an_answer_is_read_as_it_is_written()


@pytest.mark.parametrize(
    ("named", "why"),
    [
        ("Write: bid 999", "'bid 999', which is refused"),
        ("Write for example:\n- sell 99", "which is refused"),
        ("", "no answer"),
    ],
)
def test_a_form_that_is_refused_is_noticed(named: str, why: str) -> None:
    tests = contract(ask=lambda ask, view, names: named)
    with pytest.raises(AssertionError, match=why):
        tests.test_every_form_that_is_named_can_be_read()


def test_an_error_that_is_no_bad_message_is_noticed() -> None:
    with pytest.raises(IndexError):
        contract(parse=lambda text, ask, view, names: text.split()[0]).test_junk_is_refused_quickly()


def test_slow_reading_is_noticed() -> None:
    def parse(text: str, ask: Any, view: Any, names: Sequence[str]) -> Any:
        until = time.process_time() + (1.1 if len(text) > 10_000 else 0)
        while time.process_time() < until:
            pass
        raise BadMessage("unclear", "unclear")

    with pytest.raises(AssertionError, match="took"):
        contract(parse=parse).test_junk_is_refused_quickly()


def test_a_long_text_is_noticed() -> None:
    with pytest.raises(AssertionError, match="too long"):
        contract(view=lambda view, names: "x" * 100_000).test_every_form_that_is_named_can_be_read()

"""Fields are described in the published schemas by their docstrings."""

from typing import Annotated

import msgspec

from parlour.core import Game, Seat, Value, rule
from parlour.games import game
from parlour.protocol.field_words import describe_fields, field_words
from parlour.protocol.v1 import schema


class Base(Value, frozen=True):
    """A base with a field."""

    cards: int
    """How many cards
    there are."""


class Derived(Base, frozen=True):
    """One more field, one described by its type, and one without words."""

    owner: Seat
    """Who has them."""
    bare: int
    told: Annotated[int, rule("By its type.")]
    """By its docstring."""


def test_docstrings_of_fields_and_of_inherited_fields_are_found() -> None:
    assert field_words(Derived) == {
        "cards": "How many cards there are.",
        "owner": "Who has them.",
        "told": "By its docstring.",
    }


def test_a_class_without_source_code_has_no_words() -> None:
    made = msgspec.defstruct("Made", [("count", int)], module="no.such.module")
    assert field_words(made) == {}


def test_a_description_of_the_type_wins_over_the_docstring() -> None:
    _, named = msgspec.json.schema_components([Derived])
    describe_fields([Derived], named)
    fields = named["Derived"]["properties"]
    assert fields["cards"]["description"] == "How many cards there are."
    assert fields["told"]["description"] == "By its type."
    assert "description" not in fields["bare"]


def test_the_schema_of_a_game_describes_fields_and_tells_seats_from_numbers() -> None:
    dominion: Game[Value] = game("dominion")
    view = schema(dominion)["$defs"]["View"]["properties"]
    assert view["areas"]["description"] == "By seat."
    assert view["turn"]["format"] == "seat"
    assert "format" not in view["money"]

"""The page about games as text shows what the text forms write, with the sizes that they have.

`python -m tests.docs.test_text_page` prints the samples and the table."""

from collections.abc import Iterator
from typing import Any

import pytest
from rs_bpe.bpe import openai

from parlour.cli.text_sample import decision_sample
from parlour.core.generated_text import rules_text, text_of
from parlour.games import game
from parlour.plugins import names
from parlour.testing import Subject
from parlour.testing.walk import Case, Walk
from tests.docs.pages import blocks, page, rows

MOST_RULES = 4000
"""Tokens of the rules."""
MOST_INPUTS = 150
COUNT = openai.o200k_base().count
LARGEST = {
    "colorfight": (256, {"width": 200, "height": 200, "max_turn": 30}),
    "maze": (6, {"rows": 40, "columns": 40}),
}
"""The largest maps: seats and options."""


def sample(name: str) -> str:
    """The position and the question of the sample decision."""
    return decision_sample(game(name)).partition("\n\n## The schema")[0].replace("## ", "")


def sizes(name: str) -> list[str]:
    """The row of a game: title, tokens of the rules, and of the longest view and question of a match of random bots."""
    it = game(name)
    seats = next(seats for seats in it.table_seats() if seats > 1)
    return [it.title, str(COUNT(rules_text(it))), *_longest(walk(name, seats, it.hosting.short or it.rules.options()))]


def largest(name: str) -> list[str]:
    """The same for the first decision on the largest map."""
    seats, options = LARGEST[name]
    begun = Walk(Case(Subject(game(name)), seats, game(name).rules.options(**options), b"sizes", 0, False)).begin()
    while begun.match.open[min(begun.match.open)].ask.default is not None:
        begun.step()
    title = f"{game(name).title}, the largest map with {seats} players"
    return [title, str(COUNT(rules_text(game(name)))), *_longest(iter([begun]))]


def walk(name: str, seats: int, options: Any) -> Iterator[Walk]:
    it = Walk(Case(Subject(game(name)), seats, options, b"sizes", 0, False)).begin()
    for _ in range(MOST_INPUTS):
        if it.match.end is not None:
            return
        yield it
        it.step()


def _longest(moments: Iterator[Walk]) -> list[str]:
    views, asks = [0], [0]
    for it in moments:
        form, state, people = text_of(it.match.game), it.match.state, it.match.names
        for seat in sorted(it.match.open)[:1]:
            view = state.view(seat)
            views.append(COUNT(form.view(view, people)))
            asks.append(COUNT(form.ask(it.match.open[seat].ask, view, people)))
    return [str(max(views)), str(max(asks))]


@pytest.mark.parametrize("name", names())
def test_the_rules_are_of_few_tokens(name: str) -> None:
    assert COUNT(rules_text(game(name))) <= MOST_RULES


@pytest.mark.parametrize("name", names())
def test_the_page_shows_a_decision_of_every_game(name: str) -> None:
    assert sample(name) in blocks("text.md", "text")


def test_the_table_of_sizes_is_that_of_the_text_forms() -> None:
    shown = [row for row in rows(page("text.md")) if len(row) == 4 and row[1].isdecimal()]
    assert shown == table()


def table() -> list[list[str]]:
    return [*map(sizes, names()), *map(largest, LARGEST)]


if __name__ == "__main__":
    for name in names():
        print(f"### {game(name).title}\n\n```text\n{sample(name)}\n```\n")
    for row in table():
        print(f"| {' | '.join(row)} |")

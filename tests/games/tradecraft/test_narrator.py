"""The exact text of whole games as language models and people read it.

`python -m tests.games.tradecraft.test_narrator` rewrites the files; review the difference.
"""

from pathlib import Path

import pytest

from parlour.core import Event, Public
from parlour.games.tradecraft.answers import ItemInfo, Memory, PossibleRecipes, Query, query
from parlour.games.tradecraft.narrator import Narrator, about, listed, say
from parlour.games.tradecraft.values import (
    Accepted,
    Answered,
    Checked,
    Decided,
    Finished,
    HandsShown,
    Left,
    Proposed,
    Rejected,
    TurnBegan,
)
from tests.games.tradecraft.tables import NAMES, STARTERS, Room, bench, problem, table

FOLDER = Path(__file__).parent / "texts"

FEAST = [
    "0 offers 1 2 sugar for 1 egg 3 wheat: there will be cake,\nI promise",
    "1 rejects: sugar is not enough",
    "3 leaves",
    "0 is done",
    "1 is done",
    "2 checks 1 paper = 1 book",
    "2 is done",
    "1 offers 2 1 egg for 1 honeycomb",
    "2 accepts",
    "1 checks 2 string 1 honeycomb = 2 candle",
    "1 checks 1 string 1 honeycomb = 1 candle",
    "1 applies",
    "0 is done",
    "2 is done",
    "1 is done",
]
SMITHS = [
    "0 offers 1 1 raw_iron 1 flint for 1 coal",
    "1 accepts: thank you",
    "0 crafts 3 raw_iron 3/8 coal = 3 iron_ingot",
    "0 crafts 3 iron_ingot = 1 bucket",
    "0 is done",
    "1 crafts 1 raw_iron 2/3 oak_planks = 1 iron_ingot",
    "1 crafts 1 iron_ingot 1 flint = 1 flint_and_steel",
    "1 is done",
]
GAMES = {"four-at-a-feast": FEAST, "two-smiths": SMITHS}
READERS: dict[str, tuple[str, int | None]] = {
    "feast-proposer": ("four-at-a-feast", 0),
    "feast-partner": ("four-at-a-feast", 1),
    "feast-third": ("four-at-a-feast", 2),
    "feast-spectator": ("four-at-a-feast", None),
    "smiths-proposer": ("two-smiths", 0),
    "smiths-spectator": ("two-smiths", None),
}


def read(name: str) -> str:
    """A game as one reader sees it: the position whenever it has changed, and the events in between."""
    starter, who = READERS[name]
    room, narrator = Room(STARTERS[starter]), Narrator(NAMES, who)
    pages = [narrator.seen(room.state.view(who))]
    for move in GAMES[starter]:
        before = len(room.outs)
        room.do(move)
        for out in room.outs[before:]:
            pages += [f"> {narrator.told(notice)}" for notice in out.to(who) if isinstance(notice, Event)]
        if (page := narrator.seen(room.state.view(who))) != [each for each in pages if each[0] != ">"][-1]:
            pages.append(page)
    return "\n\n".join(pages).replace("\n\n> ", "\n> ") + "\n"


@pytest.mark.parametrize("name", READERS)
def test_a_game_reads_as_ever(name: str) -> None:
    assert read(name) == (FOLDER / f"{name}.txt").read_text()


def test_there_is_a_reader_for_every_file() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(READERS)


def test_what_others_may_not_know_is_not_between_the_lines() -> None:  # RULES 9.1
    for name in ("feast-third", "feast-spectator"):
        assert "promise" not in read(name) and "not enough" not in read(name)
        assert "scaffolding" not in read(name).partition("The game is over")[0]
    assert "Your secret target" not in read("feast-spectator")


def test_each_event_is_one_line_but_hands() -> None:
    events: list[Event] = [
        TurnBegan(2, 1),
        Proposed(0),
        Proposed(0, 1, {"coal": 1}, {}, "one\ntwo"),
        Answered(0, 1, "yes\r\nno"),
        Accepted(0, 1, {"coal": 1}, {"stick": 2}),
        Rejected(0),
        Checked(0, {"coal": 1}, {"torch": 4}, 1, None, "1 stick is missing", {}),
        Finished(0),
        Left(1, "quit"),
    ]
    for event in events:
        for me in (None, 0, 1, 2):
            assert len(Narrator(NAMES, me).told(event).splitlines()) == 1
    assert len(Narrator(NAMES).told(HandsShown(({}, {}, {}))).splitlines()) == 4


@pytest.mark.parametrize(
    ("event", "me", "words"),
    [
        (TurnBegan(2, 1), 1, "Turn 2: you are to propose."),
        (TurnBegan(2, 1), 0, "Turn 2: bob is to propose."),
        (Proposed(0), 2, "ada has made a proposal."),
        (Proposed(0), 0, "You have made a proposal."),
        (Proposed(0, 1, {"coal": 1}, {"stick": 2}, "hi"), 1, 'ada offers you 1 coal for 2 stick, saying: "hi"'),
        (Proposed(0, 1, {}, {}), 0, "You offer bob nothing for nothing."),
        (Answered(0, 1, ""), 0, "bob replies to you without a word."),
        (Answered(0, 1, "no"), 1, 'You reply to ada, saying: "no"'),
        (Accepted(0, 1, {"coal": 1}, {}), 2, "ada's proposal is accepted: ada gives bob 1 coal for nothing."),
        (Accepted(0, 1, {"coal": 1}, {}), 0, "Your proposal is accepted: you give bob 1 coal for nothing."),
        (Rejected(0), 2, "ada's proposal is rejected."),
        (Rejected(0), 0, "Your proposal is rejected."),
        (Finished(0), 1, "ada is done crafting."),
        (Finished(0, {"coal": 1}), 0, "You are done crafting, and now have 1 coal."),
        (Left(1, "quit"), 0, "bob has left (quit)."),
    ],
)
def test_events_in_words(event: Event, me: int | None, words: str) -> None:
    assert Narrator(NAMES, me).told(event) == words


@pytest.mark.parametrize(
    ("winners", "me", "words"),
    [
        ((), None, "The game is over. Nobody has their target: all lose."),
        ((0,), 1, "The game is over. ada has won: 3 points."),
        ((0,), 0, "The game is over. You have won: 3 points."),
        ((0, 1), None, "The game is over. ada and bob have won: 1 point each."),
        ((0, 1), 1, "The game is over. ada and you have won: 1 point each."),
    ],
)
def test_the_end_in_words(winners: tuple[int, ...], me: int | None, words: str) -> None:  # RULES 7.5
    told = Narrator(NAMES, me).told(Decided(winners, "win", ({"torch": 1}, {"bow": 1})))
    assert told.splitlines()[0] == words and told.splitlines()[2].endswith("1 torch")


def test_for_onlookers_what_is_no_heading_is_indented() -> None:
    assert say(TurnBegan(2, 1), NAMES) == "Turn 2: bob is to propose."
    assert say(Rejected(1), NAMES) == "  bob's proposal is rejected."


def test_what_no_event_is_has_no_words() -> None:
    with pytest.raises(TypeError):
        Narrator(NAMES).told(Public())


def test_the_past_in_words() -> None:  # RULES 10.1
    room = Room(problem("1 coal", "1 dirt"))
    room.do("0 offers 1 1 coal: hi", "1 rejects: no")
    assert Narrator(NAMES, 0).history(room.state.view(0)).splitlines() == [
        'You offer bob 1 coal for nothing, saying: "hi"',
        'bob replies to you, saying: "no"',
        "Your proposal is rejected.",
    ]


def test_answers_in_words() -> None:  # RULES 10.2
    view = bench("1 coal 1 stick", "1 dirt").view(0)

    def told(question: Query) -> str:
        answer = query(view, question)
        assert not isinstance(answer, Memory)
        return about(answer)

    assert "1 charcoal or coal + 1 stick -> 4 torch (at most 1 times)" in told(PossibleRecipes())
    torch = told(ItemInfo("torch")).splitlines()
    assert torch[0] == "torch is made: 1 charcoal or coal + 1 stick -> 4 torch"
    assert told(ItemInfo("coal")).startswith("Burns 1600 ticks; 200 smelt one item.")
    assert told(ItemInfo("happiness")) == 'There is no item "happiness".'
    assert told(PossibleRecipes({"dirt": 1})) == "Nothing can be crafted from that."
    assert "raw_iron + fuel -> 1 iron_ingot" in told(ItemInfo("raw_iron"))
    assert told(ItemInfo("#wool")).startswith("Any of black_wool, ")


def test_house_rules_that_matter_are_told() -> None:  # RULES 1.6
    state = table("1 coal", "1 dirt", "1 dirt", whole_batches=True)
    state.order = (1, 0, 2)
    page = Narrator(NAMES, 0).seen(state.view(0)).splitlines()
    assert page[2:4] == ["Recipes are crafted in whole batches only.", "The order of proposing is bob, ada, cleo."]


def test_items_in_words() -> None:
    assert listed({}) == "nothing" and listed({"coal": "1/2", "stick": 3}) == "1/2 coal, 3 stick"


if __name__ == "__main__":
    for name in READERS:
        (FOLDER / f"{name}.txt").write_text(read(name))

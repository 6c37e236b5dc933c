"""The rule book, rule by rule. Every test cites the number in RULES.md that it holds the code to."""

from collections import Counter
from collections.abc import Iterator
from inspect import isclass
from itertools import combinations
from typing import Any

import msgspec
import pytest

from parlour.core import BadOptions, Close, Dice, Fault, IllegalAction, Join, Leave, Result, Sitting
from parlour.games.dominion import GAME, bots, setup
from parlour.games.dominion.cards import CARDS
from parlour.games.dominion.rules import State
from parlour.games.dominion.values import (
    FIRST_GAME,
    Action,
    AnswerAttack,
    AnyDiscard,
    Buy,
    CleanedUp,
    CleanUp,
    CutShort,
    Discard,
    Discarded,
    Drew,
    EndTurn,
    Gained,
    Left,
    Options,
    Play,
    Played,
    Reveal,
    Revealed,
    Shuffled,
    TakeTurn,
    Trashed,
    TurnBegan,
    Waste,
    Wasted,
)
from parlour.referee.driver import drive
from parlour.referee.match import Match
from parlour.referee.transcript import header
from tests.games.dominion.tables import all_cards, everywhere, new, play, table

LATE = Fault("late", "late", "no answer")


def refusal(state: State, words: str) -> IllegalAction:
    """Why the move is refused. A refused move leaves no trace."""
    before = state.copy()
    with pytest.raises(IllegalAction) as refused:
        play(state, words)
    assert state == before
    return refused.value


def asked(state: State) -> list[int | None]:
    return list(state.asks())


def counters(state: State) -> tuple[int, int, int]:
    """Actions, buys and money, as the player is asked with them."""
    ask = state.asks()[state.turn]
    assert isinstance(ask, TakeTurn)
    return ask.actions, ask.buys, ask.money


def hand(state: State, seat: int = 0) -> str:
    return " ".join(state.holdings[seat].hand)


def discards(state: State, seat: int = 0) -> str:
    """From the bottom."""
    return " ".join(state.holdings[seat].discard)


# 1. The table

PRINTED = {
    "curse": (0, "curse", 0, -1),
    "copper": (0, "treasure", 1, 0),
    "silver": (3, "treasure", 2, 0),
    "gold": (6, "treasure", 3, 0),
    "estate": (2, "victory", 0, 1),
    "duchy": (5, "victory", 0, 3),
    "province": (8, "victory", 0, 6),
    "cellar": (2, "action", 0, 0),
    "market": (5, "action", 0, 0),
    "militia": (4, "action", 0, 0),
    "mine": (5, "action", 0, 0),
    "moat": (2, "action", 0, 0),
    "remodel": (4, "action", 0, 0),
    "smithy": (4, "action", 0, 0),
    "village": (3, "action", 0, 0),
    "woodcutter": (3, "action", 0, 0),
    "workshop": (3, "action", 0, 0),
}


def test_seventeen_cards_and_what_is_printed_on_them() -> None:  # RULES 1.1
    faces = {card: (face.cost, face.kind, face.worth, face.points) for card, face in CARDS.items()}
    assert [face for face in faces.items() if face[0] in PRINTED] == list(PRINTED.items())
    assert all(CARDS[card].kind == "action" for card in faces.keys() - PRINTED.keys()), (
        "others are for a host to choose"
    )
    assert len(FIRST_GAME) == 10 and list(FIRST_GAME) == sorted(FIRST_GAME)


def test_only_the_moat_is_a_reaction() -> None:  # RULES 1.1
    assert [card for card, face in CARDS.items() if face.reaction] == ["moat"]


@pytest.mark.parametrize("seats", [0, 1, 5, 6])
def test_two_to_four_players(seats: int) -> None:  # RULES 1.2
    assert seats not in GAME.rules.seats


def test_nobody_joins_or_closes_a_match() -> None:  # RULES 1.2
    for act in (Join("late"), Close()):
        with pytest.raises(IllegalAction):
            new().play(None, act)


@pytest.mark.parametrize(("seats", "copper", "green", "curse"), [(2, 46, 8, 10), (3, 39, 12, 20), (4, 32, 12, 30)])
def test_the_supply_by_number_of_players(seats: int, copper: int, green: int, curse: int) -> None:  # RULES 1.3
    assert new(seats).supply == {
        "curse": curse,
        "copper": copper,
        "silver": 40,
        "gold": 30,
        "estate": green,
        "duchy": green,
        "province": green,
        **dict.fromkeys(FIRST_GAME, 10),
    }


def test_a_host_chooses_the_action_cards() -> None:  # RULES 1.6
    state = new(kingdom=("village", "cellar"))
    assert [card for card in state.supply if CARDS[card].kind == "action"] == ["cellar", "village"]


@pytest.mark.parametrize(
    ("kingdom", "words"),
    [
        (("wizard",), "unknown action card 'wizard'"),
        (("gold",), "unknown action card 'gold'"),
        (("moat",) * 2, "twice"),
    ],
)
def test_a_kingdom_that_cannot_be(kingdom: tuple[str, ...], words: str) -> None:  # RULES 1.6
    with pytest.raises(BadOptions, match=words):
        GAME.rules.resolve(Options(kingdom=kingdom), [Sitting("a"), Sitting("b")])


@pytest.mark.parametrize("bot", GAME.hosting.bots)
def test_bots_play_with_any_kingdom(bot: str) -> None:  # RULES 1.6
    options = GAME.rules.resolve(Options(kingdom=("woodcutter",), turn_cap=40), [Sitting(bot)] * 2)
    match = Match(GAME, header(GAME, [Sitting(bot)] * 2, b"kingdom", options=options), b"kingdom")
    players: list[Any] = [each() if isclass(each) else each for each in [GAME.hosting.bots[bot]] * 2]
    assert isinstance(drive(match, players), Result)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_seven_coppers_and_three_estates_and_a_hand_of_five(seats: int) -> None:  # RULES 1.4
    for holding in new(seats).holdings:
        assert len(holding.hand) == len(holding.deck) == 5 and holding.discard == []
        assert Counter(holding.hand + holding.deck) == holding.owned == {"copper": 7, "estate": 3}


def test_a_starting_hand_is_a_fair_draw() -> None:  # RULES 1.4
    coppers = Counter(hand.count("copper") for seed in range(1500) for hand in hands_of(new(seed=b"%d" % seed)))
    assert set(coppers) == {2, 3, 4, 5}
    assert (coppers[2] + coppers[5]) / 3000 == pytest.approx(1 / 6, abs=0.03)  # 42 of 252


def hands_of(state: State) -> list[list[str]]:
    return [holding.hand for holding in state.holdings]


def test_players_have_different_hands() -> None:  # RULES 1.4
    assert any(hands_of(new(seed=b"%d" % seed))[0] != hands_of(new(seed=b"%d" % seed))[1] for seed in range(10))


def test_the_same_seed_deals_the_same_cards() -> None:  # RULES 1.4
    assert new(4, seed=b"one") == new(4, seed=b"one") != new(4, seed=b"two")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_first_seat_begins_and_turns_go_round(seats: int) -> None:  # RULES 1.5
    state = new(seats)
    for turn in range(2 * seats):
        assert asked(state) == [turn % seats]
        play(state, f"{turn % seats} cleans up")


# 2. A turn


def test_a_turn_begins_with_an_action_and_a_buy() -> None:  # RULES 2.1
    state = table(hands=["militia village", "copper"], decks=["gold"])
    assert counters(state) == (1, 1, 0)
    play(state, "0 plays village", "0 plays militia")
    assert counters(state) == (1, 1, 2)
    events = play(state, "0 cleans up")
    assert events[-1] == TurnBegan(1, 1)
    assert counters(state) == (1, 1, 0) and state.view(1).played == state.view(1).gained == ()


def test_an_action_card_costs_an_action() -> None:  # RULES 2.2
    state = table(hands=["smithy smithy", "copper"], decks=["copper copper copper"])
    play(state, "0 plays smithy")
    assert counters(state) == (0, 1, 0)
    assert refusal(state, "0 plays smithy").code == "no_actions"


def test_actions_may_be_skipped_and_so_may_the_buy() -> None:  # RULES 2.3
    state = table(hands=["smithy gold", "copper"])
    play(state, "0 buys silver", "0 cleans up")
    assert "smithy" in hand(state) + discards(state)
    play(state, "1 cleans up")
    assert asked(state) == [0] and state.turns == [2, 1]


def test_there_is_one_buy_in_a_turn() -> None:  # RULES 2.3
    state = table(hands=["woodcutter copper copper", "copper"])
    play(state, "0 plays woodcutter", "0 buys silver")
    assert counters(state) == (0, 0, 0)
    assert refusal(state, "0 buys copper").code == "no_buys"


def test_clean_up_discards_everything_and_draws_five() -> None:  # RULES 2.4
    state = table(
        hands=["village estate copper", "copper"], decks=["duchy gold gold gold gold gold silver"], discards=["moat"]
    )
    events = play(state, "0 plays village", "0 buys curse", "0 cleans up")
    assert hand(state) == "gold gold gold gold gold"
    assert discards(state) == "moat curse estate duchy village copper"
    assert CleanedUp(0, ("village", "copper"), "copper") in events and Drew(0, 5, ("gold",) * 5) in events
    assert state.played == [] and asked(state) == [1]


def test_a_player_is_asked_until_clean_up() -> None:  # RULES 2.4
    state = table(hands=["smithy", "copper"])
    play(state, "0 plays smithy", "0 buys nothing")
    assert state.asks() == {0: TakeTurn(actions=0, buys=0, money=0)}


@pytest.mark.parametrize(
    ("top", "pile"),
    [
        ("copper", "estate duchy woodcutter copper"),
        ("estate", "copper duchy woodcutter estate"),
        ("duchy", "copper estate woodcutter duchy"),
        ("woodcutter", "copper estate duchy woodcutter"),  # only played: as if nothing was named
        ("gold", "copper estate duchy woodcutter"),
        ("joker", "copper estate duchy woodcutter"),
    ],
)
def test_the_top_discard_is_named_from_the_hand(top: str, pile: str) -> None:  # RULES 2.5
    state = table(hands=["copper estate woodcutter duchy", "copper"], decks=["gold " * 5])
    events = play(state, "0 plays woodcutter", f"0 cleans up under {top}")
    assert discards(state) == pile
    assert events[1] == CleanedUp(0, ("woodcutter",), pile.split()[-1])


@pytest.mark.parametrize(("option", "top"), [("hand", "copper"), ("hand_or_played", "moat")])
def test_the_top_discard_may_be_a_card_that_was_played(option: str, top: str) -> None:  # RULES 2.5
    state = table(hands=["moat copper estate", "copper"], decks=["gold " * 7], top_discard_from=option)
    play(state, "0 plays moat", "0 buys nothing with copper", "0 cleans up under moat")
    assert state.view(1).areas[0].top == top


def test_the_hand_alone_unless_said_otherwise() -> None:  # RULES 2.5
    assert Options().top_discard_from == "hand"


def test_all_copies_of_the_named_card_go_last() -> None:  # RULES 2.5
    state = table(hands=["copper estate copper estate copper", "copper"], decks=["gold " * 5])
    play(state, "0 buys nothing with copper", "0 cleans up under copper")
    assert discards(state) == "estate estate copper copper copper"


def test_a_card_gained_this_turn_cannot_be_the_top() -> None:  # RULES 2.5
    state = table(hands=["workshop estate", "copper"], decks=["gold " * 5], top_discard_from="hand_or_played")
    play(state, "0 plays workshop for village", "0 cleans up under village")
    assert discards(state) == "village estate workshop"


@pytest.mark.parametrize(("treasures", "top"), [("silver copper", "copper"), ("nothing", "estate")])
def test_with_nothing_named_the_last_card_played_is_on_top(treasures: str, top: str) -> None:  # RULES 2.5
    state = table(hands=["silver copper estate", "copper"], decks=["gold " * 5])
    play(state, f"0 buys nothing with {treasures}", "0 cleans up")
    assert state.view(None).areas[0].top == top


def test_a_player_that_has_no_cards_leaves_the_pile_as_it_is() -> None:  # RULES 2.5
    state = table(hands=["", "copper"], decks=["gold " * 5], discards=["moat"])
    events = play(state, "0 cleans up under moat")
    assert events[0] == CleanedUp(0, (), None)
    assert discards(state) == "moat"


def test_cards_are_drawn_from_the_top_to_the_end_of_the_hand() -> None:  # RULES 2.6
    state = table(hands=["copper smithy estate", "copper"], decks=["gold duchy silver moat"])
    events = play(state, "0 plays smithy")
    assert hand(state) == "copper estate gold duchy silver"
    assert events == [Played(0, ("smithy",)), Drew(0, 3, ("gold", "duchy", "silver"))]


def test_a_deck_that_is_just_enough_is_not_shuffled() -> None:  # RULES 2.6
    state = table(hands=["smithy", "copper"], decks=["gold duchy silver"], discards=["moat moat"])
    assert Shuffled(0) not in play(state, "0 plays smithy")
    assert state.holdings[0].deck == [] and discards(state) == "moat moat"


def test_the_discard_pile_becomes_the_deck_when_a_card_is_needed() -> None:  # RULES 2.6
    state = table(hands=["smithy", "copper"], decks=["gold"], discards=["moat moat moat"])
    events = play(state, "0 plays smithy")
    assert events == [Played(0, ("smithy",)), Shuffled(0), Drew(0, 3, ("gold", "moat", "moat"))]
    assert state.holdings[0].deck == ["moat"] and discards(state) == ""


def test_when_both_are_empty_fewer_are_drawn() -> None:  # RULES 2.6
    state = table(hands=["smithy", "copper"], decks=["gold"])
    events = play(state, "0 plays smithy")
    assert hand(state) == "gold" and Drew(0, 1, ("gold",)) in events and Shuffled(0) not in events
    play(state, "0 buys nothing with nothing", "0 cleans up")
    assert sorted(hand(state).split()) == ["gold", "smithy"]


def test_a_player_that_draws_nothing_has_not_drawn() -> None:  # RULES 2.6
    state = table(hands=["smithy", "copper"])
    assert play(state, "0 plays smithy") == [Played(0, ("smithy",))]


def test_a_shuffle_is_fair() -> None:  # RULES 2.6
    orders: Counter[str] = Counter()
    for seed in range(600):
        state = table(hands=["smithy", "copper"], discards=["gold silver copper"])
        state.dice = Dice(b"%d" % seed)
        play(state, "0 plays smithy")
        orders[hand(state)] += 1
    assert len(orders) == 6 and min(orders.values()) > 60


def test_bought_cards_go_to_the_discard_pile_at_once() -> None:  # RULES 2.7
    state = table(hands=["gold", "copper"], discards=["estate"])
    events = play(state, "0 buys silver")
    assert discards(state) == "estate silver" and state.supply["silver"] == 39
    assert events == [Played(0, ("gold",)), Gained(0, "silver", bought=True)]


def test_gained_cards_go_to_the_discard_pile_at_once() -> None:  # RULES 2.7
    state = table(hands=["workshop", "copper"], discards=["estate"])
    events = play(state, "0 plays workshop for silver")
    assert discards(state) == "estate silver"
    assert events == [Played(0, ("workshop",)), Gained(0, "silver")]


def test_a_gained_card_can_be_drawn_in_the_same_turn() -> None:  # RULES 2.7
    state = table(hands=["village workshop smithy", "copper"], decks=["village"])
    play(state, "0 plays village", "0 plays workshop for silver", "0 plays village")
    assert hand(state) == "smithy silver"


# 3. Buying


def test_money_is_treasures_and_what_actions_gave() -> None:  # RULES 3.1
    state = table(hands=["woodcutter gold silver copper", "copper"])
    play(state, "0 plays woodcutter", "0 buys province with gold silver copper")
    assert discards(state) == "province"


def test_only_named_treasures_are_played() -> None:  # RULES 3.1
    state = table(hands=["gold silver copper", "copper"])
    events = play(state, "0 buys silver with gold")
    assert hand(state) == "silver copper" and events[0] == Played(0, ("gold",))


def test_all_treasures_are_played_if_none_is_named() -> None:  # RULES 3.1
    state = table(hands=["gold estate silver copper", "copper"])
    events = play(state, "0 buys gold")
    assert hand(state) == "estate" and events[0] == Played(0, ("gold", "silver", "copper"))


@pytest.mark.parametrize(
    ("treasures", "played"),
    [
        ("gold estate copper", "gold"),  # no treasure
        ("gold silver copper", "gold"),  # not in hand
        ("gold copper copper", "gold copper"),  # not so often
        ("smithy gold", ""),
        ("joker gold", ""),
    ],
)
def test_a_bad_treasure_ends_the_buy(treasures: str, played: str) -> None:  # RULES 3.2
    state = table(hands=["gold copper estate smithy", "copper"])
    events = play(state, f"0 buys copper with {treasures}")
    assert " ".join(state.played) == played and discards(state) == ""
    assert events[-1] == CutShort(0, "treasures", len(played.split()))
    assert counters(state) == (0, 0, 0)


def test_cards_are_bought_from_left_to_right() -> None:  # RULES 3.3
    state = table(hands=["market market gold gold", "copper"], decks=["copper copper"])
    play(state, "0 plays market", "0 plays market")
    assert counters(state) == (1, 3, 2)
    play(state, "0 buys smithy smithy estate")
    assert discards(state) == "smithy smithy estate"


@pytest.mark.parametrize(
    "cards", ["silver gold copper", "silver joker copper", "silver duchy copper", "silver Moat moat"]
)
def test_the_first_card_that_cannot_be_had_ends_the_buy(cards: str) -> None:  # RULES 3.3
    state = table(hands=["market market gold silver silver", "copper"], supply={"duchy": 0})
    play(state, "0 plays market", "0 plays market")  # 9 to spend
    state.money -= 2  # 7
    events = play(state, f"0 buys {cards}")
    assert discards(state) == "silver" and events[-1] == CutShort(0, "cards", 1)
    assert counters(state) == (0, 0, 0)


def test_a_pile_may_run_out_in_the_middle_of_a_buy() -> None:  # RULES 3.3
    state = table(hands=["market copper copper copper copper", "copper"], supply={"moat": 1})
    play(state, "0 plays market", "0 buys moat moat")
    assert discards(state) == "moat" and state.supply["moat"] == 0


def test_no_more_cards_are_looked_at_than_there_are_buys() -> None:  # RULES 3.3
    state = table(hands=["gold gold", "copper"])
    events = play(state, "0 buys moat estate joker")
    assert discards(state) == "moat"
    assert not any(isinstance(event, CutShort) for event in events)


def test_money_that_was_spent_is_gone() -> None:  # RULES 3.3
    state = table(hands=["woodcutter gold", "copper"])
    play(state, "0 plays woodcutter", "0 buys silver silver")
    assert discards(state) == "silver"


def test_buying_nothing_is_a_buy() -> None:  # RULES 3.4
    state = table(hands=["gold copper", "copper"])
    assert play(state, "0 buys nothing with nothing") == []
    assert counters(state) == (0, 0, 0) and hand(state) == "gold copper"


def test_treasures_may_be_played_for_nothing() -> None:  # RULES 3.4
    state = table(hands=["gold copper", "copper"])
    assert play(state, "0 buys nothing with gold") == [Played(0, ("gold",))]


@pytest.mark.parametrize("card", ["copper", "curse"])
def test_what_costs_nothing_is_bought_with_nothing(card: str) -> None:  # RULES 3.4
    state = table(hands=["estate", "copper"])
    play(state, f"0 buys {card} with nothing")
    assert discards(state) == card


def test_what_is_left_over_is_lost() -> None:  # RULES 3.5
    state = table(hands=["market woodcutter smithy gold gold", "copper"], decks=["copper"])
    play(state, "0 plays market", "0 buys silver")
    assert counters(state) == (0, 0, 0)
    assert refusal(state, "0 plays smithy").code == "no_actions"
    assert refusal(state, "0 buys copper").code == "no_buys"


def test_no_buy_left() -> None:  # RULES 3.6
    state = table(hands=["gold", "copper"])
    play(state, "0 buys nothing")
    assert refusal(state, "0 buys nothing").code == "no_buys"


# 4. Playing actions


def test_first_the_cards_then_the_effect_then_the_counters() -> None:  # RULES 4.1
    state = table(hands=["militia", "copper copper copper copper"])
    events = play(state, "0 plays militia")
    assert state.money == 0 and state.actions == 0 and state.played == ["militia"]
    assert asked(state) == [1] and events == [Played(0, ("militia",))]
    play(state, "1 discards copper")
    assert counters(state) == (0, 1, 2)


def test_a_played_card_lies_on_the_table() -> None:  # RULES 4.1
    state = table(hands=["village village estate", "copper"], decks=["gold gold"])
    play(state, "0 plays village", "0 plays village")
    assert state.view(1).played == ("village", "village") and discards(state) == ""


def test_choices_are_made_before_cards_are_drawn() -> None:  # RULES 4.1
    state = table(hands=["cellar estate", "copper"], decks=["gold gold"])
    play(state, "0 plays cellar discarding estate gold")
    assert hand(state) == "gold" and discards(state) == "estate"


@pytest.mark.parametrize(
    ("card", "drawn", "expected"),
    [
        ("market", 1, (1, 2, 1)),
        ("smithy", 3, (0, 1, 0)),
        ("village", 1, (2, 1, 0)),
        ("woodcutter", 0, (0, 2, 2)),
    ],
)
def test_cards_that_only_count(card: str, drawn: int, expected: tuple[int, int, int]) -> None:  # RULES 4.2
    state = table(hands=[card, "copper"], decks=["gold " * 5])
    play(state, f"0 plays {card}")
    assert state.holdings[0].hand == ["gold"] * drawn and counters(state) == expected


@pytest.mark.parametrize("choices", ["trashing estate for gold", "for gold", "discarding estate"])
@pytest.mark.parametrize("card", ["market", "smithy", "village", "woodcutter", "moat"])
def test_choices_with_a_card_that_has_none_are_ignored(card: str, choices: str) -> None:  # RULES 4.2
    plain, with_choices = (table(hands=[f"{card} estate", "copper"], decks=["gold " * 5]) for _ in range(2))
    assert play(plain, f"0 plays {card}") == play(with_choices, f"0 plays {card} {choices}")
    assert plain == with_choices


def test_a_moat_draws_two() -> None:  # RULES 4.3
    state = table(hands=["moat", "copper"], decks=["gold silver copper"])
    play(state, "0 plays moat")
    assert hand(state) == "gold silver" and counters(state) == (0, 1, 0)


def test_cellar_discards_and_draws_as_many() -> None:  # RULES 4.4
    state = table(hands=["cellar estate copper duchy", "copper"], decks=["gold silver moat"])
    events = play(state, "0 plays cellar discarding duchy estate")
    assert hand(state) == "copper gold silver" and discards(state) == "duchy estate"
    assert events == [
        Played(0, ("cellar",)),
        Discarded(0, 2, "estate", ("duchy", "estate")),
        Drew(0, 2, ("gold", "silver")),
    ]
    assert counters(state) == (1, 1, 0)


def test_cellar_may_draw_what_it_discarded() -> None:  # RULES 4.4
    state = table(hands=["cellar estate", "copper"])
    events = play(state, "0 plays cellar discarding estate")
    assert hand(state) == "estate"
    assert events[1:] == [Discarded(0, 1, "estate", ("estate",)), Shuffled(0), Drew(0, 1, ("estate",))]


@pytest.mark.parametrize(
    ("named", "discarded"),
    [
        ("estate gold copper", "estate"),  # not in hand
        ("estate estate copper", "estate"),  # not so often
        ("estate joker copper", "estate"),
        ("copper cellar estate", "copper"),  # itself, no longer in hand
    ],
)
def test_cellar_takes_cards_up_to_the_first_miss(named: str, discarded: str) -> None:  # RULES 4.4
    state = table(hands=["cellar estate copper", "copper"], decks=["silver silver silver"])
    play(state, f"0 plays cellar discarding {named}")
    assert discards(state) == discarded and state.holdings[0].hand.count("silver") == 1


def test_a_second_cellar_can_be_discarded() -> None:  # RULES 4.4
    state = table(hands=["cellar cellar", "copper"], decks=["gold"])
    play(state, "0 plays cellar discarding cellar")
    assert hand(state) == "gold" and discards(state) == "cellar"


@pytest.mark.parametrize("choice", ["", "discarding gold copper", "discarding cellar"])
def test_cellar_without_a_card_that_will_do_is_played(choice: str) -> None:  # RULES 4.4
    state = table(hands=["cellar copper", "copper"], decks=["silver"])
    events = play(state, f"0 plays cellar {choice}")
    assert events == [Played(0, ("cellar",))] and hand(state) == "copper"
    assert counters(state) == (1, 1, 0) and state.played == ["cellar"]


@pytest.mark.parametrize(
    ("trash", "gain"),
    [("copper", "silver"), ("copper", "copper"), ("silver", "gold"), ("gold", "gold"), ("gold", "copper")],
)
def test_mine_puts_a_treasure_into_the_hand(trash: str, gain: str) -> None:  # RULES 4.5
    state = table(hands=[f"mine estate {trash}", "copper"])
    left = state.supply[gain]
    events = play(state, f"0 plays mine trashing {trash} for {gain}")
    assert hand(state) == f"estate {gain}" and discards(state) == "" and state.supply[gain] == left - 1
    assert events == [Played(0, ("mine",)), Trashed(0, trash), Gained(0, gain, to_hand=True)]
    assert state.trash[-1] == trash and counters(state) == (0, 1, 0)


def test_a_mined_treasure_can_be_spent_at_once() -> None:  # RULES 4.5
    state = table(hands=["mine copper", "copper"])
    play(state, "0 plays mine trashing copper for silver", "0 buys estate with silver")
    assert discards(state) == "estate"


@pytest.mark.parametrize(
    "choices",
    [
        "",
        "for silver",
        "trashing copper",
        "trashing estate for silver",  # no treasure
        "trashing silver for gold",  # not in hand
        "trashing mine for gold",
        "trashing copper for gold",  # too dear
        "trashing copper for estate",  # no treasure
        "trashing copper for joker",
        "trashing joker for copper",
    ],
)
def test_a_mine_that_cannot_be(choices: str) -> None:  # RULES 4.5
    state = table(hands=["mine copper estate", "copper"])
    assert refusal(state, f"0 plays mine {choices}").code == "bad_choice"


def test_mine_needs_a_pile_that_is_not_empty() -> None:  # RULES 4.5
    state = table(hands=["mine copper", "copper"], supply={"silver": 0})
    assert refusal(state, "0 plays mine trashing copper for silver").code == "bad_choice"


@pytest.mark.parametrize("choices", ["", "for gold", "for silver", "for joker"])
def test_mine_with_nothing_to_be_had_trashes_for_nothing(choices: str) -> None:  # RULES 4.5
    state = table(hands=["mine copper estate", "copper"], supply={"copper": 0, "silver": 0})
    events = play(state, f"0 plays mine trashing copper {choices}")
    assert events == [Played(0, ("mine",)), Trashed(0, "copper")]
    assert hand(state) == "estate" and state.played == ["mine"]


@pytest.mark.parametrize(
    ("trash", "gain"), [("estate", "smithy"), ("gold", "province"), ("copper", "estate"), ("curse", "curse")]
)
def test_remodel_gains_what_costs_two_more(trash: str, gain: str) -> None:  # RULES 4.6
    state = table(hands=[f"remodel {trash}", "copper"])
    events = play(state, f"0 plays remodel trashing {trash} for {gain}")
    assert events == [Played(0, ("remodel",)), Trashed(0, trash), Gained(0, gain)]
    assert hand(state) == "" and discards(state) == gain and counters(state) == (0, 1, 0)


@pytest.mark.parametrize(
    "choices",
    [
        "",
        "for silver",
        "trashing estate",
        "trashing estate for market",  # 5 is too dear for 2
        "trashing estate for duchy",
        "trashing gold for province",  # not in hand
        "trashing remodel for gold",  # itself, no longer in hand
        "trashing estate for joker",
        "trashing estate for moat",  # empty
    ],
)
def test_a_remodel_that_cannot_be(choices: str) -> None:  # RULES 4.6
    state = table(hands=["remodel estate", "copper"], supply={"moat": 0})
    assert refusal(state, f"0 plays remodel {choices}").code == "bad_choice"


def test_a_second_remodel_can_be_trashed() -> None:  # RULES 4.6
    state = table(hands=["remodel remodel", "copper"])
    play(state, "0 plays remodel trashing remodel for gold")
    assert discards(state) == "gold" and state.trash[-1] == "remodel"


@pytest.mark.parametrize("choices", ["", "for copper", "for joker"])
def test_remodel_with_nothing_to_be_had_trashes_for_nothing(choices: str) -> None:  # RULES 4.6
    cheap = ("curse", "copper", "estate", "cellar", "moat")
    state = table(hands=["remodel copper", "copper"], supply=dict.fromkeys(cheap, 0))
    assert play(state, f"0 plays remodel trashing copper {choices}") == [Played(0, ("remodel",)), Trashed(0, "copper")]


@pytest.mark.parametrize("card", [card for card, (cost, *_) in PRINTED.items() if cost <= 4])
def test_workshop_gains_what_costs_four(card: str) -> None:  # RULES 4.7
    state = table(hands=["workshop", "copper"])
    assert play(state, f"0 plays workshop for {card}") == [Played(0, ("workshop",)), Gained(0, card)]
    assert discards(state) == card and counters(state) == (0, 1, 0)


@pytest.mark.parametrize("choices", ["", "for gold", "for market", "for joker", "for moat"])
def test_a_workshop_that_cannot_be(choices: str) -> None:  # RULES 4.7
    state = table(hands=["workshop", "copper"], supply={"moat": 0})
    assert refusal(state, f"0 plays workshop {choices}").code == "bad_choice"


@pytest.mark.parametrize(
    ("card", "code"),
    [("joker", "unknown_card"), ("Smithy", "unknown_card"), ("copper", "not_an_action"), ("smithy", "not_in_hand")],
)
def test_only_an_action_in_hand_is_played(card: str, code: str) -> None:  # RULES 2.2
    state = table(hands=["moat copper", "copper"])
    assert refusal(state, f"0 plays {card}").code == code


# 5. Attacks


def test_militia_makes_the_others_discard_down_to_three() -> None:  # RULES 5.1
    state = table(hands=["militia", "copper copper copper estate moat", "gold gold gold gold"])
    play(state, "0 plays militia")
    assert state.asks() == {1: AnswerAttack(card="militia", discard=2)}
    play(state, "1 discards estate copper")
    assert state.asks() == {2: AnswerAttack(card="militia", discard=1)}
    play(state, "2 discards gold")
    assert hand(state, 1) == "copper copper moat" and hand(state, 2) == "gold gold gold"
    assert counters(state) == (0, 1, 2)


def test_victims_answer_in_the_order_of_their_turns() -> None:  # RULES 5.1
    state = table(hands=["copper copper copper copper"] * 4)
    state.holdings[0].deck = ["copper"] * 5
    play(state, "0 cleans up", "1 cleans up")
    state.holdings[2].hand.append("militia")
    play(state, "2 plays militia")
    victims = []
    while asked(state) != [2]:
        victims += asked(state)
        play(state, f"{victims[-1]} discards {'copper ' * state.asks()[victims[-1]].discard}")
    assert victims == [3, 0, 1]


@pytest.mark.parametrize("few", ["", "copper", "copper copper copper"])
def test_a_player_that_has_three_cards_or_fewer_is_passed_over(few: str) -> None:  # RULES 5.1
    state = table(hands=["militia", few, "copper copper copper copper"])
    play(state, "0 plays militia")
    assert asked(state) == [2]
    state = table(hands=["militia", few, few])
    assert play(state, "0 plays militia") == [Played(0, ("militia",))]
    assert counters(state) == (0, 1, 2) and hand(state, 1) == few


def test_a_player_that_has_left_is_not_attacked() -> None:  # RULES 5.1
    state = table(hands=["militia", "copper copper copper copper", "gold gold gold gold"])
    play(state, "1 leaves", "0 plays militia")
    assert asked(state) == [2]


def test_a_second_militia_finds_nothing_to_take() -> None:  # RULES 5.1
    state = table(hands=["village militia militia", "copper copper copper copper copper"])
    play(state, "0 plays village", "0 plays militia", "1 discards copper copper", "0 plays militia")
    assert counters(state) == (0, 1, 4)


def test_discards_lie_in_the_order_in_which_they_were_named() -> None:  # RULES 5.2
    state = table(hands=["militia", "copper silver gold estate duchy"])
    events = play(state, "0 plays militia", "1 discards duchy silver")
    assert discards(state, 1) == "duchy silver" and hand(state, 1) == "copper gold estate"
    assert events[-1] == Discarded(1, 2, "silver", ("duchy", "silver"))


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        ("discards copper", "wrong_count"),
        ("discards copper copper copper", "wrong_count"),
        ("discards", "wrong_count"),
        ("discards gold copper", "not_in_hand"),
        ("discards estate estate", "not_in_hand"),
        ("shows moat", "no_reaction"),
        ("shows copper", "no_reaction"),
        ("shows joker", "no_reaction"),
        ("cleans up", "wrong_kind"),
        ("buys nothing", "wrong_kind"),
        ("plays smithy", "wrong_kind"),
    ],
)
def test_a_reply_to_an_attack_that_cannot_be(reply: str, code: str) -> None:  # RULES 5.2
    state = table(hands=["militia", "copper copper copper estate smithy"])
    play(state, "0 plays militia")
    assert refusal(state, f"1 {reply}").code == code


@pytest.mark.parametrize("reply", ["discards copper", "shows moat"])
def test_a_reply_to_no_attack(reply: str) -> None:  # RULES 5.2
    state = table(hands=["moat copper copper copper", "copper"])
    assert refusal(state, f"0 {reply}").code == "wrong_kind"


def test_the_attacker_waits() -> None:  # RULES 5.1
    state = table(hands=["militia moat", "copper copper copper copper"])
    play(state, "0 plays militia")
    assert refusal(state, "0 cleans up").code == "not_asked"


def test_a_moat_wards_off_the_attack_and_is_kept() -> None:  # RULES 5.3
    state = table(hands=["village militia militia", "moat copper copper copper copper"])
    events = play(state, "0 plays village", "0 plays militia", "1 shows moat")
    assert events[-1] == Revealed(1, "moat")
    assert hand(state, 1) == "moat copper copper copper copper" and counters(state) == (1, 1, 2)
    play(state, "0 plays militia")
    assert asked(state) == [1]  # and again
    play(state, "1 shows moat")
    assert counters(state) == (0, 1, 4)


def test_a_player_that_has_a_moat_need_not_show_it() -> None:  # RULES 5.3
    state = table(hands=["militia", "moat copper copper copper"])
    play(state, "0 plays militia", "1 discards moat")
    assert discards(state, 1) == "moat"


def test_a_moat_in_the_deck_is_of_no_use() -> None:  # RULES 5.3
    state = table(hands=["militia", "copper copper copper copper"], decks=["", "moat"])
    play(state, "0 plays militia")
    assert refusal(state, "1 shows moat").code == "no_reaction"


@pytest.mark.parametrize("cards", [4, 5, 7])
def test_what_to_discard_is_drawn(cards: int) -> None:  # RULES 5.4
    state = table(hands=["militia", "copper " * cards])
    events = play(state, "0 plays militia", "1 discards any")
    assert len(state.holdings[1].hand) == 3 and len(state.holdings[1].discard) == cards - 3
    assert isinstance(events[-1], Discarded) and events[-1].count == cards - 3
    assert asked(state) == [0] and counters(state) == (0, 1, 2)


def test_every_card_is_drawn_as_often_as_the_others() -> None:  # RULES 5.4
    drawn: Counter[str] = Counter()
    for seed in range(1000):
        state = table(hands=["militia", "copper silver gold estate duchy"])
        state.dice = Dice(b"%d" % seed)
        play(state, "0 plays militia", "1 discards any")
        drawn.update(state.holdings[1].discard)
    assert len(drawn) == 5 and all(330 < count < 470 for count in drawn.values())


def attacked(**options: Any) -> State:
    """Seat 1 is asked, and seats 2 and 3 would be next."""
    state = table(hands=["militia copper", *["copper copper copper copper"] * 3], **options)
    play(state, "0 plays militia")
    return state


def test_when_the_attacker_leaves_those_not_yet_asked_are_spared() -> None:  # RULES 5.5
    for state in (attacked(), attacked(militia_on_leave="spare")):
        play(state, "0 leaves")
        assert state.asks() == {1: AnswerAttack(card="militia", discard=1)}
        events = play(state, "1 discards copper")
        assert events[-1] == TurnBegan(1, 1) and asked(state) == [1]
        assert [len(held) for held in hands_of(state)] == [1, 3, 4, 4]


def test_when_the_attacker_leaves_the_attack_is_finished_where_the_house_says_so() -> None:  # RULES 5.5
    state = attacked(militia_on_leave="finish")
    play(state, "0 leaves", "1 discards copper", "2 discards copper")
    assert asked(state) == [3]
    play(state, "3 discards copper")
    assert state.asks() == {1: TakeTurn(actions=1, buys=1, money=0)}
    assert [len(held) for held in hands_of(state)] == [1, 3, 3, 3]


def test_when_the_victim_leaves_the_next_is_asked() -> None:  # RULES 5.5
    state = attacked()
    play(state, "1 leaves")
    assert asked(state) == [2] and len(state.holdings[1].hand) == 4
    play(state, "2 discards copper", "3 leaves")
    assert asked(state) == [0] and counters(state) == (0, 1, 2)


def test_attacker_and_victim_may_both_leave() -> None:  # RULES 5.5
    for option in ("spare", "finish"):
        state = attacked(militia_on_leave=option)
        play(state, "0 leaves", "1 leaves")
        assert asked(state) == [2]
        if option == "finish":
            play(state, "2 discards copper", "3 discards copper")
        assert state.asks() == {2: TakeTurn(actions=1, buys=1, money=0)}


# 6. Faults: what `amends` says; test_faults.py has the cases


def test_a_lost_action_changes_nothing_else() -> None:  # RULES 6.2
    state = table(hands=["village smithy", "copper"], decks=["gold"])
    play(state, "0 plays village")
    before = state.copy()
    assert play(state, "0 loses an action") == [Wasted(0)]
    assert counters(state) == (1, 1, 0)
    state.actions = before.actions
    assert state == before


def test_a_lost_turn_is_cleaned_up_once() -> None:  # RULES 6.1
    state = table(hands=["moat estate", "copper"], decks=["gold " * 8])
    play(state, "0 plays moat")
    events = play(state, "0 loses the turn")
    assert [type(event) for event in events] == [CleanedUp, Drew, TurnBegan]
    assert hand(state) == "gold gold gold gold gold" and discards(state) == "estate gold gold moat"


@pytest.mark.parametrize("silence", ["forfeit", "end_turn"])
def test_what_silence_costs(silence: str) -> None:  # RULES 6.4
    state = new(3)
    state.options = setup.resolve(Options(on_silence=silence), sitting("xxx"))  # type: ignore[arg-type]  # one of two
    assert state.amends(0, [LATE]) == (Leave(0, "silent") if silence == "forfeit" else EndTurn())


def sitting(speakers: str) -> list[Sitting]:
    """An `x` speaks the game's own protocol."""
    return [Sitting(name, "", {setup.SPEAKS: 1} if name == "x" else {}) for name in speakers]


def test_what_silence_costs_depends_on_the_protocol_unless_said_otherwise() -> None:  # RULES 6.4
    assert Options().on_silence is None
    settled = setup.resolve(Options(), sitting("x-x"))
    assert settled.on_silence == ("forfeit", "end_turn", "forfeit")
    state = new(3)
    state.options = settled
    play(state, "0 cleans up")
    assert state.amends(1, [LATE]) == EndTurn()
    play(state, "1 cleans up")
    assert state.amends(2, [LATE]) == Leave(2, "silent")


def test_what_silence_costs_may_be_said_for_all_or_by_seat() -> None:  # RULES 6.4
    assert setup.resolve(Options(on_silence="end_turn"), sitting("xx")).on_silence == ("end_turn", "end_turn")
    by_seat = Options(on_silence=("end_turn", "forfeit"))
    assert setup.resolve(by_seat, sitting("x-")) == by_seat
    with pytest.raises(BadOptions):
        setup.resolve(by_seat, sitting("xxx"))


def test_settled_options_are_settled() -> None:  # RULES 6.4
    settled = setup.resolve(Options(), sitting("x-"))
    assert setup.resolve(settled, sitting("x-")) == settled


def test_a_player_that_leaves_leaves_their_cards_as_they_lie() -> None:  # RULES 6.5
    state = table(hands=["moat estate", "copper", "copper"], decks=["gold silver duchy"], discards=["curse"])
    play(state, "0 plays moat")
    events = play(state, "0 leaves")
    assert events == [Left(0, "quit"), TurnBegan(1, 1)]
    holding = state.holdings[0]
    assert (holding.hand, holding.deck, holding.discard) == (["estate", "gold", "silver"], ["duchy"], ["curse", "moat"])


def test_turns_of_a_player_that_has_left_are_skipped() -> None:  # RULES 6.5
    state = new(4)
    play(state, "1 leaves", "2 leaves", "0 cleans up")
    assert asked(state) == [3]
    play(state, "3 cleans up")
    assert asked(state) == [0] and state.turns == [2, 0, 0, 1]


def test_nobody_leaves_twice() -> None:  # RULES 6.5
    state = new(3)
    play(state, "1 leaves")
    assert refusal(state, "1 leaves").code == "not_here"


@pytest.mark.parametrize("leaver", [0, 1])
def test_a_player_that_is_left_alone_has_won_at_once(leaver: int) -> None:  # RULES 6.5
    state = new(2)
    play(state, f"{leaver} leaves")
    assert state.asks() == {}
    assert state.result() == Result((3, 3), (2, 1) if leaver == 0 else (1, 2))


# 7. The end


def test_an_empty_province_pile_ends_the_match_after_the_turn() -> None:  # RULES 7.1
    state = table(hands=["gold gold gold", "copper"], supply={"province": 1})
    play(state, "0 buys province")
    assert state.result() is None
    play(state, "0 cleans up")
    assert state.result() == Result((6, 0), (1, 2)) and state.asks() == {}


@pytest.mark.parametrize("piles", [("curse", "copper", "moat"), ("duchy", "estate", "cellar")])
def test_three_empty_piles_end_the_match(piles: tuple[str, ...]) -> None:  # RULES 7.1
    for empty in range(4):
        state = table(hands=["gold", "copper"], supply=dict.fromkeys(piles[:empty], 0))
        play(state, "0 cleans up")
        assert (state.result() is not None) == (empty == 3)


def test_nobody_gets_a_turn_to_make_it_even() -> None:  # RULES 7.1
    state = table(hands=["copper", "copper", "copper"], supply={"province": 0})
    play(state, "0 cleans up")
    assert state.turns == [1, 0, 0] and state.result() is not None


def test_the_end_is_looked_for_when_somebody_leaves_in_their_turn() -> None:  # RULES 7.1
    state = table(hands=["gold gold gold", "copper", "copper"], supply={"province": 1})
    play(state, "0 buys province", "0 leaves")
    assert state.result() == Result((6, 0, 0), (3, 1, 1))


@pytest.mark.parametrize("cap", [1, 2, 5])
def test_nobody_has_more_turns_than_the_cap(cap: int) -> None:  # RULES 7.2
    state = new(3, turn_cap=cap)
    for turn in range(3 * cap):
        assert state.result() is None
        play(state, f"{turn % 3} cleans up")
    assert state.turns == [cap] * 3 and state.result() == Result((3, 3, 3), (1, 1, 1))


def test_the_cap_is_500_unless_said_otherwise() -> None:  # RULES 7.2
    state = new(2)
    while state.result() is None:
        play(state, f"{state.turn} cleans up")
    assert state.turns == [500, 500] and state.result() == Result((3, 3), (1, 1))


@pytest.mark.parametrize("cap", [0, -1, 501, "many", 5.0])
def test_a_cap_that_cannot_be(cap: object) -> None:  # RULES 7.2
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "Options", "turn_cap": cap}, Options)


def test_the_score_counts_every_card_a_player_has() -> None:  # RULES 7.3
    state = table(hands=["province estate", "duchy"], decks=["duchy", "curse"], discards=["estate curse", "estate"])
    play(state, "time is up")
    assert state.result() == Result((6 + 1 + 3 + 1 - 1, 3 - 1 + 1), (1, 2))


def test_trashed_cards_count_for_nobody() -> None:  # RULES 7.3
    state = table(hands=["remodel province", "estate"])
    play(state, "0 plays remodel trashing province for gold", "time is up")
    assert state.result() == Result((0, 1), (2, 1))


def test_kingdom_cards_and_treasures_are_worth_no_points() -> None:  # RULES 7.3
    state = table(hands=[" ".join(FIRST_GAME), "copper silver gold"])
    play(state, "time is up")
    assert state.result() == Result((0, 0), (2, 1))  # seat 0 has had a turn more


@pytest.mark.parametrize(
    ("hands", "turns", "ranks"),
    [
        (["duchy", "estate"], [9, 8], (1, 2)),  # more points
        (["duchy", "duchy"], [9, 8], (2, 1)),  # fewer turns
        (["duchy", "duchy"], [9, 9], (1, 1)),
        (["duchy", "duchy", "province"], [9, 9, 9], (2, 2, 1)),
        (["duchy", "duchy", "estate", "duchy"], [9, 8, 8, 8], (3, 1, 4, 1)),
    ],
)
def test_the_winner(hands: list[str], turns: list[int], ranks: tuple[int, ...]) -> None:  # RULES 7.4
    state = table(hands=hands, turns=turns)
    play(state, "time is up")
    result = state.result()
    assert result is not None and result.ranks == ranks


def test_a_lost_turn_counts_as_a_turn() -> None:  # RULES 7.4
    state = new(2)
    play(state, "0 loses the turn", "1 cleans up", "0 cleans up", "time is up")
    assert state.turns == [2, 2] and state.result() == Result((3, 3), (1, 1))


def test_a_player_that_left_ranks_behind_all_who_stayed() -> None:  # RULES 7.5
    state = table(hands=["province", "estate", "curse", "duchy"])
    play(state, "0 leaves", "3 leaves", "time is up")
    assert state.result() == Result((6, 1, -1, 3), (3, 1, 2, 4))


def test_a_match_may_be_stopped() -> None:  # RULES 7.6
    state = table(hands=["militia", "copper copper copper copper"])
    play(state, "0 plays militia", "time is up")
    assert state.asks() == {} and state.result() is not None
    assert refusal(state, "time is up").code == "over"
    assert refusal(state, "0 leaves").code == "over"


# 8. Who sees what


def test_a_player_sees_its_own_hand_and_all_its_cards_counted() -> None:  # RULES 8.1
    state = table(hands=["moat estate", "copper"], decks=["gold silver duchy"], discards=["curse"])
    play(state, "0 plays moat")
    view = state.view(0)
    assert view.hand == ("estate", "gold", "silver") and view.played == ("moat",)
    assert view.owned == {"moat": 1, "estate": 1, "gold": 1, "silver": 1, "duchy": 1, "curse": 1}


@pytest.mark.parametrize("who", [1, None])
def test_others_see_how_many_and_what_is_on_top(who: int | None) -> None:  # RULES 8.1
    state = table(hands=["moat estate", "copper"], decks=["gold silver duchy"], discards=["curse province"])
    play(state, "0 plays moat")
    seen, area = msgspec.json.encode(state.view(who)), state.view(who).areas[0]
    assert (area.turns, area.hand, area.deck, area.discard, area.top, area.gone) == (1, 3, 1, 2, "province", False)
    assert state.view(who).played == ("moat",) and state.view(who).turn == 0
    for hidden in (b'"hand":["estate"', b'["gold"', b'"curse","province"'):
        assert hidden not in seen


def test_spectators_see_nobodys_cards() -> None:  # RULES 8.1
    view = table(hands=["moat estate", "copper"], decks=["gold", "silver"]).view(None)
    assert view.hand == () and view.owned == {} and view.seat is None


def test_everybody_sees_supply_trash_and_counters() -> None:  # RULES 8.1
    state = table(hands=["village remodel estate", "copper"], decks=["gold"])
    play(state, "0 plays village", "0 plays remodel trashing estate for smithy")
    for view in (state.view(0), state.view(1), state.view(None)):
        assert (view.actions, view.buys, view.money) == (1, 1, 0)
        assert view.supply == state.supply and view.trash == tuple(state.trash)
        assert view.gained == ("smithy",) and view.bought == () and view.areas[0].top == "smithy"


def test_everybody_sees_who_is_attacked() -> None:  # RULES 8.1
    state = table(hands=["militia", "copper copper copper copper", "copper"])
    assert state.view(None).attacked is None
    play(state, "0 plays militia")
    assert [state.view(who).attacked for who in (0, 1, 2, None)] == [1, 1, 1, 1]


def test_what_is_drawn_only_its_owner_sees() -> None:  # RULES 8.1
    drew = Drew(1, 2, ("gold", "moat"))
    assert [drew.seen_by(who) for who in (0, 1, None)] == [Drew(1, 2), drew, Drew(1, 2)]


def test_of_discards_others_see_the_top_alone() -> None:  # RULES 8.1
    discarded = Discarded(0, 2, "moat", ("gold", "moat"))
    hidden = Discarded(0, 2, "moat")
    assert [discarded.seen_by(who) for who in (0, 1, None)] == [discarded, hidden, hidden]


def test_a_clean_up_does_not_show_the_hand() -> None:  # RULES 8.1
    state = table(hands=["copper gold moat", "copper"], decks=["gold " * 5])
    events = play(state, "0 plays moat", "0 cleans up under copper")
    assert CleanedUp(0, ("moat",), "copper") in events


def test_a_view_is_the_same_however_the_hidden_cards_lie() -> None:  # RULES 8.2
    one = table(
        hands=["copper moat", "smithy estate"], decks=["duchy silver", "gold village"], discards=["", "curse moat"]
    )
    other = one.copy()
    other.holdings[0].deck.reverse()
    other.holdings[1].hand, other.holdings[1].deck = ["gold", "curse"], ["village", "estate"]
    other.holdings[1].discard = ["smithy", "moat"]
    assert everywhere(one) == everywhere(other)
    for who in (0, None):
        assert msgspec.json.encode(one.view(who)) == msgspec.json.encode(other.view(who))
    assert one.view(1) != other.view(1)


def test_dealing_again_keeps_what_is_known() -> None:  # RULES 8.2
    state = table(
        hands=["copper moat", "smithy estate gold"], decks=["gold silver", "duchy"], discards=["", "curse moat"]
    )
    twins = [state.redeal(0, Dice(b"%d" % seed)) for seed in range(50)]
    for twin in twins:
        assert twin.view(0) == state.view(0) and everywhere(twin) == everywhere(state)
        assert twin.holdings[1].owned == state.holdings[1].owned
    assert len({tuple(sorted(twin.holdings[1].hand)) for twin in twins}) > 5
    assert len({tuple(twin.holdings[0].deck) for twin in twins}) == 2


# Every card is somewhere, and nowhere twice


def rough(state: State, seat: int, ask: TakeTurn | AnswerAttack, dice: Dice) -> Action:
    """A player who at times does what only a referee would do in its place."""
    if dice.below(8):
        return bots.random(state.view(seat), ask, dice)
    if isinstance(ask, AnswerAttack):
        return AnyDiscard()
    return Waste() if ask.actions and dice.below(2) else EndTurn()


@pytest.mark.parametrize("seed", range(6))
def test_every_card_is_in_exactly_one_place(seed: int) -> None:  # RULES 2.7
    seats = 2 + seed % 3
    state, dice = new(seats, seed=b"%d" % seed, turn_cap=60), Dice(b"players %d" % seed)
    box = +all_cards(seats, state.options)
    while state.result() is None:
        [(seat, ask)] = state.asks().items()
        assert seat is not None
        state.play(seat, rough(state, seat, ask, dice))
        if seats == 4 and state.turns[0] == 20 and not state.gone:
            play(state, "1 leaves")
        assert everywhere(state) == box
        for owner, holding in enumerate(state.holdings):
            cards = holding.hand + holding.deck + holding.discard + (state.played if owner == state.turn else [])
            assert Counter(cards) == holding.owned


def test_a_match_takes_no_more_decisions_than_its_bound() -> None:  # RULES 7.2
    state, dice, decisions = new(3, turn_cap=20), Dice(b"players"), 0
    while state.result() is None:
        [(seat, ask)] = state.asks().items()
        assert seat is not None
        state.play(seat, bots.random(state.view(seat), ask, dice))
        decisions += 1
    assert decisions <= setup.bound(3, state.options)


# Counting: the number of different things that can happen, to a small depth, moves if any rule does.


def answers(state: State, seat: int, ask: TakeTurn | AnswerAttack) -> Iterator[Action]:
    """More than there are; the rules sort out the rest."""
    held = state.holdings[seat].hand
    if isinstance(ask, AnswerAttack):
        yield Reveal()
        yield from (Discard(cards) for cards in set(combinations(sorted(held), ask.discard)))
        return
    yield from (CleanUp(top) for top in (None, *CARDS))
    yield Buy()
    yield from (Buy((card,)) for card in CARDS)
    for card in set(held):
        yield Play(card)
        yield from (Play(card, gain=gain) for gain in CARDS)
        yield from (Play(card, trash=trash) for trash in CARDS)
        yield from (Play(card, trash=trash, gain=gain) for trash in set(held) for gain in CARDS)
        for many in range(1, len(held) if card == "cellar" else 0):
            yield from (Play(card, discard=cards) for cards in set(combinations(sorted(held), many)))


def plays(state: State, depth: int) -> int:
    """Different is what is told differently to a host, who sees everything."""
    if depth == 0 or state.result() is not None:
        return 1
    [(seat, ask)] = state.asks().items()
    assert seat is not None
    ends: dict[bytes, State] = {}
    for answer in answers(state, seat, ask):
        twin = state.copy()
        try:
            events = twin.play(seat, answer)
        except IllegalAction:
            continue
        ends[msgspec.json.encode(events)] = twin
    return len(ends) if depth == 1 else sum(plays(twin, depth - 1) for twin in ends.values())


def test_so_many_different_plays_begin_a_match() -> None:
    state = table(hands=["copper copper copper copper estate", "copper copper copper estate estate"])
    # 12 cards cost 4 or less. With them: nothing, too much, and a clean-up under copper or estate.
    assert plays(state, 1) == 12 + 2 + 2
    # After a buy only the clean-up is left; after that it is the other's turn, who has 9 such cards for 3.
    assert plays(state, 2) == 14 * 2 + 2 * (9 + 2 + 2)


@pytest.mark.parametrize(
    ("card", "count"),
    [
        ("market", 1),
        ("militia", 1),
        ("moat", 1),
        ("smithy", 1),
        ("village", 1),
        ("woodcutter", 1),
        ("cellar", 1 + 2 + 1),  # nothing, copper, estate, both
        ("mine", 2),  # copper into copper or silver
        ("remodel", 5 + 12),  # copper into what costs 2, estate into what costs 4
        ("workshop", 12),
    ],
)
def test_so_many_different_plays_of_a_card(card: str, count: int) -> None:
    state = table(hands=[f"{card} copper estate", "copper copper copper copper"], decks=["gold silver duchy"])
    without = table(hands=["curse copper estate", "copper copper copper copper"], decks=["gold silver duchy"])
    assert plays(state, 1) == plays(without, 1) + count


def test_so_many_different_plays_of_an_attack() -> None:
    state = table(hands=["militia", "copper copper estate moat gold", "silver gold copper curse"])
    play(state, "0 plays militia")
    # One of 6 pairs, or two coppers, or the moat; then any one of four cards.
    assert [plays(state, depth) for depth in (1, 2)] == [8, 8 * 4]

"""Every reply that cannot be, what it costs, and how that is recorded; all of it as bots do it, over the wire."""

import json
from collections import Counter
from typing import Any

import pytest

from parlour.core import AnswerRefused, BadMessage, Dice, Hello, Result, Sitting
from parlour.games import game
from parlour.games.dominion import bots
from parlour.games.dominion.dialect import Lines, TextLines
from parlour.games.dominion.values import Action, CleanedUp, Discard, Discarded, Drew, Left, Reveal
from parlour.referee.match import Out
from parlour.referee.replay import verify
from parlour.referee.transcript import Limits, Line, read_record
from tests.games.dominion.tables import (
    MOAT,
    SEED,
    Room,
    Said,
    action,
    bear,
    buy,
    clean_up,
    line,
    new,
    price,
    recorded,
    table,
)

SECOND = Limits(limit_ms=1000)
FIVE_GOLD = "gold gold gold gold gold"


def room(*hands: str, **more: Any) -> Room:
    """Seat 0 is to take its turn; five coins of gold are next in its deck."""
    limits = more.pop("limits", None)
    return Room(table(hands=hands, **{"decks": [FIVE_GOLD], **more}), limits=limits).forget()


def turn(room: Room, seat: int = 0) -> Said:
    """The request that is open to the seat, in short."""
    asked = room.news(seat)[-1]
    assert asked["type"] == "play-turn"
    return {key: " ".join(value) if isinstance(value, list) else value for key, value in asked.items() if value}


def discards(room: Room, seat: int = 0) -> str:
    return " ".join(room.state.holdings[seat].discard)


def hand(room: Room, seat: int = 0) -> str:
    return " ".join(room.state.holdings[seat].hand)


def asked(room: Room) -> list[int]:
    return list(room.match.open)


END_TURN = {"type": "EndTurn"}
WASTE = {"type": "Waste"}
ANY_DISCARD = {"type": "AnyDiscard"}
AT_THE_END: Said = {"type": "play-turn"}
"""A request with all counters at 0, and nothing in any of its lists."""


# Treasures and purchases: what cannot be is no fault, it is just not done


@pytest.mark.parametrize(
    ("treasures", "played"),
    [
        (["gold", "estate", "copper"], "gold"),
        (["gold", "silver", "copper"], "gold"),
        (["gold", "gold"], "gold"),
        (["joker"], ""),
        (["Gold", "copper"], ""),
        (["gold", 5, "copper"], "gold"),
        (["gold", None], "gold"),
        (["gold", ["copper"]], "gold"),
    ],
)
def test_a_bad_treasure(treasures: list[Any], played: str) -> None:  # RULES 3.2
    it = room("gold copper estate", "copper")
    out = it.says(0, {**buy("copper"), "played_treasures": treasures})
    assert recorded(out).fault is None and discards(it) == ""
    left = " ".join((Counter(["gold", "copper", "estate"]) - Counter(played.split())).elements())
    assert turn(it) == {**AT_THE_END, "hand": left} | ({"cards_played": played} if played else {})


@pytest.mark.parametrize(
    ("cards", "bought"),
    [
        (["silver", "gold", "copper"], "silver"),  # too dear
        (["silver", "joker", "copper"], "silver"),
        (["silver", "moat", "copper"], "silver"),  # empty
        (["silver", 3, "copper"], "silver"),
        (["silver", "copper", "curse", "curse"], "silver copper curse"),  # three buys
        (["gold"], ""),
    ],
)
def test_a_bad_purchase(cards: list[Any], bought: str) -> None:  # RULES 3.3
    it = room("woodcutter village woodcutter", "copper", decks=["silver"], supply={"moat": 0})
    for card in ("village", "woodcutter", "woodcutter"):
        it.says(0, action(card))
    it.state.money = 3
    out = it.says(0, {**buy(treasures="silver"), "cards_to_buy": cards})  # 5 to spend, 3 buys
    assert recorded(out).fault is None and discards(it) == bought
    expected = {**AT_THE_END, "cards_played": "village woodcutter woodcutter silver"}
    assert turn(it) == expected | ({"cards_bought": bought, "cards_gained": bought} if bought else {})


@pytest.mark.parametrize("nothing", [[], "gold", "silver", {}, 3, None, True])
def test_a_list_of_cards_that_is_none_is_empty(nothing: Any) -> None:  # RULES 3.4, 9.5
    it = room("gold", "copper")
    it.says(0, {**buy(treasures="gold"), "cards_to_buy": nothing})
    assert turn(it) == {**AT_THE_END, "cards_played": "gold"} and discards(it) == ""
    it = room("gold", "copper")
    it.says(0, {**buy("copper"), "played_treasures": nothing})
    assert turn(it) == {**AT_THE_END, "hand": "gold", "cards_bought": "copper", "cards_gained": "copper"}


def test_a_buy_without_any_list() -> None:  # RULES 3.4
    it = room("gold", "copper")
    out = it.says(0, {"type": "play-reply", "phase": "buy"})
    assert recorded(out).fault is None and turn(it) == {**AT_THE_END, "hand": "gold"}


def test_after_a_bad_buy_the_top_discard_can_still_be_named() -> None:  # RULES 3.5
    it = room("gold estate copper", "copper")
    it.says(0, buy("province", "gold"))
    it.says(0, clean_up("estate"))
    assert discards(it) == "copper gold estate"


def test_a_buy_with_no_buy_left() -> None:  # RULES 3.6, 6.1
    it = room("gold copper", "copper")
    it.says(0, buy("silver", "gold"))
    out = it.says(0, buy("copper"))
    assert price(out) == ("illegal", "no_buys", END_TURN)
    assert hand(it) == FIVE_GOLD and discards(it) == "silver copper gold" and asked(it) == [1]


# Names


def introduced(said: Said | bytes, seat: int = 0) -> Sitting:
    bot = Lines()
    bot.hello(Hello("dominion", 1, "", False, seat))
    return bot.introduced(line(said))


NAMED: Said = {"type": "player-name-reply", "player_number": "player1", "name": "Ada", "version": 1}


def without(key: str) -> Said:
    return {kept: value for kept, value in NAMED.items() if kept != key}


NAMELESS: list[Said] = [{"name": None}, {"name": ""}, {"name": 5}, {"name": ["Ada"]}, {"name": {}}]


def test_a_name() -> None:  # RULES 9.2
    assert introduced(NAMED) == Sitting("Ada", "", {"dominion": 1})


@pytest.mark.parametrize(
    "said",
    [without("name"), *({**NAMED, **nameless} for nameless in NAMELESS)],
    ids=repr,
)
def test_no_name(said: Said) -> None:  # RULES 9.2
    assert introduced(said).name == "PLAYER1"


@pytest.mark.parametrize(
    "said",
    [
        b"Ada",
        b"",
        b"[]",
        b"5",
        b"{}",
        b"\xff",
        b"[" * 100_000,
        without("type"),
        {**NAMED, "type": "play-reply"},
        {**NAMED, "type": ["player-name-reply"]},
        without("player_number"),
        {**NAMED, "player_number": "player2"},
        {**NAMED, "player_number": 1},
    ],
    ids=lambda said: repr(said)[:60],
)
def test_a_reply_that_names_nobody(said: Said | bytes) -> None:  # RULES 9.2
    assert introduced(said) == Sitting("PLAYER1", "", {"dominion": 1})


def test_a_player_that_has_no_name_is_named_by_seat() -> None:  # RULES 9.2
    assert [introduced(b"junk", seat).name for seat in range(4)] == ["PLAYER1", "PLAYER2", "PLAYER3", "PLAYER4"]


@pytest.mark.parametrize(
    "said",
    [
        without("version"),
        *({**NAMED, "version": version} for version in (0, -1, 0.9, "0", "-1", "one", "", None, True, [1])),
    ],
    ids=repr,
)
def test_a_version_that_is_none_of_ours(said: Said) -> None:  # RULES 9.2
    with pytest.raises(BadMessage) as refused:
        introduced(said)
    assert refused.value.code == "bad_version"


@pytest.mark.parametrize("version", [1, 1.0, 2, 10**30, "1", "2"])
def test_a_version_from_ours_on_is_taken(version: float | str) -> None:  # RULES 9.2
    assert introduced({**NAMED, "version": version}).name == "Ada"


def test_a_player_that_did_not_introduce_itself_is_seated_and_forfeits() -> None:  # RULES 9.2, 6.5
    bot = Lines()
    bot.hello(Hello("dominion", 1, "", False, 2))
    assert bot.absent() == Sitting("PLAYER3", "", {"dominion": 1})
    it = Room(new(3)).forget()
    it.leaves(0, "silent")
    assert asked(it) == [1] and it.types(1) == ["supply-info", "play-turn"]
    it = Room(new(2)).forget()
    it.leaves(0, "silent")
    assert it.news(1)[-1] == {"type": "game-end", "scores": [3, 3], "winners": ["player2"]}


# On one's own turn: unusable replies end it


def is_lost(it: Room, out: Out, kind: str, code: str) -> None:
    """Seat 0's turn is over and cleaned up, and it counts."""
    assert price(out) == (kind, code, END_TURN) and len(out.lines) == 1
    assert recorded(out).by == 0
    assert sum(isinstance(notice, CleanedUp) for notice in out.notices) == 1
    assert it.state.turns == [1, 1] and asked(it) == [1]
    assert hand(it) == FIVE_GOLD and discards(it) == "copper estate smithy"
    told = ["player-top-discard", "supply-info", "play-turn"]
    assert it.types(1) == told and it.news(0) == [
        {"type": "player-top-discard", "player_number": "player1", "card": "smithy"}
    ]


UNREADABLE = [b"junk", b"", b"{", b"[]", b"5", b"null", b'"cleanup"', b"{}", b"\xff\xfe", b"[" * 100_000]


@pytest.mark.parametrize("raw", UNREADABLE, ids=lambda raw: repr(raw)[:20])
def test_no_json_object(raw: bytes) -> None:  # RULES 6.1
    it = room("copper estate smithy", "copper")
    is_lost(it, it.says(0, raw), "unreadable", "not_json")


@pytest.mark.parametrize(
    "said",
    [
        {"phase": "cleanup"},
        {"type": "play-turn", "phase": "cleanup"},
        {"type": "Play-Reply", "phase": "cleanup"},
        {"type": "player-name-reply", "player_number": "player1", "name": "Ada", "version": 1},
        {"type": ["play-reply"], "phase": "cleanup"},
        {"type": None},
        bear("copper"),
        MOAT,
    ],
    ids=repr,
)
def test_another_type(said: Said) -> None:  # RULES 6.1
    it = room("copper estate smithy", "copper")
    is_lost(it, it.says(0, said), "unreadable", "wrong_type")


@pytest.mark.parametrize("phase", [None, "", "Cleanup", "clean-up", "discard", 5, ["action"], {}])
def test_another_phase(phase: Any) -> None:  # RULES 6.1
    it = room("copper estate smithy", "copper")
    is_lost(it, it.says(0, {"type": "play-reply", "phase": phase, "card": "smithy"}), "unreadable", "wrong_phase")
    it = room("copper estate smithy", "copper")
    is_lost(it, it.says(0, {"type": "play-reply", "card": "smithy"}), "unreadable", "wrong_phase")


def test_a_line_that_is_too_long() -> None:  # RULES 6.1
    it = room("copper estate smithy", "copper")
    noise = it.bots[0].too_big(1000)
    out = it.deliver(it.match.answer(0, noise, 0.0, noise.n))
    is_lost(it, out, "unreadable", "too_big")


@pytest.mark.parametrize("card", ["smithy", "copper", "joker"])
def test_an_action_with_no_action_left(card: str) -> None:  # RULES 6.1
    it = room("smithy smithy copper", "copper", decks=["duchy duchy duchy " + FIVE_GOLD])
    it.says(0, action("smithy"))
    out = it.says(0, action(card))
    assert price(out) == ("illegal", "no_actions", END_TURN)
    assert hand(it) == FIVE_GOLD and asked(it) == [1] and it.state.turns == [1, 1]


def test_an_action_after_the_buy() -> None:  # RULES 6.1
    it = room("smithy copper", "copper")
    it.says(0, buy())
    assert price(it.says(0, action("smithy"))) == ("illegal", "no_actions", END_TURN)


@pytest.mark.parametrize("answer", [Discard(("copper",)), Reveal()])
def test_an_answer_to_another_question(answer: Action) -> None:  # RULES 6.1
    it = room("copper estate smithy", "copper")
    is_lost(it, it.deliver(it.match.answer(0, answer, 0.0)), "illegal", "wrong_kind")


# On one's own turn: impossible actions cost an action


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (action("joker"), "unknown_card"),
        (action("Smithy"), "unknown_card"),
        (action("smithy "), "unknown_card"),
        (action(""), "unknown_card"),
        (action("x" * 1000), "unknown_card"),
        ({"type": "play-reply", "phase": "action"}, "unknown_card"),
        ({**action("smithy"), "card": None}, "unknown_card"),
        ({**action("smithy"), "card": ["smithy"]}, "unknown_card"),
        ({**action("smithy"), "card": 5}, "unknown_card"),
        (action("copper"), "not_an_action"),
        (action("estate"), "not_an_action"),
        (action("gold"), "not_an_action"),  # whether or not it is in hand
        (action("market"), "not_in_hand"),
        (action("workshop"), "bad_choice"),
        (action("workshop", desired_card="gold"), "bad_choice"),
        (action("workshop", desired_card=["moat"]), "bad_choice"),
    ],
    ids=repr,
)
def test_an_action_that_cannot_be(said: Said, code: str) -> None:  # RULES 6.2
    it = room("village village smithy workshop copper estate", "copper", decks=["duchy duchy"])
    it.says(0, action("village"))  # two actions
    before = turn(it)
    it.forget()
    out = it.says(0, said)
    assert price(out) == ("illegal", code, WASTE) and recorded(out).by == 0
    assert turn(it) == {**before, "actions": 1}
    assert it.raw(1) == []
    out = it.says(0, said)
    assert price(out) == ("illegal", code, WASTE)
    assert "actions" not in turn(it)
    assert price(it.says(0, said)) == ("illegal", "no_actions", END_TURN)


@pytest.mark.parametrize("parameters", [None, [], "moat", 5])
def test_parameters_of_the_wrong_type_are_none(parameters: Any) -> None:  # RULES 9.5
    it = room("smithy workshop village", "copper")
    assert recorded(it.says(0, {**action("village"), "additional_parameters": parameters})).fault is None
    out = it.says(0, {**action("workshop"), "additional_parameters": parameters})
    assert price(out) == ("illegal", "bad_choice", WASTE)
    assert recorded(it.says(0, {"type": "play-reply", "phase": "action", "card": "smithy"})).fault is None


def test_what_was_refused_is_recorded_as_an_action_and_not_as_it_came() -> None:  # RULES 6.7
    it = room("workshop", "copper")
    out = it.says(0, b'  {"phase":"action", "noise":"!!", "type":"play-reply", "card":"workshop"}')
    record = recorded(out)
    assert json.loads(bytes(record.said)) == {"type": "Play", "card": "workshop"} and b"!!" not in out.lines[0]


@pytest.mark.parametrize("top", ["gold", "joker", "", None, 5, ["estate"], "smithy"])
def test_a_top_discard_that_cannot_be_is_no_fault(top: Any) -> None:  # RULES 2.5
    it = room("copper estate smithy", "copper", decks=["duchy duchy duchy " + FIVE_GOLD])
    it.says(0, action("smithy"))
    out = it.says(0, {"type": "play-reply", "phase": "cleanup", "top_discard": top})
    assert recorded(out).fault is None
    assert discards(it) == "copper estate duchy duchy duchy smithy"


@pytest.mark.parametrize(("option", "top"), [("hand", "copper"), ("hand_or_played", "smithy")])
def test_a_top_discard_from_what_was_played(option: str, top: str) -> None:  # RULES 2.5
    it = room("smithy copper estate", "copper", decks=["estate estate estate"], top_discard_from=option)
    it.says(0, action("smithy"))
    it.says(0, buy(treasures="copper"))
    it.says(0, clean_up("smithy"))
    assert [said["card"] for said in it.news(1) if said["type"] == "player-top-discard"] == [top]


# Cellar, Mine, Remodel, Workshop


@pytest.mark.parametrize(
    ("cards", "discarded"),
    [
        (["estate", "copper"], "estate copper"),
        (["estate", "gold", "copper"], "estate"),
        (["estate", "estate", "copper"], "estate"),
        (["cellar", "estate"], ""),
        (["estate", 5, "copper"], "estate"),
        ([], ""),
        ("estate", ""),
        ({"estate": 1}, ""),
        (None, ""),
    ],
)
def test_cellar(cards: Any, discarded: str) -> None:  # RULES 4.4
    it = room("cellar estate copper", "copper", decks=["silver silver silver"])
    out = it.says(0, action("cellar", cards=cards))
    assert recorded(out).fault is None and discards(it) == discarded
    count = len(discarded.split())
    assert it.state.holdings[0].hand.count("silver") == count
    asked = turn(it)
    assert (asked["actions"], asked["cards_played"]) == (1, "cellar")


def test_cellar_without_parameters() -> None:  # RULES 4.4
    it = room("cellar estate", "copper")
    assert recorded(it.says(0, {"type": "play-reply", "phase": "action", "card": "cellar"})).fault is None
    assert turn(it)["cards_played"] == "cellar"


def trading(card: str, **more: Any) -> Room:
    return room(f"{card} copper estate", "copper", **more)


@pytest.mark.parametrize(
    "choices",
    [
        {},
        {"desired_card": "silver"},
        {"card_to_trash": "copper"},
        {"card_to_trash": "copper", "desired_card": ""},
        {"card_to_trash": "copper", "desired_card": None},
        {"card_to_trash": "copper", "desired_card": "gold"},
        {"card_to_trash": "copper", "desired_card": "estate"},
        {"card_to_trash": "copper", "desired_card": "joker"},
        {"card_to_trash": "estate", "desired_card": "silver"},
        {"card_to_trash": "silver", "desired_card": "gold"},
        {"card_to_trash": "mine", "desired_card": "gold"},
        {"card_to_trash": ["copper"], "desired_card": "silver"},
    ],
    ids=repr,
)
def test_a_mine_that_cannot_be(choices: Said) -> None:  # RULES 4.5, 6.2
    it = trading("mine")
    trash = it.state.trash[:]
    assert price(it.says(0, action("mine", **choices))) == ("illegal", "bad_choice", WASTE)
    assert turn(it) == {"type": "play-turn", "buys": 1, "hand": "mine copper estate"}
    assert it.state.trash == trash


@pytest.mark.parametrize("gain", ["silver", "copper"])
def test_mine(gain: str) -> None:  # RULES 4.5
    it = trading("mine")
    it.says(0, action("mine", card_to_trash="copper", desired_card=gain))
    asked = turn(it)
    assert (asked["hand"], asked["cards_gained"], asked["cards_played"]) == (f"estate {gain}", gain, "mine")
    assert "cards_bought" not in asked


@pytest.mark.parametrize("wish", [{}, *({"desired_card": card} for card in ("", "gold", "silver", "joker", 5, None))])
def test_mine_with_nothing_to_be_had(wish: Said) -> None:  # RULES 4.5
    it = trading("mine", supply={"copper": 0, "silver": 0})
    out = it.says(0, action("mine", card_to_trash="copper", **wish))
    assert recorded(out).fault is None and it.state.trash[-1] == "copper"
    assert turn(it) == {"type": "play-turn", "buys": 1, "hand": "estate", "cards_played": "mine"}


@pytest.mark.parametrize(
    "choices",
    [
        {},
        {"desired_card": "silver"},
        {"card_to_trash": "estate"},
        {"card_to_trash": "estate", "desired_card": ""},
        {"card_to_trash": "estate", "desired_card": "gold"},
        {"card_to_trash": "estate", "desired_card": "joker"},
        {"card_to_trash": "estate", "desired_card": "moat"},
        {"card_to_trash": "gold", "desired_card": "province"},
        {"card_to_trash": "remodel", "desired_card": "gold"},
    ],
    ids=repr,
)
def test_a_remodel_that_cannot_be(choices: Said) -> None:  # RULES 4.6, 6.2
    it = trading("remodel", supply={"moat": 0})
    trash = it.state.trash[:]
    assert price(it.says(0, action("remodel", **choices))) == ("illegal", "bad_choice", WASTE)
    assert turn(it) == {"type": "play-turn", "buys": 1, "hand": "remodel copper estate"}
    assert it.state.trash == trash


@pytest.mark.parametrize(("trash", "gain"), [("gold", "province"), ("estate", "smithy")])
def test_remodel(trash: str, gain: str) -> None:  # RULES 4.6
    it = room(f"remodel {trash}", "copper")
    it.says(0, action("remodel", card_to_trash=trash, desired_card=gain))
    assert turn(it) == {"type": "play-turn", "buys": 1, "cards_played": "remodel", "cards_gained": gain}


@pytest.mark.parametrize("wish", [{}, {"desired_card": ""}, {"desired_card": "gold"}])
def test_remodel_with_nothing_to_be_had(wish: Said) -> None:  # RULES 4.6
    it = trading("remodel", supply=dict.fromkeys(("curse", "copper", "estate", "cellar", "moat"), 0))
    assert recorded(it.says(0, action("remodel", card_to_trash="copper", **wish))).fault is None
    assert turn(it) == {"type": "play-turn", "buys": 1, "hand": "estate", "cards_played": "remodel"}


@pytest.mark.parametrize("choices", [{}, *({"desired_card": card} for card in ("gold", "joker", "moat", "", 4, None))])
def test_a_workshop_that_cannot_be(choices: Said) -> None:  # RULES 4.7, 6.2
    it = trading("workshop", supply={"moat": 0})
    assert price(it.says(0, action("workshop", **choices))) == ("illegal", "bad_choice", WASTE)
    assert turn(it) == {"type": "play-turn", "buys": 1, "hand": "workshop copper estate"}


# Under attack


def attack(hand: str = "copper copper copper copper estate", **more: Any) -> Room:
    it = room("militia", hand, **more)
    it.says(0, action("militia"))
    return it.forget()


UNUSABLE: list[Said | bytes] = [
    *UNREADABLE[:3],
    {"type": "attack", "discard": ["copper", "copper"]},
    clean_up(),
    buy("copper"),
    {"discard": ["copper", "copper"]},
    {"type": "attack-reply"},
    bear(""),
    bear("copper"),
    bear("copper copper copper"),
    bear("gold copper"),
    bear("estate estate"),
    {"type": "attack-reply", "discard": "copper"},
    {"type": "attack-reply", "discard": 2},
    {"type": "attack-reply", "discard": ["copper", 5]},
    {"type": "attack-reply", "discard": {"copper": 2}},
    MOAT,
    {"type": "attack-reply-reaction"},
    {"type": "attack-reply-reaction", "reaction": "copper"},
    {"type": "attack-reply-reaction", "reaction": ["moat"]},
]


@pytest.mark.parametrize("said", UNUSABLE, ids=repr)
def test_an_unusable_reply_to_an_attack(said: Said | bytes) -> None:  # RULES 6.3, 5.4
    it = attack()
    out = it.says(1, said)
    assert recorded(out).by == 1 and price(out)[2] == ANY_DISCARD
    assert len(it.state.holdings[1].hand) == 3 and len(it.state.holdings[1].discard) == 2
    assert [said["type"] for said in it.news(0)] == ["player-top-discard", "play-turn"]
    assert it.news(1) == [
        {"type": "player-top-discard", "player_number": "player2", "card": discards(it, 1).split()[-1]}
    ]
    assert asked(it) == [0] and it.state.money == 2


@pytest.mark.parametrize("cards", [4, 5, 6, 8])
def test_as_many_are_drawn_as_were_asked_for(cards: int) -> None:  # RULES 5.4
    it = attack("copper " * cards)
    it.says(1, b"junk")
    assert len(it.state.holdings[1].hand) == 3 and len(it.state.holdings[1].discard) == cards - 3


def test_a_moat_by_another_name_is_none() -> None:  # RULES 5.3
    it = attack("moat copper copper copper copper")
    assert price(it.says(1, {"type": "attack-reply-reaction", "reaction": "Moat"})) == (
        "illegal",
        "no_reaction",
        ANY_DISCARD,
    )


def test_the_same_seed_draws_the_same_cards() -> None:  # RULES 5.4
    rooms = [attack("copper silver gold estate duchy") for _ in range(2)]
    for it in rooms:
        it.says(1, b"junk")
    assert discards(rooms[0], 1) == discards(rooms[1], 1) and rooms[0].lines == rooms[1].lines


def test_silence_under_attack() -> None:  # RULES 6.3, 6.4
    it = attack(limits=SECOND)
    out = it.waits(1.0)
    assert price(out) == ("late", "late", ANY_DISCARD) and it.state.gone == []
    assert len(it.state.holdings[1].hand) == 3 and asked(it) == [0]
    assert turn(it) == {"type": "play-turn", "buys": 1, "extra_money": 2, "cards_played": "militia"}


# Silence, and leaving


def test_silence_on_ones_turn_forfeits() -> None:  # RULES 6.4
    it = room("copper", "copper", "copper", limits=SECOND)
    out = it.waits(1.0)
    assert price(out) == ("late", "late", {"type": "Leave", "seat": 0, "why": "silent"}) and recorded(out).by is None
    assert Left(0, "silent") in out.notices and asked(it) == [1]
    assert hand(it) == "copper"  # as it lay
    assert it.says(0, clean_up(), 1.1).lines == []


def test_silence_in_the_middle_of_a_turn_forfeits() -> None:  # RULES 6.4
    it = room("village copper", "copper", limits=SECOND, decks=["gold"])
    it.says(0, action("village"), 0.5)
    assert it.waits(1.4).lines == []
    it.waits(1.5)
    assert it.match.end == Result((0, 0), (2, 1))
    assert it.news(1)[-1] == {"type": "game-end", "scores": [0, 0], "winners": ["player2"]}


def test_silence_ends_the_turn_where_the_house_says_so() -> None:  # RULES 6.4
    it = room("copper estate smithy", "copper", limits=SECOND, on_silence="end_turn")
    is_lost(it, it.waits(1.0), "late", "late")


def test_two_left_of_three_play_on() -> None:  # RULES 6.5
    it = Room(new(3)).forget()
    it.leaves(1)
    assert it.raw(0) == it.raw(2) == []  # the protocol has no words for it
    it.says(0, clean_up())
    assert asked(it) == [2]
    it.leaves(2)
    assert it.news(0)[-1]["winners"] == ["player1"]


def test_an_attacked_bot_may_leave() -> None:  # RULES 6.5
    it = Room(table(hands=["militia", "copper copper copper copper", "copper"], decks=[FIVE_GOLD])).forget()
    it.says(0, action("militia"))
    it.forget().leaves(1, "dead")
    assert turn(it)["extra_money"] == 2 and len(it.state.holdings[1].hand) == 4


# Nobody asked


@pytest.mark.parametrize("said", [b"junk", clean_up(), bear("copper"), MOAT, action("smithy")], ids=repr)
def test_what_nobody_asked_costs_nothing(said: Said | bytes) -> None:  # RULES 6.6
    it = room("copper", "smithy copper")
    before = it.state.copy()
    out = it.says(1, said)
    assert out.lines == [] and it.state == before


# The record


def rough_match(seats: int, seed: bytes, limits: Limits | None = None, **options: Any) -> Room:
    """From the first card to the last, over the wire, with every kind of fault."""
    it, dice = Room(new(seats, seed, turn_cap=30, **options), seed=seed, limits=limits), Dice(b"players")
    assert it.match.state is it.state
    now = 0.0
    while it.match.end is None:
        now += 0.1
        if not dice.below(5):
            faults: list[Said | bytes] = [b"junk", {"type": "?"}, action("joker"), action("mine"), buy("", "estate")]
            it.says(min(it.match.open), dice.pick(faults), now)
        elif limits is not None and not dice.below(40):
            it.waits(now := now + 1)
        else:
            it.moves(bots.militia if it.state.turn == 0 else bots.random, dice, now)
    it.lines.append(it.match.reveal())
    return it


@pytest.mark.parametrize(
    ("seats", "limits", "options", "costs"),
    [
        (2, None, {}, {"EndTurn", "Waste", "AnyDiscard"}),
        (3, SECOND, {}, {"EndTurn", "Waste", "AnyDiscard", "Leave"}),
        (4, SECOND, {"on_silence": "end_turn"}, {"EndTurn", "Waste", "AnyDiscard"}),
    ],
)
def test_a_rough_match_is_replayed_from_its_record(
    seats: int, limits: Limits | None, options: Any, costs: set[str]
) -> None:  # RULES 6.7
    it = rough_match(seats, SEED, limits, **options)
    verdict = verify(b"".join(raw + b"\n" for raw in it.lines), game)
    assert (verdict.holds, verdict.end) == ("yes", it.match.end), verdict.why
    prices = [record for record in map(fault_of, it.lines) if record is not None]
    assert {json.loads(bytes(record.do))["type"] for record in prices} == costs
    assert all(b"junk" not in raw and b'"phase"' not in raw for raw in it.lines)


def fault_of(raw: bytes) -> Line | None:
    record = read_record(raw, 1)
    return record if isinstance(record, Line) and record.fault is not None else None


def test_a_fault_is_told_to_its_sender_alone() -> None:  # RULES 8.1
    it = room("copper estate smithy", "copper")
    out = it.says(0, b"junk")
    assert [any(isinstance(notice, AnswerRefused) for notice in out.to(who)) for who in (0, 1, None)] == [
        True,
        False,
        False,
    ]


# What went wrong in the original engine, and does not here


def test_militia_does_attack() -> None:  # RULES 5.1
    it = Room(new(2, b"attack"), seed=b"attack")
    requests: Counter[str] = Counter()
    dice = Dice(b"players")
    while it.match.end is None:
        requests[it.news(min(it.match.open))[-1]["type"]] += 1
        it.moves(bots.militia, dice)
    assert requests["attack-request"] > 3


@pytest.mark.parametrize("few", [1, 2, 3])
def test_an_attack_does_not_stop_at_who_has_few_cards(few: int) -> None:  # RULES 5.1
    hands = ["militia", *["copper copper copper copper"] * 3]
    hands[few] = "copper copper copper"
    it = Room(table(hands=hands, decks=[FIVE_GOLD])).forget()
    it.says(0, action("militia"))
    victims = []
    while asked(it) != [0]:
        victims += asked(it)
        it.says(victims[-1], bear("copper"))
    assert victims == [seat for seat in (1, 2, 3) if seat != few]


def test_a_fault_late_in_a_turn_cleans_up_once() -> None:  # RULES 6.1
    it = room("village village copper estate", "copper", decks=["duchy duchy " + FIVE_GOLD])
    it.says(0, action("village"))
    it.says(0, action("village"))
    it.says(0, buy("copper", "copper"))
    it.forget().says(0, b"junk")
    assert it.types(1) == ["player-played", "player-top-discard", "supply-info", "play-turn"]
    assert hand(it) == FIVE_GOLD and it.state.turns == [1, 1]


def test_half_an_effect_is_never_kept() -> None:  # RULES 4.1
    it = room("remodel estate", "copper")
    it.says(0, action("remodel", card_to_trash="remodel", desired_card="gold"))
    assert hand(it) == "remodel estate" and asked(it) == [0]
    it = room("cellar copper estate", "copper", decks=["silver silver silver"])
    it.says(0, action("cellar", cards=["copper", "copper"]))
    assert hand(it) == "estate silver" and discards(it) == "copper" and asked(it) == [0]
    it = room("cellar copper", "copper", decks=["silver silver silver"])
    it.says(0, action("cellar", cards=["cellar"]))
    assert hand(it) == "copper" and turn(it)["actions"] == 1


def test_a_card_named_twice_but_held_once_leaves_the_victim_three_cards() -> None:  # RULES 5.2
    it = attack("copper silver gold estate duchy")
    it.says(1, bear("estate estate"))
    assert len(it.state.holdings[1].hand) == 3


def test_a_mined_card_is_told() -> None:  # RULES 9.3
    it = trading("mine")
    it.says(0, action("mine", card_to_trash="copper", desired_card="silver"))
    assert {"type": "player-gained", "player_number": "player1", "gained": ["silver"]} in it.news(1)


def test_a_reveal_is_a_list_from_the_hand() -> None:  # RULES 9.3
    it = attack("moat copper copper copper copper")
    it.says(1, MOAT)
    told: Said = {"type": "player-reveal", "player_number": "player2", "from": "hand", "cards": ["moat"]}
    assert it.news(0)[0] == it.news(1)[0] == told


@pytest.mark.parametrize("dialect", [Lines, TextLines])
def test_players_are_called_by_text_in_every_message(dialect: type[Lines]) -> None:  # RULES 9.12
    it = Room(new(3), dialect)
    dice = Dice(b"players")
    while it.match.end is None and it.state.turns[0] < 25:
        it.moves(bots.random, dice)
    numbers = {said["player_number"] for said in it.news(0) if "player_number" in said}
    assert numbers == {"player1", "player2", "player3"}


def test_an_empty_list_of_cards_played_is_not_told() -> None:  # RULES 9.3
    it = room("copper estate smithy", "copper")
    it.says(0, clean_up())
    assert "player-played" not in it.types(0) + it.types(1)


def test_a_top_discard_is_told_after_cellar_and_militia() -> None:  # RULES 9.11
    it = room("cellar militia copper estate", "copper copper copper copper", decks=["gold gold"])
    it.says(0, action("cellar", cards=["copper", "estate"]))
    assert it.news(1) == [{"type": "player-top-discard", "player_number": "player1", "card": "estate"}]
    it.says(0, action("militia"))
    it.says(1, bear("copper"))
    assert it.news(1)[-1] == {"type": "player-top-discard", "player_number": "player2", "card": "copper"}


def test_the_supply_is_told_to_all_whenever_it_changes() -> None:  # RULES 9.10
    it = room("woodcutter copper", "copper", "copper")
    it.says(0, action("woodcutter"))
    it.forget().says(0, buy("moat copper", "copper"))
    for seat in (0, 1, 2):
        supplies = [said["cards"] for said in it.news(seat) if said["type"] == "supply-info"]
        assert [(cards["moat"], cards["copper"]) for cards in supplies] == [(9, 39), (9, 38)]


def test_silence_on_the_first_request_does_not_keep_the_hand() -> None:  # RULES 6.4
    it = room("copper estate smithy", "copper", limits=SECOND, on_silence="end_turn")
    out = it.waits(1.0)
    assert hand(it) == FIVE_GOLD and any(isinstance(notice, Drew) for notice in out.notices)


def test_a_victims_silence_does_not_end_the_attackers_turn() -> None:  # RULES 5.4
    it = attack(limits=SECOND)
    out = it.waits(1.0)
    assert [type(notice) for notice in out.notices if isinstance(notice, Discarded | CleanedUp)] == [Discarded]
    assert asked(it) == [0] and it.state.turn == 0


def test_a_junk_wish_for_a_mine_that_finds_nothing_does_not_end_the_turn() -> None:  # RULES 4.5
    it = trading("mine", supply={"copper": 0, "silver": 0})
    it.says(0, action("mine", card_to_trash="copper", desired_card={"junk": True}))
    assert asked(it) == [0] and turn(it)["cards_played"] == "mine"

"""The game's own protocol: a JSON object a line, in the shape that bots need and in that of the text (RULES 9)."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.core import Answer, Asked, BadMessage, Brief, Dice, Hello, Message, Over, Place, Result, Sitting, Void
from parlour.games.dominion import GAME, bots
from parlour.games.dominion.cards import CARDS
from parlour.games.dominion.dialect import Lines, TextLines
from parlour.games.dominion.rules import State
from parlour.games.dominion.values import (
    AnswerAttack,
    Buy,
    CleanUp,
    Discard,
    Drew,
    Left,
    Options,
    Play,
    Played,
    Reveal,
    TakeTurn,
    TurnBegan,
    Wasted,
)
from parlour.referee.transcript import Limits
from tests.games.dominion.tables import (
    MOAT,
    Room,
    Said,
    action,
    bear,
    buy,
    clean_up,
    line,
    new,
    play,
    recorded,
    table,
    wire,
)

FIVE_GOLD = "gold gold gold gold gold"
SECOND = Limits(limit_ms=1000)


def place(seat: int = 0, players: tuple[str, ...] = ("Ada", "Björk")) -> Place:
    return Place("dominion", "the-match", seat, players, Options(), "")


def ask(bot: Lines, state: State, seat: int = 0, n: int = 1) -> list[Message]:
    return bot.asked(Asked(seat, n, state.asks()[seat], 1, None, None, None, None), state.view(seat))


def speaker(state: State, seat: int = 0, dialect: type[Lines] = Lines) -> Lines:
    """A bot that has been put the request that is open to it."""
    bot = dialect()
    bot.hello(Hello("dominion", 1, "", False, seat))
    bot.began(place(seat), state.view(seat))
    ask(bot, state, seat)
    return bot


def on_turn() -> Lines:
    return speaker(table(hands=["copper", "copper"]))


def attacked() -> State:
    state = table(hands=["militia", "copper copper copper estate moat"])
    play(state, "0 plays militia")
    return state


def meant(bot: Lines, said: Said | bytes) -> Any:
    """The action that a line means now."""
    answer = bot.read(line(said))
    assert isinstance(answer, Answer) and answer.n == 1
    return answer.action


# Sitting down


@pytest.mark.parametrize("dialect", [Lines, TextLines])
@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_the_first_request(dialect: type[Lines], seat: int) -> None:  # RULES 9.2
    assert dialect.introduces
    assert dialect().hello(Hello("dominion", 1, "", False, seat)) == [
        b'{"type":"player-name-request","player_number":"player%d","version":1}' % (seat + 1)
    ]


def named(name: str) -> str:
    bot = Lines()
    bot.hello(Hello("dominion", 1, "", False, 1))
    said = {"type": "player-name-reply", "player_number": "player2", "name": name, "version": 1}
    sitting = bot.introduced(line(said))
    assert msgspec.json.decode(msgspec.json.encode(sitting), type=Sitting) == sitting  # as the record wants it
    assert sitting.about == {"dominion": 1}
    return sitting.name


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ada", "Ada"),
        ("Björk 2", "Björk 2"),
        ("x" * 100, "x" * 64),
        ("a\nb\x1b[2J\u202e", "a?b?[2J?"),
        ("", "PLAYER2"),
    ],
)
def test_names(name: str, shown: str) -> None:  # RULES 9.2
    assert named(name) == shown


@given(st.text(max_size=80) | st.binary(max_size=40).map(lambda raw: raw.decode("utf-8", "surrogateescape")))
def test_every_name_can_be_recorded(name: str) -> None:  # RULES 9.2
    shown = named(name)
    assert 1 <= len(shown) <= 64 and shown.isprintable()


@given(st.binary(max_size=60) | st.recursive(st.none() | st.text() | st.integers(), st.lists).map(line))  # type: ignore[arg-type]  # any JSON will do
def test_a_junk_introduction_is_a_bad_message_and_nothing_else(raw: bytes) -> None:  # RULES 9.2
    bot = Lines()
    bot.hello(Hello("dominion", 1, "", False, 0))
    try:
        assert bot.introduced(raw).name == "PLAYER1"
    except BadMessage as refused:
        assert refused.code == "bad_version"


# What is told: every message, to the byte

KINGDOM = b'["cellar","market","militia","mine","moat","remodel","smithy","village","woodcutter","workshop"]'
MAP = (
    b'{"type":"supply-info","cards":{"province":8,"copper":46,"cellar":10,"smithy":10,"estate":8,"gold":30,"curse":10,'
    b'"duchy":8,"mine":10,"remodel":10,"workshop":10,"militia":10,"village":10,"woodcutter":10,"moat":10,"silver":40,'
    b'"market":10}}'
)
LIST = (
    b'{"type":"supply-info","cards":[{"card":"curse","count":10},{"card":"copper","count":46},'
    b'{"card":"silver","count":40},{"card":"gold","count":30},{"card":"estate","count":8},{"card":"duchy","count":8},'
    b'{"card":"province","count":8},{"card":"cellar","count":10},{"card":"market","count":10},'
    b'{"card":"militia","count":10},{"card":"mine","count":10},{"card":"moat","count":10},'
    b'{"card":"remodel","count":10},{"card":"smithy","count":10},{"card":"village","count":10},'
    b'{"card":"woodcutter","count":10},{"card":"workshop","count":10}]}'
)
SHAPES = [(Lines, MAP), (TextLines, LIST)]


@pytest.mark.parametrize(("dialect", "supply"), SHAPES)
def test_the_start(dialect: type[Lines], supply: bytes) -> None:  # RULES 9.3, 9.4, 9.8
    bot, state = dialect(), new(2)
    names = '"player_bot_names":["Ada","Björk"],'.encode() if dialect is Lines else b""
    info = b'{"type":"game-info",%b"kingdom_cards":%b}' % (names, KINGDOM)
    assert bot.began(place(), state.view(0)) == [info, supply]


@pytest.mark.parametrize(("dialect", "supply"), SHAPES)
def test_a_turn_is_requested_after_the_supply(dialect: type[Lines], supply: bytes) -> None:  # RULES 9.5, 9.10
    bot, state = dialect(), new(2)
    bot.began(place(), state.view(0))
    told = ask(bot, state)
    hand = json.dumps(state.holdings[0].hand, separators=(",", ":")).encode()
    gained = b',"cards_gained":[]' if dialect is Lines else b""
    assert told == [
        supply,
        b'{"type":"play-turn","actions":1,"buys":1,"extra_money":0,"hand":%b,"cards_played":[],"cards_bought":[]%b}'
        % (hand, gained),
    ]


@pytest.mark.parametrize(
    ("dialect", "gained"), [(Lines, b',"cards_gained":["silver","moat"]'), (TextLines, b"")], ids=["public", "text"]
)
def test_a_turn_in_full(dialect: type[Lines], gained: bytes) -> None:  # RULES 9.5, 9.8
    state = table(hands=["woodcutter village mine copper copper estate", "copper"], decks=["gold"])
    bot = speaker(state, 0, dialect)
    play(state, "0 plays village", "0 plays mine trashing copper for silver", "0 plays woodcutter")
    state.money += 1
    [told] = ask(bot, state)  # the supply is told once a turn
    assert told == (
        b'{"type":"play-turn","actions":0,"buys":2,"extra_money":3,"hand":["copper","estate","gold","silver"],'
        b'"cards_played":["village","mine","woodcutter"],"cards_bought":[]%b}' % gained.replace(b',"moat"', b"")
    )
    play(state, "0 buys moat with copper")
    assert ask(bot, state) == [
        b'{"type":"play-turn","actions":0,"buys":0,"extra_money":0,"hand":["estate","gold","silver"],'
        b'"cards_played":["village","mine","woodcutter","copper"],"cards_bought":["moat"]%b}' % gained
    ]


@pytest.mark.parametrize(("dialect", "more"), [(Lines, b',"discards":2'), (TextLines, b"")], ids=["public", "text"])
def test_an_attack_is_requested(dialect: type[Lines], more: bytes) -> None:  # RULES 9.5, 9.8
    bot, state = dialect(), attacked()
    assert ask(bot, state, 1) == [
        b'{"type":"attack-request","discard":2,"options":["copper","copper","copper","estate","moat"]%b}' % more
    ]


@pytest.mark.parametrize("dialect", [Lines, TextLines])
def test_a_gain(dialect: type[Lines]) -> None:  # RULES 9.3, 9.8
    bot, state = dialect(), table(hands=["workshop", "copper"])
    bot.began(place(1), state.view(1))
    told = [raw for event in play(state, "0 plays workshop for silver") for raw in bot.event(event)]
    gained = b'["silver"]' if dialect is Lines else b'"silver"'
    assert told[0] == b'{"type":"player-gained","player_number":"player1","gained":%b}' % gained
    supply = MAP if dialect is Lines else LIST
    now = supply.replace(b"40", b"39").replace(b'"workshop":10', b'"workshop":9')
    assert told[1:] == [now.replace(b'"workshop","count":10', b'"workshop","count":9')]


@pytest.mark.parametrize("dialect", [Lines, TextLines])
def test_what_else_is_told(dialect: type[Lines]) -> None:  # RULES 9.3
    state = table(
        hands=["village remodel militia gold", "moat copper copper copper"], decks=["estate"], discards=["curse"]
    )
    bot = dialect()
    bot.began(place(1), state.view(1))

    def told(*moves: str) -> list[bytes]:
        return [raw for event in play(state, *moves) for raw in bot.event(event)]

    assert told("0 plays village") == []
    assert told("0 plays remodel trashing gold for province")[0] == (
        b'{"type":"player-trashed","player_number":"player1","trashed":["gold"]}'
    )
    assert told("0 plays militia", "1 shows moat") == [
        b'{"type":"player-reveal","player_number":"player2","from":"hand","cards":["moat"]}'
    ]
    assert told("0 cleans up under estate") == [
        b'{"type":"player-played","player_number":"player1","played":["village","remodel","militia"]}',
        b'{"type":"player-top-discard","player_number":"player1","card":"estate"}',
        b'{"type":"player-shuffled","player_number":"player1"}',
    ]


@pytest.mark.parametrize("event", [TurnBegan(0, 1), Played(0, ("smithy",)), Drew(0, 2), Wasted(0), Left(1, "quit")])
def test_what_the_protocol_has_no_words_for(event: Any) -> None:  # RULES 9.3
    bot, state = Lines(), new()
    bot.began(place(), state.view(0))
    assert bot.event(event) == []


@pytest.mark.parametrize("dialect", [Lines, TextLines])
@pytest.mark.parametrize(("ranks", "winners"), [((2, 1), b'["player2"]'), ((1, 1), b'["player1","player2"]')])
def test_the_end(dialect: type[Lines], ranks: tuple[int, ...], winners: bytes) -> None:  # RULES 9.9
    over = Over(Result((27, -3), ranks), "head")
    assert dialect().over(over, new().view(0)) == [b'{"type":"game-end","scores":[27,-3],"winners":%b}' % winners]


def test_the_end_of_a_match_that_broke_down() -> None:  # RULES 9.9
    assert Lines().over(Over(Void("bug", "a bug"), "head"), new().view(0)) == []


def test_all_seventeen_piles_are_told_even_empty_ones() -> None:  # RULES 9.4
    state = table(hands=["copper", "copper"], supply={"moat": 0, "gold": 0})
    for dialect in (Lines, TextLines):
        cards = json.loads(dialect().began(place(), state.view(0))[1])["cards"]
        counts = cards if dialect is Lines else {pile["card"]: pile["count"] for pile in cards}
        assert len(cards) == 17 and counts == state.supply


def test_the_order_of_the_supply_on_the_wire() -> None:  # RULES 9.4
    cards = json.loads(MAP)["cards"]
    assert list(cards) == [
        *("province", "copper", "cellar", "smithy", "estate", "gold", "curse", "duchy", "mine", "remodel"),
        *("workshop", "militia", "village", "woodcutter", "moat", "silver", "market"),
    ]
    assert [pile["card"] for pile in json.loads(LIST)["cards"]] == [card for card in CARDS if card in cards]


# The order of messages


def test_messages_of_a_start() -> None:  # RULES 9.3, 9.10
    it = Room(new(3))
    assert it.types(0) == ["game-info", "supply-info", "supply-info", "play-turn"]
    assert it.types(1) == it.types(2) == ["game-info", "supply-info"]


def room(*hands: str, dialect: type[Lines] = Lines, **more: Any) -> Room:
    limits = more.pop("limits", None)
    return Room(table(hands=hands, **{"decks": [FIVE_GOLD], **more}), dialect, limits).forget()


@pytest.mark.parametrize("dialect", [Lines, TextLines])
def test_messages_of_a_turn_with_purchases(dialect: type[Lines]) -> None:  # RULES 9.3
    it = room("woodcutter copper", "copper", dialect=dialect)
    it.says(0, action("woodcutter"))
    assert it.types(0) == ["play-turn"] and it.types(1) == []
    it.says(0, buy("moat copper", "copper"))
    purchases = ["player-gained", "supply-info"] * 2
    assert it.types(0) == [*purchases, "play-turn"] and it.types(1) == purchases
    it.says(0, clean_up())
    assert it.types(0) == ["player-played", "player-top-discard"]
    assert it.types(1) == ["player-played", "player-top-discard", "supply-info", "play-turn"]


def test_messages_of_a_clean_up_with_a_shuffle() -> None:  # RULES 9.3, 9.11
    it = room("smithy copper estate", "copper", decks=["gold gold gold"], discards=["silver " * 5])
    it.says(0, action("smithy"))
    it.forget().says(0, clean_up("estate"))
    assert it.news(0) == [
        {"type": "player-played", "player_number": "player1", "played": ["smithy"]},
        {"type": "player-top-discard", "player_number": "player1", "card": "estate"},
        {"type": "player-shuffled", "player_number": "player1"},
    ]


def test_a_shuffle_in_mid_turn_brings_nothing_else() -> None:  # RULES 9.11
    it = room("smithy copper", "copper", decks=[""], discards=["silver gold moat"])
    it.says(0, action("smithy"))
    assert it.types(1) == ["player-shuffled"]


@pytest.mark.parametrize(
    ("cards", "told"), [(["copper", "estate"], ["player-top-discard", "player-shuffled"]), ([], [])]
)
def test_messages_of_a_cellar(cards: list[str], told: list[str]) -> None:  # RULES 9.11
    it = room("cellar copper estate", "copper", decks=["gold"])
    it.says(0, action("cellar", cards=cards))
    assert it.types(1) == told and it.types(0) == [*told, "play-turn"]


def test_nothing_is_told_of_a_clean_up_without_cards() -> None:  # RULES 9.11
    it = room("", "copper")
    it.says(0, clean_up())
    assert it.types(0) == [] and it.types(1) == ["supply-info", "play-turn"]


@pytest.mark.parametrize(("card", "gain"), [("mine", "silver"), ("remodel", "estate")])
def test_messages_of_a_trade(card: str, gain: str) -> None:  # RULES 9.3
    it = room(f"{card} copper", "copper")
    it.says(0, action(card, card_to_trash="copper", desired_card=gain))
    trade = it.news(1)
    assert [said["type"] for said in trade] == ["player-trashed", "player-gained", "supply-info"]
    assert (trade[0]["trashed"], trade[1]["gained"]) == (["copper"], [gain])
    assert it.types(0) == ["player-trashed", "player-gained", "supply-info", "play-turn"]


def test_a_trade_for_nothing_does_not_tell_the_supply() -> None:  # RULES 9.10
    it = room("mine copper", "copper", supply={"copper": 0, "silver": 0})
    it.says(0, action("mine", card_to_trash="copper"))
    assert it.types(1) == ["player-trashed"]


def test_messages_of_an_attack() -> None:  # RULES 9.3
    it = room("militia", "copper copper copper estate", "copper", "moat copper copper copper copper")
    it.says(0, action("militia"))
    assert [it.types(seat) for seat in range(4)] == [[], ["attack-request"], [], []]
    it.says(1, bear("estate"))
    assert [it.types(seat) for seat in range(4)] == [["player-top-discard"]] * 3 + [
        ["player-top-discard", "attack-request"]
    ]
    it.says(3, MOAT)
    assert [it.types(seat) for seat in range(4)] == [["player-reveal", "play-turn"], *[["player-reveal"]] * 3]


@pytest.mark.parametrize("dialect", [Lines, TextLines])
def test_messages_of_an_end(dialect: type[Lines]) -> None:  # RULES 9.9
    it = room("gold gold gold", "copper", supply={"province": 1}, dialect=dialect)
    it.says(0, buy("province", "gold gold gold"))
    it.forget().says(0, clean_up())
    for seat in (0, 1):
        told = it.news(seat)
        assert [said["type"] for said in told] == ["player-played", "player-top-discard", "game-end"]
        assert told[-1] == {"type": "game-end", "scores": [6, 0], "winners": ["player1"]}


def test_the_supply_is_told_once_more_when_a_turn_begins() -> None:  # RULES 9.10
    it = Room(new(2)).forget()
    for turn in range(6):
        it.says(turn % 2, buy())
        it.says(turn % 2, clean_up())
        assert it.types((turn + 1) % 2)[-2:] == ["supply-info", "play-turn"]
        it.forget()


def test_a_lost_action_is_told_by_the_next_request_alone() -> None:  # RULES 9.3
    it = room("smithy", "copper")
    it.says(0, action("market"))
    assert [(said["type"], said["actions"]) for said in it.news(0)] == [("play-turn", 0)] and it.types(1) == []


# Replies


@pytest.mark.parametrize(
    ("said", "meaning"),
    [
        (action("smithy"), Play("smithy")),
        ({"type": "play-reply", "phase": "action", "card": "smithy"}, Play("smithy")),
        (action("cellar", cards=["copper", "estate"]), Play("cellar", discard=("copper", "estate"))),
        (action("mine", card_to_trash="copper", desired_card="silver"), Play("mine", (), "copper", "silver")),
        (action("remodel", card_to_trash="copper"), Play("remodel", trash="copper")),
        (action("workshop", desired_card="moat"), Play("workshop", gain="moat")),
        (buy("gold moat", "gold silver"), Buy(("gold", "moat"), ("gold", "silver"))),
        ({"type": "play-reply", "phase": "buy"}, Buy((), ())),
        (clean_up("copper"), CleanUp("copper")),
        (clean_up(), CleanUp()),
        ({**clean_up(), "top_discard": None, "mood": "good"}, CleanUp()),
    ],
    ids=repr,
)
def test_what_a_reply_on_ones_turn_means(said: Said, meaning: Any) -> None:  # RULES 9.5
    assert meant(on_turn(), said) == meaning
    backwards = dict(reversed(said.items()))
    assert meant(on_turn(), json.dumps(backwards, indent=1).encode()) == meaning


@pytest.mark.parametrize(
    ("said", "meaning"),
    [
        (bear("copper estate"), Discard(("copper", "estate"))),
        ({"type": "attack-reply", "discard": []}, Discard(())),
        (MOAT, Reveal("moat")),
    ],
    ids=repr,
)
def test_what_a_reply_to_an_attack_means(said: Said, meaning: Any) -> None:  # RULES 9.5
    assert meant(speaker(attacked(), 1), said) == meaning


names = st.sampled_from([*CARDS, "joker", "Gold"])
lists = st.lists(names, max_size=5).map(tuple)
maybe = st.none() | names


@given(st.builds(Play, names, lists, maybe, maybe) | st.builds(Buy, lists, lists) | st.builds(CleanUp, maybe))
def test_there_and_back_on_ones_turn(answer: Play | Buy | CleanUp) -> None:  # RULES 9.5
    for dialect in (Lines, TextLines):
        assert meant(speaker(table(hands=["copper", "copper"]), 0, dialect), wire(answer, ())) == answer


@given(st.builds(Discard, lists) | st.builds(Reveal, names))
def test_there_and_back_under_attack(answer: Discard | Reveal) -> None:  # RULES 9.5
    assert meant(speaker(attacked(), 1), wire(answer, ())) == answer


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=40) | names,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)
KEYS = (
    *("type", "phase", "card", "additional_parameters", "played_treasures", "cards_to_buy", "top_discard"),
    *("discard", "reaction", "cards", "card_to_trash", "desired_card"),
)
TYPES = st.sampled_from(["play-reply", "attack-reply", "attack-reply-reaction", "other"])
PHASES = st.sampled_from(["action", "buy", "cleanup", "other"])
almost = st.fixed_dictionaries(
    {"type": TYPES | anything}, optional={"phase": PHASES | anything, **dict.fromkeys(KEYS[2:], anything)}
)


@given(st.binary(max_size=60) | anything.map(lambda said: json.dumps(said).encode()) | almost.map(line))
def test_junk_is_a_bad_message_and_nothing_else(raw: bytes) -> None:  # RULES 9.5
    for state, seat in ((table(hands=["copper", "copper"]), 0), (attacked(), 1)):
        try:
            answer = speaker(state, seat).read(raw)
        except BadMessage as junk:
            assert junk.n == 1 and junk.code in ("not_json", "wrong_type", "wrong_phase")
            continue
        assert answer is None or isinstance(answer.action, Play | Buy | CleanUp | Discard | Reveal)


@given(almost)
def test_whatever_a_bot_says_the_match_goes_on(said: Said) -> None:  # RULES 6
    for it in (room("cellar mine remodel copper", "copper"), Room(attacked())):
        [seat] = it.match.open
        it.says(seat, said)
        assert it.match.end is None


def test_lists_may_be_long() -> None:  # RULES 9.5
    cards = ["copper"] * 100_000
    answer = meant(on_turn(), {**buy(), "cards_to_buy": cards})
    assert len(answer.cards) == 1000
    it = room("gold", "copper")
    it.says(0, {**buy(treasures="gold"), "cards_to_buy": cards})
    assert it.state.holdings[0].discard == ["copper"]


# Replies that come late, or out of place


def owing(*asks: TakeTurn | AnswerAttack) -> Lines:
    """A bot that has been put these requests, numbered from 1, and has not replied."""
    bot, view = on_turn(), table(hands=["copper", "copper"]).view(0)
    assert bot.read(line(clean_up())) is not None
    for n, request in enumerate(asks, start=1):
        bot.asked(Asked(0, n, request, 1, None, None, None, None), view)
    return bot


TURN = TakeTurn(actions=1, buys=1, money=0)
ATTACK = AnswerAttack(card="militia", discard=2)


OTHERS = [(TURN, clean_up(), ATTACK, MOAT), (ATTACK, MOAT, TURN, clean_up())]


def replied(bot: Lines, said: Said | bytes) -> int | str | None:
    """The number of the request to which this is the reply, or the code of the fault; None if it is nothing."""
    try:
        answer = bot.read(line(said))
    except BadMessage as fault:
        return fault.code
    return answer.n if answer is not None else None


def further(bot: Lines, n: int, request: TakeTurn | AnswerAttack) -> None:
    bot.asked(Asked(0, n, request, 1, None, None, None, None), new().view(0))


@pytest.mark.parametrize(("request_", "said"), [(TURN, clean_up()), (ATTACK, MOAT)])
def test_a_reply_is_to_the_newest_request_of_its_kind(request_: Any, said: Said) -> None:  # RULES 9.7
    bot = owing(request_, request_, request_)
    assert replied(bot, said) == 3
    further(bot, 4, request_)
    assert replied(bot, said) == 4


def test_late_replies_of_another_kind_are_for_closed_requests_as_long_as_they_are_owed() -> None:  # RULES 9.7
    bot = owing(ATTACK, ATTACK, TURN)
    assert [replied(bot, said) for said in (MOAT, bear(""), clean_up())] == [1, 2, 3]
    bot = owing(ATTACK, TURN)
    assert [replied(bot, said) for said in (MOAT, MOAT, clean_up())] == [1, "wrong_type", None]
    bot = owing(TURN, ATTACK)
    assert [replied(bot, said) for said in (clean_up(), clean_up(), MOAT)] == [1, "wrong_type", None]


def test_what_was_asked_before_has_been_left_out() -> None:  # RULES 9.7
    bot = owing(ATTACK, ATTACK, TURN)
    assert replied(bot, clean_up()) == 3
    further(bot, 4, TURN)
    assert replied(bot, MOAT) == "wrong_type"


@pytest.mark.parametrize(("request_", "said", "other", "fits"), OTHERS)
def test_one_more_late_reply_may_follow_one_that_was_taken_for_the_open_request(
    request_: Any, said: Said, other: Any, fits: Said
) -> None:  # RULES 9.7
    bot = owing(request_, request_)
    assert replied(bot, said) == 2
    further(bot, 3, other)
    assert [replied(bot, said), replied(bot, fits), replied(bot, fits)] == [2, 3, None]


@pytest.mark.parametrize(("request_", "said", "other", "fits"), OTHERS)
@pytest.mark.parametrize("expired", [1, 2, 3])
@pytest.mark.parametrize("answered", [2, 3, 4, 5])
def test_a_silence_is_forgotten_once_two_requests_of_its_kind_have_their_replies(
    request_: Any, said: Said, other: Any, fits: Said, expired: int, answered: int
) -> None:  # RULES 9.7
    bot = owing(*[request_] * expired)
    for n in range(expired + 1, expired + answered + 1):
        further(bot, n, request_)
        assert replied(bot, said) == n
    further(bot, 20, other)
    assert [replied(bot, said), replied(bot, fits)] == ["wrong_type", None]


def test_a_second_silence_is_borne_like_the_first() -> None:  # RULES 9.7
    bot = owing(TURN, TURN)
    assert replied(bot, clean_up()) == 2
    further(bot, 3, TURN)
    assert replied(bot, clean_up()) == 3
    for n in (4, 5):
        further(bot, n, TURN)
    assert replied(bot, clean_up()) == 5
    further(bot, 6, ATTACK)
    assert [replied(bot, clean_up()), replied(bot, clean_up())] == [5, "wrong_type"]


def test_after_a_silence_a_reply_of_the_wrong_kind_is_soon_a_fault_again() -> None:  # RULES 6.3, 9.7
    it = room("copper", "militia", limits=SECOND, on_silence="end_turn")
    it.waits(1.0)
    for _ in range(2):
        it.says(1, clean_up(), 1.1)
        assert recorded(it.says(0, buy("curse"), 1.2)).fault is None
        assert recorded(it.says(0, clean_up(), 1.3)).fault is None
    it.state.holdings[1].hand.append("militia")
    it.says(1, action("militia"), 1.4)
    assert it.types(0)[-1] == "attack-request"
    fault = recorded(it.says(0, clean_up(), 1.5)).fault
    assert fault is not None and (fault.kind, fault.code) == ("unreadable", "wrong_type")


@pytest.mark.parametrize(
    ("open", "said"), [(TURN, bear("copper")), (TURN, MOAT), (ATTACK, clean_up()), (ATTACK, action("smithy"))]
)
def test_a_reply_of_a_kind_that_is_not_owed_is_a_fault(open: Any, said: Said) -> None:  # RULES 9.7
    bot = owing(open)
    with pytest.raises(BadMessage) as fault:
        bot.read(line(said))
    types = "play-reply" if open is TURN else "attack-reply or attack-reply-reaction"
    assert (fault.value.code, fault.value.n) == ("wrong_type", 1) and fault.value.words == f"the type must be {types}"
    assert replied(bot, clean_up() if open is TURN else MOAT) is None


def test_junk_is_taken_for_the_newest_request() -> None:  # RULES 9.7
    bot = owing(ATTACK, TURN)
    with pytest.raises(BadMessage) as junk:
        bot.read(b"junk")
    assert junk.value.n == 2
    assert replied(bot, clean_up()) is replied(bot, MOAT) is None


def test_nobody_asked() -> None:  # RULES 9.7
    for said in (clean_up(), MOAT, b"junk"):
        assert owing().read(line(said)) is None


def test_a_line_that_is_too_long_when_nobody_asked_is_for_no_request() -> None:  # RULES 9.7
    assert owing().too_big(1000).n == 0


def test_a_bot_that_never_answers_attacks_keeps_its_turns() -> None:  # RULES 9.6, 9.7
    it = room("militia", "copper copper copper copper", limits=SECOND)
    it.says(0, action("militia"))
    it.waits(1.0)
    it.says(0, clean_up(), 1.1)
    assert it.types(1)[-1] == "play-turn"
    assert it.says(1, buy("copper"), 1.2).lines != [] and it.state.holdings[1].discard[-1] == "copper"


def test_a_late_reply_to_an_attack_is_not_taken_for_a_turn() -> None:  # RULES 9.7
    it = room("militia", "copper copper copper copper", limits=SECOND)
    it.says(0, action("militia"))
    it.waits(1.0)
    it.says(0, clean_up(), 1.1)
    assert it.says(1, bear("copper"), 1.2).lines == []
    assert list(it.match.open) == [1] and len(it.says(1, clean_up(), 1.3).lines) == 1


def test_a_late_reply_to_a_turn_is_not_taken_for_an_attack() -> None:  # RULES 9.7
    it = room("copper", "militia", limits=SECOND, on_silence="end_turn")
    it.waits(1.0)
    it.says(1, action("militia"), 1.1)
    assert it.types(0)[-1] == "attack-request"
    assert it.says(0, buy("copper"), 1.2).lines == []
    assert len(it.says(0, bear("gold gold"), 1.3).lines) == 1


def test_after_a_silence_replies_count_for_the_requests_they_are_to() -> None:  # RULES 9.7
    it = room("copper", "copper", limits=SECOND, on_silence="end_turn")
    it.waits(1.0)
    for turn in range(3):
        it.says(1, clean_up(), 1.1 + turn / 10)
        assert it.types(0)[-1] == "play-turn"
        assert recorded(it.says(0, buy("curse"), 1.1 + turn / 10)).fault is None
        assert it.state.bought == ["curse"]
        assert recorded(it.says(0, clean_up(), 1.1 + turn / 10)).fault is None


def test_a_late_reply_to_a_turn_counts_for_the_next_if_that_is_open() -> None:  # RULES 9.7
    it = room("copper", "copper", limits=SECOND, on_silence="end_turn")
    it.waits(1.0)
    assert it.says(0, buy("copper"), 1.05).lines == []  # nothing is open to it
    it.says(1, clean_up(), 1.1)
    it.waits(1.1 + 1.0)
    it.says(1, clean_up(), 2.2)
    assert it.types(0)[-1] == "play-turn"
    it.says(0, buy("curse"), 2.3)
    assert it.state.bought == ["curse"]


def test_attacks_are_not_waited_for_long() -> None:  # RULES 9.6
    assert Lines.briefs == TextLines.briefs == {"AnswerAttack": Brief(1000, 100)}


# Whole matches


def test_the_shape_of_each_client() -> None:  # RULES 9.8
    assert GAME.hosting.dialects == {"json": Lines, "text": TextLines}
    assert (GAME.hosting.command_dialect, GAME.hosting.socket_dialect) == ("json", "json")


@pytest.mark.parametrize("dialect", [Lines, TextLines])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_whole_match(dialect: type[Lines], seats: int) -> None:  # RULES 9
    it, dice = Room(new(seats, b"whole"), dialect), Dice(b"players")
    while it.match.end is None:
        it.moves(bots.militia if it.state.turn else bots.random, dice)
    assert isinstance(it.match.end, Result) and max(it.match.end.scores) > 20
    told = [it.news(seat) for seat in range(seats)]
    assert all(heard[-1] == told[0][-1] and heard[-1]["type"] == "game-end" for heard in told)
    requests = ("play-turn", "attack-request")
    assert {said["type"] for heard in told for said in heard} >= {*requests, "player-gained", "player-shuffled"}
    assert all(set(said) == KEYS_OF[said["type"]] - MISSING[dialect] for heard in told for said in heard)
    news = [[said for said in heard if said["type"] not in (*requests, "supply-info")] for heard in told]
    assert all(heard == news[0] for heard in news)


NUMBERED = {"type", "player_number"}
KEYS_OF: dict[str, set[str]] = {
    "game-info": {"type", "player_bot_names", "kingdom_cards"},
    "supply-info": {"type", "cards"},
    "player-gained": NUMBERED | {"gained"},
    "player-played": NUMBERED | {"played"},
    "player-trashed": NUMBERED | {"trashed"},
    "player-top-discard": NUMBERED | {"card"},
    "player-reveal": NUMBERED | {"from", "cards"},
    "player-shuffled": NUMBERED,
    "play-turn": {
        *("type", "actions", "buys", "extra_money", "hand"),
        *("cards_played", "cards_gained", "cards_bought"),
    },
    "attack-request": {"type", "discard", "discards", "options"},
    "game-end": {"type", "scores", "winners"},
}
"""There are no other types on the wire (RULES 9.3)."""
MISSING: dict[type[Lines], set[str]] = {Lines: set(), TextLines: {"cards_gained", "discards", "player_bot_names"}}


@pytest.mark.parametrize("dialect", [Lines, TextLines])
def test_the_supply_on_the_wire_is_the_supply(dialect: type[Lines]) -> None:  # RULES 9.10
    it, dice = Room(new(2, b"supply"), dialect), Dice(b"players")
    for _ in range(200):
        it.moves(bots.random, dice)
        if it.match.end is not None:
            break
        supplies = [said["cards"] for said in it.news(1) if said["type"] == "supply-info"]
        if supplies:
            last = supplies[-1] if dialect is Lines else {pile["card"]: pile["count"] for pile in supplies[-1]}
            assert last == it.state.supply
    assert it.state.turns[1] > 15


def test_the_same_match_in_either_shape() -> None:  # RULES 9.8
    rooms = [Room(new(2, b"same"), dialect) for dialect in (Lines, TextLines)]
    for it in rooms:
        dice = Dice(b"players")
        while it.match.end is None:
            it.moves(bots.random, dice)
    assert rooms[0].lines == rooms[1].lines

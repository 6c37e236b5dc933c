"""A match as Dominion keeps it: all that was said and all that happened, in order (RULES 10)."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from parlour.core import Asked, Dice, Event, Leave, Message, Notice, Over, Result, Stop, Void
from parlour.games.dominion import GAME, bots, setup
from parlour.games.dominion.rules import State
from parlour.games.dominion.store import Stored
from parlour.games.dominion.values import Buy, CleanUp, Options, Play, Reveal
from parlour.referee.action_json import decoder
from parlour.referee.match import Out
from parlour.referee.replay import replay
from parlour.referee.transcript import AnyRecord, Header, Limits, Line, read_record
from tests.games.dominion.tables import MOAT, SEED, Room, Said, action, bear, buy, clean_up, new, table

SECOND = Limits(limit_ms=1000)
FIVE_GOLD = "gold gold gold gold gold"
inputs = decoder((*GAME.rules.actions, *GAME.rules.prices, Leave, Stop))


def written(scribe: Stored, record: AnyRecord, notices: list[Notice], state: Any) -> Iterator[Message]:
    """What a scribe makes of a record and of what it gave."""
    if isinstance(record, Header):
        yield from scribe.began([player.name for player in record.players], state.view(None))
    elif isinstance(record, Line):
        yield from scribe.took(record.by, inputs.decode(record.do), record.fault)
    for notice in notices:
        match notice:
            case Event():
                yield from scribe.event(notice)
            case Asked():
                yield from scribe.asked(notice, state.view(notice.seat))
            case Over():
                yield from scribe.over(notice)


class Book(Room):
    """A room in which a scribe writes along."""

    def __init__(self, state: State, limits: Limits | None = None, seed: bytes = SEED) -> None:
        self.scribe = Stored()
        self.pages: list[Message] = []
        super().__init__(state, limits=limits, seed=seed)

    def deliver(self, out: Out) -> Out:
        records = [read_record(raw, 1) for raw in out.lines]
        assert not any(isinstance(record, Line) for record in records[1:]), "one input at a time"
        for record in records[:1]:
            self.pages += written(self.scribe, record, out.notices, self.state)
        return super().deliver(out)

    def does(self, seat: int, action: Any) -> Out:
        """A seat that does not speak the game's own protocol answers."""
        return self.deliver(self.match.answer(seat, action, 0.0))

    def read(self) -> list[Said]:
        """What was written since this was last asked for."""
        return [json.loads(raw) for raw in self.take()]

    def take(self) -> list[Message]:
        pages, self.pages = self.pages, []
        return pages


def book(*hands: str, **more: Any) -> Book:
    limits = more.pop("limits", None)
    it = Book(table(hands=hands, **{"decks": [FIVE_GOLD], **more}), limits)
    it.take()
    return it


def types(told: list[Said]) -> list[str]:
    return [said["type"] for said in told]


# The start and the end


def test_the_first_lines() -> None:  # RULES 10.1, 10.2, 10.3
    state = table(hands=["copper estate", "gold"])
    assert Book(state).take() == [
        b'{"type":"player-name","player_number":"player1","name":"a"}',
        b'{"type":"player-name","player_number":"player2","name":"b"}',
        b'{"type":"game-info","kingdom_cards":["cellar","market","militia","mine","moat","remodel","smithy","village",'
        b'"woodcutter","workshop"]}',
        b'{"type":"supply-info","cards":[{"card":"curse","count":10},{"card":"copper","count":46},'
        b'{"card":"silver","count":40},{"card":"gold","count":29},{"card":"estate","count":8},'
        b'{"card":"duchy","count":8},{"card":"province","count":8},{"card":"cellar","count":10},'
        b'{"card":"market","count":10},{"card":"militia","count":10},{"card":"mine","count":10},'
        b'{"card":"moat","count":10},{"card":"remodel","count":10},{"card":"smithy","count":10},'
        b'{"card":"village","count":10},{"card":"woodcutter","count":10},{"card":"workshop","count":10}]}',
        b'{"type":"play-turn","player_number":"player1","actions":1,"buys":1,"extra_money":0,"hand":["copper","estate"],'
        b'"cards_played":[],"cards_bought":[],"cards_gained":[]}',
    ]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_name_for_each_seat(seats: int) -> None:  # RULES 10.2
    told = Book(new(seats)).read()
    assert [said["name"] for said in told if said["type"] == "player-name"] == list("abcd"[:seats])
    assert types(told) == ["player-name"] * seats + ["game-info", "supply-info", "play-turn"]


def test_the_last_line() -> None:  # RULES 10.9
    it = book("gold gold gold", "estate", supply={"province": 1})
    it.says(0, buy("province", "gold gold gold"))
    it.take()
    it.says(0, clean_up())
    told = it.take()
    assert told[-1] == b'{"type":"game-end","scores":[6,1],"winners":["player1"]}'
    assert types([json.loads(raw) for raw in told]) == ["play-reply", "player-played", "player-top-discard", "game-end"]


def test_a_match_that_broke_down_has_no_last_line() -> None:  # RULES 10.9
    assert Stored().over(Over(Void("bug", "a bug"), "head")) == []


# Events


def test_a_turn() -> None:  # RULES 10.1
    it = book("village copper", "copper", decks=["gold copper"], discards=["estate " * 4])
    it.says(0, action("village"))
    assert types(it.read()) == ["play-reply", "play-turn"]
    it.says(0, buy("silver", "gold copper"))
    assert types(it.read()) == ["play-reply", "player-gained", "supply-info", "play-turn"]
    it.says(0, clean_up())
    assert types(it.read()) == [
        *("play-reply", "player-played", "player-top-discard", "player-shuffled"),
        "play-turn",  # the other's; the supply is not repeated
    ]


def test_every_event() -> None:  # RULES 10.3
    it = book("village remodel militia estate", "moat copper copper copper", decks=["gold"], discards=["curse"])
    it.says(0, action("village"))
    it.says(0, action("remodel", card_to_trash="estate", desired_card="silver"))
    it.says(0, action("militia"))
    it.says(1, MOAT)
    it.says(0, clean_up("gold"))
    happened = [raw for raw in it.take() if b"-reply" not in raw and b"play-turn" not in raw and b"supply" not in raw]
    assert happened == [
        b'{"type":"player-trashed","player_number":"player1","trashed":["estate"]}',
        b'{"type":"player-gained","player_number":"player1","gained":"silver"}',
        b'{"type":"attack-request","player_number":"player2","discard":1,"options":["moat","copper","copper","copper"]}',
        b'{"type":"player-reveal","player_number":"player2","from":"hand","cards":["moat"]}',
        b'{"type":"player-played","player_number":"player1","played":["village","remodel","militia"]}',
        b'{"type":"player-top-discard","player_number":"player1","card":"gold"}',
        b'{"type":"player-shuffled","player_number":"player1"}',
    ]


def test_cards_that_were_drawn_and_lost_actions_are_not_events_of_the_file() -> None:  # RULES 10.3
    it = book("village", "copper", decks=["gold gold"])
    it.says(0, action("village"))
    it.says(0, action("smithy"))
    assert types(it.read()) == ["play-reply", "play-turn", "invalid-reply", "play-turn"]


def test_the_supply_after_every_change() -> None:  # RULES 10.3
    it = book("woodcutter copper", "copper")
    it.says(0, action("woodcutter"))
    it.says(0, buy("moat copper", "copper"))
    supplies = [said["cards"] for said in it.read() if said["type"] == "supply-info"]
    assert [list(pile) for cards in supplies for pile in cards] == [["card", "count"]] * 34
    assert [[pile["card"] for pile in cards] for cards in supplies] == [list(setup.supply(2, Options()))] * 2
    counts = [{pile["card"]: pile["count"] for pile in cards} for cards in supplies]
    assert [(each["moat"], each["copper"]) for each in counts] == [(9, 46), (9, 45)]


# Requests


def test_a_request_says_who_is_asked() -> None:  # RULES 10.4
    it = book("workshop copper", "copper")
    it.says(0, action("workshop", desired_card="moat"))
    assert it.take()[-1] == (
        b'{"type":"play-turn","player_number":"player1","actions":0,"buys":1,"extra_money":0,"hand":["copper"],'
        b'"cards_played":["workshop"],"cards_bought":[],"cards_gained":["moat"]}'
    )
    it.says(0, buy("estate copper", "copper"))
    it.says(0, buy("curse", "copper"))  # too late: the turn is over
    assert [said["player_number"] for said in it.read() if said["type"] == "play-turn"] == ["player1", "player2"]


def test_an_attack() -> None:  # RULES 10.4
    it = book("militia", "copper copper copper estate", "copper", "silver silver silver silver silver")
    it.says(0, action("militia"))
    it.says(1, bear("estate"))
    it.says(3, bear("silver silver"))
    told = it.take()
    assert told[1:-1] == [
        b'{"type":"attack-request","player_number":"player2","discard":1,"options":["copper","copper","copper","estate"]}',
        b'{"type":"attack-reply","player_number":"player2","discard":["estate"]}',
        b'{"type":"player-top-discard","player_number":"player2","card":"estate"}',
        b'{"type":"attack-request","player_number":"player4","discard":2,'
        b'"options":["silver","silver","silver","silver","silver"]}',
        b'{"type":"attack-reply","player_number":"player4","discard":["silver","silver"]}',
        b'{"type":"player-top-discard","player_number":"player4","card":"silver"}',
    ]
    assert json.loads(told[-1])["extra_money"] == 2


# Replies

ACTION = b'{"type":"play-reply","player_number":"player1","phase":"action",'
BUY = b'{"type":"play-reply","player_number":"player1","phase":"buy",'


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        (action("smithy"), ACTION + b'"card":"smithy","additional_parameters":{}}'),
        (
            action("smithy", cards=["copper"], desired_card="gold"),
            ACTION + b'"card":"smithy","additional_parameters":{}}',
        ),
        (
            action("cellar", cards=["estate", "copper"]),
            ACTION + b'"card":"cellar","additional_parameters":{"cards":["estate","copper"]}}',
        ),
        (action("cellar"), ACTION + b'"card":"cellar","additional_parameters":{"cards":[]}}'),
        (
            action("mine", desired_card="silver", card_to_trash="copper"),
            ACTION + b'"card":"mine","additional_parameters":{"card_to_trash":"copper","desired_card":"silver"}}',
        ),
        (
            action("remodel", card_to_trash="estate", desired_card="moat", cards=[]),
            ACTION + b'"card":"remodel","additional_parameters":{"card_to_trash":"estate","desired_card":"moat"}}',
        ),
        (
            action("workshop", desired_card="moat"),
            ACTION + b'"card":"workshop","additional_parameters":{"desired_card":"moat"}}',
        ),
        (buy("moat gold", "copper"), BUY + b'"played_treasures":["copper"],"cards_to_buy":["moat","gold"]}'),
        ({"type": "play-reply", "phase": "buy"}, BUY + b'"played_treasures":[],"cards_to_buy":[]}'),
        (clean_up(), b'{"type":"play-reply","player_number":"player1","phase":"cleanup"}'),
        (
            clean_up("copper"),
            b'{"type":"play-reply","player_number":"player1","phase":"cleanup","top_discard":"copper"}',
        ),
    ],
    ids=repr,
)
def test_a_reply_on_ones_turn(said: Said, stored: bytes) -> None:  # RULES 10.5
    it = book("smithy cellar mine remodel workshop estate copper", "copper")
    sloppy = {"mood": "good", **dict(reversed(said.items()))}
    it.says(0, sloppy)
    assert it.take()[0] == stored


def test_a_trade_for_nothing_has_the_choice_that_was_made() -> None:  # RULES 10.5
    it = book("mine copper", "copper", supply={"copper": 0, "silver": 0})
    it.says(0, action("mine", card_to_trash="copper"))
    assert it.take()[0] == ACTION + b'"card":"mine","additional_parameters":{"card_to_trash":"copper"}}'


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        (bear("moat copper"), b'{"type":"attack-reply","player_number":"player2","discard":["moat","copper"]}'),
        (MOAT, b'{"type":"attack-reply-reaction","player_number":"player2","reaction":"moat"}'),
    ],
)
def test_a_reply_to_an_attack(said: Said, stored: bytes) -> None:  # RULES 10.5
    it = book("militia", "moat copper copper copper copper")
    it.says(0, action("militia"))
    it.take()
    it.says(1, said)
    assert it.take()[0] == stored


def test_replies_of_others_are_stored_in_the_same_way() -> None:  # RULES 10.5
    it = book("militia gold estate silver", "moat copper copper copper")
    it.does(0, Play("militia"))
    it.does(1, Reveal())
    it.does(0, Buy(("silver",)))
    it.does(0, CleanUp("estate"))
    stored = [raw for raw in it.take() if b"-reply" in raw]
    assert stored == [
        ACTION + b'"card":"militia","additional_parameters":{}}',
        b'{"type":"attack-reply-reaction","player_number":"player2","reaction":"moat"}',
        BUY + b'"played_treasures":["gold","silver"],"cards_to_buy":["silver"]}',  # left unnamed, and written out
        b'{"type":"play-reply","player_number":"player1","phase":"cleanup","top_discard":"estate"}',
    ]


# Replies that are none


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (action("market"), "play market: it is not in your hand"),
        (action("copper"), "play copper: it is no action"),
        (b"junk", "not a JSON object, or an empty one"),
        ({"type": "play-reply"}, "a play-reply is for the phase action, buy or cleanup"),
    ],
    ids=repr,
)
def test_an_unusable_reply(said: Said | bytes, reason: str) -> None:  # RULES 10.6
    it = book("smithy copper", "copper")
    it.says(0, said)
    assert it.read()[0] == {"type": "invalid-reply", "player_number": "player1", "reason": reason}


def test_an_unusable_reply_to_an_attack() -> None:  # RULES 10.6
    it = book("militia", "copper copper copper copper")
    it.says(0, action("militia"))
    it.take()
    it.says(1, MOAT)
    invalid, *rest = it.read()
    assert list(invalid) == ["type", "player_number", "reason"]
    assert (invalid["type"], invalid["player_number"]) == ("invalid-reply", "player2")
    assert types(rest) == ["player-top-discard", "play-turn"]


NO_REPLY = b'{"type":"no-reply","player_number":"player%d"}'


def test_silence_on_ones_turn() -> None:  # RULES 10.6
    for silence in ("forfeit", "end_turn"):
        it = book("copper", "copper", "copper", limits=SECOND, on_silence=silence)
        it.waits(1.0)
        assert it.take()[0] == NO_REPLY % 1


def test_silence_under_attack() -> None:  # RULES 10.6
    it = book("militia", "copper copper copper copper", limits=SECOND)
    it.says(0, action("militia"))
    it.take()
    it.waits(1.0)
    told = it.take()
    assert told[0] == NO_REPLY % 2 and types([json.loads(raw) for raw in told[1:]]) == [
        "player-top-discard",
        "play-turn",
    ]


def test_leaving_while_asked() -> None:  # RULES 10.6
    it = book("copper", "copper", "copper")
    it.leaves(0)
    told = it.take()
    assert told[0] == NO_REPLY % 1 and types([json.loads(raw) for raw in told[1:]]) == ["play-turn"]


def test_leaving_while_somebody_else_is_asked_is_not_told() -> None:  # RULES 10.6
    it = book("copper", "copper", "copper")
    it.leaves(1)
    assert it.take() == []
    it.says(0, clean_up())
    told = it.read()
    assert types(told) == ["play-reply", "player-top-discard", "play-turn"]
    assert told[-1]["player_number"] == "player3"


def test_an_attacker_who_leaves_does_not_reply_for_the_victim() -> None:  # RULES 10.6
    it = book("militia", "copper copper copper copper", "copper")
    it.says(0, action("militia"))
    it.take()
    it.leaves(0)
    assert it.take() == []
    it.says(1, bear("copper"))
    assert types(it.read()) == ["attack-reply", "player-top-discard", "play-turn"]


def test_a_match_that_is_stopped() -> None:  # RULES 10.9
    it = book("copper", "copper")
    it.deliver(it.match.table(Stop(), 0.0))
    assert types(it.read()) == ["game-end"]


def test_what_nobody_asked_is_not_stored() -> None:  # RULES 6.6
    it = book("copper", "copper")
    it.says(1, clean_up())
    it.says(1, b"junk")
    assert it.take() == []


# Whole matches


def whole(seats: int = 3, seed: bytes = SEED) -> tuple[Book, list[Message]]:
    """A match with a fault now and then."""
    it, dice = Book(new(seats, seed, turn_cap=40), SECOND, seed), Dice(b"players")
    now = 0.0
    while it.match.end is None:
        now += 0.1
        if not dice.below(10):
            it.says(min(it.match.open), dice.pick([b"junk", b'{"type":"?"}']), now)
        elif not dice.below(100) and it.state.steps:
            it.waits(now := now + 1)
        else:
            it.moves(bots.militia if it.state.turn else bots.random, dice, now)
    return it, it.take()


KEYS: dict[str, list[str]] = {
    "player-name": ["type", "player_number", "name"],
    "game-info": ["type", "kingdom_cards"],
    "supply-info": ["type", "cards"],
    "player-gained": ["type", "player_number", "gained"],
    "player-played": ["type", "player_number", "played"],
    "player-trashed": ["type", "player_number", "trashed"],
    "player-top-discard": ["type", "player_number", "card"],
    "player-reveal": ["type", "player_number", "from", "cards"],
    "player-shuffled": ["type", "player_number"],
    "play-turn": [
        *("type", "player_number", "actions", "buys", "extra_money", "hand"),
        *("cards_played", "cards_bought", "cards_gained"),
    ],
    "attack-request": ["type", "player_number", "discard", "options"],
    "attack-reply": ["type", "player_number", "discard"],
    "attack-reply-reaction": ["type", "player_number", "reaction"],
    "invalid-reply": ["type", "player_number", "reason"],
    "no-reply": ["type", "player_number"],
    "game-end": ["type", "scores", "winners"],
}
REPLIES = {"play-reply", "attack-reply", "attack-reply-reaction", "invalid-reply", "no-reply"}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_whole_match(seats: int) -> None:  # RULES 10.1
    it, lines = whole(seats)
    told = [json.loads(raw) for raw in lines]
    assert isinstance(it.match.end, Result)
    assert types(told).count("game-end") == types(told).count("game-info") == 1 and told[-1]["type"] == "game-end"
    assert types(told).count("supply-info") == 1 + types(told).count("player-gained")
    assert all(list(said) == KEYS[said["type"]] for said in told if said["type"] != "play-reply")
    assert {"attack-request", "player-shuffled", "invalid-reply"} < set(types(told))


def test_every_request_has_its_reply() -> None:  # RULES 10.4, 10.5
    _, lines = whole()
    owed = None
    for said in map(json.loads, lines):
        if said["type"] in ("play-turn", "attack-request"):
            assert owed is None
            owed = said["player_number"]
        elif said["type"] in REPLIES:
            assert said["player_number"] == owed
            owed = None
    assert owed is None


def test_the_supply_adds_up() -> None:  # RULES 10.3
    it, lines = whole()
    supplies = [said["cards"] for said in map(json.loads, lines) if said["type"] == "supply-info"]
    assert {pile["card"]: pile["count"] for pile in supplies[-1]} == it.state.supply
    totals = [sum(pile["count"] for pile in cards) for cards in supplies]
    assert totals == list(range(totals[0], totals[-1] - 1, -1))


def test_the_same_seed_and_replies_give_the_same_bytes() -> None:  # RULES 10.7
    assert whole()[1] == whole()[1] != whole(seed=b"another")[1]


def test_a_record_gives_the_same_bytes_afterwards() -> None:  # RULES 10.7
    it, lines = whole()
    scribe, again = Stored(), list[Message]()
    for step in replay(GAME, it.lines, SEED):
        again += written(scribe, step.record, step.out.notices, step.match.state)
    assert again == lines


def test_what_is_only_stored_is_never_sent() -> None:  # RULES 10.6
    it, _ = whole()
    sent = {said["type"] for seat in range(3) for said in it.news(seat)}
    assert not sent & {"invalid-reply", "no-reply", "player-name", "play-reply", "attack-reply"}


def test_a_match_is_kept_by_this_scribe() -> None:  # RULES 10.1
    assert GAME.hosting.scribe is Stored

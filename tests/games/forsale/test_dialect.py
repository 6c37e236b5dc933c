"""The game's own protocol: a JSON line asks, an integer answers (RULES 8)."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.core import (
    Answer,
    AnswerRefused,
    Asked,
    BadMessage,
    Hello,
    Message,
    Over,
    Place,
    Result,
    Sitting,
    Took,
    Void,
)
from parlour.games.forsale import GAME
from parlour.games.forsale.dialect import NamedNumbers, Numbers
from parlour.games.forsale.rules import State
from parlour.games.forsale.values import Action, Bid, Options, Pass, Passed, Raised, Sell
from parlour.referee.match import Match, Out
from parlour.referee.transcript import Limits, header
from tests.games.forsale.tables import auction, play, sale

SEED = b"a seed"


def place(seat: int = 0, options: Options | None = None) -> Place:
    return Place("forsale", "the-match", seat, ("a", "b", "c"), options or Options(), "")


def speaker(table: State, seat: int) -> Numbers:
    """A dialect whose seat has been put the question that is open to it."""
    numbers = Numbers()
    numbers.began(place(seat, table.options), table.view(seat))
    ask(numbers, table, seat)
    return numbers


def ask(numbers: Numbers, table: State, seat: int, n: int = 1, attempt: int = 1) -> list[Message]:
    asked = Asked(seat, n, table.asks()[seat], attempt, None, None, None, None)
    return numbers.asked(asked, table.view(seat))


def said(numbers: Numbers, number: int | bytes) -> Any:
    """The action that a number means now."""
    answer = numbers.read(b"%d" % number if isinstance(number, int) else number)
    assert isinstance(answer, Answer)
    return answer.action


class Room:
    """Three seats that speak in numbers, wired to a referee."""

    def __init__(self, table: State, limits: Limits | None = None) -> None:
        players = [Sitting(name) for name in "abc"]
        head = header(GAME, players, SEED, options=table.options, match="the-match", limits=limits)
        self.match: Match[Action] = Match(GAME, head, SEED)
        self.match.state = table
        self.seats = [Numbers() for _ in players]
        self.lines: list[list[Message]] = [[] for _ in players]
        for seat, numbers in enumerate(self.seats):
            numbers.began(place(seat, table.options), table.view(seat))
        self.deliver(self.match.begin(0.0))

    def deliver(self, out: Out) -> Out:
        for seat, numbers in enumerate(self.seats):
            for notice in out.to(seat):
                view = self.match.state.view(seat)
                if isinstance(notice, Asked):
                    self.lines[seat] += numbers.asked(notice, view)
                elif isinstance(notice, AnswerRefused):
                    self.lines[seat] += numbers.refused(notice)
                elif isinstance(notice, Over):
                    self.lines[seat] += numbers.over(notice, view)
        return out

    def says(self, seat: int, raw: bytes, now: float = 0.0) -> Out:
        try:
            answer = self.seats[seat].read(raw)
        except BadMessage as noise:
            return self.deliver(self.match.answer(seat, noise, now, noise.n))
        assert answer is not None
        return self.deliver(self.match.answer(seat, answer.action, now, answer.n))

    def last(self, seat: int) -> dict[str, Any]:
        """The last line the seat was sent."""
        line: dict[str, Any] = json.loads(self.lines[seat][-1])
        return line


# Requests


def test_a_request_of_part_one() -> None:  # RULES 8.1
    table = auction(houses=[28, 4, 11], coins=[18, 9, 18], round=2)
    play(table, "0 bids 5")
    numbers = Numbers()
    numbers.began(place(1), table.view(1))
    (request,) = ask(numbers, table, 1)
    hand = ",".join(map(str, sorted(table.hands[1])))
    assert request == (
        b'{"type":"response","part":1,"round":2,"market":[4,11,28],"record":5,"bid":0,"coins":9,'
        b'"hand":[%b],"attempt":1,"fault":null}' % hand.encode()
    )


def test_a_request_tells_ones_own_bid() -> None:  # RULES 8.1
    table = auction(houses=[28, 4, 11], coins=[18, 18, 18])
    play(table, "0 bids 5", "1 bids 6", "2 passes")
    numbers = Numbers()
    (request,) = ask(numbers, table, 0)
    assert request == (
        b'{"type":"response","part":1,"round":1,"market":[11,28],"record":6,"bid":5,"coins":18,'
        b'"hand":[],"attempt":1,"fault":null}'
    )


def test_a_request_of_part_two() -> None:  # RULES 8.1
    table = sale(hands=[[9, 5], [7, 3], [20, 1]], cheques=[15, 0, 6], coins=[4, 0, 2])
    numbers = Numbers()
    (request,) = ask(numbers, table, 2, attempt=3)
    assert request == (
        b'{"type":"response","part":2,"round":7,"market":[0,6,15],"record":0,"bid":0,"coins":2,'
        b'"hand":[1,20],"attempt":3,"fault":null}'
    )


def test_nothing_else_is_sent_while_the_match_goes_on() -> None:  # RULES 8.1
    numbers = Numbers()
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18])
    assert numbers.hello(Hello("forsale", 1, "", False, 0)) == []
    assert numbers.began(place(), table.view(0)) == []
    assert all(numbers.event(event) == [] for event in play(table, "0 bids 1", "1 passes", "2 passes"))


# Replies


@pytest.mark.parametrize(
    ("semantics", "bid"), [("add_to_own", Bid(7, 4)), ("over_record", Bid(9, 4)), ("absolute", Bid(4))]
)
def test_what_a_number_is_added_to(semantics: str, bid: Bid) -> None:  # RULES 8.3
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18], bid_semantics=semantics)
    play(table, "0 bids 3", "1 passes", "2 bids 5")
    assert said(speaker(table, 0), 4) == bid


@pytest.mark.parametrize("semantics", ["add_to_own", "over_record", "absolute"])
def test_a_first_number_is_the_bid_itself(semantics: str) -> None:  # RULES 8.3
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18], bid_semantics=semantics)
    assert said(speaker(table, 0), 4) == Bid(4)


def test_a_number_is_added_to_ones_own_bid_unless_said_otherwise() -> None:  # RULES 8.3
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18])
    play(table, "0 bids 3", "1 bids 4", "2 bids 5")
    assert said(speaker(table, 0), 3) == Bid(6, 3)


@pytest.mark.parametrize("semantics", ["add_to_own", "over_record", "absolute"])
def test_zero_passes(semantics: str) -> None:  # RULES 8.4
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18], bid_semantics=semantics)
    play(table, "0 bids 3", "1 bids 4", "2 bids 5")
    for zero in (b"0", b"-0", b"00"):
        assert said(speaker(table, 0), zero) == Pass()


def test_another_number_passes_where_the_house_says_so() -> None:  # RULES 8.4
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18], pass_code=-1)
    play(table, "0 bids 3", "1 bids 4", "2 bids 5")
    assert said(speaker(table, 0), -1) == Pass()
    assert said(speaker(table, 0), 0) == Bid(3, 0)  # adds nothing, and is too little


@pytest.mark.parametrize("code", [-1, -999_999_999, -1_000_000_000])
def test_every_pass_code_can_be_said_or_cannot_be_set(code: int) -> None:  # RULES 8.4
    try:
        options = msgspec.convert({"type": "Options", "pass_code": code}, Options)
    except msgspec.ValidationError:
        return
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18], pass_code=options.pass_code)
    assert said(speaker(table, 0), code) == Pass()


def test_a_pass_code_is_never_a_bid() -> None:  # RULES 8.4
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "Options", "pass_code": 1}, Options)


def test_a_number_in_part_two_is_an_estate() -> None:  # RULES 8.2
    table = sale(hands=[[9, 5], [7, 3], [20, 1]], cheques=[0, 6, 15])
    assert [said(speaker(table, 2), number) for number in (20, 0, -3)] == [Sell(20), Sell(0), Sell(-3)]


@pytest.mark.parametrize("raw", [b"7", b"7\n", b"7\r\n", b"  7 ", b"007"])
def test_an_integer_may_have_space_around_it(raw: bytes) -> None:  # RULES 8.2
    assert said(speaker(auction(houses=[4, 11, 28], coins=[18, 18, 18]), 0), raw) == Bid(7)


NOISE = [b"", b" ", b"five", b"5.0", b"1e3", b"true", b"null", b'"5"', b"[5]", b"5 6", b"--5", b"-", b"0x10"]
ODD_BYTES = [b"\xff", b"5\x00", "\N{DEVANAGARI DIGIT FIVE}".encode(), "\N{FULLWIDTH DIGIT FIVE}".encode()]


@pytest.mark.parametrize("raw", [*NOISE, *ODD_BYTES, b"1234567890"])
def test_what_is_no_integer(raw: bytes) -> None:  # RULES 8.2
    numbers = speaker(auction(houses=[4, 11, 28], coins=[18, 18, 18]), 0)
    with pytest.raises(BadMessage) as noise:
        numbers.read(raw)
    assert (noise.value.code, noise.value.n) == ("P0502", 1)


@given(st.binary(max_size=40) | st.text(max_size=20).map(str.encode) | st.integers().map(lambda n: b"%d" % n))
def test_junk_is_a_bad_message_and_nothing_else(raw: bytes) -> None:  # RULES 8.2
    for table in (
        auction(houses=[4, 11, 28], coins=[18, 18, 18]),
        sale(hands=[[5], [3], [1]], cheques=[0, 6, 15]),
    ):
        numbers = speaker(table, 0)
        try:
            action = said(numbers, raw)
        except BadMessage:
            continue
        assert isinstance(action, Bid | Pass | Sell)
        int(raw)


@pytest.mark.parametrize("semantics", ["add_to_own", "over_record", "absolute"])
def test_the_largest_number_is_too_much(semantics: str) -> None:  # RULES 8.2
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18], bid_semantics=semantics)
    play(table, "0 bids 3", "1 bids 4", "2 bids 5")
    room = Room(table)
    room.says(0, b"999999999")
    assert room.last(0)["fault"]["name"] == "OverBet"


def test_the_smallest_number_is_too_little() -> None:  # RULES 8.2
    room = Room(auction(houses=[4, 11, 28], coins=[18, 18, 18]))
    room.says(0, b"-999999999")
    assert room.last(0)["fault"]["name"] == "UnderBet"


def test_nobody_asked() -> None:  # RULES 8.6
    numbers = speaker(auction(houses=[4, 11, 28], coins=[18, 18, 18]), 0)
    assert said(numbers, 5) == Bid(5)
    assert numbers.read(b"6") is None
    assert numbers.read(b"junk") is None


# Faults


def test_the_next_request_tells_why_the_last_number_was_refused() -> None:  # RULES 8.5
    table = auction(houses=[4, 11, 28], coins=[18, 9, 18])
    play(table, "0 bids 5")
    room = Room(table)
    room.says(1, b"2")
    assert room.lines[1][-1] == (
        b'{"type":"response","part":1,"round":1,"market":[4,11,28],"record":5,"bid":0,"coins":9,"hand":[],"attempt":2,'
        b'"fault":{"code":"P0402","seed_code":"#4","name":"UnderBet",'
        b'"details":{"pid":1,"balance":9,"resp":2,"cur_bet":5}}}'
    )


def test_a_refused_number_is_shown_as_it_was_sent() -> None:  # RULES 8.5
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18])
    play(table, "0 bids 3", "1 bids 4", "2 bids 5")
    room = Room(table)
    room.says(0, b"16")  # 3 + 16 is more than 18
    assert room.last(0)["fault"]["details"] == {"pid": 0, "balance": 18, "resp": 16}


@pytest.mark.parametrize(
    ("raw", "fault"),
    [
        (b"19", {"code": "P0401", "seed_code": "#3", "name": "OverBet"}),
        (b"-1", {"code": "P0402", "seed_code": "#4", "name": "UnderBet"}),
        (b"many", {"code": "P0502", "seed_code": "", "name": "MalformedResponse"}),
    ],
)
def test_each_fault_is_named(raw: bytes, fault: dict[str, str]) -> None:  # RULES 8.5
    room = Room(auction(houses=[4, 11, 28], coins=[18, 18, 18]))
    room.says(0, raw)
    shown = room.last(0)["fault"]
    del shown["details"]
    assert shown == fault


def test_a_number_that_is_no_estate_of_ones_own() -> None:  # RULES 8.5
    room = Room(sale(hands=[[9, 5], [7, 3], [20, 1]], cheques=[0, 6, 15]))
    room.says(1, b"20")
    assert room.last(1)["fault"] == {
        "code": "G0401",
        "seed_code": "",
        "name": "NoSuchCard",
        "details": {"pid": 1, "resp": 20},
    }
    assert [len(lines) for lines in room.lines] == [1, 2, 1]  # nobody else hears of it


def test_a_fault_is_told_once() -> None:  # RULES 8.5
    room = Room(auction(houses=[4, 11, 28], coins=[18, 18, 18]))
    for seat, number in [(0, b"19"), (0, b"1"), (1, b"2"), (2, b"3")]:
        room.says(seat, number)
    requests = [json.loads(line) for line in room.lines[0]]
    assert [(request["attempt"], request["fault"] is None) for request in requests] == [
        (1, True),
        (2, False),
        (1, True),
    ]


def test_after_a_forced_pass_the_next_request_still_tells_why() -> None:  # RULES 8.5
    room = Room(auction(houses=[4, 11, 28], coins=[18, 18, 18], max_attempts=1))
    assert Passed(0, estate=4, paid=0, refund=0) in room.says(0, b"19").notices
    room.says(1, b"0")
    room.says(2, b"0")
    request = room.last(0)
    assert (request["round"], request["attempt"], request["fault"]["name"]) == (2, 1, "OverBet")


# Replies that come late


def test_after_a_silence_a_reply_is_to_the_open_request() -> None:  # RULES 8.6
    room = Room(auction(houses=[4, 11, 28], coins=[18, 18, 18]), Limits(limit_ms=1000))
    room.deliver(room.match.expire(1.0))
    request = room.last(0)
    assert (request["attempt"], request["fault"]["name"]) == (2, "NoResponse")
    assert Raised(0, 5) in room.says(0, b"5", 1.1).notices
    room.says(1, b"6", 1.2)
    room.says(2, b"0", 1.2)
    assert Raised(0, 7) in room.says(0, b"2", 1.3).notices


def test_junk_after_a_silence_is_for_the_open_request() -> None:  # RULES 8.6
    room = Room(auction(houses=[4, 11, 28], coins=[18, 18, 18]), Limits(limit_ms=1000))
    room.deliver(room.match.expire(1.0))
    room.says(0, b"junk", 1.1)
    assert (room.last(0)["attempt"], room.last(0)["fault"]["name"]) == (3, "MalformedResponse")
    assert Raised(0, 7) in room.says(0, b"7", 1.2).notices


def test_a_late_reply_when_nothing_is_open_costs_nothing() -> None:  # RULES 8.6
    room = Room(auction(houses=[4, 11, 28], coins=[18, 18, 18], max_attempts=1), Limits(limit_ms=1000))
    room.deliver(room.match.expire(1.0))  # seat 0 passes
    out = room.says(0, b"5", 1.1)
    assert out.lines == [] and not any(isinstance(notice, Took) for notice in out.notices)
    assert room.seats[0].read(b"junk") is room.seats[0].read(b"5") is None
    assert room.seats[0].too_big(1000).n == 0, "no request has this number"
    assert len(room.lines[0]) == 1


def test_whoever_was_silent_in_an_auction_sells_as_everybody_else() -> None:  # RULES 8.6
    room = Room(auction(houses=[4, 11, 28], coins=[18, 18, 18], round=8, max_attempts=1), Limits(limit_ms=1000))
    room.deliver(room.match.expire(1.0))  # seat 0 passes
    room.says(1, b"0", 1.1)
    assert room.last(0)["part"] == 2
    estate = room.last(0)["hand"][0]
    assert len(room.says(0, b"%d" % estate, 1.2).lines) == 1


@given(st.lists(st.booleans(), max_size=40))
def test_a_reply_is_to_the_newest_request(asks: list[bool]) -> None:  # RULES 8.6
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18])
    numbers = Numbers()
    numbers.began(place(), table.view(0))
    asked = replied = 0
    for is_ask in asks:
        if is_ask:
            asked += 1
            ask(numbers, table, 0, n=asked)
            continue
        assert numbers.read(b"1") == (None if replied == asked else Answer(Bid(1), asked))
        replied = asked


# The end, and names


def test_the_last_line() -> None:  # RULES 8.7
    numbers = Numbers()
    table = sale(hands=[[5], [3], [1]], cheques=[0, 6, 15])
    numbers.began(place(seat=1), table.view(1))
    lines = numbers.over(Over(Result((40, 55, 55), (3, 2, 1)), "head"), table.view(1))
    assert lines == [b'{"type":"over","scores":[40,55,55],"rank":2}']


def test_the_last_line_of_a_void_match() -> None:  # RULES 8.7
    numbers = Numbers()
    table = sale(hands=[[5], [3], [1]], cheques=[0, 6, 15])
    numbers.began(place(seat=1), table.view(1))
    lines = numbers.over(Over(Void("G0102", "a coin too many"), "head"), table.view(1))
    assert lines == [b'{"type":"over","scores":[],"rank":0}']


def test_a_whole_match_in_numbers() -> None:  # RULES 8
    room = Room(auction(houses=[4, 11, 28], coins=[18, 18, 18]))
    while room.match.end is None:
        seat = min(room.match.open)
        request = room.last(seat)
        room.says(seat, b"%d" % (0 if request["part"] == 1 else request["hand"][-1]))
    assert isinstance(room.match.end, Result)
    for seat in range(3):
        over = room.last(seat)
        assert over == {"type": "over", "scores": list(room.match.end.scores), "rank": room.match.end.ranks[seat]}


def test_over_tcp_the_first_line_is_a_name() -> None:  # RULES 8.8
    assert GAME.hosting.dialects[GAME.hosting.socket_dialect or ""] is NamedNumbers and NamedNumbers.introduces
    assert NamedNumbers().introduced(b"  Ada L.\r\n") == Sitting("Ada L.")
    assert NamedNumbers().introduced("Björk".encode()) == Sitting("Björk")
    assert GAME.hosting.dialects[GAME.hosting.command_dialect or ""] is Numbers and not Numbers.introduces


@pytest.mark.parametrize("raw", [b"", b"  \n", b"\xff\xfe", b"a" * 65, b"a\x00b", b"a\x1b[2Jb"])
def test_what_is_no_name(raw: bytes) -> None:  # RULES 8.8
    with pytest.raises(BadMessage) as refused:
        NamedNumbers().introduced(raw)
    assert refused.value.code == "bad_name"


@given(st.binary(max_size=100))
def test_a_junk_name_is_a_bad_message_and_nothing_else(raw: bytes) -> None:  # RULES 8.8
    try:
        sitting = NamedNumbers().introduced(raw)
    except BadMessage:
        return
    assert 1 <= len(sitting.name) <= 64

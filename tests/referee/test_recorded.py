"""How much of a transcript one seat can fill in each game, whatever it sends."""

import json
from typing import Any

import pytest

from parlour.core import Answer, Asked, BadMessage, Hello
from parlour.games import game
from parlour.games.forsale.values import Bid
from parlour.plugins import names
from parlour.protocol.v1 import V1
from parlour.referee.match import Match, Out
from parlour.referee.player import place_of
from parlour.referee.replay import resume
from parlour.referee.transcript import Limits
from parlour.transports.limits import MESSAGE_BYTES
from tests.referee.hand import SEED, asked, new_match, refused

CARDS = ["Province" + "x" * 24] * 1000
AMOUNT = f"{'9' * 3900}/{'7' * 3900}"
THINGS = {f"item_{n}": AMOUNT for n in range(7)}
KINDS = {f"item_number_{n}_{'x' * 60}": 1 for n in range(100)}
MESSAGES: dict[str, list[Any]] = {
    "forsale": [{"type": "Bid", "amount": 10**9, "said": 10**9}, {"type": "x" * 60_000}],
    "dominion": [
        {"type": "Play", "card": "Militia", "choice": CARDS},
        {"type": "Discard", "cards": CARDS},
        {"type": "Buy", "card": "x" * 32},
    ],
    "maze": [{"type": "Move", "index": 0, "direction": "LEFT", "degrees": 0, "row": 99, "column": 99}],
    "colorfight": [{"type": "Command", "orders": ["x" * 50] * 1000}, {"type": "Command", "orders": [[["x"]]] * 9000}],
    "tradecraft": [
        {"type": "Check", "input": THINGS, "output": THINGS},
        {"type": "Propose", "partner": 1, "offer": KINDS, "request": KINDS, "message": "\x01" * 2000},
        {"type": "Decide", "decision": "reject", "message": "\U0001f600" * 2000},
        {"type": "Done"},
    ],
}
LINE_BYTES = 1000
"""The most bytes of a line with a fault, without the answer in it."""


def open_match(name: str) -> tuple[Match[Any], list[bytes]]:
    match = new_match(game(name), max(2, game(name).rules.seats[0]), Limits(10_000))
    return match, [*match.begin(0.0).lines]


def filled(outs: list[Out]) -> int:
    return sum(len(line) for out in outs for line in out.lines)


@pytest.mark.parametrize("name", names())
def test_no_message_adds_more_than_the_longest_action_of_its_game(name: str) -> None:
    rules = game(name)
    for said in [*MESSAGES[name], BadMessage("junk", "\U0001f600" * 5000)]:
        match, _ = open_match(name)
        for seat in [*match.open]:
            out = match.answer(seat, said, 0.0)
            assert all(len(line) < rules.rules.most_bytes + 2 * LINE_BYTES for line in out.lines)


@pytest.mark.parametrize("name", names())
def test_no_flood_fills_more_than_its_share_of_one_ask(name: str) -> None:
    for said in [*MESSAGES[name], BadMessage("junk", "no message")]:
        match, _ = open_match(name)
        assert filled(flooded(match, next(iter(match.open)), said)) < most_of(name)


def most_of(name: str) -> int:
    return game(name).rules.most_recorded + game(name).rules.most_bytes + LINE_BYTES


def flooded(match: Match[Any], seat: int, said: Any) -> list[Out]:
    """The same answer again and again, as long as the seat is asked this, or is in this span."""
    outs: list[Out] = []
    first = match.open[seat].ask
    while len(outs) < 3000 and (open := match.open.get(seat)) is not None:
        if open.ask.span != first.span or (first.span is None and open.ask != first):
            break
        outs.append(match.answer(seat, said, 0.0))
        if not outs[-1].lines:
            break
    return outs


def test_a_phase_of_many_asks_is_one_share() -> None:
    match, _ = open_match("tradecraft")
    match.answer(0, {"type": "Propose", "partner": 1}, 0.0)
    match.answer(1, {"type": "Decide", "decision": "reject"}, 0.0)
    assert {*match.open} == {0, 1} and match.open[0].ask.span is not None
    long = {f"item_{n}": "9" * 600 + "/7" for n in range(15)}
    outs = flooded(match, 0, {"type": "Check", "input": long, "output": long})
    assert 300_000 < filled(outs) < most_of("tradecraft")


def test_an_action_that_is_too_long_is_not_read() -> None:
    match, _ = open_match("dominion")
    [seat] = match.open
    escaped = ["\x01" * 32] * 1000
    [notice, *_] = refused(match.answer(seat, {"type": "Discard", "cards": escaped}, 0.0))
    assert (notice.fault.kind, notice.fault.code) == ("unreadable", "too_big")


ITEMS = {f"#{n:0>64}": "999999999999999/1000000" for n in range(100)}
LONG_NAMES = {f"{n:x<80}": "999999999999999/1000000" for n in range(100)}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("dominion", {"type": "Buy", "cards": CARDS, "treasures": CARDS}),
        ("dominion", {"type": "Play", "card": CARDS[0], "discard": CARDS, "trash": CARDS[0], "gain": CARDS[0]}),
        ("dominion", {"type": "Discard", "cards": CARDS}),
        (
            "tradecraft",
            {"type": "Propose", "partner": 1, "offer": LONG_NAMES, "request": LONG_NAMES, "message": "\x01" * 2000},
        ),
        ("tradecraft", {"type": "Check", "input": LONG_NAMES, "output": LONG_NAMES}),
        ("tradecraft", {"type": "Decide", "decision": "reject", "message": "\x01" * 2000}),
    ],
)
def test_the_longest_actions_of_a_game_are_read(name: str, said: Any) -> None:
    match, _ = open_match(name)
    [seat] = match.open
    is_left_to_the_rules(match.answer(seat, said, 0.0))


def is_left_to_the_rules(out: Out) -> None:
    """They may refuse it, but it was read."""
    assert out.lines and all(notice.fault.kind == "illegal" for notice in refused(out))


def filled_up(begins: str, card: str, ends: str) -> str:
    """A message of the greatest length that is read, full of this card."""
    cards = ",".join([card] * ((MESSAGE_BYTES - len(begins) - len(ends)) // (len(card.encode()) + 1)))
    return f"{begins}{cards}{ends}"


@pytest.mark.parametrize(
    "card",
    ['"' + "x" * 32 + '"', '"' + r"\u0001" * 32 + '"', '"' + "\U0001f600" * 32 + '"', "1"],
    ids=["letters", "escapes", "pictures", "no name"],
)
@pytest.mark.parametrize(
    ("begins", "ends"),
    [
        ('{"type":"play-reply","phase":"buy","cards_to_buy":[', "]}"),
        (
            '{"type":"play-reply","phase":"buy","played_treasures":[' + ",".join(["1"] * 1000) + '],"cards_to_buy":[',
            "]}",
        ),
        ('{"type":"play-reply","phase":"action","additional_parameters":{"cards":[', ']},"card":"cellar"}'),
    ],
    ids=["buy", "buy with treasures", "cellar"],
)
def test_every_message_of_dominions_protocol_fits(card: str, begins: str, ends: str) -> None:
    match, _ = open_match("dominion")
    [seat] = match.open
    dialect = game("dominion").hosting.dialects["json"]()
    dialect.asked(Asked(seat, 1, match.open[seat].ask, 1, None, None, None, None), match.state.view(seat))
    answer = dialect.read(filled_up(begins, card, ends).encode())
    assert isinstance(answer, Answer) and not isinstance(answer.action, BadMessage)
    is_left_to_the_rules(match.answer(seat, answer.action, 0.0))


def test_the_longest_proposal_of_tradecrafts_protocol_fits() -> None:
    match, _ = open_match("tradecraft")
    [seat] = match.open
    dialect = game("tradecraft").hosting.dialects["lines"]()
    dialect.began(place_of(match, seat), match.state.view(seat))
    said = {"type": "propose", "partner": match.names[1], "offer": ITEMS, "request": ITEMS, "message": "\x01" * 2000}
    answer = dialect.read(json.dumps(said).encode())
    assert isinstance(answer, Answer)
    [notice] = refused(match.answer(seat, answer.action, 0.0))
    assert (notice.fault.kind, notice.fault.code) == ("illegal", "proposal_invalid")


def test_a_seat_that_fills_its_share_is_told_and_leaves_no_line() -> None:
    rules = game("tradecraft")
    match, lines = open_match("tradecraft")
    [seat] = match.open
    said = {"type": "Check", "input": {"x": "9" * 3000 + "/7"}, "output": {"x": "9" * 3000 + "/7"}}
    outs = []
    while (out := match.answer(seat, said, 0.0)).lines:
        assert asked(out), "a mistake is asked for again"
        outs.append(out)
    [notice] = refused(out)
    assert (notice.fault.kind, notice.fault.code, notice.cost) == ("unasked", "too_much", None)
    assert len(outs) > 50 and filled(outs) <= rules.rules.most_recorded
    for out in outs:
        lines += out.lines
    again, _ = resume(rules, lines, SEED, 0.0)
    assert not again.answer(seat, said, 0.0).lines, "also after a restart"
    assert match.expire(20.0).lines, "its time is up as ever"


def test_where_no_clock_goes_a_seat_that_fills_its_share_has_to_leave() -> None:
    match = new_match(game("tradecraft"), 2)
    match.begin(0.0)
    [seat] = match.open
    said = {"type": "Check", "input": {"x": "9" * 3000 + "/7"}, "output": {"x": "9" * 3000 + "/7"}}
    for _ in range(1000):
        out = match.answer(seat, said, 0.0)
        if seat in match.gone:
            break
    assert match.gone == {seat: "flood"}
    assert json.loads(out.lines[0])["do"] == {"type": "Leave", "seat": seat, "why": "flood"}


def test_tries_of_an_ask_are_counted_as_ever() -> None:
    match = new_match(limits=Limits(2000))
    match.begin(0.0)
    [seat] = match.open
    outs = [match.answer(seat, Bid(10**6), 0.0) for _ in range(3)]
    assert [len(refused(out)) for out in outs] == [1, 1, 1] and seat not in match.open


@pytest.mark.parametrize(
    "about",
    [{"age": "x" * 201}, {"x" * 65: 1}, {str(n): n for n in range(17)}],
    ids=["a long text", "a long key", "many keys"],
)
def test_what_a_player_says_about_itself_is_short(about: dict[str, Any]) -> None:
    def hello(about: dict[str, Any]) -> bytes:
        return json.dumps({"type": "hello", "about": about}).encode()

    dialect = V1(game("forsale"))
    dialect.hello(Hello("forsale", 1, "", True, 0, ""))
    with pytest.raises(BadMessage):
        dialect.introduced(hello(about))
    longest = {"age": 36, "x" * 64: "y" * 200}
    assert dialect.introduced(hello(longest)).about == longest

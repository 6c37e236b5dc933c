"""Limits on the bytes of the transcript and of frames that one player can fill."""

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from parlour.core import BadMessage, Close, Dice
from parlour.games.colorfight import GAME
from parlour.games.colorfight.frames import CompactFrames, SourceFrames
from parlour.games.colorfight.shorten import shortened
from parlour.games.colorfight.values import Command, Failed, Odd, Order
from parlour.referee.driver import drive
from parlour.referee.log import MemoryLog
from parlour.referee.match import Match, Out
from parlour.referee.replay import resume
from parlour.referee.transcript import Limits
from parlour.venues.colorfight.calls import ColorfightII
from tests.games.colorfight.tables import house, table, turn
from tests.players.test_calls import command, register
from tests.referee.hand import SEED, new_match, refused, took
from tests.toys.variants import with_rules

FULL = 1000
ROUND_BYTES = 40_960
"""The most that a player can add to the transcript in one round, without the frame of its last line."""
LINE_BYTES = 300
JUNK: dict[str, Order] = {
    "an unknown letter": "x" * 100,
    "no numbers": "a " + "y" * 98,
    "too few words": "u" + " " * 99,
    "blank": " " * 100,
    "letters that JSON escapes": "\x01" * 100,
    "letters of four bytes": "\U0001f600" * 100,
    "no text": Odd("None"),
    "a long thing that is no text": Odd("[" * 100),
    "far outside": "a " + "9" * 90 + " 0 60",
    "no such building": "b 0 0 " + "z" * 94,
    "an absurd amount": "a 0 0 " + "9" * 94,
}


def a_round(seats: int = 2, **more: Any) -> Match[Any]:
    match = new_match(GAME, seats, Limits(1000), options=house(width=30, height=30), eager=False, **more)
    match.begin(0.0)
    return match


def filled(out: Out) -> int:
    return sum(map(len, out.lines))


def as_sent(*orders: Order) -> Any:
    """A list as a client of protocol 1 sends it."""
    return msgspec.to_builtins(Command(orders))


# 5.13 Lists are recorded in few bytes


@pytest.mark.parametrize("junk", JUNK.values(), ids=JUNK)
def test_an_unreadable_order_is_stored_as_a_few_bytes(junk: Order) -> None:  # RULES 5.13
    out = a_round().answer(0, as_sent(*[junk] * FULL), 0.0)
    assert took(out) and filled(out) < 2_000 + 3 * FULL + LINE_BYTES


@pytest.mark.parametrize("seed", range(40))
def test_nobody_can_tell_a_shortened_list_from_what_was_sent(seed: int) -> None:  # RULES 5.13
    dice = Dice(b"%d" % seed)
    good = ["a 1 0 60", "b 0 0 g", "u 0 0", "a 9 9 60", "b 1 0 e", "a 0 1 1"]
    junk = [*JUNK.values(), "", "A 0 0 50", "a 0 0 -5", "u 200 0"]
    share = 1 + dice.below(40)
    orders = [dice.pick(good) if dice.below(share) else dice.pick(junk) for _ in range(dice.below(FULL))]
    twins = [table("1h 1 . / . . 2h", energy=500, gold=500) for _ in range(2)]
    events = [turn(twins[0], orders), turn(twins[1], shortened(Command(tuple(orders))).orders)]
    assert twins[0] == twins[1] and events[0] == events[1]


def test_short_lists_are_recorded_as_they_were_sent() -> None:  # RULES 5.13
    orders = ("x" * 100, "A 1 0 60", "  a  01 +2  60 please", *["\t"] * 20)
    [line] = a_round().answer(0, as_sent(*orders), 0.0).lines
    assert json.loads(line)["do"]["orders"] == [*orders]


@pytest.mark.parametrize(
    "order",
    [
        "a 199 199 9999999",
        "a 29 29 1000",
        "  a  +0199   00199   0009999999  and some more words",
        "u 199 199" + " " * 80,
    ],
    ids=["longest", "usual", "spelled at length", "with blanks"],
)
def test_two_full_lists_of_orders_always_fit(order: str) -> None:  # RULES 5.13
    match = a_round()
    outs = [match.answer(0, as_sent(*[order] * FULL), 0.0) for _ in range(2)]
    assert [len(took(out)) for out in outs] == [1, 1]
    assert sum(map(filled, outs)) < ROUND_BYTES


def test_a_list_beyond_that_is_refused_and_leaves_no_line() -> None:  # RULES 5.13
    match = a_round()
    for _ in range(2):
        match.answer(0, as_sent(*["a 199 199 9999999"] * FULL), 0.0)
    out = match.answer(0, as_sent(*["a 199 199 9999998"] * FULL), 0.0)
    [notice] = refused(out)
    assert not out.lines and (notice.fault.kind, notice.fault.code, notice.cost) == ("unasked", "too_much", None)
    assert took(match.answer(0, as_sent("u 0 0"), 0.0)), "a short one still fits"
    [failed] = [event for event in match.table(Close(), 0.0).to(0) if isinstance(event, Failed)]
    assert failed.words[0].startswith("u 0 0 failed"), "and it counts"
    assert took(match.answer(0, as_sent(*["a 199 199 9999999"] * FULL), 0.0)), "as does a full one in the next round"


FLOODS: dict[str, Callable[[int], Any]] = {
    "lists": lambda n: as_sent(*[f"a 199 199 {n}"] * FULL),
    "junk": lambda n: as_sent(*["x" * 100] * FULL),
    "short lists": lambda n: as_sent("x" * 100, *["y"] * 30),
    "lists that are too long": lambda n: as_sent(*["u 0 0"] * (FULL + 1)),
    "what is no list": lambda n: {"type": "Command", "orders": "x" * 60_000},
    "what is no action": lambda n: {"type": "x" * 60_000},
    "what is no message": lambda n: BadMessage("not_a_message", "\U0001f600" * 5000),
}


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
def test_no_flood_fills_more_than_its_share_of_a_round(flood: Callable[[int], Any]) -> None:  # RULES 5.13
    match = a_round(3)
    for _ in range(2):
        outs = [match.answer(seat, flood(n), 0.0) for n in range(200) for seat in (0, 1)]
        most = max(filled(out) for out in outs)
        assert sum(map(filled, outs)) < 2 * (ROUND_BYTES + most + LINE_BYTES) and not outs[-1].lines
        assert took(match.answer(2, as_sent("u 0 0"), 0.0)), "others have their own"
        match.table(Close(), 0.0)


def test_the_share_of_a_round_is_remembered_by_a_match_that_is_resumed() -> None:  # RULES 5.13
    match = new_match(GAME, 2, Limits(1000), options=house(width=30, height=30), eager=False)
    lines = [*match.begin(0.0).lines]
    for _ in range(2):
        lines += match.answer(0, as_sent(*["a 199 199 9999999"] * FULL), 0.0).lines
    again, _ = resume(GAME, lines, SEED, 0.0)
    assert again.open[0].recorded == match.open[0].recorded
    assert not again.answer(0, as_sent(*["a 199 199 9999999"] * FULL), 0.0).lines


def test_lists_recorded_before_there_was_a_limit_can_still_be_replayed() -> None:  # RULES 5.13
    old = with_rules(GAME, shorten=None, most_bytes=10**9, most_recorded=10**9)
    match = new_match(old, 1, Limits(1000), options=house(width=2, height=2, max_turn=1), eager=False)
    lines = [*match.begin(0.0).lines]
    for _ in range(10):
        lines += match.answer(0, as_sent(*["x" * 100] * FULL), 0.0).lines
    lines += match.answer(0, as_sent(*["y" * 100] * FULL), 0.0).lines
    lines += match.table(Close(), 0.0).lines
    assert sum(map(len, lines)) > 11 * 100 * FULL
    again, _ = resume(GAME, lines, SEED, 0.0)
    assert again.end == match.end and again.head == match.head


def test_a_player_that_sends_nothing_but_junk_has_to_leave_where_no_clock_goes() -> None:
    match = new_match(GAME, 2, options=house(width=5, height=5, max_turn=3))
    lines: list[bytes] = []

    drive(match, [lambda view, ask, dice: "junk", lambda view, ask, dice: Command()], MemoryLog(lines))
    assert match.gone == {0: "flood"} and sum(map(len, lines)) < 2 * ROUND_BYTES
    assert any(json.loads(line).get("do") == {"type": "Leave", "seat": 0, "why": "flood"} for line in lines)


def test_the_share_of_a_round_over_the_calls() -> None:  # RULES 5.13, 10.3
    game = ColorfightII(seed=b"any")
    game.parse_action(None, register("ada"))
    before, said = sum(map(len, game.lines)), command(*["x" * 100] * FULL)
    replies = [game.parse_action(1, said) for _ in range(15)]
    words = "At most 40960 bytes of commands in a round"
    assert replies[0] == {"success": True} and replies[-1] == {"success": False, "err_msg": words}
    assert sum(map(len, game.lines)) - before < ROUND_BYTES + LINE_BYTES
    game.update()
    assert game.parse_action(1, said) == {"success": True}


# 7.4 Errors are counted where there are too many


@pytest.mark.parametrize("junk", JUNK.values(), ids=JUNK)
def test_errors_of_a_player_take_at_most_two_kilobytes(junk: Order) -> None:  # RULES 7.4
    state = table("1h . / . 2h")
    turn(state, [junk] * FULL, "a 9 9 9")
    shown = state.players[0].errors
    assert len(msgspec.json.encode(shown)) <= 2000
    assert shown[-1] == f"... and {FULL - len(shown) + 1} more errors" and len(set(shown[:-1])) == 1
    assert state.players[1].errors == ("a 9 9 9 failed, Attack position is not in the map.",)


def test_errors_that_fit_are_all_shown_and_one_more_is_counted() -> None:  # RULES 7.4
    state = table("1h . / . .")
    for orders in range(1, 60):
        turn(state, ["a 9 9 9"] * orders)
        line = "a 9 9 9 failed, Attack position is not in the map."
        all_of_them = [line] * orders
        shown = [*state.players[0].errors]
        if len(msgspec.json.encode(all_of_them)) <= 2000:
            assert shown == all_of_them
        else:
            more = orders - len(shown) + 1
            assert shown[:-1] == [line] * (orders - more)
            assert shown[-1] == f"... and {more} more error{'s' if more > 1 else ''}"
    assert "... and 22 more errors" in shown, "of 59"


@pytest.mark.parametrize("frames", [SourceFrames, CompactFrames])
def test_frames_grow_by_two_kilobytes_a_player_at_most(frames: type[Any]) -> None:  # RULES 7.4, 10.6
    state, names = table("1h . / . 2h"), ["ada", "bob"]
    turn(state)
    before = len(frames().frame(state, names))
    turn(state, ["x" * 100] * FULL, ["\x01" * 100] * FULL)
    after = frames().frame(state, names)
    assert len(after) < before + 2 * 2000 + 100
    assert [type(line) for line in json.loads(after)["error"]["1"]] == [str] * len(state.players[0].errors)

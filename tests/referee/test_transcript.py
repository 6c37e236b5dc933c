"""Transcripts: strict to read, cut anywhere and resumed, and honest about what they prove."""

from hashlib import sha256
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from parlour.core import GONE, BadOptions, Close, Fault, Game, Join, Leave, Sitting, Stop, Void
from parlour.games import game
from parlour.games.forsale import faults
from parlour.games.forsale.values import Bid, Pass, SellAny
from parlour.referee.driver import drive
from parlour.referee.known_rules import UnknownRules
from parlour.referee.log import MemoryLog
from parlour.referee.match import Match, Out
from parlour.referee.replay import replay, resume, verify
from parlour.referee.transcript import (
    NOTHING,
    BadTranscript,
    Line,
    Reveal,
    commitment,
    encode,
    header,
    read_record,
    split,
)
from tests.games.forsale.faulty import with_methods
from tests.referee.hand import FORSALE, SEED, inside, new_match, opened
from tests.toys.variants import with_rules


def played(match: Match[Any]) -> list[bytes]:
    lines: list[bytes] = []
    bots = [FORSALE.hosting.bots["random"]] * len(match.names)
    drive(match, bots, MemoryLog(lines))
    return [*lines, match.reveal()]


JUNKED, GONE_BAD = "a fault", "a seat that is gone"


def joined(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def test_a_whole_transcript_holds() -> None:
    verdict = verify(joined(played(new_match())), game)
    assert verdict.holds == "yes" and verdict.end is not None


def test_the_header_says_all_but_the_seed() -> None:
    head = msgspec.json.decode(encode(new_match(salts=["a", "b", "c"]).header))
    assert head["commit"] == commitment(SEED) and SEED.hex() not in str(head)
    assert head["game"] == "forsale" and head["version"] == FORSALE.rules.version
    assert [player["salt"] for player in head["players"]] == ["a", "b", "c"]
    assert set(head["options"]) == {"type", *FORSALE.rules.options.__struct_fields__}


def test_before_the_reveal_it_holds_so_far() -> None:
    lines = played(new_match())
    assert verify(joined(lines[:-1]), game).why.endswith("the seed is not yet revealed")
    assert verify(joined(lines[:-2]), game).why.endswith("the match is not finished")
    assert verify(joined(lines[:1]), game).holds == "so far"


def test_another_seed_does_not_hold() -> None:
    lines = played(new_match())
    lines[-1] = lines[-1].replace(SEED.hex().encode(), b"00" * 32)
    verdict = verify(joined(lines), game)
    assert verdict.line == len(lines) and "committed" in verdict.why


def test_a_move_that_was_never_legal_is_named() -> None:
    """A forger who rewrites all later links is caught by the rules."""
    match = opened()
    lines = match.begin(0.0).lines
    forged = msgspec.json.decode(match.answer(0, Bid(3), 0.0).lines[0])
    forged["do"]["amount"] = 19
    lines.append(encode(forged))
    with pytest.raises(BadTranscript, match="line 2: forbidden: bid 19: must be above 0 and within your 18 coins"):
        list(replay(FORSALE, lines, SEED))


def test_a_price_that_is_not_the_rule_books_is_named() -> None:
    match = opened(max_attempts=1)
    lines = match.begin(0.0).lines
    forged = msgspec.json.decode(match.answer(0, Bid(99), 0.0).lines[0])
    forged["do"] = {"type": "Bid", "amount": 1}
    with pytest.raises(BadTranscript, match=r'the price of P0401 is {"type":"Pass"}'):
        list(replay(FORSALE, [*lines, encode(forged)], SEED))


def test_a_move_for_a_seat_that_is_gone_must_be_its_price() -> None:
    match = opened()
    lines = match.begin(0.0).lines
    lines += match.table(Leave(1, "dead"), 0.0).lines
    own, follows = match.answer(0, Bid(3), 0.0).lines
    forged = msgspec.json.decode(follows)
    del forged["fault"]
    forged["do"] = {"type": "Bid", "amount": 9}
    with pytest.raises(BadTranscript, match=r'line 4: the referee had to play {"type":"Pass"} here'):
        list(replay(FORSALE, [*lines, own, encode(forged)], SEED))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda lines: [*lines, lines[-1]], "unexpected record"),
        (lambda lines: [lines[0], *lines], "unexpected record"),
        (lambda lines: lines[:3] + lines[4:], "its link is not the hash"),
        (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], "its link is not the hash"),
        (lambda lines: [lines[1], *lines[1:]], "is not a header"),
        (lambda lines: [*lines[:2], b"", *lines[2:]], "is not a record"),
        (lambda lines: [*lines[:2], b'{"kind":"input"', *lines[3:]], "is not a record"),
        (lambda lines: [*lines[:2], lines[2].replace(b'"kind"', b' "kind"'), *lines[3:]], "canonical form"),
        (lambda lines: [*lines[:2], lines[2][:-1] + b',"x":1}', *lines[3:]], "unknown field"),
        (lambda lines: [*lines[:2], b"[" * 100_000, *lines[3:]], "is not a record"),
        (
            lambda lines: [*lines[:-2], lines[-2].replace(b'"scores":[', b'"scores":[1'), lines[-1]],
            "not what the referee",
        ),
    ],
)
def test_what_is_wrong_is_named(change: Any, why: str) -> None:
    verdict = verify(joined(change(played(new_match()))), game)
    assert verdict.holds == "no" and why in verdict.why and verdict.line is not None


def test_a_cut_line_is_named() -> None:
    data = joined(played(new_match()))
    assert "cut here" in verify(data[:-10], game).why
    assert verify(b"", game).why == "the file is empty"


def test_an_unknown_game_or_version_is_checked_as_far_as_it_goes() -> None:
    data = joined(played(new_match()))

    def no_game(name: str) -> Game[Any]:
        raise KeyError(name)

    verdict = verify(data, no_game)
    assert (verdict.holds, verdict.line) == ("not replayed", None) and "no game 'forsale'" in verdict.why
    newer = with_rules(FORSALE, version=2)
    verdict = verify(data, lambda _: newer)
    words = "chain and commitment hold, moves not replayed (rules version 1, this release has 2)"
    assert (verdict.holds, verdict.why, verdict.line) == ("not replayed", words, None)
    with pytest.raises(UnknownRules, match="rules version 1, this release has 2"):
        list(replay(newer, split(data), SEED))
    other = with_rules(FORSALE, data="ab" * 32)
    assert "data files none, this release has abababababababab" in verify(data, lambda _: other).why


def test_options_that_are_not_even_text_are_named() -> None:
    lines = played(new_match())
    lines[0] = lines[0].replace(b'"balances"', b'"balance\xf0"')
    verdict = verify(joined(lines), game)
    assert (verdict.holds, verdict.line) == ("no", 1)


@pytest.mark.parametrize("line", [1, 5, -2, -1])
def test_a_record_of_another_version_is_still_checked_for_links_and_seed(line: int) -> None:
    lines = played(new_match())
    newer = with_rules(FORSALE, version=2)
    lines[line] = lines[line].replace(b'"n":', b'"n":1', 1) if line != -1 else lines[line][:-3] + b'0"}'
    assert verify(joined(lines), lambda _: newer).holds == "no"


def test_a_transcript_cut_before_its_end_record_is_given_it() -> None:
    match = opened()
    lines = match.begin(0.0).lines
    stop, end = match.table(Stop(), 0.0).lines
    again, out = resume(FORSALE, [*lines, stop], SEED, 0.0)
    assert out.lines == [end] and again.end == match.end
    again, out = resume(FORSALE, [*lines, stop, end], SEED, 0.0)
    assert out == Out([], []) and again.reveal() == match.reveal()


def test_what_follows_by_itself_is_worked_out_again_after_a_cut() -> None:
    match = opened()
    lines = match.begin(0.0).lines
    lines += match.table(Leave(1, "dead"), 0.0).lines
    own, follows = match.answer(0, Bid(3), 0.0).lines
    again, out = resume(FORSALE, [*lines, own], SEED, 0.0)
    assert out.lines == [follows] and again.state == match.state


def test_times_are_recorded_under_a_clock_only() -> None:
    match = opened()
    match.begin(0.0)
    assert msgspec.json.decode(match.answer(0, Pass(), 0.25).lines[0])["ms"] == 250
    match = new_match(options=FORSALE.rules.options(initial_first="seat:0"))
    match.begin(0.0)
    assert "ms" not in msgspec.json.decode(match.answer(0, Pass(), 0.25).lines[0])


def test_an_end_that_the_rules_do_not_give_is_named() -> None:
    match = new_match(options=FORSALE.rules.options(initial_first="seat:0"))
    lines = match.begin(0.0).lines
    inside(match).coins[0] += 1
    lines += match.answer(0, Pass(), 0.0).lines
    assert isinstance(match.end, Void)
    with pytest.raises(BadTranscript, match="line 3: unexpected record of kind 'end'"):
        list(replay(FORSALE, lines, SEED))


def test_a_voided_match_replays_to_the_same_end() -> None:
    """A bug in the rules is there again when they are asked again."""

    def passed(state: Any, *_: Any) -> None:
        state._break(faults.MONEY_MISMATCH, "oops", {"pid": -1})

    faulty = with_methods(_pass=passed)
    match = opened(it=faulty)
    lines = match.begin(0.0).lines + match.answer(0, Pass(), 0.1).lines
    assert isinstance(match.end, Void) and match.end.code == "G0102"
    [*_, last] = replay(faulty, [*lines, match.reveal()], SEED)
    assert last.match.end == match.end


@pytest.mark.parametrize("said", [JUNKED, GONE_BAD])
def test_a_match_that_the_rules_could_not_price_still_verifies(said: str) -> None:
    """A bug in `amends`, met by a fault or by a seat that is gone, is met again."""

    def oops(self: Any, seat: int, made: Any) -> Any:
        raise ZeroDivisionError("oops")

    faulty = with_methods(amends=oops)
    match = opened(it=faulty)
    lines = match.begin(0.0).lines
    lines += (match.answer(0, None, 0.1) if said == JUNKED else match.table(Leave(0, "dead"), 0.1)).lines
    assert isinstance(match.end, Void)
    assert verify(joined([*lines, match.reveal()]), lambda _: faulty).holds == "yes"


LATE = Fault("late", "late", "no answer after 1 ms; the limit was 2000 ms and 3000 ms of bank",
             {"limit_ms": 2000, "bank_ms": 3000, "elapsed_ms": 1})  # fmt: skip
JUNK = Fault("unreadable", "junk", "junk")
CLAMPED = Fault("illegal", "P0301", "bid 99: must be above 0 and within your 18 coins")
OVERBET = Fault("illegal", "P0401", "bid 99: must be above 0 and within your 18 coins",
                {"pid": 0, "balance": 18, "resp": 99, "phase": 1, "round": 1})  # fmt: skip


@pytest.mark.parametrize(
    ("forged", "why"),
    [
        ({"by": 0, "do": Bid(3), "ms": 5001}, "is late"),
        ({"by": 0, "do": Bid(3), "fault": JUNK}, "the price of junk is nothing"),
        ({"by": 0, "do": Bid(18), "fault": CLAMPED}, "a refused action is recorded"),
        ({"by": 0, "do": Bid(18), "fault": CLAMPED, "said": Bid(99)}, "do not refuse this action with this fault"),
        ({"by": 0, "fault": OVERBET, "said": Bid(18)}, "do not refuse this action with this fault"),
        ({"by": 0, "fault": OVERBET, "said": Bid(20)}, "do not refuse this action with this fault"),
        ({"by": 0, "fault": JUNK, "said": Bid(99)}, "a refused action is recorded"),
        ({"by": 0, "fault": LATE, "ms": 1}, "not late, or not by these numbers"),
        ({"by": 0, "fault": LATE, "ms": 5001}, "not late, or not by these numbers"),
        ({"by": 0, "do": Pass(), "fault": GONE}, "seat 0 is not gone"),
        ({"by": 0, "fault": Fault("unreadable", "junk", "\x1b[2J")}, "does not write such a fault"),
        ({"by": 0, "fault": Fault("unreadable", "\x1b", "junk")}, "does not write such a fault"),
        ({"by": 0, "fault": Fault("unreadable", "junk", "junk", {"a": 1})}, "does not write such a fault"),
        ({"do": Leave(1, "\x1b[2J")}, "not an action"),
        ({"by": 1, "do": Pass()}, "seat 1 was not asked"),
        ({"by": 1, "fault": JUNK}, "a seat that was not asked"),
        ({"by": 0, "fault": Fault("unasked", "stale", "")}, "is not an input that is recorded"),
        ({"by": 0, "do": SellAny()}, "is not an action of a seat"),
        ({"by": 0, "do": Leave(1, "quit")}, "is not an action of a seat"),
        ({"do": Bid(3)}, "not an act of the table"),
        ({"do": Leave(2, "again")}, "not an act of the table"),
        ({"do": Close()}, "forbidden"),
        ({"do": Leave(1, "quit"), "ms": 5}, "not what the referee would have written"),
        ({"do": Leave(0, "faults"), "fault": JUNK}, "the price of junk is nothing"),
        ({}, "not an act of the table"),
    ],
)
def test_a_forger_who_mends_the_links_is_caught_by_the_referee(forged: dict[str, Any], why: str) -> None:
    match = opened()
    lines = match.begin(0.0).lines + match.table(Leave(2, "quit"), 0.0).lines
    for name in ("do", "said"):
        if name in forged:
            forged = {**forged, name: Raw(encode(forged[name]))}
    line = Line(prev=match.head, n=match.records, **forged)
    with pytest.raises(BadTranscript, match=why):
        list(replay(FORSALE, [*lines, encode(line)], SEED))


@pytest.mark.parametrize(
    "said",
    [
        b'{ "type":"Bid","amount":99}',
        b'{"type":"Bid","amount":1,"amount":99}',
        b'{"type":"Bid","amount":99,"said":null}',
    ],
)
def test_what_was_refused_is_written_in_one_way(said: bytes) -> None:
    match = opened()
    lines = match.begin(0.0).lines
    line = Line(prev=match.head, n=match.records, by=0, fault=OVERBET, said=Raw(said))
    with pytest.raises(BadTranscript, match=r"not in canonical form|not a record"):
        list(replay(FORSALE, [*lines, encode(line)], SEED))


@pytest.mark.parametrize(
    "change",
    [
        lambda head: head.update(match="\x1b[2J"),
        lambda head: head["options"].pop("ages"),
        lambda head: head["options"].update(initial_first="seat:5"),
        lambda head: head["options"].update(initial_first=None),
        lambda head: head["options"].update(ages=[1, 2]),
        lambda head: head.update(start={}),
        lambda head: head.update(start=None),
        lambda head: head["players"].pop(),
        lambda head: head["players"][0].update(name=""),
        lambda head: head["players"][0].update(name="x\n"),
        lambda head: head.update(options=7),
    ],
)
def test_a_header_is_written_in_one_way(change: Any) -> None:
    head = msgspec.json.decode(encode(opened().header))
    change(head)
    with pytest.raises(BadTranscript, match="line 1: "):
        list(replay(FORSALE, [encode(head)], SEED))


def test_records_come_in_their_order_even_where_the_seed_is_not_known() -> None:
    match = opened()
    lines = match.begin(0.0).lines + match.table(Stop(), 0.0).lines
    forged = Line(prev=match.head, n=match.records, by=0, do=Raw(encode(Pass())))
    assert verify(joined([*lines, encode(forged)]), game).why == "unexpected record of kind 'input'"


@given(st.data())
def test_verify_answers_whatever_it_is_given(data: st.DataObject) -> None:
    """Records with right links and drawn contents; it may say no, but it never fails."""
    match = opened()
    lines = match.begin(0.0).lines
    for _ in range(data.draw(st.integers(1, 4))):
        drawn = data.draw(
            st.sampled_from([Pass(), Bid(3), Bid(99), SellAny(), Leave(0, "x"), Leave(9, "x"), Join("j")])
        )
        fault = data.draw(st.sampled_from([None, GONE, JUNK, LATE, OVERBET, Fault("unasked", "x")]))
        do = data.draw(st.sampled_from([Raw(encode(drawn)), Raw(b"7"), Raw(b"null"), NOTHING]))
        said = data.draw(st.sampled_from([Raw(encode(drawn)), Raw(b"[]"), NOTHING]))
        prev = sha256(lines[-1]).hexdigest()
        by, ms = data.draw(st.sampled_from([None, 0, 1, 9, -1])), data.draw(st.integers(0, 10**6))
        lines.append(encode(Line(prev, len(lines), by, do, fault, said, ms)))
    lines.append(encode(Reveal(sha256(lines[-1]).hexdigest(), len(lines), SEED.hex())))
    assert verify(joined(lines), game).holds == "no"


@pytest.mark.parametrize("count", [0, 2, 7])
def test_a_table_has_as_many_seats_as_the_game(count: int) -> None:
    with pytest.raises(BadOptions, match=f"For Sale is for 3 to 6 players, not {count}"):
        header(FORSALE, [Sitting("x")] * count, SEED)


def test_a_record_is_read_by_itself() -> None:
    head = new_match().header
    assert read_record(encode(head), 1) == head

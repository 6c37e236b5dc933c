"""A receipt against what a transcript lays on its seat: what may be missing, and what may not."""

from typing import Any

import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace

from parlour.core import Result
from parlour.games import game
from parlour.referee.action_json import decoder
from parlour.referee.receipt import (
    AnswerEntry,
    AnyEntry,
    BadReceipt,
    FaultEntry,
    HelloEntry,
    OverEntry,
    Receipt,
    SeatEntry,
    read_receipt,
    written,
)
from parlour.referee.receipt_answers import Comparison, ReceiptPart, Said
from parlour.referee.transcript import encode

SAT = SeatEntry("m", 0, ("ada", "bob", "eve"), "1" * 64)
BACK = SeatEntry("m", 0, ("ada", "bob", "eve"), "1" * 64, returned=True)
OVER = OverEntry(Result((1, 2, 3), (3, 2, 1)), "2" * 64)
OVER_LATER = OverEntry(Result((1, 2, 3), (3, 2, 1)), "2" * 64, returned=True)


def bid(amount: int) -> bytes:
    return b'{"type":"Bid","amount":%d}' % amount


def answer(id: int, amount: int) -> AnswerEntry:
    return AnswerEntry(id, Raw(bid(amount)))


def stale(id: int) -> FaultEntry:
    return FaultEntry(id, "unasked", "stale")


def took(id: int, amount: int) -> Said:
    return Said(id + 1, id, "answer", bid(amount))


def fault(id: int, kind: Any, code: str = "late", action: bytes | None = None) -> Said:
    return Said(id + 1, id, kind, action, code)


def compared(entries: list[AnyEntry], said: list[Said], asked: int = 9) -> Comparison:
    said = [replace(each, line=number) for number, each in enumerate(said, start=2)]
    part = ReceiptPart(said, set(range(1, asked + 1)), [])
    return Comparison(game("forsale"), Receipt(entries), part)


def holds(entries: list[AnyEntry], said: list[Said], asked: int = 9) -> bool:
    return compared(entries, said, asked).troubles == []


def test_the_same_answers_in_the_same_order_hold() -> None:
    found = compared([SAT, answer(1, 5), answer(2, 6), OVER], [took(1, 5), took(2, 6)])
    assert found.troubles == [] and found.notes == [] and found.taken == 2


def test_an_answer_is_compared_by_what_it_means_and_not_by_how_it_is_written() -> None:
    assert holds([SAT, AnswerEntry(1, Raw(b'{ "amount" : 5,\r "type":"Bid"}')), OVER], [took(1, 5)])


def test_a_long_answer_is_the_same_as_the_referee_shortens_it() -> None:
    rules = game("colorfight")
    sent = b'{"type":"Command","orders":[%s]}' % b",".join(b'"%s"' % (b"x" * 90) for _ in range(100))
    action = decoder(rules.rules.actions).decode(sent)
    assert rules.rules.shorten is not None
    short = encode(rules.rules.shorten(action))
    assert len(short) < len(encode(action))
    for recorded in (encode(action), short):
        part = ReceiptPart([Said(2, 1, "answer", recorded)], {1}, [])
        entries: list[AnyEntry] = [SAT, AnswerEntry(1, Raw(sent)), OVER]
        assert Comparison(rules, Receipt(entries), part).troubles == []


@pytest.mark.parametrize(
    ("entries", "said", "words"),
    [
        (
            [answer(1, 5)],
            [took(1, 6)],
            'line 2: the transcript has {"type":"Bid","amount":6} of yours to ask 1, and the',
        ),
        ([answer(1, 5)], [took(1, 5), took(2, 6)], "of yours to ask 2, and the receipt has no such answer"),
        ([answer(2, 5)], [took(1, 5)], "of yours to ask 1, and the receipt has no such answer"),
        ([answer(1, 5), answer(2, 6), answer(3, 7)], [took(1, 5), took(3, 7)], "to ask 2 is not in the transcript"),
        ([answer(1, 5), answer(2, 6), answer(3, 7)], [took(3, 7)], "to ask 1 is not in the transcript"),
        ([answer(2, 6), answer(1, 5)], [took(1, 5), took(2, 6)], "in another order"),
        ([answer(1, 5)], [fault(1, "illegal", "P0401", bid(99))], '"amount":99} of yours to ask 1 (illegal P0401)'),
        ([], [fault(1, "illegal", "P0401", bid(99))], "no such answer"),
        ([answer(1, 5)], [fault(1, "unreadable", "wrong_shape")], "an answer that cannot be read of yours to ask 1"),
        ([answer(1, 5), answer(1, 6), answer(1, 7)], [took(1, 5), took(1, 7)], "is not in the transcript"),
    ],
)
def test_other_answers_do_not_hold(entries: list[AnyEntry], said: list[Said], words: str) -> None:
    for end in ([OVER], []):
        found = compared([SAT, *entries, *end], said)
        assert any(words in trouble for trouble in found.troubles), found


def test_answers_that_a_server_leaves_out_are_missed_unless_it_said_so() -> None:
    sent: list[AnyEntry] = [SAT, answer(1, 5), answer(2, 6), answer(3, 7), OVER]
    assert not holds(sent, [])
    assert not holds(sent, [took(3, 7)])
    told: list[AnyEntry] = [SAT, answer(1, 5), stale(2), answer(2, 6), stale(3), answer(3, 7), OVER]
    assert compared(told, [took(3, 7)]).notes == ["2 of your answers came when their ask was closed, as you were told"]


def test_an_ask_that_the_transcript_never_put_cannot_have_been_answered() -> None:
    found = compared([SAT, answer(1, 5), answer(2, 6), OVER], [took(1, 5)], asked=1)
    assert "which it says was never put to you" in found.troubles[0]


def test_the_last_answer_may_be_lost_with_the_match_or_the_connection() -> None:
    found = compared([SAT, answer(1, 5), answer(2, 6), OVER], [took(1, 5)])
    assert found.troubles == [] and "1 of your answers are not in the transcript" in found.notes[0]
    assert holds([SAT, answer(1, 5), BACK, answer(2, 6), OVER], [took(2, 6)])
    assert holds([SAT, answer(1, 5), OVER_LATER], [])


def test_an_answer_that_was_given_again_by_another_process_is_one_answer() -> None:
    assert holds([SAT, answer(1, 5), BACK, answer(1, 6), answer(2, 7), OVER], [took(1, 6), took(2, 7)])
    assert holds([SAT, answer(1, 5), BACK, answer(1, 5), answer(2, 7), OVER], [took(1, 5), took(2, 7)])
    assert holds([SAT, answer(1, 5), BACK, answer(2, 7), OVER], [took(1, 5), took(2, 7)])
    assert not holds([SAT, answer(1, 5), BACK, answer(1, 6), answer(2, 7), OVER], [took(1, 8), took(2, 7)])


def test_an_answer_may_be_replaced_while_its_ask_is_open() -> None:
    assert holds([SAT, answer(1, 5), answer(1, 6), OVER], [took(1, 5), took(1, 6)])
    assert not holds([SAT, answer(1, 5), answer(1, 6), OVER], [took(1, 6)])
    assert not holds([SAT, answer(1, 5), answer(1, 6), OVER], [took(1, 6), took(1, 5)])


def test_faults_must_have_been_told_while_connected() -> None:
    late = fault(2, "late")
    told = FaultEntry(2, "late", "late")
    assert not holds([SAT, answer(1, 5), answer(3, 6), OVER], [took(1, 5), late, took(3, 6)])
    assert holds([SAT, answer(1, 5), told, answer(3, 6), OVER], [took(1, 5), late, took(3, 6)])
    assert holds([SAT, answer(1, 5), BACK, answer(3, 6), OVER], [took(1, 5), late, took(3, 6)])
    assert not holds([SAT, answer(1, 5), OVER], [took(1, 5), late]), "it was connected until the end"
    assert holds([SAT, answer(1, 5), OVER_LATER], [took(1, 5), late])
    assert holds([SAT, answer(1, 5)], [took(1, 5), late]), "it may have been gone"


def test_a_late_answer_is_told_to_be_late_and_then_stale() -> None:
    entries: list[AnyEntry] = [SAT, answer(1, 5), FaultEntry(1, "late", "late"), stale(2), answer(2, 6), OVER]
    found = compared(entries, [fault(1, "late"), took(2, 6)])
    assert found.troubles == [] and "faults of yours in the transcript: 1 late" in found.notes


def test_a_slow_player_that_answers_what_is_closed_is_not_wronged() -> None:
    """Its last answers are lost with the connection, and it knew that they came too late."""
    behind = [AnswerEntry(id, Raw(bid(id)), behind=True) for id in (2, 3)]
    entries: list[AnyEntry] = [SAT, answer(1, 1), *behind, answer(4, 4), OVER]
    assert holds(entries, [took(1, 1)]) and holds(entries, [took(1, 1), took(4, 4)])
    assert not holds([SAT, answer(1, 1), answer(2, 2), *behind, answer(4, 4), OVER], [took(1, 1), took(4, 4)])


def test_a_fault_that_was_told_is_in_the_transcript() -> None:
    told = FaultEntry(1, "illegal", "P0401")
    found = compared([SAT, answer(1, 99), told, answer(2, 6), OVER], [took(1, 99), took(2, 6)])
    assert found.troubles == ["you were told of a fault (illegal P0401, ask 1) that the transcript lacks"]
    assert holds([SAT, answer(1, 99), told, answer(2, 6), OVER], [fault(1, "illegal", "P0401", bid(99)), took(2, 6)])


def test_what_cannot_be_read_is_compared_too() -> None:
    junk = AnswerEntry(1, Raw(b'{"type":"wrong_shape"}'))
    told = FaultEntry(1, "unreadable", "wrong_shape")
    assert holds([SAT, junk, told, answer(2, 6), OVER], [fault(1, "unreadable", "wrong_shape"), took(2, 6)])
    assert not holds([SAT, told, answer(2, 6), OVER], [fault(1, "unreadable", "wrong_shape"), took(2, 6)])


def test_a_receipt_is_read_as_it_was_written() -> None:
    hello = HelloEntry(
        receipt=1, url="http://h", server="parlour", game="forsale", version=1, commit="3" * 64, salt="s"
    )
    entries: list[AnyEntry] = [hello, SAT, answer(1, 5), FaultEntry(1, "late", "late"), BACK, OVER]
    data = b"".join(map(written, entries))
    assert [*read_receipt(data).entries] == entries
    assert [*read_receipt(data + written(answer(2, 6))[:-1]).entries] == entries, "a line that was cut"
    assert msgspec.json.decode(data.splitlines()[0])["receipt"] == 1


def test_a_seat_that_is_told_again_because_the_match_could_not_begin_is_the_one_that_counts() -> None:
    first = SeatEntry("m", 1, ("gone", "me"), "2" * 64)
    entries: list[AnyEntry] = [first, SAT, answer(1, 5), BACK]
    assert read_receipt(b"".join(map(written, entries))).place == SAT


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "line 1: the file is empty"),
        (b"junk\n", "line 1: is not a line of a receipt"),
        (written(answer(1, 5)), "line 1: comes before the first seat"),
        (
            written(SAT) + written(SeatEntry("n", 0, (), "1" * 64)),
            "line 2: is of match n, but earlier lines are of match m",
        ),
        (written(SAT) + written(SeatEntry("m", 0, (), "2" * 64, returned=True)), "line 2: is of match m"),
        (written(SAT) + written(answer(1, 5)) + written(SeatEntry("m", 0, (), "2" * 64)), "line 3: is of match m"),
        (written(SAT) + b"\n" + written(OVER), "line 2: is not a line of a receipt"),
    ],
)
def test_what_is_no_receipt(data: bytes, words: str) -> None:
    with pytest.raises(BadReceipt) as mistake:
        read_receipt(data)
    assert str(mistake.value).startswith(words)

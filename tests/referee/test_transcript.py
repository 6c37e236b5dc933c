"""Transcripts: strict to read, cut anywhere and resumed, and honest about what they prove."""

from typing import Any

import msgspec
import pytest

from parlour.core import BadOptions, Game, Leave, Sitting, Stop
from parlour.games import game
from parlour.games.forsale.values import Bid, Pass
from parlour.referee.driver import drive
from parlour.referee.match import Match, Out
from parlour.referee.replay import replay, resume, verify
from parlour.referee.transcript import BadTranscript, commitment, encode, header, read_record, split
from tests.referee.hand import FORSALE, SEED, new_match, opened


def played(match: Match[Any]) -> list[bytes]:
    lines: list[bytes] = []
    bots = [FORSALE.bots["random"]] * len(match.names)
    drive(match, bots, lambda _, out: lines.extend(out.lines))
    return [*lines, match.reveal()]


def joined(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def test_a_whole_transcript_holds() -> None:
    verdict = verify(joined(played(new_match())), game)
    assert verdict.holds == "yes" and verdict.end is not None


def test_the_header_says_all_but_the_seed() -> None:
    head = msgspec.json.decode(encode(new_match(salts=["a", "b", "c"]).header))
    assert head["commit"] == commitment(SEED) and SEED.hex() not in str(head)
    assert head["game"] == "forsale" and head["version"] == FORSALE.version
    assert [player["salt"] for player in head["players"]] == ["a", "b", "c"]
    assert set(head["options"]) == {"type", *FORSALE.options.__struct_fields__}


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
    with pytest.raises(BadTranscript, match="the price of 'P0401' is Pass"):
        list(replay(FORSALE, [*lines, encode(forged)], SEED))


def test_a_move_for_a_seat_that_is_gone_must_be_its_price() -> None:
    match = opened()
    lines = match.begin(0.0).lines
    lines += match.table(Leave(1, "dead"), 0.0).lines
    own, follows = match.answer(0, Bid(3), 0.0).lines
    forged = msgspec.json.decode(follows)
    del forged["fault"]
    forged["do"] = {"type": "Bid", "amount": 9}
    with pytest.raises(BadTranscript, match=r"line 4: the referee had to play Pass\(\) here"):
        list(replay(FORSALE, [*lines, own, encode(forged)], SEED))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda lines: [*lines, lines[-1]], "cannot stand here"),
        (lambda lines: [lines[0], *lines], "cannot stand here"),
        (lambda lines: lines[:3] + lines[4:], "its link is not the hash"),
        (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], "its link is not the hash"),
        (lambda lines: [lines[1], *lines[1:]], "is not a header"),
        (lambda lines: [*lines[:2], b"", *lines[2:]], "is not a record"),
        (lambda lines: [*lines[:2], b'{"kind":"input"', *lines[3:]], "is not a record"),
        (lambda lines: [*lines[:2], lines[2].replace(b'"kind"', b' "kind"'), *lines[3:]], "the one way"),
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

    assert "not known here" in verify(data, no_game).why
    newer = msgspec.structs.replace(FORSALE, version=2)
    assert "played by version 1, For Sale is at version 2 here" in verify(data, lambda _: newer).why
    with pytest.raises(BadTranscript, match="was played by forsale 1, not forsale 2"):
        list(replay(newer, split(data), SEED))


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
    match = new_match(options=FORSALE.options(initial_first="seat:0"))
    match.begin(0.0)
    assert "ms" not in msgspec.json.decode(match.answer(0, Pass(), 0.25).lines[0])


def test_a_voided_match_replays_to_the_same_end() -> None:
    """The bug is in the rules, so it is there again."""
    match = new_match(options=FORSALE.options(initial_first="seat:0"))
    lines = match.begin(0.0).lines
    match.state.coins[0] += 1  # type: ignore[attr-defined]
    lines += match.answer(0, Pass(), 0.0).lines
    steps = replay(FORSALE, lines, SEED)
    with pytest.raises(BadTranscript, match="line 3: a record of kind 'end' cannot stand here"):
        list(steps)  # here the rules are sound, so the void end cannot be had again


@pytest.mark.parametrize("count", [0, 2, 7])
def test_a_table_has_as_many_seats_as_the_game(count: int) -> None:
    with pytest.raises(BadOptions, match=f"For Sale is for 3 to 6 players, not {count}"):
        header(FORSALE, [Sitting("x")] * count, SEED)


def test_a_record_is_read_by_itself() -> None:
    head = new_match().header
    assert read_record(encode(head), 1) == head

"""Headers of older releases: an option that a game gained since then is read as its legacy value."""

from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta, Raw
from msgspec.structs import replace

from parlour.core import Game, Sitting, Value, legacy
from parlour.core.options import legacy_values, read_recorded
from parlour.referee.driver import drive
from parlour.referee.log import MemoryLog
from parlour.referee.match import Match
from parlour.referee.replay import resume, verify
from parlour.referee.transcript import Header, check_header, encode, header
from tests.referee.hand import SEED
from tests.toys import lotto
from tests.toys.variants import with_rules


class Options(Value, frozen=True):
    """Lotto's options after two releases, each of which has added one."""

    rounds: Annotated[int, Meta(ge=1, le=20)] = 3
    kicks: bool = False
    draw: Annotated[Literal["low", "high"], legacy("low")] = "high"
    prize: Annotated[int, Meta(ge=1, le=9), legacy(1)] = 2


class State(lotto.State):
    """Draws as before only if the options say so."""

    def _draw(self) -> list[Any]:
        options: Any = self.options
        before = self.points[:]
        if options.draw == "high":
            self.dice.below(lotto.NUMBERS)
        events = super()._draw()
        self.points[:] = [was + options.prize * (now - was) for was, now in zip(before, self.points, strict=True)]
        return events

    @classmethod
    def new(cls, seats: int, options: Any, start: None, dice: Any) -> "State":
        return cls(seats, options, dice)


OLD = lotto.GAME
NEW: Game[Any] = with_rules(lotto.GAME, options=Options, new=State.new)
REFUSED = "is not written as|Invalid value|Invalid enum value|Expected|Object contains|Object missing"
LEGACY = {"draw": "low", "prize": 1}


def played(it: Game[Any], **options: Any) -> list[bytes]:
    head = header(it, [Sitting("a"), Sitting("b")], SEED, options=it.rules.options(**options))
    match: Match[Any] = Match(it, head, SEED)
    lines: list[bytes] = []
    drive(match, [it.hosting.bots["random"]] * 2, MemoryLog(lines))
    return [*lines, match.reveal()]


def whole(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def header_with(options: bytes) -> Header:
    return replace(header(OLD, [Sitting("a")], SEED), options=Raw(options))


def test_an_old_transcript_is_proved_by_a_release_with_more_options() -> None:
    old = played(OLD, rounds=5)
    assert verify(whole(old), lambda _: OLD).holds == "yes"
    verdict = verify(whole(old), lambda _: NEW)
    assert verdict.holds == "yes", verdict.why
    assert played(NEW, rounds=5)[1:-2] != old[1:-2], "the new defaults play otherwise"


def test_an_old_match_goes_on_as_it_began() -> None:
    old = played(OLD, rounds=5)
    for cut in range(1, len(old) - 1):
        match, out = resume(NEW, old[:cut], SEED, 0.0)
        assert match.options == Options(rounds=5, draw="low", prize=1)
        assert out.lines == old[cut : cut + len(out.lines)]
        lines = [*old[:cut], *out.lines]
        while match.end is None:
            seat = min(seat for seat, open in match.open.items() if open.ask.waits)
            guess = next(read(line) for line in old[len(lines) :] if read(line).get("by") == seat)["do"]["number"]
            lines += match.answer(seat, lotto.Guess(guess), 0.0).lines
        assert [*lines, match.reveal()] == old


def read(line: bytes) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(line)
    return found


def test_a_header_may_say_the_legacy_values_too() -> None:
    spelled = played(NEW, rounds=5, **LEGACY)
    assert b'"draw":"low","prize":1' in spelled[0]
    assert verify(whole(spelled), lambda _: NEW).holds == "yes"
    old = played(OLD, rounds=5)
    assert [read(line).get("do") for line in spelled] == [read(line).get("do") for line in old]


def test_a_header_of_the_release_in_between_lacks_only_what_came_later() -> None:
    options = read_recorded(Raw(b'{"type":"Options","rounds":3,"kicks":false,"draw":"high"}'), Options)
    assert options == Options(draw="high", prize=1)


@pytest.mark.parametrize(
    "options",
    [
        b'{"type":"Options","rounds":3}',  # never optional
        b'{"type":"Options","kicks":false}',
        b'{"type":"Options","kicks":false,"draw":"low","prize":1}',
        b'{"type":"Options"}',
        b"{}",
        b'{"type":"Options","rounds":3,"kicks":false,"prize":1}',  # no release had the second without the first
        b'{"type":"Options","kicks":false,"rounds":3}',  # another order
        b'{"type":"Options","rounds":3,"kicks":false,"draw":"middle"}',
        b'{"type":"Options","rounds":3,"kicks":false,"draw":null}',
        b'{"type":"Options","rounds":3,"kicks":false,"prise":1}',
        b'{"type":"Options","rounds":3,"rounds":3,"kicks":false}',
        b'{"type":"Options","rounds":3,"kicks":false }',
        b'{"type":"Options","rounds":3,"kicks":false,"draw":"low","prize":1,"prize":1}',
        b'{"type":"Options","rounds":3,"kicks":false,"draw":"low","prize":10}',
        b'{"type":"Other","rounds":3,"kicks":false}',
        b'{"rounds":3,"kicks":false}',
        b'["Options",3,false]',
    ],
)
def test_nothing_else_may_be_missing_or_written_otherwise(options: bytes) -> None:
    with pytest.raises(ValueError, match=REFUSED):
        check_header(NEW, header_with(options))
    with pytest.raises(ValueError, match=REFUSED):
        Match(NEW, header_with(options), SEED)


def test_a_release_without_the_option_does_not_call_a_header_broken_that_has_it() -> None:
    verdict = verify(whole(played(NEW)), lambda _: OLD)
    assert verdict.holds == "not replayed" and "option draw, prize, which this release does not have" in verdict.why


def test_an_option_without_a_legacy_value_is_never_missing() -> None:
    class Careless(Value, frozen=True, tag="Options"):
        rounds: int = 3
        kicks: bool = False
        prize: int = 1

    verdict = verify(whole(played(OLD)), lambda _: with_rules(lotto.GAME, options=Careless))
    assert (verdict.holds, verdict.line) == ("no", 1)


def test_what_the_seats_settle_must_agree_with_the_legacy_value() -> None:
    def resolve(options: Any, players: Any) -> Any:
        return replace(options, prize=len(players))

    def check(raw: bytes) -> None:
        check_header(with_rules(NEW, resolve=resolve), header_with(raw))

    check(b'{"type":"Options","rounds":3,"kicks":false}')
    check(b'{"type":"Options","rounds":3,"kicks":false,"draw":"low","prize":1}')
    with pytest.raises(ValueError, match="options are not as the game would write them"):
        check(b'{"type":"Options","rounds":3,"kicks":false,"draw":"low","prize":2}')


def test_a_position_may_lack_what_came_later_too() -> None:
    class Position(Value, frozen=True):
        points: int
        turn: Annotated[int | None, legacy(None)] = 7

    assert legacy_values(Position) == {"turn": None}
    assert read_recorded(Raw(b'{"type":"Position","points":4}'), Position) == Position(4, None)
    assert read_recorded(Raw(encode(Position(4))), Position) == Position(4, 7)

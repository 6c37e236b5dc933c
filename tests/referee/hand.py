"""Matches for tests of the referee: small ones, with a clock that is turned by hand."""

from collections.abc import Sequence
from typing import Any

from parlour.core import AnswerRefused, Asked, Game, Over, Sitting, Took, Value
from parlour.games import game
from parlour.games.forsale.values import Pass
from parlour.referee.match import Match, Out
from parlour.referee.transcript import Limits, header
from tests.toys import lotto

SEED = b"thirty-two bytes of seed, or so.."
FORSALE: Game[Any] = game("forsale")


def new_match(
    it: Game[Any] = FORSALE,
    seats: int = 3,
    limits: Limits | None = None,
    options: Value | None = None,
    *,
    eager: bool = True,
    bears: int | None = None,
    salts: Sequence[str] = (),
) -> Match[Any]:
    players = [Sitting(f"player {seat}", salts[seat] if salts else "") for seat in range(seats)]
    head = header(it, players, SEED, options=options, limits=limits, eager=eager, bears=bears)
    return Match(it, head, SEED)


def opened(first: int = 0, it: Game[Any] = FORSALE, **house: Any) -> Match[Any]:
    """For Sale with seat `first` to bid, two seconds a reply."""
    options = FORSALE.rules.options(initial_first=f"seat:{first}", **house)
    return new_match(it, limits=Limits(2000, 3000), options=options)


def lottery(rounds: int = 3, seats: int = 2, *, kicks: bool = False, eager: bool = True) -> Match[Any]:
    """Rounds of one second."""
    return new_match(lotto.GAME, seats, Limits(1000), lotto.Options(rounds, kicks), eager=eager)


def to_sale(match: Match[Any], now: float = 0.0) -> None:
    """Everybody passes until part II."""
    match.begin(now)
    while len(match.open) == 1:
        [seat] = match.open
        match.answer(seat, Pass(), now)


def inside(match: Match[Any]) -> Any:
    """The state, about which a test may know more than the referee does."""
    return match.state


def asked(out: Out) -> list[Asked]:
    return [notice for notice in out.notices if isinstance(notice, Asked)]


def refused(out: Out) -> list[AnswerRefused]:
    return [notice for notice in out.notices if isinstance(notice, AnswerRefused)]


def took(out: Out) -> list[Took]:
    return [notice for notice in out.notices if isinstance(notice, Took)]


def ended(out: Out) -> list[Over]:
    return [notice for notice in out.notices if isinstance(notice, Over)]

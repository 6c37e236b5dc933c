"""The stages of a match, and the seats that everybody can see have to act, through whole matches of bots."""

from itertools import groupby
from typing import Any

from msgspec import Struct

from parlour.core import By, Sitting
from parlour.plugins import game
from parlour.referee.driver import drive
from parlour.referee.match import Match, Out
from parlour.referee.transcript import header

SEED = b"s" * 32


class Stage(Struct, frozen=True):
    part: str
    to_act: tuple[int, ...]
    asked: tuple[By, ...]


def stages(name: str, seats: int, bot: str = "random", **options: Any) -> list[Stage]:
    """The stage of each position of a match."""
    played = game(name)
    sittings = [Sitting(f"P{seat}") for seat in range(seats)]
    match = Match(played, header(played, sittings, SEED, options=played.rules.options(**options)), SEED)
    part, to_act, seen = played.words.part, played.words.to_act, list[Stage]()
    assert part is not None and to_act is not None

    def watch(match: Match[Any], out: Out) -> None:
        view = match.state.view(None)
        seen.append(Stage(part(view), tuple(to_act(view)), tuple(match.state.asks())))

    drive(match, [played.hosting.bots[bot]] * seats, watch=watch)
    return seen


def parts(seen: list[Stage]) -> list[str]:
    return [part for part, _ in groupby(stage.part for stage in seen)]


def test_for_sale_has_auctions_with_a_bidder_and_sales_in_secret() -> None:
    seen = stages("forsale", 4)
    assert parts(seen) == [*(f"Auction {n}" for n in range(1, 8)), *(f"Sale {n}" for n in range(1, 8)), "End"]
    for stage in seen:
        assert stage.to_act == (stage.asked if stage.part.startswith("Auction") else ())


def test_a_turn_of_dominion_is_counted_for_all_and_a_victim_acts_in_the_turn_of_another() -> None:
    seen = stages("dominion", 2, "militia")
    assert parts(seen)[:3] == ["Turn 1", "Turn 2", "Turn 3"] and parts(seen)[-1] == "End"
    assert all(stage.to_act == stage.asked for stage in seen)


def test_a_goal_that_is_acknowledged_in_secret_is_not_seen_in_maze() -> None:
    seen = stages("maze", 3, "euclid")
    assert parts(seen)[:3] == ["Setup", "Round 1", "Round 2"] and parts(seen)[-1] == "End"
    assert all(not stage.to_act for stage in seen if stage.part in ("Setup", "End"))
    moving = [stage for stage in seen if stage.part.startswith("Round")]
    assert all(len(stage.to_act) == 1 for stage in moving)
    assert any(stage.to_act != stage.asked for stage in moving), "one acknowledges, and the next is expected to move"


def test_nobody_sees_who_has_given_orders_in_colorfight() -> None:
    seen = stages("colorfight", 2, max_turn=3)
    assert parts(seen) == ["Round 0", "Round 1", "Round 2", "End"]
    assert not any(stage.to_act for stage in seen)


def test_nobody_sees_whom_a_proposal_was_made_to() -> None:
    seen = stages("tradecraft", 3, max_turn=3)
    assert parts(seen) == ["Turn 1", "Turn 2", "Turn 3", "End"]
    for stage in seen:
        assert stage.to_act in ((), stage.asked)
    decided = [stage for stage in seen if not stage.to_act and stage.part != "End"]
    assert decided and all(len(stage.asked) == 1 for stage in decided)

"""Play a position of a recorded match on to its end, in worlds that the deciding seat cannot tell from the real one."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from parlour.core import Ask, Dice, Game, Result, Seat, Void
from parlour.referee.action_json import decoder
from parlour.referee.driver import drive_minds
from parlour.referee.log import ImmediateLog
from parlour.referee.player import Bot, Mind, bot_dice
from parlour.referee.replay import Replay, resume
from parlour.referee.transcript import NOTHING, Line, read_record


class DecisionPoint(Struct, frozen=True):
    """A position in which a seat decided, and its decision."""

    line: int
    """How many records are before it."""
    frame: int
    """The number of the position in a replay."""
    seat: Seat
    ask: Ask[Any]
    view: Any
    action: Any


def decision_points(game: Game[Any], lines: Sequence[bytes], seed: bytes, seat: Seat) -> Iterator[DecisionPoint]:
    """The decisions of a seat, without those that the protocol makes by itself and those that were refused."""
    taken, read = Replay(game, seed), decoder(game.rules.actions).decode
    step, frame = taken.take(lines[0]), 0
    for number, raw in enumerate(lines[1:], start=1):
        record = read_record(raw, number + 1)
        if not isinstance(record, Line):
            return
        open = step.match.open.get(seat)
        decided = record.by == seat and record.fault is None and record.do is not NOTHING
        if decided and open is not None and open.ask.default is None:
            view = step.match.state.view(seat)
            yield DecisionPoint(number, frame, seat, open.ask, view, read(record.do))
        step, frame = taken.take(raw), frame + 1


class OpensWith:
    """A bot that first plays a given action, and then as another bot does."""

    def __init__(self, action: Any, then: Bot) -> None:
        self._action = action
        self._then = then
        self.sit: Any = getattr(then, "sit", None)
        self.event: Any = getattr(then, "event", None)

    def __call__(self, view: Any, ask: Any, dice: Dice) -> Any:
        if self._action is None:
            return self._then(view, ask, dice)
        action, self._action = self._action, None
        return action


def played_on(
    game: Game[Any],
    lines: Sequence[bytes],
    seed: bytes,
    point: DecisionPoint,
    action: Any,
    bots: Sequence[Bot],
    world: bytes,
) -> Result | Void:
    """The end of the match if the seat plays this action, and bots decide from then on.

    Everything that the seat cannot know is dealt again. Equal `world`s deal equally and give the bots equal dice. Bots
    are not told earlier events, which belong to the real match."""
    match, _ = resume(game, lines[: point.line], seed, 0.0)
    out = match.deal_again(point.seat, Dice(world))
    seated = [OpensWith(action, bot) if seat == point.seat else bot for seat, bot in enumerate(bots)]
    minds = [Mind(bot, bot_dice(world, seat)) for seat, bot in enumerate(seated)]
    return drive_minds(match, minds, out, ImmediateLog())

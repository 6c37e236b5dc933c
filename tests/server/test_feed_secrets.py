"""The full feed of an audience depends on what it may see, and on nothing else: on no secret, and on no time of one."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec import Struct

from parlour.core import Asked, By, Dice, Sitting
from parlour.plugins import game
from parlour.referee.match import Match, Out
from parlour.referee.player import Mind, bot_dice
from parlour.referee.transcript import Limits, header
from parlour.tables.match_feed import Feeds, Watcher

SEED = b"s" * 32
STEP_S, LATER_S, LATE_S = 10.0, 7.0, 9.0
"""Seconds between two inputs, the delay of some, and when a late watcher connects."""
BANK_MS = 100_000_000
MOST_STEPS = 70


class Play(Struct, frozen=True):
    """A match of bots, and the bot."""

    name: str
    seats: int
    bot: str = "random"
    options: dict[str, Any] = {}
    limit_ms: int = 12_000
    """If the seats share no deadline, an input in time uses no bank, and one that is later does."""


PLAYS = [
    Play("forsale", 3),
    Play("dominion", 2, "militia"),
    Play("maze", 3, "euclid"),
    Play("colorfight", 3, "random", {"max_turn": 5, "width": 10, "height": 10}, 3_600_000),
    Play("tradecraft", 3, "random", {"max_turn": 3}, 3_600_000),
]
HIDDEN = [play for play in PLAYS if play.name != "dominion"]
"""The games in which only one seat sees some inputs."""


class Watched:
    """A match step by step, with a watcher from the beginning."""

    def __init__(self, play: Play, who: By) -> None:
        played = game(play.name)
        sittings = [Sitting(f"P{seat}") for seat in range(play.seats)]
        options = played.rules.options(**play.options)
        head = header(played, sittings, SEED, options=options, limits=Limits(play.limit_ms, BANK_MS))
        self.match: Match[Any] = Match(played, head, SEED)
        self.who = who
        self.feed = Feeds(self.match, {}, self._fail)
        self._minds = [Mind(played.hosting.bots[play.bot], bot_dice(SEED, seat)) for seat in range(play.seats)]
        self._asked: list[Asked] = []
        self._watcher: Watcher | None = None
        self._settle(self.match.begin(0.0), 0.0)
        self._watcher = self.feed.messages(who, 0.0)

    def _fail(self, error: Exception) -> None:
        raise error

    def step(self, now: float) -> Out:
        """The bot that was asked first answers."""
        while True:
            asked = self._asked.pop(0)
            open = self.match.open.get(asked.seat)
            if open is not None and open.n == asked.n:
                break
        view = self.match.state.view(asked.seat)
        return self._settle(self.match.answer(asked.seat, self._minds[asked.seat].decide(view, asked.ask), now), now)

    def _settle(self, out: Out, now: float) -> Out:
        self._asked += [notice for notice in out.notices if isinstance(notice, Asked)]
        for seat, mind in enumerate(self._minds):
            mind.hear(out.to(seat))
        self.feed.take(out, now, self.match.over)
        return out

    async def told(self) -> list[bytes]:
        """The messages since the last time."""
        assert self._watcher is not None
        return await _read(self._watcher)

    async def told_late(self, now: float) -> list[bytes]:
        """The messages to a watcher that connects now."""
        watcher = self.feed.messages(self.who, now)
        told = await _read(watcher)
        await watcher.aclose()
        return told


async def _read(watcher: Watcher) -> list[bytes]:
    watcher.tell(b"")
    return [message async for message in _until_empty(watcher)]


async def _until_empty(watcher: Watcher) -> Any:
    while message := await anext(watcher):
        yield message


def audiences(play: Play) -> Sequence[By]:
    return [None, *range(play.seats)]


def is_hidden(out: Out, who: By) -> bool:
    return not [*out.to(who)]


@pytest.mark.parametrize("play", HIDDEN, ids=lambda play: play.name)
def test_what_a_seat_may_not_see_causes_no_message_and_its_time_shows_nowhere(play: Play) -> None:
    async def work(who: By) -> int:
        one, other, hidden = Watched(play, who), Watched(play, who), 0
        assert await one.told() == await other.told()
        for n in range(1, MOST_STEPS):
            now = n * STEP_S
            before, late = one.match.state.view(who), await one.told_late(now)
            told_nothing = is_hidden(one.step(now), who)
            secret = told_nothing and one.match.state.view(who) == before
            other.step(now + LATER_S if secret else now)
            if one.match.end is not None:
                break  # from now on, everything is public
            told = await one.told()
            assert told == await other.told()
            if secret:
                hidden += 1
                assert told == [] and await one.told_late(now) == late
            assert await one.told_late(now + LATE_S) == await other.told_late(now + LATE_S), "not in clocks either"
        return hidden

    for who in audiences(play):
        assert asyncio.run(work(who)) > 0, f"nothing is hidden from {who}"


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_a_late_watcher_cannot_tell_a_position_from_its_redeal(play: Play) -> None:
    async def work(seat: int) -> None:
        watched = Watched(play, seat)
        spectating = Watched(play, None)
        for n in range(1, MOST_STEPS):
            watched.step(now := n * STEP_S)
            spectating.step(now)
            if watched.match.end is not None:
                return
            if n % 4 == 0:
                for each in (watched, spectating):
                    told, state = await each.told_late(now), each.match.state
                    each.match.state = state.redeal(seat, Dice(b"redeal %d" % n))
                    assert await each.told_late(now) == told
                    each.match.state = state

    for seat in range(play.seats):
        asyncio.run(work(seat))

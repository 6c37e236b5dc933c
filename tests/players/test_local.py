"""Bots in this process: slow, broken, silent."""

import asyncio
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from parlour.core import AnswerRefused, Asked, Dice, Event, Leave, Place, Question, Result, Sitting
from parlour.games import game
from parlour.games.forsale.values import BidOrPass
from parlour.players.local import LocalPlayer
from parlour.players.play import Begun, Played, play, play_async
from parlour.players.player_specs import LocalSpec, load
from parlour.players.terms import CannotPlay, Terms
from parlour.referee.match import Match, Out
from parlour.referee.player import Mind, place_of
from parlour.referee.transcript import Limits
from tests.turned import run, settle, turn, until

FORSALE = game("forsale")
MATCH = Begun(Terms(game=FORSALE), b"seed", [Sitting("it")] * 3, None, 0.0).match
LIMITS = [None, Limits(60_000)]


class Evening:
    """One match against two random bots, in either shell."""

    def __init__(self, bot: Any, limits: Limits | None) -> None:
        self.notices: list[Any] = []
        self._terms = Terms(game=FORSALE, limits=limits)
        self._specs = [LocalSpec("it", bot), *[load(FORSALE, "random")] * 2]

    def play(self) -> Played:
        return play(self._terms, self._specs, b"seed", watch=self._watch)

    async def play_async(self) -> Played:
        return await play_async(self._terms, self._specs, b"seed", watch=self._watch)

    async def refused(self, times: int) -> None:
        await until(lambda: len(refusals(self.notices)) == times)

    def asked(self, seat: int) -> list[Asked]:
        return [notice for notice in self.notices if isinstance(notice, Asked) and notice.seat == seat]

    def _watch(self, match: Match[Any], out: Out) -> None:
        self.notices.extend(out.notices)


def evening(bot: Any, limits: Limits | None) -> tuple[Played, list[Any]]:
    it = Evening(bot, limits)
    return it.play(), it.notices


def refusals(notices: list[Any]) -> list[AnswerRefused]:
    return [notice for notice in notices if isinstance(notice, AnswerRefused)]


def first(view: Any, ask: Any, dice: Dice) -> Any:
    return ask.choices[0]


@pytest.mark.parametrize("limits", LIMITS)
def test_a_bot_is_told_its_place_and_hears_the_news(limits: Limits | None) -> None:
    told: list[Any] = []

    class Listener:
        def sit(self, place: Place) -> None:
            told.append(place)

        def event(self, seen: Event) -> None:
            told.append(seen)

        def __call__(self, view: Any, ask: Any, dice: Dice) -> Any:
            return ask.choices[0]

    evening(Listener, limits)
    place, *events = told
    assert isinstance(place, Place) and place.seat == 0 and place.options.max_attempts == 3
    assert len(events) > 30 and all(isinstance(event, Event) for event in events)


@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("where", ["sit", "event", "call", "exit"])
def test_a_bot_that_breaks_is_at_fault_and_nobody_else_is_harmed(limits: Limits | None, where: str) -> None:
    class Broken:
        def sit(self, place: Place) -> None:
            assert where != "sit", "my bug"

        def event(self, seen: Event) -> None:
            assert where != "event", "my bug"

        def __call__(self, view: Any, ask: Any, dice: Dice) -> Any:
            assert where != "call", "my bug"
            if where == "exit":
                sys.exit("my bug")
            return ask.choices[0]

    played, notices = evening(Broken, limits)
    faults = [notice for notice in notices if isinstance(notice, AnswerRefused)]
    assert isinstance(played.end, Result)
    assert faults and {(fault.seat, fault.fault.code) for fault in faults} == {(0, "crashed")}
    assert "my bug" in faults[0].fault.words and "test_local.py:" in faults[0].fault.words


@pytest.mark.parametrize("limits", LIMITS)
def test_a_bot_that_cannot_be_made_does_not_play(limits: Limits | None) -> None:
    class NeedsMore:
        def __init__(self, model: str) -> None:
            pass

    with pytest.raises(CannotPlay, match=r"it: TypeError: .*missing 1 required positional argument"):
        evening(NeedsMore, limits)


@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("said", [Leave(1, "dead"), Leave(99, "dead"), Question(1, Leave(1, "dead"))])
def test_a_bot_can_neither_leave_for_others_nor_ask_instead_of_answering(limits: Limits | None, said: Any) -> None:
    played, notices = evening(lambda: lambda view, ask, dice: said, limits)
    assert isinstance(played.end, Result) and played.match.gone == {}
    assert {n.fault.code for n in notices if isinstance(n, AnswerRefused)} == {"wrong_shape"}


def test_both_shells_come_to_the_same_end() -> None:
    ends = [evening(lambda: first, limits)[0].end for limits in LIMITS]
    assert ends[0] == ends[1]


def test_a_slow_bot_is_late_the_others_are_heard_and_what_is_closed_is_not_thought_about() -> None:
    thoughts = 0
    enough = threading.Event()

    def slow_once(view: Any, ask: Any, dice: Dice) -> Any:
        nonlocal thoughts
        thoughts += 1
        if thoughts == 1:
            enough.wait()
        return ask.choices[0]

    async def work(it: Evening) -> Played:
        playing = asyncio.create_task(it.play_async())
        await until(lambda: thoughts)
        for attempt in (1, 2, 3):
            turn(60)
            await it.refused(attempt)
        await until(lambda: len(it.asked(0)) > 3)  # the others have gone on meanwhile
        enough.set()
        return await playing

    it = Evening(lambda: slow_once, Limits(60_000))
    played = run(work(it))
    refused = refusals(it.notices)
    assert isinstance(played.end, Result)
    assert {notice.seat for notice in refused} == {0}
    assert [notice.fault.kind for notice in refused].count("late") == 3
    assert [notice.fault.code for notice in refused].count("stale") <= 1
    assert thoughts == len(it.asked(0)) - 2, "it was asked three times while it thought for the first time"
    assert any(isinstance(notice, Asked) and notice.attempt == 3 for notice in it.notices)


class Paced:
    """A bot that is asked by hand."""

    def __init__(self, pace_s: float) -> None:
        self.said: list[int | None] = []
        self.thought = threading.Event()
        self.player = LocalPlayer(Mind(self._think, Dice(b"seed")), pace_s)
        self.player.sit(place_of(MATCH, 0), MATCH.state.view(0), lambda said, n: self.said.append(n))

    def ask(self, n: int, within_s: float | None) -> None:
        due = None if within_s is None else asyncio.get_running_loop().time() + within_s
        self.thought.clear()
        asked = Asked(0, n, BidOrPass(record=0, bid=0, coins=18), 1, due, None, None, None)
        self.player.tell(asked, MATCH.state.view(0))

    async def waits(self, n: int) -> None:
        """Wait until the bot has decided on this ask, and has not answered yet."""
        await until(self.thought.is_set)
        await settle()
        assert n not in self.said

    def _think(self, view: Any, ask: Any, dice: Dice) -> Any:
        self.thought.set()
        return None


def test_a_bot_that_is_seated_again_has_one_thread() -> None:
    async def work() -> None:
        bot = Paced(0.0)
        bot.player.sit(place_of(MATCH, 1), MATCH.state.view(1), lambda said, n: None)
        threads = [thread for thread in threading.enumerate() if getattr(thread, "_target", None) == bot.player._run]
        assert len(threads) == 1
        bot.player.close()
        await until(lambda: not threads[0].is_alive())

    run(work())


@pytest.mark.parametrize(("within_s", "first_s"), [(None, 60), (3600.0, 60), (40.0, 36)])
def test_a_paced_bot_answers_after_its_pace_or_in_time_to_be_heard(within_s: float | None, first_s: float) -> None:
    async def work() -> None:
        it = Paced(60.0)
        it.ask(1, within_s)
        await it.waits(1)
        turn(first_s - 20)
        await it.waits(1)
        turn(20)
        await until(lambda: it.said == [1])
        it.player.close()

    run(work())


def test_a_paced_bot_that_is_closed_or_asked_again_says_nothing_of_before() -> None:
    async def work() -> None:
        it = Paced(60.0)
        it.ask(1, None)
        await it.waits(1)
        turn(40)
        it.ask(2, None)
        await it.waits(2)
        turn(30)
        await it.waits(2)
        it.player.close()
        turn(60)
        await settle()
        assert it.said == []

    run(work())


def test_a_bot_that_never_ends_does_not_keep_the_program_from_ending(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("import time\ndef bot(view, ask, dice):\n    time.sleep(1000)\n")
    words = ["match", "forsale", "bot.py", "random", "random", "--limit", "0.01", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "parlour", *words], cwd=tmp_path, capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0 and '"late"' in done.stdout

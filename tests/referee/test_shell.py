"""The two shells: which messages are delivered, when, and to which seats."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from parlour.core import (
    AnswerRefused,
    Ask,
    Asked,
    Dice,
    Event,
    Join,
    Leave,
    Noted,
    Notice,
    Over,
    Place,
    Question,
    Replied,
    Result,
    Sitting,
    Value,
    Void,
)
from parlour.referee.driver import drive
from parlour.referee.log import MemoryLog
from parlour.referee.match import Match
from parlour.referee.player import Post, Resigned
from parlour.referee.replay import replay, resume
from parlour.referee.shell import Shell
from parlour.referee.transcript import Limits
from tests import turned
from tests.logs import SlowLog
from tests.referee.hand import FORSALE, SEED, lottery, new_match
from tests.toys import lotto
from tests.toys.variants import with_rules
from tests.turned import until

random = FORSALE.hosting.bots["random"]


class Scripted:
    """A player in memory that answers every ask with the first choice, and remembers what it heard."""

    follows = False

    def __init__(self, log: list[Any] | None = None) -> None:
        self.heard: list[Notice] = []
        self.log = [] if log is None else log
        self.place: Place | None = None
        self.post: Post | None = None

    def sit(self, place: Place, view: Value, post: Post) -> None:
        self.place, self.post = place, post

    def tell(self, notice: Notice, view: Value | None) -> None:
        self.heard.append(notice)
        self.log.append(notice)
        if isinstance(notice, Asked) and self.post is not None:
            assert view is not None
            self.decide(notice, self.post)

    def auto(self, ask: Ask[Any]) -> None:
        """No ask is answered automatically."""

    def decide(self, asked: Asked, post: Post) -> None:
        assert asked.ask.choices is not None
        post(asked.ask.choices[0], asked.n)


def run(match: Match[Any], players: Sequence[Scripted], **more: Any) -> Result | Void:
    end: Result | Void = turned.run(Shell(match, players, **more).run())
    return end


def test_nobody_is_told_before_the_lines_are_kept() -> None:
    log: list[Any] = []

    async def keep(lines: Sequence[bytes]) -> None:
        await asyncio.sleep(0)
        log.extend(lines)

    run(new_match(), [Scripted(log) for _ in range(3)], log=SlowLog(keep))
    kept = [entry for entry in log if isinstance(entry, bytes)]
    shown = 0
    for entry in log:
        if isinstance(entry, bytes):
            shown += 1
        elif isinstance(entry, Event):
            at_latest = next(n for n, step in enumerate(replay(FORSALE, kept, SEED)) if entry in step.out.notices)
            assert shown > at_latest, "told before its line was kept"
        elif isinstance(entry, Over):
            assert shown == len(kept)


def test_if_lines_cannot_be_kept_nobody_is_told() -> None:
    players = [Scripted() for _ in range(3)]
    kept: list[bytes] = []

    async def keep(lines: Sequence[bytes]) -> None:
        if len(kept) >= 5:
            raise OSError("disk full")
        kept.extend(lines)

    match = new_match()
    with pytest.raises(OSError, match="disk full"):
        run(match, players, log=SlowLog(keep))
    again, _ = resume(FORSALE, kept, SEED, 0.0)
    assert again.records == 5 and again.head != match.head


def test_a_player_that_looks_at_the_table_sees_nothing_that_could_still_be_lost() -> None:
    """The same holds if there are more writes in the meantime."""
    kept: list[bytes] = []
    seen: list[int] = []

    async def keep(lines: Sequence[bytes]) -> None:
        await asyncio.sleep(0)
        kept.extend(lines)

    async def look(shell: Shell) -> None:
        while shell.match.end is None:
            assert await shell.settled()
            assert shell.match.records == len(kept)
            seen.append(len(kept))
            await asyncio.sleep(0)

    async def play() -> None:
        shell = Shell(new_match(), [Scripted() for _ in range(3)], log=SlowLog(keep))
        await asyncio.gather(shell.run(), look(shell))

    turned.run(play())
    assert len(seen) > 5


def test_what_could_not_be_kept_is_never_looked_at() -> None:
    async def keep(lines: Sequence[bytes]) -> None:
        await asyncio.sleep(0)
        raise OSError("disk full")

    async def play() -> None:
        shell = Shell(new_match(), [Scripted() for _ in range(3)], log=SlowLog(keep))
        running = asyncio.ensure_future(shell.run())
        await asyncio.sleep(0)
        assert not await shell.settled()
        with pytest.raises(OSError, match="disk full"):
            await running

    turned.run(play())


def test_events_come_first_and_asks_last() -> None:
    players = [Scripted() for _ in range(3)]
    run(new_match(), players)
    for player in players:
        kinds = [type(notice).__name__ for notice in player.heard]
        assert kinds[-1] == "Over"
        assert all(
            kinds[place - 1] != "Asked" or kinds[place] in ("Took", "AnswerRefused", "Over")
            for place in range(1, len(kinds))
        )


async def _comes_back(at: str) -> Scripted:
    """A player that returns to a match, which ends at the same time."""
    shell: Shell
    back = Scripted()

    async def keep(lines: Sequence[bytes]) -> None:
        if shell.match.end is not None and at != "after":
            shell.reconnect(0, back)
            await asyncio.sleep(0)
            if at == "lost":
                raise OSError("disk full")

    shell = Shell(new_match(), [Scripted() for _ in range(3)], log=SlowLog(keep), record="kept")
    await asyncio.gather(shell.run(), return_exceptions=True)
    if at == "after":
        shell.reconnect(0, back)
    return back


@pytest.mark.parametrize("at", ["meanwhile", "after"])
def test_a_player_that_comes_back_at_the_very_end_is_told_of_it(at: str) -> None:
    back = turned.run(_comes_back(at))
    assert back.place is not None
    (over,) = back.log
    assert isinstance(over, Over) and over.record == "kept"


def test_a_player_that_comes_back_to_an_end_that_was_not_kept_is_not_told_of_it() -> None:
    assert not turned.run(_comes_back("lost")).log


def test_every_player_is_told_its_place() -> None:
    players = [Scripted() for _ in range(3)]
    match = new_match()
    run(match, players, record="file")
    for seat, player in enumerate(players):
        [over] = [notice for notice in player.heard if isinstance(notice, Over)]
        assert player.place is not None and over.record == "file"
        assert (player.place.seat, player.place.players, player.place.header) == (
            seat,
            ("player 0", "player 1", "player 2"),
            match.header_hash,
        )


def test_both_shells_play_the_same_match() -> None:
    def first(view: Any, ask: Any, dice: Dice) -> Any:
        return ask.choices[0]

    one, other = new_match(), new_match()
    assert run(one, [Scripted() for _ in range(3)]) == drive(other, [first] * 3)
    assert one.head == other.head


def test_the_silent_are_timed_out_by_the_real_clock() -> None:
    class Silent(Scripted):
        def decide(self, asked: Asked, post: Post) -> None:
            pass

    players = [Silent(), Scripted(), Scripted()]
    end = run(new_match(limits=Limits(5)), players)
    assert isinstance(end, Result)
    assert any(isinstance(notice, AnswerRefused) and notice.fault.kind == "late" for notice in players[0].heard)


def test_a_note_belongs_to_an_open_ask_even_if_a_time_limit_ends_at_the_same_moment() -> None:
    class Stale(Scripted):
        def decide(self, asked: Asked, post: Post) -> None:
            assert asked.ask.choices
            post(Noted(asked.ask.choices[0], "good"), asked.n)
            turned.turn(60.0)
            post(Noted(None, "stale"), 10**24)

    async def work() -> None:
        shell = Shell(new_match(limits=Limits(40_000)), [Stale(), Scripted(), Scripted()])
        shell.take_note = lambda *note: notes.append(note)
        await shell.run()

    notes: list[tuple[int, int, int, str]] = []
    turned.run(work())
    assert notes and {note[-1] for note in notes} == {"good"} and all(note[1] < 10**6 for note in notes)


def test_an_alarm_that_rings_early_is_set_again() -> None:
    """As it does where the clock is coarse."""

    class Silent(Scripted):
        def decide(self, asked: Asked, post: Post) -> None:
            pass

    async def coarse() -> Result | Void:
        asyncio.get_running_loop()._clock_resolution = 0.02  # type: ignore[attr-defined]
        ticking = asyncio.create_task(tick())
        async with asyncio.timeout(turned.HANGS_S):
            end = await Shell(new_match(limits=Limits(5)), [Silent(), Scripted(), Scripted()]).run()
        ticking.cancel()
        return end

    async def tick() -> None:
        while True:
            await asyncio.sleep(0.001)

    assert isinstance(asyncio.run(coarse()), Result)


def test_a_player_may_leave() -> None:
    class Leaver(Scripted):
        def decide(self, asked: Asked, post: Post) -> None:
            post(Leave(asked.seat, "quit"), None)

    match = new_match()
    assert isinstance(run(match, [Leaver(), Scripted(), Scripted()]), Result)
    assert set(match.gone) == {0}


def test_questions_are_answered_to_a_player_that_asked() -> None:
    class Curious(Scripted):
        def decide(self, asked: Asked, post: Post) -> None:
            post(Question(7, lotto.HowOften()), None)
            super().decide(asked, post)

    players = [Curious(), Scripted()]
    run(lottery(), players)
    replies = [notice for notice in players[0].heard if isinstance(notice, Replied)]
    assert replies[0] == Replied(0, 7, lotto.ThisOften(0))
    assert not any(isinstance(notice, Replied) for notice in players[1].heard)


def test_a_question_that_breaks_us_harms_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    class Curious(Scripted):
        def decide(self, asked: Asked, post: Post) -> None:
            post(Question(7, lotto.ThisOften(1)), None)
            super().decide(asked, post)

    def oops(view: Any, question: Any) -> Any:
        raise ZeroDivisionError("oops")

    match = lottery()
    match.game = with_rules(match.game, query=oops)
    players = [Curious(), Scripted()]
    assert isinstance(run(match, players), Result)
    assert any(isinstance(notice, AnswerRefused) and notice.fault.code == "no_reply" for notice in players[0].heard)


def test_a_slow_store_is_not_laid_on_the_players() -> None:
    kept: list[bytes] = []

    async def keep(lines: Sequence[bytes]) -> None:
        turned.turn(45.0)
        await asyncio.sleep(0)
        kept.extend(lines)

    players = [Scripted() for _ in range(3)]
    match = new_match(limits=Limits(40_000))
    assert isinstance(run(match, players, log=SlowLog(keep)), Result)
    assert not any(isinstance(notice, AnswerRefused) for player in players for notice in player.heard)


def test_rounds_are_closed_by_the_real_clock() -> None:
    match = new_match(lotto.GAME, 2, Limits(10), lotto.Options(5), eager=False)
    assert isinstance(run(match, [Scripted(), Scripted()]), Result)
    assert match.state.round == 5  # type: ignore[attr-defined]


def test_a_bot_that_crashes_has_sent_something_unreadable() -> None:
    def crashes(view: Any, ask: Any, dice: Dice) -> Any:
        raise RuntimeError("my bug")

    faults: list[AnswerRefused] = []
    match = new_match()
    drive(
        match,
        [crashes, random, random],
        watch=lambda _, out: faults.extend(n for n in out.notices if isinstance(n, AnswerRefused)),
    )
    assert isinstance(match.end, Result)
    assert {fault.seat for fault in faults} == {0}
    assert faults[0].fault.code == "crashed"
    assert "RuntimeError: my bug at " in faults[0].fault.words and "test_shell.py:" in faults[0].fault.words


def test_a_bot_may_resign() -> None:
    def resigns(view: Any, ask: Any, dice: Dice) -> Any:
        raise Resigned

    match = new_match()
    drive(match, [resigns, random, random])
    assert set(match.gone) == {0}


def test_a_bot_that_remembers_hears_what_its_seat_may_know() -> None:
    class Listener:
        def __init__(self) -> None:
            self.events: list[Event] = []

        def event(self, seen: Event) -> None:
            self.events.append(seen)

        def __call__(self, view: Any, ask: Any, dice: Dice) -> Any:
            return ask.choices[0]

    listeners = [Listener() for _ in range(3)]
    drive(new_match(), listeners)
    for seat, listener in enumerate(listeners):
        chose = [event for event in listener.events if type(event).__name__ == "Chose"]
        assert len(chose) == 8 and all(event.seat == seat for event in chose)  # type: ignore[attr-defined]


def test_a_bug_of_the_rules_while_a_player_joins_is_stored_and_told() -> None:
    class Silent(Scripted):
        def decide(self, asked: Asked, post: Post) -> None:
            """It never answers."""

    async def work() -> None:
        match, log, players = lottery(), MemoryLog(), [Silent(), Silent()]
        shell, play = Shell(match, players, log=log), match.state.play

        def broken(by: int | None, action: object) -> Any:
            if isinstance(action, Join):
                raise ZeroDivisionError
            return play(by, action)

        match.state.play = broken  # type: ignore[method-assign]  # a bug in the rules
        running = asyncio.ensure_future(shell.run())
        await until(lambda: log.lines)
        assert await shell.join(Silent(), Sitting("late")) is None
        assert isinstance(await running, Void)
        assert len(log.lines) == match.records
        assert all(isinstance(player.heard[-1], Over) for player in players)

    turned.run(work())

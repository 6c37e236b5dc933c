"""The garbage collector frees memory without delaying players."""

import gc
import weakref
from pathlib import Path

from parlour.client import Client
from parlour.games import game
from parlour.referee.match import Match
from parlour.server.ops.garbage import LEAST_S, NEVER, tuned_collector
from tests.server.arenas import Hall, House, evening
from tests.turned import run, turn, until


class Loop:
    """An object that refers to itself, so that only the garbage collector frees it."""

    def __init__(self) -> None:
        self.own = self


def test_all_is_looked_at_in_its_own_time() -> None:
    async def work() -> None:
        before = gc.get_threshold()
        with tuned_collector():
            assert gc.get_threshold()[2] == NEVER and gc.get_freeze_count() > 0
            lost = weakref.ref(Loop())
            gc.collect(1)  # until it is no longer among the new
            turn(LEAST_S)
            await until(lambda: lost() is None)
        assert gc.get_threshold() == before and gc.get_freeze_count() == 0

    run(work())


def test_a_match_that_is_over_is_gone_at_once(tmp_path: Path) -> None:
    """It is freed with all its cards, without the garbage collector."""

    async def work(hall: Hall) -> None:
        seen: list[weakref.ref[Match[object]]] = []
        token = await hall.account("host")
        table = (await hall.table(token, "forsale", "open", "minimum", "random"))["table"]["id"]

        def watch(message: object) -> None:
            if not seen and (playing := hall.serving.arena.playing.get(table)) is not None:
                seen.append(weakref.ref(playing.match))

        bot = game("forsale").hosting.bots["random"]
        gc.disable()
        try:
            await Client(hall.url, token, watch=watch).play_async("forsale", bot, table=table)
            await hall.over(table)
            await until(lambda: seen[0]() is None)
        finally:
            gc.enable()

    evening(House(tmp_path, log="off"), work)

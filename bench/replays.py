"""How fast finished matches are shown: the first replay, any moment after it, and the memory that it takes.

python bench/replays.py
"""

import time
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from parlour.games import game
from parlour.players.play import play
from parlour.players.player_specs import load
from parlour.players.terms import Terms
from parlour.referee.log import MemoryLog
from parlour.server.replays.answers import Answers, recorded
from parlour.server.replays.jobs import ReplayJob
from parlour.server.replays.replay_cache import ReplayCache, size_of

T = TypeVar("T")

MATCHES: list[tuple[str, list[str], dict[str, Any]]] = [
    ("colorfight", ["general", "greedy", "greedy", "random"], {"max_turn": 500}),
    ("colorfight", ["greedy"] * 8, {"max_turn": 500}),
    ("dominion", ["builder", "bigsmithy", "money", "random"], {}),
    ("maze", ["random"] * 6, {}),
    ("tradecraft", ["negotiator", "planner", "planner", "random"], {}),
    ("forsale", ["random"] * 6, {}),
]
MOMENTS = 60


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Milliseconds of CPU time, and the result."""
    began = time.process_time()
    done = work()
    return (time.process_time() - began) * 1000, done


def transcript(name: str, bots: list[str], options: dict[str, Any]) -> bytes:
    rules, log = game(name), MemoryLog()
    terms = Terms(game=rules, options=rules.rules.options(**options))
    play(terms, [load(rules, bot) for bot in bots], bytes(32), log)
    return b"".join(line + b"\n" for line in log.lines)


def row(name: str, bots: list[str], options: dict[str, Any]) -> str:
    """The figures of one match."""
    data = transcript(name, bots, options)
    first, match = timed(lambda: recorded(data, None))
    cache = ReplayCache()
    cache.put("it", match)
    ask = Answers(cache).answer
    jobs = [
        ReplayJob(kind="frames", key="it", first=n, last=n + 1)
        for n in range(0, match.total, max(1, match.total // MOMENTS))
    ]
    alone = max(timed(partial(ask, job))[0] for job in jobs)
    many, _ = timed(lambda: ask(ReplayJob(kind="frames", key="it", first=match.total // 2)))
    whole, _ = timed(lambda: ask(ReplayJob(kind="timeline", key="it")))
    return (
        f"| {game(name).title}, {len(bots)} seats | {match.total:,} | {len(data) / 1000:,.0f} kB | {first:.0f} ms "
        f"| {size_of(match) / 2**20:.1f} MB | {alone:.1f} ms | {many:.0f} ms | {whole:.1f} ms |"
    )


def main() -> None:
    print("| match | frames | transcript | first replay | memory | one frame, worst | 100 frames | timeline |")
    print("|---|---|---|---|---|---|---|---|")
    for name, bots, options in MATCHES:
        print(row(name, bots, options))


if __name__ == "__main__":
    main()

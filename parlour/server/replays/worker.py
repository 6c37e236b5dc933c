"""The replay process: reads jobs from stdin and writes answers to stdout, until stdin ends."""

import argparse
import contextlib
import math
import os
import resource
import sys
import traceback
from typing import BinaryIO

from parlour.server.replays.answers import Answers
from parlour.server.replays.jobs import LENGTH_BYTES, ReplayAnswer, packed, read_job
from parlour.server.replays.replay_cache import ReplayCache

NICENESS = 5
"""Matches that are being played go first."""
TOO_BIG = ReplayAnswer(400, code="too_big", words="the replay of this match needs too much memory")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cpu", type=int, default=0, help="seconds of CPU; 0: no limit")
    parser.add_argument("--memory", type=int, default=0, help="bytes of address space; 0: no limit")
    limits = parser.parse_args()
    os.nice(NICENESS)
    limit(limits.cpu, limits.memory)
    jobs, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # nothing that a game prints may get among the answers
    work(jobs, answers)


def limit(cpu_s: float, memory: int) -> None:
    """Limit what this process may still use. At the limit of CPU time the system ends it."""
    if cpu_s:
        used = resource.getrusage(resource.RUSAGE_SELF)
        most = math.ceil(used.ru_utime + used.ru_stime + cpu_s)
        resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))
    if memory:
        with contextlib.suppress(ValueError):  # macOS has no such limit
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def work(jobs: BinaryIO, answers: BinaryIO) -> None:
    """Answer jobs one after another."""
    replays = Answers(ReplayCache())
    while len(head := jobs.read(LENGTH_BYTES)) == LENGTH_BYTES:
        job = read_job(jobs.read(int.from_bytes(head, "big")))
        try:
            answer = replays.answer(job)
        except MemoryError:
            answer = TOO_BIG
        except Exception:  # a bug of ours; the server logs it
            answer = ReplayAnswer(500, code="bug", words=traceback.format_exc())
        answers.write(packed(answer))
        answers.flush()


if __name__ == "__main__":
    main()

"""The server's side of replay processes: one for stored matches, and one for each transcript that a client sends."""

import asyncio
import contextlib
import logging
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Awaitable, Callable

from msgspec.structs import replace

from parlour.protocol.errors import BUG, RequestError
from parlour.protocol.reports import tell
from parlour.server.replays.jobs import LENGTH_BYTES, MISSING, ReplayAnswer, ReplayJob, packed, read_answer
from parlour.server.replays.places import ReplayPlaces
from parlour.transports.child_environment import child_environment
from parlour.transports.limits import REPLAYS, REPLAYS_PER_ADDRESS

COMMAND = (sys.executable, "-m", "parlour.server.replays.worker")
MOST_ANSWER = 32 * 2**20
"""Bytes of an answer."""
STORED_MEMORY = 2**30
STORED_S = 60.0
"""How long a replay of a stored match may take."""
SLOW_S = 600.0
"""How long a match whose replay took longer is not tried again, because all others wait meanwhile."""
MOST_SLOW = 1000
"""How many such matches are remembered."""
SENT_CPU_S = 5
SENT_MEMORY = 2**29
SENT_S = 30.0
"""How long the replay of a transcript that a client sent may take; on a busy machine, CPU time takes longer."""
END_S = 2.0
"""How long such a process may take to end after its output."""
SENT_AT_ONCE = 2
"""Processes for transcripts that clients sent."""

INTERRUPTED = (503, "replay_failed", "the replay was interrupted; try again")
TOO_SLOW = (409, "not_replayed", f"the replay of this match takes more than {STORED_S:g} seconds")
TOO_LONG = (400, "too_long", f"this replay takes more than {SENT_CPU_S} seconds of CPU time")

Transcript = Callable[[], Awaitable[tuple[bytes, bytes | None]]]
"""Reads the transcript and the seed of a stored match."""


class StoredReplays:
    """Replays of stored matches, in one process that keeps the recent ones. It is started when it is first needed."""

    def __init__(self) -> None:
        self.process: Process | None = None
        self._turn = asyncio.Lock()
        """Held while a job is done. The transcript is read in the same turn, so that only one is in memory."""
        self._places = ReplayPlaces(REPLAYS, REPLAYS_PER_ADDRESS)
        self._slow: dict[str, float] = {}
        """Matches whose replay took too long, and when that was, in loop time; oldest first."""

    async def ask(self, job: ReplayJob, transcript: Transcript, address: str) -> bytes:
        """The answer of the process; RequestError if there is none."""
        with self._places.taken(address):
            async with self._turn:
                self._check_speed(job.key)
                answer = await self._asked(job)
                if answer.status == MISSING:
                    data, seed = await transcript()
                    answer = await self._asked(replace(job, data=data, seed=seed))
        return body_of(answer)

    def _check_speed(self, key: str) -> None:
        since = self._slow.get(key)
        if since is not None and asyncio.get_running_loop().time() - since < SLOW_S:
            raise RequestError(*TOO_SLOW)

    def _remember_slow(self, key: str) -> None:
        self._slow.pop(key, None)
        self._slow[key] = asyncio.get_running_loop().time()
        if len(self._slow) > MOST_SLOW:
            del self._slow[next(iter(self._slow))]

    async def close(self) -> None:
        """End the process."""
        process, self.process = self.process, None
        if process is not None:
            await _end(process)

    async def _asked(self, job: ReplayJob) -> ReplayAnswer:
        answered = False
        try:
            async with asyncio.timeout(STORED_S):
                if self.process is None or self.process.returncode is not None:
                    self.process = await _started(memory=STORED_MEMORY)
                answer = await _exchange(self.process, job)
            answered = True
            return answer
        except TimeoutError:  # also an OSError
            self._remember_slow(job.key)
            tell("replay failed", match=job.key, why="too slow")
            raise RequestError(*TOO_SLOW) from None
        except (OSError, EOFError, ValueError) as e:
            tell("replay failed", match=job.key, why=f"{type(e).__name__}: {e}")
            raise RequestError(*INTERRUPTED) from None
        finally:
            if not answered:  # it may still be busy with this job: the next one needs a new process
                await self.close()


class SentReplays:
    """Replays of transcripts that clients send; each has a process of its own, with little time and memory."""

    def __init__(self) -> None:
        self._places = asyncio.Semaphore(SENT_AT_ONCE)

    async def ask(self, job: ReplayJob) -> bytes:
        """The answer; RequestError if there is none."""
        async with self._places:
            return body_of(await self._asked(job))

    async def _asked(self, job: ReplayJob) -> ReplayAnswer:
        try:
            process = await _started(cpu_s=SENT_CPU_S, memory=SENT_MEMORY)
        except OSError as e:
            tell("replay failed", why=f"{type(e).__name__}: {e}")
            raise RequestError(*INTERRUPTED) from None
        try:
            async with asyncio.timeout(SENT_S):
                return await _exchange(process, job)
        except TimeoutError:
            raise RequestError(*TOO_LONG) from None
        except (OSError, EOFError, ValueError):
            code = await _exit_code(process)
            if code == -signal.SIGXCPU:
                raise RequestError(*TOO_LONG) from None
            tell("replay failed", why=f"exit code {code}")
            raise RequestError(*INTERRUPTED) from None
        finally:
            await _end(process)


async def _started(cpu_s: int = 0, memory: int = 0) -> Process:
    limits = ("--cpu", str(cpu_s), "--memory", str(memory))
    threads = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # more would need address space
    env = {**child_environment(), **threads}
    return await asyncio.create_subprocess_exec(*COMMAND, *limits, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=env)


async def _exchange(process: Process, job: ReplayJob) -> ReplayAnswer:
    """Send a job and read its answer; EOFError, OSError or ValueError if the process ends or writes nonsense."""
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(packed(job))
    await process.stdin.drain()
    size = int.from_bytes(await process.stdout.readexactly(LENGTH_BYTES), "big")
    if size > MOST_ANSWER:
        raise ValueError(f"an answer of {size} bytes")
    return read_answer(await process.stdout.readexactly(size))


async def _exit_code(process: Process) -> int:
    """The exit code of a process that closed its output or wrote nonsense.

    It is killed only if it does not end by itself: to kill a process that has just ended can lose its exit code."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(END_S):
            await process.wait()
    return await _end(process)


async def _end(process: Process) -> int:
    """Kill a process, and return its exit code."""
    if process.returncode is None:
        if process.stdin is not None:
            process.stdin.close()
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    return await process.wait()


def body_of(answer: ReplayAnswer) -> bytes:
    """The body of an answer; RequestError if it has none."""
    if answer.status == 500:
        tell("replay bug", logging.ERROR, why=answer.words)
        raise RequestError(500, *BUG)
    if answer.status != 200:
        raise RequestError(answer.status, answer.code, answer.words)
    return answer.body

"""Peers in child processes, over stdin and stdout."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Sequence
from typing import cast

from parlour.transports.child_environment import child_environment
from parlour.transports.framing import Framing
from parlour.transports.limits import EXIT_S, MOST_DROPPED, STDERR_KEPT, STDERR_READ, TERM_S
from parlour.transports.peer import Peer, nothing


class CannotStart(Exception):
    """The command could not be started."""


class ProcessPeer(Peer, asyncio.SubprocessProtocol):
    """A child process in its own process group, so that its children end with it."""

    def __init__(self, framing: Framing | None = None) -> None:
        super().__init__(framing)
        self._transport: asyncio.SubprocessTransport | None = None
        self._exited = asyncio.Event()
        self._group_ended = False
        self.stderr_kept = bytearray()
        """The end of what it wrote to stderr."""
        self._stderr_read = 0
        self.on_stderr: Callable[[bytes], None] = nothing
        """Called with what it writes to stderr."""

    @classmethod
    async def start(cls, argv: Sequence[str], cwd: str | None = None, framing: Framing | None = None) -> "ProcessPeer":
        loop = asyncio.get_running_loop()
        try:
            _, peer = await loop.subprocess_exec(
                lambda: cls(framing), *argv, start_new_session=True, cwd=cwd, env=child_environment()
            )
        except (OSError, ValueError) as e:
            raise CannotStart(f"cannot start {argv[0]!r}: {getattr(e, 'strerror', None) or e}") from None
        return peer

    @property
    def stderr(self) -> str:
        """The same, as text."""
        return self.stderr_kept.decode("utf-8", "replace")

    @property
    def stderr_dropped(self) -> int:
        """Bytes that it wrote to stderr before that."""
        return self._stderr_read - len(self.stderr_kept)

    @property
    def status(self) -> str:
        """How it ended, as text."""
        code = None if self._transport is None else self._transport.get_returncode()
        if code is None:
            return "closed its output"
        return f"was ended by signal {-code}" if code < 0 else f"exited with status {code}"

    @property
    def ended_well(self) -> bool:
        """Whether it exited with status 0."""
        return self._transport is not None and self._transport.get_returncode() == 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.SubprocessTransport, transport)
        self._writer = cast(asyncio.WriteTransport, self._transport.get_pipe_transport(0))

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 1:
            for message in self._framing.feed(data):
                self.receive(message)
            if self._framing.dropped > MOST_DROPPED:
                self.drop("flood")
            return
        self.on_stderr(data)
        self.stderr_kept += data
        del self.stderr_kept[:-STDERR_KEPT]
        self._stderr_read += len(data)
        if self._stderr_read > STDERR_READ and self._transport is not None:
            cast(asyncio.ReadTransport, self._transport.get_pipe_transport(2)).pause_reading()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 0:
            self._writer = None
        elif fd == 1:
            self.drop("dead")

    def process_exited(self) -> None:
        self.abort()  # its children may still run
        self._exited.set()

    def abort(self) -> None:
        """Kill the process group, but not again after the exit: the number may be reused."""
        if self._transport is not None and not self._group_ended:
            self._group_ended = self._transport.get_returncode() is not None
            self._signal(signal.SIGKILL)

    def _signal(self, number: signal.Signals) -> None:
        assert self._transport is not None
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._transport.get_pid(), number)

    async def exited(self, within_s: float) -> None:
        """Wait for the exit, with a timeout. asyncio.timeout is not used: in early releases of Python 3.11 it mistakes
        a cancellation of the caller for its own."""
        waiting = asyncio.ensure_future(self._exited.wait())
        try:
            await asyncio.wait([waiting], timeout=within_s)
        finally:
            waiting.cancel()

    async def close(self) -> None:
        """Close stdin, give the process time to exit, then kill its group; at once, if this is cancelled."""
        if self._transport is None:
            return
        try:
            if self._writer is not None:
                cast(asyncio.WriteTransport, self._writer).close()
            await self.exited(EXIT_S)
            if not self._exited.is_set():
                self._signal(signal.SIGTERM)
                await self.exited(TERM_S)
            self.gone = self.gone or "dead"
            self.abort()
            await self._exited.wait()
        finally:
            self.abort()
            self._transport.close()

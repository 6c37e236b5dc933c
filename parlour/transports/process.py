"""Peers in child processes, over stdin and stdout."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Sequence
from typing import cast

from parlour.transports.framing import Framing
from parlour.transports.peer import Peer

STDERR_KEPT = 64 * 1024
STDERR_READ = 16 * 1024 * 1024
FAREWELL_S = 0.25
"""How long a child may take to leave when its input has ended; some never do, and are then told to."""
GRACE_S = 1.0
"""How long it may take when it was told to."""


class CannotStart(Exception):
    """The command is not one that can be started."""


class ProcessPeer(Peer, asyncio.SubprocessProtocol):
    """A child in a process group of its own, so that whatever it starts ends with it."""

    def __init__(self, framing: Framing | None = None) -> None:
        super().__init__(framing)
        self._transport: asyncio.SubprocessTransport | None = None
        self._exited = asyncio.Event()
        self._group_ended = False
        self._stderr = bytearray()
        self._stderr_read = 0

    @classmethod
    async def start(cls, argv: Sequence[str], cwd: str | None = None, framing: Framing | None = None) -> "ProcessPeer":
        loop = asyncio.get_running_loop()
        try:
            _, peer = await loop.subprocess_exec(lambda: cls(framing), *argv, start_new_session=True, cwd=cwd)
        except (OSError, ValueError) as e:
            raise CannotStart(f"cannot start {argv[0]!r}: {getattr(e, 'strerror', None) or e}") from None
        return peer

    @property
    def pid(self) -> int:
        assert self._transport is not None
        return self._transport.get_pid()

    @property
    def stderr(self) -> str:
        """The last of what it complained about."""
        return self._stderr.decode("utf-8", "replace")

    @property
    def status(self) -> str:
        """How it ended, in words."""
        code = None if self._transport is None else self._transport.get_returncode()
        if code is None:
            return "closed its output"
        return f"was ended by signal {-code}" if code < 0 else f"exited with status {code}"

    @property
    def ended_well(self) -> bool:
        """Whether it has ended by itself, with status 0."""
        return self._transport is not None and self._transport.get_returncode() == 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.SubprocessTransport, transport)
        self._writer = cast(asyncio.WriteTransport, self._transport.get_pipe_transport(0))

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 1:
            self.received(data)
            return
        self._stderr += data
        del self._stderr[:-STDERR_KEPT]
        self._stderr_read += len(data)
        if self._stderr_read > STDERR_READ and self._transport is not None:
            cast(asyncio.ReadTransport, self._transport.get_pipe_transport(2)).pause_reading()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 0:
            self._writer = None
        elif fd == 1:
            self.drop("dead")

    def process_exited(self) -> None:
        self.abort()  # a leader may leave others behind
        self._exited.set()

    def abort(self) -> None:
        """End the whole group, once: later its number may be somebody else's."""
        if self._transport is not None and not self._group_ended:
            self._group_ended = self._transport.get_returncode() is not None
            self._signal(signal.SIGKILL)

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)

    async def exited(self, within_s: float) -> None:
        """Wait until it has ended, but not for long; also where whoever waits was told to stop, and a timeout of early
        releases of Python 3.11 would take itself for that."""
        waiting = asyncio.ensure_future(self._exited.wait())
        try:
            await asyncio.wait([waiting], timeout=within_s)
        finally:
            waiting.cancel()

    async def close(self) -> None:
        """Close its input, give it a moment to leave by itself, then end it and all it started."""
        if self._transport is None:
            return
        if self._writer is not None:
            cast(asyncio.WriteTransport, self._writer).close()
        await self.exited(FAREWELL_S)
        if not self._exited.is_set():
            self._signal(signal.SIGTERM)
            await self.exited(GRACE_S)
        self.gone = self.gone or "dead"
        self.abort()
        await self._exited.wait()
        self._transport.close()

"""`parlour serve` as a process of its own, for commands that talk to an arena."""

import contextlib
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TypeVar

from parlour.server.accounts import Doorkeeper, Scope
from parlour.store.store import Store
from tests.cli.test_commands import ENVIRONMENT, ROOT
from tests.here import mistake_here as refused
from tests.here import printed
from tests.ports import free_row
from tests.store.stored import kept

__all__ = ["Served", "printed", "refused"]

T = TypeVar("T")
UP_WITHIN_S = 60.0
SETTINGS = """
port = {port}
store = "{store}"
log = "off"
tries_a_minute = 10000
quick_s = 300.0
[listeners]
[commands.forsale]
numbers = "exec+forsale:sh examples/forsale_numbers.sh"
"""


class Served:
    """An arena that can be killed, and started again where it was."""

    def __init__(
        self,
        folder: Path,
        settings: str = SETTINGS,
        environment: Mapping[str, str] = ENVIRONMENT,
        store: str | None = None,
    ) -> None:
        self._environment = environment
        port = free_row()
        self.url = f"http://127.0.0.1:{port}"
        self._store = store or f"sqlite:///{folder / 'arena.db'}"
        self._settings = folder / "arena.toml"
        self._settings.write_text(settings.format(port=port, store=self._store))
        self._told = folder / "told.txt"
        self._process: subprocess.Popen[bytes] | None = None

    def token(self, name: str, *scopes: Scope) -> str:
        """A token of a new account, which is an administrator if the token has that scope."""

        async def work(store: Store) -> str:
            door = Doorkeeper(store)
            account = await door.register(name, "long enough", admin="admin" in scopes)
            return (await door.make_token(account, scopes, "test"))[0]

        token: str = kept(self._store, work)
        return token

    def start(self) -> None:
        """Wait until the server answers."""
        command = [sys.executable, "-m", "parlour", "serve", "--settings", str(self._settings)]
        with self._told.open("ab") as told:
            self._process = subprocess.Popen(command, cwd=ROOT, env={**self._environment}, stderr=told)
        end = time.monotonic() + UP_WITHIN_S
        while not self._answers():
            assert self._process.poll() is None and time.monotonic() < end, self._told.read_text()
            time.sleep(0.02)

    def _answers(self) -> bool:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with contextlib.suppress(OSError, urllib.error.URLError), opener.open(f"{self.url}/health", timeout=10):
            return True
        return False

    def look(self, work: Callable[[Store], Awaitable[T]]) -> T:
        """Run some work on the store, and return its result. The server must be down."""
        found: T = kept(self._store, work)
        return found

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

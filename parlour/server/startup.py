"""Start an arena: bind the ports, lock the store, resume its matches, then accept clients."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing

from parlour.protocol.reports import tell, tell_bug
from parlour.server.main import Serving, served
from parlour.server.net.ports import bound
from parlour.server.settings import Settings
from parlour.store.database import locked
from parlour.store.failures import StoreGone, words_of
from parlour.store.lock import StoreLock
from parlour.store.store import Store


class LockLost(Exception):
    """The lock was lost, so another server may have the store."""


@asynccontextmanager
async def started(settings: Settings) -> AsyncIterator[tuple[Serving, "asyncio.Task[str]"]]:
    """A server with a locked store, and a task that ends with the reason when the lock is lost.

    From then on the store refuses all access; leave the block. CannotListen and StoreInUse are raised before the store
    is changed. LockLost is raised if the lock is lost during the start."""
    with closing(bound(settings)) as ports:
        lock = await locked(settings.store)
        try:
            store = await Store.open(settings.store, lock)
            watch = asyncio.create_task(_fenced_when_lost(store, lock))
            try:
                async with served(settings, store, ports) as serving:
                    yield serving, watch
            except StoreGone as e:
                if not watch.done():
                    raise
                raise LockLost(watch.result()) from e
            finally:
                watch.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await watch
                await store.close()
        finally:
            await lock.release()


async def _fenced_when_lost(store: Store, lock: StoreLock) -> str:
    try:
        why = await lock.lost()
    except Exception as e:  # without a watch the lock cannot be trusted
        tell_bug("lock", e)
        why = f"it cannot be watched: {words_of(e)}"
    store.fence(f"the lock of the store was lost: {why}")
    tell("store lost", logging.ERROR, words=why)
    return why

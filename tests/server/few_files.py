"""An arena that may have few files open: `python -m tests.server.few_files FOLDER MOST`. It prints its ports."""

import asyncio
import json
import resource
import sys
from pathlib import Path

from parlour.server.main import served
from parlour.server.net.web_server import run
from parlour.server.settings import Settings
from parlour.store.store import Store
from parlour.venues.colorfight.settings import RoomSettings


async def serve(folder: Path) -> None:
    url = f"sqlite:///{folder / 'arena.db'}"
    store = await Store.open(url)
    try:
        venues = {"colorfight": RoomSettings(rooms=0)}
        async with served(Settings(port=0, store=url, venues=venues, hello_s=3600.0), store) as serving:
            print(json.dumps([serving.port, serving.tcp_port]), flush=True)
            await asyncio.Event().wait()
    finally:
        await store.close()


if __name__ == "__main__":
    most = int(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    run(serve(Path(sys.argv[1])))

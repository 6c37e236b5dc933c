"""People who watch a room of ColorfightII on the page: 100 of them, 8 players, a round every 0.2 s.

    python bench/spectators.py [--spectators 100] [--rounds 100]

The server is an ordinary arena, a process of its own. Players use the game's own channels. Spectators get the full
feed, as the page does. All clients are in this process. Prints how late frames and views arrive, and what the server
spends.
"""

import argparse
import asyncio
import json
import tempfile
import urllib.request
from pathlib import Path

from colorfight_sockets import ROUND_S, WORD, Crowd, post, report
from load_processes import Server, serving
from websockets.asyncio.client import ClientConnection, connect

ROOM = "bench"
SETTINGS = {"max_turn": 2000, "round_time": ROUND_S, "allow_join_after_start": True}


class Audience(Crowd):
    """Players over the channels, and spectators over the full feed of the room's match."""

    def __init__(self, port: int, rounds: int, match: str) -> None:
        super().__init__(port, rounds)
        self.address = f"ws://127.0.0.1:{port}/gameroom/{ROOM}"
        self._feed = f"ws://127.0.0.1:{port}/watch/{match}?full=true"

    async def look_on(self, ready: asyncio.Barrier) -> None:
        async with connect(self._feed, max_size=None, compression=None, ping_interval=None, proxy=None) as feed:
            await ready.wait()
            while (turn := await self._next_view(feed)) <= self.rounds:
                self.arrivals[turn].append(asyncio.get_running_loop().time())

    async def _next_view(self, feed: ClientConnection) -> int:
        """Wait for the next view; its round."""
        while True:
            message = await feed.recv(decode=False)
            if message.startswith(b'{"type":"view"'):
                self.sizes.append(len(message))
                begin = message.index(b'"turn":') + len(b'"turn":')
                return int(message[begin : message.index(b",", begin)])


def new_room(port: int) -> str:
    """Make a room that starts on request; the id of its match."""
    said = {"gameroom_id": ROOM, "admin_password": WORD}
    post(port, "creategameroom", {**said, "config": "official"})
    before = running(port)
    post(port, "restart", {**said, "config": SETTINGS})
    while not (new := running(port) - before):
        pass
    return new.pop()


def running(port: int) -> set[str]:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    address = f"http://127.0.0.1:{port}/api/matches?game=colorfight&state=running"
    return {match["id"] for match in json.load(opener.open(address))["matches"]}


async def evening(server: Server, players: int, spectators: int, rounds: int) -> None:
    match = await asyncio.to_thread(new_room, server.port)
    crowd, ready = Audience(server.port, rounds, match), asyncio.Barrier(players + spectators + 1)
    everybody = [crowd.play(f"p{number}", ready) for number in range(players)]
    everybody += [crowd.look_on(ready) for _ in range(spectators)]
    clients = asyncio.gather(*everybody)
    await ready.wait()
    before = server.process.cpu_s()
    await asyncio.to_thread(post, server.port, "start", {"gameroom_id": ROOM, "admin_password": WORD})
    await asyncio.wait_for(clients, rounds * ROUND_S + 120)
    report(crowd, players + spectators, server.process.cpu_s() - before)
    print(f"memory of the server: {server.process.memory_kib() / 1024:.0f} MiB")


async def work(players: int, spectators: int, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = f"sqlite:///{Path(folder) / 'store.db'}"
        async with serving(store, PARLOUR_VENUES_COLORFIGHT_ROOMS="15") as server:
            await evening(server, players, spectators, rounds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--spectators", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=100)
    given = parser.parse_args()
    asyncio.run(work(given.players, given.spectators, given.rounds))


if __name__ == "__main__":
    main()

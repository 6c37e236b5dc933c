"""A room of ColorfightII under load: 8 who play, 100 who look on, a round every 0.2 s. Prints how the beat was held.

    python bench/colorfight_sockets.py

The server is a process of its own, as anybody starts it; all clients are in this one.
"""

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import urllib.request
from collections import defaultdict
from pathlib import Path

import msgspec
from websockets.asyncio.client import ClientConnection, connect

ROUND_S = 0.2
ROOT = Path(__file__).parents[1]
SETTINGS = ("max_turn=2000", f"round_time={ROUND_S}", "first_round_time=never")
WORD = "bench"

Arrivals = dict[int, list[float]]
"""By turn, when its frame came to each client."""


class Crowd:
    """All clients of one room."""

    def __init__(self, port: int, rounds: int) -> None:
        self.address = f"ws://127.0.0.1:{port}/gameroom/public"
        self.rounds = rounds
        self.arrivals: Arrivals = defaultdict(list)
        self.sizes: list[int] = []
        self.refused = 0

    async def look_on(self, ready: asyncio.Barrier) -> None:
        async with self._channel("game_channel") as shows:
            await ready.wait()
            while await self._frame(shows):
                pass

    async def play(self, name: str, ready: asyncio.Barrier) -> None:
        async with self._channel("game_channel") as shows, self._channel("action_channel") as takes:
            uid = (await _ask(takes, {"action": "register", "username": name, "password": name}))["uid"]
            await ready.wait()
            while frame := await self._frame(shows):
                if _turn(frame) and (chosen := orders(frame, uid)):
                    reply = await _ask(takes, {"action": "command", "cmd_list": chosen})
                    self.refused += not reply["success"]

    def _channel(self, name: str) -> connect:
        return connect(f"{self.address}/{name}", max_size=None, compression=None, ping_interval=None, proxy=None)

    async def _frame(self, shows: ClientConnection) -> bytes | None:
        """The next; None once all rounds have been seen. One that only tells of a newcomer counts for nothing."""
        frame = await shows.recv(decode=False)
        turn = _turn(frame)
        self.arrivals[turn].append(asyncio.get_running_loop().time())
        self.sizes.append(len(frame))
        return frame if turn <= self.rounds else None


def _turn(frame: bytes) -> int:
    """It stands at the front."""
    return int(frame[8 : frame.index(b",")])


async def _ask(takes: ClientConnection, message: object) -> dict[str, int]:
    await takes.send(json.dumps(message))
    reply: dict[str, int] = json.loads(await takes.recv())
    return reply


def orders(frame: bytes, uid: int) -> list[str]:
    """Wells on what is one's own, and attacks on what lies beside it, the cheapest first; of the dead, none."""
    seen = msgspec.json.decode(frame)
    me, rows = seen["users"][str(uid)], seen["game_map"]["data"]
    at = {name: place for place, name in enumerate(seen["game_map"]["headers"])}
    cost, owner, energy = at["attack_cost"], at["owner"], me["energy"]
    near = {(x + a, y + b) for x, y in me["cells"] for a, b in ((0, -1), (0, 1), (-1, 0), (1, 0))}
    border = [(rows[y][x][cost], x, y) for x, y in near if 0 <= x < 30 and 0 <= y < 30 and rows[y][x][owner] != uid]
    chosen = [f"b {x} {y} e" for x, y in me["cells"] if rows[y][x][at["building"]][0] == " "][: me["gold"] // 100]
    for price, x, y in sorted(border):
        if price <= energy:
            energy -= price
            chosen.append(f"a {x} {y} {price}")
    return chosen[:1000]


def cpu_s(pid: int) -> float:
    """Processor time of a process, user and system."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def evening(port: int, pid: int, players: int, spectators: int, rounds: int) -> None:
    crowd, ready = Crowd(port, rounds), asyncio.Barrier(players + spectators + 1)
    everybody = [crowd.play(f"p{number}", ready) for number in range(players)]
    everybody += [crowd.look_on(ready) for _ in range(spectators)]
    clients = asyncio.gather(*everybody)
    await ready.wait()
    before = cpu_s(pid)
    await asyncio.to_thread(post, port, "start", {"gameroom_id": "public", "admin_password": WORD})
    await asyncio.wait_for(clients, rounds * ROUND_S + 60)
    report(crowd, players + spectators, cpu_s(pid) - before)


def report(crowd: Crowd, clients: int, spent_s: float) -> None:
    """The beat is laid as early as any frame allows: nothing is early, and lateness is counted from it."""
    turns = range(1, crowd.rounds + 1)
    began = min(min(crowd.arrivals[turn]) - turn * ROUND_S for turn in turns if crowd.arrivals[turn])
    late = [[came - began - turn * ROUND_S for came in crowd.arrivals[turn]] for turn in turns]
    missed = sum(max(0, clients - len(times)) for times in late)
    held = sum(len(times) == clients and max(times) < ROUND_S for times in late)
    print(f"rounds in which all {clients} had the frame before the next was due: {held} of {len(turns)}")
    print(f"frames that somebody missed: {missed} of {clients * len(turns)}; lists refused: {crowd.refused}")
    print(f"late, the first of all to have it: {spread([min(times) for times in late if times])}")
    print(f"late, the last of all to have it:  {spread([max(times) for times in late if times])}")
    print(f"a frame has {min(crowd.sizes):,} to {max(crowd.sizes):,} bytes; {sum(crowd.sizes) / 1e6:,.0f} MB in all")
    print(f"processor time of the server: {spent_s:.2f} s in {len(turns) * ROUND_S:.0f} s")


def spread(times: list[float]) -> str:
    return f"median {sorted(times)[len(times) // 2] * 1000:.0f} ms, worst {max(times) * 1000:.0f} ms"


def post(port: int, call: str, body: object) -> None:
    request = urllib.request.Request(f"http://127.0.0.1:{port}/{call}", json.dumps(body).encode())
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    assert json.load(opener.open(request))["success"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--spectators", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=50)
    given = parser.parse_args()
    command = [sys.executable, "-m", "parlour", "host", "colorfight", "--port", "0", "--admin-password", WORD]
    command += [word for setting in SETTINGS for word in ("--set", setting)]
    wide = {**os.environ, "COLUMNS": "200"}
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, env=wide) as server:
        try:
            assert server.stderr is not None
            found = re.search(r"127\.0\.0\.1:(\d+)", server.stderr.readline())
            assert found is not None, "the server did not start"
            asyncio.run(evening(int(found[1]), server.pid, given.players, given.spectators, given.rounds))
        finally:
            server.kill()


if __name__ == "__main__":
    main()

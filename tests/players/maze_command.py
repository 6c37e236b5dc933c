"""`parlour host maze` as a command, and commands that play at its table."""

import asyncio
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from parlour.games.maze.observer import referee_state
from parlour.games.maze.rules import State
from parlour.games.maze.values import Options, Prepared
from tests.games.maze.tables import crosses, fresh, position
from tests.players.maze_room import Player
from tests.turned import SOON_S, soon

ROOT = Path(__file__).parents[2]

FIVE = position(crosses(7, 7), "1,1 1,3 1,5 3,1 3,3", "5,5 5,3 5,1 3,5 5,5")

SOURCE_CHILD = """
import codecs, json, os, sys
decode, text, me = codecs.getincrementaldecoder("utf-8")().decode, "", ""
while data := os.read(0, 65536):
    text += decode(data)
    while text:
        try:
            message, end = json.JSONDecoder().raw_decode(text)
        except ValueError:
            break
        text, body = text[end:], message["body"]
        if body["type"] == "Registration":
            me = body["playerId"]
        elif body["type"] == "RequestAction":
            slide = {"direction": "LEFT", "index": 0, "rotations": 0}
            move = {"type": "MOVE", "slideAction": slide, "moveTo": body["turnInfo"]["goal"]}
            if body["stateInfo"]["playerInfo"][me]["position"] == body["turnInfo"]["goal"]:
                move = {"type": "PASS"}
            reply = {"type": "RESPONSE", "id": message["id"], "body": {"type": "ResponseAction", "move": move}}
            os.write(1, json.dumps(reply).encode())
        elif body["type"] == "GameOver":
            print(me, body["winner"], file=sys.stderr, flush=True)
"""

OWN_CHILD = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "name": "own"}), flush=True)
    elif message["type"] == "ask":
        view = message["view"]
        (row, column), at = view["goal"], view["avatars"][view["seat"]]["at"]
        move = {"type": "Move", "index": 0, "direction": "LEFT", "degrees": 0, "row": row, "column": column}
        action = {"type": "Pass"} if at == view["goal"] else move
        print(json.dumps({"type": "answer", "id": message["id"], "action": action}), flush=True)
"""


def children(folder: Path) -> list[str]:
    """Players from the command line: in our own protocol, and in the source text's."""
    (folder / "own.py").write_text(OWN_CHILD)
    (folder / "stdio.py").write_text(SOURCE_CHILD)
    return [f"exec:{sys.executable} {folder / 'own.py'}", f"exec+maze:{sys.executable} {folder / 'stdio.py'}"]


class Host:
    """`parlour host maze` in a process of its own. Nobody is late, unless there is a limit among the words."""

    def __init__(self, *words: str) -> None:
        self.words = [*words, *([] if "--limit" in words else ["--limit", "60"]), "--name-within", "60"]

    async def __aenter__(self) -> "Host":
        command = [sys.executable, "-m", "parlour", "host", "maze", *self.words, "--port", "0", "--course-port", "0"]
        pipe = asyncio.subprocess.PIPE
        environment = {**os.environ, "COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb"}
        self.process = await asyncio.create_subprocess_exec(
            *command, stdout=pipe, stderr=pipe, cwd=ROOT, env=environment
        )
        assert self.process.stderr is not None
        self.said: list[str] = []
        async with asyncio.timeout(2 * SOON_S):
            while not self.said or not self.said[-1].startswith("Maze on "):
                self.said.append((await self.process.stderr.readline()).decode())
        where = [word.rstrip(";") for word in self.said[-1].split() if word.startswith("127.0.0.1:")]
        self.source_port, self.course_port = [int(word.partition(":")[2]) for word in where]
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.process.returncode is None:
            self.process.kill()
        await self.process.communicate()

    async def result(self) -> Any:
        """The one line it prints, when it has ended well."""
        out, error = await self.process.communicate()
        assert self.process.returncode == 0, error.decode()
        [line] = out.decode().splitlines()
        return json.loads(line)

    async def signed_up(self) -> None:
        assert self.process.stderr is not None
        assert b"signs up" in await soon(self.process.stderr.readline())


def state_file(folder: Path, start: Prepared) -> str:
    """A referee's state, in the course's form."""
    (folder / "state.json").write_text(json.dumps(referee_state(placed(start))))
    return str(folder / "state.json")


def placed(start: Prepared) -> State:
    return State.new(len(start.players), Options(), start, fresh(2).dice)


async def guests(host: Any, clients: Sequence[Player]) -> Any:
    for client in clients:
        client.begin(host)
        await host.signed_up()
    return await host.result()

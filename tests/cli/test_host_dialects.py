"""`parlour host` as a process: all protocols of its game lead to the same table."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.cli.test_commands import ENVIRONMENT, ROOT
from tests.games.dominion.test_examples import guest

WITHIN_S = 60.0


class Host:
    """A host of one match."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stderr is not None
        self._process = process
        self.announced = ""
        while "in a browser" not in self.announced:
            line = process.stderr.readline()
            assert line, self.announced
            self.announced += line

    def found(self, words: str) -> str:
        found = re.search(words, self.announced)
        assert found is not None, self.announced
        return found[1]

    def result(self) -> dict[str, Any]:
        """The only result, after which the host exits."""
        told, _ = self._process.communicate(timeout=WITHIN_S)
        assert self._process.returncode == 0
        result: dict[str, Any] = json.loads(told)
        return result


@contextmanager
def hosting(*words: str, env: Mapping[str, str] = ENVIRONMENT) -> Iterator[Host]:
    command = [sys.executable, "-m", "parlour", "host", *words, "--once", "--web-port", "0", "--limit", "60"]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
    ) as process:
        try:
            yield Host(process)
        finally:
            process.kill()


def passes(url: str) -> set[str]:
    """Sit down over WebSocket and end every turn. Returns in which types of JSON the supply was told."""
    told = set()
    with connect(url, proxy=None, open_timeout=WITHIN_S) as socket:
        try:
            while True:
                message = json.loads(socket.recv(WITHIN_S))
                match message["type"]:
                    case "player-name-request":
                        you = {"player_number": message["player_number"], "name": "Passes", "version": 1}
                        socket.send(json.dumps({"type": "player-name-reply", **you}))
                    case "play-turn":
                        socket.send('{"type": "play-reply", "phase": "cleanup"}')
                    case "supply-info":
                        told.add(type(message["cards"]).__name__)
        except ConnectionClosed:
            return told


def test_clients_of_all_dialects_meet_at_one_table() -> None:
    with hosting("dominion", "--seats", "3") as host:
        ports = [int(host.found(r"Dominion on \S+:(\d+)")), int(host.found(r"dialect text: .* TCP \S+:(\d+)"))]
        starters = [guest(port) for port in ports]
        assert passes(host.found(r"dialect text: (\S+),")) == {"list"}
        result = host.result()
        assert [starter.wait(timeout=WITHIN_S) for starter in starters] == [0, 0]
    assert sorted(result["players"]) == ["Passes", "Python starter", "Python starter"]
    assert (result["void"], result["left"], result["faults"]) == (None, {}, [{}, {}, {}])


def test_the_usual_dialect_stays_when_another_is_chosen() -> None:
    with hosting("dominion", "--seats", "3", "--dialect", "text") as host:
        usual = host.found(r"dialect json: (\S+),")
        assert usual.endswith("/ws/dominion/json")
        starters = [guest(int(host.found(words))) for words in (r"Dominion on \S+:(\d+)", r"json: .* TCP \S+:(\d+)")]
        assert passes(usual) == {"dict"}
        assert host.result()["faults"] == [{}, {}, {}]
        assert [starter.wait(timeout=WITHIN_S) for starter in starters] == [0, 0]

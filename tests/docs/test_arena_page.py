"""The page on hosting an arena, followed by somebody who has never seen one."""

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from parlour.games import game
from parlour.referee.replay import verify
from parlour.server.settings import usual_ports
from tests.docs.guests import PARLOUR, PATIENCE_S
from tests.docs.pages import ROOT, commands, page
from tests.ports import free_row

pytestmark = pytest.mark.timeout(600)  # ten programs are started, one after the other

ENVIRONMENT = {**os.environ, "NO_PROXY": "*", "no_proxy": "*", "COLUMNS": "200"}
SETTINGS = """
quick_s = 1.0
log = "off"
"""
SCREEN = re.findall(r"^```text\n(The arena is at .*?)\n```$", page("arena.md"), re.M | re.S)[0].splitlines()


class Reader:
    """Types what the page says, but for the ports, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.first = free_row(len(usual_ports()) + 2)
        (folder / "arena.toml").write_text(SETTINGS)

    def here(self, text: str) -> str:
        return re.sub(r"\b800(\d)\b", lambda found: str(self.first + int(found[1])), text)

    @contextmanager
    def serving(self) -> Iterator["subprocess.Popen[str]"]:
        command = [*PARLOUR, "serve", "--settings", "arena.toml", "--port", str(self.first)]
        with subprocess.Popen(command, cwd=self.folder, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT) as server:
            try:
                yield server
            finally:
                server.kill()

    def types(self, command: str, said: str = "", **environment: str) -> str:
        """What it prints, once it is done."""
        words = [*PARLOUR, *self.here(command).split()[1:]]
        done = subprocess.run(
            words,
            cwd=self.folder,
            input=said,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            env={**ENVIRONMENT, **environment},
        )
        assert done.returncode == 0, (command, done.stderr)
        return done.stdout

    def sets_up_a_table(self, token: str) -> str:
        """As the page does, and told what the page is told."""
        [new] = commands("arena.md", "parlour table new")
        told = self.types(new, PARLOUR_TOKEN=token)
        [shown] = re.findall(r"^```text\n(table .*?)\n```$", page("arena.md"), re.M | re.S)
        assert [line.split()[0] for line in told.splitlines()] == [line.split()[0] for line in shown.splitlines()]
        return told.split()[1]


def plain(line: str) -> str:
    return " ".join(line.split())


def screen(server: "subprocess.Popen[str]") -> list[str]:
    """What it tells when it starts."""
    assert server.stderr is not None
    told: list[str] = []
    while not told or not told[-1].startswith("try "):
        line = server.stderr.readline()
        assert line, told
        told.append(plain(line))
    return told


def test_a_stranger_follows_the_pages(tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    with reader.serving() as server:
        told = screen(server)
        assert [plain(reader.here(line)) for line in SCREEN] == told[: len(SCREEN)]
        reader.types("parlour admin create ada --password-stdin", "long enough\n")
        token = reader.types("parlour admin token ada").strip()
        table = reader.sets_up_a_table(token)
        ten_lines = ROOT / "examples" / "ten_lines.py"
        assert "rank" in reader.types(f"parlour join http://127.0.0.1:8000 forsale {ten_lines} --table {table}")
        [fetch] = commands("arena.md", "parlour table transcript")
        reader.types(fetch.replace(" ID ", f" {table} "))
        assert verify((tmp_path / "m.jsonl").read_bytes(), game).holds == "yes"
        reader.types(*commands("backup.md", "parlour admin backup"))
        server.send_signal(signal.SIGTERM)
        assert server.wait(PATIENCE_S) == 128 + signal.SIGTERM
    reader.types(*commands("backup.md", "parlour admin check"))
    for command in commands("backup.md", "rm ") + commands("backup.md", "mv "):
        subprocess.run(command, shell=True, cwd=tmp_path, check=True)
    assert (tmp_path / "arena.db").is_file() and not (tmp_path / "arena-copy.db").exists()

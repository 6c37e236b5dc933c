"""`parlour join`: bots and commands of this machine at an arena, as their authors run them."""

import contextlib
import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from parlour.client.api import ArenaApi
from tests.cli.served import Served
from tests.cli.test_commands import ENVIRONMENT
from tests.here import ROOT, Done, here, printed

pytestmark = pytest.mark.timeout(600)

GATED = """
import json, pathlib, sys, time
folder = pathlib.Path(sys.argv[1])
with (folder / "starts").open("a") as starts:
    starts.write("started\\n")
asked = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "hello", "name": "gated"}', flush=True)
    elif message["type"] == "ask":
        asked += 1
        if asked == 4:
            (folder / "waits").touch()
            while not (folder / "go").exists():
                time.sleep(0.01)
        print(json.dumps({"type": "answer", "id": message["id"], "action": message["ask"]["choices"][0]}), flush=True)
"""
"""At its fourth ask it waits until it is let go on."""


def new(arena: Served, host: str, *words: str) -> tuple[str, str]:
    """Its id, and its key."""
    created: dict[str, Any] = json.loads(printed("table", "new", arena.url, *words, "--token", host, "--json"))
    return created["table"]["id"], created["key"] or ""


def started(arena: Served, *words: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "parlour", "join", arena.url, *words]
    return subprocess.Popen(
        command, cwd=ROOT, env=ENVIRONMENT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def refused(*words: str) -> str:
    """The last line that is printed, after news of the match."""
    done = here("join", *words)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    *_, last = done.stderr.splitlines()
    assert last.startswith("parlour: ")
    return last.removeprefix("parlour: ")


def kept_stderr(arena: Served, token: str, match: str) -> str:
    """What the arena shows to the owner of the seat."""
    headers = {"Authorization": f"Bearer {token}"}
    said = httpx.get(f"{arena.url}/api/matches/{match}/stderr", headers=headers, trust_env=False)
    text: str = said.json()["text"]
    return text


def wait_for(file: Path, playing: "subprocess.Popen[str]") -> None:
    end = time.monotonic() + 60
    while not file.exists():
        assert playing.poll() is None and time.monotonic() < end
        time.sleep(0.02)


# Playing


def test_a_shell_script_another_language_and_a_file_play_match_after_match(arena: Served, tmp_path: Path) -> None:
    players = {
        "numbers": "exec+forsale:sh examples/forsale_numbers.sh",
        "lines": f"exec:{sys.executable} examples/any_language.py",
        "ten": "examples/ten_lines.py",
    }
    *others, last = [
        ("forsale", bot, "--matches", "2", "--name", name, "--receipt", str(tmp_path / "all" / name))
        for name, bot in players.items()
    ]
    joined = [started(arena, *words) for words in others]
    ended = [here("join", arena.url, *last)]
    for playing in joined:
        out, told = playing.communicate(timeout=100)
        ended.append(Done(playing.returncode, out, told))
    ranks = []
    for done in ended:
        told = done.stderr
        assert done.returncode == 0, told
        first, second, tally = done.stdout.splitlines()
        assert first.startswith("1/2  ") and second.startswith("2/2  ") and tally.startswith("2 matches: rank ")
        assert "Waiting for the next table of For Sale; Ctrl-C leaves" in told
        assert all(name in told for name in players) and "trying again" not in told
        ranks += [int(rank) for rank in re.findall(r"rank (\d) of 3", first + second)]
    assert len(ranks) == 6 and ranks.count(1) >= 2
    for name in players:  # every one of them can prove both matches
        for receipt in (tmp_path / "all" / name).iterdir():
            record = tmp_path / f"{receipt.stem}.jsonl"
            if not record.exists():
                printed("table", "transcript", arena.url, receipt.stem, "--out", str(record))
            assert "your match: " in printed("verify", str(record), "--receipt", str(receipt))
        assert len([*(tmp_path / "all" / name).iterdir()]) == 2


def test_the_result_is_shown_and_an_invited_seat_is_had_with_its_key(arena: Served, host: str) -> None:
    table, key = new(arena, host, "forsale", "invited", "minimum", "random")
    done = here("join", arena.url, "forsale", "minimum", "--table", table, "--key", key, "--name", "ada")
    assert done.returncode == 0, done.stderr
    assert re.search(r"[123] .* ada-\w+ ", done.stdout) and "rank" in done.stdout
    assert re.search(rf"^{table}: rank \d of 3 with \d+, seat 0$", done.stdout, re.M)
    assert f"Match {table} begins: ada-" in done.stderr


def test_a_command_plays_on_when_the_arena_is_killed_and_comes_again(arena: Served, host: str, tmp_path: Path) -> None:
    (tmp_path / "gated.py").write_text(GATED)
    table, _ = new(arena, host, "forsale", "open", "minimum", "random", "--limit", "300")
    bot, mine = f"exec:{sys.executable} {tmp_path / 'gated.py'} {tmp_path}", tmp_path / "mine"
    playing = started(arena, "forsale", bot, "--table", table, "--receipt", str(mine))
    wait_for(tmp_path / "waits", playing)
    arena.kill()
    arena.start()
    (tmp_path / "go").touch()
    out, told = playing.communicate(timeout=100)
    assert playing.returncode == 0, told
    assert f"{table}: rank " in out and "trying again" in told and "faults" not in out
    assert (tmp_path / "starts").read_text() == "started\n"
    key = ArenaApi(arena.url).key()
    assert f"Receipt: {mine}, signed with the key {key}" in told
    record = printed_record(arena, table, tmp_path)
    assert "your match: " in printed("verify", "--receipt", str(mine), "--key", key, str(record))
    assert mine.read_text().count('"kind":"seat"') == 2, "over two connections"


def test_a_player_that_is_killed_goes_on_with_its_receipt(arena: Served, tmp_path: Path) -> None:
    """The answer to the fourth ask is given by two processes, and taken once."""
    (tmp_path / "gated.py").write_text(GATED)
    token, mine = arena.token("killed", "play", "host"), tmp_path / "mine"
    table, _ = new(arena, token, "forsale", "open", "minimum", "random", "--limit", "300")
    words = ("forsale", f"exec:{sys.executable} {tmp_path / 'gated.py'} {tmp_path}", "--table", table, "--token", token)
    playing = started(arena, *words, "--receipt", str(mine))
    wait_for(tmp_path / "waits", playing)
    playing.kill()
    playing.communicate(timeout=100)
    (tmp_path / "go").touch()
    printed("join", arena.url, *words, "--receipt", str(mine))
    record = printed_record(arena, table, tmp_path)
    assert "your match: " in printed("verify", str(record), "--receipt", str(mine))
    other = refused(arena.url, *words, "--receipt", str(mine))
    assert other == f"--receipt: {mine} is the receipt of a match that is over; give another file"


def printed_record(arena: Served, table: str, folder: Path) -> Path:
    """The record, once the arena has it."""
    end = time.monotonic() + 60
    while json.loads(printed("table", "show", arena.url, table, "--json"))["state"] == "running":
        assert time.monotonic() < end
    printed("table", "transcript", arena.url, table, "--out", str(folder / "m.jsonl"))
    return folder / "m.jsonl"


# Trouble


def test_faults_are_told_with_their_cost_and_counted(arena: Served, host: str, tmp_path: Path) -> None:
    (tmp_path / "junk.sh").write_text(
        "while read -r line; do case $line in "
        '*\'"type":"hello"\'*) echo \'{"type":"hello"}\' ;; '
        '*\'"type":"ask"\'*) echo nonsense; echo what now >&2 ;; '
        "esac; done"
    )
    table, _ = new(arena, host, "forsale", "open", "minimum", "random")
    done = here("join", arena.url, "forsale", f"exec:sh {tmp_path / 'junk.sh'}", "--table", table, "--token", host)
    assert done.returncode == 0, done.stderr
    assert re.search(r"; faults: not_a_message \d+$", done.stdout, re.M)
    assert "  unreadable not_a_message: not a message of protocol 1" in done.stderr
    assert "; played instead: pass" in done.stderr and "  what now" in done.stderr
    assert set(kept_stderr(arena, host, table).splitlines()) == {"what now"}


def test_the_last_words_of_a_command_that_crashes_reach_its_owner(arena: Served, host: str, tmp_path: Path) -> None:
    (tmp_path / "bot.sh").write_text('read -r x; echo \'{"type":"hello"}\'; read -r x; echo no idea >&2; exit 3')
    table, _ = new(arena, host, "forsale", "open", "minimum", "random")
    said = refused(arena.url, "forsale", f"exec:sh {tmp_path / 'bot.sh'}", "--table", table, "--token", host)
    assert said.endswith("saying: no idea") and kept_stderr(arena, host, table) == "no idea\n"


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (
            "echo no model >&2; exit 4",
            "bot: was gone before it introduced itself; it exited with status 4, saying: no model",
        ),
        (
            'read -r x; echo \'{"type":"hello"}\'; read -r x; echo gone >&2; exit 3',
            "bot: exited with status 3 before the end, saying: gone",
        ),
        ("read -r x; echo nonsense; read -r x", "bot: the first message must be a hello"),
        ('read -r x; echo \'{"type":"hello"}\'; read -r x; kill -9 $$', "bot: was ended by signal 9 before the end"),
    ],
)
def test_a_command_that_does_not_stay_is_told_of(
    arena: Served, host: str, tmp_path: Path, script: str, said: str
) -> None:
    (tmp_path / "bot.sh").write_text(script + "\n")
    table, _ = new(arena, host, "forsale", "open", "minimum", "random")
    assert refused(arena.url, "forsale", f"exec:sh {tmp_path / 'bot.sh'}", "--table", table).startswith(said)


def test_what_the_arena_refuses(arena: Served, host: str) -> None:
    url = arena.url
    table, _ = new(arena, host, "forsale", "invited", "minimum", "random")
    for words, said in [
        (("random", "--table", "nowhere"), "nowhere: there is no such table or match"),
        (("random", "--table", table), f"{table}: the free seats need the key of the table"),
        (("random", "--table", table, "--key", "guess"), f"{table}: that key does not open its seats"),
        (("random", "--token", "wrong"), f"{url}: a valid token is needed"),
        (("exec:/no/such/bot",), "cannot start '/no/such/bot': No such file or directory"),
    ]:
        assert refused(url, "forsale", *words) == said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("chess", "random"), "there is no game 'chess'"),
        (("forsale", "randm"), "unknown player 'randm'"),
        (("forsale", "random", "--key", "k"), "--key: a key is for a table; say which with --table"),
        (("forsale", "random", "--table", "t", "--matches", "2"), "--matches: at a table one match is played"),
        (("forsale", "random", "--name", ""), "--name: a name is text of 1 to 64 characters"),
        (("forsale", "random", "--name", "a\nb"), "--name: a name has printable characters only, and character 2 of"),
        (
            ("forsale", "random", "--matches", "2", "--receipt", "README.md"),
            "--receipt: for several matches it must be",
        ),
        (
            ("forsale", "random", "--receipt", "README.md"),
            "--receipt: README.md is not a receipt: line 1: is not a line of a",
        ),
        (("forsale", "random"), "http://127.0.0.1:1: no answer: Connection refused"),
    ],
)
def test_a_mistake_is_told_at_once(words: tuple[str, ...], said: str) -> None:
    assert refused("http://127.0.0.1:1", *words).startswith(said)


def test_it_shows_how_it_is_used() -> None:
    assert 'parlour join http://127.0.0.1:8000 GAME "exec:./mybot" --matches 100' in printed("join", "--help")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_client_that_is_told_to_leave_leaves_no_command_behind(
    arena: Served, host: str, tmp_path: Path, number: int, code: int
) -> None:
    (tmp_path / "gated.py").write_text(GATED)
    table, _ = new(arena, host, "forsale", "open", "minimum", "random", "--limit", "300")
    command = f"exec:{sys.executable} {tmp_path / 'gated.py'} {tmp_path}"
    playing = started(arena, "forsale", command, "--table", table)
    wait_for(tmp_path / "waits", playing)
    playing.send_signal(number)
    _, told = playing.communicate(timeout=100)
    assert playing.returncode == code and "Traceback" not in told
    until = time.monotonic() + 60.0
    while any(str(tmp_path) in line for line in _commands()):  # a killed process may take a moment to end
        assert time.monotonic() < until, "a command was left behind"
        time.sleep(0.05)


def _commands() -> list[str]:
    """What runs on this machine."""
    lines = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            lines.append(path.read_bytes().decode(errors="replace"))
    return lines

"""`parlour table`, run as a person runs it, against an arena that runs as a person runs it."""

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.cli.served import Served
from tests.cli.test_commands import mistake, parlour
from tests.here import here, printed
from tests.here import mistake_here as refused

pytestmark = pytest.mark.timeout(600)


def table(arena: Served, *words: str) -> str:
    """What is printed."""
    command, *rest = words
    return printed("table", command, arena.url, *rest)


def new(arena: Served, host: str, *words: str) -> dict[str, Any]:
    created: dict[str, Any] = json.loads(printed("table", "new", arena.url, *words, "--token", host, "--json"))
    return created


def shown(arena: Served, id: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(printed("table", "show", arena.url, id, "--json"))
    return found


def over(arena: Served, id: str) -> dict[str, Any]:
    end = time.monotonic() + 60
    while (found := shown(arena, id))["state"] in ("open", "running"):
        assert time.monotonic() < end
    return found


# Setting up


def test_a_new_table_is_told_with_where_to_connect(arena: Served, host: str) -> None:
    done = parlour("table", "new", arena.url, "forsale", "--token", host)
    lines = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
    id = lines["table"]
    assert lines["connect"] == f"ws{arena.url.removeprefix('http')}/play/forsale/{id}"
    assert lines["commit"].startswith(id) and len(lines["commit"]) == 64
    assert lines["to"] == f"join   parlour join {arena.url} forsale BOT --table {id}"
    assert [seat["kind"] for seat in shown(arena, id)["seats"]] == ["open", "open", "open"]


def test_the_key_for_invited_seats_is_told_once(arena: Served, host: str) -> None:
    told = table(arena, "new", "forsale", "invited", "invited", "minimum", "--token", host)
    [key] = [line.split()[1] for line in told.splitlines() if line.startswith("key ")]
    assert f"--key {key}" in told
    id = told.split()[1]
    assert key not in table(arena, "show", id) + json.dumps(shown(arena, id))


def test_what_a_table_is_played_under_is_what_was_asked_for(arena: Served, host: str) -> None:
    words = ("--limit", "2.5", "--bank", "30", "--wait", "60", "--quick", "--set", "turn_cap=12")
    created = new(arena, host, "dominion", "open", "money", *words)
    assert created["connect"].endswith(f"/play/dominion/{created['table']['id']}") and created["key"] is None
    terms = shown(arena, created["table"]["id"])["terms"]
    times = {"limit_s": 2.5, "bank_s": 30, "wait_s": 60, "pace_s": 0}
    assert terms == {"options": {"turn_cap": 12}, **times, "quick": True, "chat": False}
    told = table(arena, "show", created["table"]["id"])
    assert "2.5 s for an answer, 30 s in the bank" in told and "turn_cap=12" in told and "free" in told


def test_a_token_may_lie_in_the_environment(arena: Served, host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_TOKEN", host)
    assert table(arena, "new", "forsale").startswith("table ")


# Looking after them


def test_a_match_of_bots_and_a_command_of_the_hosts_is_played_fetched_and_proved(
    arena: Served, host: str, tmp_path: Path
) -> None:
    begun = table(arena, "new", "forsale", "minimum", "random", "command:numbers", "--token", host)
    id = begun.split()[1]
    assert f"to see    parlour table show {arena.url} {id} " in begun and "to join" not in begun
    match = over(arena, id)
    assert match["state"] == "over" and [seat["name"] for seat in match["seats"]] == ["minimum", "random", "numbers"]
    assert sorted(seat["rank"] for seat in match["seats"])[0] == 1
    record = tmp_path / "m.jsonl"
    done = here("table", "transcript", arena.url, id, "--out", str(record))
    assert done.returncode == 0 and f"parlour verify {record}" in done.stderr.replace("\n", " ")
    assert printed("verify", str(record)).startswith("holds: ")
    assert parlour("table", "transcript", arena.url, id).stdout.encode() == record.read_bytes()
    assert "exists already" in refused("table", "transcript", arena.url, id, "--out", str(record))
    told = table(arena, "show", id)
    assert "For Sale, over" in told and "rank" in told and f"parlour table transcript {arena.url} {id}" in told


def test_tables_are_listed_the_newest_first_and_some_of_them(arena: Served, host: str) -> None:
    ids = [new(arena, host, "dominion", "open", "money")["table"]["id"] for _ in range(2)]
    bots = new(arena, host, "dominion", "money", "money")["table"]["id"]
    over(arena, bots)
    found = json.loads(printed("table", "list", arena.url, "--game", "dominion", "--json"))
    assert [match["id"] for match in found][:3] == [bots, *reversed(ids)]
    few = ("--game", "dominion", "--state", "open", "--limit", "2", "--json")
    waiting = json.loads(printed("table", "list", arena.url, *few))
    assert [match["id"] for match in waiting] == [*reversed(ids)]
    told = table(arena, "list", "--game", "dominion")
    assert told.index(bots) < told.index(ids[1]) < told.index(ids[0]) and "open, money" in told and "ago" in told


def test_a_list_of_nothing_says_so(arena: Served) -> None:
    done = here("table", "list", arena.url, "--state", "void")
    assert (done.returncode, done.stdout) == (0, "") and done.stderr == f"There are no such tables at {arena.url}\n"
    assert json.loads(printed("table", "list", arena.url, "--state", "void", "--json")) == []


def test_a_table_is_given_up_by_its_owner_alone(arena: Served, host: str) -> None:
    other = arena.token("other", "play", "host")
    id = new(arena, host, "forsale")["table"]["id"]
    assert refused("table", "drop", arena.url, id, "--token", other) == f"{id}: the table belongs to another account"
    table(arena, "drop", id, "--token", host)
    assert shown(arena, id)["state"] == "dropped"
    assert refused("table", "drop", arena.url, id, "--token", host).startswith(f"{id}: there is no open table")


# Mistakes

NOWHERE = "http://127.0.0.1:1"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("chess",), "there is no game 'chess'. There is: forsale"),
        (("forsale", "opn"), "unknown seat 'opn' of For Sale: write open, invited, command:NAME"),
        (("forsale", "command:"), "unknown seat 'command:' of For Sale"),
        (("forsale", "open"), "For Sale has 3 to 6 seats, not 1"),
        (("dominion", "--set", "cap=3"), "--set cap=3: Dominion has no option 'cap'. It has: turn_cap"),
        (
            ("dominion", "--set", "turn_cap=many"),
            "--set turn_cap=many: turn_cap has an invalid value; allowed: 1 to 500",
        ),
        (("forsale", "--limit", "0"), "--limit must be above 0 and at most 3,600 s"),
        (("forsale", "--limit", "nan"), "--limit must be above 0 and at most 3,600 s"),
        (("forsale", "--bank", "-1"), "--bank must be at least 0 and at most 3,600 s"),
        (("forsale", "--wait", "1e6"), "--wait must be above 0 and at most 86,400 s"),
        (("forsale",), "to set up a table you need a token: give it with --token or in PARLOUR_TOKEN"),
        (("forsale", "--token", "a b"), f"{NOWHERE}: invalid token"),
        (("forsale", "--token", "x"), f"{NOWHERE}: no answer: Connection refused"),
    ],
)
def test_a_mistake_is_told_before_anybody_is_asked(words: tuple[str, ...], said: str) -> None:
    assert refused("table", "new", NOWHERE, *words).startswith(said)


def test_what_the_arena_refuses_is_told_in_its_words(arena: Served, host: str) -> None:
    url = arena.url
    play = arena.token("player", "play")
    for words, said in [
        (("new", url, "forsale", "--token", "wrong"), f"{url}: a valid token is needed"),
        (("new", url, "forsale", "--token", play), f"{url}: the token lacks the scope host"),
        (
            ("new", url, "forsale", "open", "open", "command:none", "--token", host),
            f"{url}: there is no command 'none' for For Sale",
        ),
        (("show", url, "nothing"), "nothing: there is no such match"),
        (("transcript", url, "no/thing?"), "no/thing?: there is no such table"),
        (("drop", url, "nothing", "--token", host), "nothing: there is no open table of that name"),
        (("drop", url, "nothing"), "to remove a table you need a token"),
    ]:
        assert refused("table", *words).startswith(said)


def test_a_record_is_not_to_be_had_before_the_end(arena: Served, host: str, tmp_path: Path) -> None:
    id = new(arena, host, "forsale")["table"]["id"]
    said = refused("table", "transcript", arena.url, id, "--out", str(tmp_path / "m.jsonl"))
    assert said == f"{id}: a transcript is public when the match is over" and [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("url", ["ftp://here", "http://", "http://a:b"])
def test_an_address_that_is_none(url: str) -> None:
    assert refused("table", "list", url) == f"{url}: an arena's address is written as http://HOST:PORT"


class Elsewhere(BaseHTTPRequestHandler):
    """Some other web server."""

    asked: list[str] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        status = 302 if self.path.startswith("/api/matches/away") else 200
        self.send_response(status if "list" not in self.path else 404)
        self.send_header("Location", "/elsewhere")
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", "5")
        self.end_headers()
        self.wfile.write(b"hello")

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def elsewhere() -> Iterator[str]:
    Elsewhere.asked.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_what_is_no_arena_is_told_from_one(elsewhere: str) -> None:
    assert mistake("table", "list", elsewhere) == f"{elsewhere}: not an arena (HTTP status 200)"
    said = refused("table", "show", f"{elsewhere}/list", "x")
    assert said == f"{elsewhere}/list: not an arena (HTTP status 404)"


def test_nobody_is_led_elsewhere_with_a_token(elsewhere: str) -> None:
    assert refused("table", "show", elsewhere, "away").endswith("not an arena (HTTP status 302)")
    assert Elsewhere.asked == ["/api/matches/away"]


def test_what_speaks_no_http_is_no_arena() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def greet() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(b"220 mail is welcome here\r\n")

        threading.Thread(target=greet, daemon=True).start()
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        assert refused("table", "list", url) == f"{url}: not an arena: it does not speak HTTP"


# Help


@pytest.mark.parametrize("command", ["new", "list", "show", "drop", "transcript"])
def test_every_command_shows_how_it_is_used(command: str) -> None:
    assert f"parlour table {command} http://127.0.0.1:8000" in printed("table", command, "--help")


def test_no_other_command_waits_for_connections() -> None:
    heavy = ("websockets", "urllib.request", "litestar", "sqlalchemy")
    code = f"import parlour.cli, sys; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stdout + done.stderr

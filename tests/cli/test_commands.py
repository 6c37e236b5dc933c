"""The command line, run as a person runs it: one line for a mistake, never a traceback."""

import json
import os
import pty
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from parlour import __version__
from parlour.cli.common import FormatLog
from parlour.core import Sitting, Stop
from parlour.games import game
from parlour.referee.match import Match
from parlour.referee.replay import verify
from parlour.referee.transcript import header
from tests.here import WIDE, Done, here, mistake_here, said_of_a_mistake

pytestmark = pytest.mark.timeout(600)  # a machine may stall while programs start

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, **WIDE}


def parlour(*words: str, cwd: Path = ROOT, stdin: str = "") -> Done:
    """Run a command as a process of its own: `here` is cheaper, and enough for most tests."""
    command = [sys.executable, "-m", "parlour", *words]
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, input=stdin, timeout=100, env=ENVIRONMENT)
    return Done(done.returncode, done.stdout, done.stderr)


def mistake(*words: str, cwd: Path = ROOT) -> str:
    """What is said of a mistake: one line, and a status that is not 0."""
    return said_of_a_mistake(parlour(*words, cwd=cwd))


def test_a_command_in_the_process_of_the_tests_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def bot(view, ask, dice):\n    return ask.choices[0]\n")

    def state() -> tuple[object, ...]:
        players = [name for name in sys.modules if name.startswith("parlour_player_")]
        handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
        return Path.cwd(), dict(os.environ), [*sys.path], sys.argv, sys.stdin, sys.stdout, handlers, players

    sys.modules["parlour_player_earlier"] = sys.modules[__name__]  # as a test may leave one behind
    before = state()
    assert here("match", "forsale", "bot.py", "exec+forsale:sh -c exit", "random", cwd=tmp_path).returncode == 0
    assert here("host", "maze", "--course-port", "0", "--once", "--wait", "0.1").returncode == 0
    assert mistake_here("match", "chess", "random") and state() == before
    del sys.modules["parlour_player_earlier"]


def test_games_are_listed() -> None:
    assert "forsale" in parlour("games").stdout
    assert here("--version").stdout == f"parlour {__version__} (pure Python)\n"


@pytest.mark.parametrize(
    "command",
    ["match", "resume", "replay", "verify", "export", "schema", "play", "host", "demo", "games", "tournament"],
)
def test_every_command_explains_itself(command: str) -> None:
    done = here(command, "--help")
    assert done.returncode == 0 and f"parlour {command}" in done.stdout


def test_a_match_is_told_and_its_result_shown() -> None:
    done = parlour("match", "forsale", "minimum", "random", "random", "--seed", "00ff")
    assert done.returncode == 0
    assert (
        "Auction 1 of 8: estates" in done.stdout
        and "Auction 2: estates" in done.stdout
        and "Sale 8: cheques" in done.stdout
        and "Result" in done.stdout
    )
    assert "random 2" in done.stdout
    assert here("match", "forsale", "minimum", "random", "random", "--seed", "00ff").stdout == done.stdout


def test_a_result_in_json() -> None:
    done = here("match", "forsale", "minimum", "random", "random", "--seed", "00ff", "--json")
    result = json.loads(done.stdout)
    assert result["players"] == ["minimum", "random", "random 2"] and sorted(result["ranks"]) == [1, 2, 3]
    assert result["faults"] == [{}, {}, {}] and result["seed"] == "00ff"


def test_the_head_in_json_is_the_one_that_players_are_told(tmp_path: Path) -> None:
    words = ("match", "forsale", "minimum", "random", "random", "--record", "m.jsonl", "--json")
    head = json.loads(here(*words, cwd=tmp_path).stdout)["head"]
    assert here("verify", "m.jsonl", "--head", head, cwd=tmp_path).returncode == 0


def test_many_matches_are_counted() -> None:
    done = here("match", "forsale", "minimum", "random", "random", "--games", "40", "--seed", "01")
    assert "40 matches" in done.stdout and "share (95%)" in done.stdout
    result = json.loads(
        here("match", "forsale", "minimum", "random", "random", "--games", "40", "--seed", "01", "--json").stdout
    )
    best = max(result["players"], key=lambda player: player["wins"])
    assert best["player"] == "minimum" and sum(player["wins"] for player in result["players"]) == pytest.approx(40)


def test_a_recorded_match_is_proved_and_shown(tmp_path: Path) -> None:
    record = tmp_path / "m.jsonl"
    assert here("match", "forsale", "minimum", "random", "random", "--record", str(record)).returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["m.jsonl"], "the seed is revealed, so it lies beside no more"
    done = here("verify", str(record))
    assert done.returncode == 0 and done.stdout.startswith("holds: ")
    public = here("replay", str(record))
    assert "Auction 1" in public.stdout and "lays down" not in public.stdout and "Result" in public.stdout
    own = here("replay", str(record), "--seat", "1")
    assert own.stdout.count("random lays down") == 8 and "minimum lays down" not in own.stdout
    stepped = parlour("replay", str(record), "--step", stdin="\n" * 500)
    assert stepped.stdout.count("Press Enter to continue") > 20


def test_a_changed_transcript_is_broken_at_a_line(tmp_path: Path) -> None:
    record = tmp_path / "m.jsonl"
    here("match", "forsale", "minimum", "random", "random", "--record", str(record))
    lines = record.read_bytes().splitlines(keepends=True)
    record.write_bytes(b"".join(lines[:5] + lines[6:]))
    done = here("verify", str(record))
    assert done.returncode == 1 and done.stdout.startswith("broken at line 6: ")
    record.write_bytes(b"".join(lines[:-1]))
    done = here("verify", str(record))
    assert done.returncode == 3 and done.stdout.startswith("holds so far: ")
    assert "not revealed yet" in mistake_here("replay", str(record))
    record.write_bytes(b"junk\n")
    assert mistake_here("replay", str(record)).startswith("line 1: is not a record")


def test_many_matches_are_recorded_in_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "all"
    here("match", "forsale", "random", "random", "random", "--games", "3", "--record", str(folder))
    assert sorted(path.name for path in folder.iterdir()) == ["000001.jsonl", "000002.jsonl", "000003.jsonl"]
    assert all(verify(path.read_bytes(), game).holds == "yes" for path in folder.iterdir())


def test_a_match_is_kept_in_its_games_own_form_live_or_afterwards(tmp_path: Path) -> None:
    words = ("match", "dominion", "militia", "smithy", "--seed", "c0ffee")
    here(*words, "--record", "m.jsonl", "--store", "live.jsonl", cwd=tmp_path)
    printed = parlour("export", "m.jsonl", cwd=tmp_path).stdout
    assert here("export", "m.jsonl", "afterwards.jsonl", cwd=tmp_path).returncode == 0
    assert (tmp_path / "live.jsonl").read_text() == (tmp_path / "afterwards.jsonl").read_text() == printed
    here(*words, "--store", "again.jsonl", cwd=tmp_path)
    assert (tmp_path / "again.jsonl").read_text() == printed
    lines = [json.loads(line) for line in printed.splitlines()]
    assert [line["type"] for line in lines[:4]] == ["player-name", "player-name", "game-info", "supply-info"]
    assert lines[-1]["type"] == "game-end" and {"attack-request", "attack-reply"} <= {line["type"] for line in lines}
    assert "exists already" in mistake_here("export", "m.jsonl", "live.jsonl", cwd=tmp_path)


def test_a_stored_match_is_its_owners_until_it_is_over(tmp_path: Path) -> None:
    it, seed = game("dominion"), b"seed"
    form = FormatLog(tmp_path / "s.jsonl", it, seed)
    match = Match(it, header(it, [Sitting("a"), Sitting("b")], seed), seed)
    form.write(match.begin(0.0).lines)
    kept = tmp_path / "s.jsonl"
    assert kept.stat().st_mode & 0o777 == 0o600 and b"play-turn" in kept.read_bytes(), "written at once, for its owner"
    form.write(match.table(Stop(), 0.0).lines)
    form.end(match)
    (tmp_path / "any").touch()
    assert kept.stat().st_mode == (tmp_path / "any").stat().st_mode


def test_record_and_store_are_two_files(tmp_path: Path) -> None:
    for store in ("m.jsonl", "m.jsonl.seed", "./m.jsonl"):
        words = ("match", "dominion", "money", "money", "--record", "m.jsonl", "--store", store)
        said = mistake_here(*words, cwd=tmp_path)
        assert said == f"--store {Path(store)}: that is where --record writes"
    assert list(tmp_path.iterdir()) == []


def test_many_matches_are_kept_in_a_folder(tmp_path: Path) -> None:
    here("match", "dominion", "money", "money", "--games", "2", "--store", "all", cwd=tmp_path)
    assert sorted(path.name for path in (tmp_path / "all").iterdir()) == ["000001.jsonl", "000002.jsonl"]


def test_a_match_that_is_cut_short_can_be_exported_with_its_seed_and_not_without(tmp_path: Path) -> None:
    words = ("match", "dominion", "money", "smithy", "--seed", "c0ffee", "--record", "m.jsonl", "--store", "s.jsonl")
    here(*words, cwd=tmp_path)
    lines = (tmp_path / "m.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "cut.jsonl").write_bytes(b"".join(lines[:30]))
    assert "not revealed yet" in mistake_here("export", "cut.jsonl", cwd=tmp_path)
    (tmp_path / "cut.jsonl.seed").write_text("c0ffee\n")
    (tmp_path / "cut.jsonl").write_bytes(b"".join(lines[:30]) + lines[30][:40])
    exported = here("export", "cut.jsonl", cwd=tmp_path).stdout
    here("export", "cut.jsonl", "private.jsonl", cwd=tmp_path)
    assert (tmp_path / "private.jsonl").stat().st_mode & 0o077 == 0, "hands are in it, and the match goes on"
    assert len(exported) > 1000 and (tmp_path / "s.jsonl").read_text().startswith(exported)


def test_what_is_no_match_of_its_game_is_not_exported(tmp_path: Path) -> None:
    here("match", "forsale", "random", "random", "random", "--record", "m.jsonl", cwd=tmp_path)
    assert mistake_here("export", "m.jsonl", cwd=tmp_path) == "For Sale has no match format of its own"
    (tmp_path / "junk").write_text("junk\n")
    assert mistake_here("export", "junk", cwd=tmp_path).startswith("line 1: is not a record")


def test_a_transcript_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "m.jsonl").write_text("precious")
    said = mistake_here("match", "forsale", "random", "random", "random", "--record", "m.jsonl", cwd=tmp_path)
    assert said == "m.jsonl exists already, and nothing is overwritten"
    assert (tmp_path / "m.jsonl").read_text() == "precious"


def test_a_match_that_is_killed_leaves_its_lines_and_its_seed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "parlour", "match", "forsale", "exec+forsale:sleep 90", "random", "random"]
    record = tmp_path / "m.jsonl"
    running = subprocess.Popen([*command, "--record", str(record)], stdout=subprocess.DEVNULL, env=ENVIRONMENT)
    seed = tmp_path / "m.jsonl.seed"
    while not (record.exists() and record.stat().st_size and seed.exists()):
        time.sleep(0.05)
    assert seed.stat().st_mode & 0o777 == 0o600 and len(seed.read_text()) == 65
    said = mistake_here("resume", str(record), "random", "random", "random")
    assert said == f"{record} is being recorded by another process"
    running.terminate()
    running.wait()
    assert verify(record.read_bytes(), game).holds == "so far"
    with record.open("ab") as file:
        file.write(b'{"kind":"inp')  # as if it had been cut in the middle of a line
    assert "is a match of 3 players: sleep, random, random 2" in mistake_here("resume", str(record), "random")
    done = parlour("resume", str(record), "random", "thinker", "random")
    assert done.returncode == 0 and "Result" in done.stdout
    assert here("verify", str(record)).returncode == 0 and not seed.exists()
    assert "is finished" in mistake_here("resume", str(record), "random", "random", "random")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("match chess random", "there is no game 'chess'. There is: forsale"),
        ("match forsale random", "For Sale is for 3 to 6 players, not 1"),
        (
            "match forsale random random clever",
            "unknown player 'clever'. Built-in bots of For Sale: random, ",
        ),
        ("match forsale random random nowhere.py", "there is no file nowhere.py"),
        ("match forsale random random no.such:bot", "cannot load no.such:bot: ModuleNotFoundError"),
        ("match forsale random random exec:", "'exec:': the command is missing"),
        ("match forsale random random exec+chess:x", "For Sale has no protocol 'chess'"),
        ("match forsale random random exec:./nowhere", "cannot start './nowhere': No such file or directory"),
        ("match forsale random random exec+forsale:./nowhere", "cannot start './nowhere'"),
        ("match forsale random random random --seed xyz", "--seed xyz: write an even number of hexadecimal digits"),
        ("match forsale random random random --set coins=3", "For Sale has no option 'coins'. It has: start_coins"),
        ("match forsale random random random --set max_attempts=0", "allowed: 1 to 100 (default: 3)"),
        (
            "match forsale random random math:sqrt",
            "'math:sqrt' is not a bot: a bot is a function of view, ask and dice",
        ),
        ("host colorfight --set finish_time=x", "finish_time has an invalid value; allowed: 0 to 60 (default: 20.0)"),
        ("play forsale --name a\u202eb", "--name: a name has printable characters only, and character 2"),
        ("games chess", "there is no game 'chess'"),
        ("match forsale random random random --set ages=[1,2]", "ages: 2 ages for 3 seats"),
        ("match forsale random random random --set initial_first=seat:3", "seat:3 is not one of 3 seats"),
        ("match forsale random random random --bank 3", "--bank: a bank needs a --limit"),
        ("match forsale random random random --limit 0", "--limit must be above 0 s"),
        ("match forsale random random random --limit nan", "--limit must be above 0 s"),
        ("match forsale random random random --limit inf", "--limit must be above 0 s"),
        ("match forsale random random random --limit 1 --bank inf", "--limit must be above 0 s"),
        ("match forsale random random random --stderr /etc/passwd", "/etc/passwd: File exists"),
        ("host forsale --set initial_first=seat:5", "seat:5 is not one of 3 seats"),
        (
            "match forsale random random random --record no/such/folder/m",
            "cannot write no/such/folder/m: there is no folder no/such/folder",
        ),
        ("resume nowhere random", "No such file or directory"),
        ("match forsale random random random --games 2 --pace 1", "--pace and --stderr go with one match"),
        ("verify nowhere", "No such file or directory"),
        ("replay nowhere", "No such file or directory"),
        ("schema chess", "there is no game 'chess'"),
        ("host chess", "there is no game 'chess'"),
        ("match maze euclid", "Maze is for 2 to 6 players, not 1"),
        (
            "match maze euclid euclid --set rows=3 --set columns=3",
            "a board of 3 by 3 has 1 homes; at least 2 are needed",
        ),
        ("host dominion --course-port 0", "--course-port: Dominion is not played in a course"),
        (
            "host maze --dialect course --course-port 0",
            "--course-port: with --dialect course, that protocol is on --port",
        ),
        ("host forsale --observe 0", "--observe: For Sale has no format of its own for observers"),
        ("host maze --state nowhere", "No such file or directory"),
        ("host forsale --dialect numbers", "this dialect is for commands; it has no messages for clients"),
        ("host dominion --dialect morse", "Dominion has no dialect 'morse' of its own. It has: json, text"),
        ("match dominion money exec+dominion/morse:x", "Dominion has no dialect 'morse'"),
        ("match dominion money", "Dominion is for 2 to 4 players, not 1"),
        ("match dominion money money --set on_silence=[]", "on_silence: 0 values for 2 seats"),
        ("match forsale random random random --store m", "For Sale has no match format of its own"),
        ("match dominion money money --store no/such/m", "cannot write no/such/m: there is no folder no/such"),
        ("export nowhere", "No such file or directory"),
        ("host forsale random random random", "at least one must be open to connect to"),
        ("host forsale --seats 9", "For Sale has 3 to 6 seats"),
        ("host tradecraft --seats 5 --set max_turn=4", "no problem was found for 5 seats"),
        ("play forsale exec:x random", "a person plays against bots in this process"),
    ],
)
def test_a_mistake_is_one_line(words: str, said: str) -> None:
    assert said in mistake_here(*words.split())


def test_a_mistake_is_one_line_of_a_program_too() -> None:
    assert "there is no game 'chess'" in mistake("match", "chess", "random")


def test_a_bot_file_that_does_not_load_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("def bot(view, ask, dice:\n")
    (tmp_path / "empty.py").write_text("")
    (tmp_path / "number.py").write_text("bot = 7")
    (tmp_path / "leaves.py").write_text("import sys\nsys.exit(0)\n")
    (tmp_path / "talks.py").write_text("raise ValueError('a\\nb' * 100_000)\n")
    assert "cannot load leaves.py: SystemExit: 0" in mistake_here("match", "forsale", *["leaves.py"] * 3, cwd=tmp_path)
    assert len(mistake_here("match", "forsale", *["talks.py"] * 3, cwd=tmp_path)) < 1000
    assert "cannot load broken.py: SyntaxError" in mistake_here("match", "forsale", *["broken.py"] * 3, cwd=tmp_path)
    assert "empty.py has no 'bot'" in mistake_here("match", "forsale", *["empty.py"] * 3, cwd=tmp_path)
    said = mistake_here("match", "forsale", *["number.py"] * 3, cwd=tmp_path)
    assert "a bot is a function of view, ask and dice" in said


def test_the_ways_to_name_a_player() -> None:
    module = "parlour.games.forsale.bots:minimum"
    shell = "exec+forsale:sh examples/forsale_numbers.sh"
    any_language = f"exec:{sys.executable} examples/any_language.py"
    done = here("match", "forsale", "examples/ten_lines.py", module, shell, any_language, "--json")
    result = json.loads(done.stdout)
    assert result["players"] == ["ten_lines", "minimum", "forsale_numbers", "any language"]
    assert result["faults"] == [{}, {}, {}, {}]


def test_faults_are_shown_with_their_cost_and_a_dead_child_with_its_complaint(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def bot(view, ask, dice):\n    return ask.choices[99]\n")
    (tmp_path / "dead.sh").write_text("read x; echo 'out of ideas' >&2; exit 4\n")
    done = here(
        "match", "forsale", "bot.py", "exec+forsale:sh dead.sh", "random", "--stderr", "complaints", cwd=tmp_path
    )
    assert done.returncode == 0
    assert "    MalformedResponse P0502 pid=0 (part 1, round 1, try 1) -> retry\n" in done.stdout
    assert "bot: unreadable crashed, IndexError: tuple index out of range at " in done.stdout
    assert "(asked again)" in done.stdout and "(played instead: pass)" in done.stdout
    assert "dead has left (dead)" in done.stdout and "out of ideas" in done.stdout
    assert (tmp_path / "complaints" / "seat-1.txt").read_text() == "out of ideas\n"


def test_departures_are_counted(tmp_path: Path) -> None:
    (tmp_path / "dead.sh").write_text("exit 4\n")
    words = ("match", "forsale", "exec+forsale:sh dead.sh", "random", "random")
    result = json.loads(here(*words, "--json", cwd=tmp_path).stdout)
    assert result["left"] == {"0": "dead"} and result["endings"] == {"0": "exited with status 4"}
    assert result["faults"] == [{"left: dead": 1}, {}, {}]
    assert "left: dead 2" in here(*words, "--games", "2", cwd=tmp_path).stdout


def test_ctrl_c_leaves_the_terminal_as_it_was() -> None:
    child, terminal = pty.fork()
    if child == 0:
        environment = {**ENVIRONMENT, "TERM": "xterm"}
        os.execve(sys.executable, [sys.executable, "-m", "parlour", "demo"], environment)
    seen = b""
    while b"Auction 2" not in seen:
        seen += os.read(terminal, 65536)
    os.write(terminal, b"\x03")
    try:
        while more := os.read(terminal, 65536):
            seen += more
    except OSError:  # the other end has closed
        pass
    _, status = os.waitpid(child, 0)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(status) == 130
    assert seen.rfind(b"\x1b[?25h") > seen.rfind(b"\x1b[?25l"), "the cursor is hidden"


def test_a_person_plays_to_the_end() -> None:
    answers = "pass\n" * 8 + "nonsense\n" + "\n".join(str(estate) for estate in range(1, 31)) * 9
    done = parlour("play", "forsale", "random", "random", "--seed", "05", stdin=answers)
    assert done.returncode == 0
    assert "Your turn" in done.stdout and "One of: sell" in done.stdout and "Your estates:" in done.stdout
    assert "Result" in done.stdout


def test_a_person_may_bid_where_bids_are_too_many_to_list() -> None:
    words = ("play", "forsale", "random", "random", "--seed", "05", "--set", "start_coins=100", "--set")
    done = here(*words, "initial_first=seat:0", stdin="nonsense\nbid\nbid x\nbid 101\nbid 100\n")
    assert "bid AMOUNT, pass, sell ESTATE" in done.stdout
    assert "human: illegal P0401, bid 101: must be above 0 and within your 100 coins (asked again)" in done.stdout
    assert "human bids 100" in done.stdout


def test_a_person_talks_to_dominion_in_its_own_words() -> None:
    talk = "help\nplay gold\nbuy ruby\nbuy silver\nbuy gold\nend copper estate\nend estate\nbuy\nend\nq\n"
    done = here("play", "dominion", "money", "--seed", "05", stdin=talk)
    assert done.stdout.count("One of: play CARD [ITS CHOICES] (1 left), buy CARD... (1 left), end [TOP CARD]") == 3
    assert done.stdout.count("One of: end [TOP CARD]") == 2
    assert "human buys silver" in done.stdout and "human cleans up, estate on top" in done.stdout
    assert "Your hand: " in done.stdout and "8: 8 province" in done.stdout


STATE = {
    "board": {"connectors": [["┼"] * 3] * 4, "treasures": [[["ruby", "zircon"]] * 3] * 4},
    "spare": {"tilekey": "│", "1-image": "ruby", "2-image": "emerald"},
    "plmt": [
        {"current": {"row#": 0, "column#": 0}, "home": {"row#": 1, "column#": 1}, "color": "red"},
        {"current": {"row#": 3, "column#": 2}, "home": {"row#": 3, "column#": 1}, "color": "blue"},
    ],
    "last": None,
}
for place, player in enumerate(STATE["plmt"]):  # type: ignore[arg-type, var-annotated]
    player["goto"] = {"row#": 3 - 2 * place, "column#": 1}


def test_a_match_begins_from_a_prepared_state(tmp_path: Path) -> None:
    (tmp_path / "state.json").write_text(json.dumps(STATE))
    done = here("match", "maze", "euclid", "riemann", "--state", "state.json", "--record", "m.jsonl", cwd=tmp_path)
    assert "riemann slides row 0 left and goes to 3,1" in done.stdout, "the last to sign up has the first entry"
    assert here("verify", "m.jsonl", cwd=tmp_path).returncode == 0
    said = mistake_here("match", "maze", *["euclid"] * 3, "--state", "state.json", cwd=tmp_path)
    assert said == "there is room for 2 players, not for 3"
    (tmp_path / "bad.json").write_text(json.dumps({**STATE, "plmt": 5}))
    said = mistake_here("match", "maze", "euclid", "euclid", "--state", "bad.json", cwd=tmp_path)
    assert said == "--state bad.json: a state has board, spare, plmt and last"
    (tmp_path / "not.json").write_text("junk")
    assert "not JSON" in mistake_here("host", "maze", "--state", "not.json", cwd=tmp_path)
    said = mistake_here("match", "dominion", "money", "money", "--state", "not.json")
    assert "always begins from the beginning" in said


def test_nobody_signs_up() -> None:
    done = here("host", "maze", "--course-port", "0", "--once", "--wait", "0.1")
    assert done.stdout == "[[],[]]\n" and done.returncode == 0


def test_a_person_walks_through_the_maze() -> None:
    talk = "go\n1 left 0 0 0\npass\nq\n"
    done = here("play", "maze", "random", "--seed", "05", stdin=talk)
    assert "One of: INDEX left|right|up|down DEGREES ROW COLUMN, such as 2 left 90 3 4; or pass" in done.stdout
    assert "slide 1 LEFT: even lines below 7 slide" in done.stdout and "human passes" in done.stdout


def test_a_person_may_leave() -> None:
    for stdin in ("q\n", ""):
        done = here("play", "forsale", "--seed", "05", stdin=stdin)
        assert done.returncode == 0 and "Result" in done.stdout


def test_the_schema_is_json() -> None:
    schema = json.loads(parlour("schema", "forsale").stdout)
    assert {"FromReferee", "FromPlayer", "AskMessage", "Bid"} <= set(schema["$defs"])


def test_the_demo_says_what_to_try_next() -> None:
    done = here("demo")
    assert done.returncode == 0 and "What next?" in done.stdout and "play forsale" in done.stdout


def test_a_host_serves_one_match_and_exits(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "parlour", "host", "forsale", "minimum", "random", "--once", "--record", "m"]
    running = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT
    )
    assert running.stderr is not None and running.stdout is not None
    announced = running.stderr.readline()
    port = int(announced.split(":")[1].split(",")[0])
    with socket.create_connection(("127.0.0.1", port)) as client, client.makefile("rw") as lines:
        print("netcat", file=lines, flush=True)
        for line in lines:
            request = json.loads(line)
            if request["type"] == "over":
                break
            print(0 if request["part"] == 1 else request["hand"][0], file=lines, flush=True)
    result = json.loads(running.stdout.read())
    assert running.wait(60) == 0
    assert result["players"] == ["netcat", "minimum", "random"] and result["scores"] == request["scores"]
    [record] = tmp_path.iterdir()
    assert record.name == "m" and verify(record.read_bytes(), game).holds == "yes"
    running.stderr.close()
    running.stdout.close()


def test_a_game_lists_its_options() -> None:
    listed = here("games", "forsale").stdout
    for word in ("initial_first", "seeded_random", "max_attempts", "1 to 100", "Options, for --set OPTION=VALUE"):
        assert word in listed


def test_a_game_is_printed_as_language_models_read_it() -> None:
    printed = here("games", "maze", "--text").stdout
    for words in ("# Maze", "## House rules of this match", "Your decision: move or pass.", '"enum": ['):
        assert words in printed
    assert "--text needs the name of a game" in mistake_here("games", "--text")


def test_a_match_that_a_person_plays_can_be_recorded_and_proved(tmp_path: Path) -> None:
    record = tmp_path / "mine.jsonl"
    done = here("play", "forsale", "--record", str(record), stdin="q\n")
    assert done.returncode == 0 and f"Recorded in {record}" in done.stdout
    assert verify(record.read_bytes(), game).holds == "yes"
    assert "exists already" in mistake_here("play", "forsale", "--record", str(record))


@pytest.mark.parametrize("words", ["forsale --port", "maze --port", "colorfight --port", "forsale --spectate"])
def test_a_port_in_use_is_reported_plainly(words: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = mistake_here("host", *words.split(), str(port))
        assert f"port {port} on 127.0.0.1 is in use; choose another one" in said


def test_an_address_of_another_machine_is_reported_plainly() -> None:
    assert "192.0.2.1 is not an address of this machine" in mistake_here("host", "forsale", "--address", "192.0.2.1")
    said = mistake_here("host", "forsale", "--address", "no such name")
    assert "cannot listen on port 0 of no such name: " in said and "success" not in said and "(" not in said

"""The command tournament: wrong files, dry runs, results, resuming."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import polars
import pytest

from tests.here import ROOT, here, mistake_here

pytestmark = pytest.mark.timeout(600)  # a machine may stall while processes start

GOOD = """\
game = "forsale"
format = "round-robin"
seats = 3
deals = 4
seed = "05"
players = ["minimum", "random", "random"]
"""


def write(folder: Path, text: str = GOOD) -> str:
    (folder / "t.toml").write_text(text)
    return "t.toml"


def changed(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (changed('"forsale"', '"chess"'), "line 1: there is no game 'chess'. There is: "),
        (changed('"forsale"', "3"), "line 1: game = 3: allowed: the name of a game"),
        (changed('game = "forsale"\n', ""), "game is missing; write the name of a game"),
        (changed('"round-robin"', '"league"'), 'line 2: format = "league": allowed: round-robin, swiss, gauntlet, '),
        (changed("= 3", "= 9"), "line 3: seats = 9: allowed: 3 to 6, for For Sale"),
        (changed("= 3", "= true"), "line 3: seats = true: allowed: 3 to 6"),
        (changed("= 3", '= "3"'), 'line 3: seats = "3": allowed: 3 to 6'),
        (changed("= 4", "= 0"), "line 4: deals = 0: allowed: a whole number from 1 to 1,000,000"),
        (changed("= 4", "= 4.5"), "line 4: deals = 4.5: allowed: a whole number"),
        (changed('"05"', '"5"'), 'line 5: seed = "5": allowed: hexadecimal digits in quotes'),
        (changed('"05"', '""'), 'line 5: seed = "": allowed: hexadecimal digits in quotes'),
        (changed('"05"', "5"), "line 5: seed = 5: allowed: hexadecimal digits in quotes"),
        (changed("deals", "deal"), "line 4: unknown key 'deal'; did you mean deals? allowed: game, format, players,"),
        (GOOD + "colour = 3\n", "line 7: unknown key 'colour'; allowed: game, format, players, seats, deals"),
        (changed('"minimum", ', ""), "line 6: 2 players for 3 seats; at least 3 are needed"),
        (changed('players = ["minimum", "random", "random"]', ""), "players are missing; write a list of players"),
        (changed('["minimum", "random", "random"]', '"minimum"'), 'line 6: players = "minimum": allowed: a list'),
        (
            changed('["minimum", "random", "random"]', '[\n  "minimum",\n  "random",  # one\n  "rando",\n]'),
            "line 9: unknown player 'rando'. Built-in bots of For Sale: random, minimum, thinker",
        ),
        (changed('"minimum"', "3"), "line 6: not a player: 3; allowed: a list of players"),
        (changed('"minimum"', '{name = "a"}'), "line 6: not a player: {'name': 'a'}; allowed: "),
        (changed('"minimum"', '{name = "", player = "minimum"}'), "line 6: name: "),
        (
            changed('"minimum", "random"', '{name="a",player="minimum"},\n{name="a",player="random"}'),
            "line 7: the name 'a' is taken; every player needs its own",
        ),
        (changed('"minimum"', '"exec:"'), "line 6: 'exec:': the command is missing"),
        (changed('"minimum"', '"no/such/file.py"'), "line 6: there is no file no/such/file.py"),
        (GOOD + "rounds = 3\n", "line 7: rounds is for the format swiss only, not for round-robin"),
        (GOOD + "against = 'random'\n", "line 7: against is for the format gauntlet only, not for round-robin"),
        (
            changed('"round-robin"', '"gauntlet"') + "against = 'nobody'\n",
            'line 7: against = "nobody": allowed: minimum, random, random 2',
        ),
        (changed('"round-robin"', '"swiss"') + "rounds = 0\n", "line 7: rounds = 0: allowed: a whole number from 1"),
        (changed('"round-robin"', '"until-decided"') + "margin = 0\n", "line 7: margin = 0: allowed: Elo points"),
        (GOOD + "limit = 0\n", "line 7: limit = 0: allowed: seconds, above 0"),
        (GOOD + "bank = -1\n", "line 7: bank = -1: allowed: seconds, from 0"),
        (GOOD + "bears = -1\n", "line 7: bears = -1: allowed: a whole number from 0"),
        (GOOD + "duplicate = 1\n", "line 7: duplicate = 1: allowed: true, false"),
        (GOOD + "seatings = 'some'\n", 'line 7: seatings = "some": allowed: all, balanced'),
        (GOOD + "\n[options]\nrefund_rounding = 'no'\n", "line 9: refund_rounding has an invalid value; allowed: "),
        (GOOD + "\n[options]\n# a comment\nspeed = 3\n", "line 10: For Sale has no option 'speed'. It has: "),
        (GOOD + "options = 3\n", "line 7: options = 3: allowed: a table of house rules"),
        (changed('"forsale"', '["forsale"]'), "line 1: game = ['forsale']: allowed: the name of a game"),
        (
            GOOD.replace('"forsale"', '"colorfight"').replace('"minimum"', '"greedy"').replace("= 3", "= 12")
            + "repeat = true\nseatings = 'all'\n",
            'line 8: seatings = "all": allowed: balanced, for 12 seats',
        ),
        (changed("= 3", "= []"), "line 3: seats = []: allowed: at least one number, and each only once"),
        (changed("= 3", "= [3, 3]"), "line 3: seats = [3, 3]: allowed: at least one number, and each only once"),
        (changed("= 3", "= [3, 9]"), "line 3: seats = 9: allowed: 3 to 6, for For Sale"),
        (changed("= 3", "= [3, 4]"), "line 6: 3 players for 4 seats; at least 4 are needed (repeat = true lets them"),
        (changed('"minimum", "random", ', "") + "repeat = true\n", "line 6: 1 players; at least 2 are needed"),
        (GOOD + "repeat = 1\n", "line 7: repeat = 1: allowed: true, false"),
        (
            changed('"round-robin"', '"swiss"') + "repeat = true\n",
            "line 7: repeat is for the format round-robin or until-decided only, not for swiss",
        ),
        (changed('"05"', '"05'), "is not TOML: "),
        (GOOD + GOOD, "is not TOML: Cannot overwrite a value (at line 7"),
    ],
)
def test_a_wrong_file_gets_one_line_that_names_the_line_and_what_is_allowed(
    tmp_path: Path, text: str, words: str
) -> None:
    said = mistake_here("tournament", write(tmp_path, text), "--dry-run", cwd=tmp_path)
    assert words in said and said.startswith("t.toml")


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--game", "forsale"], "--player: players are missing"),
        (["--game", "forsale", "--player", "rando"], "--player: unknown player 'rando'"),
        (["--game", "forsale", *["--player", "random"] * 3, "--format", "x"], "--format: format"),
        (["--game", "forsale", *["--player", "random"] * 3, "--set", "x=1"], "--set: For Sale has no option 'x'"),
        (["--game", "forsale", *["--player", "random"] * 3], "--out FOLDER is missing"),
        ([], "--out FOLDER is missing"),
        (["--dry-run"], "--dry-run: name a FILE.toml"),
        (["--out", "new"], "name a FILE.toml, or a --game and players"),
        (["--out", "new", "--resume"], "no tournament to resume"),
        (["no.toml", "--out", "new"], "no.toml: No such file"),
    ],
)
def test_wrong_flags_get_one_line(tmp_path: Path, flags: list[str], words: str) -> None:
    assert words in mistake_here("tournament", *flags, cwd=tmp_path)


def test_a_dry_run_tells_schedule_number_of_matches_and_time(tmp_path: Path) -> None:
    said = here("tournament", write(tmp_path), "--dry-run", cwd=tmp_path).stdout
    assert "round-robin: 3 players, 3 seats, 4 deals, 6 seatings of each" in said
    assert "minimum, random, random 2" in said and "24 matches, " in said and " workers" in said
    told = json.loads(here("tournament", "t.toml", "--dry-run", "--json", "--deals", "5", cwd=tmp_path).stdout)
    assert told["matches"] == 30 and told["expected_seconds"] > 0
    assert [path.name for path in tmp_path.iterdir()] == ["t.toml"]


@pytest.mark.parametrize("format", ["round-robin", "swiss", "gauntlet", "knock-out", "until-decided"])
def test_every_format_is_played_and_its_files_written(tmp_path: Path, format: str) -> None:
    text = changed('"round-robin"', f'"{format}"').replace('"random"]', '"random", "minimum", "random"]')
    text += "batch = 2\nmargin = 300\n" if format == "until-decided" else ""
    done = here("tournament", write(tmp_path, text), "--out", "out", "--json", "--csv", cwd=tmp_path)
    results = json.loads(done.stdout)
    out = tmp_path / "out"
    assert done.returncode == 0 and results == json.loads((out / "results.json").read_text())
    assert results["matches"] == results["counts"]["used"] > 0 and len(results["players"]) == 5
    assert results["players"][0]["player"] == "minimum" and results["sentences"]
    assert (results["winner"] is not None) == (format == "knock-out")
    matches = polars.read_parquet(out / "matches.parquet")
    assert matches["match"].to_list() == list(range(results["matches"]))
    decisions, timings = (polars.read_parquet(out / f"{name}.parquet") for name in ("decisions", "timings"))
    assert len(timings) == len(decisions) + len(matches) and min(timings["seconds"].to_list()) > 0
    assert decisions["fault"].null_count() == len(decisions)
    assert len([*out.rglob("match-*.jsonl")]) == len(matches)
    for name, table in (("matches", matches), ("decisions", decisions), ("timings", timings)):
        assert len(polars.read_csv(out / f"{name}.csv")) == len(table)
    assert sorted(path.name for path in out.iterdir()) == [
        "decisions.csv",
        "decisions.parquet",
        "journal.jsonl",
        "matches.csv",
        "matches.parquet",
        "report.html",
        "results.json",
        "timings.csv",
        "timings.parquet",
        "transcripts",
    ]


def test_results_are_told_and_a_faulty_player_is_named_with_the_command_that_shows_it(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("def bot(view, ask, dice):\n    return 1 / 0\n")
    text = changed('"minimum"', '"bad.py"').replace("deals = 4", "deals = 1")
    said = here("tournament", write(tmp_path, text), "--out", "out", cwd=tmp_path).stdout
    assert "6 matches, round-robin" in said
    assert "bad: first fault in match 0: unreadable wrong_shape" in said and "ZeroDivisionError" in said
    command = said.split("see it with `parlour ")[1].split("`")[0].split()
    shown = here(*command, cwd=tmp_path)
    assert shown.returncode == 0 and "wrong_shape" in shown.stdout


def test_a_finished_tournament_can_be_resumed_and_another_cannot(tmp_path: Path) -> None:
    first = here("tournament", write(tmp_path), "--out", "out", "--json", cwd=tmp_path).stdout
    assert here("tournament", "--out", "out", "--resume", "--json", cwd=tmp_path).stdout == first
    assert here("tournament", "t.toml", "--out", "out", "--resume", "--json", cwd=tmp_path).stdout == first
    said = mistake_here("tournament", "t.toml", "--out", "out", "--resume", "--deals", "5", cwd=tmp_path)
    assert "out has another tournament: deals is 4 there" in said
    assert "out is not empty; --resume continues" in mistake_here("tournament", "t.toml", "--out", "out", cwd=tmp_path)
    for number, (on, words) in enumerate((("moon", "--on moon: allowed: ray, ray://"), ("ray://", "--on ray://: "))):
        said = mistake_here("tournament", "t.toml", "--out", f"other{number}", "--on", on, cwd=tmp_path)
        assert words in said


def test_several_table_sizes_are_several_tournaments_in_one_folder(tmp_path: Path) -> None:
    text = changed("= 3", "= [3, 4]").replace("deals = 4", "deals = 1") + "repeat = true\n"
    dry = json.loads(here("tournament", write(tmp_path, text), "--dry-run", "--json", cwd=tmp_path).stdout)
    assert [each["matches"] for each in dry] == [6, 12]
    first = here("tournament", "t.toml", "--out", "out", "--json", cwd=tmp_path)
    told = json.loads(first.stdout)
    assert [(each["tournament"]["seats"], each["matches"]) for each in told] == [(3, 6), (4, 12)]
    assert [folder.name for folder in sorted((tmp_path / "out").iterdir())] == ["seats-3", "seats-4"]
    assert all((tmp_path / "out" / f"seats-{seats}" / "report.html").exists() for seats in (3, 4))
    shutil.rmtree(tmp_path / "out" / "seats-4")
    for words in (["t.toml", "--resume"], ["--resume"]):
        assert here("tournament", "--out", "out", "--json", *words, cwd=tmp_path).stdout == first.stdout
    assert "out is not empty; --resume" in mistake_here("tournament", "t.toml", "--out", "out", cwd=tmp_path)
    assert "new has no tournaments to resume" in mistake_here(
        "tournament", "t.toml", "--out", "new", "--resume", cwd=tmp_path
    )


def children(process: int) -> list[int]:
    """The workers of a run."""
    try:
        found = Path(f"/proc/{process}/task/{process}/children").read_text().split()
        return [int(child) for child in found if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]
    except (FileNotFoundError, ProcessLookupError):
        return []


def test_killing_the_run_or_a_worker_twenty_times_at_random_gives_the_same_results(tmp_path: Path) -> None:
    """Only SIGKILL, of real processes, after a random number of matches."""
    write(tmp_path, changed("deals = 4", "deals = 300"))
    command = [sys.executable, "-m", "parlour", "tournament", "--out", "out", "--json", "--workers", "2"]
    chance, kills, begun = random.Random(7), 0, False
    journal = tmp_path / "out" / "journal.jsonl"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    while kills < 20:
        words = ["--resume"] if begun else ["t.toml"]
        run = subprocess.Popen([*command, *words], cwd=tmp_path, stdout=subprocess.DEVNULL, env=environment)
        begun = True
        while run.poll() is None and kills < 20:
            size = journal.stat().st_size if journal.exists() else 0
            more = chance.randrange(1000, 60_000)
            while run.poll() is None and (not journal.exists() or journal.stat().st_size < size + more):
                time.sleep(0.005)
            targets = [run.pid] if chance.random() < 0.25 else children(run.pid)
            with suppress(ProcessLookupError, IndexError):
                os.kill(chance.choice(targets), signal.SIGKILL)
                kills += 1
        if kills == 20:
            run.kill()
        assert run.wait() in (0, -signal.SIGKILL)
    finished = subprocess.run([*command, "--resume"], cwd=tmp_path, capture_output=True, env=environment, check=True)
    command[command.index("out")] = "calm"
    calm = subprocess.run([*command, "t.toml"], cwd=tmp_path, capture_output=True, env=environment, check=True)
    assert finished.stdout == calm.stdout and json.loads(calm.stdout)["matches"] == 1800
    for name in ("matches.parquet", "decisions.parquet"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "calm" / name).read_bytes()
    assert len([*(tmp_path / "out" / "transcripts").rglob("*.jsonl")]) == 1800


def test_the_example_is_played_and_read_with_polars(tmp_path: Path) -> None:
    done = here("tournament", "examples/tournament.toml", "--deals", "1", "--out", str(tmp_path / "out"))
    assert done.returncode == 0 and "24 matches, round-robin" in done.stdout
    script = [sys.executable, "examples/tournament_results.py", str(tmp_path / "out")]
    read = subprocess.run(script, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "ten lines" in read.stdout and "slowest" in read.stdout and not read.stderr


def test_an_interrupted_run_keeps_its_matches_and_leaves_no_process(tmp_path: Path) -> None:
    (tmp_path / "sleeps.py").write_text("import time\ndef bot(view, ask, dice):\n    time.sleep(1000)\n")
    write(tmp_path, changed('"random"]', '"random", "sleeps.py"]') + "limit = 900\n")
    command = [sys.executable, "-m", "parlour", "tournament", "t.toml", "--out", "out", "--workers", "1"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    run = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, env=environment)
    bots: list[str] = []
    while not bots:
        assert run.poll() is None
        time.sleep(0.01)
        for worker in children(run.pid):
            with suppress(FileNotFoundError, ProcessLookupError):
                bots = Path(f"/proc/{worker}/task/{worker}/children").read_text().split()
    run.send_signal(signal.SIGINT)
    _, said = run.communicate()
    assert run.returncode == 130 and "`parlour tournament --out out --resume` continues" in said
    assert not [bot for bot in bots if Path(f"/proc/{bot}").exists()]
    assert len((tmp_path / "out" / "journal.jsonl").read_bytes().splitlines()) == 7  # the plan, and what was finished

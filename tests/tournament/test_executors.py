"""Worker processes: results that do not depend on them, and workers that die."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest

from parlour.tournament import executors
from parlour.tournament.executors import Executor, ProcessPool, WorkerProcess, WorkersFail
from parlour.tournament.journal import Journal
from parlour.tournament.plan import TournamentPlan
from parlour.tournament.playing import Outcome
from parlour.tournament.runner import run
from tests.tournament.dying import FATAL, dies_in_match_7
from tests.tournament.plans import InOrder, first_round, plan

pytestmark = pytest.mark.timeout(300)  # processes start slowly on a busy machine


def played_by(executor: Executor, it: TournamentPlan) -> dict[int, Outcome]:
    try:
        packages = [package for some in executor.play(first_round(it).fixtures()) for package in some]
    finally:
        executor.close()
    assert len(packages) == first_round(it).size
    return unpacked(packages)


def unpacked(packages: Iterable[bytes]) -> dict[int, Outcome]:
    """Outcomes by match, without timings."""
    outcomes = [msgspec.json.decode(package.partition(b"\n")[0], type=Outcome) for package in packages]
    return {it.result.match: msgspec.structs.replace(it, micros=[], took=0.0) for it in outcomes}


def test_results_are_the_same_in_one_process_and_in_many() -> None:
    it = plan(deals=10)
    assert played_by(InOrder(it), it) == played_by(ProcessPool(it, 1), it) == played_by(ProcessPool(it, 3), it)


def test_results_are_the_same_on_ray() -> None:
    pytest.importorskip("ray")
    from parlour.tournament.ray_executor import RayExecutor

    it = plan(deals=10)
    in_order = played_by(InOrder(it), it)
    fixtures = first_round(it).fixtures()
    dying = [*RayExecutor(it, 2, play=dies_in_match_7).play(fixtures)]
    assert played_by(RayExecutor(it, 2), it) == in_order
    outcomes = unpacked(package for packages in dying for package in packages)
    assert outcomes.pop(FATAL).void.startswith("it ended its worker 3 times; the last time the worker failed: ")
    assert outcomes == {match: outcome for match, outcome in in_order.items() if match != FATAL}


def test_a_worker_that_is_killed_is_replaced_and_its_matches_are_played() -> None:
    it = plan(deals=40)
    pool = ProcessPool(it, 2)
    seen: list[bytes] = []
    try:
        for number, packages in enumerate(pool.play(first_round(it).fixtures())):
            seen += packages
            if number in (0, 5, 10, 15):
                os.kill(pool.pids()[number % 2], signal.SIGKILL)
    finally:
        pool.close()
    outcomes = [msgspec.json.decode(package.partition(b"\n")[0], type=Outcome) for package in seen]
    assert sorted(outcome.result.match for outcome in outcomes) == list(range(240))
    assert not any(outcome.result.void for outcome in outcomes)


def test_a_match_that_ends_its_worker_three_times_is_void_and_the_others_are_played() -> None:
    it = plan(deals=5)
    outcomes = played_by(ProcessPool(it, 2, play=dies_in_match_7), it)
    void = [match for match, outcome in outcomes.items() if outcome.result.void]
    assert void == [FATAL]
    assert outcomes[FATAL].void == "it ended its worker 3 times; the last time the worker exited with status 9"


def is_running(process: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_commands_end_with_the_pool(tmp_path: Path) -> None:
    mark = tmp_path / "pids"
    script = tmp_path / "stubborn.py"
    script.write_text(
        f"import os, time\nopen({str(mark)!r}, 'a').write(f'{{os.getpid()}}\\n')\n"
        "def bot(view, ask, dice):\n    time.sleep(1000)\n"
    )
    it = plan(["minimum", str(script), "random"], deals=1, limit_s=500.0)
    code = (
        "from tests.tournament.plans import *\nfrom parlour.tournament.executors import *\nimport msgspec, sys\n"
        "if __name__ == '__main__':\n"
        "    it = msgspec.json.decode(sys.argv[1], type=TournamentPlan)\n"
        "    list(ProcessPool(it, 1).play(first_round(it).fixtures()))\n"
    )
    run_file = tmp_path / "run.py"
    run_file.write_text(code)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    process = subprocess.Popen([sys.executable, str(run_file), msgspec.json.encode(it)], env=environment)
    while not mark.exists() or not mark.read_text().endswith("\n"):
        assert process.poll() is None
        time.sleep(0.01)
    bot = int(mark.read_text())
    process.kill()
    process.wait()
    while is_running(bot):
        time.sleep(0.01)


def test_a_run_with_workers_writes_the_same_journal_as_one_in_order(tmp_path: Path) -> None:
    it = plan(deals=3)
    found = []
    for name in ("pool", "order"):
        journal = Journal.begin(tmp_path / name, it)
        executor = ProcessPool(it, 2, journal.transcripts.withheld) if name == "pool" else InOrder(it)
        run(journal, executor)
        executor.close()
        files = {path.name: path.read_bytes() for path in (tmp_path / name).rglob("match-*.jsonl")}
        found.append((list(journal.results()), files))
        journal.close()
        assert not (tmp_path / name / "withheld").exists()
    assert found[0] == found[1] and len(found[0][1]) == 18


def test_workers_that_do_not_start_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = ProcessPool(plan(), 1)
    monkeypatch.setattr(executors, "MOST_STILLBORN", 2)
    starts = 0

    def dead(it: TournamentPlan, folder: Path | None, play: executors.Play) -> WorkerProcess:
        nonlocal starts
        starts += 1
        worker = WorkerProcess(it, folder, play)
        worker.process.kill()
        return worker

    os.kill(pool.pids()[0], signal.SIGKILL)
    monkeypatch.setattr(executors, "WorkerProcess", dead)
    with pytest.raises(WorkersFail, match="do not start: the last one was ended by signal 9"):
        list(pool.play(first_round(plan()).fixtures()))
    pool.close()
    assert starts == 2

"""Players in child processes, good and bad: nobody else is harmed, and nothing is left behind."""

import asyncio
import gc
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from parlour.core import Result
from parlour.players.player_specs import load
from parlour.players.terms import CannotPlay
from parlour.transports.limits import UNSENT_BYTES
from parlour.transports.process import ProcessPeer
from tests.players.children import FORSALE, GOOD, Table, on_ask, table

__all__ = ["table"]

ANSWER = 'say({"type": "answer", "id": message["id"], "action": message["ask"]["choices"][0]})'


def processes() -> set[int]:
    """Our child processes, with zombies."""
    return {int(pid) for pid in Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()}


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_good_child_plays_without_a_fault(table: Table) -> None:
    played = table.play(GOOD)
    assert isinstance(played.end, Result)
    assert table.faults() == [] and played.endings == {}
    assert played.match.names[0] == "good"


def test_a_salt_is_taken_where_salts_are_wanted(table: Table) -> None:
    assert table.play(GOOD, salted=True).match.header.players[0].salt == "pepper"
    assert Table(table.folder).play(GOOD).match.header.players[0].salt == ""


def test_both_protocols_and_bots_meet_in_one_match(table: Table) -> None:
    numbers = f"exec+forsale:sh {Path(__file__).parents[2] / 'examples' / 'forsale_numbers.sh'}"
    specs = [table.child(GOOD), load(FORSALE, numbers), load(FORSALE, "minimum"), load(FORSALE, "random")]
    assert isinstance(table.play_specs(specs).end, Result)


def test_a_child_is_told_all_it_may_know(table: Table) -> None:
    """It writes what it hears to its stderr, which we keep."""
    code = """
for line in sys.stdin:
    print(line, end="", file=sys.stderr, flush=True)
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "hello"})
    elif message["type"] == "ask":
        say({"type": "answer", "id": message["id"], "action": message["ask"]["choices"][0]})
"""
    played = table.play(code, record="somewhere")
    heard = played.stderr[0].splitlines()
    kinds = [line.split('"type":"')[1].split('"')[0] for line in heard]
    assert kinds[:2] == ["hello", "seat"] and kinds[-1] == "over"
    assert set(kinds) == {"hello", "seat", "ask", "event", "over"}
    assert played.match.header_hash in heard[1] and '"record":"somewhere"' in heard[-1]
    assert not any("somewhere" in line for line in heard[:-1]), "the seed may lie beside it"
    assert not any('"Chose"' in line and '"seat":0' not in line for line in heard)


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("print('no json', flush=True)", ("unreadable", "not_a_message")),
        ("print(flush=True)", ("unreadable", "not_a_message")),
        ("say([1, 2])", ("unreadable", "not_a_message")),
        ("say({'type': 'dance'})", ("unreadable", "not_a_message")),
        ("say({'type': 'answer', 'id': 'one', 'action': {}})", ("unreadable", "not_a_message")),
        ("say({'type': 'answer', 'id': message['id'], 'action': 7})", ("unreadable", "wrong_shape")),
        ("say({'type': 'answer', 'id': message['id'], 'action': {'type': 'Fly'}})", ("unreadable", "wrong_shape")),
        ("say({'type': 'answer', 'id': message['id'], 'action': {'type': 'SellAny'}})", ("unreadable", "wrong_shape")),
        ("say({'type': 'answer', 'id': message['id'], 'action': {'type': 'Leave', 'seat': 1, 'why': ''}})",
         ("unreadable", "wrong_shape")),
        ("say({'type': 'query', 'id': 1, 'question': {}})", ("unreadable", "no_queries")),
        ("print('x' * 70_000, flush=True)", ("unreadable", "too_big")),
        ("sys.stdout.buffer.write(b'\\xff\\xfe\\n'); sys.stdout.flush()", ("unreadable", "not_a_message")),
        ("print('[' * 60_000, flush=True)", ("unreadable", "not_a_message")),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_a_fault_and_no_more(table: Table, body: str, fault: tuple[str, str]) -> None:
    played = table.play(on_ask(body))
    assert isinstance(played.end, Result)
    assert set(table.faults()) == {fault}
    assert played.endings == {}


def test_a_move_for_the_wrong_part_is_illegal(table: Table) -> None:
    sell = "say({'type': 'answer', 'id': message['id'], 'action': {'type': 'Sell', 'estate': 31}})"
    table.play(on_ask(sell))
    assert set(table.faults()) == {("illegal", "P0502"), ("illegal", "G0401")}


def test_what_is_sent_twice_is_taken_once(table: Table) -> None:
    table.play(on_ask(f"{ANSWER}; {ANSWER}"))
    assert {kind for kind, _ in table.faults()} == {"unasked"}


def test_what_comes_after_the_end_is_nobodys_business(table: Table) -> None:
    code = (
        GOOD
        + """
    elif message["type"] == "over":
        for _ in range(100):
            say({"type": "answer", "id": 1, "action": {"type": "Pass"}})
"""
    )
    assert table.play(code).endings == {}


def test_silence_is_late_with_limit_and_elapsed_time(table: Table) -> None:
    played = table.play(on_ask("pass"), limit_ms=20)
    assert isinstance(played.end, Result)
    assert set(table.faults()) == {("late", "late")}
    late = next(notice.fault.facts for notice in table.notices if hasattr(notice, "fault"))
    assert late["limit_ms"] == 20 and late["elapsed_ms"] >= 20


def test_a_late_answer_is_not_taken_for_the_next_ask(table: Table) -> None:
    """The answer arrives when the next ask is open; over protocol 1 it has the id of its own ask."""
    slow = f"""
first = None
for message in heard():
    if message["type"] == "hello":
        say({{"type": "hello"}})
    elif message["type"] == "ask" and first is None:
        first = message
    elif message["type"] == "ask":
        for message in [first, message] if first else [message]:
            {ANSWER}
        first = {{}}
"""
    table.play(slow, limit_ms=3000)
    assert table.faults() == [("late", "late"), ("unasked", "stale")]


def test_a_reply_that_is_too_big_is_one_reply(table: Table) -> None:
    """The numbers after it are still those of their own requests."""
    code = """
print("9" * 70_000, flush=True)
for line in sys.stdin:
    request = json.loads(line)
    print(0 if request["part"] == 1 else request["hand"][0], flush=True)
"""
    table.play("sys.stdin.readline()" + code, "+forsale")
    assert table.faults() == [("unreadable", "too_big")]


def test_a_child_that_dies_is_gone_and_the_match_goes_on(table: Table) -> None:
    played = table.play(on_ask("print('I give up', file=sys.stderr); sys.exit(3)"))
    assert isinstance(played.end, Result)
    assert played.endings[0] == "exited with status 3"
    assert played.stderr[0] == "I give up\n"
    assert played.match.gone == {0: "dead"}


def test_a_child_that_is_killed_is_gone(table: Table) -> None:
    played = table.play(on_ask("os.kill(os.getpid(), 9)"))
    assert isinstance(played.end, Result) and set(played.match.gone) == {0}


def test_a_flood_of_lines_costs_the_seat(table: Table) -> None:
    """Each line answers a closed ask, which alone would cost nothing."""
    stale = '{"type":"answer","id":0,"action":{}}'
    played = table.play(on_ask(f"[print({stale!r}) for _ in range(1_000_000)]"))
    assert isinstance(played.end, Result) and set(played.match.gone) == {0}


def test_a_flood_without_a_newline_costs_the_seat(table: Table) -> None:
    played = table.play(on_ask("[sys.stdout.write('x' * 65536) for _ in range(10_000)]"))
    assert isinstance(played.end, Result) and set(played.match.gone) == {0}


def test_of_a_flood_of_complaints_the_last_is_kept(table: Table) -> None:
    played = table.play(on_ask(f"print('x' * 30_000 + 'end', file=sys.stderr, flush=True); {ANSWER}"))
    assert isinstance(played.end, Result)
    assert len(played.stderr[0]) == 64 * 1024 and played.stderr[0].endswith("end\n")


def test_a_child_that_never_reads_is_given_up_and_holds_up_nobody() -> None:
    async def fill() -> str | None:
        peer = await ProcessPeer.start([sys.executable, "-c", "import time; time.sleep(600)"])
        for _ in range(UNSENT_BYTES // 65536 + 20):
            peer.send([b"x" * 65536])
        assert peer.gone == "dead"
        await peer.close()
        return peer.gone

    began = time.monotonic()
    assert asyncio.run(fill()) == "dead"
    assert time.monotonic() - began < 100


def test_a_child_that_is_no_longer_waited_for_is_killed_at_once() -> None:
    async def cancel() -> None:
        peer = await ProcessPeer.start([sys.executable, "-c", "import time; time.sleep(600)"])
        closing = asyncio.ensure_future(peer.close())
        await asyncio.sleep(0)
        closing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await closing
        await peer.exited(60)
        assert not peer.ended_well and "signal 9" in peer.status

    before = processes()
    asyncio.run(cancel())
    gc.collect()  # an open transport would be a warning, and so an error
    assert processes() == before


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("sys.exit('no config')", "was gone before it introduced itself"),
        ("print('hi', flush=True); sys.stdin.read()", "the first message must be a hello"),
        ("say({'type': 'hello', 'name': 'x' * 65})", "the first message must be a hello"),
        ("say({'type': 'hello', 'name': 7})", "the first message must be a hello"),
        ("print('x' * 70_000, flush=True); sys.stdin.read()", "more than 65536 bytes"),
        ("time.sleep(600)", "did not introduce itself within 0.3 s"),
    ],
)
def test_a_client_that_does_not_introduce_itself_does_not_play(table: Table, code: str, why: str) -> None:
    before = processes()
    with pytest.raises(CannotPlay, match=why):
        table.play(code, handshake_s=0.3 if "sleep" in code else 30.0, stays="sleep" in code)
    assert processes() == before


def test_what_it_complained_about_is_told_with_its_failure(table: Table) -> None:
    with pytest.raises(CannotPlay, match=r"itself; it exited with status 1, saying: no config$"):
        table.play("print('many lines', file=sys.stderr); sys.exit('no config')")


def test_a_command_that_is_none_is_named(table: Table) -> None:
    with pytest.raises(CannotPlay, match=r"cannot start './nowhere': No such file or directory"):
        table.play_specs([load(FORSALE, "exec:./nowhere"), load(FORSALE, "random"), load(FORSALE, "random")])


def test_whatever_a_child_started_ends_with_it(table: Table) -> None:
    code = (
        """
import subprocess
child = subprocess.Popen(["sleep", "600"], stdin=subprocess.DEVNULL)
print(child.pid, file=sys.stderr, flush=True)
"""
        + GOOD
    )
    grandchild = int(table.play(code).stderr[0].split()[0])
    began = time.monotonic()
    while alive(grandchild) and time.monotonic() - began < 60:
        time.sleep(0.02)
    assert not alive(grandchild)


def test_a_child_that_ignores_the_end_is_ended(table: Table) -> None:
    before, began = processes(), time.monotonic()
    table.play(GOOD + "\ntime.sleep(600)", stays=True)
    assert time.monotonic() - began < 100
    assert not any(map(alive, processes() - before))


def test_a_child_that_ignores_signals_is_ended(table: Table) -> None:
    import_signal = (
        "import signal\nfor s in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(s, signal.SIG_IGN)\n"
    )
    before = processes()
    table.play(import_signal + GOOD + "\ntime.sleep(600)", stays=True)
    assert not any(map(alive, processes() - before))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_no_child_outlives_us(table: Table, number: signal.Signals) -> None:
    (table.folder / "child.sh").write_text("echo $$ > pid; exec sleep 600\n")
    words = ["-m", "parlour", "match", "forsale", "exec+forsale:sh child.sh", "random", "random"]
    running = subprocess.Popen([sys.executable, *words], cwd=table.folder, stdout=subprocess.DEVNULL)
    written = table.folder / "pid"
    while not (written.exists() and written.read_text().strip()):
        time.sleep(0.02)
    running.send_signal(number)
    assert running.wait(60) == 128 + number
    assert not alive(int(written.read_text()))


def test_a_folder_to_start_in(table: Table) -> None:
    played = table.play("print(os.getcwd(), file=sys.stderr)\n" + GOOD, cwd=str(table.folder))
    assert played.stderr[0].strip() == str(table.folder.resolve())


def test_many_matches_leave_nothing_behind(table: Table) -> None:
    many(table, 10)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_thousand_matches_leave_nothing_behind(table: Table) -> None:
    many(table, 1000)


def many(table: Table, count: int) -> None:
    """Three children a match; one of them dies in the middle."""
    dies = on_ask(f"sys.exit() if message['id'] == 9 else {ANSWER}")
    specs = []
    for number, code in enumerate((GOOD, dies, GOOD)):
        folder = table.folder / str(number)
        folder.mkdir()
        specs.append(Table(folder).child(code))
    Table(table.folder).play_specs(specs)
    gc.collect()
    before, opened, used = processes(), descriptors(), resident()
    for _ in range(count):
        Table(table.folder).play_specs(specs)
    assert processes() == before and descriptors() == opened
    assert resident() - used < 16 * 1024 * 1024
    assert signal.getsignal(signal.SIGCHLD) == signal.SIG_DFL


def resident() -> int:
    """Bytes of memory we hold."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

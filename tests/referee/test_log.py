"""Logs in memory and in files."""

from pathlib import Path
from typing import Any

import pytest

from parlour.core import Stop
from parlour.games import game
from parlour.referee.log import CannotRecord, CombinedLog, FileLog, ImmediateLog, MemoryLog, read_lines, seed_path
from parlour.referee.match import Match
from parlour.referee.replay import verify
from tests.referee.hand import SEED, new_match


def played(log: ImmediateLog) -> Match[Any]:
    """A short match, from its first line to the seed."""
    match = new_match()
    log.write(match.begin(0.0).lines)
    log.write(match.table(Stop(), 0.0).lines)
    log.end(match)
    return match


def test_a_log_without_a_place_to_write_still_reveals_the_seed() -> None:
    assert played(ImmediateLog()).revealed


def test_all_logs_get_the_same_lines_and_the_seed_once(tmp_path: Path) -> None:
    memory, file = MemoryLog(), FileLog(tmp_path / "m.jsonl", SEED)
    match = played(CombinedLog(memory, file))
    assert read_lines(tmp_path / "m.jsonl") == memory.lines
    assert verify(b"".join(line + b"\n" for line in memory.lines), game).holds == "yes"
    file.end(match)
    assert read_lines(tmp_path / "m.jsonl") == memory.lines, "ended once"


def test_a_file_is_created_with_the_first_line_and_its_seed_is_beside_it_until_the_end(tmp_path: Path) -> None:
    log, match = FileLog(tmp_path / "m.jsonl", SEED), new_match()
    assert not [*tmp_path.iterdir()]
    log.write(match.begin(0.0).lines)
    beside = seed_path(tmp_path / "m.jsonl")
    assert beside.read_text() == SEED.hex() + "\n" and beside.stat().st_mode & 0o777 == 0o600
    log.write(match.table(Stop(), 0.0).lines)
    log.end(match)
    assert [*tmp_path.iterdir()] == [tmp_path / "m.jsonl"]


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    path.write_bytes(b"mine")
    with pytest.raises(CannotRecord, match="exists already"):
        played(FileLog(path, SEED))
    with pytest.raises(CannotRecord, match="there is no folder"):
        played(FileLog(tmp_path / "nowhere" / "m.jsonl", SEED))
    assert path.read_bytes() == b"mine"


def test_a_log_goes_on_after_its_last_whole_line_and_only_once_at_a_time(tmp_path: Path) -> None:
    path, match = tmp_path / "m.jsonl", new_match()
    first = FileLog(path, SEED)
    first.write(match.begin(0.0).lines)
    with pytest.raises(CannotRecord, match="another process"):
        FileLog.resume(path)
    first.release()
    with path.open("ab") as file:
        file.write(b'{"half a li')
    log, seed, lines = FileLog.resume(path)
    assert seed == SEED and len(lines) == 1
    log.write(match.table(Stop(), 0.0).lines)
    log.end(match)
    assert verify(path.read_bytes(), game).holds == "yes"
    with pytest.raises(CannotRecord, match="is finished"):
        FileLog.resume(path)


def test_an_error_names_the_file(tmp_path: Path) -> None:
    log = FileLog(tmp_path / "m.jsonl", SEED)
    with (
        Path("/dev/full").open("wb", buffering=0) as log._file,
        pytest.raises(OSError, match="No space") as failed,
    ):
        log.write([b"line"])
    assert failed.value.filename == str(log.path)

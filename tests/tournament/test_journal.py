"""The journal: nothing that is finished is lost."""

from pathlib import Path

import pytest

from parlour.tournament.journal import JOURNAL, CannotJournal, Journal
from parlour.tournament.playing import play_packed
from parlour.tournament.runner import run
from tests.tournament.plans import InOrder, first_round, plan

PLAN = plan(deals=2)
PACKAGES = [play_packed(PLAN, fixture) for fixture in first_round(PLAN).fixtures()]


def transcripts(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "transcripts").rglob("*.jsonl"))


def test_transcripts_are_withheld_until_their_set_is_complete(tmp_path: Path) -> None:
    with Journal.begin(tmp_path, PLAN) as journal:
        journal.add(PACKAGES[:5])
        assert transcripts(tmp_path) == [] and len([*(tmp_path / "withheld").rglob("*.jsonl")]) == 5
        journal.add(PACKAGES[5:7])
    assert transcripts(tmp_path) == [f"match-{match:06}.jsonl" for match in range(6)]


@pytest.mark.parametrize("cut", [0, 1, 100, 1500])
def test_a_journal_that_was_cut_anywhere_is_continued(tmp_path: Path, cut: int) -> None:
    with Journal.begin(tmp_path, PLAN) as journal:
        journal.add([PACKAGES[3], PACKAGES[8], PACKAGES[1]])
    data = (tmp_path / JOURNAL).read_bytes()
    (tmp_path / JOURNAL).write_bytes(data[: len(data) - cut])
    with Journal.resume(tmp_path) as journal:
        assert [journal.has(match) for match in (3, 8, 1, 0)] == [True, True, not cut, False]
        run(journal, InOrder(PLAN))
        assert [result.match for result in journal.results()] == list(range(12))
    assert len(transcripts(tmp_path)) == 12


def test_transcripts_of_a_set_that_was_complete_when_the_run_was_killed_are_published(tmp_path: Path) -> None:
    with Journal.begin(tmp_path, PLAN) as journal:
        journal.add(PACKAGES[:6])
    (tmp_path / "withheld").mkdir()
    (tmp_path / "transcripts/deal-00000-lineup-000").rename(tmp_path / "withheld/deal-00000-lineup-000")
    Journal.resume(tmp_path).close()
    assert len(transcripts(tmp_path)) == 6


def test_a_plan_without_transcripts_writes_none(tmp_path: Path) -> None:
    it = plan(deals=1, transcripts=False)
    with Journal.begin(tmp_path, it) as journal:
        run(journal, InOrder(it))
    assert [path.name for path in tmp_path.iterdir()] == [JOURNAL]


def test_a_folder_with_something_else_or_in_use_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CannotJournal, match="no tournament to resume"):
        Journal.resume(tmp_path)
    with Journal.begin(tmp_path / "a", PLAN):
        with pytest.raises(CannotJournal, match="not empty; --resume"):
            Journal.begin(tmp_path / "a", PLAN)
        with pytest.raises(CannotJournal, match="in use by another process"):
            Journal.resume(tmp_path / "a")
    (tmp_path / "a" / JOURNAL).write_bytes(b"{}\n")
    with pytest.raises(CannotJournal, match="first line is not the plan"):
        Journal.resume(tmp_path / "a")
    with pytest.raises(CannotJournal, match=r"is not empty$"):
        Journal.begin(tmp_path, PLAN)


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    Journal.begin(tmp_path, PLAN).close()
    with (tmp_path / JOURNAL).open("ab") as file:
        file.write(b'{"no": 1}\n')
    with pytest.raises(CannotJournal, match=r"the line at byte .* is broken"):
        Journal.resume(tmp_path)

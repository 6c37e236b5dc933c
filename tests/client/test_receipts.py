"""Receipts of real matches at a real arena: what they prove, and what they catch that `verify` alone cannot."""

import asyncio
import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from parlour import client
from parlour.client import Client, Finished, Refused
from parlour.core import Dice
from parlour.games import game
from parlour.referee.driver import drive
from parlour.referee.log import MemoryLog
from parlour.referee.match import Match
from parlour.referee.receipt import AnswerEntry, OverEntry, Receipt, read_receipt
from parlour.referee.receipt_check import ReceiptCheck, compare_receipt
from parlour.referee.replay import read_header, verify
from parlour.referee.signature import Signer, new_key
from parlour.referee.transcript import split
from tests.client.fake import Line, Opening, arena
from tests.client.test_client import Counting, greeted
from tests.players.clients import run
from tests.server.arenas import Hall, House, evening
from tests.turned import until

pytestmark = pytest.mark.timeout(300)
RULES = game("forsale")
OTHER_KEY = Signer(new_key()).public_key


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "RETRY_S", (0.02,))


class Played:
    """A match that was played with a receipt."""

    def __init__(self, finished: Finished, transcript: bytes) -> None:
        assert finished.receipt is not None and finished.signed_by is not None
        self.match = finished.match
        self.receipt = finished.receipt.read_bytes()
        self.transcript = transcript
        self.key = finished.signed_by
        self.mode = finished.receipt.stat().st_mode & 0o777


async def played(hall: Hall, token: str | None, bot: Any, path: Path, **terms: Any) -> Played:
    host = await hall.account(f"host {path.name}")
    table = (await hall.table(host, "forsale", "open", "random", "random", **terms))["table"]["id"]
    finished = await Client(hall.url, token, receipt=path).play_async("forsale", bot, table=table)
    await hall.over(table)
    return Played(finished, (await hall.get(f"/matches/{table}/transcript")).content)


class Faulty:
    """One answer in three is none, or forbidden."""

    answers = 0

    def __call__(self, view: Any, ask: Any, dice: Dice) -> Any:
        self.answers += 1
        place = self.answers % 6
        return {"type": "Bid", "amount": 99} if place == 1 else {"junk": 1} if place == 4 else ask.choices[0]


@pytest.fixture(scope="module")
def matches(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Played]:
    """One match without a fault, one with many, and another."""
    folder = tmp_path_factory.mktemp("receipts")

    async def work(hall: Hall) -> dict[str, Played]:
        token = await hall.account("ada")
        bots = {"fair": RULES.hosting.bots["minimum"], "faulty": Faulty(), "other": RULES.hosting.bots["minimum"]}
        return {name: await played(hall, token, bot, folder / name) for name, bot in bots.items()}

    return evening(House(folder, log="off"), work)


def belongs(receipt: bytes, transcript: bytes, key: str | None = None) -> ReceiptCheck:
    return compare_receipt(read_receipt(receipt), transcript, verify(transcript, game), game, key)


def changed(receipt: bytes, change: Callable[[list[dict[str, Any]]], None]) -> bytes:
    entries = [json.loads(line) for line in receipt.splitlines()]
    change(entries)
    return b"".join(json.dumps(entry).encode() + b"\n" for entry in entries)


def unended(entries: list[dict[str, Any]]) -> None:
    del entries[-1]


def first(entries: list[dict[str, Any]], kind: str) -> int:
    return next(place for place, entry in enumerate(entries) if entry["kind"] == kind)


def forged(transcript: bytes, bots: list[str]) -> bytes:
    """Other moves under the same header, as anybody can write who knows the seed."""
    lines = split(transcript)
    seed = bytes.fromhex(json.loads(lines[-1])["seed"])
    match: Match[Any] = Match(RULES, read_header(lines[0]), seed)
    written: list[bytes] = []

    drive(match, [RULES.hosting.bots[bot] for bot in bots], MemoryLog(written))
    return b"".join(line + b"\n" for line in [*written, match.reveal()])


# What holds


@pytest.mark.parametrize("name", ["fair", "faulty"])
def test_a_receipt_proves_its_match(matches: dict[str, Played], name: str) -> None:
    it = matches[name]
    found = belongs(it.receipt, it.transcript, it.key)
    taken = sum(line.get("by") == 0 and "fault" not in line for line in map(json.loads, it.transcript.splitlines()))
    assert found.troubles == found.open == []
    assert found.proved[0] == f"your match: {taken} answers of seat 0 in it, in order, and no others"
    assert found.proved[1].startswith(f"signed: result and head, by {it.key} ") and taken > 5
    assert (name == "faulty") == any("illegal" in note and "unreadable" in note for note in found.notes)


def test_a_receipt_has_all_that_it_should_and_no_secret_of_others(matches: dict[str, Played]) -> None:
    it = matches["fair"]
    hello, seat, *answers, over = map(json.loads, it.receipt.splitlines())
    header = json.loads(it.transcript.splitlines()[0])
    assert hello["commit"] == header["commit"] and hello["salt"] == header["players"][0]["salt"] != ""
    assert hello["url"].startswith("http://127.0.0.1:") and (hello["game"], hello["version"]) == ("forsale", 1)
    assert (seat["match"], seat["seat"], seat["players"][0]) == (it.match, 0, "ada") and len(seat["header"]) == 64
    assert {entry["kind"] for entry in answers} == {"answer"}
    assert over["public_key"] == it.key and len(over["signature"]) == 128 and over["end"]["type"] == "Result"
    assert b"parlour_" not in it.receipt and it.mode == 0o600


def test_without_an_end_it_still_proves_the_answers(matches: dict[str, Played]) -> None:
    it = matches["fair"]
    found = belongs(changed(it.receipt, unended), it.transcript)
    assert found.troubles == [] and found.proved and "ends before the match did" in found.open[0]


def test_without_a_signature_it_holds_for_its_owner(matches: dict[str, Played]) -> None:
    it = matches["fair"]

    def unsigned(entries: list[dict[str, Any]]) -> None:
        del entries[-1]["signature"], entries[-1]["public_key"]

    found = belongs(changed(it.receipt, unsigned), it.transcript)
    assert found.troubles == [] and found.notes[0].startswith("not signed")
    assert belongs(changed(it.receipt, unsigned), it.transcript, it.key).troubles[0].startswith("not signed")


# What does not


def test_other_moves_under_the_same_header_hold_for_verify_and_not_for_the_receipt(matches: dict[str, Played]) -> None:
    it = matches["fair"]
    forgery = forged(it.transcript, ["random", "minimum", "minimum"])
    assert verify(forgery, game).holds == "yes" and forgery.splitlines()[0] == it.transcript.splitlines()[0]
    whole, cut = belongs(it.receipt, forgery), belongs(changed(it.receipt, unended), forgery)
    assert whole.troubles[0].startswith("the head is ") and whole.troubles[1].startswith("the result is ")
    assert any("of yours to ask" in trouble for trouble in whole.troubles)
    assert cut.troubles and all("of yours" in trouble or "your answer" in trouble for trouble in cut.troubles)


def test_other_moves_of_the_others_are_caught_by_the_head(matches: dict[str, Played]) -> None:
    it = matches["fair"]
    forgery = forged(it.transcript, ["minimum", "minimum", "random"])
    assert verify(forgery, game).holds == "yes"
    assert belongs(it.receipt, forgery).troubles[0].startswith("the head is ")


def test_the_transcript_of_another_match_is_not_the_receipts(matches: dict[str, Played]) -> None:
    it, other = matches["fair"], matches["other"]
    [trouble] = belongs(it.receipt, other.transcript).troubles
    assert trouble == f"the transcript is of match {other.match}, the receipt of match {it.match}"


def seat_1(entries: list[dict[str, Any]]) -> None:
    entries[1]["seat"] = 1


def no_seat(entries: list[dict[str, Any]]) -> None:
    entries[1]["seat"] = 3


def seat_1_by_name(entries: list[dict[str, Any]]) -> None:
    entries[1]["seat"] = 1
    entries[0]["salt"] = ""


def another_salt(entries: list[dict[str, Any]]) -> None:
    entries[0]["salt"] = "another"


def another_commitment(entries: list[dict[str, Any]]) -> None:
    entries[0]["commit"] = "0" * 64


def another_header(entries: list[dict[str, Any]]) -> None:
    entries[1]["header"] = "0" * 64


def another_head(entries: list[dict[str, Any]]) -> None:
    entries[-1]["head"] = "0" * 64


def another_result(entries: list[dict[str, Any]]) -> None:
    entries[-1]["end"]["scores"][0] += 1


def another_answer(entries: list[dict[str, Any]]) -> None:
    entries[first(entries, "answer")]["action"] = {"type": "Bid", "amount": 17}


def one_answer_less(entries: list[dict[str, Any]]) -> None:
    del entries[first(entries, "answer")]


def one_answer_more(entries: list[dict[str, Any]]) -> None:
    entries.insert(first(entries, "answer"), entries[first(entries, "answer")])


def two_answers_swapped(entries: list[dict[str, Any]]) -> None:
    entries[2], entries[3] = entries[3], entries[2]


def another_signature(entries: list[dict[str, Any]]) -> None:
    entries[-1]["signature"] = entries[-1]["signature"][:-1] + ("0" if entries[-1]["signature"][-1] != "0" else "1")


def another_key(entries: list[dict[str, Any]]) -> None:
    entries[-1]["public_key"] = OTHER_KEY


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (seat_1, "the salt of seat 1 is ''"),
        (seat_1_by_name, "ask 1"),
        (no_seat, "the transcript has no seat 3"),
        (another_salt, "the salt of seat 0 is"),
        (another_commitment, "the commitment is"),
        (another_header, "the header hash is"),
        (another_head, "the head is"),
        (another_result, "the result is"),
        (another_answer, '"amount":17}'),
        (one_answer_less, "the receipt has no such answer"),
        (one_answer_more, "is not in the transcript"),
        (two_answers_swapped, "in another order"),
        (another_signature, "the signature does not hold"),
        (another_key, "the signature does not hold"),
    ],
)
def test_a_changed_receipt_does_not_belong_to_the_match(
    matches: dict[str, Played], change: Callable[[list[dict[str, Any]]], None], words: str
) -> None:
    it = matches["fair"]
    found = belongs(changed(it.receipt, change), it.transcript)
    assert any(words in trouble.replace(" ", "") or words in trouble for trouble in found.troubles), found


def test_a_faulty_receipt_without_a_fault_or_with_another_does_not_belong(matches: dict[str, Played]) -> None:
    it = matches["faulty"]

    def untold(entries: list[dict[str, Any]]) -> None:
        del entries[first(entries, "fault")]

    def told(entries: list[dict[str, Any]]) -> None:
        entries[first(entries, "fault")]["code"] = "other"

    assert "and you were not told of it" in belongs(changed(it.receipt, untold), it.transcript).troubles[0]
    assert "that the transcript lacks" in belongs(changed(it.receipt, told), it.transcript).troubles[-1]


def test_a_signature_of_another_server_is_not_the_one_asked_for(matches: dict[str, Played]) -> None:
    it = matches["fair"]
    [trouble] = belongs(it.receipt, it.transcript, OTHER_KEY).troubles
    assert trouble == f"the result is signed with the key {it.key}, not {OTHER_KEY}"


# Where it is kept


def test_a_folder_has_a_file_for_each_match(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("ada")
        folder = tmp_path / "receipts"
        folder.mkdir()
        one, two = await played(hall, token, RULES.hosting.bots["minimum"], folder), await _again(hall, token, folder)
        assert sorted(path.name for path in folder.iterdir()) == sorted(f"{it.match}.receipt" for it in (one, two))
        for it in (one, two):
            assert belongs(it.receipt, it.transcript, it.key).troubles == []

    evening(House(tmp_path, log="off"), work)


async def _again(hall: Hall, token: str, folder: Path) -> Played:
    host = await hall.account("another host")
    table = (await hall.table(host, "forsale", "open", "random", "random"))["table"]["id"]
    finished = await Client(hall.url, token, receipt=f"{folder}{os.sep}").play_async(
        "forsale", RULES.hosting.bots["random"], table=table
    )
    await hall.over(table)
    return Played(finished, (await hall.get(f"/matches/{table}/transcript")).content)


def test_a_finished_receipt_is_not_written_over(tmp_path: Path, matches: dict[str, Played]) -> None:
    path = tmp_path / "mine"
    path.write_bytes(matches["fair"].receipt)
    with pytest.raises(Refused, match="of a match that is over; give another file") as refused:
        Client("http://127.0.0.1:1", receipt=path).play("forsale", RULES.hosting.bots["random"])
    assert refused.value.code == "receipt" and path.read_bytes() == matches["fair"].receipt


@pytest.mark.parametrize("content", [b"something of mine\n", b'{"kind":"header"}\n'])
def test_what_is_no_receipt_is_not_written_to(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "mine"
    path.write_bytes(content)
    with pytest.raises(Refused, match="is not a receipt"):
        Client("http://127.0.0.1:1", receipt=path).play("forsale", RULES.hosting.bots["random"])
    assert path.read_bytes() == content


def test_an_unfinished_receipt_of_another_match_is_left_alone(tmp_path: Path, matches: dict[str, Played]) -> None:
    path = tmp_path / "mine"
    unfinished = changed(matches["fair"].receipt, unended)
    path.write_bytes(unfinished)

    async def work(hall: Hall) -> None:
        with pytest.raises(Refused, match=f"is the receipt of match {matches['fair'].match}"):
            await Client(hall.url, receipt=path).play_async("forsale", RULES.hosting.bots["random"])

    evening(House(tmp_path, log="off"), work)
    assert path.read_bytes() == unfinished


def test_where_nothing_can_be_written_no_match_begins(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        with pytest.raises(Refused, match="No such file or directory") as refused:
            await Client(hall.url, receipt=tmp_path / "nowhere" / "mine").play_async(
                "forsale", RULES.hosting.bots["random"]
            )
        assert refused.value.code == "receipt"

    evening(House(tmp_path, log="off"), work)


# Connections and processes that are lost


def test_an_answer_that_is_sent_again_is_one_answer(tmp_path: Path) -> None:
    table, bot, path = Opening(), Counting(), tmp_path / "mine"

    async def first(line: Line, hello: dict[str, Any]) -> None:
        await line.say(table.seat(), table.ask())
        await line.hear()

    async def second(line: Line, hello: dict[str, Any]) -> None:
        await line.say(table.seat(), table.ask())
        await line.hear()
        await line.say(table.over())

    async def work() -> None:
        async with arena([greeted(table, first), greeted(table, second)]) as fake:
            await Client(fake.url, receipt=path).play_async("forsale", bot)

    run(work())
    receipt = read_receipt(path.read_bytes())
    assert sum(isinstance(entry, AnswerEntry) for entry in receipt.entries) == 1 and len(receipt.seats) == 2


def test_an_answer_is_on_the_disk_before_it_is_sent(tmp_path: Path) -> None:
    table, bot, path = Opening(), Counting(), tmp_path / "mine"
    found: list[Receipt] = []

    async def visit(line: Line, hello: dict[str, Any]) -> None:
        await line.say(table.seat(), table.ask())
        said = await line.hear()
        found.append(read_receipt(path.read_bytes()))
        last = found[0].entries[-1]
        assert isinstance(last, AnswerEntry) and (last.id, json.loads(bytes(last.action))) == (
            said["id"],
            said["action"],
        )
        await line.say(table.over())

    async def work() -> None:
        async with arena([greeted(table, visit)]) as fake:
            await Client(fake.url, receipt=path).play_async("forsale", bot)

    run(work())
    assert found and isinstance(read_receipt(path.read_bytes()).entries[-1], OverEntry)


def test_a_salt_is_the_same_at_the_same_table(tmp_path: Path) -> None:
    table, bot, hellos = Opening(), Counting(), list[dict[str, Any]]()

    async def lost(line: Line, hello: dict[str, Any]) -> None:
        hellos.append(hello)

    async def last(line: Line, hello: dict[str, Any]) -> None:
        hellos.append(hello)
        await line.say(table.seat(), table.over())

    async def work() -> None:
        visits = [greeted(table, lost), greeted(table, lost, "c1"), greeted(table, last)]
        async with arena(visits) as fake:
            await Client(fake.url, receipt=tmp_path / "mine").play_async("forsale", bot)

    run(work())
    one, other, again = (hello["salt"] for hello in hellos)
    assert one == again != other
    assert read_receipt((tmp_path / "mine").read_bytes()).salts("c0") == [one]


class Stuck:
    """Takes the first choice three times; at its fourth ask it waits to be let go."""

    def __init__(self) -> None:
        self._asked = 0
        self.go = threading.Event()

    def __call__(self, view: Any, ask: Any, dice: Dice) -> Any:
        self._asked += 1
        assert self._asked < 4 or self.go.wait(60)
        return ask.choices[0]


async def broken_off(hall: Hall, token: str, path: Path) -> str:
    """A match that its client left in the middle, as if it was killed while it wrote a line."""
    table: str = (await hall.table(token, "forsale", "open", "random", "random"))["table"]["id"]
    bot = Stuck()
    playing = asyncio.ensure_future(Client(hall.url, token, receipt=path).play_async("forsale", bot, table=table))
    await until(lambda: path.exists() and path.read_bytes().count(b'"answer"') == 3)
    playing.cancel()
    bot.go.set()
    await asyncio.gather(playing, return_exceptions=True)
    with path.open("ab") as torn:
        torn.write(b'{"kind":"answer","id":4,"ac')
    return table


def test_another_process_goes_on_with_the_receipt(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        token, path = await hall.account("ada"), tmp_path / "mine"
        table = await broken_off(hall, token, path)
        bot = RULES.hosting.bots["minimum"]
        finished = await Client(hall.url, token, receipt=path).play_async("forsale", bot, table=table)
        await hall.over(table)
        it = Played(finished, (await hall.get(f"/matches/{table}/transcript")).content)
        assert belongs(it.receipt, it.transcript, it.key).troubles == []
        assert [seat.returned for seat in read_receipt(it.receipt).seats] == [False, True]

    evening(House(tmp_path, log="off"), work)


@pytest.mark.parametrize("folder", [False, True])
def test_a_client_that_returns_after_the_end_gets_the_signature_for_the_receipt(tmp_path: Path, folder: bool) -> None:
    async def work(hall: Hall) -> None:
        token, path = await hall.account("ada"), tmp_path / "mine"
        table = await broken_off(hall, token, path)
        where = path
        if folder:
            (tmp_path / "all").mkdir()
            where = path.rename(tmp_path / "all" / f"{table}.receipt").parent
        await Client(hall.url, token).play_async("forsale", RULES.hosting.bots["minimum"], table=table)
        await hall.over(table)
        with pytest.raises(Refused, match="the match was already over"):
            await Client(hall.url, token, receipt=where).play_async(
                "forsale", RULES.hosting.bots["minimum"], table=table
            )
        receipt = (where / f"{table}.receipt" if folder else where).read_bytes()
        found = belongs(receipt, (await hall.get(f"/matches/{table}/transcript")).content)
        assert found.proved[0].startswith("signed: ") and "the receipt has no such answer" in found.troubles[0]

    evening(House(tmp_path, log="off"), work)


def test_a_salt_given_over_http_is_in_the_receipt(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        created = await hall.table(await hall.account("host"), "forsale", "invited", "random", "random")
        table, path = created["table"]["id"], tmp_path / "mine"
        finished = await Client(hall.url, receipt=path).play_async(
            "forsale", RULES.hosting.bots["minimum"], table=table, key=created["key"]
        )
        await hall.over(table)
        it = Played(finished, (await hall.get(f"/matches/{table}/transcript")).content)
        salt = json.loads(it.transcript.splitlines()[0])["players"][0]["salt"]
        assert read_receipt(it.receipt).hellos[0].salt == salt != ""
        assert belongs(it.receipt, it.transcript, it.key).troubles == []

    evening(House(tmp_path, log="off"), work)


def test_the_salt_in_hello_counts_for_a_client_that_has_taken_a_seat_before(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        token, path = await hall.account("ada"), tmp_path / "mine"
        table = await hall.table(token, "forsale", "open", "invited", "random")
        id = table["table"]["id"]
        await hall.post(f"/tables/{id}/join", token, salt="the first")
        playing = asyncio.ensure_future(
            Client(hall.url, token, receipt=path).play_async("forsale", RULES.hosting.bots["minimum"], table=id)
        )
        await until(path.exists)
        other = Client(hall.url).play_async("forsale", RULES.hosting.bots["random"], table=id, key=table["key"])
        finished, _ = await asyncio.gather(playing, other)
        await hall.over(id)
        it = Played(finished, (await hall.get(f"/matches/{id}/transcript")).content)
        assert belongs(it.receipt, it.transcript, it.key).troubles == []

    evening(House(tmp_path, log="off"), work)


@pytest.mark.parametrize("name", ["dominion", "maze", "colorfight", "tradecraft"])
def test_receipts_of_every_game_hold(tmp_path: Path, name: str) -> None:
    rules, options = game(name), {"colorfight": {"max_turn": 20}}.get(name, {})
    terms = {"limit_s": 0.05} if name == "colorfight" else {}
    bot = "random" if name in ("dominion", "tradecraft") else [*rules.hosting.bots][-1]

    async def work(hall: Hall) -> None:
        token, path = await hall.account("ada"), tmp_path / "mine"
        others = ["random"] * (rules.table_seats()[0] - 1)
        table = (await hall.table(token, name, "open", *others, options=options, **terms))["table"]["id"]
        finished = await Client(hall.url, token, receipt=path).play_async(name, rules.hosting.bots[bot], table=table)
        await hall.over(table)
        it = Played(finished, (await hall.get(f"/matches/{table}/transcript")).content)
        assert belongs(it.receipt, it.transcript, it.key).troubles == []

    evening(House(tmp_path, log="off"), work)

"""The client: a player is asked once, even if the connection is lost, and gets all events as in a local match."""

import asyncio
import json
import logging
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from websockets.asyncio.client import ClientConnection

from parlour import client
from parlour.client import CannotPlay, Client, Finished, Playable, Refused
from parlour.client.api import is_loopback, url_of
from parlour.client.match import ClientMatch
from parlour.client.players import decider_for
from parlour.client.stderr import StderrBuffer
from parlour.core import Dice, Place, Question, Void
from parlour.games import game
from parlour.games.tradecraft.answers import ItemInfo
from parlour.players.player_specs import load
from parlour.protocol.v1 import AnswerMessage, PlayerHello
from parlour.referee.player import Resigned
from tests.client.fake import Fake, Line, Opening, Visit, arena
from tests.players.clients import run
from tests.server.arenas import Hall, House, evening
from tests.turned import settle, until

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "RETRY_S", (0.02,))


class Counting:
    """Takes the first choice, and counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0
        self.may_answer = threading.Event()
        self.may_answer.set()

    def __call__(self, view: Any, ask: Any, dice: Dice) -> Any:
        self.asked += 1
        assert self.may_answer.wait(60)
        return ask.choices[0]


def visited(visits: Sequence[Visit | int], bot: Playable) -> tuple[Finished, Fake]:
    async def work() -> tuple[Finished, Fake]:
        async with arena(visits) as fake:
            return await Client(fake.url).play_async("forsale", bot), fake

    found: tuple[Finished, Fake] = run(work())
    return found


def greeted(table: Opening, then: Callable[[Line, dict[str, Any]], Awaitable[None]], commit: str = "c0") -> Visit:
    async def visit(line: Line) -> None:
        await line.say(table.hello(commit))
        await then(line, await line.hear())

    return visit


# Connections that are lost


def test_an_answer_that_was_lost_is_sent_again_and_nobody_is_asked_twice() -> None:
    table, bot, heard = Opening(), Counting(), []

    async def first(line: Line, hello: dict[str, Any]) -> None:
        await line.say(table.seat(), table.ask())
        heard.append(await line.hear())

    async def second(line: Line, hello: dict[str, Any]) -> None:
        assert hello["token"] == "given" and line.path == f"/play/forsale/{table.id}"
        await line.say(table.seat(), table.ask())
        heard.append(await line.hear())
        await line.say(table.over())

    finished, _ = visited([greeted(table, first), greeted(table, second)], bot)
    assert finished.match == table.id and bot.asked == 1
    assert heard[0] == heard[1] and heard[0]["type"] == "answer"


def test_a_client_that_thinks_while_the_connection_is_lost_answers_over_the_next_one() -> None:
    table, bot, heard = Opening(), Counting(), []
    bot.may_answer.clear()

    async def first(line: Line, hello: dict[str, Any]) -> None:
        await line.say(table.seat(), table.ask())

    async def second(line: Line, hello: dict[str, Any]) -> None:
        await line.say(table.seat(), table.ask())
        bot.may_answer.set()
        heard.append(await line.hear())
        await line.say(table.over())

    visited([greeted(table, first), greeted(table, second)], bot)
    assert bot.asked == 1 and [message["id"] for message in heard] == [1]


def test_another_attempt_is_another_question() -> None:
    table, bot, heard = Opening(), Counting(), []

    async def first(line: Line, hello: dict[str, Any]) -> None:
        await line.say(table.seat(), table.ask())
        heard.append(await line.hear())

    async def second(line: Line, hello: dict[str, Any]) -> None:
        await line.say(table.seat(), table.ask(attempt=2))
        heard.append(await line.hear())
        await line.say(table.over())

    visited([greeted(table, first), greeted(table, second)], bot)
    assert bot.asked == 2 and len(heard) == 2


@pytest.mark.parametrize(
    "code", ["parked", "closing", "idle", "silent", "slow", "too_many", "begun", "no_name", "store_failed"]
)
def test_a_client_that_is_told_to_come_back_comes_back(code: str) -> None:
    table, bot = Opening(), Counting()

    async def first(line: Line) -> None:
        await line.say(f'{{"type":"error","code":"{code}","words":"come again"}}')

    async def second(line: Line, hello: dict[str, Any]) -> None:
        await line.say(table.seat(), table.over())

    _, fake = visited([first, greeted(table, second)], bot)
    assert fake.came == 2


class Seated(Counting):
    """Remembers where it is told that it sits."""

    def __init__(self) -> None:
        super().__init__()
        self.places: list[Place] = []

    def sit(self, place: Place) -> None:
        self.places.append(place)


@pytest.mark.parametrize("is_slow", [False, True])
def test_a_client_whose_match_is_announced_again_with_other_players_plays_with_those(is_slow: bool) -> None:
    announced, begun, bot = Opening(players=4), Opening(), Seated()

    async def plays(line: Line, hello: dict[str, Any]) -> None:
        await line.say(begun.seat(), begun.ask())
        await line.hear()
        await line.say(begun.over())

    async def is_told(line: Line, hello: dict[str, Any]) -> None:
        await line.say(announced.seat())
        if is_slow:
            await line.say('{"type":"error","code":"slow","words":"you did not read your messages in time"}')
        else:
            await plays(line, hello)

    finished, _ = visited([greeted(announced, is_told), greeted(begun, plays)][: 1 + is_slow], bot)
    assert [len(place.players) for place in bot.places] == [4, 3] and len(finished.players) == 3


def test_a_client_that_is_told_to_go_goes_and_says_why() -> None:
    async def dropped(line: Line) -> None:
        await line.say('{"type":"error","code":"dropped","words":"the others did not come in time"}')

    with pytest.raises(Refused, match="the others did not come in time") as refused:
        visited([dropped], Counting())
    assert refused.value.code == "dropped"


def test_a_proxy_whose_arena_is_away_is_tried_again() -> None:
    table = Opening()

    async def there(line: Line, hello: dict[str, Any]) -> None:
        await line.say(table.seat(), table.over())

    _, fake = visited([502, 503, 429, greeted(table, there)], Counting())
    assert fake.came == 4


# What is no arena


@pytest.mark.parametrize("status", [200, 301, 400, 403, 404, 426])
def test_what_is_no_arena_is_tried_once(status: int) -> None:
    with pytest.raises(Refused, match=f"not an arena .HTTP status {status}.") as refused:
        visited([status, status], Counting())
    assert refused.value.code == "no_arena"


def test_rules_of_another_version_are_not_played() -> None:
    async def newer(line: Line) -> None:
        await line.say(Opening().hello(version=99))

    with pytest.raises(Refused, match="the arena has version 99 of For Sale"):
        visited([newer], Counting())


def test_messages_of_another_protocol_are_not_guessed_at() -> None:
    async def strange(line: Line) -> None:
        await line.say('{"type":"welcome"}')

    with pytest.raises(Refused, match="cannot read its message"):
        visited([strange], Counting())


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("http://here:80", "http://here:80"),
        ("https://here/", "https://here"),
        ("127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("ws://here:1/arena/", "http://here:1/arena"),
        ("wss://[::1]:1", "https://[::1]:1"),
    ],
)
def test_an_address_may_be_written_in_many_ways(written: str, meant: str) -> None:
    assert url_of(written) == meant


@pytest.mark.parametrize(
    "written", ["", "ftp://here", "http://", "http://a:b", "http://a b", "http://h?x=1", "http://é"]
)
def test_addresses_that_are_none(written: str) -> None:
    with pytest.raises(Refused, match="http://HOST:PORT") as refused:
        Client(written)
    assert refused.value.code == "bad_url"


def test_no_proxy_leads_to_this_machine() -> None:
    assert is_loopback("http://127.0.0.1:1") and is_loopback("http://localhost") and is_loopback("https://[::1]:2")
    assert not is_loopback("http://10.0.0.1") and not is_loopback("http://example.org")


# Commands

ANSWER = '{"type": "answer", "id": message["id"], "action": message["ask"]["choices"][0]}'
CHILD = f"""
import json, os, sys
log = open(sys.argv[1], "a")
for line in sys.stdin:
    message = json.loads(line)
    log.write(json.dumps({{"pid": os.getpid(), **message}}) + "\\n")
    log.flush()
    if message["type"] == "hello":
        print(json.dumps({{"type": "hello", "name": "child", "salt": "5a17", "about": {{"age": 7}}}}), flush=True)
    elif message["type"] == "ask":
        print(json.dumps({ANSWER}), flush=True)
"""


class Child:
    """A command that writes down all that it hears."""

    def __init__(self, folder: Path, code: str = CHILD) -> None:
        (folder / "child.py").write_text(code)
        self._log = folder / "heard.jsonl"
        self.spec = load(game("forsale"), f"exec:{sys.executable} {folder / 'child.py'} {self._log}")

    def heard(self, kind: str) -> list[dict[str, Any]]:
        return [it for line in self._log.read_text().splitlines() if (it := json.loads(line))["type"] == kind]


@pytest.fixture
def child(tmp_path: Path) -> Child:
    return Child(tmp_path)


def test_a_command_lives_across_connections_and_is_asked_once(child: Child) -> None:
    table = Opening()

    async def first(line: Line, hello: dict[str, Any]) -> None:
        assert (hello["name"], hello["salt"], hello["about"]) == ("child", "5a17", {"age": 7})
        await line.say(table.seat(), table.ask())
        await line.hear()

    async def second(line: Line, hello: dict[str, Any]) -> None:
        await line.say(table.seat(), table.ask())
        assert (await line.hear())["id"] == 1
        await line.say(table.ask(2))
        assert (await line.hear())["id"] == 2
        await line.say(table.over())

    visited([greeted(table, first), greeted(table, second)], child.spec)
    assert len(child.heard("hello")) == len(child.heard("seat")) == 1
    assert [ask["id"] for ask in child.heard("ask")] == [1, 2]
    [over] = child.heard("over")
    assert over["ranks"] == [1, 1, 1]


def test_a_command_is_started_anew_for_another_table_and_not_for_the_same(child: Child) -> None:
    table = Opening()

    async def lost(line: Line, hello: dict[str, Any]) -> None:
        pass

    async def played(line: Line, hello: dict[str, Any]) -> None:
        await line.say(table.seat(), table.over())

    visited([greeted(table, lost), greeted(table, lost), greeted(table, played, commit="c1")], child.spec)
    first, second = child.heard("hello")
    assert (first["commit"], second["commit"]) == ("c0", "c1") and first["pid"] != second["pid"]


def test_faults_reach_a_command_as_they_would_at_home(tmp_path: Path) -> None:
    """What it says cannot be read, so something else is sent; but it hears what was wrong with what it said."""
    child = Child(tmp_path, CHILD.replace('"action": message["ask"]["choices"][0]', '"deed": 1'))

    async def work(hall: Hall) -> Finished:
        host = await hall.account("host")
        table = (await hall.table(host, "forsale", "open", "random", "random"))["table"]["id"]
        return await Client(hall.url).play_async("forsale", child.spec, table=table)

    finished = evening(House(tmp_path), work)
    faults = child.heard("fault")
    assert {fault["code"] for fault in faults} == {"not_a_message"} and finished.faults == {
        "not_a_message": len(faults)
    }
    assert "missing required field `action`" in faults[0]["words"] and faults[0]["kind"] == "unreadable"
    assert any(fault["cost"] is not None for fault in faults)


def test_replies_reach_a_command(tmp_path: Path) -> None:
    code = CHILD.replace(
        f"print(json.dumps({ANSWER}), flush=True)",
        'print(\'{"type":"query","id":5,"question":{"type":"ItemInfo","item":"coal"}}\', flush=True)\n'
        '    elif message["type"] == "reply":\n        sys.exit("that is all I wanted")',
    )
    (tmp_path / "child.py").write_text(code)
    log = tmp_path / "heard.jsonl"
    spec = load(game("tradecraft"), f"exec:{sys.executable} {tmp_path / 'child.py'} {log}")

    async def work(hall: Hall) -> None:
        host = await hall.account("host")
        table = (await hall.table(host, "tradecraft", "open", "random"))["table"]["id"]
        await Client(hall.url).play_async("tradecraft", spec, table=table)

    with pytest.raises(CannotPlay, match="child: exited with status 1 before the end, saying: that is all I wanted"):
        evening(House(tmp_path), work)
    assert '"type": "reply", "id": 5' in log.read_text()


def test_a_command_that_ends_while_it_waits_for_others_is_told_of_at_once(tmp_path: Path) -> None:
    child = Child(tmp_path, CHILD.replace("for line in sys.stdin:", "for line in [sys.stdin.readline()]:"))

    async def work(hall: Hall) -> None:
        host = await hall.account("host")
        table = (await hall.table(host, "forsale", "open", "open", "random"))["table"]["id"]
        await Client(hall.url).play_async("forsale", child.spec, table=table)

    with pytest.raises(CannotPlay, match="child: exited with status 0 before the end"):
        evening(House(tmp_path), work)


def test_a_protocol_that_needs_more_than_protocol_1_tells_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(CannotPlay, match="let it connect to the arena's own port"):
        Client("http://127.0.0.1:1").play("maze", load(game("maze"), "exec+maze:cat"))


@pytest.mark.parametrize(
    ("name", "command", "against"),
    [
        ("dominion", "exec+dominion/text:{python} examples/dominion_starter.py", ("money",)),
        ("forsale", "exec+forsale:sh examples/forsale_numbers.sh", ("minimum", "random")),
        ("forsale", "exec:{python} examples/any_language.py", ("minimum", "random")),
        ("tradecraft", "exec+tradecraft:{python} examples/tradecraft_lines.py", ("planner",)),
    ],
)
def test_a_command_plays_in_its_own_protocol(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, command: str, against: tuple[str, ...]
) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    spec = load(game(name), command.format(python=sys.executable))

    async def work(hall: Hall) -> None:
        host = await hall.account("host")
        table = (await hall.table(host, name, "open", *against))["table"]["id"]
        finished = await Client(hall.url, name="mine").play_async(name, spec, table=table)
        assert finished.players[0] == "mine" and not isinstance(finished.end, Void) and finished.faults == {}
        await hall.over(table)
        assert (await hall.proof(table)).holds == "yes"

    evening(House(tmp_path), work)


# Bots of this process


def test_a_bot_that_crashes_pays_and_plays_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def bot(view: Any, ask: Any, dice: Dice) -> Any:
        return ask.choices[0] if dice.below(3) else 1 // 0

    async def work(hall: Hall) -> Finished:
        host = await hall.account("host")
        table = (await hall.table(host, "forsale", "open", "random", "random"))["table"]["id"]
        return await Client(hall.url).play_async("forsale", bot, table=table)

    logging.getLogger("parlour.client").addHandler(caplog.handler)
    try:
        finished = evening(House(tmp_path), work)
    finally:
        logging.getLogger("parlour.client").removeHandler(caplog.handler)
    assert finished.faults.keys() == {"crashed"} and finished.faults["crashed"] == len(caplog.records)
    assert "ZeroDivisionError" in caplog.records[0].getMessage()


def test_what_is_no_value_at_all_is_a_fault_too(tmp_path: Path) -> None:
    async def work(hall: Hall) -> Finished:
        host = await hall.account("host")
        table = (await hall.table(host, "forsale", "open", "random", "random"))["table"]["id"]
        return await Client(hall.url).play_async("forsale", lambda view, ask, dice: object(), table=table)

    assert evening(House(tmp_path), work).faults.keys() == {"wrong_shape"}


def test_a_bot_that_will_not_go_on_leaves() -> None:
    table = Opening()

    def bot(view: Any, ask: Any, dice: Dice) -> Any:
        raise Resigned

    async def asked(line: Line, hello: dict[str, Any]) -> None:
        await line.say(table.seat(), table.ask())
        await line.hear()

    with pytest.raises(CannotPlay, match="the bot resigned"):
        visited([greeted(table, asked)], bot)


# Invited seats


def test_a_key_opens_an_invited_seat_for_a_guest_and_for_an_account(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        host, ada = await hall.account("host"), await hall.account("ada")
        created = await hall.table(host, "forsale", "invited", "invited", "random")
        table, key = created["table"]["id"], created["key"]
        with pytest.raises(Refused) as refused:
            await Client(hall.url, ada).play_async("forsale", Counting(), table=table, key="guess")
        assert refused.value.code == "key_needed"
        [one, two] = await asyncio.gather(
            Client(hall.url, ada).play_async("forsale", Counting(), table=table, key=key),
            Client(hall.url, name="bob").play_async("forsale", Counting(), table=table, key=key),
        )
        assert one.players[one.seat] == "ada" and two.players[two.seat].startswith("bob")

    evening(House(tmp_path), work)


def test_a_key_without_a_table_is_of_no_use() -> None:
    with pytest.raises(ValueError, match="a key needs a table"):
        Client("http://127.0.0.1:1").play("forsale", Counting(), key="k")


def test_what_goes_wrong_in_who_watches_is_not_swallowed() -> None:
    table = Opening()

    def watch(message: Any) -> None:
        if isinstance(message, AnswerMessage):
            raise ZeroDivisionError

    async def asked(line: Line, hello: dict[str, Any]) -> None:
        await line.say(table.seat(), table.ask())
        await line.hear()

    async def work() -> None:
        async with arena([greeted(table, asked)]) as fake:
            await Client(fake.url, watch=watch).play_async("forsale", Counting())

    with pytest.raises(ZeroDivisionError):
        run(work())


class Spoken:
    """A connection by hand."""

    def __init__(self) -> None:
        self.says: asyncio.Queue[str] = asyncio.Queue()
        self.heard: list[dict[str, Any]] = []

    async def send(self, text: str) -> None:
        self.heard.append(json.loads(text))

    async def __aiter__(self) -> AsyncIterator[str]:
        while True:
            yield await self.says.get()


def test_a_question_that_is_asked_between_two_connections_waits_for_the_seat() -> None:
    async def work() -> None:
        opening, line, rules = Opening("tradecraft", 2), Spoken(), game("tradecraft")
        playing = ClientMatch(
            rules, decider_for(rules, rules.hosting.bots["random"]), PlayerHello(), None, lambda message: None
        )
        connected = asyncio.ensure_future(playing.on(cast(ClientConnection, line)))
        await asyncio.sleep(0)
        playing._post(Question(5, ItemInfo("coal")), None)
        await settle()
        assert line.heard == [], "before it has said who it is nothing else is heard"
        line.says.put_nowait(opening.seat())
        await until(lambda: [message["type"] for message in line.heard] == ["query"])
        connected.cancel()

    run(work())


def test_an_arena_that_does_not_know_stderr_is_sent_none(tmp_path: Path) -> None:
    asks = '    elif message["type"] == "ask":'
    child = Child(tmp_path, CHILD.replace(asks, asks + '\n        print("x" * 9000, file=sys.stderr, flush=True)'))
    table, heard = Opening(), dict[str, list[str]]()

    async def visit(line: Line, name: str, hello: dict[str, Any]) -> None:
        await line.say(json.dumps(hello))
        await line.hear()
        await line.say(table.seat(), table.ask())
        said = heard[name] = list[str]()
        while said.count("answer") < 2 or (name == "new" and said.count("stderr") < 3):
            said.append((await line.hear())["type"])
            if said.count("answer") == 1 and said[-1] == "answer":
                await line.say(table.ask(2))
        await line.say(table.over())

    new = json.loads(table.hello())
    old = {field: value for field, value in new.items() if field != "takes"}
    for name, hello in (("old", old), ("new", new)):
        visited([partial(visit, name=name, hello=hello)], child.spec)
    assert heard["old"] == ["answer", "answer"] and {*heard["new"]} == {"answer", "stderr"}


def test_stderr_is_sent_up_to_a_limit_and_the_rest_is_counted() -> None:
    buffer = StderrBuffer()
    buffer.add(b"\xc3")
    assert not buffer.messages()  # half a character
    buffer.add(b"\xa4" + b"x" * 10_000_000)
    messages = buffer.messages()
    assert sum(len(message.text.encode()) for message in messages) == 64 * 1024
    assert max(len(message.text) for message in messages) <= 4096
    assert sum(message.dropped for message in messages) == 10_000_002 - 64 * 1024

"""tradeCraft's own protocol with real child processes and sockets: programs that play, and programs that do not."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from parlour.core import AnswerRefused, Result
from parlour.games import game
from parlour.games.tradecraft.values import Applied, Done, Forgo
from parlour.players.play import Played
from parlour.players.player_specs import Spec, load
from parlour.players.terms import Terms
from parlour.referee.transcript import Limits
from parlour.transports.limits import RETURN_S
from tests.games.tradecraft.tables import STARTERS, problem
from tests.players.children import HELLO, Table
from tests.players.clients import Client, connect, run
from tests.players.house import House
from tests.turned import turn, until

TRADECRAFT = game("tradecraft")
SMITHS = STARTERS["two-smiths"]

GOOD = """
def propose(partner, offer={}, request={}, **more):
    say({"type": "propose", "partner": partner, "offer": offer, "request": request, **more})
def check(input, output):
    say({"type": "check", "input": input, "output": output})
def apply():
    say({"type": "apply"})
def done():
    say({"type": "done_crafting"})
def decide(word, message=""):
    say({"type": "decide", "decision": word, "message": message})
def make(input, output):
    check(input, output)
    apply()
def my_turn(message):
    propose(others[0], {}, {}, message="nothing today")
def proposed(message):
    decide("reject", "no, thank you")
def craft(message):
    done()
def other(message):
    pass
"""
LOOP = """
for message in heard():
    kind = message["type"]
    if kind == "private_start_info":
        me = message["username"]
        others = [name for name in names if name != me]
    elif kind == "game_start":
        names = message["player_list"]
    elif kind == "start_proposal" and message["proposer"] == me:
        my_turn(message)
    elif kind == "proposal":
        proposed(message)
    elif kind in ("proposal_accepted", "proposal_rejected"):
        craft(message)
    elif kind == "game_over":
        break
    else:
        other(message)
"""


def program(changed: str = "") -> str:
    """The code of a correct player with these changes."""
    return GOOD + changed + LOOP


def short(turns: int = 2, seats: int = 2) -> Any:
    return problem(*["2 coal 2 stick"] * seats, max_turn=turns)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path, TRADECRAFT, ["random"])


def play(table: Table, changed: str = "", start: Any = None, **terms: Any) -> Played:
    return table.play(program(changed), "+tradecraft", start=start or short(), **terms)


def another(table: Table, name: str, code: str, dialect: str = "") -> Spec:
    """A second child beside the first."""
    path = table.folder / f"{name}.py"
    path.write_text(HELLO + code)
    return load(TRADECRAFT, f"exec{dialect}:{sys.executable} {path}")


def costs(table: Table) -> list[Any]:
    """The prices of the faults of the child process."""
    return [notice.cost for notice in table.notices if isinstance(notice, AnswerRefused) and notice.seat == 0]


# Child processes


def test_a_good_program_plays_to_the_end_without_a_fault(table: Table) -> None:
    played = play(table)
    assert isinstance(played.end, Result) and played.match.names == ["child", "random"]
    assert (table.faults(), played.match.gone, played.endings) == ([], {}, {})


def test_two_programs_trade_and_craft_and_both_win(table: Table) -> None:
    smith = """
def my_turn(message):
    propose(others[0], {"raw_iron": 1, "flint": 1}, {"coal": 1}, self=me, message="iron for coal")
def proposed(message):
    assert message["proposal"]["offer"] == {"raw_iron": 1, "flint": 1} and message["message"] == "iron for coal"
    decide("accept", "gladly")
def craft(message):
    if me == "child":
        make({"raw_iron": 3, "coal": "3/8"}, {"iron_ingot": 3})
        make({"iron_ingot": 3}, {"bucket": 1})
    else:
        make({"raw_iron": 1, "oak_planks": [2, 3]}, {"iron_ingot": 1})
        make({"minecraft:iron_ingot": 1, "flint": 1}, {"flint_and_steel": 1})
    done()
"""
    specs = [table.child(program(smith), "+tradecraft"), another(table, "smith", program(smith), "+tradecraft")]
    played = table.play_specs(specs, start=SMITHS)
    assert played.end == Result((1, 1), (1, 1)) and not played.match.gone
    assert sum(isinstance(notice, Applied) for notice in table.notices) == 4


V1 = """
for message in heard():
    if message["type"] == "hello":
        say({"type": "hello", "name": "plain"})
    elif message["type"] == "ask":
        action = {"MakeProposal": {"type": "Propose", "partner": 0}, "DecideProposal": {"type": "Decide",
            "decision": "accept"}, "CraftItems": {"type": "Done"}}[message["ask"]["type"]]
        if message["ask"]["type"] == "CraftItems" and message["ask"]["checks"] == 200:
            action = {"type": "Check", "input": {"coal": 1, "stick": 1}, "output": {"torch": 4}}
        elif message["ask"]["type"] == "CraftItems" and message["ask"]["ready"]:
            action = {"type": "Apply"}
        say({"type": "answer", "id": message["id"], "action": action})
    elif message["type"] == "over":
        break
"""


def test_programs_of_both_protocols_and_bots_share_a_table(table: Table) -> None:
    specs = [table.child(program(), "+tradecraft"), another(table, "plain", V1)]
    specs += [load(TRADECRAFT, "random")] * 2
    played = table.play_specs(specs, start=short(4, 4))
    assert isinstance(played.end, Result) and not played.match.gone
    assert played.match.names == ["child", "plain", "random", "random"]
    assert any(isinstance(notice, Applied) and notice.seat == 1 for notice in table.notices)


NONSENSE = {
    "not JSON": "print('hello there', flush=True)",
    "a list": "print('[1, 2]', flush=True)",
    "no type": "say({'offer': {}})",
    "an unknown type": "say({'type': 'dance'})",
    "deep": "print('[' * 60_000, flush=True)",
    "too big": "print('x' * 70_000, flush=True)",
    "not even text": "sys.stdout.buffer.write(b'\\xff\\xfe\\n'); sys.stdout.flush()",
}


@pytest.mark.parametrize("nonsense", NONSENSE.values(), ids=NONSENSE)
def test_nonsense_is_answered_and_does_no_harm(table: Table, nonsense: str) -> None:
    changed = f"""
def my_turn(message):
    {nonsense}
    propose(others[0])
def proposed(message):
    {nonsense}
    decide("reject")
def craft(message):
    {nonsense}
    done()
def other(message):
    print(message, file=sys.stderr)
"""
    played = play(table, changed)
    assert isinstance(played.end, Result) and not played.match.gone
    assert {kind for kind, _ in table.faults()} == {"unreadable"} and len(table.faults()) == 4
    assert played.stderr[0].count("'type': 'error'") == 4 and set(costs(table)) == {None}


def test_proposals_of_the_wrong_shape_are_refused_ten_times_and_then_the_turn_goes_on(table: Table) -> None:
    changed = """
def my_turn(message):
    propose(5)
def other(message):
    if message["type"] == "proposal_invalid":
        propose("nobody", "coal", [1], message=9)
"""
    played = play(table, changed)
    assert not played.match.gone and table.faults()[:10] == [("unreadable", "proposal_invalid")] * 10
    assert costs(table)[:10] == [None] * 9 + [Forgo()]
    assert {code for _, code in table.faults()[10:]} <= {"phase_error"}, "what it sent once too often"


def test_wrong_phases_are_borne_and_the_table_waits(table: Table) -> None:
    changed = """
def my_turn(message):
    for _ in range(300):
        done(); apply(); decide("accept")
    propose(others[0])
def proposed(message):
    propose(others[0]); done()
    decide("reject")
def craft(message):
    for _ in range(20):
        apply(); propose(others[0]); decide("accept")
    done(); done(); done()
"""
    table.bots = ["random", "random"]
    played = play(table, changed, short(1, 3), bears=0)
    assert isinstance(played.end, Result) and not played.match.gone
    assert {code for _, code in table.faults()} <= {"phase_error", "not_asked"} and len(table.faults()) > 900
    assert set(costs(table)) == {None}


def test_messages_sent_twice_count_once(table: Table) -> None:
    changed = """
def my_turn(message):
    for _ in range(2):
        propose(others[0])
def craft(message):
    for _ in range(2):
        make({"coal": 1, "stick": 1}, {"torch": 4})
    for _ in range(2):
        done()
"""
    played = play(table, changed, short(1))
    assert not played.match.gone and {code for _, code in table.faults()} <= {"phase_error", "not_asked"}
    assert sum(isinstance(notice, Applied) and notice.seat == 0 for notice in table.notices) == 2


def test_what_is_said_after_the_end_does_no_harm(table: Table) -> None:
    code = program() + "\nfor _ in range(50): done(); print('x' * 1000, flush=True)\n"
    played = table.play(code, "+tradecraft", start=short())
    assert isinstance(played.end, Result) and not played.match.gone


def test_a_client_that_never_answers_is_answered_for(table: Table) -> None:
    silent = "def my_turn(message): pass\ndef proposed(message): pass\ndef craft(message): pass\n"
    played = play(table, "\n" + silent, short(1), limit_ms=400)
    assert isinstance(played.end, Result) and not played.match.gone
    assert table.faults() == [("late", "late")] * 2 and costs(table) == [Forgo(), Done()]


def test_a_client_that_dies_is_answered_for_and_loses(table: Table) -> None:
    table.bots = ["random", "random"]
    played = play(table, "\ndef craft(message):\n    os._exit(1)\n", short(3, 3))
    assert played.match.gone == {0: "dead"} and played.end == Result((0, 0, 0), (4, 2, 2))


def test_a_client_that_dies_at_once_too(table: Table) -> None:
    played = table.play("sys.exit(3)", "+tradecraft", start=short())
    assert played.match.gone == {0: "dead"} and isinstance(played.end, Result)


@pytest.mark.parametrize("line", ['{"type": "done_crafting"}', "x", '{"type": "query", "what": "history"}'])
def test_a_flood_costs_the_seat(table: Table, line: str) -> None:
    many = f"print('{line}\\n' * 3000, flush=True)"  # too fast for any answer
    played = play(table, f"\ndef my_turn(message):\n    while True:\n        {many}\n")
    assert played.match.gone == {0: "flood"} and isinstance(played.end, Result)


def test_questions_are_answered(table: Table) -> None:
    changed = """
def my_turn(message):
    say({"type": "query", "what": "item_info", "item": "torch"})
    say({"type": "query", "what": "possible_recipes"})
    say({"type": "query", "what": "history"})
    say({"type": "query", "what": "nonsense"})
    propose(others[0])
def other(message):
    print(message["type"], file=sys.stderr)
"""
    played = play(table, changed, short(1))
    words = played.stderr[0].split()
    assert words.count("item_info") == words.count("possible_recipes_from_hand") == words.count("history") == 1
    assert table.faults() == [("unreadable", "bad_query")] and costs(table) == [None]


# Over TCP


class Evening(House):
    """A host with seats for so many clients, and with bots at the others."""

    def __init__(self, guests: int, start: Any, bots: Sequence[str] = (), **terms: Any) -> None:
        agreed = Terms(game=TRADECRAFT, limits=Limits(180_000), start=start, handshake_s=30.0, **terms)
        super().__init__(agreed, guests + len(bots), bots)


class Guest:
    """A client over TCP."""

    def __init__(self, client: Client) -> None:
        self.reader, self.writer = client
        self.heard: list[dict[str, Any]] = []

    @classmethod
    async def sits(cls, port: int, name: str, **more: Any) -> "Guest":
        guest = cls(await connect(port))
        guest.say("login", username=name, **more)
        return guest

    def say(self, kind: str, **body: Any) -> None:
        self.writer.write(json.dumps({"type": kind, **body}).encode() + b"\n")

    async def hears(self, kind: str) -> dict[str, Any]:
        """The next message of that type; all before it are heard, too."""
        while line := await self.reader.readline():
            self.heard.append(json.loads(line))
            if self.heard[-1]["type"] == kind:
                return self.heard[-1]
        raise AssertionError(f"no {kind}, but {[message['type'] for message in self.heard]}")

    async def rest(self) -> list[dict[str, Any]]:
        return [json.loads(line) async for line in self.reader]


def test_two_guests_play_a_game() -> None:
    async def evening() -> None:
        room = Evening(2, SMITHS)
        async with room.open() as port:
            ada, bob = await Guest.sits(port, "ada"), await Guest.sits(port, "bob")
            welcome = await ada.hears("login_success")
            assert welcome["username"] == "ada" and welcome["status_code"] == 0
            await ada.hears("start_proposal")
            ada.say("propose", partner="bob", offer={"raw_iron": 1, "flint": 1}, request={"coal": 1}, message="?")
            assert (await bob.hears("proposal"))["message"] == "?"
            bob.say("decide", decision="accept", message="!")
            assert (await ada.hears("proposal_reply_message"))["message"] == "!"
            ada.say("check", input={"raw_iron": 3, "coal": 0.375}, output={"iron_ingot": 3})
            assert (await ada.hears("craft_recipe_validity"))["result"]
            ada.say("apply")
            ada.say("check", input={"iron_ingot": 3}, output={"bucket": 1})
            ada.say("apply")
            ada.say("done_crafting")
            bob.say("done_crafting")
            for guest in (ada, bob):
                over = await guest.hears("game_over")
                assert over["scores"] == {"ada": 3, "bob": 0} and await guest.rest() == []
            played = await room.next()
        assert played.end == Result((3, 0), (1, 2)) and room.holds()

    run(evening())


def test_two_of_the_same_name_are_told_apart() -> None:
    async def evening() -> None:
        room = Evening(2, short())
        async with room.open() as port:
            guests = [await Guest.sits(port, "ada") for _ in range(2)]
            names = [(await guest.hears("login_success"))["username"] for guest in guests]
            assert sorted(names) == ["ada", "ada 2"]
            [first] = [guest for guest, name in zip(guests, names, strict=True) if name == "ada"]
            [second] = [guest for guest in guests if guest is not first]
            await first.hears("start_proposal")
            first.say("propose", partner="ada 2")
            await second.hears("proposal")

    run(evening())


@pytest.mark.parametrize("first", ['{"type": "propose"}', "hello", '{"type": "login", "username": ""}', "x" * 70_000])
def test_a_client_that_does_not_log_in_is_sent_away(first: str) -> None:
    async def evening() -> None:
        room = Evening(1, short(), ["random"])
        async with room.open() as port:
            stranger = Guest(await connect(port, first))
            [error] = await stranger.rest()
            assert error["type"] == "error"
            ada = await Guest.sits(port, "ada")
            await ada.hears("game_start")

    run(evening())


def test_whoever_is_silent_is_answered_for_when_time_is_up() -> None:
    async def evening() -> None:
        room = Evening(2, short(2))
        async with room.open() as port:
            ada, bob = await Guest.sits(port, "ada"), await Guest.sits(port, "bob")
            await ada.hears("start_proposal")
            turn(60)
            await ada.hears("proposal_rejected")
            turn(180)
            await ada.hears("start_proposal")
            bob.say("propose", partner="ada")
            await ada.hears("proposal")
            turn(60)
            await ada.hears("proposal_rejected")
            turn(180)
            over = await ada.hears("game_over")
            assert over["reason"] == "all lose" and not (await room.next()).match.gone

    run(evening())


def test_a_client_that_loses_the_connection_comes_back_with_the_token_and_is_told_what_was_missed() -> None:
    async def evening() -> None:
        room = Evening(2, short(1))
        async with room.open() as port:
            ada, bob = await Guest.sits(port, "ada"), await Guest.sits(port, "bob")
            token = (await ada.hears("login_success"))["token"]
            assert token and token != (await bob.hears("login_success"))["token"]
            await ada.hears("start_proposal")
            ada.say("propose", partner="bob", message="psst")
            await bob.hears("proposal")
            ada.writer.close()
            bob.say("decide", decision="reject", message="no")
            await bob.hears("proposal_rejected")
            back = await Guest.sits(port, "ada", token=token)
            await back.hears("proposal_rejected")
            types = [message["type"] for message in back.heard]
            assert types[:3] == ["login_success", "game_start", "private_start_info"]
            assert back.heard[types.index("proposal_reply_message")]["message"] == "no"
            back.say("check", input={"coal": 1, "stick": 1}, output={"torch": 4})
            assert (await back.hears("craft_recipe_validity"))["result"]
            back.say("done_crafting")
            bob.say("done_crafting")
            await back.hears("game_over")
            played = await room.next()
        assert not played.match.gone and played.match.names == ["ada", "bob"] and room.holds()

    run(evening())


def test_a_name_alone_does_not_bring_back_a_seat() -> None:
    async def evening() -> None:
        room = Evening(2, short(1))
        async with room.open() as port:
            ada, bob = await Guest.sits(port, "ada"), await Guest.sits(port, "bob")
            await ada.hears("start_proposal")
            ada.writer.close()
            thief = await Guest.sits(port, "ada", token="guessed")
            assert (await thief.hears("error"))["code"] == "no_such_seat"
            await bob.hears("start_proposal")

    run(evening())


def test_a_client_that_stays_away_has_left() -> None:
    async def evening() -> None:
        room = Evening(2, short(1))
        async with room.open() as port:
            ada, bob = await Guest.sits(port, "ada"), await Guest.sits(port, "bob")
            await bob.hears("start_proposal")
            await ada.hears("start_proposal")
            ada.writer.close()
            await until(room.lost)
            turn(RETURN_S)
            await bob.hears("proposal_rejected")
            bob.say("done_crafting")
            over = await bob.hears("game_over")
            played = await room.next()
        assert over["reason"] == "all lose" and played.match.gone == {0: "dead"}

    run(evening())


def test_guests_and_bots_share_a_table() -> None:
    async def evening() -> None:
        room = Evening(1, short(1, 3), ["random", "random"])
        async with room.open() as port:
            ada = await Guest.sits(port, "ada")
            await ada.hears("start_proposal")
            ada.say("propose", partner="random")
            await ada.hears("proposal_reply_message")
            ada.say("done_crafting")
            over = await ada.hears("game_over")
            assert set(over["win-status"]) == {"ada", "random", "random 2"}

    run(evening())

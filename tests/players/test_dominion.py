"""Dominion's own protocol with real child processes and sockets: bots that play, and bots that do not."""

import asyncio
import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

import parlour.tables.house
from parlour.core import Hello, Result
from parlour.games import game
from parlour.players.remote import RemotePlayer
from parlour.players.terms import Terms
from parlour.referee.replay import resume
from parlour.referee.transcript import Limits
from parlour.transports import process
from parlour.transports.peer import Peer
from tests.games.dominion.tables import waited_for
from tests.players.children import Table
from tests.players.clients import Client, connect, run
from tests.players.house import House
from tests.turned import settle, turn, until

DOMINION = game("dominion")

GOOD = """
def named(message, **changes):
    reply = {"type": "player-name-reply", "player_number": message["player_number"], "name": "good", "version": 1}
    say({**reply, **changes})
def buy(message, *cards):
    coins = [card for card in message["hand"] if card in ("copper", "silver", "gold")]
    say({"type": "play-reply", "phase": "buy", "played_treasures": coins, "cards_to_buy": list(cards)})
def end():
    say({"type": "play-reply", "phase": "cleanup"})
def turn(message):
    buy(message, "silver") if message["buys"] else end()
def attack(message):
    say({"type": "attack-reply", "discard": message["options"][:message["discard"]]})
def name(message):
    named(message)
"""
LOOP = """
for message in heard():
    if message["type"] == "player-name-request":
        name(message)
    elif message["type"] == "play-turn":
        turn(message)
    elif message["type"] == "attack-request":
        attack(message)
"""


def bot(changed: str = "") -> str:
    """The code of a correct bot with these changes."""
    return GOOD + changed + LOOP


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path, DOMINION, ["militia"])


def left(table: Table, code: str, **terms: Any) -> dict[int, str]:
    """The seat that has left a match of this bot, and why; the other seat has then won."""
    played = table.play(code, "+dominion", **terms)
    assert isinstance(played.end, Result)
    if played.match.gone:
        assert played.end.ranks == (2, 1)
    return played.match.gone


def test_a_good_bot_plays_to_the_end_without_a_fault(table: Table) -> None:
    with waited_for():
        played = table.play(bot(), "+dominion")
    assert isinstance(played.end, Result)
    assert (table.faults(), played.match.gone, played.endings) == ([], {}, {})
    assert played.match.names == ["good", "militia"]
    assert any(notice.__class__.__name__ == "Discarded" for notice in table.notices), "it was never attacked"


def test_the_other_shape_goes_to_a_client_that_asks_for_it(table: Table) -> None:
    listens = """
def turn(message):
    assert "cards_gained" not in message
    buy(message, "silver") if message["buys"] else end()
def attack(message):
    assert "discards" not in message
    say({"type": "attack-reply", "discard": message["options"][:message["discard"]]})
"""
    with waited_for():
        played = table.play(bot(listens), "+dominion/text")
    assert (table.faults(), played.match.gone) == ([], {})


# Sitting down (RULES 9.2)


@pytest.mark.parametrize(
    "reply",
    [
        "print('not json', flush=True)",
        "print('[]', flush=True)",
        "say({'type': 'something', 'version': 1})",
        "named(message, player_number='player7')",
        "say({'type': 'player-name-reply', 'name': 'good', 'version': 1})",
        "named(message, name='')",
        "named(message, name=5)",
        "named(message, name=None)",
        "named(message, name=' ')",
        "print('[' * 200_000, flush=True)",
    ],
)
def test_a_bad_name_is_mended(table: Table, reply: str) -> None:
    played = table.play(bot(f"\ndef name(message):\n    {reply}\n"), "+dominion")
    assert played.match.names[0] == "PLAYER1" and not played.match.gone


def test_a_reply_that_comes_before_the_request_is_a_bad_name() -> None:
    async def work() -> str:
        peer = Peer()
        peer.receive(b"{}")
        player = RemotePlayer(peer, game("dominion").hosting.dialects["json"]())
        return (await player.introduced(Hello("dominion", 1, "", False, 1), 10.0)).name

    assert asyncio.run(work()) == "PLAYER2"


def test_a_name_is_cut_and_cleaned(table: Table) -> None:
    played = table.play(bot("\ndef name(message):\n    named(message, name='x\\x1b[31m' + 'y' * 100)\n"), "+dominion")
    assert played.match.names[0] == "x?[31m" + "y" * 58


@pytest.mark.parametrize("version", ["0", "None", "'0'", "True", "-3", "0.5"])
def test_a_version_that_is_none_of_ours_forfeits(table: Table, version: str) -> None:
    assert left(table, bot(f"\ndef name(message):\n    named(message, version={version})\n")) == {0: "bad_version"}
    [_, line, *_] = table.lines
    assert json.loads(line)["do"] == {"type": "Leave", "seat": 0, "why": "bad_version"}


@pytest.mark.parametrize("version", ["2", "'1'"])
def test_a_later_version_is_welcome_and_so_is_a_text(table: Table, version: str) -> None:
    assert left(table, bot(f"\ndef name(message):\n    named(message, version={version})\n")) == {}


def test_a_client_that_says_no_name_forfeits_and_the_match_goes_on(table: Table) -> None:
    assert left(table, bot("\ndef name(message):\n    pass\n"), handshake_s=0.5) == {0: "silent"}


def test_a_client_that_dies_before_its_name_forfeits(table: Table) -> None:
    assert left(table, "sys.exit(3)") == {0: "dead"}


def test_in_a_bigger_match_the_others_play_on(table: Table) -> None:
    table.bots = ["money", "bigmoney"]
    played = table.play("sys.exit(3)", "+dominion")
    assert isinstance(played.end, Result) and played.match.gone == {0: "dead"}
    assert played.end.ranks[0] == 3 and min(played.end.scores[1:]) > 10


# The turn (RULES 6)


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ("print('no json', flush=True)", ("unreadable", "not_json")),
        ("print('[1]', flush=True)", ("unreadable", "not_json")),
        ("print('x' * 70_000, flush=True)", ("unreadable", "too_big")),
        ("print('[' * 60_000, flush=True)", ("unreadable", "not_json")),
        ("say({'type': 'dance'})", ("unreadable", "wrong_type")),
        ("say({'type': ['play-reply']})", ("unreadable", "wrong_type")),
        ("say({'type': 'play-reply'})", ("unreadable", "wrong_phase")),
        ("say({'type': 'play-reply', 'phase': 'lunch'})", ("unreadable", "wrong_phase")),
        ("say({'type': 'player-name-reply', 'version': 1})", ("unreadable", "wrong_type")),
    ],
)
def test_what_is_no_reply_ends_the_turn_and_no_more(table: Table, reply: str, fault: tuple[str, str]) -> None:
    table.bots = ["money"]
    played = table.play(bot(f"\ndef turn(message):\n    {reply}\n"), "+dominion")
    assert isinstance(played.end, Result) and not played.match.gone
    assert set(table.faults()) == {fault}
    assert played.end.scores == (3, 51), "it owns what it began with, and the other has all provinces"


def test_an_impossible_action_costs_the_action_and_not_the_turn(table: Table) -> None:
    changed = """
def turn(message):
    if message["actions"]:
        say({"type": "play-reply", "phase": "action", "card": "smithy"})
    else:
        buy(message, "silver") if message["buys"] else end()
"""
    table.bots = ["money"]
    played = table.play(bot(changed), "+dominion")
    assert set(table.faults()) == {("illegal", "not_in_hand")} and not played.match.gone
    assert any(b'"Waste"' in line for line in table.lines)


def test_silence_on_ones_own_turn_forfeits(table: Table) -> None:
    assert left(table, bot("\ndef turn(message):\n    pass\n"), limit_ms=300) == {0: "silent"}


def test_a_client_that_dies_in_mid_match_forfeits(table: Table) -> None:
    assert left(table, bot("\ndef turn(message):\n    os._exit(1)\n")) == {0: "dead"}


def test_a_flood_costs_the_seat(table: Table) -> None:
    many = 'print(\'{"type": "attack-reply", "discard": []}\\n\' * 3000, flush=True)'  # too fast for any answer
    assert left(table, bot(f"\ndef turn(message):\n    while True:\n        {many}\n")) == {0: "flood"}


def test_replies_sent_twice_and_after_the_end_do_no_harm(table: Table) -> None:
    twice = """
def turn(message):
    for _ in range(2):
        buy(message, "silver") if message["buys"] else end()
"""
    assert left(table, bot(twice) + "\nend(); end()\n") == {}


# Attacks (RULES 9.6, 9.7)

STARTER = """
def attack(message):
    message["discards"]
"""


def test_a_bot_that_never_answers_attacks_plays_on_and_is_hardly_waited_for(table: Table) -> None:
    began = time.monotonic()
    assert left(table, bot(STARTER)) == {}
    late = [notice.fault.facts["limit_ms"] for notice in table.notices if hasattr(notice, "fault")]
    assert late[0] == 1000 and set(late[1:]) == {100} and len(late) > 3
    assert time.monotonic() - began < 100, "every time as long as it may take for a turn"


def test_what_was_silent_once_stays_brief_after_a_resume(table: Table) -> None:
    table.play(bot(STARTER), "+dominion")
    cut = next(place for place, line in enumerate(table.lines) if b'"late"' in line) + 1
    match, _ = resume(DOMINION, table.lines[:cut], b"seed", 0.0)
    while not any(type(open.ask).__name__ == "AnswerAttack" for open in match.open.values()):
        [(seat, open)] = match.open.items()
        match.answer(seat, DOMINION.hosting.bots["militia"](match.state.view(seat), open.ask, None), 0.0)
    assert match.due() == pytest.approx(0.1)


def test_a_late_attack_reply_is_not_taken_for_a_turn(table: Table) -> None:
    """The late reply arrives while the turn is open, and is dropped; the reply to the turn counts."""
    late = """
owed = []
def attack(message):
    owed.append(message)
def turn(message):
    while owed:
        say({"type": "attack-reply", "discard": owed[0]["options"][:owed.pop(0)["discard"]]})
    buy(message, "silver") if message["buys"] else end()
"""
    played = table.play(bot(late), "+dominion")
    assert {kind for kind, _ in table.faults()} == {"late", "unasked"}
    assert not played.match.gone and isinstance(played.end, Result)


def test_junk_under_attack_is_answered_by_the_dice(table: Table) -> None:
    with waited_for():
        assert left(table, bot("\ndef attack(message):\n    print('?', flush=True)\n")) == {}
    assert set(table.faults()) == {("unreadable", "not_json")}
    assert any(b'"AnyDiscard"' in line for line in table.lines)


def test_a_bot_that_outlives_its_input_is_told_to_go(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "TERM_S", 30.0)
    tells = """
import signal
def told(*_):
    print("told to go", file=sys.stderr, flush=True)
    sys.exit(7)
signal.signal(signal.SIGTERM, told)
"""
    played = table.play(tells + bot() + "\ntime.sleep(600)\n", "+dominion", stays=True)
    assert "told to go" in played.stderr[0]


def test_a_bot_that_never_ends_is_ended(table: Table) -> None:
    """The child ignores the end of its input, and SIGTERM."""
    stays = "\nimport signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint(os.getpid(), file=sys.stderr)\n"
    played = table.play(stays + bot() + "\nwhile True: pass\n", "+dominion", stays=True)
    with pytest.raises(ProcessLookupError):
        os.kill(int(played.stderr[0]), 0)


# Over TCP


async def hear(reader: asyncio.StreamReader) -> dict[str, Any]:
    heard: dict[str, Any] = json.loads(await reader.readline())
    return heard


def say(writer: asyncio.StreamWriter, **message: Any) -> None:
    writer.write(json.dumps(message).encode() + b"\n")


async def sit(port: int, name: str, version: int = 1) -> tuple[str, Client]:
    reader, writer = await connect(port)
    asked = await hear(reader)
    assert asked["type"] == "player-name-request" and asked["version"] == 1
    number = asked["player_number"]
    say(writer, type="player-name-reply", player_number=number, name=name, version=version)
    return number, (reader, writer)


async def passive(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> list[dict[str, Any]]:
    """Clean up always; all that was heard."""
    heard = []
    while line := await reader.readline():
        heard.append(json.loads(line))
        if heard[-1]["type"] == "play-turn":
            say(writer, type="play-reply", phase="cleanup")
    writer.close()
    return heard


def test_seats_are_told_with_the_name_request_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parlour.tables.house, "PRESSED_S", 20.0)

    async def evening() -> None:
        terms = Terms(
            game=DOMINION, limits=Limits(30_000), options=DOMINION.rules.options(turn_cap=3), handshake_s=30.0
        )
        house = House(terms, 2)
        async with house.open() as port:
            first, (_, writer) = await sit(port, "leaves")
            writer.close()
            await until(lambda: house.joined and house.connected() == 0)
            wrong, (refused, _) = await sit(port, "old", version=0)
            assert await refused.read() == b""  # turned away
            third, ben = await sit(port, "ben")
            assert first == wrong == third == "player1", "a seat is free again when nobody has it"
            silent, _ = await connect(port)
            assert (await hear(silent))["player_number"] == "player2"
            waiting = asyncio.ensure_future(sit(port, "ann"))
            await settle()
            assert not waiting.done(), "all seats are taken or about to be"
            turn(20.0)
            second, ann = await waiting  # the silent one has had its time, which is short when others wait
            assert second == "player2"
            heard = await asyncio.gather(passive(*ann), passive(*ben))
            played = await house.next()
        assert played.match.names == ["ben", "ann"]
        for told in heard:
            assert told[0]["player_bot_names"] == ["ben", "ann"]
            assert told[-1] == {"type": "game-end", "scores": [3, 3], "winners": ["player1", "player2"]}
        assert house.holds()

    run(evening())


def test_the_silent_are_let_go_sooner_when_others_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """They connected first and hold all seats; without other clients they would have a minute."""
    monkeypatch.setattr(parlour.tables.house, "PRESSED_S", 3.0)

    async def evening() -> None:
        terms = Terms(
            game=DOMINION, limits=Limits(30_000), handshake_s=60.0, options=DOMINION.rules.options(turn_cap=1)
        )
        house = House(terms, 2)
        async with house.open() as port:
            begun = asyncio.get_running_loop().time()
            silent = [await connect(port) for _ in range(4)]
            for reader, _ in silent[:2]:
                await hear(reader)
            guests = await asyncio.gather(sit(port, "ann"), sit(port, "ben"))
            assert asyncio.get_running_loop().time() - begun < 40
            await asyncio.gather(*(passive(*client) for _, client in guests))
            played = await house.next()
        assert sorted(played.match.names) == ["ann", "ben"]

    run(evening())


def test_a_game_of_bots_and_guests_shares_the_table() -> None:
    async def evening() -> None:
        terms = Terms(game=DOMINION, limits=Limits(30_000))
        house = House(terms, 3, ["money", "money"])
        async with house.open() as port:
            number, guest = await sit(port, "guest")
            heard = await passive(*guest)
            played = await house.next()
        assert number == "player1" and played.match.names[0] == "guest"
        assert isinstance(played.end, Result) and heard[-1]["scores"] == list(played.end.scores)

    run(evening())

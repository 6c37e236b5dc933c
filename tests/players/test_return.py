"""Resuming a seat: what happens to it during the absence, and the messages to the client that returns."""

import asyncio
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

from parlour.core import AnswerRefused, Asked, Dialect, Hello, Leave, Over, Result
from parlour.games import game
from parlour.games.tradecraft.lines import LoginLines
from parlour.games.tradecraft.values import Problem
from parlour.players.remote import RemotePlayer, Returns
from parlour.players.session import Session
from parlour.players.terms import Terms
from parlour.referee.match import Match
from parlour.referee.player import place_of
from parlour.referee.replay import verify
from parlour.referee.shell import Shell
from parlour.referee.transcript import Limits
from parlour.transports.limits import MOST_EARLY, RETURN_S
from parlour.transports.peer import Peer
from tests import turned
from tests.games.tradecraft.tables import problem
from tests.logs import FullLog
from tests.players.house import House
from tests.referee.hand import new_match
from tests.referee.test_shell import Scripted
from tests.turned import settle, turn, until

TRADECRAFT = game("tradecraft")
START = problem("1 coal", "1 stick", max_turn=2)


class Wire(Peer):
    """A client without a network, which keeps all messages."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[dict[str, Any]] = []
        self.closed = False

    def send(self, messages: Iterable[bytes]) -> None:
        if self.gone is None and not self.closed:
            self.heard += map(json.loads, messages)

    async def close(self) -> None:
        self.closed = True

    def says(self, type: str, **body: Any) -> None:
        self.receive(json.dumps({"type": type, **body}).encode())

    def told(self, type: str) -> list[dict[str, Any]]:
        return [said for said in self.heard if said["type"] == type]


class Room(House):
    """A host, and clients that connect to it without a network."""

    def __init__(self, start: Problem = START, bots: Sequence[str] = (), **more: Any) -> None:
        terms = Terms(game=TRADECRAFT, start=start, limits=Limits(180_000), handshake_s=30.0)
        super().__init__(terms, len(start.hands), bots, **more)

    def comes(self, dialect: Dialect | None = None, **login: Any) -> Wire:
        wire = Wire()
        arena, desk = self.serving.arena, self.serving.client_desk
        arena.run(desk.welcome(Session(wire, "test"), TRADECRAFT, dialect or LoginLines()))
        wire.says("login", **login)
        return wire

    async def begun(self) -> tuple[Wire, Wire]:
        ada = self.comes(username="ada")
        await until(lambda: self.waiting() == 1)
        bob = self.comes(username="bob")
        await until(lambda: ada.told("start_proposal") and bob.told("start_proposal"))
        return ada, bob

    async def back(self, wire: Wire) -> Wire:
        again = self.comes(token=token(wire))
        await until(lambda: again.told("start_proposal"))
        return again

    async def returns(self, token: str) -> bool:
        """Whether a client with this token is back at its seat."""
        wire = self.comes(token=token)
        await until(lambda: wire.closed or wire.told("game_start"))
        return not wire.closed


def token(wire: Wire) -> str:
    said: str = wire.told("login_success")[0]["token"]
    return said


def run(work: Callable[[Room], Any], **more: Any) -> None:
    async def evening() -> None:
        room = Room(**more)
        async with room.open():
            await work(room)

    turned.run(evening())


# The host


def test_a_seat_is_kept_for_two_minutes_unless_the_host_says_otherwise() -> None:
    assert RETURN_S == 120.0

    async def work(room: Room) -> None:
        ada, bob = await room.begun()
        ada.drop("dead")
        turn(room._plan.return_s - 30)
        await settle()
        assert not room.match.gone and not bob.told("player_leave_room")
        turn(31)
        await until(lambda: bob.told("player_leave_room"))
        assert room.match.gone == {0: "dead"}

    run(work)
    run(work, return_s=1000.0)


def test_a_client_that_is_back_in_time_has_not_left() -> None:
    async def work(room: Room) -> None:
        ada, bob = await room.begun()
        for _ in range(3):
            ada.drop("dead")
            ada = await room.back(ada)
            turn(50)  # longer than that in all
            await settle()
        assert not room.match.gone
        ada.drop("dead")
        turn(120)
        await until(lambda: bob.told("player_leave_room"))

    run(work, return_s=100.0)


@pytest.mark.parametrize("why", ["flood", "talks"])
def test_a_client_that_is_thrown_out_has_left_at_once(why: str) -> None:
    async def work(room: Room) -> None:
        ada, bob = await room.begun()
        ada.drop(why)
        await until(lambda: bob.told("player_leave_room"))
        assert room.match.gone == {0: why}

    run(work)


def test_a_token_is_kept_as_long_as_the_match_goes_on() -> None:
    async def work(room: Room) -> None:
        ada, bob = await room.begun()
        assert not await room.returns("guessed") and len(room.playing) == 1
        for wire in (ada, bob):
            wire.drop("dead")
        await until(lambda: room.lost() == ["ada", "bob"])
        assert await room.returns(token(ada)), "though nobody is there"
        room.chair("ada").player.peer.drop("dead")  # type: ignore[union-attr]
        await until(lambda: room.lost() == ["ada", "bob"])
        turn(RETURN_S)
        played = await room.next()
        assert played.end == Result((0, 0), (2, 2))
        await until(lambda: not room.playing)
        late = room.comes(token=token(ada))
        await until(lambda: late.closed)
        assert late.heard == [
            {"type": "error", "code": "no_such_seat", "message": "no seat is kept for this token"},
        ]

    run(work)


def test_a_match_that_does_not_come_about_keeps_nothing() -> None:
    async def work(room: Room) -> None:
        room.logs = [FullLog()]
        wires = [room.comes(username=name) for name in ("ada", "bob")]
        with pytest.raises(OSError, match="disk full"):
            await room.next()
        await until(lambda: all(wire.closed for wire in wires))
        assert not room.playing and not await room.returns(token(wires[0]))

    run(work)


def test_tokens_are_secrets_of_one_seat_in_one_match() -> None:
    async def work(room: Room) -> None:
        wires = [*await room.begun(), *await room.begun()]
        tokens = {token(wire) for wire in wires}
        assert len(tokens) == 4 and all(len(each) >= 40 for each in tokens)
        for wire in wires:
            others = tokens - {token(wire)}
            assert not any(each in json.dumps(wire.heard) for each in others)
        assert not any(each in line.decode() for each in tokens for lines in room.records for line in lines)

    run(work)


def test_whose_protocol_knows_no_coming_back_has_left_when_the_connection_is_lost() -> None:
    class Strict(LoginLines):
        can_reconnect = False

    async def work(room: Room) -> None:
        ada = room.comes(Strict(), username="ada")
        await until(lambda: room.waiting() == 1)
        bob = room.comes(Strict(), username="bob")
        await until(lambda: bob.told("start_proposal"))
        assert "token" not in ada.told("login_success")[0]
        ada.drop("dead")
        await until(lambda: bob.told("player_leave_room"))

    run(work)


def test_what_comes_before_anybody_listens_is_bounded() -> None:
    for message in (b"", b"x" * 60_000, None):
        wire = Wire()
        count = 0
        while wire.gone is None:
            wire.receive(message)
            count += 1
        assert wire.gone == "flood" and count * (256 + len(message or b"")) <= MOST_EARLY + 70_000


# The player


def introduced(dialect: Dialect) -> tuple[Wire, RemotePlayer]:
    wire = Wire()
    return wire, RemotePlayer(wire, dialect)


def test_an_introduction_with_a_token_is_a_return() -> None:
    async def work() -> None:
        wire, player = introduced(LoginLines())
        wire.says("login", username="ada", token="secret")
        with pytest.raises(Returns) as caught:
            await player.introduced(Hello("tradecraft", 1, "", False, 0), 10.0)
        assert caught.value.token == "secret" and "secret" not in str(caught.value)

    turned.run(work())


def test_a_client_that_has_introduced_itself_cannot_be_hurried() -> None:
    async def work() -> None:
        wire, player = introduced(LoginLines())
        wire.says("login", username="ada")
        await player.introduced(Hello("tradecraft", 1, "", False, 0), 10.0)
        player.hurry(1.0)  # others wait, and its seat is still being stored

    turned.run(work())


def posted(player: RemotePlayer, match: Match[Any]) -> list[Any]:
    said: list[Any] = []
    player.sit(place_of(match, 0), match.state.view(0), lambda what, n: said.append(what))
    return said


def seated(**more: Any) -> tuple[Wire, RemotePlayer, list[Any]]:
    wire, player = introduced(LoginLines())
    return wire, player, posted(player, new_match(TRADECRAFT, 2, Limits(1000), **more))


def test_a_lost_connection_is_told_to_the_keeper_of_the_seat_alone() -> None:
    wire, player, said = seated()
    lost: list[bool] = []
    player.lost = lambda: lost.append(True)
    wire.drop("dead")
    wire.says("done_crafting")
    assert (lost, said) == ([True], [])


def test_without_anybody_who_keeps_the_seat_it_is_left() -> None:
    wire, _, said = seated()
    wire.drop("dead")
    assert said == [Leave(0, "dead")]


def test_a_client_that_is_replaced_has_not_left_even_if_it_never_sat() -> None:
    wire, player, said = seated()
    player.lost = lambda: said.append("lost")
    player.on_replaced()
    assert said == [] and wire.gone == "replaced" and wire.heard[-1]["code"] == "replaced"
    wire, player = introduced(LoginLines())
    player.on_replaced()
    assert posted(player, new_match(TRADECRAFT, 2, Limits(1000))) == []
    assert [told["code"] for told in wire.heard] == ["replaced"]


# The shell and the match


def test_what_is_asked_again_changes_nothing() -> None:
    match = new_match(TRADECRAFT, 2, Limits(60_000))
    [first] = [notice for notice in match.begin(0.0).notices if isinstance(notice, Asked)]
    head, due = match.head, match.due()
    assert match.asked_again(0) == match.asked_again(0) == [first]
    assert match.asked_again(1) == []
    assert (match.head, match.due()) == (head, due) and match.open[0].n == first.n


def test_a_client_that_has_left_is_not_asked_again() -> None:
    match = new_match(TRADECRAFT, 3)
    match.begin(0.0)
    match.table(Leave(1, "quit"), 0.0)
    assert match.asked_again(1) == [] and match.asked_again(0) != []


class Silent(Scripted):
    """Says nothing by itself."""

    def decide(self, asked: Asked, post: Any) -> None:
        pass


def test_a_client_that_is_put_into_a_seat_is_told_where_it_is_and_what_it_is_asked_under_the_same_number() -> None:
    async def work() -> None:
        players = [Silent(), Silent(), Silent()]
        match = new_match(limits=Limits(60_000))
        shell = Shell(match, players)
        playing = asyncio.create_task(shell.run())
        await until(lambda: any(player.heard for player in players))
        [seat] = match.open
        [before] = [notice for notice in players[seat].heard if isinstance(notice, Asked)]
        due = match.open[seat].due
        turn(20)
        back = Silent()
        shell.reconnect(seat, back)
        await until(lambda: back.heard)
        assert back.place is not None and back.place.seat == seat
        [again] = back.heard
        assert isinstance(again, Asked) and (again.n, again.ask, again.attempt) == (before.n, before.ask, 1)
        assert again.due == due == match.open[seat].due
        turn(45)
        await until(lambda: any(isinstance(notice, AnswerRefused) for notice in back.heard))
        assert not any(isinstance(notice, AnswerRefused) for notice in players[seat].heard)
        playing.cancel()

    turned.run(work())


def test_a_client_that_comes_too_late_to_a_shell_is_told_of_the_end_and_breaks_nothing() -> None:
    async def work() -> None:
        match = new_match()
        shell = Shell(match, [Scripted() for _ in range(3)])
        await shell.run()
        back = Silent()
        shell.reconnect(0, back)
        shell.act(Leave(0, "dead"))
        await settle()
        [over] = back.heard
        assert isinstance(over, Over) and over.end == match.end and match.gone == {}

    turned.run(work())


def test_a_record_with_comings_and_goings_is_true() -> None:
    async def work(room: Room) -> None:
        ada, bob = await room.begun()
        ada.drop("dead")
        ada = await room.back(ada)
        ada.says("propose", partner="bob")
        await until(lambda: bob.told("proposal"))
        bob.drop("dead")
        turn(60)
        await until(lambda: ada.told("proposal_rejected"))
        turn(180)
        await until(lambda: len(ada.told("start_proposal")) == 2)
        turn(300)
        await until(lambda: ada.told("proposal_rejected")[1:])
        turn(180)
        await room.next()
        assert verify(b"".join(line + b"\n" for lines in room.records for line in lines), game).holds == "yes"

    run(work, return_s=150.0)


def test_local_bots_play_on_with_a_client_that_comes_back() -> None:
    async def work(room: Room) -> None:
        ada = room.comes(username="ada")
        await until(lambda: ada.told("start_proposal"))
        ada.drop("dead")
        ada = await room.back(ada)
        ada.says("propose", partner="random")
        await until(lambda: ada.told("proposal_reply_message"))

    run(work, bots=["random"])

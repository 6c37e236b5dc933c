"""Sealed answers are seen by nobody before the round closes."""

from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st
from msgspec.json import encode

from parlour.core import By, Dice
from parlour.players.remote import RemotePlayer
from parlour.protocol.v1 import V1
from parlour.referee.match import Match
from parlour.referee.player import place_of
from parlour.referee.replay import resume
from parlour.testing.contract.base import ContractTests
from parlour.testing.draws import a_walk, awaited_seats, needs, onward, seats_of, some
from parlour.testing.walk import Walk
from parlour.transports.peer import Peer


class SealedContract(ContractTests):
    """The promise of `Ask.sealed`."""

    @needs(lambda subject: any(ask.sealed for ask in subject.game.rules.asks))
    @some
    def test_sealed_answers_are_seen_by_nobody_before_the_round_closes(self, data: st.DataObject) -> None:
        walk = onward(a_walk(data, self.subject, rough=False), lambda match: len(sealed_seats(match.state)) > 1)
        state = walk.match.state
        seat = data.draw(st.sampled_from(sealed_seats(state)))
        one, other = (an_answer(data, walk.match, seat) for _ in range(2))
        told, told_other, told_none = (
            all_that_others_get(state, seats_of(walk.match), seat, answer) for answer in (one, other, None)
        )
        assert told == told_other, f"Others can tell whether seat {seat} has answered {one} or {other}."
        assert told == told_none, f"Others can tell whether seat {seat} has answered."
        sent, sent_other = (all_that_others_are_sent(walk, seat, answer) for answer in (one, other))
        assert sent == sent_other, f"Others can tell from messages whether seat {seat} has answered {one} or {other}."


def an_answer(data: st.DataObject, match: Match[Any], seat: int) -> Any:
    ask = match.state.asks()[seat]
    if ask.choices is not None:
        return data.draw(st.sampled_from(ask.choices))
    return match.game.hosting.bots["random"](match.state.view(seat), ask, Dice(data.draw(st.binary(max_size=2))))


class MemoryPeer(Peer):
    """A peer that keeps what is sent."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[bytes] = []

    def send(self, messages: Iterable[bytes]) -> None:
        self.sent += messages


def all_that_others_are_sent(walk: Walk, seat: int, answer: Any) -> list[bytes]:
    """Every message of every dialect, from the answer on and while the round stays open."""
    match, asked = resume(walk.match.game, walk.lines, walk.case.seed, 0.0)
    answered = match.answer(seat, answer, 0.0)
    sent = []
    for make in (lambda: V1(match.game), *match.game.hosting.dialects.values()):
        for other in range(len(match.names)):
            if other != seat:
                peer = MemoryPeer()
                player = RemotePlayer(peer, make())
                player.sit(place_of(match, other), match.state.view(other), lambda said, n: None)
                for out in (asked, answered):
                    for notice in out.to(other):
                        player.tell(notice, match.state.view(other))
                sent += peer.sent
    return sent


def sealed_seats(state: Any) -> list[int]:
    return [seat for seat in awaited_seats(state) if state.asks()[seat].sealed]


def all_that_others_get(state: Any, audience: list[By], seat: int, answer: Any) -> list[Any]:
    """Views, events and asks of everybody else, after the answer, or without any, and while the round stays open."""
    twin = state.copy()
    events = [] if answer is None else twin.play(seat, answer)
    others = [who for who in audience if who != seat]
    return [
        (who, encode(twin.view(who)), [seen for event in events if (seen := event.seen_by(who)) is not None])
        for who in others
    ] + [encode(ask) for who, ask in twin.asks().items() if who != seat]

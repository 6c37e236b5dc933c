"""What every game promises the referee, and what the referee promises everybody. Numbers are the contract's."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from parlour.core import (
    Asked,
    BadMessage,
    By,
    Close,
    Dice,
    Event,
    Fault,
    IllegalAction,
    Join,
    Leave,
    Result,
    Stop,
    Took,
    Value,
)
from parlour.games.tradecraft.phases import shown
from parlour.games.tradecraft.values import Answered
from parlour.players.remote import RemotePlayer
from parlour.referee.match import Match, Out
from parlour.referee.player import place_of
from parlour.referee.replay import replay, resume, verify
from parlour.transports.peer import Peer
from parlour.transports.v1 import V1
from tests.contract.subjects import SUBJECTS
from tests.contract.walk import Case, Walk, cases, junk, walked, was

encode = msgspec.json.encode

each_game = pytest.mark.parametrize("name", sorted(SUBJECTS))
each_game_of_many = pytest.mark.parametrize("name", sorted(name for name, it in SUBJECTS.items() if it.together))
each_game_with_secrets = pytest.mark.parametrize(
    "name", sorted(name for name, it in SUBJECTS.items() if any(ask.sealed for ask in it.game.asks))
)
some = settings(max_examples=40)
few = settings(max_examples=15)

KINDS = ("unreadable", "illegal", "late", "gone", "unasked")


def drawn(data: st.DataObject, name: str, rough: bool | None = None) -> Walk:
    return walked(data.draw(cases(name, rough)))


def bot_action(match: Match[Any], seat: int, dice: Dice) -> Any:
    return match.game.bots["random"](match.state.view(seat), match.open[seat].ask, dice)


def seats_of(match: Match[Any]) -> list[By]:
    return [None, *range(len(match.names))]


def onward(walk: Walk, holds: Callable[[Match[Any]], bool]) -> Walk:
    """On to a moment at which it holds, if there is still one."""
    while walk.match.end is None and not holds(walk.match):
        walk.step()
    assume(walk.match.end is None)
    return walk


def asked_seats(state: Any) -> list[int]:
    return sorted(seat for seat in state.asks() if seat is not None)


# 1


@each_game
@some
@given(st.data())
def test_any_prefix_replays_to_an_equal_match_and_goes_on_to_the_end(name: str, data: st.DataObject) -> None:
    walk = drawn(data, name)
    game, seed = walk.match.game, walk.case.seed
    moments = [data.draw(st.integers(0, len(walk.outs) - 1)), len(walk.outs) - 1]
    for moment in moments:
        cut = sum(len(out.lines) for out in walk.outs[: moment + 1])
        match, out = resume(game, walk.lines[:cut], seed, 0.0)
        assert not out.lines and was(match) == walk.moments[moment]
    cut = data.draw(st.integers(1, len(walk.lines)))  # also between a line and what follows it by itself
    match, out = resume(game, walk.lines[:cut], seed, 0.0)
    again = Walk(walk.case)
    again.match, again.lines = match, [*walk.lines[:cut], *out.lines]
    again.to_end()
    assert verify(b"".join(line + b"\n" for line in [*again.lines, match.reveal()]), lambda _: game).holds == "yes"


@few
@given(st.lists(st.sampled_from(sorted(SUBJECTS)).flatmap(cases), min_size=2, max_size=4), st.randoms())
def test_interleaved_matches_equal_lone_ones(together: list[Case], turns: Any) -> None:
    walks = [Walk(case).begin() for case in together]
    while going := [walk for walk in walks if walk.match.end is None]:
        turns.choice(going).step()
    for case, walk in zip(together, walks, strict=True):
        assert Walk(case).begin().to_end().lines == walk.lines


# 2


@each_game
@some
@given(st.data())
def test_a_match_has_a_result_exactly_when_it_is_over_and_is_over_in_time(name: str, data: st.DataObject) -> None:
    case = data.draw(cases(name, rough=False))
    walk = Walk(case).begin()
    bound = case.subject.game.bound(case.seats, walk.match.options)
    actions = 0
    while walk.match.end is None:
        assert walk.match.state.result() is None
        assert walk.match.state.asks()
        walk.step()
        actions += 1
        assert actions <= bound
    state = walk.match.state
    assert isinstance(walk.match.end, Result) and state.result() == walk.match.end
    assert not state.asks()
    for seat in range(case.seats):
        before = state.copy()
        with pytest.raises(IllegalAction):
            state.play(seat, data.draw(junk(case.subject.game.actions[0])))
        assert state == before
        out = walk.match.answer(seat, data.draw(junk(case.subject.game.actions[0])), 0.0)
        assert not out.lines
    assert not walk.match.table(Leave(0, "quit"), 0.0).lines


# 3


@each_game
@some
@given(st.data(), st.sampled_from(KINDS), st.integers(1, 8))
def test_amends_are_none_or_leave_or_playable(name: str, data: st.DataObject, kind: Any, count: int) -> None:
    state = drawn(data, name).match.state
    for seat in asked_seats(state):
        cost = state.amends(seat, [Fault(kind, "some_code")] * count)
        if isinstance(cost, Leave):
            assert cost.seat == seat
        elif cost is not None:
            state.copy().play(seat, cost)


@each_game
@some
@given(st.data(), st.sampled_from(("late", "gone")))
def test_silence_is_not_borne_for_ever(name: str, data: st.DataObject, kind: Any) -> None:
    state = drawn(data, name).match.state
    if None not in state.asks():
        for seat in asked_seats(state):
            assert state.amends(seat, [Fault(kind, kind)] * 1000) is not None


# 4


@each_game
@some
@given(st.data())
def test_what_is_not_allowed_leaves_no_trace(name: str, data: st.DataObject) -> None:
    walk = drawn(data, name)
    state, game = walk.match.state, walk.match.game
    action = data.draw(st.one_of([junk(kind) for kind in (*game.actions, *game.prices)]))
    by = data.draw(st.sampled_from(seats_of(walk.match)))
    before, asks = state.copy(), dict(state.asks())
    try:
        state.play(by, action)
    except IllegalAction as e:
        assert state == before and state.asks() == asks and state.dice == before.dice  # type: ignore[attr-defined]
        assert e.code and e.words and "\n" not in e.words
    else:
        assert by in asks


@each_game
@some
@given(st.data())
def test_the_referee_bears_any_answer_at_any_time(name: str, data: st.DataObject) -> None:
    walk = drawn(data, name)
    assume(walk.match.names)
    for _ in range(5):
        seat = data.draw(st.integers(0, len(walk.match.names) - 1))
        said = data.draw(
            st.one_of(
                *[junk(kind) for kind in walk.match.game.actions],
                st.sampled_from(
                    [None, 5, "text", b"bytes", object(), 1.5, {"type": "Nothing"}, Close(), Leave(0, "x")]
                ),
                st.just(BadMessage("junk", "junk")),
            )
        )
        asked = seat in walk.match.open
        out = walk.take(walk.match.answer(seat, said, 0.0, data.draw(st.none() | st.integers(0, 99))))
        assert walk.match.end is None or isinstance(walk.match.end, Result)
        if not asked:
            assert not out.lines or out.notices


# 5


@each_game
@some
@given(st.data())
def test_all_may_leave_at_any_moment_and_the_match_ends(name: str, data: st.DataObject) -> None:
    walk = drawn(data, name, rough=False)
    match = walk.match
    seats = data.draw(st.permutations(range(len(match.names))))
    leaving = seats[: data.draw(st.integers(0, len(seats)))]
    for seat in leaving:
        walk.take(match.table(Leave(seat, "quit"), 0.0))
    while match.end is None:
        waiting = None in match.state.asks() or not set(asked_seats(match.state)) <= set(leaving)
        assert waiting, "a seat that is gone is still waited for"
        walk.step()
        for out in walk.outs[-1:]:
            assert not any(isinstance(notice, Asked) and notice.seat in leaving for notice in out.notices)
    assert isinstance(match.end, Result)


# 6


@each_game_of_many
@some
@given(st.data())
def test_the_order_of_arrival_does_not_matter(name: str, data: st.DataObject) -> None:
    walk = onward(drawn(data, name, rough=False), lambda match: len(awaited_seats(match.state)) > 1)
    state, seats = walk.match.state, awaited_seats(walk.match.state)
    dice = Dice(b"answers")
    bot = SUBJECTS[name].game.bots["random"]
    answers = {seat: bot(state.view(seat), state.asks()[seat], dice) for seat in seats}
    finals = []
    for order in (seats, data.draw(st.permutations(seats))):
        twin = state.copy()
        for seat in order:
            if seat != order[-1]:
                assert twin.dice == state.dice  # type: ignore[attr-defined]
            twin.play(seat, answers[seat])
        finals.append(twin)
    assert finals[0] == finals[1]


@each_game
@some
@given(st.data())
def test_who_decides_alone_is_asked_alone(name: str, data: st.DataObject) -> None:
    state = drawn(data, name).match.state
    assert SUBJECTS[name].together or len(asked_seats(state)) <= 1


# 7


@each_game
@some
@given(st.data())
def test_an_open_ask_does_not_change_under_its_seat(name: str, data: st.DataObject) -> None:
    walk = drawn(data, name)
    for _ in range(10):
        if walk.match.end is not None:
            break
        before = {seat: (encode(open.ask), open.n) for seat, open in walk.match.open.items()}
        spans = {seat: (open.ask.span, open.ask.waits) for seat, open in walk.match.open.items()}
        walk.step()
        asked = {notice.seat for out in walk.outs[-1:] for notice in out.notices if isinstance(notice, Asked)}
        took = {notice.seat for out in walk.outs[-1:] for notice in out.notices if isinstance(notice, Took)}
        for seat, open in walk.match.open.items():
            if seat in before and seat not in asked | took | set(walk.match.gone):
                assert (encode(open.ask), open.n) == before[seat]
            if seat in spans and open.ask.span is not None and open.ask.span == spans[seat][0]:
                assert not open.ask.waits or spans[seat][1]


# 8


@each_game_with_secrets
@some
@given(st.data())
def test_sealed_answers_are_seen_by_nobody_before_the_round_closes(name: str, data: st.DataObject) -> None:
    walk = onward(drawn(data, name, rough=False), lambda match: len(sealed_seats(match.state)) > 1)
    state = walk.match.state
    sealed = sealed_seats(state)
    seat = data.draw(st.sampled_from(sealed))
    one, other = (an_answer(data, walk.match, seat) for _ in range(2))
    told = [all_that_others_get(state, seats_of(walk.match), seat, answer) for answer in (one, other)]
    assert told[0] == told[1]
    sent = [all_that_others_are_sent(walk, seat, answer) for answer in (one, other)]
    assert sent[0] == sent[1]


def an_answer(data: st.DataObject, match: Match[Any], seat: int) -> Any:
    ask = match.state.asks()[seat]
    if ask.choices is not None:
        return data.draw(st.sampled_from(ask.choices))
    return match.game.bots["random"](match.state.view(seat), ask, Dice(data.draw(st.binary(max_size=2))))


class MemoryPeer(Peer):
    """Keeps what is sent."""

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
    for make in (lambda: V1(match.game), *match.game.dialects.values()):
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


def awaited_seats(state: Any) -> list[int]:
    return [seat for seat in asked_seats(state) if state.asks()[seat].waits]


def sealed_seats(state: Any) -> list[int]:
    return [seat for seat in awaited_seats(state) if state.asks()[seat].sealed]


def all_that_others_get(state: Any, audience: list[By], seat: int, answer: Any) -> list[Any]:
    """Views, events and asks of everybody else, after the answer and while the round stays open."""
    twin = state.copy()
    events = twin.play(seat, answer)
    others = [who for who in audience if who != seat]
    return [
        (who, encode(twin.view(who)), [seen for event in events if (seen := event.seen_by(who)) is not None])
        for who in others
    ] + [encode(ask) for who, ask in twin.asks().items() if who != seat]


# 9


@each_game
@some
@given(st.data())
def test_a_redeal_is_the_same_to_its_seat(name: str, data: st.DataObject) -> None:
    walk = drawn(data, name)
    match = walk.match
    assume(match.names)
    seat = data.draw(st.integers(0, len(match.names) - 1))
    other = match.state.redeal(seat, Dice(data.draw(st.binary(min_size=1, max_size=4))))
    assert same_to(seat, match.state, other)
    tried = data.draw(st.lists(st.one_of([junk(kind) for kind in match.game.actions]), max_size=4))
    asked = match.state.asks().get(seat)
    for action in [*tried, *((asked.choices or ()) if asked else ())]:
        assert outcome(match.state, seat, action) == outcome(other, seat, action)
    own = data.draw(st.lists(st.integers(0, 99), max_size=3))
    assert played_on(match.state, seat, own) == played_on(other, seat, own)
    if match.game.query is not None:
        for kind in match.game.questions:
            question = data.draw(junk(kind))
            answers = [match.game.query(state.view(seat), question) for state in (match.state, other)]
            assert answers[0] == answers[1]


def same_to(seat: int, one: Any, other: Any) -> bool:
    asks = [encode(state.asks().get(seat)) for state in (one, other)]
    return encode(one.view(seat)) == encode(other.view(seat)) and asks[0] == asks[1]


def outcome(state: Any, seat: int, action: Any) -> Any:
    """Whether it is legal, and what the seat is told if not."""
    try:
        state.copy().play(seat, action)
    except IllegalAction as e:
        return e.code, e.words, e.facts
    return "legal"


def played_on(state: Any, seat: int, picks: list[int]) -> list[Any]:
    """The seat answers as long as nobody else has to: what it may choose, and what it then sees."""
    twin, told = state.copy(), []
    for pick in picks:
        ask = twin.asks().get(seat)
        if ask is None or not ask.choices or len(asked_seats(twin)) == 1:
            break
        told.append(encode(ask))
        twin.play(seat, ask.choices[pick % len(ask.choices)])
        told.append(encode(twin.view(seat)))
    return told


def test_a_redeal_deals_again() -> None:
    """The test above means something only if what is hidden really changes."""
    case = Case(SUBJECTS["forsale"], 4, SUBJECTS["forsale"].options[0], b"seed", 5, False)
    state: Any = walked(case).match.state
    decks = {tuple(state.redeal(0, Dice(b"%d" % n)).estate_deck) for n in range(5)}
    assert len(decks) == 5


LEAKS: dict[tuple[str, str], Callable[[Any, Any], Any]] = {
    ("forsale", "the order of the deck"): lambda state, view: replaced(view, cheques=tuple(state.cheque_deck[:1])),
    ("forsale", "a removed card"): lambda state, view: replaced(view, market=(*view.market, *state.removed_estates)),
    ("forsale", "what comes next"): lambda state, view: replaced(view, record=state.estate_deck[-1]),
    ("dominion", "the own deck's order"): lambda state, view: replaced(view, played=tuple(state.holdings[0].deck)),
    ("dominion", "another's hand"): lambda state, view: replaced(view, trash=tuple(state.holdings[1].hand)),
    ("dominion", "another's deck"): lambda state, view: replaced(view, trash=tuple(state.holdings[1].deck)),
    ("dominion", "a discard below the top"): lambda state, view: replaced(
        view, trash=tuple(state.holdings[1].discard[:-1])
    ),
    ("maze", "another's goal"): lambda state, view: replaced(view, turn=state.players[1].goal),
    ("maze", "what another has collected"): lambda state, view: replaced(view, turn=state.players[1].treasures),
    ("colorfight", "a list of this round"): lambda state, view: replaced(
        view, turn=[player.given for player in state.players[1:]]
    ),
    ("colorfight", "another's mistakes"): lambda state, view: replaced(view, turn=state.players[1].errors),
    ("maze", "the queue"): lambda state, view: replaced(view, turn=tuple(state.queue)),
    ("tradecraft", "another's target"): lambda state, view: replaced(view, target=shown(state.targets[1])),
    ("tradecraft", "what is proposed to another"): lambda state, view: replaced(view, hand=state.phase.proposal.offer),
    ("tradecraft", "the words of a proposal"): lambda state, view: replaced(view, turn=state.phase.proposal.message),
    ("tradecraft", "whom a decision is waited for from"): lambda state, view: replaced(
        view, proposer=state.phase.proposal.partner
    ),
    ("tradecraft", "the words of a reply"): lambda state, view: replaced(view, turn=replies(state)),
    ("tradecraft", "what another has crafted"): lambda state, view: replaced(
        view, hand=shown(state.phase.benches[1].hand)
    ),
    ("tradecraft", "what another has checked"): lambda state, view: replaced(
        view, checks=state.phase.benches[1].ready is not None
    ),
}

MOMENTS: dict[tuple[str, str], Callable[[Any], bool]] = {
    ("tradecraft", "what is proposed to another"): lambda match: apart(match.state),
    ("tradecraft", "the words of a proposal"): lambda match: apart(match.state),
    ("tradecraft", "whom a decision is waited for from"): lambda match: apart(match.state),
    ("tradecraft", "the words of a reply"): lambda match: bool(replies(match.state)),
    ("tradecraft", "what another has crafted"): lambda match: match.state.view(1).hand != match.state.view(1).hands[1],
    ("tradecraft", "what another has checked"): lambda match: match.state.view(1).checked is not None,
}
"""When there is something to be leaked, where it is not always so."""


def replies(state: Any) -> list[str]:
    """What others than seat 0 have replied to each other."""
    told = [note.event for seat in (1, 2, 3) for note in state.told[seat] if isinstance(note.event, Answered)]
    return [event.message for event in told if 0 not in (event.proposer, event.partner)]


def apart(state: Any) -> bool:
    """Whether two others than seat 0 are about to trade."""
    proposal = state.view(None).proposal
    return proposal is not None and proposal.proposer != 0 and 0 not in asked_seats(state)


def replaced(view: Any, **changes: Any) -> Any:
    return msgspec.structs.replace(view, **changes)


@pytest.mark.parametrize(("name", "leak"), sorted(LEAKS))
def test_a_planted_leak_in_the_view_is_caught(name: str, leak: str) -> None:
    depth = {"forsale": 5, "dominion": 61, "maze": 12, "colorfight": 7, "tradecraft": 0}[name]
    case = Case(SUBJECTS[name], 4, SUBJECTS[name].options[1 if name == "maze" else 0], b"seed", depth, False)
    walk = walked(case)
    while (name, leak) in MOMENTS and not MOMENTS[name, leak](walk.match):
        assert walk.match.end is None, "there was never anything to be leaked"
        walk.step()
    state: Any = walk.match.state

    class Leaky(type(state)):  # type: ignore[misc]
        def view(self, who: By) -> Value:
            leaky: Value = LEAKS[name, leak](self, super().view(who))
            return leaky

    state.__class__ = Leaky
    caught = False
    for n in range(20):
        other = state.redeal(0, Dice(b"%d" % n))
        other.__class__ = Leaky
        caught = caught or not same_to(0, state, other)
    assert caught


def test_a_planted_leak_in_an_error_is_caught() -> None:
    case = Case(SUBJECTS["forsale"], 4, SUBJECTS["forsale"].options[0], b"seed", 5, False)
    state: Any = walked(case).match.state
    [seat] = asked_seats(state)

    class Leaky(type(state)):  # type: ignore[misc]
        def play(self, by: By, action: Any) -> list[Event]:
            try:
                events: list[Event] = super().play(by, action)
            except IllegalAction as e:
                raise IllegalAction(e.code, f"{e.words}, and {self.estate_deck[-1]} comes next") from None
            return events

        def copy(self) -> Any:
            twin = super().copy()
            twin.__class__ = Leaky
            return twin

    state.__class__ = Leaky
    [kind, *_] = SUBJECTS["forsale"].game.actions
    told = {repr(outcome(state.redeal(seat, Dice(b"%d" % n)), seat, kind(10**6))) for n in range(20)}
    assert len(told) > 1


def test_a_planted_leak_through_ask_numbers_is_caught() -> None:
    """One count of asks for the whole table would tell who has acted; a seat's own does not."""
    case = Case(SUBJECTS["forsale"], 3, SUBJECTS["forsale"].options[0], b"seed", 0, False)

    def numbers(leaky: bool) -> set[int]:
        """Seat 0's number after seat 1 needed one try or three, in a sale."""
        told = set()
        for tries in (0, 2):
            walk = walked(case)
            while not all(open.ask.sealed for open in walk.match.open.values()):
                walk.step()
            for _ in range(tries):
                walk.take(walk.match.answer(1, BadMessage("junk", "junk"), 0.0))
            open = walk.match.open[0]
            asked = walk.match._asked
            told.add(sum(asked.values()) if leaky else open.n)
        return told

    assert len(numbers(leaky=True)) > 1
    assert len(numbers(leaky=False)) == 1


# 10


@each_game
@some
@given(st.data())
def test_a_copy_is_equal_and_independent(name: str, data: st.DataObject) -> None:
    walk = drawn(data, name)
    state = walk.match.state
    twin, still = state.copy(), state.copy()
    assert twin == state
    dice = Dice(b"go on")
    for _ in range(5):
        if seats := asked_seats(twin):
            seat = dice.pick(seats)
            twin.play(seat, walk.match.game.bots["random"](twin.view(seat), twin.asks()[seat], dice))
    twin.dice.below(99)  # type: ignore[attr-defined]
    assert state == still and state.dice == still.dice  # type: ignore[attr-defined]


@each_game
@some
@given(st.data())
def test_views_and_events_are_frozen_and_cross_the_wire_unchanged(name: str, data: st.DataObject) -> None:
    walk = drawn(data, name)
    game = walk.match.game
    values: list[tuple[Any, Any]] = [(walk.match.state.view(who), game.view) for who in seats_of(walk.match)]
    values += [(notice, type(notice)) for out in walk.outs for notice in out.notices if isinstance(notice, Event)]
    values += [(ask, type(ask)) for seat, ask in walk.match.state.asks().items() if seat is not None]
    for value, kind in values:
        assert kind in (game.view, *game.events, *game.asks)
        raw = encode(value)
        assert msgspec.json.decode(raw, type=kind) == value
        assert not has_float(msgspec.json.decode(raw))
        with pytest.raises(AttributeError):
            setattr(value, value.__struct_fields__[0], None)
    names = [*walk.match.names, "late", "later"]
    for value, _ in values:
        if isinstance(value, Event):
            assert game.say(value, names)
    assert game.board(walk.match.state.view(None), walk.match.names).columns


def has_float(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(has_float, value.values()))
    if isinstance(value, list):
        return any(map(has_float, value))
    return isinstance(value, float)


# 11


@each_game
@some
@given(st.data())
def test_nothing_is_lost(name: str, data: st.DataObject) -> None:
    case = data.draw(cases(name))
    walk = Walk(case)
    treasure = case.subject.treasure
    had = treasure(walk.match.state)
    walk.begin()
    stop_at = data.draw(st.integers(0, 300))
    for number in range(300):
        if walk.match.end is not None:
            break
        if number == stop_at:
            walk.take(walk.match.table(Stop(), 0.0))
        else:
            walk.step()
        assert treasure(walk.match.state) == had


# 12


@each_game
@some
@given(st.data())
def test_a_seat_can_play_neither_a_price_nor_the_table(name: str, data: st.DataObject) -> None:
    walk = drawn(data, name)
    asked = sorted(walk.match.open.keys() - walk.match.gone)
    assume(asked)
    game = walk.match.game
    forbidden = [Join("me", ""), Leave(0, "mean"), Close(), Stop()]
    for said in [*forbidden, *(data.draw(junk(price)) for price in game.prices)]:
        seat = asked[0]
        if seat not in walk.match.open:
            break
        out = walk.match.answer(seat, said, 0.0)
        refused = [notice for notice in out.notices if getattr(notice, "fault", None)]
        assert refused[0].fault.kind in ("unreadable", "unasked")  # type: ignore[union-attr]


@each_game
@some
@given(st.data(), st.binary(max_size=60))
def test_dialects_read_junk_as_bad_messages_only(name: str, data: st.DataObject, raw: bytes) -> None:
    walk = drawn(data, name, rough=False)
    game = walk.match.game
    for make in game.dialects.values():
        for seat, open in walk.match.open.items():
            dialect = make()
            if dialect.auto(open.ask) is not None:
                continue
            dialect.asked(Asked(seat, open.n, open.ask, 1, None, None, None, None), walk.match.state.view(seat))
            try:
                said = dialect.read(raw)
            except BadMessage as e:
                assert e.n in (None, open.n)
            else:
                assert said is None or isinstance(said.action, game.actions)  # type: ignore[union-attr]


# 14


@few
@given(cases("forsale"), st.data())
def test_any_changed_byte_is_found_and_named(case: Case, data: st.DataObject) -> None:
    walk = Walk(case).begin().to_end()
    game = case.subject.game
    whole = b"".join(line + b"\n" for line in [*walk.lines, walk.match.reveal()])
    assert verify(whole, lambda _: game).holds == "yes"
    for _ in range(25):
        place = data.draw(st.integers(0, len(whole) - 1))
        byte = whole[place] ^ data.draw(st.integers(1, 255))
        changed = whole[:place] + bytes([byte]) + whole[place + 1 :]
        verdict = verify(changed, lambda _: game)
        line = whole[:place].count(b"\n") + 1
        assert verdict.holds == "no" and verdict.line in (line, line + 1), (place, byte, verdict)


@few
@given(st.sampled_from(sorted(SUBJECTS)).flatmap(cases))
def test_views_and_events_can_be_had_again_from_the_transcript(case: Case) -> None:
    walk = Walk(case).begin().to_end()
    told: dict[By, list[Any]] = {who: [] for who in seats_of(walk.match)}
    for step in replay(case.subject.game, walk.lines, case.seed):
        for who in told:
            told[who] += [notice for notice in step.out.to(who) if isinstance(notice, Event)]
    for who, events in told.items():
        assert events == [n for out in walk.outs for n in Out([], out.notices).to(who) if isinstance(n, Event)]

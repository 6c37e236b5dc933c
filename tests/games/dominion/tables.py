"""Sets tables for the tests: positions in which every card is accounted for, moves in words, and rooms with bots."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

import pytest

from parlour.core import (
    Asked,
    BadMessage,
    Brief,
    Dice,
    Event,
    Hello,
    Leave,
    Message,
    Notice,
    Over,
    Place,
    Sitting,
    Stop,
    Table,
)
from parlour.games.dominion import GAME, setup
from parlour.games.dominion.bots import Answer, Bot
from parlour.games.dominion.cards import WORTH
from parlour.games.dominion.dialect import Lines
from parlour.games.dominion.rules import ANY_DISCARD, END_TURN, WASTE, State
from parlour.games.dominion.setup import SPEAKS, STARTING
from parlour.games.dominion.values import Action, Buy, CleanUp, Discard, Options, Play, Reveal
from parlour.referee.match import Match, Out
from parlour.referee.transcript import Limits, Line, header, read_record

SEED = b"a seed"

Said: TypeAlias = dict[str, Any]
"""A message, before it is a line or after it was one."""


@contextmanager
def waited_for() -> Iterator[None]:
    """Attacks are answered in time, even on a slow machine, by those who do answer them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Lines, "briefs", {"AnswerAttack": Brief(20_000, 100)})
        yield


def new(seats: int = 2, seed: bytes = b"a table", **options: Any) -> State:
    """A match just begun."""
    return State.new(seats, Options(**options), None, Dice(seed))


def table(
    hands: Sequence[str],
    decks: Sequence[str] = (),
    discards: Sequence[str] = (),
    supply: dict[str, int] | None = None,
    turns: Sequence[int] = (),
    **options: Any,
) -> State:
    """Seat 0 begins a turn with these cards in hand; decks are given from the top, discard piles from the bottom.

    Piles have as many cards as at the start, less what players hold of them, unless `supply` says otherwise. What is
    then left over has been trashed.
    """
    state = new(len(hands), **options)
    for seat, holding in enumerate(state.holdings):
        holding.hand = hands[seat].split()
        holding.deck = decks[seat].split()[::-1] if seat < len(decks) else []
        holding.discard = discards[seat].split() if seat < len(discards) else []
        holding.owned = dict(Counter(holding.hand + holding.deck + holding.discard))
    rest = all_cards(state.seats, state.options)
    rest.subtract(card for holding in state.holdings for card in holding.owned for _ in range(holding.owned[card]))
    assert min(rest.values()) >= 0, "more cards of a kind than there are"
    piles = setup.supply(state.seats, state.options)
    state.supply = {card: min(piles[card], rest[card]) for card in piles} | (supply or {})
    rest.subtract(state.supply)
    assert min(rest.values()) >= 0, "a pile with more cards than there are"
    state.trash = list(rest.elements())
    state.turns = list(turns) or [1, *[0] * (len(hands) - 1)]
    return state


def all_cards(seats: int, options: Options) -> Counter[str]:
    """All cards of a match, for so many players."""
    return Counter(setup.supply(seats, options)) + Counter(STARTING * seats)


def everywhere(state: State) -> Counter[str]:
    """Every card, wherever it is."""
    held = [card for holding in state.holdings for card in holding.hand + holding.deck + holding.discard]
    return +(Counter(state.supply) + Counter(held) + Counter(state.trash) + Counter(state.played))


def play(state: State, *moves: str) -> list[Event]:
    """Do what the words say; returns what happened.

    Such as "0 plays smithy", "0 plays cellar discarding estate copper", "0 plays mine trashing copper for silver",
    "0 plays workshop for village", "0 buys gold moat", "0 buys gold with gold silver silver", "0 cleans up",
    "0 cleans up under copper", "1 discards copper estate", "1 shows moat", "1 leaves" or "time is up".
    """
    events: list[Event] = []
    for words in moves:
        by, action = read(words)
        events += state.play(by, action)
    return events


def read(words: str) -> tuple[int | None, Action | Table]:
    match words.split():
        case ["time", "is", "up"]:
            return None, Stop()
        case [seat, "leaves"]:
            return None, Leave(int(seat), "quit")
        case [seat, "plays", card, *choices]:
            return int(seat), _play(card, choices)
        case [seat, "buys", *cards]:
            bought, _, treasures = " ".join(cards).partition("with")
            return int(seat), Buy(_cards(bought), _cards(treasures) if treasures else None)
        case [seat, "cleans", "up"]:
            return int(seat), CleanUp()
        case [seat, "cleans", "up", "under", top]:
            return int(seat), CleanUp(top)
        case [seat, "discards", "any"]:
            return int(seat), ANY_DISCARD
        case [seat, "discards", *cards]:
            return int(seat), Discard(tuple(cards))
        case [seat, "shows", card]:
            return int(seat), Reveal(card)
        case [seat, "loses", "an", "action"]:
            return int(seat), WASTE
        case [seat, "loses", "the", "turn"]:
            return int(seat), END_TURN
    raise ValueError(f"not a move: {words}")


def _play(card: str, choices: list[str]) -> Play:
    match choices:
        case []:
            return Play(card)
        case ["discarding", *cards]:
            return Play(card, discard=tuple(cards))
        case ["trashing", trash]:
            return Play(card, trash=trash)
        case ["trashing", trash, "for", gain]:
            return Play(card, trash=trash, gain=gain)
        case ["for", gain]:
            return Play(card, gain=gain)
    raise ValueError(f"not choices: {choices}")


def _cards(words: str) -> tuple[str, ...]:
    return tuple(card for card in words.split() if card != "nothing")


# What bots say


def action(card: str, **choices: Any) -> Said:
    return {"type": "play-reply", "phase": "action", "card": card, "additional_parameters": choices}


def buy(cards: str = "", treasures: str = "") -> Said:
    return {
        "type": "play-reply",
        "phase": "buy",
        "played_treasures": treasures.split(),
        "cards_to_buy": cards.split(),
    }


def clean_up(top: str | None = None) -> Said:
    said = {"type": "play-reply", "phase": "cleanup"}
    return said if top is None else {**said, "top_discard": top}


def bear(cards: str) -> Said:
    return {"type": "attack-reply", "discard": cards.split()}


MOAT = {"type": "attack-reply-reaction", "reaction": "moat"}


def wire(answer: Answer, hand: Sequence[str]) -> Said:
    """What a bot of ours would say."""
    match answer:
        case Play(card=card, discard=cards, trash=trash, gain=gain):
            return action(card, cards=cards, card_to_trash=trash, desired_card=gain)
        case Buy(cards=cards, treasures=None):
            return buy(" ".join(cards), " ".join(card for card in hand if card in WORTH))
        case Buy(cards=cards, treasures=treasures):
            return buy(" ".join(cards), " ".join(treasures or ()))
        case CleanUp(top=top):
            return clean_up(top)
        case Discard(cards=cards):
            return bear(" ".join(cards))
        case Reveal(card=card):
            return {"type": "attack-reply-reaction", "reaction": card}


def line(said: Said | bytes) -> bytes:
    return said if isinstance(said, bytes) else json.dumps(said).encode()


class Room:
    """A referee, and at every seat a bot that speaks the game's own protocol. The clock is turned by hand."""

    def __init__(
        self, state: State, dialect: Callable[[], Lines] = Lines, limits: Limits | None = None, seed: bytes = SEED
    ) -> None:
        players = [Sitting(name, "", {SPEAKS: 1}) for name in "abcd"[: state.seats]]
        head = header(GAME, players, seed, options=state.options, match="the-match", limits=limits)
        self.match: Match[Action] = Match(GAME, head, seed)
        state.options = self.match.options
        self.match.state = self.state = state
        self.lines: list[bytes] = []
        """The transcript."""
        self.bots = [dialect() for _ in players]
        self._heard: list[list[Message]] = [[] for _ in players]
        for seat, bot in enumerate(self.bots):
            bot.hello(Hello("dominion", 1, "", False, seat))
            place = Place("dominion", "the-match", seat, tuple(self.match.names), state.options, "")
            self._heard[seat] += bot.began(place, state.view(seat))
        self.deliver(self.match.begin(0.0))

    def deliver(self, out: Out) -> Out:
        self.lines += out.lines
        for seat in range(self.state.seats):
            for notice in out.to(seat):
                self._heard[seat] += self._told(seat, notice)
        return out

    def _told(self, seat: int, notice: Notice) -> list[Message]:
        bot, view = self.bots[seat], self.state.view(seat)
        match notice:
            case Asked():
                return bot.asked(notice, view)
            case Over():
                return bot.over(notice, view)
            case Event():
                return bot.event(notice)
            case _:
                return []

    def says(self, seat: int, said: Said | bytes, now: float = 0.0) -> Out:
        """A bot writes a line."""
        try:
            answer = self.bots[seat].read(line(said))
        except BadMessage as noise:
            return self.deliver(self.match.answer(seat, noise, now, noise.n))
        if answer is None:
            return Out([], [])
        return self.deliver(self.match.answer(seat, answer.action, now, answer.n))

    def moves(self, bot: Bot, dice: Dice, now: float = 0.0) -> Out:
        """Whoever is asked says what the bot would do."""
        [(seat, ask)] = self.state.asks().items()
        assert seat is not None
        view = self.state.view(seat)
        return self.says(seat, wire(bot(view, ask, dice), view.hand), now)

    def waits(self, now: float) -> Out:
        """So late it is now, and nobody has said anything."""
        return self.deliver(self.match.expire(now))

    def leaves(self, seat: int, why: str = "quit") -> Out:
        return self.deliver(self.match.table(Leave(seat, why), 0.0))

    def raw(self, seat: int) -> list[Message]:
        """What the bot was sent since this was last asked for."""
        heard, self._heard[seat] = self._heard[seat], []
        return heard

    def news(self, seat: int) -> list[Said]:
        return [json.loads(message) for message in self.raw(seat)]

    def types(self, seat: int) -> list[str]:
        return [said["type"] for said in self.news(seat)]

    def forget(self) -> "Room":
        """What was said so far is of no interest."""
        self._heard = [[] for _ in self._heard]
        return self


def recorded(out: Out) -> Line:
    """The one line that an input left in the transcript."""
    record = read_record(out.lines[0], 1)
    assert isinstance(record, Line)
    return record


def price(out: Out) -> tuple[str, str, Any]:
    """Of a fault, as it is recorded: its kind and code, and what was played instead."""
    record = recorded(out)
    assert record.fault is not None
    return record.fault.kind, record.fault.code, json.loads(bytes(record.do))

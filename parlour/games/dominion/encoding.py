"""Dominion as numbers: cards are chosen one by one, and `done` completes an action of several cards."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from parlour.core import Draft, Encoding, IndexRun, Part, Seat
from parlour.games.dominion.cards import CARDS, TREASURES, WORTH
from parlour.games.dominion.setup import supply
from parlour.games.dominion.values import AnswerAttack, Buy, CleanUp, Discard, Options, Play, Reveal, TakeTurn, View

MOST_CARDS = 1000
MOST_MONEY = 10_000
MORE = {"mine": 3, "remodel": 2}
"""How much more the gained card may cost than the trashed one."""
WORKSHOP_COST = 4
ACTIONS = tuple(card for card, face in CARDS.items() if face.kind == "action")

Asked = TakeTurn | AnswerAttack
Answer = Play | Buy | CleanUp | Discard | Reveal

CHOICES = (
    IndexRun("play", len(ACTIONS), f"play {', '.join(ACTIONS)}"),
    IndexRun("take", len(CARDS), f"buy or gain {', '.join(CARDS)}; the first one of a turn begins a buy"),
    IndexRun("give", len(CARDS), "discard or trash the card, in the same order"),
    IndexRun("reveal", 1, "reveal a moat"),
    IndexRun("done", 1, "no more cards: completes a buy, or the discards of a cellar"),
    IndexRun("clean up", 1, "end the turn"),
)


def parts(seats: int, turn_cap: int) -> tuple[Part, ...]:
    count = len(CARDS)
    kinds = f"by card: {', '.join(CARDS)}"
    others = "of each seat, oneself first"
    return (
        Part("hand", count, MOST_CARDS, f"own hand, {kinds}"),
        Part("owned", count, MOST_CARDS, "all own cards, wherever they are"),
        Part("supply", count, MOST_CARDS, "cards left in the supply"),
        Part("in game", count, 1, "1 for each card that the supply had at the start"),
        Part("played", count, MOST_CARDS, "cards played in this turn"),
        Part("gained", count, MOST_CARDS, "cards gained in this turn"),
        Part("trash", count, MOST_CARDS, "cards in the trash"),
        Part("turn", 1, seats - 1, "whose turn it is: 0 is oneself, then in turn order"),
        Part("attacked", 1, seats, f"who must answer an attack, in the same way; {seats} is nobody"),
        Part("actions", 1, MOST_CARDS, "actions left"),
        Part("buys", 1, MOST_CARDS, "buys left"),
        Part("money", 1, MOST_MONEY, "money from actions, without treasures"),
        Part("to discard", 1, MOST_CARDS, "how many cards an attack takes"),
        Part("turns", seats, turn_cap, f"turns begun {others}"),
        Part("hands", seats, MOST_CARDS, f"cards in the hand {others}"),
        Part("decks", seats, MOST_CARDS, f"cards in the deck {others}"),
        Part("discards", seats, MOST_CARDS, f"cards in the discard pile {others}"),
        Part("tops", seats, count, f"top of the discard pile {others}: the number of the card from 1; 0 if empty"),
        Part("gone", seats, 1, f"1 if the player has left {others}"),
        Part("playing", count, 1, "1 for the card whose choices are being made"),
        Part("buying", 1, 1, "1 if cards are being bought"),
        Part("chosen", count, MOST_CARDS, "cards chosen so far: to buy, to discard or to trash"),
    )


class DominionEncoding(Encoding):
    """The same for all kingdoms and numbers of seats, but for the areas of the others."""

    version = 0
    omits = (
        "All treasures are played with a buy, in the order of the hand.",
        "A turn is cleaned up without choosing the top of the discard pile.",
        "A buy buys at least one card; a player that wants none cleans up.",
        "A buy that would be cut short cannot be chosen.",
        "Piles are counts of cards: the order of the hand and of the cards played, gained and trashed is not shown.",
        "There is no history: what the others have bought follows from past events.",
    )
    dtype = "int32"
    most_indexes = MOST_CARDS

    def __init__(self, seats: int, options: Options) -> None:
        self._seats = seats
        self._cards = tuple(CARDS)
        self._number = {card: number for number, card in enumerate(self._cards)}
        self._dealt = supply(seats, options)
        self.parts, self.choices = parts(seats, options.turn_cap), CHOICES
        first = self.first_indexes()
        self._take, self._give = first["take"], first["give"]
        self._reveal, self._done, self._clean_up = first["reveal"], first["done"], first["clean up"]

    # Observations

    def observe(self, seat: Seat, view: View, ask: Asked | None, draft: Draft = ()) -> NDArray[np.int32]:
        piles = (view.hand, view.owned, view.supply, dict.fromkeys(self._dealt, 1))
        counts = [self._counts(pile) for pile in (*piles, view.played, view.gained, view.trash)]
        excess = ask.discard if isinstance(ask, AnswerAttack) else 0
        attacked = self._seats if view.attacked is None else (view.attacked - seat) % self._seats
        turn = [(view.turn - seat) % self._seats, attacked, view.actions, view.buys, view.money, excess]
        return np.array(
            [n for run in (*counts, turn, *self._areas(seat, view), *self._drafted(draft)) for n in run], np.int32
        )

    def _counts(self, pile: Iterable[str] | Mapping[str, int]) -> Sequence[int]:
        counts = pile if isinstance(pile, Mapping) else Counter(pile)
        return [counts.get(card, 0) for card in self._cards]

    def _areas(self, seat: Seat, view: View) -> Sequence[Sequence[int]]:
        areas = [view.areas[(seat + place) % self._seats] for place in range(self._seats)]
        tops = [0 if area.top is None else 1 + self._number[area.top] for area in areas]
        sizes = [[area.turns for area in areas], [area.hand for area in areas], [area.deck for area in areas]]
        return [*sizes, [area.discard for area in areas], tops, [area.gone for area in areas]]

    def _drafted(self, draft: Draft) -> Sequence[Sequence[int]]:
        playing = self._playing(draft)
        buying = bool(draft) and self._take <= draft[0] < self._give
        return self._counts([playing] if playing else []), [buying], self._counts(self._chosen(draft))

    # Drafts

    def _playing(self, draft: Draft) -> str | None:
        return ACTIONS[draft[0]] if draft and draft[0] < self._take else None

    def _chosen(self, draft: Draft) -> list[str]:
        """The cards that were chosen."""
        return [
            self._cards[(index - self._take) % len(self._cards)]
            for index in draft
            if self._take <= index < self._reveal
        ]

    def _rest(self, view: View, draft: Draft) -> Counter[str]:
        """The hand without the cards played, discarded or trashed in the draft."""
        rest = Counter(view.hand)
        rest.subtract([card for card in [self._playing(draft)] if card])
        rest.subtract(self._chosen(tuple(index for index in draft if index >= self._give)))
        return rest

    def mask(self, seat: Seat, view: View, ask: Asked | None, draft: Draft = ()) -> NDArray[np.int8]:
        mask = np.zeros(self.actions, np.int8)
        if ask is not None:
            mask[self._free(view, ask, draft)] = 1
        return mask

    def _free(self, view: View, ask: Asked, draft: Draft) -> list[int]:
        if isinstance(ask, AnswerAttack):
            reveal = [self._reveal] if not draft and any(CARDS[card].reaction for card in view.hand) else []
            return [*reveal, *self._gives(view, draft)]
        playing = self._playing(draft)
        if playing is not None:
            return self._choices(playing, view, draft)
        if draft:
            return [self._done, *self._purchases(view, draft)]
        plays = [number for number, card in enumerate(ACTIONS) if ask.actions and self._playable(card, view)]
        return [*plays, *self._purchases(view, draft), self._clean_up]

    def _gives(self, view: View, draft: Draft, kinds: Iterable[str] = CARDS) -> list[int]:
        rest = self._rest(view, draft)
        return [self._give + self._number[card] for card in kinds if rest[card] > 0]

    def _purchases(self, view: View, draft: Draft) -> list[int]:
        bought = Counter(self._chosen(draft))
        money = (
            view.money
            + sum(WORTH.get(card, 0) for card in view.hand)
            - sum(CARDS[card].cost for card in bought.elements())
        )
        if bought.total() >= view.buys:
            return []
        left = [card for card, count in view.supply.items() if count > bought[card] and CARDS[card].cost <= money]
        return [self._take + self._number[card] for card in left]

    def _playable(self, card: str, view: View) -> bool:
        if card not in view.hand:
            return False
        if card == "workshop":
            return bool(self._gains(card, view, ()))
        return card not in MORE or bool(self._choices(card, view, (ACTIONS.index(card),)))

    def _choices(self, card: str, view: View, draft: Draft) -> list[int]:
        """The next choices for a card."""
        if card == "cellar":
            return [self._done, *self._gives(view, draft)]
        if card in MORE and len(draft) == 1:
            return self._gives(view, draft, TREASURES if card == "mine" else CARDS)
        return self._gains(card, view, draft)

    def _gains(self, card: str, view: View, draft: Draft) -> list[int]:
        trashed = self._chosen(draft)
        most = CARDS[trashed[0]].cost + MORE[card] if trashed else WORKSHOP_COST
        kinds = TREASURES if card == "mine" else CARDS
        return [self._take + self._number[kind] for kind in kinds if view.supply.get(kind) and CARDS[kind].cost <= most]

    # Actions

    def action(self, index: int, seat: Seat, view: View, ask: Asked, draft: Draft = ()) -> Answer | None:
        chosen = self._chosen((*draft, index))
        if isinstance(ask, AnswerAttack):
            if index == self._reveal:
                return Reveal(next(card for card in view.hand if CARDS[card].reaction))
            return Discard(tuple(chosen)) if len(chosen) == ask.discard else None
        if index == self._clean_up:
            return CleanUp()
        playing = self._playing((*draft, index))
        if playing is not None:
            return self._play(playing, view, (*draft, index))
        return Buy(tuple(chosen)) if index == self._done or self._is_last(view, (*draft, index)) else None

    def _is_last(self, view: View, draft: Draft) -> bool:
        """Whether nothing more can be bought."""
        return not self._purchases(view, draft)

    def _play(self, card: str, view: View, draft: Draft) -> Play | None:
        chosen = self._chosen(draft)
        if card == "cellar":
            return Play(card, discard=tuple(chosen)) if draft[-1] == self._done else None
        if card == "workshop":
            return Play(card, gain=chosen[0]) if chosen else None
        if card not in MORE:
            return Play(card)
        if len(chosen) == 2:
            return Play(card, trash=chosen[0], gain=chosen[1])
        return Play(card, trash=chosen[0]) if chosen and not self._gains(card, view, draft) else None

    def indexes(self, action: Answer, seat: Seat, view: View, ask: Asked) -> Draft | None:
        match action:
            case Reveal():
                return (self._reveal,)
            case Discard(cards=cards):
                return tuple([self._give + self._number[card] for card in cards])
            case CleanUp(top=top):
                return (self._clean_up,) if top is None else None
            case Play():
                return self._play_indexes(action, view)
        return self._buy_indexes(action, view)

    def _play_indexes(self, play: Play, view: View) -> Draft | None:
        first = ACTIONS.index(play.card)
        gives = [self._give + self._number[card] for card in play.discard if card in self._number]
        if play.card == "cellar":
            known = not Counter(play.discard) - self._rest(view, (first,))
            return (first, *gives, self._done) if known else None
        draft: Draft = (first, self._give + self._number[play.trash]) if play.card in MORE and play.trash else (first,)
        gains = play.card == "workshop" or (play.card in MORE and bool(self._gains(play.card, view, draft)))
        return (*draft, self._take + self._number[play.gain]) if gains and play.gain else draft

    def _buy_indexes(self, buy: Buy, view: View) -> Draft | None:
        held = [card for card in view.hand if card in WORTH]
        if not buy.cards or (buy.treasures is not None and Counter(buy.treasures) != Counter(held)):
            return None
        draft: Draft = ()
        for card in buy.cards:
            index = self._take + self._number[card] if card in self._number else -1
            if index not in self._purchases(view, draft):
                return None
            draft = (*draft, index)
        return draft if self._is_last(view, draft) else (*draft, self._done)

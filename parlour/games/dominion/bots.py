"""Bots, weakest first; all but `random` buy from a fixed list. `builder`, the strongest, is in builder.py."""

from collections.abc import Callable
from typing import Final, TypeAlias

from parlour.core import Dice
from parlour.games.dominion.cards import CARDS, KINGDOM, TREASURES, WORTH
from parlour.games.dominion.values import (
    AnswerAttack,
    Buy,
    CleanUp,
    Discard,
    Play,
    Reveal,
    TakeTurn,
    View,
)

Answer: TypeAlias = Play | Buy | CleanUp | Discard | Reveal
Bot: TypeAlias = Callable[[View, TakeTurn | AnswerAttack, Dice], Answer]
Shopping: TypeAlias = Callable[[View, int], str | None]
"""From the view and the money to the card to buy."""

KEEP = {"gold": 4, "silver": 2, "copper": 1, "curse": 0, "estate": 0, "duchy": 0, "province": 0}
"""Value of a card under attack; the lowest are discarded first. Actions are worth 3."""


def random(view: View, ask: TakeTurn | AnswerAttack, dice: Dice) -> Answer:
    """A random useful action; a buy is drawn from all affordable cards."""
    hand = list(view.hand)
    dice.shuffle(hand)
    if isinstance(ask, AnswerAttack):
        return Reveal() if "moat" in hand and dice.below(2) else Discard(tuple(hand[: ask.discard]))
    card = next((card for card in hand if card in KINGDOM), None)
    play = random_play(view, card, hand, dice) if card and ask.actions and dice.below(10) else None
    if play is not None:
        return play
    if not ask.buys:
        return CleanUp(dice.pick(hand) if hand else None)
    money, cards = money_of(view), []
    for _ in range(ask.buys):
        if affordable := [card for card, left in view.supply.items() if left and CARDS[card].cost <= money]:
            cards.append(dice.pick(affordable))
            money -= CARDS[cards[-1]].cost
    return Buy(tuple(cards))


def random_play(view: View, card: str, hand: list[str], dice: Dice) -> Play | None:
    """Play the card with random legal choices; None if there are none."""
    rest = hand[:]
    rest.remove(card)
    if card == "cellar":
        return Play(card, discard=tuple(rest[: dice.below(len(rest) + 1)]))
    if card not in ("mine", "remodel", "workshop"):
        return Play(card)
    kinds = TREASURES if card == "mine" else tuple(CARDS)
    trash = next((held for held in rest if held in kinds), None) if card != "workshop" else None
    most = 4 if trash is None else CARDS[trash].cost + (3 if card == "mine" else 2)
    wanted = [kind for kind in kinds if view.supply.get(kind) and CARDS[kind].cost <= most]
    if (trash is None) != (card == "workshop") or (trash is None and not wanted):
        return None
    return Play(card, trash=trash, gain=dice.pick(wanted) if wanted else None)


def money_of(view: View) -> int:
    return view.money + sum([WORTH[card] for card in view.hand if card in WORTH])


def shopper(shopping: Shopping, action: str | None = None) -> Bot:
    """A bot that plays one kind of action card whenever possible, then buys one card from its list."""

    def bot(view: View, ask: TakeTurn | AnswerAttack, dice: Dice) -> Answer:
        if isinstance(ask, AnswerAttack):
            return keep_the_best(view, ask)
        if action is not None and ask.actions and action in view.hand:
            return Play(action)
        if not ask.buys:
            return CLEAN_UP
        card = shopping(view, money_of(view))
        return BUYS[card]

    return bot


CLEAN_UP: Final = CleanUp()
BUYS: dict[str | None, Buy] = {None: Buy(), **{card: Buy((card,)) for card in CARDS}}


def keep_the_best(view: View, ask: AnswerAttack) -> Discard | Reveal:
    """Reveal a moat, or discard the least valuable cards."""
    if "moat" in view.hand:
        return Reveal()
    return Discard(tuple(sorted(view.hand, key=lambda card: KEEP.get(card, 3))[: ask.discard]))


def naive(view: View, money: int) -> str | None:
    """The best affordable of province, gold and silver."""
    for card, cost in (("province", 8), ("gold", 6), ("silver", 3)):
        if money >= cost and view.supply.get(card):
            return card
    return None


def late_green(view: View, money: int) -> str | None:
    """Like `naive`, but with duchies and estates near the end."""
    left = view.supply["province"]
    if money < 8:
        if view.supply["duchy"] and ((money == 5 and left <= 5) or (money >= 6 and left <= 4)):
            return "duchy"
        if view.supply["estate"] and money >= 2 and left <= 2:
            return "estate"
    return naive(view, money)


def with_actions(shopping: Shopping, action: str, most: int) -> Shopping:
    """Like `shopping`, but buy up to `most` of an action card when there are 4 or 5 to spend."""

    def choose(view: View, money: int) -> str | None:
        wanted = view.owned.get(action, 0) < most and view.supply["province"] > 4 and view.supply.get(action)
        return action if wanted and money in (4, 5) else shopping(view, money)

    return choose


money = shopper(naive)
bigmoney = shopper(late_green)
smithy = shopper(with_actions(naive, "smithy", 1), "smithy")
militia = shopper(with_actions(naive, "militia", 1), "militia")
bigsmithy = shopper(with_actions(late_green, "smithy", 1), "smithy")
bigmilitia = shopper(with_actions(late_green, "militia", 2), "militia")

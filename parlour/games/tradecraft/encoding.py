"""tradeCraft as numbers: a proposal is built unit by unit, and recipes are checked by number."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from parlour.core import Draft, Encoding, IndexRun, Part, Seat
from parlour.games.tradecraft.amounts import FINEST, MOST_KINDS, Amount, unwritten, written
from parlour.games.tradecraft.book import possible
from parlour.games.tradecraft.crafts import filled
from parlour.games.tradecraft.recipes import Recipe, book
from parlour.games.tradecraft.values import (
    MOST_TURNS,
    Apply,
    Check,
    CraftItems,
    Decide,
    DecideProposal,
    Done,
    MakeProposal,
    Options,
    Propose,
    View,
)

MOST = 2**31 - 1
UNIT = 60
"""Amounts are shown in sixtieths, so that halves, thirds, quarters and fifths are whole numbers."""
MOST_UNITS = 500
"""Units that a proposal may name; then it has to be sent."""

Asked = MakeProposal | DecideProposal | CraftItems
Answer = Propose | Decide | Check | Apply | Done


class TradecraftEncoding(Encoding):
    """The same for all options."""

    version = 0
    omits = (
        "Messages can be neither read nor written.",
        f"Amounts are shown in sixtieths and rounded down; {MOST // UNIT} items are the most.",
        f"A proposal names at most {MOST_UNITS} units.",
        "A recipe is checked for one batch, or a part of it that the hand has, and for as many whole products as the "
        "hand has; with the ingredients and fuels that come first by name.",
        "There is no history: trades and rejected proposals follow from past events.",
    )
    dtype = "int32"
    most_indexes = MOST_UNITS + 2
    no_tree = "Offers are negotiated with words, which no list of actions has, and fractions make positions endless."

    def __init__(self, seats: int, options: Options) -> None:
        self._seats = seats
        self._items = tuple(sorted(book().items))
        self._recipes = tuple(book().by_name[name] for name in sorted(book().by_name))
        self._item = {item: number for number, item in enumerate(self._items)}
        self._recipe = {recipe.name: number for number, recipe in enumerate(self._recipes)}
        items, recipes = len(self._items), len(self._recipes)
        named = "by item, in the order of their names"
        self.parts = (
            Part("phase", 3, 1, "1 in the phase: propose, decide, craft"),
            Part("turn", 1, MOST_TURNS, "the turn, from 1"),
            Part("turns", 1, MOST_TURNS, "turns in all"),
            Part("proposer", 1, seats - 1, "who proposes: 0 is oneself, then by seat"),
            Part("whole batches", 1, 1, "1 if only whole batches are crafted"),
            Part("done", seats, 1, "1 for each seat that is done crafting, oneself first"),
            Part("gone", seats, 1, "1 for each seat that has left, oneself first"),
            Part("checks", 1, 500, "own checks left"),
            Part("hand", items, MOST, f"own hand, in sixtieths, {named}"),
            Part("target", items, MOST, "own target, in the same way"),
            Part("hands", items * (seats - 1), MOST, "the public hands of the others, seat by seat after oneself"),
            Part("offer", items, MOST, "what the open proposal offers, or the draft of the own one"),
            Part("request", items, MOST, "what it requests"),
            Part("partner", seats, 1, "1 for the partner of the draft, by seat, oneself first"),
            Part("input", items, MOST, "what the checked recipe uses up"),
            Part("output", items, MOST, "what it makes"),
        )
        self.choices = (
            IndexRun("partner", seats, "propose a trade to a seat, oneself first; then choose units"),
            IndexRun("offer", items, f"offer one more of the item, {named}"),
            IndexRun("request", items, "request one more of the item"),
            IndexRun("propose", 1, "send the proposal"),
            IndexRun("accept", 1, "accept the proposal"),
            IndexRun("reject", 1, "reject it"),
            IndexRun("check", recipes, "check one batch of the recipe, in the order of their names"),
            IndexRun("check all", recipes, "check as much of it as the hand has"),
            IndexRun("apply", 1, "craft what was checked"),
            IndexRun("done", 1, "craft no more in this turn"),
        )
        self._at, self._first = self.starts(), self.first_indexes()
        self._known: tuple[View, Mapping[int, Check]] | None = None

    # Observations

    def observe(self, seat: Seat, view: View, ask: Asked | None, draft: Draft = ()) -> NDArray[np.int32]:
        row, at = np.zeros(self.size, np.int32), self._at
        if view.phase in ("propose", "decide", "craft"):
            row[("propose", "decide", "craft").index(view.phase)] = 1
        proposer = (view.proposer - seat) % self._seats
        row[at["turn"] : at["done"]] = view.turn, view.max_turn, proposer, view.whole_batches
        for part, seats in (("done", view.done), ("gone", view.gone)):
            row[[at[part] + (other - seat) % self._seats for other in seats]] = 1
        row[at["checks"]] = view.checks
        self._show(row, "hand", view.hand)
        self._show(row, "target", view.target)
        for number in range(self._seats - 1):
            self._show(row, "hands", view.hands[(seat + 1 + number) % self._seats], number * len(self._items))
        self._show_trade(row, view, draft)
        if view.checked is not None:
            self._show(row, "input", view.checked.input)
            self._show(row, "output", view.checked.output)
        return row

    def _show(self, row: NDArray[np.int32], part: str, items: Mapping[str, Amount], shift: int = 0) -> None:
        first = self._at[part] + shift
        for item, amount in unwritten(items).items():
            row[first + self._item[item]] = min(MOST, int(amount * UNIT))

    def _show_trade(self, row: NDArray[np.int32], view: View, draft: Draft) -> None:
        if draft:
            row[self._at["partner"] + draft[0]] = 1
            offer, request = self._units(draft)
            self._show(row, "offer", offer)
            self._show(row, "request", request)
        elif view.proposal is not None:
            self._show(row, "offer", view.proposal.offer)
            self._show(row, "request", view.proposal.request)

    # Actions

    def mask(self, seat: Seat, view: View, ask: Asked | None, draft: Draft = ()) -> NDArray[np.int8]:
        mask = np.zeros(self.actions, np.int8)
        match ask:
            case MakeProposal():
                mask[self._terms(seat, view, draft) if draft else self._partners(seat, view)] = 1
            case DecideProposal():
                mask[[self._first["accept"], self._first["reject"]]] = 1
            case CraftItems():
                mask[self._first["done"]] = 1
                mask[self._first["apply"]] = ask.ready
                mask[list(self._checks(view)) if ask.checks else []] = 1
        return mask

    def _partners(self, seat: Seat, view: View) -> list[int]:
        others = [(seat + place) % self._seats for place in range(1, self._seats)]
        return [(other - seat) % self._seats for other in others if other not in view.gone] or [1]

    def _units(self, draft: Draft) -> tuple[Counter[str], Counter[str]]:
        """The offer and the request of the draft of a proposal."""
        first, second = self._first["offer"], self._first["request"]
        offer = Counter(self._items[index - first] for index in draft[1:] if first <= index < second)
        request = Counter(self._items[index - second] for index in draft[1:] if index >= second)
        return offer, request

    def _terms(self, seat: Seat, view: View, draft: Draft) -> list[int]:
        """The items that can be added to the draft."""
        free = [self._first["propose"]]
        if len(draft) > MOST_UNITS:
            return free
        partner = (seat + draft[0]) % self._seats
        for run, named, hand in zip(
            ("offer", "request"), self._units(draft), (view.hand, view.hands[partner]), strict=True
        ):
            room = len(named) < MOST_KINDS
            more = [item for item, has in unwritten(hand).items() if has >= named[item] + 1 and (room or item in named)]
            free += [self._first[run] + self._item[item] for item in more]
        return free

    def _checks(self, view: View) -> Mapping[int, Check]:
        """The recipes that the hand allows, by index. Kept for `action`, which is asked after `mask`."""
        if self._known is None or self._known[0] is not view:
            checks: dict[int, Check] = {}
            hand = unwritten(view.hand)
            for recipe, most in possible(hand, whole_batches=view.whole_batches):
                pieces = 1 if view.whole_batches else recipe.count
                whole = Fraction(int(most * pieces), pieces)
                for run, batches in (("check", min(Fraction(1), whole)), ("check all", whole)):
                    check = made(recipe, batches, hand)
                    if check is not None:
                        checks[self._first[run] + self._recipe[recipe.name]] = check
            self._known = view, checks
        return self._known[1]

    def action(self, index: int, seat: Seat, view: View, ask: Asked, draft: Draft = ()) -> Answer | None:
        first = self._first
        match ask:
            case MakeProposal() if index == first["propose"]:
                offer, request = self._units(draft)
                return Propose((seat + draft[0]) % self._seats, dict(offer), dict(request))
            case MakeProposal():
                return None
            case DecideProposal():
                return Decide("accept" if index == first["accept"] else "reject")
        if index == first["apply"]:
            return Apply()
        return Done() if index == first["done"] else self._checks(view)[index]

    def indexes(self, action: Answer, seat: Seat, view: View, ask: Asked) -> Draft | None:
        match action:
            case Propose():
                return self._proposal(action, seat, view)
            case Decide(decision=decision):
                return (self._first[decision],)
            case Apply():
                return (self._first["apply"],)
            case Done():
                return (self._first["done"],)
        same = [index for index, check in self._checks(view).items() if check == action]
        return (same[0],) if same else None

    def _proposal(self, said: Propose, seat: Seat, view: View) -> Draft | None:
        offer, request = unwritten(said.offer), unwritten(said.request)
        if sum(offer.values()) + sum(request.values()) > MOST_UNITS:
            return None
        partner = (said.partner - seat) % self._seats
        if partner not in self._partners(seat, view):
            return None
        terms = [(self._first["offer"], offer), (self._first["request"], request)]
        units = [first + self._item[item] for first, items in terms for item, n in items.items() for _ in range(int(n))]
        return partner, *units, self._first["propose"]


def made(recipe: Recipe, batches: Fraction, hand: Mapping[str, Fraction]) -> Check | None:
    """The check of these batches; None if the hand has not enough, or the amounts are too fine to be sent."""
    used = filled(recipe, batches, hand)
    if used is None or any(amount.denominator > FINEST for amount in used.values()):
        return None
    return Check(written(used), written({recipe.product: batches * recipe.count}))

"""What others may be after, guessed from what they hold, ask for, give away and craft."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import ceil, inf
from typing import TypeAlias

from msgspec import Struct

from parlour.games.tradecraft.bundles import TARGETS
from parlour.games.tradecraft.plans import Hand
from parlour.games.tradecraft.reach import reach
from parlour.games.tradecraft.recipes import SMELT, Recipe, book

TAKING, CRAFTING = 1.0, 0.02
"""What it costs to get an item from others, where an own one costs nothing; and to craft a batch."""
FEW = 3
"""So many ways to make a thing are tried, the cheapest first."""
NOTHING = 1e-6
"""Less than that is nothing."""

UNUSUAL = 0.1
"""How likely an unusual thing is to be somebody's target, where a usual one is 1."""
UNKNOWN, UNEXPLAINED = 0.05, 0.25
"""How likely it is that a target is none of those that are thought of; and how well any trade goes with that."""
LEAST = 1e-30
"""No weight is less."""
UNLIKELY = 0.01
"""Less likely things are not thought of, if the likeliest is 1."""

Way: TypeAlias = tuple[Recipe, tuple[tuple[int, tuple[str, ...]], ...]]
"""A recipe, and of each slot how many it takes and what there is to fill it."""


class Sketch(Struct, frozen=True):
    """Roughly what a target takes: what is lacking for it, and what of the own hand is needed."""

    lacks: Hand
    keeps: Hand

    def gains(self, gets: Mapping[str, int]) -> int:
        """How much of what is lacking would be got."""
        return sum([min(amount, gets.get(item, 0)) for item, amount in self.lacks.items()])

    def loses(self, hand: Mapping[str, int], gives: Mapping[str, int]) -> bool:
        """Whether something would be given away that is needed."""
        return any(hand.get(item, 0) - amount < self.keeps.get(item, 0) for item, amount in gives.items())


@lru_cache(64)
def ways(kinds: frozenset[str]) -> tuple[Way, ...]:
    """All that can be made, once and again, out of certain kinds."""
    found, usable = reach(kinds, frozenset(range(len(book().recipes))))
    return tuple(
        [
            (recipe, tuple([(slot.count, tuple(sorted(slot.items & found))) for slot in recipe.slots]))
            for recipe in usable
        ]
    )


class Sketcher:
    """Sketches how somebody may come by things: out of the own hand, out of those of others, or by recipes."""

    def __init__(self, hand: Mapping[str, int], rest: Mapping[str, int]) -> None:
        self.hand = hand
        self.rest = rest
        self.costs = {item: 0.0 if item in hand else TAKING for item in (*hand, *rest)}
        self.made: dict[str, list[tuple[float, int, Way]]] = {}
        """The ways to make each thing, and what one of it costs then; the cheapest first."""
        known = ways(frozenset(hand) | frozenset(rest))
        while self._cheaper(known):
            pass
        for number, way in enumerate(known):
            self.made.setdefault(way[0].product, []).append((self._cost(way, self._heat()), number, way))
        for each in self.made.values():
            each.sort(key=lambda way: way[:2])

    def _cheaper(self, known: Iterable[Way]) -> bool:
        """Whether something turns out to be cheaper than was thought."""
        found, heat = False, self._heat()
        for way in known:
            cost, product = self._cost(way, heat), way[0].product
            if cost < self.costs.get(product, inf) - NOTHING:
                self.costs[product] = cost
                found = True
        return found

    def _heat(self) -> float:
        """What a tick of fuel costs."""
        fuels = book().fuels
        return min([cost / fuels[item] for item, cost in self.costs.items() if item in fuels], default=inf)

    def _cost(self, way: Way, heat: float) -> float:
        recipe, slots = way
        cost = CRAFTING + (SMELT * heat if recipe.burns else 0.0)
        for count, items in slots:
            cost += count * min([self.costs.get(item, inf) for item in items])
        return cost / recipe.count

    def sketch(self, target: Mapping[str, int]) -> Sketch | None:
        """None, if there is not enough of something."""
        walk = Walk(self)
        if not all(walk.get(item, amount, frozenset()) for item, amount in target.items()):
            return None
        return Sketch(_up(walk.taken), _up(walk.used))


def _up(amounts: Mapping[str, float]) -> Hand:
    return {item: ceil(amount - NOTHING) for item, amount in amounts.items() if amount > NOTHING}


class Walk:
    """One sketch in the making: backwards from what is wanted, using up what there is."""

    def __init__(self, sketcher: Sketcher) -> None:
        self._sketcher = sketcher
        self.used: dict[str, float] = {}
        """Of the own hand."""
        self.taken: dict[str, float] = {}
        """From others."""

    def get(self, item: str, amount: float, above: frozenset[str]) -> bool:
        """Whether so much of an item can be had, and not by way of what it is for."""
        amount = self._use(item, amount)
        if amount > NOTHING and self._sketcher.costs.get(item, inf) < TAKING and self._make(item, amount, above):
            return True
        amount = self._take(item, amount)
        return amount <= NOTHING or self._make(item, amount, above)

    def _use(self, item: str, amount: float) -> float:
        """As much as is in the own hand; returns what is still wanted."""
        return _moved(item, amount, self._sketcher.hand, self.used)

    def _take(self, item: str, amount: float) -> float:
        return _moved(item, amount, self._sketcher.rest, self.taken)

    def _make(self, item: str, amount: float, above: frozenset[str]) -> bool:
        if item in above:
            return False
        before = self.used.copy(), self.taken.copy()
        for cost, _, way in self._sketcher.made.get(item, ())[:FEW]:
            if cost < inf and self._follow(way, amount / way[0].count, above | {item}):
                return True
            self.used, self.taken = before[0].copy(), before[1].copy()
        return False

    def _follow(self, way: Way, batches: float, above: frozenset[str]) -> bool:
        recipe, slots = way
        for count, items in slots:
            if not self._fill(items, count * batches, above):
                return False
        return not recipe.burns or self._burn(SMELT * batches)

    def _fill(self, items: tuple[str, ...], amount: float, above: frozenset[str]) -> bool:
        """Own items of any kind that fits, and then the cheapest."""
        for item in items:
            amount = self._use(item, amount)
        if amount <= NOTHING:
            return True
        costs = self._sketcher.costs
        cheapest = sorted(items, key=lambda item: costs.get(item, inf))[:FEW]
        return any(self.get(item, amount, above) for item in cheapest)

    def _burn(self, ticks: float) -> bool:
        """The best fuel first, and own fuel before that of others."""
        fuels = book().fuels
        for hand, move in ((self._sketcher.hand, self._use), (self._sketcher.rest, self._take)):
            for item in sorted(hand, key=lambda item: -fuels.get(item, 0)):
                if ticks > NOTHING and item in fuels:
                    ticks = fuels[item] * move(item, ticks / fuels[item])
        return ticks <= NOTHING


def _moved(item: str, amount: float, stock: Mapping[str, int], into: dict[str, float]) -> float:
    there = stock.get(item, 0) - into.get(item, 0.0)
    part = min(amount, there)
    if part > NOTHING:
        into[item] = into.get(item, 0.0) + part
        amount -= part
    return amount


class Guess(Struct, frozen=True):
    """Something that somebody may be after, and how likely that is."""

    target: str
    """Nothing, if it is none of what is thought of, and only known what was asked for."""
    likely: float
    sketch: Sketch

    def gains(self, gets: Mapping[str, int]) -> bool:
        return self.sketch.gains(gets) > 0


class Rival:
    """What one of the others seems to want."""

    def __init__(self, hand: Hand, rest: Hand) -> None:
        """Before anything is known: what can be had by trade and not without; rather what needs rare things."""
        self._hand, self._rest = hand, rest
        self._asked: Hand = {}
        sketcher = Sketcher(hand, rest)
        self._sketches = self._sketched(sketcher, [item for item in sketcher.costs if item not in rest])
        uses = {item: {*sketch.lacks, *sketch.keeps} for item, sketch in self._sketches.items()}
        users = Counter([each for kinds in uses.values() for each in kinds])
        self._weights = {
            item: (1.0 if item in TARGETS else UNUSUAL) * sum([1 / users[each] for each in kinds])
            for item, kinds in uses.items()
        }
        self._weights[""] = UNKNOWN * (sum(self._weights.values()) or 1.0)

    def _sketched(self, sketcher: Sketcher, items: Iterable[str]) -> dict[str, Sketch]:
        """Without what cannot be had, and what they would have already if they wanted it."""
        sketches = {item: sketcher.sketch({item: 1}) for item in items}
        return {item: sketch for item, sketch in sketches.items() if sketch is not None and sketch.lacks}

    def sees(self, hand: Hand, rest: Hand) -> None:
        """Hands are other than they were, perhaps."""
        if (hand, rest) != (self._hand, self._rest):
            self._hand, self._rest = hand, rest
            sketcher, least = Sketcher(hand, rest), UNLIKELY * max(self._weights.values())
            likely = [item for item, weight in self._weights.items() if weight > least and item in sketcher.costs]
            self._sketches = self._sketched(sketcher, likely)

    def guesses(self) -> list[Guess]:
        """The likeliest first."""
        asked = Sketch({item: amount for item, amount in self._asked.items() if item in self._rest}, {})
        found = {**self._sketches, "": asked}
        total = sum([self._weights[item] for item in found])
        guesses = [Guess(item, self._weights[item] / total, sketch) for item, sketch in found.items()]
        return sorted(guesses, key=lambda guess: -guess.likely)

    # What they do tells what they want

    def wanted(self, gets: Mapping[str, int], gives: Mapping[str, int]) -> None:
        """They wanted to trade so: mostly for what they lack, and with what they do not need."""
        size = sum(gets.values())
        for guess in self.guesses():
            explained = guess.sketch.gains(gets) / size if size else 0.5
            exact = 2.0 if gets.items() <= guess.sketch.lacks.items() else 1.0
            dear = 0.2 if guess.sketch.loses(self._hand, gives) else 1.0
            self._weigh(guess, (0.05 + 0.95 * explained) * exact * dear if guess.target else UNEXPLAINED)
        self._asked.update(gets)

    def refused(self, gets: Mapping[str, int], gives: Mapping[str, int]) -> None:
        """They would not trade so: hardly because it would help."""
        for guess in self.guesses():
            if guess.gains(gets) and not guess.sketch.loses(self._hand, gives):
                self._weigh(guess, 0.4)

    def named(self, words: Iterable[str]) -> None:
        """They spoke of items: mostly of what they lack."""
        spoken = [word for word in words if word in self._rest or word in self._hand]
        for guess in self.guesses() if spoken else ():
            if not any(item in guess.sketch.lacks for item in spoken):
                self._weigh(guess, 0.3)

    def crafted(self, hand: Hand, rest: Hand) -> None:
        """They have made something, if anything: mostly what they need."""
        made = [item for item, amount in hand.items() if amount > self._hand.get(item, 0)]
        self.sees(hand, rest)
        for guess in self.guesses() if made else ():
            if guess.target and not any(item in guess.sketch.keeps for item in made):
                self._weigh(guess, 0.1)

    def _weigh(self, guess: Guess, factor: float) -> None:
        """However unlikely, it is never out of the question."""
        self._weights[guess.target] = max(self._weights[guess.target] * factor, LEAST)

"""Guess the targets of other players from what they hold, ask for, give away and craft."""

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
"""The cost of an item from another player, and of crafting a batch. Own items cost nothing."""
FEW = 3
"""How many ways to make an item are tried, cheapest first."""
NOTHING = 1e-6
"""Smaller amounts count as zero."""

UNUSUAL = 0.1
"""The initial weight of an unusual target; a usual one has 1."""
UNKNOWN, UNEXPLAINED = 0.05, 0.25
"""The probability that the target is not among the guesses, and how well that explains any trade."""
LEAST = 1e-30
"""The least weight."""
UNLIKELY = 0.01
"""Guesses with less than this part of the largest weight are ignored."""

Way: TypeAlias = tuple[Recipe, tuple[tuple[int, tuple[str, ...]], ...]]
"""A recipe, and for each slot its count and the items that can fill it."""


class Sketch(Struct, frozen=True):
    """A rough plan for a target: the items that are lacking, and the items of the hand that are needed."""

    lacks: Hand
    keeps: Hand

    def gains(self, gets: Mapping[str, int]) -> int:
        """How many of the lacking items `gets` contains."""
        return sum([min(amount, gets.get(item, 0)) for item, amount in self.lacks.items()])

    def loses(self, hand: Mapping[str, int], gives: Mapping[str, int]) -> bool:
        """Whether `gives` contains needed items."""
        return any(hand.get(item, 0) - amount < self.keeps.get(item, 0) for item, amount in gives.items())


@lru_cache(64)
def ways(kinds: frozenset[str]) -> tuple[Way, ...]:
    """All recipes that can be used, directly or in steps, starting from these kinds."""
    found, usable = reach(kinds, frozenset(range(len(book().recipes))))
    return tuple(
        [
            (recipe, tuple([(slot.count, tuple(sorted(slot.items & found))) for slot in recipe.slots]))
            for recipe in usable
        ]
    )


class Sketcher:
    """Sketches how a player can get items: from their own hand, from other players, or by recipes."""

    def __init__(self, hand: Mapping[str, int], rest: Mapping[str, int]) -> None:
        self.hand = hand
        self.rest = rest
        self.costs = {item: 0.0 if item in hand else TAKING for item in (*hand, *rest)}
        self.made: dict[str, list[tuple[float, int, Way]]] = {}
        """By item: the ways to make it with their cost per item, cheapest first."""
        known = ways(frozenset(hand) | frozenset(rest))
        while self._cheaper(known):
            pass
        for number, way in enumerate(known):
            self.made.setdefault(way[0].product, []).append((self._cost(way, self._heat()), number, way))
        for each in self.made.values():
            each.sort(key=lambda way: way[:2])

    def _cheaper(self, known: Iterable[Way]) -> bool:
        """Lower the costs of products; returns whether any has changed."""
        found, heat = False, self._heat()
        for way in known:
            cost, product = self._cost(way, heat), way[0].product
            if cost < self.costs.get(product, inf) - NOTHING:
                self.costs[product] = cost
                found = True
        return found

    def _heat(self) -> float:
        """The cost of one tick of fuel."""
        fuels = book().fuels
        return min([cost / fuels[item] for item, cost in self.costs.items() if item in fuels], default=inf)

    def _cost(self, way: Way, heat: float) -> float:
        recipe, slots = way
        cost = CRAFTING + (SMELT * heat if recipe.burns else 0.0)
        for count, items in slots:
            cost += count * min([self.costs.get(item, inf) for item in items])
        return cost / recipe.count

    def sketch(self, target: Mapping[str, int]) -> Sketch | None:
        """None if the target is out of reach."""
        walk = Walk(self)
        if not all(walk.get(item, amount, frozenset()) for item, amount in target.items()):
            return None
        return Sketch(_up(walk.taken), _up(walk.used))


def _up(amounts: Mapping[str, float]) -> Hand:
    return {item: ceil(amount - NOTHING) for item, amount in amounts.items() if amount > NOTHING}


class Walk:
    """The search for one sketch: backwards from the target, using up what is available."""

    def __init__(self, sketcher: Sketcher) -> None:
        self._sketcher = sketcher
        self.used: dict[str, float] = {}
        """Items used from the player's hand."""
        self.taken: dict[str, float] = {}
        """Items taken from other players."""

    def get(self, item: str, amount: float, above: frozenset[str]) -> bool:
        """Get an amount of an item; False if that is impossible. Items in `above` are not made, to avoid cycles."""
        amount = self._use(item, amount)
        if amount > NOTHING and self._sketcher.costs.get(item, inf) < TAKING and self._make(item, amount, above):
            return True
        amount = self._take(item, amount)
        return amount <= NOTHING or self._make(item, amount, above)

    def _use(self, item: str, amount: float) -> float:
        """Use what the player's hand has; returns what is still needed."""
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
        """Fill a slot with own items of any kind first, then with the cheapest."""
        for item in items:
            amount = self._use(item, amount)
        if amount <= NOTHING:
            return True
        costs = self._sketcher.costs
        cheapest = sorted(items, key=lambda item: costs.get(item, inf))[:FEW]
        return any(self.get(item, amount, above) for item in cheapest)

    def _burn(self, ticks: float) -> bool:
        """Burn own fuel before that of others, the best first."""
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
    """A possible target of a player, and its probability."""

    target: str
    """Empty for an unknown target; its sketch then lacks what the player has asked for."""
    likely: float
    sketch: Sketch

    def gains(self, gets: Mapping[str, int]) -> bool:
        return self.sketch.gains(gets) > 0


class Rival:
    """Guesses about one other player."""

    def __init__(self, hand: Hand, rest: Hand) -> None:
        """Initial guesses: items that need a trade, weighted higher if they need rare ingredients."""
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
        """Sketches of the items, without those that are out of reach or need no trade."""
        sketches = {item: sketcher.sketch({item: 1}) for item in items}
        return {item: sketch for item, sketch in sketches.items() if sketch is not None and sketch.lacks}

    def sees(self, hand: Hand, rest: Hand) -> None:
        """Update the guesses if the hands have changed."""
        if (hand, rest) != (self._hand, self._rest):
            self._hand, self._rest = hand, rest
            sketcher, least = Sketcher(hand, rest), UNLIKELY * max(self._weights.values())
            likely = [item for item, weight in self._weights.items() if weight > least and item in sketcher.costs]
            self._sketches = self._sketched(sketcher, likely)

    def guesses(self) -> list[Guess]:
        """All guesses, most likely first."""
        asked = Sketch({item: amount for item, amount in self._asked.items() if item in self._rest}, {})
        found = {**self._sketches, "": asked}
        total = sum([self._weights[item] for item in found])
        guesses = [Guess(item, self._weights[item] / total, sketch) for item, sketch in found.items()]
        return sorted(guesses, key=lambda guess: -guess.likely)

    # Learning from the player's actions

    def wanted(self, gets: Mapping[str, int], gives: Mapping[str, int]) -> None:
        """The player wanted this trade, so it probably lacks `gets` and does not need `gives`."""
        size = sum(gets.values())
        for guess in self.guesses():
            explained = guess.sketch.gains(gets) / size if size else 0.5
            exact = 2.0 if gets.items() <= guess.sketch.lacks.items() else 1.0
            dear = 0.2 if guess.sketch.loses(self._hand, gives) else 1.0
            self._weigh(guess, (0.05 + 0.95 * explained) * exact * dear if guess.target else UNEXPLAINED)
        self._asked.update(gets)

    def refused(self, gets: Mapping[str, int], gives: Mapping[str, int]) -> None:
        """The player refused this trade, so it probably would not have helped."""
        for guess in self.guesses():
            if guess.gains(gets) and not guess.sketch.loses(self._hand, gives):
                self._weigh(guess, 0.4)

    def named(self, words: Iterable[str]) -> None:
        """The player mentioned items, which it probably lacks."""
        spoken = [word for word in words if word in self._rest or word in self._hand]
        for guess in self.guesses() if spoken else ():
            if not any(item in guess.sketch.lacks for item in spoken):
                self._weigh(guess, 0.3)

    def crafted(self, hand: Hand, rest: Hand) -> None:
        """The hands after crafting: the player probably needs what it made."""
        made = [item for item, amount in hand.items() if amount > self._hand.get(item, 0)]
        self.sees(hand, rest)
        for guess in self.guesses() if made else ():
            if guess.target and not any(item in guess.sketch.keeps for item in made):
                self._weigh(guess, 0.1)

    def _weigh(self, guess: Guess, factor: float) -> None:
        """Scale the weight of a guess. It never becomes zero."""
        self._weights[guess.target] = max(self._weights[guess.target] * factor, LEAST)

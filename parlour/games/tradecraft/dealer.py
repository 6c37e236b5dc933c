"""Deal items to hands, so that every seat lacks something and has something that others need."""

from collections.abc import Iterable, Sequence
from math import ceil

from msgspec import Struct

from parlour.core import Dice, Seat
from parlour.games.tradecraft.bundles import Bundle
from parlour.games.tradecraft.reach import useful

FEW = 9
"""The most items of a kind that is not needed."""

_COMMON = """
amethyst_shard apple bamboo basalt beetroot blaze_powder bone brown_mushroom cactus carrot clay_ball coal cobblestone
cocoa_beans copper_ingot dirt egg emerald ender_pearl feather flint glowstone_dust gold_ingot gravel gunpowder
honeycomb ice ink_sac iron_nugget kelp lapis_lazuli leather magma_cream melon_slice moss_block mud nautilus_shell
netherrack obsidian paper phantom_membrane poppy potato prismarine_shard pufferfish pumpkin quartz rabbit_hide
raw_copper raw_gold red_mushroom redstone sand scute slime_ball snowball soul_sand spider_eye stick string sugar
sugar_cane sunflower sweet_berries tuff vine wheat white_wool
"""
COMMON = tuple(_COMMON.split())
"""Common items that fill up hands."""


class Terms(Struct, frozen=True):
    """Requirements of a problem."""

    seats: int
    depths: range
    kinds: range
    decoys: int
    max_amount: int
    max_turn: int
    whole_batches: bool
    fair: bool


class Dealer:
    """Deals items to hands. Each hand has a limited size, and some items that its seat needs are kept out of it."""

    def __init__(self, terms: Terms, bundles: Sequence[Bundle], dice: Dice) -> None:
        self._terms = terms
        self._bundles = bundles
        self._dice = dice
        self.hands: list[dict[str, int]] = [{} for _ in bundles]
        self._missing = [self._some(sorted(bundle.items)) for bundle in bundles]
        """By seat: needed items that it must not get."""

    def _some(self, kinds: list[str]) -> frozenset[str]:
        self._dice.shuffle(kinds)
        return frozenset(kinds[self._dice.below(len(kinds)) :])

    def give(self, item: str, amount: int) -> bool:
        """Deal an item, preferably to small hands, split if it is too much for one hand; False if there is no room."""
        takers = [seat for seat in range(len(self.hands)) if self._may(seat, item, self._most())]
        self._dice.shuffle(takers)
        takers.sort(key=lambda seat: len(self.hands[seat]))
        most = self._terms.max_amount
        parted = len(takers) > 1 and amount > 1 and not self._dice.below(4)
        parts = max(ceil(amount / most), 2 if parted else 1)
        if parts > len(takers):
            return False
        for rest, seat in zip(reversed(range(parts)), takers, strict=False):
            least = max(1, amount - rest * most)
            part = least + self._dice.below(min(most, amount - rest) - least + 1) if rest else amount
            self.hands[seat][item] = part
            amount -= part
        return True

    def fill(self) -> bool:
        """Fill up small hands with more of the needed items, or with other useful ones; False if that is impossible."""
        more = sorted({item for bundle in self._bundles for item in bundle.items})
        other = sorted(_useful(self._bundles).intersection(COMMON).difference(more))
        for seat in range(len(self.hands)):
            for kinds in (more, other):
                self._dice.shuffle(kinds)
                for item in kinds:
                    if self._may(seat, item, self._terms.kinds[0] - self._terms.decoys):
                        self.hands[seat][item] = self._little()
        return all(len(hand) >= self._terms.kinds[0] - self._terms.decoys for hand in self.hands)

    def mislead(self) -> bool:
        """Add decoys, which nobody can use, to every hand; False if there are too few."""
        useless = sorted(set(COMMON) - _useful(self._bundles))
        for hand in self.hands:
            self._dice.shuffle(useless)
            hand.update({item: self._little() for item in useless[: self._terms.decoys]})
        return len(useless) >= self._terms.decoys

    def _may(self, seat: Seat, item: str, most: int) -> bool:
        return len(self.hands[seat]) < most and item not in self.hands[seat] and item not in self._missing[seat]

    def _most(self) -> int:
        return self._terms.kinds[-1] - self._terms.decoys

    def _little(self) -> int:
        return 1 + self._dice.below(min(FEW, self._terms.max_amount))


def _useful(bundles: Iterable[Bundle]) -> frozenset[str]:
    return frozenset[str]().union(*[useful(bundle.target) for bundle in bundles])


def hands_for(terms: Terms, bundles: list[Bundle], dice: Dice) -> list[dict[str, int]] | None:
    """Deal everything that is needed, so that every seat lacks something; None if there is no room."""
    dealer = Dealer(terms, bundles, dice)
    pool = _pool(terms, bundles)
    items = sorted(pool)
    dice.shuffle(items)
    if not all(dealer.give(item, _more(pool[item], terms, dice)) for item in items):
        return None
    if not dealer.fill() or not dealer.mislead():
        return None
    return [dict(sorted(hand.items())) for hand in dealer.hands]


def _more(amount: int, terms: Terms, dice: Dice) -> int:
    """A little more than needed, so that exact amounts do not reveal the targets."""
    return amount + min(dice.below(3), max(terms.max_amount - amount, 0))


def _pool(terms: Terms, bundles: list[Bundle]) -> dict[str, int]:
    """The amounts needed: for all targets together if `fair`, otherwise for any single one."""
    pool: dict[str, int] = {}
    for bundle in bundles:
        for item, amount in bundle.items.items():
            there = pool.get(item, 0)
            pool[item] = there + amount if terms.fair else max(there, amount)
    return pool

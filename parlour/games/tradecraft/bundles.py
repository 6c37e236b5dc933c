"""Draw the ingredients of a target: backwards from it, recipe by recipe, down to the items that are dealt."""

from functools import cache
from math import ceil

from msgspec import Struct

from parlour.core import Dice
from parlour.games.tradecraft.recipes import SMELT, Recipe, Slot, book

_TARGETS = """
activator_rail armor_stand arrow awkward_potion barrel blast_furnace book bookshelf bow bread brewing_stand bricks
brush bucket cake campfire candle cauldron chain chest clock comparator compass composter cookie crossbow
daylight_detector detector_rail diamond_pickaxe diamond_sword dispenser dropper ender_chest ender_eye fire_charge
fire_resistance_potion fishing_rod fletching_table flint_and_steel flower_pot furnace glass_bottle
glistering_melon_slice golden_apple golden_carrot golden_pickaxe golden_sword grindstone healing_potion
heavy_weighted_pressure_plate hopper iron_axe iron_bars iron_door iron_hoe iron_pickaxe iron_shovel iron_sword
iron_trapdoor item_frame jack_o_lantern jukebox ladder lantern lead lectern lever lightning_rod loom map minecart
mushroom_stew night_vision_potion note_block observer painting piston powered_rail pumpkin_pie rabbit_stew rail
redstone_lamp redstone_torch repeater scaffolding sea_lantern shears shield smithing_table smoker soul_lantern
soul_torch spyglass sticky_piston stone_axe stone_pickaxe stonecutter swiftness_potion target tnt torch trapped_chest
tripwire_hook
"""
TARGETS = tuple(_TARGETS.split())
"""Possible targets: useful items, without variants in other colours."""

WOODS = ("oak", "spruce", "birch", "jungle", "acacia", "dark_oak", "mangrove", "cherry")
"""A game mostly uses one kind of wood."""

FUELS = ("coal", "coal", "charcoal", "charcoal", "_planks", "_log", "blaze_rod", "dried_kelp_block", "lava_bucket")
"""Possible fuels. A name that begins with _ gets the game's wood as a prefix."""

USUAL = ("_log", "_planks", "_slab", "cobblestone", "coal", "sand", "white_wool")
"""The usual choice for a slot that takes several items. A name that begins with _ gets the game's wood."""

FEW = 3
"""Slots with more alternatives than this are for dyeing items or melting gear, and are not used."""


class Bundle(Struct, frozen=True):
    """A target, and items that suffice to craft it."""

    target: str
    items: dict[str, int]


def draw(target: str, depth: int, dice: Dice, wood: str) -> Bundle | None:
    """Draw a bundle that needs a chain of `depth` steps; None if the draw has another depth."""
    tree = Tree(dice, wood)
    if tree.grow(target, depth, frozenset()) != depth:
        return None
    return Bundle(target, tree.leaves(target))


@cache
def deep(item: str, steps: int) -> bool:
    """Whether a chain of `steps` recipes may lead to the item. For a few items such a chain turns out to be a cycle."""
    return not steps or any(deep(each, steps - 1) for recipe in ways(item) for each in recipe.items)


@cache
def ways(item: str) -> tuple[Recipe, ...]:
    """The recipes that a player would use to make the item."""
    return tuple([recipe for recipe in book().makers.get(item, ()) if _natural(recipe)])


def _natural(recipe: Recipe) -> bool:
    if recipe.kind == "campfire" or any("|" in slot.words and len(slot.items) > FEW for slot in recipe.slots):
        return False
    return recipe.product not in recipe.items and (recipe.kind != "brewing" or recipe.count == 1)


class Tree:
    """How a target is made: a recipe for each item, or none for items that are dealt."""

    def __init__(self, dice: Dice, wood: str) -> None:
        self._dice = dice
        self._wood = wood
        self._depths: dict[str, int] = {}
        """The number of steps to each item. Ingredients come before their product."""
        self._chosen: dict[str, tuple[Recipe, tuple[str, ...]]] = {}
        """By item: its recipe, and the items that fill the slots."""

    def grow(self, item: str, depth: int, above: frozenset[str]) -> int:
        """Choose recipes for an item, `depth` steps deep if possible, without items in `above`; returns the depth."""
        if item not in self._depths:
            self._depths[item] = self._expand(item, depth, above | {item})
        return self._depths[item]

    def _expand(self, item: str, depth: int, above: frozenset[str]) -> int:
        found = ways(item) if depth else ()
        far = [recipe for recipe in found if any(deep(each, depth - 1) for each in recipe.items)]
        if not found:
            return 0
        recipe = self._dice.pick(far or found)
        filling = tuple([self._member(slot) for slot in recipe.slots])
        if not above.isdisjoint(filling):
            return 0
        self._chosen[item] = recipe, filling
        deepest = self._dice.pick([each for each in filling if deep(each, depth - 1)] or filling)
        rest = [(each, depth - 1 if each == deepest else self._dice.below(depth)) for each in filling]
        return 1 + max([self.grow(each, steps, above) for each, steps in rest])

    def _member(self, slot: Slot) -> str:
        """An item for a slot: preferably one already used, or a usual one."""
        items = sorted(slot.items)
        there = [item for item in items if item in self._depths] or [
            item for item in map(self._of_wood, USUAL) if item in slot.items
        ]
        return there[0] if there and self._dice.below(8) else self._dice.pick(items)

    def _of_wood(self, item: str) -> str:
        return self._wood + item if item.startswith("_") else item

    def leaves(self, target: str) -> dict[str, int]:
        """The items needed for one target, crafted in whole batches, with whole items of fuel."""
        needed = {target: 1}
        smelted = 0
        for item in reversed(self._depths):
            if item in self._chosen:
                recipe, filling = self._chosen[item]
                batches = ceil(needed.pop(item) / recipe.count)
                smelted += batches if recipe.burns else 0
                for slot, each in zip(recipe.slots, filling, strict=True):
                    needed[each] = needed.get(each, 0) + batches * slot.count
        if smelted:
            fuel = self._of_wood(self._dice.pick(FUELS))
            needed[fuel] = needed.get(fuel, 0) + ceil(smelted * SMELT / book().fuels[fuel])
        return needed

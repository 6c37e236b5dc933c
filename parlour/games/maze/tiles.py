"""Connectors and gems of tiles, and colours of avatars."""

from functools import cache
from itertools import combinations_with_replacement
from typing import Final

NORTH: Final = 1
EAST: Final = 2
SOUTH: Final = 4
WEST: Final = 8
SIDES: Final = (NORTH, EAST, SOUTH, WEST)

SHAPES = {
    "│": NORTH | SOUTH,
    "─": EAST | WEST,
    "┐": SOUTH | WEST,
    "└": NORTH | EAST,
    "┌": EAST | SOUTH,
    "┘": NORTH | WEST,
    "┬": EAST | SOUTH | WEST,
    "├": NORTH | EAST | SOUTH,
    "┴": NORTH | EAST | WEST,
    "┤": NORTH | SOUTH | WEST,
    "┼": NORTH | EAST | SOUTH | WEST,
}
"""By glyph, the open sides of a tile (RULES 1.2)."""
GLYPHS = {shape: glyph for glyph, shape in SHAPES.items()}

DEGREES = (0, 90, 180, 270)


@cache
def turned(shape: int, degrees: int) -> int:
    """The shape, turned counter-clockwise (RULES 3.3): an opening to the east becomes one to the north."""
    for _ in range(degrees // 90):
        shape = shape >> 1 | (shape & NORTH) << 3
    return shape


@cache
def turns(shape: int) -> tuple[tuple[int, int], ...]:
    """The distinct shapes, each with the lowest degrees that give it."""
    seen: dict[int, int] = {}
    for degrees in DEGREES:
        seen.setdefault(turned(shape, degrees), degrees)
    return tuple((degrees, new) for new, degrees in seen.items())


_GEM_NAMES = """
alexandrite-pear-shape alexandrite almandine-garnet amethyst ametrine ammolite apatite aplite apricot-square-radiant
aquamarine australian-marquise aventurine azurite beryl black-obsidian black-onyx black-spinel-cushion
blue-ceylon-sapphire blue-cushion blue-pear-shape blue-spinel-heart bulls-eye carnelian chrome-diopside
chrysoberyl-cushion chrysolite citrine-checkerboard citrine clinohumite color-change-oval cordierite diamond
dumortierite emerald fancy-spinel-marquise garnet golden-diamond-cut goldstone grandidierite gray-agate
green-aventurine green-beryl-antique green-beryl green-princess-cut grossular-garnet hackmanite heliotrope hematite
iolite-emerald-cut jasper jaspilite kunzite-oval kunzite labradorite lapis-lazuli lemon-quartz-briolette magnesite
mexican-opal moonstone morganite-oval moss-agate orange-radiant padparadscha-oval padparadscha-sapphire peridot
pink-emerald-cut pink-opal pink-round pink-spinel-cushion prasiolite prehnite purple-cabochon purple-oval
purple-spinel-trillion purple-square-cushion raw-beryl raw-citrine red-diamond red-spinel-square-emerald-cut rhodonite
rock-quartz rose-quartz ruby-diamond-profile ruby sphalerite spinel star-cabochon stilbite sunstone super-seven
tanzanite-trillion tigers-eye tourmaline-laser-cut tourmaline unakite white-square yellow-baguette yellow-beryl-oval
yellow-heart yellow-jasper zircon zoisite
"""
GEMS = tuple(_GEM_NAMES.split())

PAIRS = tuple(combinations_with_replacement(GEMS, 2))
"""All possible treasures (RULES 1.3)."""

COLOURS = ("purple", "orange", "pink", "red", "blue", "green", "yellow", "white", "black")

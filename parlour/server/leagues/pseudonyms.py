"""Pseudonyms of entries in anonymous leagues. They say nothing about the entry, and are drawn at random."""

import secrets
from collections.abc import Collection

# fmt: off
COLOURS = [
    "Amber", "Ashen", "Azure", "Bronze", "Cobalt", "Copper", "Coral", "Crimson", "Ebony", "Emerald", "Golden",
    "Hazel", "Indigo", "Ivory", "Jade", "Lilac", "Maroon", "Olive", "Opal", "Pearl", "Plum", "Ruby", "Russet",
    "Sable", "Saffron", "Scarlet", "Silver", "Teal", "Violet", "Walnut",
]
ANIMALS = [
    "Badger", "Bear", "Beaver", "Bison", "Crane", "Deer", "Dolphin", "Eagle", "Falcon", "Ferret", "Finch", "Fox",
    "Gecko", "Hare", "Hawk", "Heron", "Ibex", "Jackdaw", "Kestrel", "Lark", "Lemur", "Lynx", "Marten", "Mole",
    "Moose", "Newt", "Otter", "Owl", "Panther", "Pike", "Puffin", "Raven", "Robin", "Salmon", "Seal", "Stork",
    "Swan", "Tiger", "Viper", "Wolf",
]
# fmt: on


def new_alias(taken: Collection[str]) -> str:
    """A pseudonym that no other entry has."""
    free = [alias for alias in (f"{colour} {animal}" for colour in COLOURS for animal in ANIMALS) if alias not in taken]
    return secrets.choice(free) if free else f"Entry {secrets.token_hex(4)}"

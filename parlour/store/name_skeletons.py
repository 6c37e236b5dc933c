"""Skeletons of names: two names that look alike have the same skeleton (UTS #39, section 4).

The pairs of confusable characters come from the package `confusable-homoglyphs`, which lists each pair in both
directions. Each group is a star: one prototype, and the characters that look like it.
"""

import asyncio
from functools import cache
from hashlib import sha256
from importlib.resources import files
from threading import Lock
from unicodedata import category, normalize

import msgspec

LONGEST_KEY = 255
_loading = Lock()
"""Makes one thread load the confusable characters when several need them first."""
MARK = "\u200e"
"""The package puts this mark around characters of right-to-left scripts."""

# Default_Ignorable_Code_Point without format characters (category Cf): these are invisible.
IGNORABLE = frozenset(
    chr(code)
    for first, last in (
        (0x034F, 0x034F),
        (0x115F, 0x1160),
        (0x17B4, 0x17B5),
        (0x180B, 0x180F),
        (0x2065, 0x2065),
        (0x3164, 0x3164),
        (0xFE00, 0xFE0F),
        (0xFFA0, 0xFFA0),
        (0xFFF0, 0xFFF8),
        (0xE0000, 0xE0FFF),
    )
    for code in range(first, last + 1)
)


def skeleton(name: str) -> str:
    """NFD without ignorable characters, each character replaced by its prototype, NFD again, case folded.

    Spaces at the ends are removed, and runs of spaces become one."""
    prototypes = _prototypes()
    seen = (c for c in normalize("NFD", name) if c not in IGNORABLE and category(c) != "Cf")
    mapped = normalize("NFD", "".join(prototypes.get(c, c) for c in seen))
    return " ".join(mapped.casefold().split())


def keys(name: str) -> list[str]:
    """The skeletons of a name and of its lower case, because `I` looks like `l` but `i` does not."""
    return sorted({_short(skeleton(name)), _short(skeleton(name.casefold()))})


async def keys_in_thread(name: str) -> list[str]:
    """`keys` without blocking the event loop: the first call loads data in a thread."""
    return keys(name) if _prototypes.cache_info().currsize else await asyncio.to_thread(_first_keys, name)


def _first_keys(name: str) -> list[str]:
    with _loading:
        return keys(name)


def _short(text: str) -> str:
    """Hash keys that are too long for the index: a prototype can have eighteen characters."""
    return text if len(text.encode()) <= LONGEST_KEY else sha256(text.encode()).hexdigest()


@cache
def _prototypes() -> dict[str, str]:
    """Prototypes by character. A prototype of several characters, such as `rn` for `m`, consists of prototypes."""
    alike = _alike()
    found: dict[str, str] = {}
    for character in alike:
        if len(character) == 1 and (prototype := _prototype(character, alike)) != character:
            found[character] = prototype
    return {c: "".join(found.get(each, each) for each in prototype) for c, prototype in found.items()}


def _prototype(character: str, alike: dict[str, set[str]]) -> str:
    """The centre of the star. In a star of two: the longer one, or the first in Unicode."""
    if len(alike[character]) > 1:
        return character
    [other] = alike[character]
    if len(alike[other]) > 1:
        return other
    return min(character, other, key=lambda each: (-len(each), each))


def _alike() -> dict[str, set[str]]:
    """Lookalikes by character or sequence, in NFD."""
    raw = files("confusable_homoglyphs").joinpath("confusables.json").read_bytes()
    listed = msgspec.json.decode(raw, type=dict[str, list[dict[str, str]]])
    alike: dict[str, set[str]] = {}
    for one, others in listed.items():
        for other in others:
            pair = {_plain(one), _plain(other["c"])}
            for each in pair:
                alike.setdefault(each, set()).update(pair - {each})
    return {each: others for each, others in alike.items() if others}


def _plain(text: str) -> str:
    return normalize("NFD", text.replace(MARK, ""))

"""The crafting-table recipes of Minecraft Java 1.20.1, out of the npm package `minecraft-data`.

The package lists every variant of a recipe by itself. Variants that differ in one slot are one recipe again when the
items that differ are all those of a tag, or of a slot that tables.txt names; they are different recipes otherwise.
"""

import json
import subprocess
import tarfile
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

from tables import Recipe, Tables

PACKAGE = "minecraft-data@3.117.0"
FOLDER = "package/minecraft-data/data/pc/1.20"

Slot: TypeAlias = tuple[frozenset[str], int]
Variant: TypeAlias = frozenset[Slot]


def fetched(folder: Path) -> Path:
    """The package as npm gives it."""
    subprocess.run(["npm", "pack", "--silent", PACKAGE], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    (archive,) = folder.glob("*.tgz")
    return archive


def read(archive: Path | None) -> tuple[list[str], dict[str, Any]]:
    """The names of all items by number, and the recipes by the number of their product."""
    with tempfile.TemporaryDirectory() as folder, tarfile.open(archive or fetched(Path(folder))) as package:
        found = []
        for name in ("items", "recipes"):
            file = package.extractfile(f"{FOLDER}/{name}.json")
            assert file is not None
            found.append(json.load(file))
    return [item["name"] for item in sorted(found[0], key=lambda item: item["id"])], found[1]


def crafting(names: list[str], listed: dict[str, Any], tables: Tables) -> Iterator[Recipe]:
    for number, variants in listed.items():
        product = names[int(number)]
        by_count: dict[int, set[Variant]] = defaultdict(set)
        for variant in variants:
            by_count[variant["result"]["count"]].add(read_variant(variant, names))
        slots = {**tables.tag_slots, **tables.own_slots(product)}
        for count, found in by_count.items():
            for merged in merge(found, list(slots)):
                named = [(slots[items] if len(items) > 1 else min(items), n) for items, n in merged]
                yield Recipe(product, count, tuple(sorted(named)))


def read_variant(variant: dict[str, Any], names: list[str]) -> Variant:
    """Where things lie on the table does not matter here, only how many there are of each."""
    rows = variant["inShape"] if "inShape" in variant else [variant["ingredients"]]
    counts = Counter(names[cell] for row in rows for cell in row if cell is not None)
    return frozenset((frozenset([name]), n) for name, n in counts.items())


def merge(variants: set[Variant], sets: list[frozenset[str]]) -> set[Variant]:
    """The largest sets first, or a tag would be taken for one that lies in it."""
    for members in sorted(sets, key=lambda members: (-len(members), sorted(members))):
        for variant in sorted(variants, key=in_order):
            for one, n in variant if variant in variants else ():
                rest = variant - {(one, n)}
                family = {rest | {(frozenset([member]), n)} for member in members}
                if len(one) == 1 and one < members and family <= variants:
                    variants = variants - family | {rest | {(members, n)}}
                    break
    return variants


def in_order(variant: Variant) -> list[tuple[list[str], int]]:
    return sorted((sorted(items), n) for items, n in variant)

"""Writes the recipe book: `python tools/recipes/derive.py [PACKAGE.tgz]`, the package being fetched if it is not given.

Crafting recipes come from the npm package `minecraft-data` (MIT licence; see NOTICE beside the book), everything else
from tables.txt. With --check nothing is written; it says whether the book would change.
"""

import argparse
import json
import re
import sys
from hashlib import sha256
from pathlib import Path

import crafting
from tables import TEXT, Recipe, Tables

PLACE = Path(__file__).parents[2] / "parlour" / "games" / "tradecraft"
BOOK, CODE = PLACE / "recipes.json", PLACE / "recipes.py"
DIGEST = re.compile(r'^DIGEST = "\w*"$', re.M)
WITHOUT_CONTENT = {"air", "potion", "splash_potion", "lingering_potion", "tipped_arrow"}
"""No items of ours: potions and arrows are told apart by what is in them."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the recipe book.")
    parser.add_argument("package", type=Path, nargs="?", help="what `npm pack minecraft-data` gave")
    parser.add_argument("--check", action="store_true", help="write nothing, say whether the book would change")
    arguments = parser.parse_args()
    tables = Tables(TEXT.read_text())
    names, listed = crafting.read(arguments.package)
    recipes = {"crafting": list(crafting.crafting(names, listed, tables)), **tables.recipes}
    book = written(tables, recipes, names)
    if arguments.check:
        same = BOOK.read_bytes() == book
        print("the book is up to date" if same else "the book would change")
        return not same
    BOOK.write_bytes(book)
    CODE.write_text(DIGEST.sub(f'DIGEST = "{sha256(book).hexdigest()}"', CODE.read_text()))
    print(f"{len(book)} bytes: " + ", ".join(f"{len(found)} {kind}" for kind, found in recipes.items()))
    return 0


def written(tables: Tables, recipes: dict[str, list[Recipe]], names: list[str]) -> bytes:
    """JSON, a line for each recipe; the same bytes on every machine."""
    entries = {kind: sorted(entry(recipe, found) for recipe in found) for kind, found in recipes.items()}
    parts = {
        "tags": {tag: sorted(members) for tag, members in sorted(tables.tags.items())},
        "fuels": dict(sorted(tables.fuels.items())),
        "containers": dict(sorted(tables.containers.items())),
        "others": sorted(set(names) - WITHOUT_CONTENT - named(tables, recipes)),
    }
    kinds = ",\n".join(f'"{kind}":[\n' + ",\n".join(map(compact, found)) + "\n]" for kind, found in entries.items())
    heads = "".join(f'"{part}":{compact(content)},\n' for part, content in parts.items())
    return f'{{\n{heads}"recipes":{{\n{kinds}\n}}\n}}\n'.encode()


def compact(content: object) -> str:
    return json.dumps(content, separators=(",", ":"))


def named(tables: Tables, recipes: dict[str, list[Recipe]]) -> set[str]:
    """The items that need not be listed, because something else in the book names them."""
    found = {recipe.product for ways in recipes.values() for recipe in ways}
    found |= {
        name for ways in recipes.values() for recipe in ways for slot, _ in recipe.slots for name in slot.split("|")
    }
    found |= {name for members in tables.tags.values() for name in members}
    return found | tables.fuels.keys() | tables.containers.keys() | set(tables.containers.values())


def entry(recipe: Recipe, recipes: list[Recipe]) -> tuple[str, str, int, dict[str, int]]:
    """Product, what tells it from other ways to the same product if there are any, count, and slots."""
    ways = [way for way in recipes if way.product == recipe.product]
    from_what = "_and_".join(telling(recipe, ways)) if len(ways) > 1 else ""
    return recipe.product, from_what, recipe.count, dict(recipe.slots)


def telling(recipe: Recipe, ways: list[Recipe]) -> list[str]:
    """The slots that not all the ways have in common, and of those the ones that name an item, if there are any."""
    common = set.intersection(*({slot for slot, _ in way.slots} for way in ways))
    own = [slot for slot, _ in recipe.slots if slot not in common]
    return [slot for slot in own if slot[0] != "#" and "|" not in slot] or [slot.lstrip("#") for slot in own]


if __name__ == "__main__":
    sys.exit(main())

"""The answers of `parlour recipe`."""

import json
import sys
from collections.abc import Iterator
from typing import Any

from parlour.games.tradecraft import book, requests
from parlour.games.tradecraft.amounts import Items, read_item, read_items, unwritten


def checked(message: str, hand: str | None, whole_batches: bool) -> dict[str, Any]:
    """The verdict on a recipe. Unreadable amounts get code 1, as in a match."""
    said, unreadable = requests.recipe(read_object(sys.stdin.buffer.read().decode() if message == "-" else message))
    held = None if hand is None else read_hand(hand)
    verdict = book.check(unwritten(said.input), unwritten(said.output), held, whole_batches=whole_batches)
    return {
        "valid": verdict.code == 0,
        "code": verdict.code,
        "recipe": verdict.recipe,
        "reason": unreadable or verdict.reason,
        "returns": verdict.returns,
    }


def read_object(text: str) -> dict[str, Any]:
    said = read_json(text)
    if not isinstance(said, dict):
        raise ValueError('a recipe is {"input": {ITEM: AMOUNT, ...}, "output": {ITEM: AMOUNT, ...}}')
    return said


def read_hand(text: str) -> Items:
    try:
        held = read_items(read_json(text))
    except ValueError as e:
        raise ValueError(f"--hand: {e}") from None
    for name in held:
        if not book.known(name):
            raise ValueError(f"--hand: there is no item {name}")
    return held


def read_json(text: str) -> object:
    """Parse JSON; refuse duplicate names."""
    try:
        said: object = json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as e:
        raise ValueError(f"not JSON: {e}") from None
    except RecursionError:
        raise ValueError("not JSON: it is nested too deeply") from None
    return said


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("duplicate name in one object")
    return found


def looked_up(item: str) -> Iterator[str]:
    """Lines that describe an item or a tag."""
    name = read_item(item)
    if name.startswith("#") and (members := book.tag(name[1:])):
        yield f"{name} is a tag: any of {', '.join(sorted(members))}."
        return
    if not book.known(name):
        raise ValueError(f"there is no item {name}")
    yield name
    ticks = book.ticks(name)
    if ticks:
        yield f"  burns {ticks} ticks, and {book.SMELT} smelt one thing"
    if left := book.left_of(name):
        yield f"  leaves 1 {left} when it is used up"
    yield from _ways("  made by", book.makers(name))
    yield from _ways("  makes", book.users(name))


def _ways(heading: str, recipes: list[book.Recipe]) -> Iterator[str]:
    yield f"{heading}{':' if recipes else ' nothing'}"
    yield from (f"    {recipe.kind:<12}  {recipe}" for recipe in recipes)

"""Free queries, answered from the seat's own view and the recipe book (RULES 10)."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from parlour.core import BadMessage, Value
from parlour.games.tradecraft.amounts import (
    Amount,
    Items,
    Written,
    read_item,
    read_items,
    unwritten,
    write_amount,
    written,
)
from parlour.games.tradecraft.book import Kind, Recipe, known, makers, possible, tag, ticks, users
from parlour.games.tradecraft.messages import Body, Style, Teller, Told
from parlour.games.tradecraft.recipes import SMELT
from parlour.games.tradecraft.values import Happening, Name, Things, View


class ItemInfo(Value, frozen=True):
    """Ask for an item: which recipes make it, and which use it."""

    item: Name


class PossibleRecipes(Value, frozen=True, omit_defaults=True):
    """Ask what can be crafted from a hand; by default your own."""

    hand: Things | None = None


class History(Value, frozen=True):
    """Ask for the events that you have seen."""


Query: TypeAlias = ItemInfo | PossibleRecipes | History


class Formula(Value, frozen=True):
    """A recipe: input and output of one batch."""

    name: str
    kind: Kind
    product: str
    count: int
    input: dict[str, int]
    """By item, `#tag`, or alternatives such as `coal|charcoal`."""
    burns: bool
    """Whether it also needs fuel for 200 ticks."""


class ItemFacts(Value, frozen=True):
    """The answer about an item."""

    item: str
    known: bool
    made_by: tuple[Formula, ...]
    used_by: tuple[Formula, ...]
    ticks: int
    """How long one item burns as fuel."""
    stands_for: tuple[str, ...]
    """If it is a tag: its items."""


class Craftable(Value, frozen=True):
    """A recipe, and the most batches of it that a hand can make."""

    recipe: Formula
    most: Amount
    only_in_fractions: bool
    """Whether the hand can only make a part of a batch, but at least one item."""


class Craftables(Value, frozen=True):
    """The answer about a hand."""

    hand: Written
    recipes: tuple[Craftable, ...]
    reason: str
    """Why the hand is unreadable; otherwise empty."""


class Memory(Value, frozen=True):
    """The answer about the history."""

    events: tuple[Happening, ...]


def query(view: View, question: Query) -> ItemFacts | Craftables | Memory:
    match question:
        case ItemInfo(item=item):
            return item_facts(item)
        case PossibleRecipes(hand=None):
            return craftables(unwritten(view.hand), view.whole_batches)
        case PossibleRecipes(hand=hand) if hand is not None:
            try:
                return craftables(read_items(hand), view.whole_batches)
            except ValueError as e:
                return Craftables({}, (), str(e))
    return Memory(view.history)


def item_facts(said: str) -> ItemFacts:
    try:
        item = read_item(said)
    except ValueError:
        return ItemFacts(said, False, (), (), 0, ())
    made, used = [tuple([formula(recipe) for recipe in found(item)]) for found in (makers, users)]
    return ItemFacts(item, known(item), made, used, ticks(item), tuple(sorted(tag(item.removeprefix("#")))))


def craftables(hand: Items, whole_batches: bool) -> Craftables:
    found = sorted(possible(hand, whole_batches=whole_batches), key=lambda each: each[0].name)
    return Craftables(
        written(hand), tuple([Craftable(formula(recipe), write_amount(k), k < 1) for recipe, k in found]), ""
    )


def formula(recipe: Recipe) -> Formula:
    slots = {slot.words: slot.count for slot in recipe.slots}
    return Formula(recipe.name, recipe.kind, recipe.product, recipe.count, slots, recipe.burns)


# Queries in the game's own protocol


def question(said: Mapping[str, Any]) -> Query:
    """Read a query; raises BadMessage."""
    match said.get("what"):
        case "item_info":
            item = said.get("item", said.get("node_name"))
            return ItemInfo(item[:80] if isinstance(item, str) else "")
        case "possible_recipes" if said.get("hand") is None:
            return PossibleRecipes()
        case "possible_recipes":
            try:
                return PossibleRecipes(written(read_items(said["hand"])))
            except ValueError as e:
                raise BadMessage("bad_query", f"hand: {e}") from None
        case "history":
            return History()
    raise BadMessage("bad_query", "what: item_info, possible_recipes or history")


def answered(answer: Value, teller: Teller) -> Told:
    style = teller.style
    match answer:
        case ItemFacts(item=item, known=there):
            node = {
                "made_by": [_body(each, style) for each in answer.made_by],
                "used_by": [_body(each, style) for each in answer.used_by],
                "burn_ticks": answer.ticks,
                "stands_for": [style.item(each) for each in answer.stands_for],
            }
            return "item_info", {"is_valid": there, "node_name": style.item(item), "node": node}
        case Craftables(hand=hand, recipes=recipes):
            details = [
                {
                    **_body(each.recipe, style),
                    "most_batches": style.amount(each.most),
                    "only_in_fractions": each.only_in_fractions,
                }
                for each in recipes
            ]
            names = [each.recipe.name for each in recipes]
            body = {"hand": style.items(hand), "recipes": names, "recipe_details": details}
            return "possible_recipes_from_hand", body
        case Memory(events=events):
            past = [{"type": kind, **body} for event in events for kind, body in teller.happened(event)]
            return "history", {"events": past}
    raise TypeError(f"not an answer of tradeCraft: {answer!r}")


def _body(formula: Formula, style: Style) -> Body:
    return {
        "name": formula.name,
        "kind": formula.kind,
        "input": {_slot(words, style): style.amount(count) for words, count in formula.input.items()},
        "output": style.items({formula.product: formula.count}),
        "fuel_ticks": SMELT if formula.burns else 0,
    }


def _slot(words: str, style: Style) -> str:
    return "#" + style.item(words[1:]) if words[0] == "#" else "|".join(map(style.item, words.split("|")))

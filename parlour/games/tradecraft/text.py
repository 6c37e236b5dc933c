"""tradeCraft as text, for language models: rules, views, questions and events; and answers from text."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from importlib.resources import files
from typing import Any

from parlour.core import BadMessage, Event, Seat, TextForm
from parlour.core.answer_context import taken_back
from parlour.core.answer_forms import AnswerField, AnswerForm, schema_of, written
from parlour.core.answer_reading import read_answer
from parlour.core.answer_sentences import after_mark
from parlour.core.answer_values import Unclear, one_of, seat_of, shown, spoken, words
from parlour.core.quoting import players, sentence
from parlour.games.tradecraft.amounts import (
    MOST_KINDS,
    PREFIX,
    Items,
    Written,
    read_amount,
    read_item,
    unwritten,
    write_amount,
)
from parlour.games.tradecraft.amounts import written as written_items
from parlour.games.tradecraft.answers import item_facts
from parlour.games.tradecraft.book import known, possible
from parlour.games.tradecraft.crafts import filled
from parlour.games.tradecraft.narrator import Narrator, recipe
from parlour.games.tradecraft.values import (
    MOST_TEXT,
    Action,
    Apply,
    Check,
    CraftItems,
    Decide,
    DecideProposal,
    Decision,
    Done,
    Forgo,
    MakeProposal,
    Propose,
    View,
)

MOST_RECIPES = 8
"""Recipes that are listed, for each item of the target and for the hand."""
MOST_WORDS = 2000
"""Letters of a trade or recipe in plain words."""


def view(view: View, names: Sequence[str]) -> str:
    return Narrator(names, view.seat, labels=True).seen(view)


def event(event: Event, names: Sequence[str], reader: Seat | None) -> str:
    return sentence(Narrator(names, reader, labels=True).told(event))


# Asks


def ask(ask: MakeProposal | DecideProposal | CraftItems, view: View, names: Sequence[str]) -> str:
    match ask:
        case MakeProposal():
            lines = [f"Your decision in turn {ask.turn}: propose a trade.", *_wanted(view), *_partners(view, names)]
        case DecideProposal():
            lines = [f"Your decision in turn {ask.turn}: accept or reject the proposal to you.", *_wanted(view)]
        case CraftItems():
            lines = [f"Your decision in turn {ask.turn}: check a recipe, apply the checked one, or be done."]
            lines += [f"Checks left in this turn: {ask.checks}.", *_wanted(view), *_craftable(view)]
    return "\n".join(
        [*lines, "Write for example:", *(f"- {form.example}" for form in forms(ask, view, names) if form.offered)]
    )


def _wanted(view: View) -> list[str]:
    """How the target is made."""
    lines = []
    for item in view.target:
        made = [recipe(each) for each in item_facts(item).made_by]
        more = f" (and {len(made) - MOST_RECIPES} more)" if len(made) > MOST_RECIPES else ""
        lines.append(f"Your target {item} is made: {'; '.join(made[:MOST_RECIPES]) or 'by no recipe'}{more}.")
    return lines


def _partners(view: View, names: Sequence[str]) -> list[str]:
    return [f"Possible partners: {players(names, _others(view))}."]


def _others(view: View) -> list[Seat]:
    others = [seat for seat in range(len(view.hands)) if seat != view.seat]
    return [seat for seat in others if seat not in view.gone] or others


def _craftable(view: View) -> list[str]:
    found = crafts(view)
    lines = [f"- {_craft(craft)} (at most {write_amount(most)} times)" for craft, most in found[:MOST_RECIPES]]
    more = f", {MOST_RECIPES} of {len(found)} recipes" if len(found) > MOST_RECIPES else ""
    return [f"Your hand is enough for{more}:", *lines] if lines else ["Your hand is enough for no recipe."]


def crafts(view: View) -> list[tuple[Check, Fraction]]:
    """Possible crafts of the hand, one for each recipe, and how often they are possible."""
    hand, found = unwritten(view.hand), []
    for way, most in possible(hand, whole_batches=view.whole_batches):
        batches = min(most, Fraction(1))
        used = filled(way, batches, hand)
        if used is not None:
            check = Check(written_items(used), written_items({way.product: batches * way.count}))
            found.append((check, most / batches))
    return found


def _craft(check: Check) -> str:
    """`1 coal + 1 stick = 4 torch`."""
    return " = ".join(_in_words(side, " + ") for side in (check.input, check.output))


# Items in answers

_ENTRY = re.compile(r"([^ ]{1,33})(?: x)? ([^ ].*)")
_BETWEEN = re.compile(r"\s*[,;+&]\s*(?:and\s+)?|\s+and\s+|\s+(?=[0-9])", re.IGNORECASE)


def item_named(said: str) -> str:
    """`Iron Ingot`, `iron_ingot`, `minecraft:iron_ingot`, `iron ingots`: iron_ingot. Raises ValueError."""
    bare = said.strip(" \"'`").lower().removeprefix(PREFIX)
    name = spoken(bare).replace(" ", "_")
    single = name[:-1] if name.endswith("s") else name
    return read_item(single if known(single) and not known(name) else name)


def items_in(text: str) -> Written:
    """`2 stick, 1/2 coal`, or nothing. Raises ValueError."""
    said = " ".join(text.strip(" \t\"'`.").split())
    if said.lower() in ("", "nothing", "none"):
        return {}
    entries = [_ENTRY.fullmatch(entry) for entry in _BETWEEN.split(said)]
    if len(said) > MOST_WORDS or not all(entries):
        raise ValueError("write an amount and an item, such as 2 stick")
    return _written([(found[2], _number(found[1])) for found in entries if found])


def _number(said: str) -> object:
    """The number as `read_amount` takes it."""
    if re.fullmatch(r"[0-9]{1,15}", said):
        return int(said)
    return float(said) if re.fullmatch(r"[0-9]{1,12}\.[0-9]{1,12}", said) else said


def _written(entries: Sequence[tuple[object, object]]) -> Written:
    items: Items = {}
    for said, amount in entries:
        if not isinstance(said, str):
            raise ValueError(f"{shown(said)} is no item")
        name = item_named(said)
        if name in items:
            raise ValueError(f"{name} is named twice")
        items[name] = read_amount(_number(amount.strip()) if isinstance(amount, str) else amount)
    if len(items) > MOST_KINDS:
        raise ValueError(f"there are {len(items)} items, and {MOST_KINDS} may be named at once")
    return written_items(items)


def read_items(value: object) -> Written:
    """Items as an object of names and amounts, as a list of such objects or texts, or as text."""
    try:
        match value:
            case dict():
                return _written(list(value.items()))
            case str():
                return items_in(value)
            case list():
                return _written([_entry(each) for each in value])
    except ValueError as e:
        raise Unclear(str(e)) from None
    raise Unclear(f"{shown(value)} is no list of items")


def _entry(said: object) -> tuple[object, object]:
    """`{"item": "stick", "amount": 2}`, `{"stick": 2}` or `2 stick`."""
    match said:
        case {"item": item, "amount": amount, **rest} if not rest:
            return item, amount
        case dict() if len(said) == 1:
            return next(iter(said.items()))
        case str() if found := _ENTRY.fullmatch(said.strip()):
            return found[2], _number(found[1])
    raise Unclear(f"{shown(said)} is no amount of an item")


def split_trade(text: str) -> tuple[str, str, str] | None:
    """Offer, partner and request in `2 stick to 1 for 1 coal`; None if the words are no trade."""
    offer, to, rest = text.partition(" to ")
    partner, _, request = rest.strip().partition(" for ")
    return (offer, partner.strip(), request) if to else None


def split_craft(text: str) -> tuple[str, str] | None:
    """Input and output in `1 coal + 1 stick = 4 torch`; None if the words are no recipe."""
    sides = re.split(r"=>|->|=|\u2192", text)
    return (sides[0], sides[1]) if len(sides) == 2 else None


# Answers


def forms(ask: MakeProposal | DecideProposal | CraftItems, view: View, names: Sequence[str]) -> list[AnswerForm]:
    match ask:
        case MakeProposal():
            return [_propose(view, names)]
        case DecideProposal():
            return [*(_decision(word) for word in ("accept", "reject")), _decide()]
        case CraftItems():
            return [*_crafting(ask, view)]


def _propose(view: View, names: Sequence[str]) -> AnswerForm:
    others = _others(view)
    example = Propose(others[0], _one_of(view.hand), _one_of(view.hands[others[0]]))
    return AnswerForm(
        name="propose",
        make=Propose,
        example=f"offer {_in_words(example.offer)} to seat {others[0]} for {_in_words(example.request)}",
        fields=(
            AnswerField("partner", seat_of(names), _seats(others)),
            AnswerField("offer", read_items, _items("What you give.", whole=True), required=False),
            AnswerField("request", read_items, _items("What you get.", whole=True), required=False),
            AnswerField("message", _message, _text("Only the partner reads it."), required=False),
        ),
        aliases=("offer", "proposal", "trade"),
        words=_spoken_trade,
    )


def _one_of(hand: Mapping[str, Any]) -> Written:
    return dict.fromkeys(list(hand)[:1], 1)


def _in_words(items: Mapping[str, Any], between: str = ", ") -> str:
    return between.join(f"{amount} {item}" for item, amount in items.items()) or "nothing"


def _seats(seats: Sequence[Seat]) -> dict[str, object]:
    return {"type": "integer", "enum": list(seats), "description": "The seat of the partner."}


def _items(about: str, whole: bool = False) -> dict[str, object]:
    counts, fractions = (
        {"type": "integer", "minimum": 1},
        {"type": "string", "pattern": "^[0-9]{1,10}/[1-9][0-9]{0,6}$"},
    )
    amount = counts if whole else {"anyOf": [counts, fractions]}
    entries = {"additionalProperties": amount, "maxProperties": MOST_KINDS}
    return {"type": "object", **entries, "description": f'{about} By item, such as {{"stick": 2}}.'}


def _text(about: str) -> dict[str, object]:
    return {"type": "string", "maxLength": MOST_TEXT, "description": about}


def _message(value: object) -> str:
    said = words(value)
    if len(said) > MOST_TEXT:
        raise Unclear(f"it has {len(said)} characters; at most {MOST_TEXT} are possible")
    return said


def _spoken_trade(rest: str) -> Mapping[str, object] | None:
    found = split_trade(rest) if " for " in rest and len(rest) <= MOST_WORDS else None
    if found is None:
        return None
    try:
        return {"offer": items_in(found[0]), "partner": found[1], "request": items_in(found[2])}
    except ValueError:
        return None


def _decision(word: Decision) -> AnswerForm:
    message = AnswerField("message", _message, _text("Only the proposer reads it."), required=False)
    return AnswerForm(
        name=word, make=partial(Decide, word), example=word, fields=(message,), aliases=_SAME[word], words=_nothing
    )


_SAME: Mapping[Decision, tuple[str, ...]] = {"accept": ("accepted", "approve"), "reject": ("rejected", "decline")}


def _decide() -> AnswerForm:
    """`{"decision": "accept"}`, which is read as well."""
    message = AnswerField("message", _message, _text("Only the proposer reads it."), required=False)
    decision = AnswerField("decision", one_of(("accept", "reject")), {"type": "string"})
    return AnswerForm(
        name="decide", make=Decide, example="accept", fields=(decision, message), words=_nothing, offered=False
    )


def _crafting(ask: CraftItems, view: View) -> list[AnswerForm]:
    example = next((craft for craft, _ in crafts(view)), Check({"coal": 1, "stick": 1}, {"torch": 4}))
    check = AnswerForm(
        name="check",
        make=Check,
        example=f"check {_craft(example)}",
        fields=(
            AnswerField("input", read_items, _items("For check: all ingredients and the exact fuel.")),
            AnswerField("output", read_items, _items("For check: the product.")),
        ),
        words=_spoken_craft,
        offered=ask.checks > 0,
    )
    apply = AnswerForm(name="apply", make=Apply, example="apply", words=_nothing, offered=ask.ready)
    done = AnswerForm(name="done", make=Done, example="done", aliases=("done_crafting",), words=_nothing)
    return [check, apply, done]


def _spoken_craft(rest: str) -> Mapping[str, object] | None:
    found = split_craft(rest) if len(rest) <= MOST_WORDS else None
    if found is None:
        return None
    try:
        return {"input": items_in(found[0]), "output": items_in(found[1])}
    except ValueError:
        return None


def _nothing(rest: str) -> Mapping[str, object] | None:
    return None if rest else {}


def schema(ask: Any, view: View, names: Sequence[str]) -> Mapping[str, object]:
    return schema_of(forms(ask, view, names))


_BEFORE_MESSAGE = re.compile(r"\s*((?:accept|reject|offer|propose)\b(?:[^:\n]|:(?=\S))*):[ \t]", re.IGNORECASE)


def parse(text: str, ask: Any, view: View, names: Sequence[str]) -> Action:
    """An answer, or an answer, a colon and a message on one line."""
    possible = forms(ask, view, names)
    found = _split_message(after_mark(text)) if not isinstance(ask, CraftItems) and "{" not in text else None
    if found is None:
        action: Action = read_answer(text, possible)
        return action
    said: Action = read_answer(found[0], possible)
    return _with_message(said, found[1].strip("\"'"), possible)


def _split_message(text: str) -> tuple[str, str] | None:
    """The answer and the message, which must not have several lines; None if there is no message."""
    found = _BEFORE_MESSAGE.match(text)
    message = "" if found is None else text[found.end() :].lstrip(" \t").rstrip()
    return None if found is None or not message or "\n" in message else (found[1], message)


def _with_message(action: Any, message: str, possible: Sequence[AnswerForm]) -> Action:
    """The action with the message, which must not be another answer."""
    try:
        other = read_answer(message, possible)
    except BadMessage as e:
        other = action if e.code != "ambiguous" else None
    if other != action or taken_back(f" {message}"):
        raise BadMessage(
            "ambiguous", "Understood an answer with a message that says something else. Give one answer only."
        )
    if len(message) > MOST_TEXT:
        raise BadMessage("too_long", f"A message has at most {MOST_TEXT} characters.")
    match action:
        case Propose(partner=partner, offer=offer, request=request):
            return Propose(partner, offer, request, message)
        case Decide(decision=decision):
            return Decide(decision, message)
    raise BadMessage("unclear", "This answer cannot have a message.")


def render(action: Action, names: Sequence[str]) -> str:
    match action:
        case Propose(partner=partner, offer=offer, request=request, message=message):
            said = {"message": message} if message else {}
            return written("propose", {"partner": partner, "offer": offer, "request": request, **said})
        case Decide(decision=decision, message=message):
            return written(decision, {"message": message} if message else {})
        case Check(input=input, output=output):
            return written("check", {"input": input, "output": output})
        case Apply():
            return written("apply", {})
        case Done():
            return written("done", {})
        case Forgo():
            raise Unclear("a price is never an answer")


TEXT = TextForm(
    rules=files(__package__).joinpath("text.md").read_text(encoding="utf-8"),
    view=view,
    event=event,
    ask=ask,
    schema=schema,
    render=render,
    parse=parse,
)

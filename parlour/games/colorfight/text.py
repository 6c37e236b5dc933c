"""ColorfightII as text, for language models: rules, views, questions and events; and answers from text."""

import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any

from parlour.core import BadMessage, Event, Seat, TextForm
from parlour.core.answer_context import negated
from parlour.core.answer_forms import AnswerField, AnswerForm, schema_of, written
from parlour.core.answer_reading import read_answer
from parlour.core.answer_sentences import after_mark, unwrapped
from parlour.core.answer_values import Unclear, shown, spoken, whole
from parlour.core.quoting import one_line, player, sentence
from parlour.games.colorfight.bots import Holding
from parlour.games.colorfight.land import Cell
from parlour.games.colorfight.tables import BUILD_PRICE
from parlour.games.colorfight.values import (
    MOST_LETTERS,
    MOST_ORDERS,
    Changed,
    Command,
    Failed,
    Joined,
    Left,
    Odd,
    Order,
    Orders,
    Turned,
    User,
    View,
)

MOST_SIDE = 40
"""Columns and rows of the map that are shown, from its centre. Smaller maps are shown whole."""
MOST_PLAYERS = 20
"""Players that are listed, those with the most cells; each has a letter on the map."""
MOST_TARGETS = 30
"""Cells that are listed as possible targets."""
MOST_OWN = 20
"""Own cells that are listed with what can be done there."""
MOST_CHANGES = 20
"""Changed cells that are listed after a round."""
BUILDINGS = {" ": "", "h": "home", "e": "energy well", "g": "gold mine"}
OTHERS = "+"
"""The mark of all players that have no letter."""


# Views


def view(view: View, names: Sequence[str]) -> str:
    """The same for everybody, as the view is."""
    over = " The match is over." if view.over else ""
    letters = _letters(view)
    return "\n".join(
        [
            f"Round {view.turn} of {view.max_turn} has been played.{over}",
            "Players (letter on the map: player, cells, energy, gold, tech level):",
            *_users(view, names, letters),
            *_map(view, letters),
        ]
    )


def _letters(view: View) -> dict[int, str]:
    """A letter for each of the largest players, by uid; in the order of seats."""
    uids = sorted(range(1, len(view.users) + 1), key=lambda uid: -view.users[uid - 1].cells)[:MOST_PLAYERS]
    return {uid: chr(ord("a") + place) for place, uid in enumerate(sorted(uids))}


def _users(view: View, names: Sequence[str], letters: Mapping[int, str]) -> list[str]:
    lines = [f"- {letter}: {_user(view.users[uid - 1], uid, names)}" for uid, letter in letters.items()]
    rest = len(view.users) - len(lines)
    return [*lines, *([f"- {OTHERS}: {rest} smaller players"] if rest else [])]


def _user(user: User, uid: int, names: Sequence[str]) -> str:
    dead = ", dead" if user.dead else ""
    return (
        f"{player(names, uid - 1)}, cells {user.cells}, energy {user.energy} (+{user.energy_source}), "
        f"gold {user.gold} (+{user.gold_source}), tech {user.tech_level}{dead}"
    )


def _map(view: View, letters: Mapping[int, str]) -> list[str]:
    """A mark for each cell; of large maps the middle."""
    columns, rows = _shown(view.width), _shown(view.height)
    whole = len(columns) == view.width and len(rows) == view.height
    part = "" if whole else f"; x {columns[0]} to {columns[-1]} and y {rows[0]} to {rows[-1]} are shown"
    head = (
        f"Map, {view.width} columns and {view.height} rows{part}. A letter is its owner, in upper case if there is a "
    )
    return [
        f"{head}building; . is free. Each row begins with its y; the first cell has x {columns[0]}:",
        *(f"{y:>3} {''.join(_mark(view, y * view.width + x, letters) for x in columns)}" for y in rows),
    ]


def _shown(size: int) -> range:
    first = max(0, (size - MOST_SIDE) // 2)
    return range(first, min(size, first + MOST_SIDE))


def _mark(view: View, cell: Cell, letters: Mapping[int, str]) -> str:
    owner = view.owner[cell]
    if not owner:
        return "."
    letter = letters.get(owner, OTHERS)
    return letter if view.building[cell] == " " else letter.upper()


# Events


def event(event: Event, names: Sequence[str], reader: Seat | None) -> str:
    return "\n".join(map(sentence, _told(event, names, reader)))


def _told(event: Event, names: Sequence[str], reader: Seat | None) -> list[str]:
    match event:
        case Joined(seat=seat, at=at):
            return [f"{player(names, seat, reader)} joined, with a home on cell {at}, counted row by row from 0"]
        case Turned(turn=turn, cells=cells, users=users):
            return _round(turn, cells, users, names, reader)
        case Failed(words=words):
            return ["some of your orders failed", *(f"- {one_line(each)}" for each in words)]
        case Left(seat=seat, why=why):
            return [f"{player(names, seat, reader)} left for good ({one_line(why)})"]
    raise TypeError(f"not an event of ColorfightII: {event!r}")


def _round(
    turn: int, cells: Sequence[Changed], users: Sequence[User], names: Sequence[str], reader: Seat | None
) -> list[str]:
    """The round in one line, with how many changed cells each player owns now."""
    counts: dict[int, int] = {}
    for _, owner, *_ in cells:
        counts[owner] = counts.get(owner, 0) + 1
    most = sorted((uid for uid in counts if uid), key=lambda uid: -counts[uid])[:MOST_CHANGES]
    changed = [f"{counts[uid]} of {player(names, uid - 1, reader)}" for uid in most]
    said = f"round {turn} was played; cells that changed: {', '.join(changed) or 'none'}"
    if reader is None or not reader < len(users):
        return [said]
    own = users[reader]
    return [said, f"you have {own.cells} {'cell' if own.cells == 1 else 'cells'}, energy {own.energy}, gold {own.gold}"]


# Asks


def ask(ask: Orders, view: View, names: Sequence[str]) -> str:
    own = Holding(view, ask.uid)
    letter = _letters(view).get(ask.uid, OTHERS)
    targets, sites = _targets(own), _sites(own)
    return "\n".join(
        [
            f"Your decision: your orders for round {ask.turn + 1} of {view.max_turn}.",
            f"You are {letter}: {_user(own.user, ask.uid, names)}.",
            *_listed("Cells that you can attack", "at least this energy", targets, MOST_TARGETS),
            *_listed("Your cells", "what you can do there", sites, MOST_OWN),
            *([] if ask.waits else ["You have sent orders for this round. A new list replaces them."]),
            *_hints(_examples(own)),
        ]
    )


def _hints(examples: Sequence[str]) -> list[str]:
    if not examples:
        return ["You cannot pay for an attack, a building or an upgrade now.", "Write: pass"]
    return ["Write one order in each line, for example:", *(f"- {order}" for order in examples), "Or write: pass"]


def _listed(what: str, of: str, lines: Sequence[str], most: int) -> list[str]:
    rest = f"; {most} of {len(lines)}" if len(lines) > most else ""
    return [f"{what} ({of}{rest}):", *(lines[:most] or ["- none"])]


def _ranked(own: Holding) -> list[Cell]:
    """The cells beside the player's own, those that make the most for their cost first."""
    view = own.view
    return sorted(own.border(), key=lambda cell: (-_makes(view, cell) / view.attack_cost[cell], cell))


def _makes(view: View, cell: Cell) -> int:
    return view.natural_gold[cell] + view.natural_energy[cell]


def _targets(own: Holding) -> list[str]:
    view, letters = own.view, _letters(own.view)

    def line(cell: Cell) -> str:
        owner, building = view.owner[cell], BUILDINGS[view.building[cell]]
        whose = f", of {letters.get(owner, OTHERS)}{' with ' + building if building else ''}" if owner else ""
        makes = f"gold {view.natural_gold[cell]}, energy {view.natural_energy[cell]}"
        return f"- {own.where(cell)}: {view.attack_cost[cell]} ({makes}{whose})"

    return [line(cell) for cell in _ranked(own)]


def _sites(own: Holding) -> list[str]:
    """Own cells: first those that can be improved, and of these those that make the most."""
    view = own.view

    def line(cell: Cell) -> str:
        makes = f"gold {view.gold[cell]}, energy {view.energy[cell]}"
        field = f", force field {view.force_field[cell]}" if view.force_field[cell] else ""
        return f"- {own.where(cell)}: {_possible(own, cell)} (makes {makes}{field})"

    def rank(cell: Cell) -> tuple[bool, int, int]:
        return view.building[cell] != " " and own.price(cell) is None, -_makes(view, cell), cell

    return [line(cell) for cell in sorted(own.cells, key=rank)]


def _possible(own: Holding, cell: Cell) -> str:
    building, level = BUILDINGS[own.view.building[cell]], own.view.level[cell]
    if not building:
        return f"empty, build for {BUILD_PRICE} gold"
    price = own.price(cell)
    upgrade = f"upgrade for {price[0]} gold and {price[1]} energy" if price else "no upgrade now"
    return f"{building} level {level}, {upgrade}"


def _examples(own: Holding) -> list[str]:
    """One possible order of each kind that can be paid."""
    view, user = own.view, own.user
    attacks = [cell for cell in _ranked(own) if view.attack_cost[cell] <= user.energy]
    orders = [f"a {own.where(cell)} {view.attack_cost[cell]}" for cell in attacks[:1]]
    if user.gold >= BUILD_PRICE:
        empty = [cell for cell in own.cells if view.building[cell] == " "]
        orders += [f"b {own.where(cell)} e" for cell in empty[:1]]
    prices = [(cell, price) for cell in own.cells if (price := own.price(cell))]
    paid = [cell for cell, (gold, energy) in prices if gold <= user.gold and energy <= user.energy]
    return [*orders, *(f"u {own.where(cell)}" for cell in paid[:1])]


# Orders in answers

_INT = r"([-+]?[0-9]{1,9}(?:\.0{1,6})?)"
_TO = r"[\s(]*(?:(?:cell|at|on|x[=:]?)\s*)?[\s(]*"
_NEXT = r"[\s,]+(?:y[=:]?\s*)?"
_ATTACK = re.compile(
    rf"(?:a|attack)\b{_TO}{_INT}{_NEXT}{_INT}\)?[\s,:]+(?:with |using |for |energy[=:]?\s*)?{_INT}(?: energy)?\)?", re.I
)
_BUILD = re.compile(
    rf"(?:b|build)\b{_TO}{_INT}{_NEXT}{_INT}\)?[\s,:]+(?:an? )?[\"']?([a-z]+(?:[ _][a-z]+)?)[\"']?\)?", re.I
)
_UPGRADE = re.compile(rf"(?:u|upgrade)\b{_TO}{_INT}{_NEXT}{_INT}\)?", re.I)
_ORDER = re.compile(r"(?:a|b|u|attack|build|upgrade)\b[\s(]*(?:(?:cell|at|on|x)\b[\s=:]*)?\(?[-+]?[0-9]", re.I)
_BULLET = re.compile(r"[ \t]*(?:[-*\u2022]|[0-9]{1,4}[.)])[ \t]+")
_AND = re.compile(r"[;,][ \t]*(?=(?:a|b|u|attack|build|upgrade)\b)", re.I)
LETTERS = {"well": "e", "energy well": "e", "energy": "e", "mine": "g", "gold mine": "g", "gold": "g"}
_TITLE = re.compile(r"^\s*(?:my )?(?:orders?|commands?)\b[\s:]*", re.I)
NOTHING = ("pass", "no_orders", "no_order", "none", "nothing")
_NO_ORDERS = [[spoken(word)] for word in NOTHING]
EXACTLY, ODD = "exactly ", "odd "
"""Before an order that is sent as it is written, however wrong it is, and before an entry that is no text."""


def read_order(value: object) -> Order:
    """An order: text in any of the usual ways, or an object with its fields."""
    match value:
        case str() if value.startswith(EXACTLY) and len(value) <= len(EXACTLY) + MOST_LETTERS:
            return value[len(EXACTLY) :]
        case str() if value.startswith(ODD) and len(value) <= len(ODD) + MOST_LETTERS:
            return Odd(value[len(ODD) :])
        case str():
            return _order(value)
        case [str(kind), *parts]:
            return _order(" ".join([kind, *(str(part) for part in parts if isinstance(part, int | float | str))]))
        case dict():
            return _fielded(value)
    raise Unclear(f"{shown(value)} is no order")


def _fielded(said: Mapping[str, object]) -> str:
    """`{"order": "attack", "x": 3, "y": 4, "energy": 25}`."""
    kinds = [said[name] for name in ("order", "action", "type", "kind") if name in said]
    rest = [said[name] for name in ("energy", "building", "what") if name in said]
    if len(kinds) != 1 or len(rest) > 1 or len(said) != 3 + len(rest) or not {"x", "y"} <= said.keys():
        raise Unclear("an order as an object has order, x, y, and energy or building")
    return _order(f"{kinds[0]} {whole(said['x'])} {whole(said['y'])} {rest[0] if rest else ''}".strip())


def _order(text: str) -> str:
    """The order as the rules write it. Energy and places have to be whole numbers."""
    said = " ".join(text.split())
    if len(said) <= MOST_LETTERS:
        if found := _ATTACK.fullmatch(said):
            return f"a {_numbers(found.groups())}"
        if found := _BUILD.fullmatch(said):
            building = spoken(found[3])
            if building in LETTERS or len(building) == 1:
                return f"b {_numbers(found.groups()[:2])} {LETTERS.get(building, building)}"
        if found := _UPGRADE.fullmatch(said):
            return f"u {_numbers(found.groups())}"
    raise Unclear(f"{shown(text)} is no order: write a X Y ENERGY, b X Y e, b X Y g or u X Y with whole numbers")


def _numbers(said: Sequence[str]) -> str:
    return " ".join(str(whole(each)) for each in said)


def read_orders(value: object) -> tuple[Order, ...]:
    """A list of orders, or text with one order in each line or between commas."""
    entries = list(_parts(value)) if isinstance(value, str) else value
    if not isinstance(entries, list):
        raise Unclear(f"{shown(value)} is no list of orders")
    if len(entries) > MOST_ORDERS:
        raise Unclear(f"there are {len(entries)} orders; at most {MOST_ORDERS} are possible")
    return tuple(map(read_order, entries))


def _parts(text: str) -> Iterator[str]:
    """The lines, without bullets and numbers, and their parts between commas."""
    for line in text.splitlines():
        yield from _of_line(line)


def _of_line(line: str) -> Iterator[str]:
    bullet = _BULLET.match(line)
    for part in _AND.split(_TITLE.sub("", line[bullet.end() :] if bullet else line)):
        if said := unwrapped(part):
            yield said


def plain_orders(text: str) -> Command | None:
    """The orders of an answer in plain text. Lines without orders are no part of it."""
    if "[" in text or "{" in text:
        return None
    orders: list[Order] = []
    before, is_nothing = "", False
    for line in text.splitlines():
        parts = list(_of_line(line))
        if any(map(_ORDER.match, parts)):
            is_doubtful = before.rstrip(" *_").endswith(":") and negated(before)
            orders += [_listed_order(part, is_doubtful=is_doubtful) for part in parts]
        is_nothing |= [spoken(part) for part in parts] in _NO_ORDERS
        before = line if parts else before
    if orders and is_nothing:
        raise BadMessage("ambiguous", "Understood orders, and that there are none. Give one answer only.")
    if len(orders) > MOST_ORDERS:
        raise BadMessage("unclear", f"There are {len(orders)} orders; at most {MOST_ORDERS} are possible.")
    return Command(tuple(orders)) if orders else None


def _listed_order(said: str, *, is_doubtful: bool) -> str:
    """An order of a line in which all is orders. One after `Do not:` is in doubt."""
    if is_doubtful:
        raise BadMessage("ambiguous", f"It is not clear whether you mean this: {one_line(said, 60)}.")
    try:
        return _order(said)
    except Unclear as e:
        raise BadMessage("unclear", f"Understood an order, but {e}.") from None


# Answers


def forms(ask: Orders, view: View) -> list[AnswerForm]:
    examples = _examples(Holding(view, ask.uid))
    orders = AnswerForm(
        name="orders",
        make=Command,
        example=written("orders", {"orders": examples}),
        fields=(AnswerField("orders", read_orders, _orders()),),
        aliases=("command",),
        words=lambda rest: {"orders": rest} if _ORDER.match(rest) else None,
    )
    nothing = AnswerForm(name="pass", make=Command, example="pass", aliases=NOTHING[1:], words=_nothing)
    return [orders, nothing]


def _orders() -> dict[str, object]:
    words = '"a X Y ENERGY" attacks, "b X Y e" builds an energy well, "b X Y g" a gold mine, "u X Y" upgrades.'
    entry = {"type": "string", "maxLength": MOST_LETTERS + len(EXACTLY)}
    return {"type": "array", "items": entry, "maxItems": MOST_ORDERS, "description": words}


def _nothing(rest: str) -> Mapping[str, object] | None:
    return None if rest else {}


def schema(ask: Any, view: View, names: Sequence[str]) -> Mapping[str, object]:
    return schema_of(forms(ask, view))


def parse(text: str, ask: Any, view: View, names: Sequence[str]) -> Command:
    listed = plain_orders(after_mark(text))
    if listed is not None:
        return listed
    action: Command = read_answer(text, forms(ask, view))
    return action


def render(action: Command, names: Sequence[str]) -> str:
    return written("orders", {"orders": [_written(order) for order in action.orders]})


def _written(order: Order) -> str:
    """The order as text that is read as the same again."""
    if isinstance(order, Odd):
        return ODD + order.said
    try:
        return order if _order(order) == order else EXACTLY + order
    except Unclear:
        return EXACTLY + order


TEXT = TextForm(
    rules=files(__package__).joinpath("text.md").read_text(encoding="utf-8"),
    view=view,
    event=event,
    ask=ask,
    schema=schema,
    render=render,
    parse=parse,
)

"""The game's protocol as Socket.IO events (RULES 11.9)."""

from collections.abc import Collection, Mapping
from typing import Any

from parlour.core import Answer, AnswerRefused, BadMessage, Event, Leave, Message, Place, Question, Replied, Value
from parlour.core.values import plain
from parlour.games.tradecraft.amounts import PREFIX, Written, read_amount, write_amount
from parlour.games.tradecraft.answers import Craftables
from parlour.games.tradecraft.lines import Lines, LoginLines, Pending, decode, encode
from parlour.games.tradecraft.messages import LONG, Body, Style, Told, pair
from parlour.games.tradecraft.nodes import item_and_recipes, node, recipe_node, tag_node
from parlour.games.tradecraft.recipes import book
from parlour.games.tradecraft.values import HandsShown, View

ACTIONS: Mapping[str, str] = {
    "submit_proposal": "propose",
    "approval_or_reject": "decide",
    "craft_recipe_check": "check",
    "craft_recipe_apply": "apply",
    "craft_done": "done_crafting",
}
"""Events of players, and the message types of `lines` that they correspond to."""
QUESTIONS: Mapping[str, str] = {
    "item_info": "item_info",
    "crafting_node": "item_info",
    "crafting_node_nonredirect": "item_info",
    "load_items_from_tag": "item_info",
    "possible_recipes_from_hand": "possible_recipes",
    "history": "history",
    "gym_observation": "history",
}
ABOUT = ("node_name", "tag_name", "amount", "is_browser")
"""Keys of a query that its answer depends on."""
INSIDE: Mapping[str, tuple[str, Collection[str]]] = {
    "submit_proposal": ("proposal", ("self", "partner", "offer", "request")),
    "craft_recipe_check": ("recipe", ("input", "output")),
}
"""Events whose content is nested: the key, and the keys inside."""
OUTSIDE = ("token", "gamename")
"""Keys of every event that are ignored here."""
IN_ROOM: Mapping[str, str] = {"type": "Game", "craft_rule_choice": "minecraft", "craft_rule_prefix": "minecraft"}
"""Constant facts about a room, sent with its players."""


class Events(LoginLines):
    """One seat with a Socket.IO client. Event names have no prefix here. Outgoing messages are a name and a body;
    incoming messages are JSON objects whose `type` is the name.
    """

    style: Style = LONG
    yes: Collection[str] = ("accept", "approve")

    def __init__(self, *, returns: bool = False) -> None:
        """`returns`: the client reconnects and may have lost its state, so it is also told that it entered the room."""
        super().__init__()
        self._returns = returns
        self._game = ""
        """The name of the match; empty before it begins."""
        self._asked: list[tuple[str, Body]] = []
        """Queries that have no answer yet."""
        self._target: Written = {}
        self._hands: tuple[Written, ...] = ()

    # From the referee

    def began(self, place: Place, view: Value) -> list[Message]:
        """Tell the client about the other players. The hall has already told a new client about itself."""
        assert isinstance(view, View)
        self._game, self._target, self._hands = place.match, view.target, view.hands
        started = Lines.began(self, place, view)
        room = {**IN_ROOM, "player_list": list(self._teller.names)}
        told = [name for name in self._teller.names if self._returns or name != self._me]
        return self._lines([("player_enter_room", {**room, "playername": name}) for name in told]) + started

    @property
    def _me(self) -> str:
        return self._teller.names[self._teller.me]

    def event(self, seen: Event) -> list[Message]:
        if isinstance(seen, HandsShown):
            self._hands = seen.hands
        return super().event(seen)

    def refused(self, refused: AnswerRefused) -> list[Message]:
        if refused.fault.code == "no_reply":
            self._asked.pop(0)
            return self.error(refused.fault.code, refused.fault.words)
        said = self._pending[0].body if self._pending else {}
        return [self._echo(line, said) for line in super().refused(refused)]

    def _echo(self, line: Message, said: Body) -> Message:
        """Add the refused message to the error."""
        match decode(line):
            case ["phase_error", body]:
                name = _event(body["incoming"])
                return encode(["phase_error", {**_nested(name, said), **body, "incoming_event": f"player__{name}"}])
            case ["proposal_invalid", body]:
                why = "reason" if "reason" in body else "errmsg"
                told = {**_nested("submit_proposal", said), why: body[why], "gamename": self._game}
                return encode(["proposal_invalid", told])
        return line

    def _lines(self, told: list[Told]) -> list[Message]:
        game = {"gamename": self._game} if self._game else {}
        return [encode((event, body if event == "error" else {**body, **game})) for event, body in told]

    def replied(self, replied: Replied) -> list[Message]:
        name, said = self._asked.pop(0)
        if name == "history":
            return super().replied(replied)
        if isinstance(replied.answer, Craftables):
            body = self._possible(replied.answer, said)
        elif name == "gym_observation":
            hands, target = self.style.hands(self._hands), self.style.items(self._target)
            body = {"hands": hands, "player_list": list(self._teller.names), "target": target}
        elif name == "load_items_from_tag":
            body = _about_tag(said.get("tag_name"))
        else:
            body = _about(name, said)
        return self._lines([(name, {**body, "username": self._me})])

    def _possible(self, found: Craftables, said: Body) -> Body:
        recipes = [book().by_name[each.recipe.name] for each in found.recipes]
        details = [] if said.get("is_browser") else [recipe_node(recipe, found.hand) for recipe in recipes]
        for detail, each in zip(details, found.recipes, strict=False):
            detail |= {"most_batches": self.style.amount(each.most), "only_in_fractions": each.only_in_fractions}
        return {
            "hand": self.style.items(found.hand),
            "recipes": [f"${recipe.name}" for recipe in recipes],
            "only_in_fractions": [f"${each.recipe.name}" for each in found.recipes if each.only_in_fractions],
            "recipe_details": details,
        }

    # From the player

    def read(self, raw: Message) -> Answer | Question | None:
        name, said = _said(raw)
        if name == "login":
            return None
        if name == "quit_game":
            return Answer(Leave(self._teller.me, "quit"))
        if name in QUESTIONS:
            return self._question(name, said)
        if name not in ACTIONS:
            words = f"there is no event player__{plain(name, 40)}"
            self._pending.append(Pending("", said, words, "bad_event"))
            raise BadMessage("bad_event", words)
        inner, _ = INSIDE.get(name, ("", ()))
        inside = said.pop(inner, None)
        return super().read(encode({**(inside if isinstance(inside, dict) else {}), **said, "type": ACTIONS[name]}))

    def _question(self, name: str, said: Body) -> Answer | Question | None:
        key = "tag_name" if name == "load_items_from_tag" else "node_name"
        item = {"item": said[key]} if key in said else {}
        hand = {"hand": said["hand"]} if said.get("hand") is not None else {}
        question = super().read(encode({"type": "query", "what": QUESTIONS[name], **item, **hand}))
        self._asked.append((name, {key: said[key] for key in ABOUT if key in said}))
        return question


def _said(raw: Message) -> tuple[str, Body]:
    """An event's name and content."""
    try:
        said = decode(raw)
    except (ValueError, RecursionError):
        said = {}
    body = said if isinstance(said, dict) else {}
    name = body.pop("type", "")
    within = {key: _bare(value) for key, value in body.items() if key not in OUTSIDE}
    return name if isinstance(name, str) else "", within


def _event(line: str) -> str:
    return next((name for name, type in ACTIONS.items() if type == line), line)


def _nested(name: str, said: Body) -> Body:
    """The message in its nested form, as the client sent it."""
    inner, keys = INSIDE.get(name, ("", ()))
    outer = {key: value for key, value in said.items() if key not in keys}
    return {**outer, inner: {key: said[key] for key in keys if key in said}} if inner else outer


def _bare(said: Any, levels: int = 3) -> Any:
    """Reduce fractions to numerator and denominator; clients' libraries add other keys."""
    if not isinstance(said, dict) or not levels:
        return said
    if "n" in said and "d" in said:
        return {"n": said["n"], "d": said["d"]}
    return {key: _bare(value, levels - 1) for key, value in said.items()}


def _about(name: str, said: Body) -> Body:
    """An item, a tag or a recipe. `item_info` includes whole recipes, other events only their names."""
    asked = said.get("node_name")
    found = node(asked) if isinstance(asked, str) else None
    if found is None:
        shown = asked[:80] if isinstance(asked, str) else ""
        return {"is_valid": False, "node_name": shown, "reason": "there is no item of that name"}
    if name == "item_info" and found["node_type"] == "item":
        found = item_and_recipes(found["node_name"].removeprefix(PREFIX))
    return {"is_valid": True, "node_name": found["node_name"], "node": found, "amount": _amount(said.get("amount"))}


def _about_tag(asked: Any) -> Body:
    """A tag with its items, under the name that the client used."""
    name = asked[:80] if isinstance(asked, str) else ""
    found = tag_node(name)
    if found is None:
        return {"is_valid": False, "tag_name": name, "reason": "there is no tag of that name"}
    return {"is_valid": True, "tag_name": name, "node": found}


def _amount(said: Any) -> dict[str, int]:
    try:
        return pair(write_amount(read_amount(said)))
    except ValueError:
        return pair(1)

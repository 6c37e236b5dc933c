"""Writes what the page's types are generated from: `python web/schemas.py FOLDER`.

openapi.json describes the HTTP API and the full feed. GAME.json has the types of all messages of protocol 1 for one
game, and protocol.json those for any game, with objects in place of what differs between games. They state which fields
every message from the server has, so that the generated types need no checks.
"""

import asyncio
import sys
from pathlib import Path
from typing import Any

import msgspec

from parlour import __version__
from parlour.core import Game
from parlour.core.values import any_of
from parlour.plugins import games
from parlour.protocol.field_words import structs_in
from parlour.protocol.v1 import (
    AgainAnswerMessage,
    AgainMessage,
    AnswerMessage,
    AskMessage,
    ErrorMessage,
    EventMessage,
    FaultMessage,
    HelloMessage,
    LeaveMessage,
    OverMessage,
    PlayerHello,
    QueryMessage,
    ReplyMessage,
    SeatMessage,
    StderrMessage,
    definitions,
    told_by_player,
    told_by_referee,
)
from parlour.server.api.document import PLACE, named_in
from parlour.server.main import api_document


def game_document(game: Game[Any]) -> dict[str, Any]:
    """The types of all messages of this game. AnyAction, AnyAsk and AnyEvent are all of a kind."""
    rules = game.rules
    unions = {"AnyAction": any_of(rules.actions), "AnyAsk": any_of(rules.asks), "AnyEvent": any_of(rules.events)}
    return _messages(game.title, told_by_referee(game), told_by_player(game), unions)


def any_document() -> dict[str, Any]:
    """The types of all messages, whatever the game."""
    thing = dict[str, Any]
    told = [kind[(thing,) * count] for kind, count in ((SeatMessage, 2), (AskMessage, 2), (EventMessage, 1))]
    told += [HelloMessage, FaultMessage[thing], ReplyMessage[thing], OverMessage, ErrorMessage]
    told += [AgainMessage[thing, thing, thing]]
    said = [PlayerHello, AnswerMessage[thing], LeaveMessage, QueryMessage[thing], StderrMessage]
    said += [AgainAnswerMessage[thing]]
    return _messages("Any game", told, said, {})


def _messages(title: str, told: list[Any], said: list[Any], unions: dict[str, Any]) -> dict[str, Any]:
    messages = {"FromReferee": any_of(told), "FromPlayer": any_of(said)}
    types = definitions({**unions, **messages}, PLACE + "{name}")
    shared = {name: types[name] for name in unions}
    types = {name: form if name in shared else _named(form, shared) for name, form in types.items()}
    sparse = {kind.__name__ for kind in structs_in(told) if kind.__struct_config__.omit_defaults}
    for name in types.keys() - named_in(types["FromPlayer"], types) - sparse:
        _require_defaults(types[name])
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": __version__},
        "paths": {},
        "components": {"schemas": types},
    }


def _named(part: Any, shared: dict[str, Any]) -> Any:
    """The same with a reference in place of every shared union."""
    if isinstance(part, dict):
        plain = {key: each for key, each in part.items() if key != "description"}
        for name, union in shared.items():
            if plain == union and "$ref" not in union:
                return {key: each for key, each in part.items() if key == "description"} | {"$ref": PLACE + name}
        return {key: _named(each, shared) for key, each in part.items()}
    return [_named(each, shared) for each in part] if isinstance(part, list) else part


def _require_defaults(form: dict[str, Any]) -> None:
    """Fields with a default are always sent. Fields that may be missing have none."""
    fields = form.get("properties", {})
    required = [name for name, field in fields.items() if name in form["required"] or "default" in field]
    if fields:
        form["required"] = required


def _for_generators(part: Any) -> Any:
    """Without defaults, because generators take a field with a default for a required one, which is wrong for requests.
    And an object of any kind is said to have any fields, or it would have none."""
    if isinstance(part, list):
        return [_for_generators(each) for each in part]
    if not isinstance(part, dict):
        return part
    if part.get("type") == "object" and not part.keys() & {"properties", "additionalProperties"}:
        part = {**part, "additionalProperties": True}
    return {
        key: {name: _for_generators(field) for name, field in each.items()}
        if key in ("properties", "responses")
        else _for_generators(each)
        for key, each in part.items()
        if key != "default"
    }


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    documents = {"openapi": asyncio.run(api_document()), "protocol": any_document()}
    documents |= {game.name: game_document(game) for game in games()}
    for name, document in documents.items():
        text = msgspec.json.format(msgspec.json.encode(_for_generators(document)), indent=2)
        (folder / f"{name}.json").write_bytes(text + b"\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

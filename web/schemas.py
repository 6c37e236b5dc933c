"""Writes what the page's types are generated from: `python web/schemas.py FOLDER`.

openapi.json describes the HTTP API. GAME.json has the types of all messages of one game, as an OpenAPI document too.
They state which fields every message from the server has, so that the generated types need no checks.
"""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_origin

import msgspec
from msgspec import Struct, inspect

from parlour import __version__
from parlour.core import Game
from parlour.core.values import any_of
from parlour.plugins import games
from parlour.protocol.v1 import definitions, told_by_referee
from parlour.server.api.document import PLACE, named_in
from parlour.server.main import api_document


def game_document(game: Game[Any]) -> dict[str, Any]:
    """The types of protocol 1 for this game. AnyAction, AnyAsk and AnyEvent are all of a kind."""
    rules = game.rules
    types = definitions(game, PLACE + "{name}")
    unions = {"AnyAction": rules.actions, "AnyAsk": rules.asks, "AnyEvent": rules.events}
    shared = _unions(unions, types)
    types = shared | _named(types, shared)
    from_player = named_in(types["FromPlayer"], types)
    sparse = {kind.__name__ for kind in _structs(told_by_referee(game)) if kind.__struct_config__.omit_defaults}
    for name in types.keys() - from_player - sparse:
        _require_defaults(types[name])
    return _document(game.title, types)


def _unions(unions: dict[str, Any], types: dict[str, Any]) -> dict[str, Any]:
    made, _ = msgspec.json.schema_components(
        [any_of(kinds) for kinds in unions.values()], ref_template=PLACE + "{name}"
    )
    if taken := unions.keys() & types.keys():
        raise SystemExit(f"a game has types of its own with the names {', '.join(sorted(taken))}")
    return dict(zip(unions, made, strict=True))


def _named(part: Any, shared: dict[str, Any]) -> Any:
    """The same with a reference in place of every shared union."""
    for name, union in shared.items():
        if part == union and "$ref" not in union:
            return {"$ref": PLACE + name}
    if isinstance(part, dict):
        return {key: _named(each, shared) for key, each in part.items()}
    return [_named(each, shared) for each in part] if isinstance(part, list) else part


def _require_defaults(form: dict[str, Any]) -> None:
    """Fields with a default are always sent. Fields that may be missing have none."""
    fields = form.get("properties", {})
    required = [name for name, field in fields.items() if name in form["required"] or "default" in field]
    if fields:
        form["required"] = required


def _structs(part: Any, seen: set[Any] | None = None) -> Iterator[type[Struct]]:
    """All structs within some types."""
    seen = set() if seen is None else seen
    kinds = inspect.multi_type_info(part) if isinstance(part, list) else part
    for kind in kinds if isinstance(kinds, tuple) else (kinds,):
        if isinstance(kind, inspect.StructType):
            if kind.cls in seen:
                continue
            seen.add(kind.cls)
            yield get_origin(kind.cls) or kind.cls
        if isinstance(kind, inspect.Type | inspect.Field):
            for field in kind.__struct_fields__:
                yield from _structs(getattr(kind, field), seen)


def _document(title: str, types: dict[str, Any]) -> dict[str, Any]:
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": __version__},
        "paths": {},
        "components": {"schemas": types},
    }


def _without_defaults(part: Any) -> Any:
    """Generators take a field with a default for a required one, which is wrong for requests."""
    if isinstance(part, list):
        return [_without_defaults(each) for each in part]
    if not isinstance(part, dict):
        return part
    kept = {key: each for key, each in part.items() if key != "default"}
    return {
        key: {name: _without_defaults(field) for name, field in each.items()}
        if key in ("properties", "responses")
        else _without_defaults(each)
        for key, each in kept.items()
    }


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    documents = {"openapi": asyncio.run(api_document())} | {game.name: game_document(game) for game in games()}
    for name, document in documents.items():
        text = msgspec.json.format(msgspec.json.encode(_without_defaults(document)), indent=2)
        (folder / f"{name}.json").write_bytes(text + b"\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

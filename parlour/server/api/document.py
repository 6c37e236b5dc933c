"""The OpenAPI document. The framework writes it; here it is made exact."""

from collections.abc import Iterator
from typing import Any

from litestar import Litestar, Request, Response
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.routes import HTTPRoute
from msgspec import UNSET, Struct
from msgspec.structs import fields

from parlour.protocol.field_words import describe_fields

PLACE = "#/components/schemas/"


class Document(JsonRenderPlugin):
    """Renders the document as JSON."""

    def __init__(self) -> None:
        super().__init__()
        self._text: bytes | None = None

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        if self._text is None:
            self._text = self.render_json(request, complete(request.app, openapi_schema))
        return self._text


def complete(app: Litestar, document: dict[str, Any]) -> dict[str, Any]:
    """The same document, in which the fields of answers are required, and fields have descriptions.

    The framework calls a field with a default optional. In a request it is; an answer always has all of its fields,
    except those that may be unset."""
    forms = document["components"]["schemas"]
    routes = [route for methods in document["paths"].values() for route in methods.values()]
    sent = named_in([route.get("requestBody") for route in routes], forms)
    types = _types(app)
    unset = _may_be_unset(types)
    answers = {
        name: {**form, "required": [field for field in form["properties"] if (name, field) not in unset]}
        if "properties" in form and name not in sent
        else form
        for name, form in forms.items()
    }
    describe_fields(types, answers)
    return {**document, "components": {**document["components"], "schemas": answers}}


def _types(app: Litestar) -> list[Any]:
    """The types of all requests, and of all answers that are forms."""
    handlers = [each for route in app.routes if isinstance(route, HTTPRoute) for each in route.route_handlers]
    signatures = [handler.parsed_fn_signature for handler in handlers]
    bodies = [signature.parameters["data"] for signature in signatures if "data" in signature.parameters]
    answers = [signature.return_type for signature in signatures]
    forms = [field for field in answers if not (field.is_union or field.is_subclass_of(Response))]
    declared = [spec.data_container for handler in handlers for spec in (handler.responses or {}).values()]
    return [*(field.annotation for field in (*bodies, *forms)), *declared]


def _may_be_unset(types: list[Any]) -> set[tuple[str, str]]:
    """Types, and fields of them that an answer may lack."""
    structs = [each for each in types if isinstance(each, type) and issubclass(each, Struct)]
    return {(each.__name__, field.name) for each in structs for field in fields(each) if field.default is UNSET}


def named_in(part: Any, forms: dict[str, Any]) -> set[str]:
    """The names of all forms that a part of a document refers to, directly or through other forms."""
    found: set[str] = set()
    new = set(_references(part))
    while new:
        found |= new
        new = {name for each in new for name in _references(forms[each])} - found
    return found


def _references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(place := part.get("$ref"), str):
            yield place.removeprefix(PLACE)
        for each in part.values():
            yield from _references(each)
    elif isinstance(part, list):
        for each in part:
            yield from _references(each)

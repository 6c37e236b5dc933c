"""The OpenAPI document. The framework writes it; here it is made exact."""

from collections.abc import Iterator
from typing import Any

from litestar import Request
from litestar.openapi.plugins import JsonRenderPlugin

PLACE = "#/components/schemas/"


class Document(JsonRenderPlugin):
    """Renders the document as JSON."""

    def __init__(self) -> None:
        super().__init__()
        self._text: bytes | None = None

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        if self._text is None:
            self._text = self.render_json(request, complete(openapi_schema))
        return self._text


def complete(document: dict[str, Any]) -> dict[str, Any]:
    """The same document, in which the fields of answers are required.

    The framework calls a field with a default optional. In a request it is; an answer always has all of its fields."""
    forms = document["components"]["schemas"]
    routes = [route for methods in document["paths"].values() for route in methods.values()]
    sent = named_in([route.get("requestBody") for route in routes], forms)
    answers = {
        name: {**form, "required": [*form["properties"]]} if "properties" in form and name not in sent else form
        for name, form in forms.items()
    }
    return {**document, "components": {**document["components"], "schemas": answers}}


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

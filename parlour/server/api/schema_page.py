"""A page that lists the routes of the API. It loads nothing from elsewhere."""

from collections.abc import Iterator
from html import escape
from typing import Any

from litestar import Request
from litestar.openapi.plugins import OpenAPIRenderPlugin

from parlour.server.api.html_page import page

DOCUMENT = "openapi.json"


class Described(OpenAPIRenderPlugin):
    """Renders one line for each route; the OpenAPI document has the rest."""

    def __init__(self) -> None:
        super().__init__(path="/")
        self._page: bytes | None = None

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        if self._page is None:
            self._page = page("Parlour: the API", _body(openapi_schema)).encode()
        return self._page


def _body(document: dict[str, Any]) -> str:
    rows = "".join(_rows(document))
    return (
        f"<h1>The API</h1><p>Requests and responses are described in <a href='/schema/{DOCUMENT}'>{DOCUMENT}</a>"
        " (OpenAPI). Routes marked with token need one:"
        f" <code>Authorization: Bearer TOKEN</code>.<table>{rows}</table>"
    )


def _rows(document: dict[str, Any]) -> Iterator[str]:
    for path, methods in document["paths"].items():
        for method, route in methods.items():
            token = "token" if route.get("security") else ""
            asked, words = f"{method.upper()} {path}", route.get("description", "")
            yield f"<tr><td><code>{escape(asked)}</code><td>{escape(words)}<td>{token}"

"""Serve the page for people, if it is built: its files are read once, and nothing else can be requested."""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from litestar import HttpMethod, Request, Response, Router, route
from litestar.enums import ScopeType
from litestar.exceptions import NotFoundException
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from msgspec import Struct

import parlour
from parlour.server.net.middleware import answer

FOLDER = Path(parlour.__file__).parent / "web"
"""The built page; its sources are in the repository's `web`."""
PATHS = (
    "/",
    "/games",
    "/games/{name:str}",
    "/matches",
    "/matches/{match:str}",
    "/open",
    "/join/{table:str}",
    "/account",
    "/bots",
    "/bots/{match:str}",
    "/host",
    "/projector",
    "/replay",
    "/rooms",
    "/rooms/{room:str}",
    "/tournaments",
    "/tournaments/{league:str}",
    "/ladder",
    "/about",
)
"""The page's own paths. All of them are answered with the same document, whose script shows the right thing."""
BESIDE = ("/favicon.svg", "/manifest.webmanifest")
"""Files outside `/assets` that are served if they exist."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The content security policy of the page: it loads only what this server has, and no inline script."""
ALWAYS_ASK = "no-cache"
FOR_A_YEAR = "public, max-age=31536000, immutable"
"""For assets: a file with other content has another name."""
MEDIA_TYPES = {  # the framework adds the charset of texts
    ".css": "text/css",
    ".html": "text/html",
    ".ico": "image/x-icon",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
PACKED = {"br": ".br", "gzip": ".gz"}
"""The suffix of a compressed file by its encoding, best first."""


class ServedFile(Struct, frozen=True):
    """A file in all its encodings; "" is the file itself."""

    media_type: str
    bodies: Mapping[str, bytes]
    digest: str

    def answer(self, request: Request[Any, Any, Any], caching: str) -> Response[bytes]:
        """The file in the best encoding that the client takes, or 304 if the client has it."""
        encoding = best_encoding(request.headers.get("accept-encoding", ""), self.bodies)
        tag = f'"{self.digest}-{encoding}"' if encoding else f'"{self.digest}"'
        headers = {"ETag": tag, "Cache-Control": caching, "Vary": "Accept-Encoding", "Content-Security-Policy": POLICY}
        if has_tag(request.headers.get("if-none-match", ""), tag):
            return Response(b"", status_code=304, headers=headers)
        if encoding:
            headers["Content-Encoding"] = encoding
        return Response(self.bodies[encoding], media_type=self.media_type, headers=headers)


class BuiltPage(Struct, frozen=True):
    """The built page."""

    files: Mapping[str, ServedFile]
    """By path, as it is requested."""
    build: str
    """The id of this build."""

    def routes(self) -> Router:
        """The routes of the page and of its assets. They are not part of the API."""
        methods = [HttpMethod.GET, HttpMethod.HEAD]
        assets = ["/assets/{path:path}", *(path for path in BESIDE if path in self.files)]

        @route([*PATHS], http_method=methods, include_in_schema=False, sync_to_thread=False)
        def page(request: Request[Any, Any, Any]) -> Response[bytes]:
            return self.files["/index.html"].answer(request, ALWAYS_ASK)

        @route(assets, http_method=methods, include_in_schema=False, sync_to_thread=False)
        def asset(request: Request[Any, Any, Any]) -> Response[bytes]:
            path = request.scope["path"]
            if path not in self.files:
                raise NotFoundException
            return self.files[path].answer(request, FOR_A_YEAR if path.startswith("/assets/") else ALWAYS_ASK)

        return Router("/", route_handlers=[page, asset])


def read_page(folder: Path) -> BuiltPage | None:
    """Read the built page; None if it is not built."""
    if not (folder / "index.html").is_file():
        return None
    build = folder / "build.txt"
    text = build.read_text(encoding="utf-8").strip() if build.is_file() else ""
    return BuiltPage(
        dict(_files(folder)), text if text.isascii() and text.isprintable() and text else parlour.__version__
    )


def _files(folder: Path) -> Iterator[tuple[str, ServedFile]]:
    beside = [folder / name.removeprefix("/") for name in ("/index.html", *BESIDE)]
    for path in [*beside, *sorted((folder / "assets").rglob("*"))]:
        if path.is_file() and path.suffix not in PACKED.values():
            yield f"/{path.relative_to(folder).as_posix()}", _read(path)


def _read(path: Path) -> ServedFile:
    plain = path.read_bytes()
    packed = {encoding: path.with_name(path.name + suffix) for encoding, suffix in PACKED.items()}
    bodies = {encoding: beside.read_bytes() for encoding, beside in packed.items() if beside.is_file()}
    media_type = MEDIA_TYPES.get(path.suffix, "application/octet-stream")
    return ServedFile(media_type, {**bodies, "": plain}, sha256(plain).hexdigest()[:32])


def best_encoding(accepted: str, there: Mapping[str, bytes]) -> str:
    """The first encoding that the client accepts and the file has; "" for the file itself."""
    weights = {}
    for part in accepted.lower().split(","):
        name, _, parameters = part.partition(";")
        weights[name.strip()] = _weight(parameters)
    usable = (encoding for encoding in PACKED if encoding in there and weights.get(encoding, weights.get("*", 0.0)) > 0)
    return next(usable, "")


def _weight(parameters: str) -> float:
    """The q value, which is 1 if there is none and 0 if it cannot be read."""
    name, _, value = parameters.partition("=")
    try:
        return float(value) if name.strip() == "q" else 1.0
    except ValueError:
        return 0.0


def has_tag(told: str, tag: str) -> bool:
    """Whether an If-None-Match header has this tag."""
    tags = {each.strip().removeprefix("W/") for each in told.split(",")}
    return tag in tags or "*" in tags


def with_not_found(app: ASGIApp, page: BuiltPage) -> ASGIApp:
    """Answer a browser that asks for an unknown path with the page, which says so in words. Programs get JSON."""
    document = page.files["/index.html"]
    told = {
        "content-type": f"{document.media_type}; charset=utf-8",
        "cache-control": ALWAYS_ASK,
        "content-security-policy": POLICY,
    }
    headers = [(name.encode(), value.encode()) for name, value in told.items()]

    async def outer(scope: Scope, receive: Receive, send: Send) -> None:
        is_lost = False

        async def show(message: Message) -> None:
            nonlocal is_lost
            if message["type"] == "http.response.start" and message["status"] == 404:
                is_lost = True
                await answer(scope, send, 404, headers, document.bodies[""])
            elif not is_lost:
                await send(message)

        await app(scope, receive, show if _is_visit(scope) else send)

    return outer


def _is_visit(scope: Scope) -> bool:
    """Whether a person opens an address in a browser, outside the API and the assets."""
    if scope["type"] != ScopeType.HTTP or scope["method"] != HttpMethod.GET:
        return False
    accepted = next((value for name, value in scope["headers"] if name == b"accept"), b"")
    return b"text/html" in accepted and scope["path"].split("/", 2)[1:2] not in (["api"], ["assets"])

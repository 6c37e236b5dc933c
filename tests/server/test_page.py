"""The page for people: which files are served, to whom, and for how long."""

import gzip
from pathlib import Path

import httpx
import pytest

import parlour
from parlour.server.api.page import PATHS, best_encoding
from tests.server.arenas import Hall, House, evening
from tests.server.test_http_errors import is_guarded, said

SCRIPT = b"console.log('a script of the page');\n" * 9
INDEX = b"<!doctype html><title>The page</title>"
OWN_PATHS = [
    path.replace("{name:str}", "maze")
    .replace("{match:str}", "m1")
    .replace("{table:str}", "t1")
    .replace("{room:str}", "r1")
    .replace("{league:str}", "l1")
    for path in PATHS
]


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A page as the build leaves it, with a secret beside it."""
    folder = tmp_path / "web"
    (folder / "assets" / "fonts").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "index.html").write_bytes(INDEX)
    (folder / "build.txt").write_text("0123abcd\n")
    (folder / "manifest.json").write_text("{}")
    (folder / "favicon.svg").write_text("<svg/>")
    (folder / "assets" / "main-1.js").write_bytes(SCRIPT)
    (folder / "assets" / "main-1.js.gz").write_bytes(gzip.compress(SCRIPT))
    (folder / "assets" / "main-1.js.br").write_bytes(b"as brotli")
    (folder / "assets" / "fonts" / "inter.woff2").write_bytes(b"a font")
    (folder / "assets" / "odd name ä.bin").write_bytes(b"odd")
    return folder


def opened(built: Path) -> House:
    return House(built.parent, built, log="off")


async def script(hall: Hall, accepted: str = "identity", **headers: str) -> httpx.Response:
    return await hall.http.get("/assets/main-1.js", headers={"Accept-Encoding": accepted, **headers})


def test_every_path_of_the_page_is_answered_with_its_document(built: Path) -> None:
    async def work(hall: Hall) -> None:
        for path in [*OWN_PATHS, "/games/%3Cimg%20onerror%3D1%3E", "/matches/%F0%9F%8E%B2%00", "/games/..", "/replay/"]:
            found = await hall.http.get(path)
            assert (found.status_code, found.content) == (200, INDEX), path
            assert found.headers["content-type"] == "text/html; charset=utf-8"
            assert found.headers["cache-control"] == "no-cache"

    evening(opened(built), work)


def test_the_policy_of_the_page_allows_scripts_of_this_server_only(built: Path) -> None:
    async def work(hall: Hall) -> None:
        found = await hall.http.get("/")
        rules = dict(rule.strip().split(" ", 1) for rule in found.headers["content-security-policy"].split(";"))
        assert rules["default-src"] == "'none'" and rules["script-src"] == rules["connect-src"] == "'self'"
        assert "unsafe" not in str(rules) and "http" not in str(rules)
        assert is_guarded(dict(found.headers)) and found.headers["referrer-policy"] == "no-referrer"
        assert "script-src" not in (await hall.get("/games")).headers["content-security-policy"]

    evening(opened(built), work)


def test_assets_are_kept_for_a_year_and_other_files_are_checked(built: Path) -> None:
    async def work(hall: Hall) -> None:
        found = await script(hall)
        assert found.content == SCRIPT and found.headers["content-type"] == "text/javascript; charset=utf-8"
        assert found.headers["cache-control"] == "public, max-age=31536000, immutable"
        font = await hall.http.get("/assets/fonts/inter.woff2")
        assert (font.content, font.headers["content-type"]) == (b"a font", "font/woff2")
        odd = await hall.http.get("/assets/odd%20name%20%C3%A4.bin")
        assert (odd.content, odd.headers["content-type"]) == (b"odd", "application/octet-stream")
        icon = await hall.http.get("/favicon.svg")
        assert (icon.headers["content-type"], icon.headers["cache-control"]) == ("image/svg+xml", "no-cache")
        assert (await hall.http.get("/manifest.webmanifest")).status_code == 404, "this page has none"

    evening(opened(built), work)


def test_a_file_is_sent_in_an_encoding_that_the_client_takes(built: Path) -> None:
    async def work(hall: Hall) -> None:
        zipped = await script(hall, "gzip")
        assert zipped.headers["content-encoding"] == "gzip" and zipped.content == SCRIPT
        assert int(zipped.headers["content-length"]) < len(SCRIPT) and zipped.headers["vary"] == "Accept-Encoding"
        request = (
            b"GET /assets/main-1.js HTTP/1.1\r\nHost: here\r\nConnection: close\r\nAccept-Encoding: gzip, br\r\n\r\n"
        )
        _, headers, body = await said(hall, request)
        assert headers["content-encoding"] == "br" and body == b"as brotli"
        assert headers["content-type"] == "text/javascript; charset=utf-8"
        plain = await script(hall, "identity")
        assert "content-encoding" not in plain.headers and plain.headers["etag"] != zipped.headers["etag"]

    evening(opened(built), work)


@pytest.mark.parametrize(
    ("accepted", "best"),
    [
        ("br, gzip", "br"),
        ("gzip;q=1.0, br;q=0", "gzip"),
        ("GZIP", "gzip"),
        ("*", "br"),
        ("*;q=0, gzip", "gzip"),
        ("br;q=often, gzip ; q=0.5", "gzip"),
        ("identity", ""),
        ("zstd", ""),
        ("", ""),
        (",;,=;q", ""),
    ],
)
def test_the_best_encoding(accepted: str, best: str) -> None:
    assert best_encoding(accepted, {"br": b"", "gzip": b"", "": b""}) == best
    assert best_encoding(accepted, {"": b""}) == ""


def test_a_client_that_has_a_file_is_not_sent_it_again(built: Path) -> None:
    async def work(hall: Hall) -> None:
        tag = (await hall.http.get("/")).headers["etag"]
        for told in (tag, f"W/{tag}", f'"other", {tag}', "*"):
            found = await hall.http.get("/games", headers={"If-None-Match": told})
            assert (found.status_code, found.content) == (304, b""), told
            assert found.headers["etag"] == tag and found.headers["cache-control"] == "no-cache"
        assert (await hall.http.get("/", headers={"If-None-Match": '"other"'})).status_code == 200
        zipped = (await script(hall, "gzip")).headers["etag"]
        assert (await script(hall, "gzip", **{"If-None-Match": zipped})).status_code == 304

    evening(opened(built), work)


def test_head_is_answered_like_get_without_a_body(built: Path) -> None:
    async def work(hall: Hall) -> None:
        for path, size in [("/", len(INDEX)), ("/matches/x", len(INDEX)), ("/assets/fonts/inter.woff2", 6)]:
            found = await hall.http.head(path, headers={"Accept-Encoding": "identity"})
            assert (found.status_code, found.content) == (200, b""), path
            assert int(found.headers["content-length"]) == size
        assert (await hall.http.head("/assets/none.js")).status_code == 404
        assert (await hall.http.post("/games")).status_code == 405

    evening(opened(built), work)


OUTSIDE = [
    "/assets/../../secret.txt",
    "/assets/../index.html",
    "/assets/%2e%2e/%2e%2e/secret.txt",
    "/assets/..%2f..%2fsecret.txt",
    "/assets/..%5c..%5csecret.txt",
    "/assets//etc/passwd",
    "/assets/%2fetc%2fpasswd",
    "/assets/{secret}",
    "/assets/%00",
    "/assets/main-1.js%00.css",
    "/assets/main-1.js.br",
    "/assets/none.js",
    "/assets/fonts",
    "/assets/",
    "/assets",
    "/index.html",
    "/build.txt",
    "/manifest.json",
    "/../secret.txt",
]


def test_nothing_but_the_files_of_the_page_is_served(built: Path) -> None:
    async def work(hall: Hall) -> None:
        for path in OUTSIDE:
            where = path.replace("{secret}", str(built.parent / "secret.txt"))
            request = f"GET {where} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"
            status, headers, body = await said(hall, request.encode())
            assert status == 404, path
            assert headers["content-type"] == "application/problem+json" and b'"not_found"' in body, path

    evening(opened(built), work)


def test_the_api_is_as_before_and_names_the_build_also_in_errors(built: Path) -> None:
    async def work(hall: Hall) -> None:
        answers = [
            await hall.get("/games"),
            await hall.get("/me"),
            await hall.get("/matches/none"),
            await hall.get("/nowhere"),
            await hall.post("/guests", nonsense=1),
            await hall.http.get("/api"),
        ]
        assert [answer.status_code for answer in answers] == [200, 401, 404, 404, 400, 200]
        assert all(answer.headers["content-type"] != "text/html; charset=utf-8" for answer in answers)
        assert {answer.headers["parlour-build"] for answer in answers} == {"0123abcd"}
        for path in ("/", "/health", "/apis", "/nowhere", "/schema"):
            assert "parlour-build" not in (await hall.http.get(path)).headers, path

    evening(opened(built), work)


def test_without_a_built_page_there_is_a_page_of_text(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        found = await hall.http.get("/")
        assert found.status_code == 200 and "not built" in found.text
        assert (await hall.http.get("/games")).status_code == 404
        assert (await hall.http.get("/assets/main-1.js")).status_code == 404
        assert (await hall.get("/games")).headers["parlour-build"] == parlour.__version__

    evening(House(tmp_path, log="off"), work)


def test_a_browser_that_is_lost_is_shown_the_page(built: Path) -> None:
    """A program gets the error as JSON, and any client does under /api and /assets."""

    async def work(hall: Hall) -> None:
        browser = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
        lost = await hall.http.get("/nowhere/at/all", headers=browser)
        assert (lost.status_code, lost.content) == (404, INDEX)
        assert lost.headers["content-type"].startswith("text/html") and "script-src 'self'" in is_guarded_by(lost)
        assert refusal(await hall.http.get("/nowhere/at/all")) == (404, "not_found")
        for path in ("/api/nowhere", "/assets/none.js"):
            assert refusal(await hall.http.get(path, headers=browser)) == (404, "not_found"), path
        assert (await hall.http.post("/nowhere", headers=browser)).headers["content-type"] != lost.headers[
            "content-type"
        ]

    evening(opened(built), work)


def refusal(found: httpx.Response) -> tuple[int, str]:
    return found.status_code, found.json()["code"]


def is_guarded_by(found: httpx.Response) -> str:
    """Its content security policy; there is one."""
    policies = found.headers.get_list("content-security-policy")
    assert len(policies) == 1
    return str(policies[0])

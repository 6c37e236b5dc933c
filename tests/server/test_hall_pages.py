"""Pages in browsers: of what servers they may be, and how one that was reloaded comes back to its seat.

A page keeps its name and its token in variables, which a reload empties. What it still has are cookies.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import socketio
from aiohttp import CookieJar

from parlour.server.net.browser_origins import COOKIE, is_allowed
from parlour.server.settings import BadSettings, read_settings
from parlour.venues.tradecraft.settings import HallSettings
from tests.players.clients import run
from tests.server.arenas import House
from tests.server.guests import HALL, Guest, Inn
from tests.server.hall_moves import turn_down
from tests.turned import SOON_S, until


class Place:
    """The server of the pages: a host or an arena."""

    def __init__(self, port: int, hall: str) -> None:
        self.port, self.hall = port, hall
        self._pages: list[Guest] = []

    async def page(self, jar: CookieJar | None, **more: Any) -> Guest:
        """A page that has just been loaded, in a browser with these cookies. It knows nothing, and proves that."""
        page = Guest()
        self._pages.append(page)
        await page.connect(self.port, jar, **more)
        await page.says("restored_proof", _username="", _token="")
        return page

    async def player(self, name: str, jar: CookieJar | None, **more: Any) -> Guest:
        page = await self.page(jar, **more)
        await page.hears("restored_proof_invalid")
        await page.login(name)
        await page.ready(self.hall)
        return page

    async def close(self) -> None:
        for page in self._pages:
            await page.leave()


@asynccontextmanager
async def place(kind: str, folder: Path, **settings: Any) -> AsyncIterator[Place]:
    if kind == "host":
        async with Inn() as inn:
            found = Place(inn.web, HALL)
            yield found
            await found.close()
    else:
        async with House(folder, log="off", **settings).open() as hall:
            found = Place(hall.serving.port, "2-player-pool-matching")
            yield found
            await found.close()


def browser() -> CookieJar:
    return CookieJar(unsafe=True)  # which also has those of servers without a name


async def is_back(page: Guest, name: str) -> None:
    """Wait until the page has all messages that it needs to show the game."""
    welcome = await page.hears("login_success")
    assert (welcome["status_code"], welcome["username"]) == (1, name)
    page.name, page.token = name, welcome["token"]
    assert (await page.hears("game_restored"))["gametype"] == "Game"
    names = [(await page.hears("player_enter_room"))["playername"] for _ in range(2)]
    start = await page.hears("game_start")
    assert start["player_list"] == names and name in names
    await page.hears("private_start_info", username=name)
    await page.hears("start_proposal")


async def lost(watcher: Guest, page: Guest) -> None:
    """Disconnect a page, and wait until the server has noticed it."""
    await page.drop()
    await watcher.hears("player_leave_room", playername=page.name)


@pytest.mark.parametrize("kind", ["host", "arena"])
def test_a_reloaded_page_returns_to_its_seat_and_plays_on(kind: str, tmp_path: Path) -> None:
    async def evening() -> None:
        async with place(kind, tmp_path) as there:
            jar = browser()
            ada, bob = await there.player("ada", jar), await there.player("bob", browser())
            for page in (ada, bob):
                await page.hears("start_proposal")
            await ada.plays("submit_proposal", proposal={"partner": "bob"}, message="first")
            await bob.hears("proposal")
            await lost(bob, ada)
            again = await there.page(jar)
            await is_back(again, "ada")
            await bob.plays("approval_or_reject", decision="reject", message="no")
            assert (await again.hears("proposal_reply_message"))["message"] == "no"
            for page in (again, bob):
                await page.plays("craft_done")
            for page in (again, bob):
                assert (await page.hears("start_proposal"))["turn_index"] == 2
            await turn_down(bob, again)

    run(evening())


@pytest.mark.parametrize("kind", ["host", "arena"])
def test_only_a_page_of_the_same_browser_gets_the_seat_by_its_name(kind: str, tmp_path: Path) -> None:
    async def evening() -> None:
        async with place(kind, tmp_path) as there:
            jar = browser()
            ada, bob = await there.player("ada", jar), await there.player("bob", None)
            for page in (ada, bob):
                await page.hears("start_proposal")
            await lost(bob, ada)
            forged = [
                {},
                {"Cookie": f"{COOKIE}="},
                {"Cookie": f"{COOKIE}={'A' * 43}"},
                {"Cookie": f"{COOKIE}={ada.token}"},
            ]
            for headers in forged:
                thief = await there.page(browser(), headers=headers)
                await thief.hears("restored_proof_invalid")
                await thief.says("login", username="ada")
                assert (await thief.hears("username_conflict"))["status_code"] == 2
            again = await there.page(jar)
            await is_back(again, "ada")

    run(evening())


def test_a_name_brings_a_page_back_even_while_its_old_connection_seems_to_be_there() -> None:
    async def evening() -> None:
        async with place("host", Path()) as there:
            jar = browser()
            ada, bob = await there.player("ada", jar), await there.player("bob", None)
            await ada.hears("start_proposal")
            again = await there.page(jar)
            await again.hears("restored_proof_invalid")  # another page of the same browser may want to be somebody else
            await again.says("login", username="ada")
            await is_back(again, "ada")
            await ada.plays("submit_proposal", proposal={"partner": "bob"})
            assert (await ada.hears("error"))["code"] == "bad_token"
            await turn_down(again, bob)

    run(evening())


def test_of_two_users_of_one_browser_each_comes_back_by_its_name() -> None:
    async def evening() -> None:
        async with place("host", Path()) as there:
            jar = browser()
            ada, bob = await there.player("ada", jar), await there.player("bob", jar)
            for page in (ada, bob):
                await page.hears("start_proposal")
            await lost(bob, ada)
            await bob.drop()
            await until(lambda: not bob.io.connected)
            first = await there.page(jar)
            await first.hears("restored_proof_invalid")  # it could be either
            await first.says("login", username="bob")
            await is_back(first, "bob")
            second = await there.page(jar)
            await is_back(second, "ada")
            await turn_down(second, first)

    run(evening())


def test_a_page_that_keeps_its_token_comes_back_in_any_browser() -> None:
    async def evening() -> None:
        async with place("host", Path()) as there:
            ada, bob = await there.player("ada", browser()), await there.player("bob", None)
            for page in (ada, bob):
                await page.hears("start_proposal")
            await lost(bob, ada)
            again = await there.page(browser())
            await again.hears("restored_proof_invalid")
            await again.says("restored_proof", _username="ada", _token=ada.token)
            await is_back(again, "ada")

    run(evening())


def test_the_cookie_is_for_socket_io_alone_and_out_of_reach_for_scripts() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            said = await inn.call("GET")
            cookie = said.headers["set-cookie"]
            assert cookie.startswith(f"{COOKIE}=") and cookie.endswith("; Path=/socket.io/; HttpOnly; SameSite=Strict")
            value = cookie.partition(";")[0]
            again = await inn.call("GET", headers={"Cookie": f"other=1; {value}; more=2"})
            assert "set-cookie" not in again.headers
            for junk in (f"{COOKIE}=short", f"x{value}", "\x80=\xff", f"{value}x", "=" * 100):
                told = await inn.call("GET", headers={"Cookie": junk.encode("latin-1")})
                assert told.status_code == 200 and told.headers["set-cookie"].partition(";")[0] != value

    run(evening())


# Of what servers they may be

ELSEWHERE = "https://play.example"


@pytest.mark.parametrize(
    ("allowed", "good", "bad"),
    [
        ((), [], [ELSEWHERE]),
        ((ELSEWHERE,), [ELSEWHERE], ["http://play.example", "https://play.example.evil.example", "null"]),
        (("*",), [ELSEWHERE], []),
    ],
)
def test_pages_of_the_servers_that_are_set_may_use_the_halls_of_an_arena(
    allowed: tuple[str, ...], good: list[str], bad: list[str], tmp_path: Path
) -> None:
    async def evening() -> None:
        async with place("arena", tmp_path, allowed_origins=allowed) as there:
            own = f"http://127.0.0.1:{there.port}"
            async with httpx.AsyncClient(trust_env=False, timeout=SOON_S) as client:
                for origin in ("", own, *good, *bad):
                    headers, ok = {"Origin": origin} if origin else {}, origin not in bad
                    said = await client.get(f"{own}/socket.io/?EIO=4&transport=polling", headers=headers)
                    assert said.status_code == (200 if ok else 400)
                    assert said.headers.get("access-control-allow-origin") == (origin or None if ok else None)
                    page = Guest()
                    if ok:
                        await page.connect(there.port, headers=headers)
                    else:
                        with pytest.raises(socketio.exceptions.ConnectionError):
                            await page.connect(there.port, headers=headers)
                    await page.leave()

    run(evening())


def test_a_page_over_tls_is_of_the_same_server() -> None:
    def allowed(origin: str, scheme: str, **headers: str) -> bool:
        return is_allowed(origin, {"asgi.scope": {"scheme": scheme}, "HTTP_HOST": "a.example", **headers}, ())

    for scheme in ("https", "wss"):
        assert allowed("https://a.example", scheme) and not allowed("http://a.example", scheme)
    for scheme in ("http", "ws"):
        assert allowed("http://a.example", scheme) and not allowed("https://a.example", scheme)
    assert allowed("https://a.example", "http", HTTP_X_FORWARDED_PROTO="https")
    assert allowed("https://b.example", "http", HTTP_X_FORWARDED_PROTO="https, http", HTTP_X_FORWARDED_HOST="b.example")


def test_allowed_origins_are_a_setting() -> None:
    def read(**environment: str) -> tuple[str, ...]:
        return read_settings(None, environment).venue("tradecraft", HallSettings).allowed_origins

    assert read() == ()
    told = read(PARLOUR_VENUES_TRADECRAFT_ALLOWED_ORIGINS="https://a.example, http://localhost:3000")
    assert told == ("https://a.example", "http://localhost:3000")
    for wrong in ("a.example", "https://a.example/", "https://a.example/page", "ftp://a.example", "https://"):
        with pytest.raises(BadSettings, match="allowed_origins"):
            read(PARLOUR_VENUES_TRADECRAFT_ALLOWED_ORIGINS=wrong)

"""What clients of MCP do wrong: tokens, hosts, sizes, shapes and floods. Each gets one clear line."""

import asyncio
import importlib.util
import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from mcp.shared.exceptions import MCPError

from parlour.core import Game
from parlour.core.generated_text import text_of
from parlour.protocol.errors import RequestError
from parlour.server.agents.mcp_endpoint import HostRule, is_installed, is_wanted
from parlour.server.settings import BadSettings, Settings
from parlour.transports.limits import AGENTS_PER_ACCOUNT
from tests.server.agents import MODERN, agent
from tests.server.arenas import Hall, House, evening
from tests.turned import soon, until

HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}


def house(folder: Path, **settings: Any) -> House:
    return House(folder, **{"log": "off", "tables_per_account": 50, **settings})


async def post(hall: Hall, content: bytes | None = None, **headers: Any) -> httpx.Response:
    body = json.dumps(LIST).encode() if content is None else content
    return await hall.http.post("/mcp", content=body, headers={**HEADERS, **headers})


def refusal(said: httpx.Response) -> tuple[int, str]:
    """The status and the code of a refusal in one line."""
    error = said.json()["error"]
    assert "\n" not in error["message"] and "Traceback" not in said.text
    return said.status_code, error.get("data", {}).get("code", "")


def test_tokens(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        assert (await post(hall)).status_code == 200
        host, old = await hall.account("host"), await hall.account("old")
        narrow = (await hall.post("/tokens", host, scopes=["account"])).json()["token"]
        await hall.expire(old)
        for token, refused in (
            ("junk", (401, "bad_token")),
            (old, (401, "bad_token")),
            (narrow, (403, "scope_needed")),
        ):
            said = await post(hall, Authorization=f"Bearer {token}")
            assert refusal(said) == refused
            assert ("www-authenticate" in said.headers) == (refused[0] == 401)
        mine = (await hall.post("/tokens", host, scopes=["play"])).json()["token"]
        table = (await hall.table(host, "forsale", "open", "open", "open"))["table"]["id"]
        async with agent(hall.url, mine) as ada:
            await ada.sit(table=table)
            waiting = asyncio.ensure_future(ada.does("wait", seconds=300))
            await until(lambda: any(each.seat.calls for each in hall.serving.agents.sessions))
            known = next(each["id"] for each in (await hall.get("/tokens", host)).json() if each["scopes"] == ["play"])
            await hall.delete(f"/tokens/{known}", host)
            facts = await soon(waiting)
            assert (facts["state"], facts["code"]) == ("disconnected", "bad_token")
            with pytest.raises(MCPError):
                await ada.does("wait")

    evening(house(tmp_path), work)


def test_requests_that_are_no_calls(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        for method in ("GET", "DELETE", "PUT"):
            said = await hall.http.request(method, "/mcp", headers=HEADERS)
            assert refusal(said) == (405, "method_not_allowed") and said.headers["allow"] == "POST"
        assert refusal(await post(hall, b"x" * 70_000)) == (413, "too_large")
        assert refusal(await post(hall, b"[" * 200 + b"]" * 200)) == (400, "too_deep")
        for junk in (b"", b"{", b"[]", b"7", b"\xff\xfe", b'{"jsonrpc": "1.0"}'):
            assert (await post(hall, junk)).status_code == 400, junk
        assert (await post(hall, None, **{"Content-Type": "text/plain"})).status_code in (400, 415)
        assert (await post(hall, None, **{"Mcp-Session-Id": "stale"})).status_code == 200  # of before a restart
        assert (await post(hall, None, **{"MCP-Protocol-Version": "1999-01-01"})).status_code == 400
        found = await asyncio.gather(*(post(hall) for _ in range(60)))
        assert {said.status_code for said in found} == {200}

    evening(house(tmp_path), work)


def test_calls_of_the_wrong_shape(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        for mode in ("legacy", MODERN):
            async with agent(hall.url, mode=mode) as ada:
                with pytest.raises(MCPError, match="there is no tool 'dance'"):
                    await ada.does("dance")
                for uri in ("parlour://rules/chess", "parlour://matches/x/transcript", "file:///etc/passwd"):
                    with pytest.raises(MCPError, match="there is no"):
                        await ada.client.read_resource(uri)
                for tool, wrong in (
                    ("sit", {"game": 5}),
                    ("sit", {"seats": 10**30}),
                    ("sit", {"nonsense": 1}),
                    ("wait", {"seconds": -1}),
                    ("wait", {"seconds": 1e9}),
                    ("answer", {}),
                    ("answer", {"action": None}),
                    ("view", {"seat": "x" * 5000}),
                    ("read_rules", {"game": ["forsale"]}),
                ):
                    assert await ada.fails(tool, **wrong) == "bad_arguments", (tool, wrong)
                assert await ada.fails("sit", game="chess") == "no_such_game"
                assert await ada.fails("sit") == "which_game"
                assert await ada.fails("sit", game="forsale", name="a\x00b") == "bad_name"
                assert await ada.fails("sit", game="forsale", seats=99) == "bad_seats"
                assert await ada.fails("sit", game="forsale", table="nowhere") == "no_such_table"
                assert await ada.fails("wait") == "bad_seat"

    evening(house(tmp_path), work)


def test_long_answers_are_read_beside_the_event_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    readers: list[threading.Thread] = []

    def noted(game: Game[Any]) -> Any:
        form = text_of(game)

        def parse(*how: Any) -> Any:
            readers.append(threading.current_thread())
            return form.parse(*how)

        return msgspec.structs.replace(form, parse=parse)

    monkeypatch.setattr("parlour.server.agents.agent_tools.text_of", noted)

    async def work(hall: Hall) -> None:
        host = await hall.account("host")
        table = (await hall.table(host, "forsale", "open", "random", "random"))["table"]["id"]
        async with agent(hall.url, host) as ada:
            await ada.sit(table=table)
            asked = await ada.turn()
            assert await ada.fails("answer", action="." * 50_000) == "unclear"
            assert await ada.fails("answer", action="nothing") == "unclear"
            await ada.does("answer", action=asked["legal"][0] + "\n" * 3000)
        assert [reader is threading.main_thread() for reader in readers] == [False, True, False]

    evening(house(tmp_path), work)


def test_one_account_has_only_so_many_seats(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        host = await hall.account("host")
        tables = [(await hall.table(host, "forsale", "open", "open", "open"))["table"]["id"] for _ in range(17)]
        async with agent(hall.url, host) as ada:
            for table in tables[:AGENTS_PER_ACCOUNT]:
                await ada.sit(table=table)
            assert await ada.fails("sit", table=tables[-1]) == "too_many"
            await ada.does("leave", seat=ada.seat)
            await ada.sit(table=tables[-1])

    evening(house(tmp_path), work)


# Hosts and origins


@pytest.mark.parametrize(
    ("address", "host", "origin", "refused"),
    [
        ("127.0.0.1", "127.0.0.1:8000", "", None),
        ("127.0.0.1", "localhost:8000", "http://localhost:8000", None),
        ("::1", "[::1]:8000", "http://[::1]:8000", None),
        ("127.0.0.1", "evil.example:8000", "", "bad_host"),
        ("127.0.0.1", "evil.example:8000", "http://evil.example:8000", "bad_origin"),
        ("127.0.0.1", "localhost:8000", "http://evil.example", "bad_origin"),
        ("127.0.0.1", "localhost:8000", "null", "bad_origin"),
        ("127.0.0.1", "localhost:8000:9", "", "bad_host"),
        ("127.0.0.1", "", "", "bad_host"),
        ("127.0.0.1", "arena.example.org", "https://arena.example.org", None),
        ("0.0.0.0", "anything.example", "", None),
        ("0.0.0.0", "anything.example", "https://anything.example", "bad_origin"),
        ("0.0.0.0", "arena.example.org", "https://arena.example.org", None),
    ],
)
def test_host_names(address: str, host: str, origin: str, refused: str | None) -> None:
    rule = HostRule(address, ["Arena.example.org"], has_proxies=False)
    headers = {b"host": host.encode(), **({b"origin": origin.encode()} if origin else {})}
    if refused is None:
        rule.check(headers)
        return
    with pytest.raises(RequestError) as error:
        rule.check(headers)
    assert error.value.code == refused


def test_a_page_of_another_site_cannot_use_the_arena(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        assert refusal(await post(hall, Host="evil.example")) == (421, "bad_host")
        assert refusal(await post(hall, Origin="http://evil.example")) == (403, "bad_origin")
        assert (await post(hall, Origin=hall.url)).status_code == 200

    evening(house(tmp_path), work)


# Settings


def test_the_arena_serves_mcp_if_it_can_and_may(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(hall: Hall) -> None:
        assert (await post(hall)).status_code in (404, 405)

    assert is_wanted(Settings()) and is_wanted(Settings(mcp=True)) and not is_wanted(Settings(mcp=False))
    evening(house(tmp_path, mcp=False), work)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert not is_installed() and not is_wanted(Settings())
    with pytest.raises(BadSettings, match="mcp: agents need the extra; install it with"):
        is_wanted(Settings(mcp=True))


def test_the_library_is_not_loaded_before_an_agent_comes() -> None:
    heavy = "{'mcp', 'pydantic', 'starlette'}"
    code = f"import sys, parlour.cli, parlour.server.main; print(*({heavy} & {{*sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""

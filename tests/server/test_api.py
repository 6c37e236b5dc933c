"""The HTTP API of an arena: requests, answers and errors."""

import asyncio
import os
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from parlour.client import Client
from parlour.games import game
from tests.server.arenas import Hall, House, Seat, evening
from tests.store.postgres import new_database
from tests.store.stored import add
from tests.turned import until

JSON = {"content-type": "application/json"}


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path, log="off")


# Errors


REFUSED: list[tuple[str, str, dict[str, Any], int, str]] = [
    ("GET", "/nowhere", {}, 404, "not_found"),
    ("GET", "/api/games/chess/schema", {}, 404, "no_such_game"),
    ("PUT", "/api/me", {}, 405, "method_not_allowed"),
    ("GET", "/api/me", {}, 401, "bad_token"),
    ("GET", "/api/me", {"headers": {"authorization": "Bearer nonsense"}}, 401, "bad_token"),
    ("GET", "/api/me", {"headers": {"authorization": "Bearer " + "x" * 5000}}, 401, "bad_token"),
    ("GET", "/api/matches?limit=0", {}, 400, "bad_request"),
    ("GET", "/api/matches?before=yesterday", {}, 400, "bad_request"),
    ("GET", "/api/matches?state=lost", {}, 400, "bad_request"),
    ("GET", "/api/matches?players=robots", {}, 400, "bad_request"),
    ("GET", "/api/matches/nowhere/events", {}, 404, "not_playing"),
    ("GET", f"/api/matches/{'x' * 100}", {}, 400, "bad_request"),
    ("DELETE", "/api/tokens/one", {}, 404, "not_found"),
    ("POST", "/api/guests", {"content": "{}"}, 415, "not_json"),
    ("POST", "/api/guests", {"content": "{}", "headers": {"content-type": "text/plain"}}, 415, "not_json"),
    ("POST", "/api/guests", {"content": "{", "headers": JSON}, 400, "bad_request"),
    ("POST", "/api/accounts", {"content": "", "headers": JSON}, 400, "bad_request"),
    ("POST", "/api/guests", {"content": b"\xff\xfe", "headers": JSON}, 400, "bad_request"),
    ("POST", "/api/guests", {"json": {"nom": "x"}}, 400, "bad_request"),
    ("POST", "/api/guests", {"json": {"name": "line\nbreak"}}, 400, "bad_request"),
    ("POST", "/api/guests", {"content": "[" * 5000, "headers": JSON}, 400, "too_deep"),
    ("POST", "/api/guests", {"content": b'{"name": "\xff"}', "headers": JSON}, 400, "bad_request"),
    ("POST", "/api/guests", {"content": b'{"name": "\\ud800"}', "headers": JSON}, 400, "bad_request"),
    ("POST", "/api/guests", {"content": '"' + "x" * 70_000 + '"', "headers": JSON}, 413, "too_large"),
    ("POST", "/api/login", {"json": {"name": "nobody", "password": "long enough"}}, 401, "wrong_login"),
]


def test_every_error_is_a_problem_with_a_code(house: House) -> None:
    async def work(hall: Hall) -> None:
        for method, path, more, status, code in REFUSED:
            said = await hall.http.request(method, path, **more)
            problem = said.json()
            assert (said.status_code, problem["code"]) == (status, code), f"{method} {path} {said.text}"
            assert said.headers["content-type"] == "application/problem+json", path
            assert problem["status"] == status and problem["title"] and problem["detail"], path
            assert ("www-authenticate" in said.headers) == (status == 401), path

    evening(house, work)


BAD_BODIES: dict[bytes, str] = {
    b'{"limit": 1}': "text/plain",
    b'{"\xff": 1}': "application/json",
    b'{"limit": ' + b"[" * 5000: "application/json",
}


def test_a_bad_body_is_refused_by_every_request_that_may_have_one(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        paths = (await hall.http.get("/schema/openapi.json")).json()["paths"]
        requests = [(method, path) for path, methods in paths.items() for method in methods]
        having = [(method, path) for method, path in requests if "requestBody" in paths[path][method]]
        assert {method for method, _ in having} == {"post", "put", "patch", "delete"}
        for method, path in having:
            for body, kind in BAD_BODIES.items():
                where = re.sub(r"{\w+}", "1", path)
                said = await hall.http.request(method, where, content=body, headers={"content-type": kind})
                assert said.status_code in (400, 415), f"{method} {path} {body[:20]!r} {said.text}"

    evening(House(tmp_path, rooms=2), work)


def test_a_seat_is_a_number_that_the_store_takes(house: House) -> None:
    house.url = new_database()

    async def work(hall: Hall) -> None:
        admin, match = await hall.admin(), await add(hall.store)
        await hall.store.change_match(match, state="over")
        for path in ("models", "stderr"):
            statuses = {2**31 - 1: 200 if path == "models" else 403, 2**31: 400}
            for seat, status in statuses.items():
                said = await hall.get(f"/matches/{match}/{path}?seat={seat}", admin)
                assert said.status_code == status, said.text

    evening(house, work)


def test_a_bug_of_ours_is_told_without_its_words(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(hall: Hall) -> None:
        async def broken(**_: Any) -> None:
            raise RuntimeError("hidden words")

        monkeypatch.setattr(hall.store, "matches", broken)
        said = await hall.get("/matches")
        assert (said.status_code, said.json()["code"]) == (500, "bug")
        assert "hidden" not in said.text and "Traceback" not in said.text

    evening(house, work)


def test_a_store_that_fails_is_told_by_readiness_alone(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(hall: Hall) -> None:
        async def broken() -> None:
            raise OSError("no disk")

        assert (await hall.http.get("/ready")).json() == {"status": "ready"}
        monkeypatch.setattr(hall.store, "ready", broken)
        said = await hall.http.get("/ready")
        assert (said.status_code, said.json()["code"]) == (503, "store_failed")
        assert (await hall.http.get("/health")).json() == {"status": "ok"}

    evening(house, work)


def test_other_pages_may_not_ask_for_us(house: House) -> None:
    async def work(hall: Hall) -> None:
        origin = {"origin": "https://elsewhere.example", "access-control-request-method": "POST"}
        for said in (await hall.http.get("/api/games", headers=origin), await hall.http.options("/api/games")):
            assert not [name for name in said.headers if name.startswith("access-control")]

    evening(house, work)


# Tables and matches


def test_pages_lose_nothing_when_many_are_of_one_moment(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(hall: Hall) -> None:
        token, made = await hall.account("host"), set()
        for moment in (1000, 2000, 2000, 2000, 2000, 2000, 3000):
            monkeypatch.setattr("parlour.tables.arena.now_ms", lambda moment=moment: moment)
            made.add((await hall.table(token, "forsale", "open", "random", "random"))["table"]["id"])
        for limit in (1, 2, 3, 7, 100):
            seen: list[str] = []
            after = ""
            while True:
                page = (await hall.get(f"/matches?game=forsale&state=open&limit={limit}{after}")).json()
                assert len(page["matches"]) <= limit
                seen += [match["id"] for match in page["matches"]]
                if page["next"] is None:
                    break
                after = f"&before={page['next']}"
            assert len(seen) == 7 and set(seen) == made, limit

    evening(house, work)


def test_an_account_has_only_so_many_tables_that_are_not_over(tmp_path: Path) -> None:
    house = House(tmp_path, tables_per_account=2, log="off")
    wanted = {"game": "forsale", "seats": [{"kind": "open"}, *[{"kind": "bot", "spec": "random"}] * 2]}

    async def first(hall: Hall) -> tuple[str, str]:
        token = await hall.account("host")
        said = await asyncio.gather(*[hall.post("/tables", token, **wanted) for _ in range(4)])
        assert sorted(each.status_code for each in said) == [201, 201, 409, 409]
        assert {each.json()["code"] for each in said if each.status_code == 409} == {"too_many_tables"}
        assert (await hall.post("/tables", await hall.account("other"), **wanted)).status_code == 201
        return token, next(each.json()["table"]["id"] for each in said if each.status_code == 201)

    async def second(hall: Hall) -> None:
        assert (await hall.post("/tables", token, **wanted)).status_code == 409, "they are counted after a restart too"
        assert (await hall.delete(f"/tables/{table}", token)).status_code == 204
        assert (await hall.post("/tables", token, **wanted)).status_code == 201

    token, table = evening(house, first)
    evening(house, second)


def test_a_table_that_is_given_up_lets_its_players_go(house: House) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("host")
        table = (await hall.table(token, "forsale", "open", "open", "random"))["table"]["id"]
        async with hall.connect(f"/play/forsale/{table}") as line:
            seat = Seat(line)
            await seat.hello("waits")
            while not hall.serving.arena.open[table].chairs[0].taken:
                await asyncio.sleep(0.01)
            assert (await hall.delete(f"/tables/{table}", token)).status_code == 204
            assert (await seat.hear("error"))["code"] == "dropped"
        assert (await hall.get(f"/matches/{table}")).json()["state"] == "dropped"
        assert (await hall.delete(f"/tables/{table}", token)).json()["code"] == "no_such_table"

    evening(house, work)


def test_matches_of_bots_alone_can_be_told_from_those_of_people(house: House) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("ada")
        bots = (await hall.table(token, "forsale", "random", "random", "minimum"))["table"]["id"]
        people = (await hall.table(token, "forsale", "open", "random", "minimum"))["table"]["id"]
        waits = (await hall.table(token, "forsale", "open", "random", "minimum"))["table"]["id"]
        await Client(hall.url, token).play_async("forsale", game("forsale").hosting.bots["random"], table=people)
        await hall.over(bots)

        async def listed(query: str) -> set[str]:
            return {match["id"] for match in (await hall.get(f"/matches?{query}")).json()["matches"]}

        assert await listed("players=bots") == await listed("players=bots&state=over") == {bots}
        assert await listed("players=people") == {people, waits}
        assert await listed("") == {bots, people, waits}

    evening(house, work)


def test_a_seat_taken_over_http_states_facts_for_the_header(house: House) -> None:
    async def work(hall: Hall) -> None:
        token, other = await hall.account("ada"), await hall.account("bob")
        table = (await hall.table(token, "forsale", "open", "open", "random"))["table"]["id"]
        await hall.post(f"/tables/{table}/join", token, about={"kind": "person", "age": 36})
        await hall.post(f"/tables/{table}/join", other)
        await until(lambda: table in hall.serving.arena.playing)
        header = hall.serving.arena.playing[table].match.header
        assert [player.about for player in header.players] == [{"kind": "person", "age": 36}, {}, {}]
        too_long = await hall.post(f"/tables/{table}/join", token, about={"kind": "x" * 201})
        assert too_long.status_code == 400

    evening(house, work)


def test_a_client_that_sits_at_a_table_is_seen_by_name_only(house: House) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("ada")
        table = (await hall.table(token, "forsale", "open", "invited", "random"))["table"]["id"]
        assert (await hall.post(f"/tables/{table}/join", token)).status_code == 200
        info = (await hall.get(f"/matches/{table}")).json()
        assert info["seats"][0] == {"seat": 0, "kind": "open", "name": "ada", "score": None, "rank": None}
        fields = {
            "id",
            "game",
            "state",
            "commit",
            "terms",
            "seats",
            "created_ms",
            "ended_ms",
            "not_resumed",
            "proof",
            "rematch",
        }
        assert set(info) == fields and info["proof"] is None

    evening(house, work)


def test_no_guest_goes_by_the_name_of_an_account(house: House) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("ada")
        table = (await hall.table(token, "forsale", "open", "random", "random"))["table"]["id"]
        async with hall.connect(f"/play/forsale/{table}") as line:
            seat = Seat(line)
            await seat.hello("ada")
            name = (await seat.hear("seat"))["players"][0]
        assert name.startswith("ada-") and name != "ada"

    evening(house, work)


# Accounts and tokens


def test_administrators_see_everybody_and_end_any_token(house: House) -> None:
    async def work(hall: Hall) -> None:
        admin, ada = await hall.admin(), await hall.account("ada")
        first = (await hall.get("/accounts?limit=1", admin)).json()
        second = (await hall.get(f"/accounts?limit=1&after={first['next']}", admin)).json()
        assert [each["name"] for each in first["accounts"] + second["accounts"]] == ["admin", "ada"]
        assert set(second["accounts"][0]) == {"id", "name", "guest", "admin", "created_ms", "state"}
        path = f"/accounts/{second['accounts'][0]['id']}/tokens"
        [token] = (await hall.get(path, admin)).json()
        assert (await hall.get("/me", ada)).status_code == 200
        assert (await hall.delete(f"{path}/{token['id']}", admin)).status_code == 204
        assert (await hall.get("/me", ada)).status_code == 401
        assert (await hall.get(path, admin)).json()[0]["revoked"] is True

    evening(house, work)


def test_a_token_gives_no_more_than_it_has_and_ends_when_its_owner_says_so(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada, bob = await hall.account("ada"), await hall.account("bob")
        for scopes in (["admin"], ["play", "admin"]):
            assert (await hall.post("/tokens", ada, scopes=scopes)).json()["code"] == "scope_needed"
        lesser = (await hall.post("/tokens", ada, scopes=["play"], label="bot")).json()["token"]
        assert (await hall.post("/tokens", lesser, scopes=["host"])).status_code == 403
        [_, kept] = (await hall.get("/tokens", ada)).json()
        assert (kept["label"], kept["scopes"]) == ("bot", ["play"]) and lesser not in str(kept)
        assert (await hall.delete(f"/tokens/{kept['id']}", bob)).status_code == 404
        assert (await hall.delete(f"/tokens/{kept['id']}", ada)).status_code == 204
        assert (await hall.get("/me", lesser)).status_code == 401

    evening(house, work)


# Games


def test_a_game_tells_what_is_needed_to_open_a_table(house: House) -> None:
    async def work(hall: Hall) -> None:
        infos = {info["name"]: info for info in (await hall.get("/games")).json()}
        assert infos["forsale"]["strengths"]["thinker"] == "hard" and infos["forsale"]["house_bot"] == "minimum"
        assert (infos["maze"]["seating"], infos["maze"]["limit_s"]) == ("sign_up", 4.0)
        assert infos["colorfight"]["short"] == {"max_turn": 60, "width": 14, "height": 14}
        assert infos["dominion"]["short"] is None
        ada = await hall.account("Ada")
        for info in infos.values():
            assert info["strengths"].keys() == set(info["bots"]) and info["house_bot"] in info["bots"]
            table = await hall.table(ada, info["name"], *["open"] * info["fewest"], options=info["short"] or {})
            assert table["table"]["state"] == "open", "the short options are options of a table"

    evening(house, work)


def test_a_game_explains_itself_to_people(house: House) -> None:
    async def work(hall: Hall) -> None:
        for info in (await hall.get("/games")).json():
            guide = (await hall.get(f"/games/{info['name']}/guide")).json()
            assert info["has_guide"] and guide["text"].startswith(game(info["name"]).words.guide[:50])
            assert (guide["game"], guide["title"]) == (info["name"], info["title"])
        missing = await hall.get("/games/chess/guide")
        assert (missing.status_code, missing.json()["code"]) == (404, "no_such_game")

    evening(house, work)


# The document


def test_the_document_tells_what_needs_a_token_and_how_everything_may_fail(house: House) -> None:
    async def work(hall: Hall) -> None:
        said = await hall.http.get("/schema/openapi.json")
        assert said.status_code == 200
        document = said.json()
        [scheme] = document["components"]["securitySchemes"].items()
        assert scheme == ("token", {"type": "http", "scheme": "bearer"})
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                where, responses = f"{method} {path}", operation["responses"]
                assert operation["summary"] and operation["description"], where
                assert ("security" in operation) == ("401" in responses) or path in ("/api/login", "/api/password"), (
                    where
                )
                assert not operation.get("requestBody") or {"400", "413", "415"} <= set(responses), where
                for status, response in responses.items():
                    if status >= "400":
                        [(media, content)] = response["content"].items()
                        assert media == "application/problem+json", where
                        assert content["schema"]["$ref"].endswith("Problem"), where

    evening(house, work)


@pytest.mark.parametrize("path", ["/", "/schema", "/schema/"])
def test_a_page_lists_what_there_is_and_sends_nobody_elsewhere(house: House, path: str) -> None:
    async def work(hall: Hall) -> None:
        page = await hall.http.get(path)
        assert page.status_code == 200 and page.headers["content-type"].startswith("text/html")
        for tag in re.findall(r"<(?:link|script|img|iframe)\b|@import|url\(|https?:|//\w", page.text):
            raise AssertionError(f"{tag} loads something")
        for link in re.findall(r"href='(.*?)'", page.text):
            assert link.startswith("/") and (await hall.http.get(link)).status_code == 200, link
        if path != "/":
            document = (await hall.http.get("/schema/openapi.json")).json()
            routes = [f"{method.upper()} {route}" for route, ways in document["paths"].items() for method in ways]
            assert re.findall("<code>([A-Z]+ /.*?)</code>", page.text) == routes and len(routes) > 20

    evening(house, work)


def test_nothing_else_is_served_beside_the_document(house: House) -> None:
    """Viewers come from elsewhere, and some forms take long to write."""

    async def work(hall: Hall) -> None:
        for name in ("redoc", "swagger", "elements", "rapidoc", "scalar", "openapi.yaml", "openapi.yml", "oauth2"):
            assert (await hall.http.get(f"/schema/{name}")).status_code == 404, name

    evening(house, work)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """A server in a thread of its own, and a token that may do everything."""
    told: dict[str, Any] = {}
    ready, loop = threading.Event(), asyncio.new_event_loop()

    async def serve() -> None:
        async with House(tmp_path, tables_per_account=10_000, log="off").open() as hall:
            told["stop"] = asyncio.Event()
            told["served"] = (hall.url, await hall.admin())
            ready.set()
            await told["stop"].wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    try:
        assert ready.wait(60)
        yield told["served"]
    finally:
        loop.call_soon_threadsafe(told["stop"].set)
        thread.join(60)
        loop.close()


def test_the_server_does_what_its_document_says(served: tuple[str, str]) -> None:
    """Requests are drawn from the document, good and bad; each answer must be one that it tells of."""
    try:
        import schemathesis
        from schemathesis.checks import CHECKS
    except ImportError:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip("schemathesis is not installed")
    url, token = served
    schemathesis.serializer("application/x-ndjson")(lambda _, value: str(value).encode())
    schema = schemathesis.openapi.from_url(f"{url}/schema/openapi.json")
    names = [
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_schema_conformance",
    ]
    checks = CHECKS.get_by_names(names)
    assert len(checks) == len(names)
    tried = 0
    operations: Any = schema.get_all_operations()
    for found in operations:
        operation = found.ok()
        if operation.path.endswith(("/events", "/events/me")):
            continue  # a stream has no end to wait for

        @given(case=operation.as_strategy())
        @settings(
            max_examples=5,
            deadline=None,
            database=None,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def tell(case: Any) -> None:
            nonlocal tried
            tried += 1
            response = case.call(headers={"Authorization": f"Bearer {token}"}, timeout=60)
            case.validate_response(response, checks=checks)

        tell()
    assert tried > 60

"""Who may do what: everybody against every route, every WebSocket path and every message.

A route without a row fails, so nothing can be added without saying who it is for.
"""

import asyncio
import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar, Router
from msgspec import Struct
from websockets.exceptions import ConnectionClosed

from parlour.client import Client
from parlour.games import game
from parlour.server.api.app import new_app
from parlour.server.replays.jobs import ReplayJob
from parlour.server.replays.processes import SentReplays
from tests.server.arenas import Hall, House, Seat, evening

PEOPLE = ("nobody", "guest", "player", "other", "host", "admin", "revoked", "expired", "banned")
"""A player has a seat in the match that is under way, the other has none; the host has set up the tables.

The tokens of player and other can only play, the guest's can host too, the host's can also look after its account, the
admin's can do anything. The revoked one was the player's, the expired one the other's; the banned one's account is
banned.
"""

OPEN, BOT = {"kind": "open"}, {"kind": "bot", "spec": "random"}
TABLE = {"game": "forsale", "seats": [OPEN, OPEN, BOT]}
LOGIN = {"name": "player", "password": "long enough"}
REPLAY = ("timeline", "frames", "verdict")
OWN = ("messages", "messages/live", "notes", "stderr", "stderr?seat=0")
"""What only the owner of a seat may see."""
LEAGUE = ("standings", "matches", "entries", "records")
"""What everybody may see of a league."""
NEW_LEAGUE = {"name": "Spring", "game": "forsale", "deadline_ms": 2**47, "house": [BOT]}
WHY = {"why": "a test"}


class Row(Struct, frozen=True):
    """One request, and the status that each kind of client gets."""

    method: str
    path: str
    body: dict[str, Any] | None
    answers: tuple[int, ...]
    is_transcript: bool = False
    """The body is the transcript of a match."""


def row(method: str, path: str, *answers: int, body: dict[str, Any] | None = None, is_transcript: bool = False) -> Row:
    """One answer for all, or one for each; an expired token is refused like a revoked one, a banned one by 403."""
    last = answers[-1]
    each = answers * 9 if len(answers) == 1 else (*answers, last, 403 if last == 401 else last)
    return Row(method, path, body, each, is_transcript)


ROWS = [
    row("GET", "/health", 200),
    row("GET", "/", 200),
    row("GET", "/ready", 200),
    row("GET", "/metrics", 200),
    row("GET", "/api", 200),
    row("GET", "/api/games", 200),
    row("GET", "/api/games/{name}/schema", 200),
    row("GET", "/api/games/{name}/guide", 200),
    row("GET", "/api/games/{name}/example", 200),
    row("GET", "/api/key", 200),
    row("GET", "/api/ports", 200),
    row("POST", "/api/guests", 201, body={}),
    row("POST", "/api/accounts", 409, body=LOGIN),
    row("POST", "/api/login", 200, body=LOGIN),
    row("GET", "/api/me", 401, 200, 200, 200, 200, 200, 401),
    row("GET", "/api/me/export", 401, 200, 403, 403, 200, 200, 401),
    row("POST", "/api/password", 401, body={**LOGIN, "password": "not that one", "new_password": "long enough"}),
    row("GET", "/api/tokens", 401, 403, 403, 403, 200, 200, 401),
    row("POST", "/api/tokens", 401, 201, 201, 201, 201, 201, 401, body={"scopes": ["play"]}),
    row("POST", "/api/tokens", 401, 201, 403, 403, 201, 201, 401, body={"scopes": ["host"]}),
    row("POST", "/api/tokens", 401, 403, 403, 403, 403, 201, 401, body={"scopes": ["admin"]}),
    row("POST", "/api/tokens", 401, 403, 403, 403, 201, 201, 401, body={"scopes": ["account"]}),
    row("DELETE", "/api/tokens/{others_token}", 401, 403, 403, 403, 404, 404, 401),
    row("DELETE", "/api/tokens/{hosts_token}", 401, 403, 403, 403, 204, 404, 401),
    row("GET", "/api/accounts", 401, 403, 403, 403, 403, 200, 401),
    row("GET", "/api/accounts/{account}/tokens", 401, 403, 403, 403, 403, 200, 401),
    row("DELETE", "/api/accounts/{account}/tokens/{others_token}", 401, 403, 403, 403, 403, 204, 401),
    row("GET", "/api/accounts/{account}", 401, 403, 403, 403, 403, 200, 401),
    row("PUT", "/api/accounts/{victim}/ban", 401, 403, 403, 403, 403, 200, 401),
    row("DELETE", "/api/accounts/{victim}/ban", 401, 403, 403, 403, 403, 200, 401),
    row("POST", "/api/accounts/{victim}/password", 401, 403, 403, 403, 403, 200, 401, body={}),
    row("DELETE", "/api/accounts/{victim}", 401, 403, 403, 403, 403, 204, 401),
    row("PUT", "/api/matches/{spare}/stop", 401, 403, 403, 403, 403, 204, 401),
    row("PUT", "/api/matches/{over}/stop", 401, 403, 403, 403, 403, 409, 401),
    row("POST", "/api/tables", 401, 201, 403, 403, 201, 201, 401, body=TABLE),
    row("DELETE", "/api/tables/{spare}", 401, 403, 403, 403, 204, 204, 401),
    row("DELETE", "/api/tables/{admins}", 401, 403, 403, 403, 403, 204, 401),
    row("DELETE", "/api/tables/{running}", 401, 404, 404, 404, 404, 404, 401),
    row("POST", "/api/tables/{spare}/join", 401, 200, 200, 200, 200, 200, 401, body={}),
    row("POST", "/api/tables/{invited}/join", 401, 403, 403, 403, 403, 403, 401, body={}),
    row("POST", "/api/tables/{running}/join", 401, 404, 404, 404, 404, 404, 401, body={}),
    row("POST", "/api/queue/{name}", 401, 200, 200, 200, 200, 200, 401, body={}),
    row("GET", "/api/matches", 200),
    row("GET", "/api/matches/{running}", 200),
    row("GET", "/api/matches/{running}/transcript", 409),
    row("GET", "/api/matches/{over}/transcript", 200),
    *(row("GET", f"/api/matches/{{running}}/{part}", 409) for part in REPLAY),
    *(row("GET", f"/api/matches/{{over}}/{part}", 200) for part in REPLAY),
    *(row("POST", f"/api/replays/{part}", 200, is_transcript=True) for part in REPLAY),
    row("POST", "/api/matches/{running}/rematch", 401, 403, 409, 403, 403, 403, 401, body={}),
    row("POST", "/api/matches/{played}/rematch", 401, 403, 200, 403, 403, 403, 401, body={}),
    row("GET", "/api/matches/{running}/events", 200),
    row("GET", "/api/matches/{over}/events", 404),
    row("GET", "/api/matches/{running}/events/me", 401, 403, 200, 403, 403, 403, 401),
    row("GET", "/api/matches/{running}/events?full=true", 200),
    row("GET", "/api/matches/{running}/events/me?full=true", 401, 403, 200, 403, 403, 403, 401),
    row("GET", "/api/halls", 200),
    row("GET", "/api/recipes", 200),
    row("GET", "/api/standings?game=forsale", 200),
    row("GET", "/api/rooms", 200, 200, 200, 200, 200, 200, 401),
    row("GET", "/api/rooms/{room}", 200, 200, 200, 200, 200, 200, 401),
    row("POST", "/api/rooms", 401, 409, 403, 403, 409, 409, 401, body={"name": "public"}),
    row("POST", "/api/rooms/{room}/start", 403, 403, 403, 403, 403, 200, 401, body={}),
    row("POST", "/api/rooms/{room}/restart", 403, 403, 403, 403, 403, 200, 401, body={}),
    row("DELETE", "/api/rooms/{room}", 403, 403, 403, 403, 403, 403, 401, body={}),
    row("GET", "/api/accounts/import", 401, 403, 403, 403, 403, 200, 401),
    row("POST", "/api/accounts/import", 401, 403, 403, 403, 403, 200, 401, body={"names": ["new"], "is_trial": True}),
    row("GET", "/api/admin/overview", 401, 403, 403, 403, 403, 200, 401),
    row("GET", "/api/admin/refusals", 401, 403, 403, 403, 403, 200, 401),
    row("GET", "/api/admin/reports", 401, 403, 403, 403, 403, 200, 401),
    row("DELETE", "/api/admin/reports/{message}", 401, 403, 403, 403, 403, 404, 401),
    row("GET", "/api/me/matches", 401, 200, 200, 200, 200, 200, 401),
    row("GET", "/api/me/matches/{played}", 401, 200, 200, 200, 200, 200, 401),
    row("GET", "/api/me/seats", 401, 200, 200, 200, 200, 200, 401),
    row("GET", "/api/matches/{running}/chat", 401, 403, 403, 403, 403, 403, 401),
    row("POST", "/api/matches/{running}/chat", 401, 403, 403, 403, 403, 403, 401, body={"text": "hello"}),
    row("POST", "/api/matches/{running}/chat/{message}/report", 401, 403, 403, 403, 403, 403, 401, body={}),
    *(row("GET", f"/api/matches/{{played}}/{part}", 401, 403, 200, 403, 403, 403, 401) for part in OWN),
    row("POST", "/api/matches/{played}/again", 401, 403, 409, 403, 403, 403, 401, body={"frame": 0}),
    row("GET", "/api/me/models", 401, 200, 200, 200, 200, 200, 401),
    row("GET", "/api/matches/{played}/models", 401, 403, 403, 403, 200, 403, 401),
    row("GET", "/api/accounts/{account}/model-budget", 401, 403, 403, 403, 403, 200, 401),
    row("PUT", "/api/accounts/{account}/model-budget", 401, 403, 403, 403, 403, 200, 401, body={"limit": 1.5}),
    *(
        row("GET", f"/api/leagues{part}", 200)
        for part in ("", "/{league}", *(f"/{{league}}/{each}" for each in LEAGUE))
    ),
    row("GET", "/api/leagues/{league}/standings?full=true", 401, 403, 403, 403, 403, 200, 401),
    row("GET", "/api/leagues/{league}/entry", 401, 404, 404, 404, 404, 404, 401),
    row("POST", "/api/leagues/{league}/entry", 401, 403, 201, 201, 201, 201, 401, body={}),
    row("POST", "/api/leagues/{league}/entry", 401, 403, 409, 409, 409, 409, 401, body={}),
    row("GET", "/api/leagues/{league}/table", 401, 404, 200, 200, 200, 200, 401),
    row("POST", "/api/leagues/{league}/entry/code", 401, 404, 403, 403, 403, 403, 401),
    row("DELETE", "/api/leagues/{league}/entry", 401, 404, 204, 204, 204, 204, 401),
    row("POST", "/api/leagues", 401, 403, 403, 403, 403, 201, 401, body=NEW_LEAGUE),
    row("PATCH", "/api/leagues/{league}", 401, 403, 403, 403, 403, 200, 401, body={}),
    row("GET", "/api/leagues/{league}/export.csv", 401, 403, 403, 403, 403, 200, 401),
    row("DELETE", "/api/leagues/{league}/entries/{entry}", 401, 403, 403, 403, 403, 204, 401, body=WHY),
    row("POST", "/api/leagues/{league}/matches/{n}/rerun", 401, 403, 403, 403, 403, 404, 401, body=WHY),
    row("POST", "/api/leagues/{league}/matches/{n}/cancel", 401, 403, 403, 403, 403, 404, 401, body=WHY),
    row("POST", "/api/leagues/{league}/cancel", 401, 403, 403, 403, 403, 200, 401, body=WHY),
    row("GET", "/api/ratings?game=forsale", 200),
    row("GET", "/api/ratings/{somebody}", 404),
    row("GET", "/get_gameroom_list", 200),
    *(row("POST", path, 200, body={}) for path in ("/creategameroom", "/deletegameroom", "/restart", "/start")),
    row("DELETE", "/api/me", 401, 204, 403, 403, 400, 409, 401, body={}),
]
"""The old routes of ColorfightII's rooms answer 200 to what they refuse, too; the tests of rooms say who may do what.
The table of the match that is under way has no chat.

The last row deletes the guest, for a guest has no password. The host's account needs the password.
"""

BAD = ("bad_token", "bad_token", "banned")
"""The codes for a revoked token, an expired token, and a token of a banned account."""

SOCKETS: dict[str, tuple[str, ...]] = {
    "/play/{name}": ("seat", "seat", "seat", "seat", "seat", "seat", *BAD),
    "/play/{name}/{fresh}": ("seat", "seat", "seat", "seat", "seat", "seat", *BAD),
    "/play/{name}/{invited}": ("key_needed",) * 6 + BAD,
    "/play/{name}/{running}": ("bad_token", "not_yours", "seat", "not_yours", "not_yours", "not_yours", *BAD),
    "/play/{name}/{over}": ("over",) * 9,
    "/ws/{no_game}": ("no_such_game",) * 9,
    "/ws/{name}/{no_dialect}": ("no_such_game",) * 9,
    "/watch/{running}": ("view",) * 9,
    "/watch/{over}": ("not_playing",) * 9,
    "/watch/{running}/me": ("bad_token", "not_yours", "view", "not_yours", "not_yours", "not_yours", *BAD),
    "/watch/{played}/messages": ("bad_token", "not_yours", "message", "not_yours", "not_yours", "not_yours", *BAD),
    "/watch/{running}?full=true": ("begin",) * 9,
    "/watch/{running}/me?full=true": ("bad_token", "not_yours", "begin", "not_yours", "not_yours", "not_yours", *BAD),
}
"""The last message on each path after a hello: its type, or the code of an error.

Who comes by a game's own protocol, with which there is no hello, is held against it in test_matrix_ways.
"""

CHANNELS = tuple(f"{room}/{what}_channel" for room in ("", "/gameroom/{room}") for what in ("game", "action"))
"""The channels of ColorfightII, which have passwords and no tokens."""


class Cast:
    """The clients with their tokens, and the tables, matches and leagues for their requests."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.tokens: dict[str, str | None] = {"nobody": None}
        self.places: dict[str, str] = {
            "name": "forsale",
            "no_game": "chess",
            "no_dialect": "numbers",
            "room": "public",
            "message": "1",
        }
        self.places |= {"n": "1", "somebody": "nobody"}
        self.victims = 0
        self.transcript = b""
        """The transcript of the match that the player has finished."""

    async def set_up(self) -> None:
        hall, tokens, places = self.hall, self.tokens, self.places
        tokens["admin"], tokens["host"], tokens["guest"] = (
            await hall.admin(),
            await hall.account("host"),
            await hall.guest(),
        )
        for name in ("player", "other"):
            full = await hall.account(name)
            tokens[name] = (await hall.post("/tokens", full, scopes=["play"])).json()["token"]
            tokens["revoked"] = (await hall.post("/tokens", full, scopes=["play"])).json()["token"]
            last = (await hall.get("/me", tokens["revoked"])).json()["token"]
            assert (await hall.delete(f"/tokens/{last}", full)).status_code == 204
        tokens["expired"] = expired = (await hall.post("/tokens", full, scopes=["play"])).json()["token"]
        await hall.expire(expired)
        tokens["banned"] = banned = await hall.account("banned")
        await hall.put(f"/accounts/{await hall.id(banned)}/ban", tokens["admin"])
        places["account"] = str(await hall.id(full))
        places["over"] = await self.table("host", "random", "random", "random")
        places["invited"] = await self.table("host", "invited", "random", "random")
        places["running"] = await self.table("host", "open", "random", "random")
        assert (await hall.post(f"/tables/{places['running']}/join", tokens["player"])).status_code == 200
        await hall.over(places["over"])

    async def play(self) -> None:
        """A match that is over, in which the player had a seat."""
        self.places["played"] = played = await self.table("host", "open", "random", "random")
        player = Client(self.hall.url, self.tokens["player"])
        await player.play_async("forsale", game("forsale").hosting.bots["random"], table=played)
        await self.hall.over(played)
        self.transcript = (await self.hall.get(f"/matches/{played}/transcript")).content

    async def open_league(self) -> None:
        """A league with an entry of the host."""
        made = (await self.hall.post("/leagues", self.tokens["admin"], **NEW_LEAGUE)).json()
        self.places["league"] = made["id"]
        [entry] = (await self.hall.get(f"/leagues/{made['id']}/entries")).json()
        self.places["entry"] = entry["id"]

    async def table(self, who: str, *seats: str, **terms: Any) -> str:
        token = self.tokens[who]
        assert token is not None
        id: str = (await self.hall.table(token, "forsale", *seats, **terms))["table"]["id"]
        return id

    async def refresh(self, path: str) -> None:
        """Create again what a request of the last client may have used up."""
        if "{spare}" in path:
            self.places["spare"] = await self.table("host", "open", "open", "random")
        if "/{league}" in path and "league" not in self.places:
            await self.open_league()
        if "{admins}" in path:
            self.places["admins"] = await self.table("admin", "open", "open", "random")
        if "{fresh}" in path:
            self.places["fresh"] = await self.table("host", "open", "random", "random")
        for whose in ("other", "host"):
            if f"{{{whose}s_token}}" in path:
                made = (await self.hall.post("/tokens", self.tokens[whose], scopes=["play"])).json()["token"]
                self.places[f"{whose}s_token"] = str((await self.hall.get("/me", made)).json()["token"])
        if "{victim}" in path:
            self.victims += 1
            self.places["victim"] = str(await self.hall.id(await self.hall.account(f"victim {self.victims}")))

    def token(self, who: str) -> str | None:
        return self.tokens[who]


@pytest.fixture
def routers(monkeypatch: pytest.MonkeyPatch) -> list[Router]:
    """The routers of the server, after it was opened."""
    found: list[Router] = []

    def noted(routers: Sequence[Router], *args: Any) -> Any:
        found.extend(routers)
        return new_app(routers, *args)

    monkeypatch.setattr("parlour.server.main.new_app", noted)
    return found


@pytest.fixture
def fast_replays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answer for sent transcripts without a process for each, because starting these would take most of the time."""

    async def ask(replays: SentReplays, job: ReplayJob) -> bytes:
        assert job.data is not None and job.data.startswith(b"{")
        return b"{}"

    monkeypatch.setattr(SentReplays, "ask", ask)


def paths(routers: Sequence[Router]) -> Iterator[tuple[str, str]]:
    for route in Litestar(list(routers), openapi_config=None).routes:
        for handler in getattr(route, "route_handlers", None) or [route.route_handler]:  # type: ignore[union-attr]
            methods = getattr(handler, "http_methods", None) or {"WEBSOCKET"}
            for method in methods - {"OPTIONS"}:
                yield method, _plain(route.path_format)


def _plain(path: str) -> str:
    """The path without the names of its parameters and without its query."""
    return "/".join("*" if part.startswith("{") else part for part in path.partition("?")[0].split("/"))


@pytest.mark.usefixtures("fast_replays")
def test_everybody_against_everything(tmp_path: Path, routers: list[Router]) -> None:
    async def work(hall: Hall) -> None:
        told = {(row.method, _plain(row.path)) for row in ROWS}
        told |= {("WEBSOCKET", _plain(path.replace("{name}", "{game}"))) for path in SOCKETS}
        told |= {("WEBSOCKET", _plain(path)) for path in CHANNELS}
        assert told == set(paths(routers)), "every route has a row, and every row a route"
        cast = Cast(hall)
        await cast.set_up()
        await cast.play()
        for at, who in enumerate(PEOPLE):
            for row in ROWS:
                await cast.refresh(row.path)
                assert await asked(cast, who, row) == row.answers[at], f"{who}: {row.method} {row.path}"

    evening(House(tmp_path, tables_per_account=1000, tables_per_guest=1000, log="off", rooms=2), work)


def test_no_token_opens_a_room(tmp_path: Path) -> None:
    """Nor does a token close a room: any client may watch, and register under a free name."""

    async def work(hall: Hall) -> None:
        cast = Cast(hall)
        await cast.set_up()
        for uid, who in enumerate(PEOPLE, start=1):
            token = cast.token(who)
            headers = {} if token is None else {"Authorization": f"Bearer {token}"}
            for call in ("delete", "restart", "start"):
                path = f"/{call}gameroom" if call == "delete" else f"/{call}"
                body = {"gameroom_id": "public", "config": {}, "admin_password": token or ""}
                said = await hall.http.post(path, json=body, headers=headers)
                assert said.json()["err_msg"] == "You are not allowed to do this", f"{who} at {path}"
            async with hall.connect("/action_channel", token) as line:
                replies = [await told(line, name) for name in ("admin", f"the {who}")]
            assert replies == [{"success": False, "err_msg": "Username exists"}, {"success": True, "uid": uid}], who
            async with hall.connect("/gameroom/public/game_channel", token) as line:
                assert len(json.loads(await line.recv())["users"]) == uid

    evening(House(tmp_path, tables_per_account=1000, log="off", rooms=1), work)


async def told(line: Any, name: str, password: str = "x") -> Any:
    """The answer to a user who registers in a room."""
    await line.send(json.dumps({"action": "register", "username": name, "password": password, "join_key": ""}))
    return json.loads(await line.recv())


async def asked(cast: Cast, who: str, row: Row) -> int:
    token = cast.token(who)
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    url = row.path.format(**cast.places)
    content = cast.transcript if row.is_transcript else None
    if row.is_transcript:
        headers["Content-Type"] = "application/x-ndjson"
    async with cast.hall.http.stream(row.method, url, json=row.body, content=content, headers=headers) as said:
        return said.status_code


def test_everybody_on_every_socket(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        cast = Cast(hall)
        await cast.set_up()
        await cast.play()
        for path, answers in SOCKETS.items():
            for who, expected in zip(PEOPLE, answers, strict=True):
                await cast.refresh(path)
                if path == "/play/{name}":  # where the next table is one that begins at once
                    await cast.table("host", "open", "random", "random", quick=True)
                for by_header in (False, True) if expected != "seat" else (False,):
                    said = await heard(cast, who, path.format(**cast.places), by_header)
                    assert said == expected, f"{who} at {path}"

    evening(House(tmp_path, tables_per_account=1000, log="off"), work)


async def heard(cast: Cast, who: str, path: str, by_header: bool) -> str:
    """The last message to a client after its hello, with the token in the hello or in a header."""
    token = cast.token(who)
    async with cast.hall.connect(path, token if by_header else None) as line:
        with suppress(ConnectionClosed):  # we may have been told all already
            await line.send(json.dumps({"type": "hello", **({} if token is None else {"token": token})}))
        async with asyncio.timeout(30):
            while (said := json.loads(await line.recv()))["type"] in ("hello", "event"):
                pass
    code: str = said["code"] if said["type"] == "error" else said["type"]
    return code


MESSAGES = [
    {"type": "answer", "id": 1, "action": {"type": "Pass"}},
    {"type": "query", "id": 1, "question": {"type": "Anything"}},
    {"type": "enter", "game": "forsale"},
    {"type": "seat"},
    {"type": "over"},
    {"type": "nonsense"},
]
"""Messages that a player may send after its hello, and some that it may not."""


def test_no_message_does_anything_before_a_hello_or_from_a_client_that_only_watches(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        cast = Cast(hall)
        await cast.set_up()
        running = cast.places["running"]
        match = hall.serving.arena.playing[running].match
        while 0 not in match.open:  # until it is the player's turn
            await asyncio.sleep(0.01)
        number = match.open[0].n
        for message in MESSAGES:
            for path in (f"/play/forsale/{running}", "/play/forsale"):
                async with hall.connect(path) as line:
                    await line.send(json.dumps(message))
                    assert (await Seat(line).hear("error"))["code"] == "bad_hello", f"{message} at {path}"
            async with hall.connect(f"/watch/{running}/me") as line:
                await line.send(json.dumps(message))
                assert (await Seat(line).hear("error"))["code"] == "bad_token", message
            for path, token in ((f"/watch/{running}", None), (f"/watch/{running}/me", cast.token("player"))):
                async with hall.connect(path, token) as line:
                    seat = Seat(line)
                    await seat.hear("view")
                    await line.send(json.dumps(message))
        assert match.open[0].n == number and not match.open[0].faults

    evening(House(tmp_path, log="off"), work)


def test_whose_token_is_revoked_is_let_go_and_comes_back_with_another(tmp_path: Path) -> None:
    """Playing and watching with the token end; the owner keeps its seat."""

    async def work(hall: Hall) -> None:
        token = await hall.account("ada")
        other = (await hall.post("/login", name="ada", password="long enough")).json()["token"]
        table = (await hall.table(token, "forsale", "open", "random", "random"))["table"]["id"]
        path = f"/play/forsale/{table}"
        async with hall.connect(path) as line, hall.connect(path) as again:
            seat = Seat(line)
            await seat.hello("x", token=token)
            await seat.first_choice()
            await seat.hear("ask")
            async with hall.connect(f"/watch/{table}/me") as watching:
                await watching.send(json.dumps({"type": "hello", "token": token}))
                assert json.loads(await watching.recv())["seat"] == 0
                await hall.delete(f"/tokens/{(await hall.get('/me', token)).json()['token']}", token)
                assert (await seat.hear("error"))["code"] == "bad_token"
                seat = Seat(again)
                await seat.hello("x", token=other)
                await seat.first_choice()
                with pytest.raises(ConnectionClosed):
                    await watching.recv()
        assert await refused(hall, path, token) == "bad_token"

    evening(House(tmp_path, log="off"), work)


async def refused(hall: Hall, path: str, token: str) -> str:
    async with hall.connect(path) as line:
        seat = Seat(line)
        await seat.hello("x", token=token)
        code: str = (await seat.hear("error"))["code"]
        with pytest.raises(ConnectionClosed):
            await seat.hear("anything")
        return code

"""Codes, routes and figures: the pages have all that the code has, and no others."""

import re
from pathlib import Path
from typing import Any

from parlour.players.remote import REPLACED
from parlour.protocol.errors import BUG, STORE_FAILED
from parlour.server.api.app import CODES
from parlour.server.ops.metrics import Metrics
from tests.docs.pages import ROOT, page, rows
from tests.server.arenas import Hall, House, evening

FOLDERS = ("players", "server", "store", "tables", "transports", "venues")
SOURCES = "\n".join(
    path.read_text() for folder in FOLDERS for path in sorted((ROOT / "parlour" / folder).rglob("*.py"))
)
TROUBLES = {(int(status), code) for status, code in re.findall(r'RequestError\(\s*(\d+),\s*"(\w+)"', SOURCES)}
SENT = set(
    re.findall(
        r"(?:\.end|\.error|\.exceeded|\.refuse|_refused|_send_away|_disconnect)"
        r'\(\s*(?:socket, |(?:chair\.)?player, )?"(\w+)",(?!\s*"")',
        SOURCES,
    )
)
"""What is told to who is connected, beside the troubles."""
OVER_HTTP = {"bad_request", "not_found", "method_not_allowed", "too_large", "not_json"}
NOT_FOR_PLAYERS = OVER_HTTP | {
    "bad_options", "bad_seats", "name_taken", "no_such_match", "no_such_player", "no_such_token", "not_admin",
    "not_over", "not_playing", "too_many_tables", "wrong_login", "too_many_tokens", "outlives_parent", "changed",
    "guest", "yourself", "no_such_account", "over", "stopping", "bad_pace", "no_rematch",
    "no_guide", "password_needed", "bad_seat", "bad_range", "bad_transcript", "no_seed", "too_long", "not_replayed",
    "not_ndjson", "busy", "too_busy", "replay_failed", "gone", "nothing_asked", "no_bot", "too_slow",
    "no_chat", "chat_closed", "chat_full", "no_such_message", "no_such_report",
    "no_accounts", "bad_deadline", "bad_house", "too_many_matches", "bad_name", "wrong_code", "no_such_league",
    "no_such_entry", "no_such_rating", "not_entered", "too_late", "entered", "league_full", "team_full", "no_teams",
    "cancelled", "planned", "running", "drawn", "no_models", "no_model_budget",
}  # fmt: skip
"""What only a request can be refused with."""
NOT_FOR_REQUESTS = {"no_such_seat", "not_admitted", "void"}
"""What only who comes to play can be told."""
OTHERS = {"no_such_seat"}
"""Of protocols that have tokens of their own."""


def codes(text: str) -> set[str]:
    return set(re.findall(r"`(\w+)`", text))


def part(text: str, first: str, behind: str) -> str:
    return text[text.index(first) : text.index(behind, text.index(first))]


def test_the_protocol_has_every_error_that_a_player_may_be_told() -> None:
    listed = {
        code for row in rows(part(page("protocol.md"), "### error", "## From the player")) for code in codes(row[0])
    }
    assert len(TROUBLES) > 20 and len(SENT) > 5
    others = {"bad_hello", "too_big", "silent", "parked", "deleted", REPLACED, BUG[0], STORE_FAILED[0]}
    told = {code for _, code in TROUBLES} | SENT | others
    assert listed - {"code", "words"} == told - NOT_FOR_PLAYERS - OTHERS


def test_the_api_has_every_error_under_its_status() -> None:
    listed = {int(row[0]): codes(row[1]) for row in rows(part(page("api.md"), "## Errors", "## Playing"))}
    for status, code in TROUBLES | {*CODES.items()}:
        assert code in listed[status] or code in NOT_FOR_REQUESTS, (status, code)


def test_the_api_page_has_every_route(tmp_path: Path) -> None:
    async def document(hall: Hall) -> Any:
        return (await hall.http.get("/schema/openapi.json")).json()

    paths = evening(House(tmp_path, log="off", rooms=2), document)["paths"]
    routes = {(method.upper(), re.sub(r"{\w+}", "X", path)) for path, way in paths.items() for method in way}
    found = re.findall(r"`(GET|POST|PUT|PATCH|DELETE) (/[^` ]*)", page("api.md"))
    assert routes == {(method, re.sub(r"\b(ID|NAME|N)\b", "X", path)) for method, path in found}


def test_the_api_page_has_every_figure() -> None:
    there = {family.name for family in Metrics().registry.collect()}
    named = {name.removesuffix("_total") for name in re.findall(r"`(parlour_\w+)`", page("api.md"))}
    assert named >= there

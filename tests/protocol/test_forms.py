"""Requests are read strictly; answers may come from a newer server."""

import json
from typing import Any

import msgspec
import pytest

from parlour.protocol.forms import MatchInfo, NewTable, Page, Plan, Proof, SeatInfo, TableTerms, read_answer

MATCH = MatchInfo(
    "m1",
    "forsale",
    "over",
    None,
    TableTerms(options={"balances": "open"}, limit_s=5),
    (SeatInfo(0, "open", "ada", 12, 1), SeatInfo(1, "bot", "random", 3, 2)),
    1,
    2,
    proof=Proof("aa", "bb", "cc", "dd"),
)


def plain(what: object) -> Any:
    return json.loads(msgspec.json.encode(what))


def grown(value: Any) -> Any:
    """The value with a new field in every object, but for a game's options: they are data, not a form."""
    if isinstance(value, list):
        return [grown(each) for each in value]
    if isinstance(value, dict):
        return {name: each if name == "options" else grown(each) for name, each in value.items()} | {"new_field": 1}
    return value


def test_a_client_ignores_fields_that_a_newer_server_adds() -> None:
    page = Page((MATCH,), None)
    assert read_answer(json.dumps(grown(plain(page))).encode(), Page) == page


def test_a_client_reads_states_and_kinds_of_seats_that_a_newer_server_adds() -> None:
    told = plain(MATCH) | {"state": "paused"}
    told["seats"][0]["kind"] = "remote"
    match = read_answer(json.dumps(told).encode(), MatchInfo)
    assert (match.state, match.seats[0].kind) == ("paused", "remote")


@pytest.mark.parametrize("raw", [b"{", b"[]", b"7", b'{"matches": 3, "next": null}', b'{"next": null}', b"\xff"])
def test_an_answer_of_another_form_is_no_answer(raw: bytes) -> None:
    with pytest.raises((msgspec.MsgspecError, ValueError)):
        read_answer(raw, Page)


@pytest.mark.parametrize("where", ["table", "seat", "terms"])
def test_a_server_refuses_fields_of_a_request_that_it_does_not_know(where: str) -> None:
    wanted = plain(NewTable(game="forsale", seats=[Plan("open")]))
    msgspec.convert(wanted, NewTable)
    {"table": wanted, "seat": wanted["seats"][0], "terms": wanted["terms"]}[where]["new_field"] = 1
    with pytest.raises(msgspec.ValidationError, match="new_field"):
        msgspec.convert(wanted, NewTable)

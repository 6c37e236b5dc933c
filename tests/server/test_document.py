"""The documents that types are generated from."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from parlour.plugins import names
from tests.here import ROOT
from tests.server.arenas import Hall, House, evening


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The documents by name."""
    folder = tmp_path_factory.mktemp("schemas")
    subprocess.run([sys.executable, ROOT / "web" / "schemas.py", folder / "new"], check=True, cwd=folder)
    assert [path.name for path in folder.iterdir()] == ["new"], "no store is opened"
    return {path.stem: json.loads(path.read_bytes()) for path in (folder / "new").iterdir()}


def test_there_is_one_for_the_api_and_one_for_each_game(written: dict[str, Any]) -> None:
    assert written.keys() == {"openapi", "protocol", *names()}


def test_the_document_of_the_api_is_the_one_that_is_served(written: dict[str, Any], tmp_path: Path) -> None:
    async def work(hall: Hall) -> Any:
        return (await hall.http.get("/schema/openapi.json")).json()

    served = evening(House(tmp_path, log="off", rooms=2), work)
    assert served["paths"].keys() == written["openapi"]["paths"].keys()
    forms = {name: form.get("required") for name, form in served["components"]["schemas"].items()}
    assert forms == {name: form.get("required") for name, form in written["openapi"]["components"]["schemas"].items()}


def test_an_answer_has_all_its_fields_and_a_request_may_leave_some_out(written: dict[str, Any]) -> None:
    forms = written["openapi"]["components"]["schemas"]
    assert set(forms["MatchInfo"]["required"]) == set(forms["MatchInfo"]["properties"])
    assert "score" in forms["SeatInfo"]["required"]
    assert forms["NewTable"]["required"] == ["game", "seats"] and not forms["Joining"]["required"]


def test_fields_are_described(written: dict[str, Any]) -> None:
    forms = written["openapi"]["components"]["schemas"]
    assert forms["MatchInfo"]["properties"]["commit"]["description"].startswith("SHA-256 of the seed")
    assert "description" in forms["Login"]["properties"]["life_s"], "also in requests"


def test_every_reference_leads_to_a_type(written: dict[str, Any]) -> None:
    for name, document in written.items():
        types = document["components"]["schemas"]
        places = re.findall(r'"#/([^"]*)"', json.dumps(document))
        assert places and {place.removeprefix("components/schemas/") for place in places} <= types.keys(), name


def test_a_message_has_the_fields_that_are_always_sent(written: dict[str, Any]) -> None:
    types = written["forsale"]["components"]["schemas"]
    assert set(types["BidOrPass"]["required"]) == set(types["BidOrPass"]["properties"]), "also those with a default"
    assert set(types["OverMessage"]["properties"]) - set(types["OverMessage"]["required"]) == {
        "signature",
        "public_key",
    }
    assert types["PlayerHello"]["required"] == ["type"] and types["Bid"]["required"] == ["type", "amount"]
    proposed = written["tradecraft"]["components"]["schemas"]["Proposed"]
    assert "message" not in proposed["required"], "an empty one is left out"


def test_unions_are_named_once(written: dict[str, Any]) -> None:
    types = written["forsale"]["components"]["schemas"]
    assert types["EventMessage"]["properties"]["event"] == {"$ref": "#/components/schemas/AnyEvent"}
    assert types["AnswerMessage"]["properties"]["action"] == {"$ref": "#/components/schemas/AnyAction"}


def test_protocol_1_is_described_for_each_game_and_for_any(written: dict[str, Any]) -> None:
    here, any_game = (written[name]["components"]["schemas"] for name in ("tradecraft", "protocol"))
    assert any_game["EventMessage"]["properties"]["event"] == {"type": "object", "additionalProperties": True}
    assert {name for name in here if name.endswith("Message")} == {
        name for name in any_game if name.endswith("Message")
    }
    assert {"FromReferee", "FromPlayer"} <= any_game.keys()

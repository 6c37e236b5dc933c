"""Models at seats of an arena: budgets of accounts, what is kept, and who may see it."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from parlour.client import Client
from parlour.games import game
from parlour.players.player_specs import load
from parlour.server.settings import BadSettings
from tests.models.server import KEY, ModelServer, Reply, Request, says_example
from tests.players.clients import run
from tests.server.arenas import Hall, House
from tests.turned import SOON_S

PRICED = "?price_in=10&price_out=100"
"""A request of the server costs 100 * 10 + 10 * 100 millionths: $0.002."""
MODELS = {"dear": f"local/dear{PRICED}", "free": "other/free?price_in=0&price_out=0"}
COST = 0.002


def house(folder: Path, **settings: Any) -> House:
    return House(folder, models=MODELS, log="off", **{"model_account_budget": 5.0, **settings})


async def table_of(hall: Hall, token: str, *seats: str, **terms: Any) -> Any:
    plans = [
        {"kind": seat} if seat == "open" else {"kind": "bot" if seat == "random" else "command", "spec": seat}
        for seat in seats
    ]
    return await hall.post("/tables", token, game="forsale", seats=plans, terms=terms)


async def over(hall: Hall, token: str, *seats: str, **terms: Any) -> str:
    """Play a match of these players to its end; its name."""
    said = await table_of(hall, token, *seats, **terms)
    assert said.status_code == 201, said.text
    table: str = said.json()["table"]["id"]
    await ended(hall, table)
    return table


async def ended(hall: Hall, table: str) -> None:
    async with asyncio.timeout(2 * SOON_S):
        while (await hall.get(f"/matches/{table}")).json()["state"] not in ("over", "void"):
            await asyncio.sleep(0.02)


def test_models_play_at_a_table_and_its_owner_pays_and_sees(server: ModelServer, tmp_path: Path) -> None:
    async def test() -> None:
        async with house(tmp_path).open() as hall:
            ada, ben, admin = await hall.account("ada"), await hall.account("ben"), await hall.admin()
            table = await over(hall, ada, "dear", "free", "random")
            calls = (await hall.get(f"/matches/{table}/models", ada)).json()["calls"]
            of_dear, of_free = len(server.of("dear")), len(server.of("free"))
            assert [call["seat"] for call in calls] == [0] * of_dear + [1] * of_free
            assert calls[0]["messages"][0]["role"] == "system" and calls[0]["words"] and calls[0]["tokens_in"] == 100
            one = (await hall.get(f"/matches/{table}/models?seat=1", ada)).json()["calls"]
            assert {call["model"] for call in one} == {"other/free"}
            for other in (ben, admin, await hall.guest()):
                assert (await hall.get(f"/matches/{table}/models", other)).json()["code"] == "not_yours"
            own = (await hall.get("/me/models", ada)).json()
            assert own["budget"]["spent"] == pytest.approx(of_dear * COST)
            assert own["budget"]["left"] == pytest.approx(5 - of_dear * COST)
            assert [each["name"] for each in own["models"]] == ["dear", "free"]
            shown = (await hall.get(f"/matches/{table}", ben)).text + (await hall.get("/matches")).text
            assert "You play For Sale" not in shown and KEY not in shown + json.dumps(calls)

    run(test())


def test_every_request_names_the_moment_that_shows_its_answer(server: ModelServer, tmp_path: Path) -> None:
    """Also those that were not readable, and those to which no answer came."""

    def stumbles(request: Request, count: int) -> Reply:
        if count == 1:
            return Reply(text="I do not know.")
        return Reply(status=400, error="no") if count == 4 else says_example(request, count)

    async def test() -> None:
        server.models["free"] = stumbles
        async with house(tmp_path).open() as hall:
            ada, ben = await hall.account("ada"), await hall.account("ben")
            table = await over(hall, ada, "random", "free", "random")
            calls = (await hall.get(f"/matches/{table}/models", ada)).json()["calls"]
            frames = (await hall.get(f"/matches/{table}/frames")).json()["frames"]
            own = [frame for frame in frames if frame["by"] == 1]
            assert {call["frame"] for call in calls} == {frame["n"] for frame in own}
            assert [call["frame"] for call in calls] == sorted(call["frame"] for call in calls)
            assert {call["outcome"] for call in calls} == {"answered", "unreadable", "failed"}
            for call in calls:
                frame = frames[call["frame"]]
                assert (frame["fault"] is not None) == (call["outcome"] == "failed")
                assert {"kept", "function", "cached", "estimated"} <= call.keys()
            assert (await hall.get(f"/me/matches/{table}", ada)).json() == {"seat": None, "is_creator": True}
            assert (await hall.get(f"/me/matches/{table}", ben)).json() == {"seat": None, "is_creator": False}
            assert (await hall.get(f"/me/matches/{table}")).status_code == 401
            assert (await hall.get("/me/matches/nothing", ada)).status_code == 404

    run(test())


def test_nobody_sees_prompts_before_the_match_is_over(server: ModelServer, tmp_path: Path) -> None:
    """Its owner might sit at the same table."""

    async def test() -> None:
        async with house(tmp_path).open() as hall:
            ada = await hall.account("ada")
            said = (await table_of(hall, ada, "open", "free", "random")).json()
            table = said["table"]["id"]
            line = await hall.connect(f"/play/forsale/{table}", ada)
            await line.send(json.dumps({"type": "hello", "name": "ada"}))
            async with asyncio.timeout(SOON_S):
                while json.loads(await line.recv())["type"] != "ask":
                    pass
            refused = await hall.get(f"/matches/{table}/models", ada)
            assert (refused.status_code, refused.json()["code"]) == (409, "not_over")
            await line.send(json.dumps({"type": "leave"}))
            await ended(hall, table)
            assert (await hall.get(f"/matches/{table}/models", ada)).json()["calls"]
            await line.close()

    run(test())


def test_a_table_without_a_budget_is_refused_in_one_line(server: ModelServer, tmp_path: Path) -> None:
    async def test() -> None:
        async with house(tmp_path, model_account_budget=0.0).open() as hall:
            ada, admin = await hall.account("ada"), await hall.admin()
            refused = await table_of(hall, ada, "dear", "random", "random")
            assert refused.status_code == 403
            words = "your budget for models, $0.00, is used up; an administrator can raise it"
            assert refused.json()["detail"] == words
            assert (await table_of(hall, await hall.guest(), "dear", "random", "random")).status_code == 403
            await over(hall, ada, "free", "random", "random")
            path = f"/accounts/{await hall.id(ada)}/model-budget"
            for wrong in (ada, None):
                assert (await hall.get(path, wrong)).status_code in (401, 403)
            set_to = await hall.http.put(
                f"/api{path}", json={"limit": 1.5}, headers={"authorization": f"Bearer {admin}"}
            )
            assert set_to.json() == {"limit": 1.5, "spent": 0.0, "left": 1.5}
            await over(hall, ada, "dear", "random", "random")
            assert (await hall.get(path, admin)).json()["spent"] == pytest.approx(len(server.of("dear")) * COST)

    run(test())


def test_a_budget_that_ends_in_a_match_costs_faults_and_the_match_goes_on(server: ModelServer, tmp_path: Path) -> None:
    async def test() -> None:
        """A request may cost up to $0.2 and more, by its size, until its true cost is known."""
        async with house(tmp_path, model_account_budget=0.27).open() as hall:
            ada = await hall.account("ada")
            table = await over(hall, ada, "dear", "free", "random")
            calls = (await hall.get(f"/matches/{table}/models?seat=0", ada)).json()["calls"]
            words = {call["words"] for call in calls if call["outcome"] == "failed"}
            assert words and all(each.startswith("no budget: the account has $0.2") for each in words)
            others = (await hall.get(f"/matches/{table}/models?seat=1", ada)).json()["calls"]
            assert {call["outcome"] for call in others} == {"answered"}
            info = (await hall.get(f"/matches/{table}")).json()
            assert info["state"] == "over"
            budget = (await hall.get("/me/models", ada)).json()["budget"]
            assert budget["spent"] <= 0.27 and budget["spent"] == pytest.approx(COST * len(server.of("dear")))

    run(test())


def test_a_model_survives_a_restart_of_the_server(server: ModelServer, tmp_path: Path) -> None:
    def hangs(request: Request, count: int) -> Reply:
        reply = says_example(request, count)
        reply.wait_s = 30.0 if count == 3 else 0.0
        return reply

    async def test() -> None:
        server.models["dear"] = hangs
        place = house(tmp_path)
        async with place.open() as hall:
            ada = await hall.account("ada")
            table = (await table_of(hall, ada, "dear", "random", "random")).json()["table"]["id"]
            async with asyncio.timeout(SOON_S):
                while len(server.of("dear")) < 4:
                    await asyncio.sleep(0.02)
        async with place.open() as hall:
            await ended(hall, table)
            calls = (await hall.get(f"/matches/{table}/models", ada)).json()["calls"]
            outcomes = [call["outcome"] for call in calls]
            assert outcomes[:5] == [*["answered"] * 3, "dropped", "answered"] and outcomes.count("dropped") == 1
            assert "Since your last decision" in calls[4]["messages"][1]["text"]

    run(test())


def test_own_data_has_the_prompts_and_deletion_removes_them(server: ModelServer, tmp_path: Path) -> None:
    async def test() -> None:
        async with house(tmp_path).open() as hall:
            ada = await hall.account("ada")
            id, table = await hall.id(ada), await over(hall, ada, "dear", "random", "random")
            data = (await hall.get("/me/export", ada)).json()
            assert len(data["models"]) == len(server.of("dear")) and data["model_budget"]["spent"] > 0
            await hall.http.request(
                "DELETE", "/api/me", json={"password": "long enough"}, headers={"authorization": f"Bearer {ada}"}
            )
            assert not await hall.store.models.calls(table, None, id)
            assert (await hall.store.models.budget(id, 0)).spent == 0

    run(test())


def test_a_model_joins_under_an_account_and_its_owner_sees_notes(server: ModelServer, tmp_path: Path) -> None:
    async def test() -> None:
        async with House(tmp_path, log="off").open() as hall:
            ada = await hall.account("ada")
            table = (await hall.table(ada, "forsale", "open", "random", "random"))["table"]["id"]
            spec = load(game("forsale"), "model:local/mine")
            finished = await Client(hall.url, ada).play_async("forsale", spec, table=table)
            assert not finished.faults
            assert server.of("mine")[0].system.count('You are seat 0, "ada"') == 1
            notes = (await hall.get(f"/matches/{table}/notes", ada)).json()["notes"]
            assert len(notes) == len(server.of("mine"))
            assert notes[0]["text"].startswith("I think a little. [100 + 10 tokens, ")
            players = (await hall.get(f"/matches/{table}/timeline")).json()["players"]
            assert players[0]["kind"] == "model"

    run(test())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("local/x", "models.mine: price_in and price_out are needed; 0 for a model that costs nothing"),
        ("nowhere/x?price_in=0&price_out=0", "models.mine: model:nowhere/x: unknown provider 'nowhere'"),
        ("openai/x?price_in=0&price_out=0", "models.mine: model:openai/x: the key is missing; set OPENAI_API_KEY"),
    ],
)
def test_a_wrong_model_in_the_settings_is_one_line(server: ModelServer, tmp_path: Path, text: str, words: str) -> None:
    async def test() -> None:
        with pytest.raises(BadSettings) as refused:
            async with House(tmp_path, models={"mine": text}, log="off").open():
                pass
        assert str(refused.value).startswith(words)

    run(test())

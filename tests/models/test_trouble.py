"""Models and endpoints that misbehave: one clear line each, and the match goes on by the fault rules."""

import json
import socket
from typing import Any

import pytest

from parlour.client.players import decider_for
from parlour.players.models.call_records import usage_of
from parlour.players.models.exchange import ModelConnection
from parlour.players.models.options import ModelTerms
from parlour.players.models.service import ModelService
from parlour.players.player_specs import ModelSpec, load
from parlour.players.starter import Starter
from parlour.players.terms import CannotPlay, Terms
from tests.models.matches import FORSALE, Recorded, match_of
from tests.models.server import KEY, Behaviour, ModelServer, Reply, Request, says_example
from tests.turned import run

OTHERS = ("minimum", "random")


def bad_once(reply: Reply) -> Behaviour:
    """A model that does this once, and plays after that."""

    def behave(request: Request, count: int) -> Reply:
        return reply if count == 0 else says_example(request, count)

    return behave


def always(reply: Reply) -> Behaviour:
    return lambda request, count: reply


def call(**arguments: object) -> tuple[str, str]:
    return "answer", json.dumps(arguments)


UNREADABLE = {
    "cut off": (Reply(text="I would like to bid 5 or perh", stop="length"), "cut off after 2000 tokens"),
    "refusing": (Reply(text="I cannot gamble.", stop="content_filter"), "You refused to answer"),
    "empty": (Reply(), "Your answer was empty"),
    "wrong JSON": (Reply(calls=[("answer", '{"action": "bid", "amount": ')]), "bid"),
    "not JSON at all": (Reply(calls=[("answer", "bananas")]), "No answer was understood"),
    "unknown tool": (Reply(calls=[("fold_hand", "{}")]), "There is no function 'fold_hand'. Call `answer` once."),
    "two tool calls": (Reply(calls=[call(action="bid", amount=1), call(action="bid", amount=2)]), "several answers"),
    "huge answer": (Reply(text="bid " * 50_000), "at most 100000 are read"),
    "nonsense": (Reply(text="What a lovely day."), "No answer was understood"),
}


@pytest.mark.parametrize("kind", UNREADABLE)
def test_an_answer_that_cannot_be_read_is_explained_to_the_model(server: ModelServer, kind: str) -> None:
    reply, told = UNREADABLE[kind]
    server.models["odd"] = bad_once(reply)
    recorded = match_of("model:local/odd", *OTHERS)
    assert recorded.is_over and not recorded.refused, "explained, asked again, and no fault"
    assert told in server.of("odd")[1].question
    assert [each.outcome for each in recorded.of(0)[:2]] == ["unreadable", "answered"]


def test_two_calls_that_mean_the_same_are_one_answer(server: ModelServer) -> None:
    def twice(request: Request, count: int) -> Reply:
        reply = says_example(request, count)
        return Reply(calls=reply.calls * 2)

    server.models["twice"] = twice
    assert not match_of("model:local/twice", *OTHERS).refused


@pytest.mark.parametrize("provider", ["local", "other"])
def test_a_model_that_never_answers_well_gets_the_price_of_the_game(server: ModelServer, provider: str) -> None:
    server.models["odd"] = always(Reply(text="What a lovely day."))
    recorded = match_of(f"model:{provider}/odd?retries=1", *OTHERS)
    assert recorded.is_over and recorded.codes() == {"unclear"}
    assert recorded.played.match.faults[0] == 16 * 3
    assert len(recorded.of(0)) == 16 * 3 * 2, "two requests for each of three attempts"
    assert "The referee refused your answer (unreadable unclear)" in server.of("odd")[2].question


def test_an_illegal_answer_is_the_models_fault_and_told_to_it(server: ModelServer) -> None:
    server.models["rich"] = bad_once(Reply(calls=[call(action="bid", amount=99)]))
    recorded = match_of("model:local/rich", *OTHERS)
    assert len(recorded.refused) == 1 and recorded.refused[0].fault.kind == "illegal"
    assert "The referee refused your answer (illegal" in server.of("rich")[1].question


# Endpoints

FAILING = {
    "429 with Retry-After": Reply(status=429, headers={"retry-after": "0.02"}, error="slow down"),
    "429 without": Reply(status=429, error="slow down"),
    "500": Reply(status=500, error="oops"),
    "502 with a page": Reply(status=502, raw=b"<html>Bad Gateway</html>"),
    "connection reset": Reply(resets=True),
    "no JSON": Reply(raw=b"<html>hello</html>"),
    "other JSON": Reply(raw=b'{"choices": []}'),
    "a list": Reply(raw=b"[]"),
}


@pytest.mark.parametrize("kind", FAILING)
@pytest.mark.parametrize("provider", ["local", "other"])
def test_a_failure_that_passes_is_not_noticed(server: ModelServer, kind: str, provider: str) -> None:
    server.models["shaky"] = bad_once(FAILING[kind])
    recorded = match_of(f"model:{provider}/shaky", *OTHERS)
    assert recorded.is_over and not recorded.refused and len(recorded.of(0)) == 16


def lost(server: ModelServer, reply: Reply, options: str = "") -> Recorded:
    """A match whose first model never gets an answer. It goes on to its end, and all is kept."""
    server.models["lost"] = always(reply)
    recorded = match_of(f"model:local/lost{options}", "model:local/good", "minimum")
    assert recorded.is_over and recorded.codes() == {"no_answer"}
    assert not [each for each in recorded.refused if each.seat != 0], "harms nobody else"
    assert len(recorded.played.match.faults) == 1 and KEY not in recorded.everything()
    return recorded


def words_of(recorded: Recorded) -> str:
    [words] = {each.fault.words for each in recorded.refused}
    return words.replace(words.partition("127.0.0.1:")[2].split()[0].strip(",:"), "PORT") if "127" in words else words


STAYS = {
    "429": (Reply(status=429, error="slow down"), "local at 127.0.0.1:PORT is busy (HTTP 429): slow down"),
    "500": (Reply(status=500, error="oops"), "local at 127.0.0.1:PORT failed (HTTP 500): oops"),
    "reset": (Reply(resets=True), "cannot reach local at 127.0.0.1:PORT: the connection was lost"),
    "not found": (
        Reply(status=404, error="no model 'lost'"),
        "local at 127.0.0.1:PORT refused the request (HTTP 404): no model 'lost'",
    ),
    "no money": (
        Reply(status=402, error="pay first"),
        "local at 127.0.0.1:PORT refused: the account there has no budget left (HTTP 402)",
    ),
    "junk": (Reply(raw=b"<html>"), "local at 127.0.0.1:PORT sent no answer of the openai API"),
    "endless": (Reply(raw=b" " * 5_000_000), "local at 127.0.0.1:PORT sent an answer of more than 4 MB"),
    "redirect": (
        Reply(status=307, headers={"location": "http://127.0.0.1:1/"}),
        "local at 127.0.0.1:PORT refused the request (HTTP 307)",
    ),
}


@pytest.mark.parametrize("kind", STAYS)
def test_an_endpoint_that_never_answers_is_one_clear_line(server: ModelServer, kind: str) -> None:
    reply, words = STAYS[kind]
    assert words_of(lost(server, reply, "?attempts=1")) == words


ODD: dict[str, dict[str, Any]] = {
    "tokens as a text": {"usage": {"prompt_tokens": "12", "completion_tokens": 1.5}},
    "tokens that nobody believes": {"usage": {"prompt_tokens": 10**15, "completion_tokens": -7}},
    "no object of tokens": {"usage": [1, 2]},
    "text in parts": {"parts": [{"type": "thinking", "thinking": []}, {"type": "text", "text": "Answer: %s"}]},
}


@pytest.mark.parametrize("kind", ODD)
def test_what_is_odd_beside_an_answer_spoils_nothing(server: ModelServer, kind: str) -> None:
    def behave(request: Request, count: int) -> Reply:
        said = f"Answer: {request.example()}"
        message = {"content": json.loads(json.dumps(ODD[kind].get("parts", "%s")).replace("%s", said))}
        reply = {"choices": [{"message": message}], "usage": ODD[kind].get("usage")}
        return Reply(raw=json.dumps(reply).encode())

    server.models["odd"] = behave
    recorded = match_of("model:local/odd?price_in=100000&price_out=100000", *OTHERS)
    assert recorded.is_over and not recorded.refused
    assert all(each.estimated and 0 < each.nanodollars < 10**13 for each in recorded.of(0))


def test_a_wrong_key_is_one_clear_line(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = "sk-wrong-8899aabbccdd"
    monkeypatch.setenv("PARLOUR_MODEL_KEY_LOCAL", wrong)
    recorded = match_of("model:local/good", "model:other/claude", "minimum")
    assert recorded.is_over and recorded.codes() == {"no_answer"}
    assert {each.fault.words.partition(" refused ")[2] for each in recorded.refused} == {
        "the key (HTTP 401); check PARLOUR_MODEL_KEY_LOCAL"
    }
    assert wrong not in recorded.everything()
    assert len(server.of("good")) == len(recorded.of(0)) == 48, "a wrong key is not tried again and again"


def test_no_key_is_one_clear_line(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PARLOUR_MODEL_KEY_LOCAL")
    recorded = match_of("model:local/good?attempts=1", *OTHERS)
    assert recorded.refused[0].fault.words.endswith("(HTTP 401); PARLOUR_MODEL_KEY_LOCAL is not set")
    assert "authorization" not in server.requests[0].headers


def test_no_network_is_one_clear_line(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    monkeypatch.setenv("PARLOUR_MODEL_URL_LOCAL", f"http://127.0.0.1:{port}/v1")
    recorded = match_of("model:local/good", *OTHERS)
    assert recorded.is_over
    assert {each.fault.words for each in recorded.refused} == {
        f"cannot reach local at 127.0.0.1:{port}: connection refused"
    }


def test_a_slow_model_is_late(server: ModelServer) -> None:
    def slow_once(request: Request, count: int) -> Reply:
        reply = says_example(request, count)
        reply.wait_s = 5.0 if count == 0 else 0.0
        return reply

    server.models["slow"] = slow_once
    recorded = match_of("model:local/slow", *OTHERS, limit_s=1.0)
    assert recorded.is_over
    assert [(each.fault.kind, each.attempt) for each in recorded.refused] == [("late", 1)]
    assert recorded.of(0)[0].outcome == "failed" and "did not answer within" in recorded.of(0)[0].words
    assert "(late late)" in server.of("slow")[1].question


def test_a_request_has_its_own_time_limit(server: ModelServer) -> None:
    def slow_once(request: Request, count: int) -> Reply:
        reply = says_example(request, count)
        reply.wait_s = 5.0 if count == 0 else 0.0
        return reply

    server.models["slow"] = slow_once
    recorded = match_of("model:local/slow?request_s=0.5", *OTHERS)
    assert not recorded.refused and len(server.of("slow")) == 17, "the second request was answered"


def test_further_attempts_are_no_further_decisions(server: ModelServer) -> None:
    server.models["odd"] = always(Reply(text="What a lovely day."))
    recorded = match_of("model:local/odd?retries=0", *OTHERS)
    [usage] = usage_of(recorded.calls).values()
    assert (usage.decisions, usage.calls, usage.unreadable) == (16, 48, 48)


@pytest.mark.parametrize("way", ["in a match", "as a client"])
def test_a_model_whose_package_is_broken_cannot_play(server: ModelServer, way: str) -> None:
    async def broken(terms: ModelTerms) -> ModelConnection:
        raise ImportError("no module named httpx")

    async def started() -> None:
        spec, service = load(FORSALE, "model:local/x"), ModelService(connect=broken)
        assert isinstance(spec, ModelSpec)
        if way == "in a match":
            await Starter(Terms(game=FORSALE, models=service), bytes(32)).start(spec, 0)
        else:
            await decider_for(FORSALE, spec, service).ready()

    with pytest.raises(CannotPlay, match="cannot load the client: ImportError: no module named httpx"):
        run(started())

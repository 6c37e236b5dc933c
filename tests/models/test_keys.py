"""Keys come from the environment, go into one header, and are seen nowhere else."""

import logging
import os
import subprocess
import sys

import pytest

from parlour.games import game
from parlour.players.models.endpoints import HIDDEN, ApiKey, find_endpoint
from parlour.players.player_specs import BadPlayer, load
from parlour.transports.child_environment import PASS_KEYS, child_environment
from tests.models.matches import match_of
from tests.models.server import KEY, ModelServer, Reply, Request

FORSALE = game("forsale")


def echoes(request: Request, count: int) -> Reply:
    """An endpoint that repeats its request in the answer."""
    sent = request.headers.get("authorization", "")
    escaped = "".join(f"\\u{ord(letter):04x}" for letter in KEY)
    match count % 5:
        case 0:
            return Reply(status=401, error=f"Incorrect API key provided: {sent}")
        case 1:
            return Reply(status=400, error=f"bad {sent}", headers={"x-echo": sent})
        case 2:
            return Reply(text=f"Your key is {sent}")
        case 3:
            return Reply(raw=f'{{"error": {{"message": "{escaped}"}}}}'.encode(), status=422)
        case _:
            answer = f'{{"choices": [{{"message": {{"content": "{escaped} Answer: pass"}}}}]}}'
            return Reply(raw=answer.encode())


@pytest.mark.parametrize("provider", ["local", "other"])
def test_an_endpoint_that_echoes_the_key_does_not_spread_it(
    server: ModelServer, provider: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    server.models["echo"] = echoes
    recorded = match_of(f"model:{provider}/echo", "model:other/claude", "minimum")
    assert recorded.is_over and server.of("echo")[0].headers["authorization"] == f"Bearer {KEY}"
    printed = capfd.readouterr()
    seen = recorded.everything() + caplog.text + printed.out + printed.err
    assert HIDDEN in seen
    assert KEY not in seen
    assert KEY not in repr([vars(record) for record in caplog.records])


def test_keys_of_a_providers_own_service_go_nowhere_else(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "sk-own-service-0123456789"
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_ORG_ID", "OPENAI_ADMIN_KEY"):
        monkeypatch.setenv(name, secret)
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", f"x-mine: {secret}")
    monkeypatch.delenv("PARLOUR_MODEL_KEY_OTHER")
    server.checks_key = False
    try:
        for model in (f"openai/a?base_url={server.url}", "other/b"):
            match_of(f"model:{model}", "minimum", "random")
    finally:
        server.checks_key = True
    assert server.of("a") and server.of("b")
    assert secret not in repr(server.requests)


def test_the_address_in_the_environment_gets_the_providers_key(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert not match_of("model:openai/good", "minimum", "random").refused


def test_a_key_is_never_shown() -> None:
    key = ApiKey("sk-secret-1234")
    assert repr(key) == str(key) == f"{key}" == HIDDEN
    endpoint = find_endpoint("openai", None, None, {"OPENAI_API_KEY": "sk-secret-1234"})
    assert "sk-secret" not in repr(endpoint)


@pytest.mark.parametrize("query", ["api_key=sk-abc", "key=sk-abc", "OPENAI_API_KEY=sk-abc", "token=sk-abc"])
def test_a_key_in_the_options_is_refused_without_being_shown(server: ModelServer, query: str) -> None:
    with pytest.raises(BadPlayer, match="keys come from the environment only") as refused:
        load(FORSALE, f"model:local/x?{query}")
    assert "sk-abc" not in str(refused.value)


def test_commands_do_not_get_the_keys() -> None:
    names = {"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "PARLOUR_MODEL_KEY_LOCAL", "PATH"}
    environment = dict.fromkeys(names, "x")
    assert set(child_environment(environment)) == {"PATH"}
    assert set(child_environment(environment | {PASS_KEYS: "yes"})) == names | {PASS_KEYS}


def test_a_command_at_a_seat_does_not_see_the_keys(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    bot = "import os, sys; print(os.environ, file=sys.stderr); print('{}', flush=True); sys.exit(3)"
    recorded = match_of("model:local/good", f'exec+forsale:{sys.executable} -c "{bot}"', "random")
    stderr = recorded.played.stderr[1]
    assert "PATH" in stderr and KEY not in stderr


def test_our_modules_do_not_import_the_clients_before_a_model_plays() -> None:
    look = "import sys, parlour.cli; print({'openai', 'anthropic', 'httpx2', 'sqlite3'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, env=os.environ, check=True)
    assert done.stdout.strip() in ("set()", "{'sqlite3'}")

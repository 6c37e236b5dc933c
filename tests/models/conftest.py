"""A server with models, and an environment that names it."""

from collections.abc import Iterator

import pytest

from parlour.players.models import desk, model_player
from tests.models.server import KEY, ModelServer, model_server


@pytest.fixture(scope="session")
def running() -> Iterator[ModelServer]:
    with model_server() as server:
        yield server


@pytest.fixture
def server(running: ModelServer, monkeypatch: pytest.MonkeyPatch) -> ModelServer:
    """The server, as the provider `local`, and as `other` with Anthropic's API. What an earlier test has left is
    forgotten."""
    running.models.clear()
    running.requests.clear()
    running.most_open = running.is_open = 0
    for name, value in environment(running).items():
        monkeypatch.setenv(name, value)
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", desk.CACHE, desk.BUDGET, desk.LEDGER):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(desk, "FIRST_WAIT_S", 0.01)
    monkeypatch.setattr(model_player, "PAUSES_S", (0.0,))
    desk._desk.cache_clear()
    return running


def environment(server: ModelServer) -> dict[str, str]:
    """The variables that name the server."""
    return {
        "PARLOUR_MODEL_URL_LOCAL": server.url,
        "PARLOUR_MODEL_KEY_LOCAL": KEY,
        "PARLOUR_MODEL_URL_OTHER": server.url.removesuffix("/v1"),
        "PARLOUR_MODEL_API_OTHER": "anthropic",
        "PARLOUR_MODEL_KEY_OTHER": KEY,
    }

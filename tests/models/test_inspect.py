"""The suite as a task of Inspect: its own client asks the model, and its log has every match."""

import gc
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog

from parlour import plugins
from parlour.cli.inspect_suite import function_tools, games
from parlour.core.generated_text import text_of
from parlour.players.models.exchange import FunctionForm
from parlour.players.play import play
from parlour.players.player_specs import load
from parlour.players.terms import Terms
from parlour.referee.log import MemoryLog
from parlour.referee.lookahead import decision_points
from parlour.referee.replay import verify
from tests.models.server import KEY, ModelServer, Reply, Request

pytestmark = pytest.mark.filterwarnings("ignore")  # of the framework and its clients


SUITE = """
[[parts]]
game = "forsale"
deals = 1
opponents = ["minimum", "random"]
"""


def evaluated(server: ModelServer, folder: Path, model: str, answers: str = "tools") -> EvalLog:
    """A match of For Sale in two seatings."""
    (folder / "suite.toml").write_text(SUITE)
    [log] = inspect_eval(
        games(suite=str(folder / "suite.toml"), answers=answers),
        limit=2,
        model=f"openai-api/local/{model}",
        model_base_url=server.url,
        log_dir=str(folder),
        display="none",
        max_retries=0,
    )
    return log


@pytest.fixture
def asked(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    monkeypatch.setenv("LOCAL_API_KEY", KEY)
    yield server
    gc.collect()  # the framework leaves connections to it, which must not be reported in other tests


@pytest.mark.parametrize("answers", ["tools", "text"])
def test_a_model_plays_the_suite_and_its_share_is_the_score(asked: ModelServer, tmp_path: Path, answers: str) -> None:
    log = evaluated(asked, tmp_path, "good", answers)
    assert log.status == "success" and log.samples is not None and log.results is not None, log.error
    assert len(log.samples) == 2 and len(asked.of("good")) > 20
    shares = []
    for sample in log.samples:
        assert sample.scores is not None
        [score] = sample.scores.values()
        assert score.metadata is not None
        transcript = b"".join(line.encode() + b"\n" for line in score.metadata["transcript"])
        assert verify(transcript, plugins.game).holds == "yes"
        assert not score.metadata["faults"] and score.metadata["left"] is None
        shares.append(score.metadata["share"])
    [metrics] = [score.metrics for score in log.results.scores]
    assert metrics["mean"].value == pytest.approx(sum(shares) / len(shares))


def test_a_model_that_fails_pays_for_its_faults_and_the_match_ends(asked: ModelServer, tmp_path: Path) -> None:
    def broken(request: Request, count: int) -> Reply:
        return Reply(status=400, error="no such thing")

    asked.models["broken"] = broken
    log = evaluated(asked, tmp_path, "broken")
    assert log.status == "success" and log.samples is not None, log.error
    for sample in log.samples:
        assert sample.scores is not None
        [score] = sample.scores.values()
        assert score.metadata is not None and score.metadata["faults"]
    assert KEY not in json.dumps(log.model_dump(mode="json"))


@pytest.mark.parametrize("name", plugins.names())
def test_every_question_of_a_game_is_a_function_that_the_framework_takes(name: str) -> None:
    game = plugins.game(name)
    log, seats = MemoryLog(), max(2, game.table_seats()[0])
    play(Terms(game=game, options=game.hosting.short), [load(game, "random")] * seats, b"seed" * 8, log)
    kinds = set()
    for point in decision_points(game, log.lines, b"seed" * 8, 0):
        schema = text_of(game).schema(point.ask, point.view, ["a"] * seats)
        [tool] = function_tools(FunctionForm("answer", "words", schema))
        assert tool.parameters.properties.keys() == schema["properties"].keys()  # type: ignore[attr-defined]
        kinds.add(type(point.ask))
    assert kinds

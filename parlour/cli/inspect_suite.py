"""The suite of an evaluation as a task of Inspect, which then asks the model and keeps the logs.

inspect eval parlour/games --model openai/NAME -T deals=2
"""

import json
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    get_model,
)
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolInfo, ToolParams
from msgspec.structs import replace

from parlour.cli.eval_suite import read_suite, usual_suite
from parlour.core import Void
from parlour.players.models.desk import ModelDesk
from parlour.players.models.endpoints import Endpoint
from parlour.players.models.exchange import (
    FunctionCall,
    FunctionForm,
    ModelFailure,
    ModelReply,
    ModelRequest,
    PromptMessage,
    Stop,
)
from parlour.players.models.options import ModelOptions, ModelTerms
from parlour.players.models.service import ModelService
from parlour.players.play import play_async
from parlour.players.player_specs import ModelSpec
from parlour.referee.log import MemoryLog
from parlour.tournament.blunders import rank_share
from parlour.tournament.evaluation import SUBJECT, Suite, SuitePart
from parlour.tournament.playing import spec_for
from parlour.tournament.schedules import Fixture, deal_seed, next_round

STAND_IN = "random"
"""Named as the player of the suite, whose place the model takes."""
REQUEST_S = 3600.0
"""Time limit of a request. Inspect has limits and attempts of its own."""
STOPS: dict[str, Stop] = {"max_tokens": "cut_off", "model_length": "cut_off", "content_filter": "refused"}


@task
def games(
    suite: str | None = None,
    games: str = "",
    deals: int | None = None,
    seed: str = "05",
    answers: str = "tools",
    memory: str = "all",
) -> Task:
    """Play the matches of a suite file, or of all games (or these, separated by commas) against their built-in bots."""
    names = [name.strip() for name in games.split(",") if name.strip()]
    read = (
        usual_suite(STAND_IN, names, deals, seed, False)
        if suite is None
        else read_suite(Path(suite), STAND_IN, deals, seed, False)
    )
    options = ModelOptions(answers=answers, memory=memory, request_s=REQUEST_S, attempts=1)  # type: ignore[arg-type]  # checked there
    return Task(
        dataset=MemoryDataset(_samples(read), name=read.name),
        solver=play_match(read, options),
        scorer=share_of_opponents(),
    )


def _samples(suite: Suite) -> list[Sample]:
    """One for each match."""
    samples = []
    for number, part in enumerate(suite.parts):
        for fixture in _fixtures(part):
            opponents = ", ".join(part.plan.players[player].name for player in fixture.players if player != SUBJECT)
            samples.append(
                Sample(
                    input=f"Play {part.plan.game} against {opponents}.",
                    id=f"{part.name}-{fixture.match:06}",
                    metadata={"part": number, "match": fixture.match, "deal": f"{part.name}-{fixture.deal}"},
                )
            )
    return samples


def _fixtures(part: SuitePart) -> list[Fixture]:
    first = next_round(part.plan, [], [])
    assert first is not None
    return list(first.fixtures())


# Playing


@solver
def play_match(suite: Suite, options: ModelOptions) -> Solver:
    """Play the match of a sample, and keep its result and its transcript."""
    fixtures = [_fixtures(part) for part in suite.parts]

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        part, fixture = suite.parts[state.metadata["part"]], fixtures[state.metadata["part"]][state.metadata["match"]]
        played = await played_match(part, fixture, get_model(), options)
        state.store.set("match", played)
        state.output = ModelOutput.from_content(str(state.model), played["words"])
        return state

    return solve


async def played_match(part: SuitePart, fixture: Fixture, model: Model, options: ModelOptions) -> dict[str, Any]:
    """The result of a match in which this model plays: JSON, for the log."""
    plan, seed = part.plan, deal_seed(part.plan, fixture.deal)
    endpoint = Endpoint("inspect", "openai", None, "")
    own = ModelSpec("model", ModelTerms(str(model), endpoint, options))
    specs = [
        own if player == SUBJECT else spec_for(plan, player, seed, seat) for seat, player in enumerate(fixture.players)
    ]
    service = ModelService(ModelDesk(), connect=_connected(model))
    terms = replace(plan.terms(timed=plan.limit_s is not None), models=service)
    log, seat = MemoryLog(), fixture.players.index(SUBJECT)
    played = await play_async(terms, specs, seed, log)
    match, end = played.match, played.end
    return {
        "seat": seat,
        "share": rank_share(end, seat),
        "ranks": [] if isinstance(end, Void) else list(end.ranks),
        "scores": [] if isinstance(end, Void) else list(end.scores),
        "faults": match.faults.get(seat, 0),
        "left": match.gone.get(seat),
        "words": f"void: {end.words}" if isinstance(end, Void) else f"place {end.ranks[seat]} of {len(end.ranks)}",
        "transcript": [line.decode() for line in log.lines],
    }


# Asking


class InspectConnection:
    """Asks a model of Inspect."""

    def __init__(self, model: Model) -> None:
        self._model = model

    async def ask(self, request: ModelRequest, timeout_s: float) -> ModelReply:
        config = GenerateConfig(max_tokens=request.max_tokens)
        try:
            output = await self._model.generate(
                [*map(_message, request.messages)], function_tools(request.function), config=config
            )
        except Exception as e:  # whatever its provider raises
            raise ModelFailure("failed", f"the model cannot be asked: {type(e).__name__}", is_final=True) from None
        if output.error or not output.choices:
            raise ModelFailure("failed", "the model gave no answer", is_final=True)
        return _reply(output)

    async def close(self) -> None:
        """Inspect closes its models."""


def _connected(model: Model) -> Any:
    async def connect(terms: ModelTerms) -> InspectConnection:
        return InspectConnection(model)

    return connect


def _message(message: PromptMessage) -> ChatMessage:
    if message.role == "system":
        return ChatMessageSystem(content=message.text)
    return (
        ChatMessageUser(content=message.text) if message.role == "user" else ChatMessageAssistant(content=message.text)
    )


def function_tools(form: FunctionForm | None) -> list[ToolInfo]:
    """The function by which the model answers, if it answers by one."""
    if form is None:
        return []
    return [ToolInfo(name=form.name, description=form.about, parameters=ToolParams.model_validate(dict(form.schema)))]


def _reply(output: ModelOutput) -> ModelReply:
    calls = [FunctionCall(call.function, json.dumps(call.arguments)) for call in output.message.tool_calls or ()]
    usage = output.usage
    return ModelReply(
        output.completion,
        tuple(calls),
        STOPS.get(output.stop_reason, "end"),
        None if usage is None else usage.input_tokens,
        None if usage is None else usage.output_tokens,
    )


# Scoring


@scorer(metrics=[mean(), stderr(cluster="deal")])
def share_of_opponents() -> Scorer:
    """The share of opponents that the model was ranked before; a tie counts half."""

    async def score(state: TaskState, target: Target) -> Score:
        played = state.store.get("match")
        faults = f", {played['faults']} faults" if played["faults"] else ""
        return Score(
            value=played["share"], answer=played["words"], explanation=f"{played['words']}{faults}", metadata=played
        )

    return score

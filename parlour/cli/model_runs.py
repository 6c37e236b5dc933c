"""Model players on the command line: their flags, records and costs."""

import os
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from parlour.cli.common import UserError, console
from parlour.cli.tables import table_of
from parlour.core import Seat
from parlour.core.values import plain
from parlour.players.models.budgets import dollars
from parlour.players.models.call_records import (
    CallFile,
    ModelCall,
    ModelUsage,
    UsageTally,
    call_file,
    read_calls,
    usage_of,
    with_prompts,
)
from parlour.players.models.desk import BUDGET, CACHE, read_budget
from parlour.players.models.options import BadModel
from parlour.players.models.service import ModelService
from parlour.players.player_specs import ModelSpec, Spec
from parlour.referee.log import new_file


def _to_cache(value: Path | None) -> Path | None:
    if value is not None:
        os.environ[CACHE] = str(value.absolute())
    return value


def _to_budget(value: str | None) -> str | None:
    """Programs that this one starts share the ceiling, so it goes into their environment."""
    if value is not None:
        try:
            read_budget(value)
        except BadModel:
            raise UserError(f"--model-budget {value[:40]}: write an amount in dollars, such as 2.50") from None
        os.environ[BUDGET] = value
    return value


ModelCache = Annotated[
    Path | None,
    typer.Option(
        "--model-cache",
        metavar="FOLDER",
        envvar=CACHE,
        callback=_to_cache,
        help="Keep the answers of models there. The same request is answered from it, at no cost.",
    ),
]
ModelBudget = Annotated[
    str | None,
    typer.Option(
        "--model-budget",
        metavar="DOLLARS",
        envvar=BUDGET,
        callback=_to_budget,
        help="What all models may cost together; they need price_in and price_out.",
    ),
]


class ModelRun:
    """The model players of one or more matches: where their records go, and what they took."""

    def __init__(self, specs: Sequence[Spec]) -> None:
        self._specs = specs
        self.has_models = any(isinstance(spec, ModelSpec) for spec in specs)
        self._by_player: defaultdict[int, ModelUsage] = defaultdict(ModelUsage)
        """The sums of all matches so far, by place in the list of players."""
        self._tally = UsageTally()
        self._file: CallFile | None = None

    def begin(self, transcript: Path | None, *, resumes: bool = False) -> ModelService | None:
        """The service for the next match; None if no model plays. Only a match that resumes adds to its file."""
        if transcript is None or not self.has_models:
            return self.begin_file(None)
        return self.begin_file(call_file(transcript) if resumes else new_file(call_file(transcript)))

    def begin_file(self, file: Path | None) -> ModelService | None:
        """The same, with the file for the records."""
        if not self.has_models:
            return None
        self._tally = UsageTally()
        self._file = None if file is None else CallFile(file)
        return ModelService(sink=self)

    def add(self, call: ModelCall) -> None:
        """Take the record of a request."""
        self._tally.add(call)
        if self._file is not None:
            self._file.add(call)

    def end(self, player_at: Callable[[Seat], int]) -> Path | None:
        """The match is over. `player_at`: the player at a seat. The file with its records, if there is one."""
        for (seat, _), usage in self._tally.by_seat.items():
            self._by_player[player_at(seat)] += usage
        if self._file is not None:
            self._file.close()
        return None if self._file is None or not self._tally.by_seat else self._file.path

    def tell(self, console: Console) -> None:
        """Print what each model took, if one was asked."""
        specs = [(self._specs[place], usage) for place, usage in sorted(self._by_player.items())]
        if rows := [(spec.name, spec.terms.label, usage) for spec, usage in specs if isinstance(spec, ModelSpec)]:
            console.print(usage_table(rows))

    def as_json(self) -> dict[str, Any]:
        """The same as JSON, by player; null for players that are no models. Empty if no model plays."""
        told = [self._by_player.get(place) for place in range(len(self._specs))]
        models = [None if usage is None else msgspec.to_builtins(usage) for usage in told]
        return {"models": models} if self.has_models else {}


def usage_table(rows: Sequence[tuple[str, str, ModelUsage]]) -> Table:
    """Names, models, and what they took."""
    figures = (">asked", ">in", ">out", ">cost", ">s each", ">trouble")
    table = table_of("player", "model", *figures, title="Models, tokens in and out")
    table.columns[1].overflow = "fold"
    for name, model, usage in rows:
        asked = usage.calls - usage.cached
        table.add_row(
            Text(name),
            Text(model),
            f"{usage.decisions}",
            f"{usage.tokens_in:,}",
            f"{usage.tokens_out:,}",
            dollars(usage.nanodollars) if usage.nanodollars else "-",
            f"{usage.ms / 1000 / asked:.1f}" if asked else "cached",
            Text(_trouble(usage), "red"),
        )
    return table


def _trouble(usage: ModelUsage) -> str:
    counts = {"unreadable": usage.unreadable, "failed": usage.failed, "too late": usage.dropped}
    return ", ".join(f"{count} {what}" for what, count in counts.items() if count) or "-"


def tell_calls(path: Path | None) -> None:
    """Print where the prompts and answers are."""
    if path is not None:
        console.print(f"Prompts and answers are in {path}; see them with `parlour replay --models`", soft_wrap=True)


def show_calls(transcript: Path, names: Sequence[str], seat: int | None) -> None:
    """Print the prompts and answers beside a recorded match."""
    path = call_file(transcript)
    try:
        calls = [call for call in read_calls(path) if seat in (None, call.seat)]
    except FileNotFoundError:
        raise UserError(
            f"--models: there is no {path}; it is written when a model plays and --record is given"
        ) from None
    except ValueError as e:
        raise UserError(f"--models: {path}: {e}") from None
    by_seat: dict[int, list[ModelCall]] = {}
    for call in calls:
        by_seat.setdefault(call.seat, []).append(call)
    if not by_seat:
        raise UserError("--models: no model was asked" + ("" if seat is None else f" at seat {seat}"))
    for where, of_seat in sorted(by_seat.items()):
        name = names[where] if where < len(names) else f"seat {where}"
        _show_seat(name, of_seat)


def _show_seat(name: str, calls: Sequence[ModelCall]) -> None:
    console.print(Text(f"{name} (seat {calls[0].seat}, {calls[0].model})", "bold"))
    whole = [*with_prompts(calls)]
    for number, (call, prompt) in enumerate(zip(calls, whole, strict=True)):
        again = "" if call.attempt == 1 else f", attempt {call.attempt}"
        console.print(Text(f"\nask {call.ask}{again}", "bold cyan"))
        for message in prompt.messages if number == 0 else call.messages:
            console.print(Text(f"[{message.role}]", "dim"))
            console.print(Text(_shown(message.text)), soft_wrap=True)
        console.print(Text("[the model]", "dim"))
        console.print(Text(_shown(call.answer) or "(nothing)"), soft_wrap=True)
        console.print(_outcome(call), soft_wrap=True)
    console.print(usage_table([(name, model, usage) for (_, model), usage in usage_of(calls).items()]))


def _outcome(call: ModelCall) -> Text:
    took = "from the cache" if call.cached else f"{call.ms / 1000:.1f} s"
    about = "about " if call.estimated else ""
    cost = f", {dollars(call.nanodollars)}" if call.nanodollars else ""
    facts = f"{about}{call.tokens_in} + {call.tokens_out} tokens, {took}{cost}"
    return Text(f"{call.outcome}: {plain(call.words)} ({facts})", "green" if call.outcome == "answered" else "red")


def _shown(text: str) -> str:
    """A text without characters that a terminal might obey."""
    return "\n".join("".join(c if c.isprintable() else "?" for c in line) for line in text.splitlines())


class CallFolder:
    """Writes the records of several matches beside their transcripts, whose paths `path_of` gives."""

    def __init__(self, path_of: Callable[[str], Path]) -> None:
        self._path_of = path_of
        self._files: dict[str, CallFile] = {}

    def add(self, call: ModelCall) -> None:
        self._files.setdefault(call.match, CallFile(call_file(self._path_of(call.match)))).add(call)

    def ended(self, match: str) -> None:
        """The match is over."""
        if (file := self._files.pop(match, None)) is not None:
            file.close()

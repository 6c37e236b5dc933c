"""A language model at a seat."""

import asyncio
import time
from collections.abc import Iterable
from typing import Any

from parlour.core import AnswerRefused, Ask, Asked, BadMessage, Event, Game, Noted, Notice, Over, Place, Value
from parlour.core.values import plain
from parlour.players.models.apis import connect
from parlour.players.models.budgets import dollars
from parlour.players.models.call_records import ModelCall, Outcome, common
from parlour.players.models.conversation import ModelDialogue, Understood, written
from parlour.players.models.desk import Counted
from parlour.players.models.exchange import ModelConnection, ModelFailure, ModelRequest, PromptMessage
from parlour.players.models.options import ModelTerms
from parlour.players.models.service import ModelService
from parlour.referee.match import Out
from parlour.referee.player import Post, crashed

MARGIN_S = 0.25
"""How long before the deadline the answer of the model must have come."""
MOST_THOUGHTS = 700
"""Characters of a model's own words in the note for the owner."""
MOST_KEPT = 20_000
"""Characters of an answer that a record keeps."""
NO_LIMIT_S = 120.0
"""How long a model may take if the referee sets no limit."""
NO_ANSWER = "no_answer"
"""The code of the fault if a model cannot be asked."""
PAUSES_S = (0.0, 0.1, 0.5, 2.0, 5.0)
"""Pauses before the player reports that it has no answer, by attempt. They prevent a tight loop of asks."""


class ModelPlayer:
    """Asks a model for each decision. The loop is never blocked: texts are written and read in a thread."""

    follows = False

    def __init__(
        self, game: Game[Any], terms: ModelTerms, service: ModelService | None, past: Iterable[Out] = ()
    ) -> None:
        self._game = game
        self._terms = terms
        self._service = service or ModelService()
        self._past = past
        """The output of a resumed match so far."""
        self._post: Post | None = None
        self._place: Place | None = None
        self._api: ModelConnection | None = None
        self._task: asyncio.Task[None] | None = None
        self._asked = 0
        """The open ask; 0: none."""
        self._shown: tuple[PromptMessage, ...] = ()
        """The messages of the last prompt that was recorded."""

    async def connect(self) -> None:
        """Load the client of the API, which can take seconds the first time."""
        if self._api is None:
            self._api = await (self._service.connect or connect)(self._terms)

    def sit(self, place: Place, view: Value, post: Post) -> None:
        self._place, self._post = place, post
        self._talk = ModelDialogue(self._game, place, self._terms)
        past, self._past = self._past, ()
        for out in past:
            for notice in out.to(place.seat):
                if isinstance(notice, Event):
                    self._talk.hear(notice)

    def tell(self, notice: Notice, view: Value | None) -> None:
        if isinstance(notice, Asked) and view is not None:
            self._stop()
            if (default := notice.ask.default) is not None:
                self._say(default, notice.n)
                return
            self._asked = notice.n
            self._task = asyncio.ensure_future(self._decide(notice, view))
        elif isinstance(notice, AnswerRefused):
            self._talk.refused(notice)
            if notice.cost is not None and notice.n == self._asked:
                self._stop()
        elif isinstance(notice, Event):
            self._talk.hear(notice)
        elif isinstance(notice, Over):
            self._stop()

    def auto(self, ask: Ask[Any]) -> Any | None:
        """The automatic answer to asks that leave nothing to decide."""
        return ask.default

    async def close(self) -> None:
        """Stop asking, and disconnect."""
        self._post = None
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        if self._api is not None:
            await self._api.close()
            self._api = None

    def _stop(self) -> None:
        self._asked = 0
        if self._task is not None:
            self._task.cancel()

    def _say(self, said: Any, n: int) -> None:
        if self._post is not None:
            self._post(said, n)

    # A decision

    async def _decide(self, asked: Asked, view: Value) -> None:
        deadline = Deadline(asked)
        try:
            said = await self._decided(asked, view, deadline)
        except Exception as e:  # a bug of ours, or of a plug-in's text form, counts as no answer
            said = crashed(e)
        if isinstance(said, BadMessage):
            self._talk.undecided()
            if deadline.is_over and said.code == NO_ANSWER:
                return  # the referee's clock counts the silence as a fault
            pause = PAUSES_S[min(asked.attempt, len(PAUSES_S)) - 1]
            await asyncio.sleep(min(pause, deadline.left()))
        self._say(said, asked.n)

    async def _decided(self, asked: Asked, view: Value, deadline: "Deadline") -> Any:
        """The action with a note, or BadMessage."""
        await self.connect()
        question = self._talk.begin(asked, view)
        self._talk.open(await asyncio.to_thread(question))
        error: BadMessage | None = None
        for _ in range(self._terms.options.retries + 1):
            exchange = Exchange(asked, await asyncio.to_thread(self._talk.request))
            try:
                counted = await self._ask(exchange, deadline)
            except ModelFailure as e:
                return error or BadMessage(NO_ANSWER, e.words)
            try:
                understood = await asyncio.to_thread(self._talk.read, counted.reply)
            except BadMessage as e:
                error = BadMessage(e.code, plain(e.words))
                self._record(exchange, counted, "unreadable", e.words)
                self._talk.correct(counted.reply, e)
            else:
                self._record(exchange, counted, "answered", understood.words)
                self._talk.decided(understood)
                return Noted(understood.action, _note(understood, counted, exchange))
        return error

    async def _ask(self, exchange: "Exchange", deadline: "Deadline") -> Counted:
        """The reply, or ModelFailure. Both a failure and a cancellation are recorded."""
        desk, purse = self._service.desk, self._service.purse
        assert self._api is not None
        try:
            return await desk.ask(self._api, self._terms, exchange.request, deadline.left, purse)
        except ModelFailure as e:
            self._record(exchange, None, "failed", e.words)
            raise
        except asyncio.CancelledError:
            self._record(exchange, None, "dropped", "the time for the answer was over")
            raise

    def _record(self, exchange: "Exchange", counted: Counted | None, outcome: Outcome, words: str) -> None:
        sink, place = self._service.sink, self._place
        if sink is None or place is None:
            return
        messages = exchange.request.messages
        kept = common(self._shown, messages)
        self._shown = messages
        call = ModelCall(
            match=place.match,
            seat=place.seat,
            ask=exchange.asked.n,
            attempt=exchange.asked.attempt,
            model=self._terms.label,
            at_ms=exchange.at_ms,
            ms=exchange.ms(),
            kept=kept,
            messages=messages[kept:],
            function=exchange.request.function,
            answer="" if counted is None else written(counted.reply)[:MOST_KEPT],
            outcome=outcome,
            words=plain(words),
            tokens_in=0 if counted is None else counted.tokens_in,
            tokens_out=0 if counted is None else counted.tokens_out,
            estimated=counted is not None and counted.estimated,
            nanodollars=0 if counted is None else counted.nanodollars,
            cached=counted is not None and counted.cached,
        )
        sink.add(call)


class Deadline:
    """The time at which an answer is too late."""

    def __init__(self, asked: Asked) -> None:
        self._time = asyncio.get_running_loop().time
        due = asked.due
        if due is None and asked.limit_ms is not None:  # a client is told how long it has, not until when
            due = self._time() + (asked.limit_ms + (asked.bank_ms or 0)) / 1000
        self._has_clock = due is not None
        self._due = self._time() + NO_LIMIT_S if due is None else due

    @property
    def is_over(self) -> bool:
        """Whether the referee's clock says that the answer is late."""
        return self._has_clock and self._time() >= self._due - MARGIN_S

    def left(self) -> float:
        """Seconds, without the margin."""
        return max(0.01, self._due - MARGIN_S - self._time())


class Exchange:
    """A request that was sent, and when."""

    def __init__(self, asked: Asked, request: ModelRequest) -> None:
        self.asked = asked
        self.request = request
        self.at_ms = int(time.time() * 1000)
        self._since = time.monotonic()

    def ms(self) -> int:
        return round((time.monotonic() - self._since) * 1000)


def _note(understood: Understood, counted: Counted, exchange: Exchange) -> str:
    """The note for the owner of the seat: the model's own words; tokens, time and cost of the decision."""
    cost = f", {dollars(counted.nanodollars)}" if counted.nanodollars else ""
    took = "from the cache" if counted.cached else f"{exchange.ms() / 1000:.1f} s"
    facts = f"[{counted.tokens_in} + {counted.tokens_out} tokens, {took}{cost}]"
    return f"{plain(understood.thoughts, MOST_THOUGHTS)} {facts}".strip()

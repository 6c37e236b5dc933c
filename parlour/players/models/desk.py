"""Everything that the model players of a process share: rate limits, cache and budget."""

import asyncio
import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import msgspec
from msgspec import Struct

from parlour.players.models.answer_cache import AnswerCache
from parlour.players.models.budgets import NANOS, Ceiling, FreePurse, Purse
from parlour.players.models.endpoints import Endpoint
from parlour.players.models.exchange import ModelConnection, ModelFailure, ModelReply, ModelRequest
from parlour.players.models.options import BadModel, ModelTerms
from parlour.transports.rate_limits import TokenBucket

FIRST_WAIT_S = 0.5
"""The pause after the first failure; each further one is twice as long."""
LONGEST_WAIT_S = 30.0
DOWN_S = 60.0
"""How long an endpoint counts as down after all attempts of a request have failed."""
MAY_COST = frozenset(("timeout", "bad_reply", "too_long"))
"""Codes of failures after which the endpoint may still charge for the request."""
BYTES_PER_TOKEN = 4
"""An estimate, for endpoints that do not tell the tokens."""
FEWEST_BYTES_PER_TOKEN = 2
"""For the highest cost of a request."""
PER_MESSAGE = 10
"""Tokens that each message of a prompt takes beside its text."""

CACHE, BUDGET, LEDGER = "PARLOUR_MODEL_CACHE", "PARLOUR_MODEL_BUDGET", "PARLOUR_MODEL_LEDGER"
"""Variables: the folder of the cache, the ceiling in dollars, and the file in which processes that share the ceiling
count."""


class Counted(Struct, frozen=True):
    """A reply with what it took."""

    reply: ModelReply
    tokens_in: int
    tokens_out: int
    estimated: bool
    nanodollars: int
    cached: bool


class ModelDesk:
    """Sends the requests of all model players."""

    def __init__(self, cache: AnswerCache | None = None, purse: Purse | None = None) -> None:
        self._cache = cache
        self._purse = purse or FreePurse()
        self._buckets: dict[tuple[Endpoint, int], TokenBucket] = {}
        self._not_before: dict[Endpoint, float] = {}
        """When an endpoint that was busy may be asked again, by the monotonic clock."""
        self._down_until: dict[Endpoint, float] = {}
        """Until when requests to an endpoint that failed in every attempt are sent only once."""

    async def ask(
        self, api: ModelConnection, terms: ModelTerms, request: ModelRequest, left: Callable[[], float], own: Purse
    ) -> Counted:
        """The answer from the cache or from the endpoint; ModelFailure if there is none.

        `left` tells the seconds until the answer is too late; `own` pays besides the ceiling of all matches."""
        if self._cache is not None:
            known = await asyncio.to_thread(self._cache.find, terms, request)
            if known is not None:
                return self._counted(terms, request, known, cached=True)
        counted = await self._asked(api, terms, request, left, own)
        if self._cache is not None:
            await asyncio.to_thread(self._cache.keep, terms, request, counted.reply)
        return counted

    async def _asked(
        self, api: ModelConnection, terms: ModelTerms, request: ModelRequest, left: Callable[[], float], own: Purse
    ) -> Counted:
        """Ask until there is an answer, the next attempt would come too late, or no attempt is left."""
        tries, wait_s, most = 0, FIRST_WAIT_S, self._attempts(terms)
        while True:
            await self._wait_for_turn(terms, left)
            tries += 1
            try:
                counted = await self._paid(api, terms, request, min(terms.options.request_s, left()), own)
            except ModelFailure as e:
                pause = wait_s if e.wait_s is None else e.wait_s
                if e.wait_s is not None:
                    self._not_before[terms.endpoint] = time.monotonic() + e.wait_s
                if not e.is_final and tries >= most:
                    self._down_until[terms.endpoint] = time.monotonic() + DOWN_S
                if e.is_final or tries >= most or pause >= left():
                    raise
            else:
                self._down_until.pop(terms.endpoint, None)
                return counted
            await asyncio.sleep(pause)
            wait_s = min(2 * wait_s, LONGEST_WAIT_S)

    def _attempts(self, terms: ModelTerms) -> int:
        """How often a request may be sent. While an endpoint does not answer at all, matches do not wait for it."""
        is_down = self._down_until.get(terms.endpoint, 0.0) > time.monotonic()
        return 1 if is_down else terms.options.attempts

    async def _paid(
        self, api: ModelConnection, terms: ModelTerms, request: ModelRequest, timeout_s: float, own: Purse
    ) -> Counted:
        """Send one request and pay for it. Its highest cost is taken first, because a cancelled request may have to be
        paid as well."""
        most = terms.nanodollars(*most_tokens(request))
        await _take(own, most)
        cost = 0
        try:
            await _take(self._purse, most)
            cost = most
            try:
                counted = self._counted(terms, request, await api.ask(request, timeout_s), cached=False)
                cost = counted.nanodollars
                return counted
            except ModelFailure as e:
                cost = most if e.code in MAY_COST else 0
                raise
            finally:
                await asyncio.shield(self._purse.put_back(most - cost))
        finally:
            await asyncio.shield(own.put_back(most - cost))

    def _counted(self, terms: ModelTerms, request: ModelRequest, reply: ModelReply, *, cached: bool) -> Counted:
        told_in, told_out = reply.tokens_in, reply.tokens_out
        tokens_in = estimated_tokens(size(request)) if told_in is None else told_in
        said = len(reply.text.encode("utf-8", "replace")) + sum(len(call.arguments) for call in reply.calls)
        tokens_out = estimated_tokens(said) if told_out is None else told_out
        cost = 0 if cached else terms.nanodollars(tokens_in, tokens_out)
        return Counted(reply, tokens_in, tokens_out, told_in is None or told_out is None, cost, cached)

    async def _wait_for_turn(self, terms: ModelTerms, left: Callable[[], float]) -> None:
        """Wait as the rate limit demands; ModelFailure if the answer would then come too late."""
        pause = max(0.0, self._not_before.get(terms.endpoint, 0.0) - time.monotonic())
        bucket: TokenBucket | None = None
        if (per_minute := terms.options.requests_per_minute) is not None:
            unused = TokenBucket(max(1, per_minute // 10), per_minute / 60)
            bucket = self._buckets.setdefault((terms.endpoint, per_minute), unused)
            pause = max(pause, bucket.delay_s())
        if pause >= left():
            if bucket is not None:
                bucket.delay_s(-1)
            raise ModelFailure("busy", f"{terms.endpoint.where} may not be asked for another {pause:.3g} s")
        await asyncio.sleep(pause)


async def _take(purse: Purse, nanos: int) -> None:
    """Take an amount; nothing if this is cancelled, although a purse may be writing then."""
    taking = asyncio.ensure_future(purse.take(nanos))
    try:
        await asyncio.shield(taking)
    except asyncio.CancelledError:
        while not taking.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([taking])
        if not taking.cancelled() and taking.exception() is None:
            await asyncio.shield(purse.put_back(nanos))
        raise


def size(request: ModelRequest) -> int:
    """The bytes of a prompt, with the function."""
    texts = sum(len(each.text.encode("utf-8", "replace")) for each in request.messages)
    return texts + (0 if request.function is None else len(msgspec.json.encode(request.function)))


def estimated_tokens(size: int) -> int:
    """An estimate of the tokens of a text, from its bytes."""
    return size // BYTES_PER_TOKEN


def most_tokens(request: ModelRequest) -> tuple[int, int]:
    """The most tokens that a request may take, in and out."""
    return size(request) // FEWEST_BYTES_PER_TOKEN + PER_MESSAGE * len(request.messages), request.max_tokens


def usual_desk() -> ModelDesk:
    """The desk of this process, as the environment configures it."""
    environment = os.environ
    return _desk(environment.get(CACHE, ""), environment.get(BUDGET, ""), environment.get(LEDGER, ""))


@lru_cache(maxsize=4)
def _desk(cache: str, budget: str, ledger: str) -> ModelDesk:
    return ModelDesk(AnswerCache(Path(cache)) if cache else None, _ceiling(budget, ledger))


def usual_ceiling() -> Purse | None:
    """The ceiling that the environment sets, if any."""
    return _ceiling(os.environ.get(BUDGET, ""), os.environ.get(LEDGER, ""))


def _ceiling(budget: str, ledger: str) -> Purse | None:
    limit = read_budget(budget)
    return None if limit is None else Ceiling(limit, Path(ledger) if ledger else None)


def read_budget(text: str) -> int | None:
    """A ceiling in billionths of a dollar; None: none is set."""
    if not text:
        return None
    try:
        amount = float(text)
    except ValueError:
        amount = -1.0
    if not 0 <= amount <= 1e9:
        raise BadModel(f"{BUDGET}={text[:40]}: write an amount in dollars, such as 2.50")
    return round(amount * NANOS)


def check_affordable(terms: ModelTerms, environment: Mapping[str, str] = os.environ) -> None:
    """BadModel if there is a ceiling, and the prices of the model are unknown."""
    if read_budget(environment.get(BUDGET, "")) is not None and not terms.has_prices:
        raise BadModel(
            f"{terms.label}: a budget needs its prices; add price_in and price_out, in dollars per million tokens"
        )

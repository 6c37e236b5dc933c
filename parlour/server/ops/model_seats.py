"""Models at seats of the arena: their budgets, and the records of their requests."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from parlour.core import Seat
from parlour.core.values import plain, why_not_a_name
from parlour.players.models.answer_cache import AnswerCache
from parlour.players.models.budgets import NANOS, FreePurse, dollars, no_budget
from parlour.players.models.call_records import CallSink, ModelCall
from parlour.players.models.desk import ModelDesk, usual_ceiling
from parlour.players.models.options import PREFIX, BadModel, ModelTerms, read_model
from parlour.players.models.service import ModelService
from parlour.protocol.errors import RequestError
from parlour.server.settings import BadSettings, Settings
from parlour.store.store import Store
from parlour.tables.seat_log import SeatLogs

CALLS_BYTES = 2 * 2**20
"""Bytes of prompts and answers that are kept of a seat and match. Later requests are kept without their texts."""


def read_models(settings: Settings) -> dict[str, ModelTerms]:
    """The models of the settings, ready to be asked; BadSettings if one cannot be."""
    found = {}
    for name, text in settings.models.items():
        try:
            terms = read_model(PREFIX + text.removeprefix(PREFIX))
        except BadModel as e:
            raise BadSettings(f"models.{name}: {e}") from None
        if (why := why_not_a_name(name)) is not None:
            raise BadSettings(f"models.{plain(name, 80)}: {why}")
        if not terms.has_prices:
            raise BadSettings(f"models.{name}: price_in and price_out are needed; 0 for a model that costs nothing")
        found[name] = terms
    return found


def usual_model_budget(settings: Settings) -> int:
    """The budget of accounts for which administrators have set none, in billionths of a dollar."""
    return round(settings.model_account_budget * NANOS)


class AccountPurse:
    """Pays from the budget of an account."""

    def __init__(self, store: Store, account: int, usual: int) -> None:
        self._store, self._account, self._usual = store, account, usual

    async def take(self, nanos: int) -> None:
        if nanos and (budget := await self._store.models.spend(self._account, self._usual, nanos)) is not None:
            raise no_budget(budget.left, nanos, "the account")

    async def put_back(self, nanos: int) -> None:
        if nanos:
            await self._store.models.put_back(self._account, nanos)


class PaidCalls(CallSink):
    """Collects the requests of a match, to be stored."""

    def __init__(self, logs: SeatLogs, account: int | None) -> None:
        self._logs, self._account = logs, account
        self._bytes: Counter[Seat] = Counter()

    def add(self, call: ModelCall) -> None:
        size = len(call.answer) + sum(len(message.text) for message in call.messages)
        self._bytes[call.seat] += size
        if self._bytes[call.seat] > CALLS_BYTES:
            call = replace(call, messages=(), function=None, answer="", kept=0)
        self._logs.calls.append((self._account, call))


class AccountModels:
    """Lets models play at tables. The account that created a table pays for its models."""

    def __init__(self, store: Store, logs: SeatLogs, settings: Settings) -> None:
        self._store, self._logs = store, logs
        cache = None if settings.model_cache is None else AnswerCache(Path(settings.model_cache))
        self._desk = ModelDesk(cache, usual_ceiling())
        self.usual = usual_model_budget(settings)
        """The budget of an account for which administrators have set none."""

    async def check(self, model: ModelTerms, owner: int | None) -> None:
        """RequestError if the owner of a table has no budget for this model."""
        if owner is None or not model.nanodollars(1_000_000, 1_000_000):
            return
        budget = await self._store.models.budget(owner, self.usual)
        if not budget.left:
            words = f"your budget for models, {dollars(budget.most)}, is used up; an administrator can raise it"
            raise RequestError(403, "no_model_budget", words)

    def service(self, owner: int | None) -> ModelService:
        purse = FreePurse() if owner is None else AccountPurse(self._store, owner, self.usual)
        return ModelService(self._desk, purse, PaidCalls(self._logs, owner))


async def load_clients(models: Mapping[str, ModelTerms]) -> None:
    """Import the clients of the models before the first one plays, because that takes seconds."""
    if models:
        from parlour.players.models.apis import connect

        for terms in models.values():
            await (await connect(terms)).close()

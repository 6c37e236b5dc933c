"""API routes for models at seats: those that the host offers, budgets, and what they were asked."""

from collections.abc import Sequence

import msgspec
from litestar import get, put
from litestar.params import FromPath, JSONBody
from msgspec import structs

from parlour.core import Seat
from parlour.players.models.budgets import NANOS
from parlour.players.models.call_records import ModelCall
from parlour.protocol.errors import RequestError
from parlour.protocol.reports import tell
from parlour.server.api.app import AnyRequest
from parlour.server.api.forms import ModelBudgetInfo, ModelCalls, OfferedModel, OwnModels, SetModelBudget, ShownCall
from parlour.server.api.lookups import found_account
from parlour.server.api.replays import ReplayRoutes
from parlour.server.api.requests import BODY, Id, Routes, SeatNumber, address, bearer, with_token
from parlour.server.api.seat_owners import SeatOwners
from parlour.server.ops.model_seats import usual_model_budget
from parlour.server.ops.seat_texts import TextKeeper
from parlour.server.replays.jobs import ReplayJob
from parlour.server.venue import Premises
from parlour.store.model_calls import ModelBudget
from parlour.store.store import FINISHED


def budget_info(budget: ModelBudget) -> ModelBudgetInfo:
    """A budget in dollars."""
    return ModelBudgetInfo(budget.most / NANOS, budget.spent / NANOS, budget.left / NANOS)


def _placed(call: ModelCall, frames: Sequence[int]) -> ShownCall:
    """`frames`: of the seat, by ask."""
    frame = frames[call.ask - 1] if 0 < call.ask <= len(frames) else 0
    return ShownCall(**structs.asdict(call), frame=frame or None)


class ModelRoutes(Routes):
    """Routes for accounts whose tables have models, and for administrators who set budgets."""

    def __init__(self, premises: Premises, owners: SeatOwners, keeper: TextKeeper, replays: ReplayRoutes) -> None:
        self._store, self._arena, self._door = premises.store, premises.arena, premises.doorkeeper
        self._owners, self._keeper, self._replays = owners, keeper, replays
        self._usual_budget = usual_model_budget(premises.settings)

    @get("/me/models", **with_token())
    async def own_models(self, request: AnyRequest) -> OwnModels:
        """The models that the host offers for any game, and your budget for those that play at your tables."""
        known = await self._owners.known(bearer(request))
        offered = [
            OfferedModel(name, terms.label, terms.options.price_in or 0.0, terms.options.price_out or 0.0)
            for name, terms in self._arena.dealer.models.items()
        ]
        return OwnModels(tuple(offered), await self._budget(known.account.id))

    @get("/matches/{match:str}/models", **with_token(400, 404, 409, 429))
    async def model_calls(self, request: AnyRequest, match: Id, seat: SeatNumber = None) -> ModelCalls:
        """The questions to the models in a finished match, and their answers, tokens and cost: for the account that
        created the table, and paid for them; administrators see those for which the host paid."""
        stored, known = await self._owners.match(match, bearer(request), or_admin=True)
        is_payer = "play" in known.scopes and stored.owner == known.account.id
        if not is_payer and not (stored.owner is None and "admin" in known.scopes):
            raise RequestError(403, "not_yours", "only the account that created the table")
        if stored.state not in FINISHED:
            raise RequestError(409, "not_over", "what models were asked is shown when the match is over")
        await self._keeper.save()
        calls = await self._store.models.calls(match, seat, stored.owner)
        return ModelCalls(await self._shown(match, calls, address(request)))

    async def _shown(self, match: str, calls: Sequence[ModelCall], where: str) -> tuple[ShownCall, ...]:
        """The calls with their moments."""
        frames = await self._ask_frames(match, where) if calls else {}
        return tuple(_placed(call, frames.get(call.seat, [])) for call in calls)

    async def _ask_frames(self, match: str, where: str) -> dict[Seat, list[int]]:
        """By seat and ask, the frames of the replay; none if the match cannot be replayed."""
        try:
            told = await self._replays.ask(ReplayJob(kind="asks", key=match), where)
        except RequestError as e:
            if e.status in (429, 503):  # a later request may succeed
                raise
            return {}
        return msgspec.json.decode(told, type=dict[Seat, list[int]])

    @get("/accounts/{account:int}/model-budget", **with_token(400, 404))
    async def model_budget(self, request: AnyRequest, account: FromPath[int]) -> ModelBudgetInfo:
        """The budget of an account for models, and how much it has spent, for administrators."""
        await self._found(request, account)
        return await self._budget(account)

    @put("/accounts/{account:int}/model-budget", **with_token(*BODY, 404))
    async def set_model_budget(
        self, request: AnyRequest, account: FromPath[int], data: JSONBody[SetModelBudget]
    ) -> ModelBudgetInfo:
        """Set the whole budget of an account for models, for administrators. Earlier spending stays counted."""
        await self._found(request, account)
        most = None if data.limit is None else round(data.limit * NANOS)
        await self._store.models.set_most(account, most)
        tell("model budget set", account=account, dollars=data.limit)
        return await self._budget(account)

    async def _budget(self, account: int) -> ModelBudgetInfo:
        return budget_info(await self._store.models.budget(account, self._usual_budget))

    async def _found(self, request: AnyRequest, id: int) -> None:
        await self._allowed(request, "admin")
        await found_account(self._store, id)

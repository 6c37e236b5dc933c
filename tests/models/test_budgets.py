"""What may be spent: ceilings that matches and processes share; and how fast an endpoint is asked."""

import asyncio
import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from parlour.players.models.budgets import NANOS, Ceiling, FreePurse, Purse, dollars
from parlour.players.models.desk import BUDGET, ModelDesk
from parlour.players.models.exchange import ModelFailure, ModelReply, ModelRequest, PromptMessage
from parlour.players.models.options import read_model
from parlour.players.player_specs import BadPlayer, load
from parlour.server.ops.model_seats import AccountPurse
from parlour.store import model_calls
from parlour.store.store import Store
from tests.models.matches import FORSALE, match_of
from tests.models.server import ModelServer, Reply
from tests.store.stored import kept
from tests.turned import run, until

PRICED = "price_in=10&price_out=100&max_tokens=100"
COST = 100 * 10 * 1000 + 10 * 100 * 1000
"""Of a request of the server, in billionths of a dollar."""


def test_no_budget_is_one_clear_line_and_the_match_goes_on(server: ModelServer) -> None:
    desk = ModelDesk(purse=Ceiling(NANOS // 20))
    recorded = match_of(f"model:local/dear?{PRICED}", "model:other/free?price_in=0&price_out=0", "random", desk=desk)
    assert recorded.is_over and recorded.codes() == {"no_answer"}
    spent = sum(call.nanodollars for call in recorded.calls)
    assert spent == len(server.of("dear")) * COST <= NANOS // 20
    words = recorded.refused[0].fault.words
    assert words.startswith("no budget: the ceiling of $0.0500 has $0.0") and "the next request may cost $0.0" in words
    assert {call.outcome for call in recorded.of(1)} == {"answered"}, "what costs nothing goes on"


def test_a_failed_request_costs_nothing_and_one_that_is_cut_short_all(server: ModelServer) -> None:
    failing, slow = Ceiling(100 * NANOS), Ceiling(100 * NANOS)
    server.models |= {
        "failing": lambda request, count: Reply(status=500),
        "slow": lambda request, count: Reply(wait_s=30.0),
    }
    match_of(f"model:local/failing?{PRICED}&attempts=1", "minimum", "random", desk=ModelDesk(purse=failing))
    assert failing._spent == 0
    model = f"model:local/slow?{PRICED}&attempts=1&request_s=0.02"
    recorded = match_of(model, "minimum", "random", desk=ModelDesk(purse=slow))
    assert slow._spent >= len(recorded.of(0)) * 100 * 100 * 1000, "at least the longest answer of each"
    server.models["junk"] = lambda request, count: Reply(raw=b'{"choices": []}')
    junk = Ceiling(100 * NANOS)
    recorded = match_of(f"model:local/junk?{PRICED}&attempts=1", "minimum", "random", desk=ModelDesk(purse=junk))
    assert junk._spent >= len(recorded.of(0)) * 100 * 100 * 1000, "what cannot be read may have to be paid"


def test_matches_at_the_same_time_share_a_ceiling() -> None:
    async def test() -> int:
        ceiling, taken = Ceiling(100), 0

        async def one() -> None:
            nonlocal taken
            try:
                await ceiling.take(30)
                taken += 30
            except ModelFailure as e:
                assert e.is_final and e.code == "no_budget"

        await asyncio.gather(*(one() for _ in range(20)))
        return taken

    assert asyncio.run(test()) == 90


def _take(file: Path, takes: int) -> int:
    async def take() -> int:
        ceiling, taken = Ceiling(1000, file), 0
        for _ in range(takes):
            try:
                await ceiling.take(10)
                taken += 10
            except ModelFailure:
                pass
        return taken

    return asyncio.run(take())


def test_processes_share_a_ceiling_in_a_file(tmp_path: Path) -> None:
    with get_context("spawn").Pool(2) as pool:
        assert sum(pool.starmap(_take, [(tmp_path / "spent", 80)] * 2)) == 1000
    assert _take(tmp_path / "spent", 1) == 0, "a later run goes on counting"


def test_a_file_in_which_nothing_can_be_counted_is_one_clear_line(server: ModelServer, tmp_path: Path) -> None:
    (tmp_path / "spent").write_bytes(b"no database at all" * 100)
    desk = ModelDesk(purse=Ceiling(NANOS, tmp_path / "spent"))
    recorded = match_of(f"model:local/dear?{PRICED}", "minimum", "random", desk=desk)
    assert recorded.is_over and recorded.codes() == {"no_answer"} and not server.requests
    said = {each.fault.words for each in recorded.refused}
    assert said == {f"no budget: what is spent cannot be counted in {tmp_path / 'spent'}: file is not a database"}


class Pause:
    """Another thread is in the middle of something until it may go on."""

    def __init__(self) -> None:
        self.began, self.goes_on = Event(), Event()

    def before(self, work: Callable[..., Any]) -> Callable[..., Any]:
        def paused(*args: Any) -> Any:
            self.began.set()
            self.goes_on.wait(60)
            return work(*args)

        return paused


class Untouched:
    """A model that must not be asked."""

    async def ask(self, request: ModelRequest, timeout_s: float) -> ModelReply:
        raise AssertionError

    async def close(self) -> None: ...


async def cancelled(pause: Pause, desk: ModelDesk, own: Purse) -> None:
    """A request that is cancelled, twice, while what it may cost is taken."""
    request = ModelRequest("dear", (PromptMessage("user", "Your move?"),), None, 100, None)
    terms = read_model(f"model:local/dear?{PRICED}")
    asking = asyncio.create_task(desk.ask(Untouched(), terms, request, lambda: 60.0, own))
    await until(pause.began.is_set)
    for _ in range(2):
        asking.cancel()
        await asyncio.sleep(0)
    pause.goes_on.set()
    with pytest.raises(asyncio.CancelledError):
        await asking


def test_a_request_that_is_cancelled_before_it_is_sent_costs_an_account_nothing(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pause = Pause()
    monkeypatch.setattr(model_calls, "_add", pause.before(model_calls._add))

    async def work(store: Store) -> None:
        ada = await store.add_account("ada", "$hash")
        await cancelled(pause, ModelDesk(), AccountPurse(store, ada.id, NANOS))
        assert (await store.models.budget(ada.id, NANOS)).left == NANOS

    kept(f"sqlite:///{tmp_path / 'arena.db'}", work)


def test_a_request_that_is_cancelled_before_it_is_sent_takes_nothing_from_the_ceiling(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pause, ceiling = Pause(), Ceiling(NANOS, tmp_path / "spent")
    monkeypatch.setattr(ceiling, "_take_from", pause.before(ceiling._take_from))

    async def work() -> None:
        await cancelled(pause, ModelDesk(purse=ceiling), FreePurse())
        await ceiling.take(NANOS)

    run(work())


def test_a_budget_needs_prices(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(BUDGET, "1.0")
    with pytest.raises(BadPlayer, match="local/x: a budget needs its prices; add price_in and price_out"):
        load(FORSALE, "model:local/x")
    assert load(FORSALE, "model:local/x?price_in=0&price_out=0").name == "x"


def test_amounts_are_shown_with_the_digits_that_matter() -> None:
    assert [dollars(nanos) for nanos in (0, 12_000, 12_340_000, 2_500_000_000)] == [
        "$0.00", "$0.000012", "$0.0123", "$2.50",
    ]  # fmt: skip


def test_requests_keep_the_limit_of_the_endpoint(server: ModelServer) -> None:
    began = time.monotonic()
    limit = "requests_per_minute=1200"
    recorded = match_of(f"model:local/one?{limit}", f"model:local/two?{limit}", f"model:other/three?{limit}")
    requests = len(server.of("one")) + len(server.of("two"))
    least = (requests - 1200 // 10) / (1200 / 60)
    assert not recorded.refused and time.monotonic() - began >= least
    server.requests.clear()
    recorded = match_of("model:local/one?requests_per_minute=30", "minimum", "random", limit_s=1.0)
    assert recorded.is_over and "may not be asked for another" in recorded.of(0)[-1].words

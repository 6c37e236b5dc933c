"""Wrong passwords are logged and limited, for all names and addresses; hashes are strong and up to date."""

import asyncio
import io
import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from threading import get_ident
from typing import Any

import pytest
from argon2 import PasswordHasher, extract_parameters

from parlour import plugins
from parlour.plugins import names
from parlour.protocol.errors import RequestError
from parlour.server import reserved_names
from parlour.server.accounts import SCOPES, Doorkeeper, let_in
from parlour.server.api import accounts as api_accounts
from parlour.server.net.login_limits import MOST_ADDRESSES, LoginLimits
from parlour.server.ops.logs import written
from parlour.store import name_skeletons as skeletons
from parlour.store import passwords as accounts
from parlour.store.store import Store
from tests.cli.test_commands import parlour
from tests.server.arenas import Hall, House, evening
from tests.server.test_matrix import told
from tests.store.stored import kept
from tests.turned import run, turn


class Addresses:
    """Where requests come from, as far as the server can tell."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = "10.0.0.1"
        monkeypatch.setattr(api_accounts, "address", lambda request: self.now)


@pytest.fixture
def where(monkeypatch: pytest.MonkeyPatch) -> Addresses:
    return Addresses(monkeypatch)


async def log_in(hall: Hall, password: str, token: str | None = None, name: str = "ada") -> str:
    """Log in; returns the code of the error, or nothing."""
    code: str = (await hall.post("/login", token, name=name, password=password)).json().get("code", "")
    return code


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path, wrong_logins_a_minute=3, log="off")


# By account


def test_a_guess_from_many_addresses_is_slowed_down(house: House, where: Addresses) -> None:
    async def work(hall: Hall) -> None:
        await hall.account("ada")
        said = []
        for n in range(5):
            where.now = f"10.0.1.{n}"
            said.append(await log_in(hall, f"guess number {n}"))
        assert said == ["wrong_login"] * 3 + ["too_many_tries"] * 2
        assert await log_in(hall, "long enough") == "too_many_tries", "even if it is the right one"
        await hall.account("bob")
        assert await log_in(hall, "long enough", name="bob") == "", "another account is another matter"
        turn(61)
        assert await log_in(hall, "long enough") == ""

    evening(house, work)


def test_many_guesses_at_once_are_many(house: House, where: Addresses) -> None:
    async def work(hall: Hall) -> None:
        await hall.account("ada")
        said = await asyncio.gather(*(log_in(hall, f"guess number {n}") for n in range(8)))
        assert sorted(said) == ["too_many_tries"] * 5 + ["wrong_login"] * 3

    evening(house, work)


def test_a_stranger_does_not_lock_the_owner_out(house: House, where: Addresses) -> None:
    """The owner uses an address that it has logged in from, or a token."""

    async def work(hall: Hall) -> None:
        await hall.account("ada")
        assert await log_in(hall, "long enough") == ""
        where.now = "10.6.6.6"
        while await log_in(hall, "guess number n") != "too_many_tries":
            pass
        bob = await hall.account("bob")
        assert await log_in(hall, "long enough", bob) == "too_many_tries", "a token of another proves nothing"
        where.now = "10.0.0.1"
        assert await log_in(hall, "long enough") == ""
        token = (await hall.post("/login", name="ada", password="long enough")).json()["token"]
        where.now = "10.9.9.9"
        assert await log_in(hall, "long enough", token) == ""
        assert await log_in(hall, "long enough") == "", "and is known there now"

    evening(house, work)


def test_the_limit_does_not_tell_which_names_there_are(house: House, where: Addresses) -> None:
    async def work(hall: Hall) -> None:
        await hall.account("ada")
        for name in ("ada", "nobody"):
            said = [await log_in(hall, "guess number n", name=name) for _ in range(5)]
            assert said == ["wrong_login"] * 3 + ["too_many_tries"] * 2

    evening(house, work)


def test_a_change_of_the_password_is_counted_like_a_log_in(house: House, where: Addresses) -> None:
    async def work(hall: Hall) -> None:
        await hall.account("ada")
        body = {"name": "ada", "password": "guess number n", "new_password": "long enough"}
        said = [(await hall.post("/password", **body)).json()["code"] for _ in range(4)]
        assert said == ["wrong_login"] * 3 + ["too_many_tries"]
        assert await log_in(hall, "long enough") == "too_many_tries"

    evening(house, work)


def test_passwords_of_accounts_are_not_guessed_in_rooms_either(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        await hall.account("ada")
        async with hall.connect("/action_channel") as line:
            said = [(await told(line, "ada"))["err_msg"] for _ in range(4)]
        assert said == ["Username exists"] * 3 + ["at most 3 tries in 60 s"]
        assert await log_in(hall, "long enough") == "too_many_tries"

    evening(House(tmp_path, wrong_logins_a_minute=3, log="off", rooms=1), work)


def test_only_so_many_addresses_are_remembered() -> None:
    async def work() -> None:
        limits = LoginLimits(1)
        for n in range(MOST_ADDRESSES + 1):
            limits.right("ada", f"10.0.0.{n}")
        limits.count("ada", "10.0.0.0")
        with pytest.raises(RequestError):
            limits.count("ada", "10.0.0.0")
        for n in range(1, MOST_ADDRESSES + 1):
            limits.count("ada", f"10.0.0.{n}")

    run(work())


# The log


def test_wrong_passwords_are_in_the_log_without_what_was_said(tmp_path: Path, where: Addresses) -> None:
    log = io.StringIO()

    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        id = await hall.id(ada)
        with written("info", log):
            await log_in(hall, "secret guess", ada)
            await log_in(hall, "secret guess", name="secret in the wrong field")
            await log_in(hall, "long enough")
            async with hall.connect("/action_channel") as line:
                await told(line, "ada")
        lines = [json.loads(line) for line in log.getvalue().splitlines()]
        failed = [line for line in lines if line["event"] == "login failed"]
        facts: list[dict[str, Any]] = [
            {key: value for key, value in line.items() if key not in ("time", "level", "event")} for line in failed
        ]
        assert facts == [
            {"way": "http", "address": "10.0.0.1", "account": id, "name": "ada"},
            {"way": "http", "address": "10.0.0.1"},
            {"way": "room", "address": "127.0.0.1", "account": id, "name": "ada"},
        ]
        assert all(line["level"] == "warning" for line in failed)
        assert "secret" not in log.getvalue() and ada not in log.getvalue() and "long enough" not in log.getvalue()

    evening(House(tmp_path, rooms=1, log="off"), work)


# Hashes


def test_a_hash_takes_as_much_memory_as_owasp_wants(tmp_path: Path) -> None:
    """The hash is made by a separate process, without the changes of the tests."""
    url = f"sqlite:///{tmp_path / 'arena.db'}"
    done = parlour("admin", "create", "ada", "--password-stdin", "--store", url, stdin="long enough\n")
    assert done.returncode == 0, done.stderr
    account = kept(url, lambda store: store.account("ada"))
    assert account.password.startswith("$argon2id$")
    found = extract_parameters(account.password)
    assert found.memory_cost >= 19 * 1024 and found.time_cost >= 2 and found.parallelism == 1


def test_an_old_hash_is_renewed_when_its_owner_logs_in(house: House) -> None:
    async def work(hall: Hall) -> None:
        old = PasswordHasher(time_cost=1, memory_cost=32, parallelism=1).hash("long enough")
        await hall.store.add_account("ada", old)
        assert await log_in(hall, "guess number n") == "wrong_login"
        account = await hall.store.account("ada")
        assert account is not None and account.password == old
        for _ in range(2):
            assert await log_in(hall, "long enough") == ""
        account = await hall.store.account("ada")
        assert account is not None and account.password is not None and account.password != old
        assert accounts.fits("long enough", account.password) and not accounts.is_outdated(account.password)
        renewed = account.password
        assert await log_in(hall, "long enough") == ""
        account = await hall.store.account("ada")
        assert account is not None and account.password == renewed, "once is enough"

    evening(house, work)


def test_an_old_hash_is_renewed_when_its_owner_comes_to_a_room(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        old = PasswordHasher(time_cost=1, memory_cost=32, parallelism=1).hash("long enough")
        await hall.store.add_account("ada", old)
        async with hall.connect("/action_channel") as line:
            assert (await told(line, "ada", "guess number n"))["err_msg"] == "Username exists"
            account = await hall.store.account("ada")
            assert account is not None and account.password == old
            assert (await told(line, "ada", "long enough"))["success"]
        account = await hall.store.account("ada")
        assert account is not None and account.password is not None and account.password != old
        assert accounts.fits("long enough", account.password) and not accounts.is_outdated(account.password)

    evening(House(tmp_path, log="off", rooms=1), work)


def test_a_password_with_an_old_hash_can_be_changed(house: House) -> None:
    async def work(hall: Hall) -> None:
        await hall.store.add_account("ada", PasswordHasher(time_cost=1, memory_cost=32).hash("long enough"))
        body = {"name": "ada", "password": "long enough", "new_password": "longer than that"}
        assert (await hall.post("/password", **body)).status_code == 200
        assert await log_in(hall, "longer than that") == ""

    evening(house, work)


def test_a_login_that_overlaps_a_change_of_the_password_gets_no_token(house: House) -> None:
    async def work(store: Store) -> None:
        door = Doorkeeper(store)
        await door.register("ada", "old password")
        late, owner = await door.log_in("ada", "old password"), await door.log_in("ada", "old password")
        changed = await door.change_password(owner, "new password")
        kept_token, _ = await door.make_token(changed, SCOPES, "owner")
        for trying in (
            door.make_token(late, SCOPES, "late"),
            door.end_tokens(late),
            door.change_password(late, "third"),
        ):
            with pytest.raises(
                RequestError, match="the password was changed at the same time; log in again"
            ) as refused:
                await trying
            assert (refused.value.status, refused.value.code) == (409, "changed")
        assert [each.label for each in await store.tokens_of(changed.id)] == ["owner"]
        assert (await door.valid_token(kept_token)).account.name == "ada", (
            "a late login does not end the others, either"
        )

    kept(house.url, work)


def test_of_logins_at_the_same_time_all_know_the_renewed_hash(house: House) -> None:
    async def work(store: Store) -> None:
        door = Doorkeeper(store)
        ada = await store.add_account("ada", PasswordHasher(time_cost=1, memory_cost=32).hash("long enough"))
        first, second = [await let_in(store, ada, "long enough") for _ in range(2)]
        assert first == second == await store.account("ada")
        await door.make_token(second, SCOPES, "second")
        await door.change_password(first, "longer than that")
        with pytest.raises(RequestError, match="the password was changed at the same time"):
            await let_in(store, ada, "long enough")

    kept(house.url, work)


def test_passwords_are_hashed_one_at_a_time_and_beside_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many log-ins at once need only the memory of one."""
    loop, inside, most = get_ident(), 0, 0
    usual = accounts._hasher

    class Watched:
        def __getattr__(self, name: str) -> Any:
            def called(*args: Any) -> Any:
                nonlocal inside, most
                if name == "check_needs_rehash":
                    return getattr(usual, name)(*args)
                assert get_ident() != loop
                inside += 1
                most = max(most, inside)
                try:
                    return getattr(usual, name)(*args)
                finally:
                    inside -= 1

            return called

    async def work(hall: Hall) -> None:
        monkeypatch.setattr(accounts, "_hasher", Watched())
        await asyncio.gather(*(hall.account(f"pupil {n}") for n in range(10)))
        names = [f"pupil {n}" for n in range(10)] + ["nobody"] * 10
        said = await asyncio.gather(*(log_in(hall, "long enough", name=name) for name in names))
        assert said == [""] * 10 + ["wrong_login"] * 10

    evening(House(tmp_path, log="off"), work)
    assert most == 1


def test_what_is_no_hash_fits_no_password() -> None:
    assert not accounts.fits("anything", "$hash") and not accounts.fits("", "")


# Names


def test_nobody_registers_what_looks_like_another_account_or_a_bot(house: House) -> None:
    async def work(hall: Hall) -> None:
        await hall.account("modern")
        words = {
            "modern": "somebody has that name",
            "Modern": "somebody has a name that looks like this one",
            "rnodern": "somebody has a name that looks like this one",
            "Minimum": "the name is reserved: minimum is a built-in bot",
            "rninirnurn": "the name is reserved: minimum is a built-in bot",
            "\u3164": "a name must have a visible character",
        }
        for name, detail in words.items():
            said = await hall.post("/accounts", name=name, password="long enough")
            assert (said.status_code, said.json()["code"], said.json()["detail"]) == (409, "name_taken", detail)
        door = Doorkeeper(hall.store)
        with pytest.raises(RequestError, match=re.escape("somebody has a name that looks like this one")):
            await door.register("MODERN", "long enough")

    evening(house, work)


def test_what_names_are_compared_with_is_loaded_once_and_beside_the_loop(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = []

    def noted(load: Callable[..., Any]) -> Callable[..., Any]:
        def loads(*of: Any) -> Any:
            threads.append((load.__name__, get_ident()))
            return load(*of)

        return loads

    async def work(hall: Hall) -> None:
        monkeypatch.setattr(plugins, "game", noted(plugins.game))
        monkeypatch.setattr(skeletons, "_alike", noted(skeletons._alike))
        reserved_names._bots.cache_clear()
        skeletons._prototypes.cache_clear()
        await asyncio.gather(*(hall.account(f"pupil {n}") for n in range(5)))

    games = len(names())
    evening(house, work)
    assert Counter(name for name, _ in threads) == {"game": games, "_alike": 1}
    assert get_ident() not in {thread for _, thread in threads}, "others do not wait for it"


def test_of_many_who_register_names_that_look_alike_one_does(house: House) -> None:
    async def work(hall: Hall) -> None:
        names = ["ll", "l1", "1l", "Il", "II", "|l"]
        said = await asyncio.gather(*(hall.post("/accounts", name=name, password="long enough") for name in names))
        assert sorted(each.status_code for each in said) == [201] + [409] * 5

    evening(house, work)


def test_the_limits_need_no_server() -> None:
    async def work() -> None:
        limits = LoginLimits(2)
        for _ in range(5):
            limits.count("ada", "10.0.0.1")
            limits.right("ada", "10.0.0.1")
        for n in range(2):
            limits.count("ada", f"10.0.1.{n}")
        with pytest.raises(RequestError):
            limits.count("ada", "10.0.1.9")
        limits.count("ada", "10.0.1.9", proved=True)

    run(work())

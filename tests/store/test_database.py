"""The databases themselves: what is committed is on the disk, and their tables are those of this version."""

import asyncio
import os
import sqlite3
import stat
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from threading import Barrier, Event
from typing import Any, cast

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, create_engine, inspect, text
from sqlalchemy.exc import DBAPIError, OperationalError

from parlour.store.database import (
    BadUrl,
    SqliteDatabase,
    _is_up_to_date,
    _upgrade,
    opened,
    with_driver,
    without_password,
)
from parlour.store.failures import StoreGone, is_of_database, is_store_failure, kind_of
from parlour.store.passwords import fits
from parlour.store.schema import metadata
from parlour.store.sqlite_files import StoreFiles
from parlour.store.statements import Statement
from parlour.store.store import Store
from tests import turned
from tests.store.postgres import new_database
from tests.store.stored import kept, running, scalar
from tests.turned import settle, until


async def told(store: Store, query: str) -> Any:
    return await scalar(store, text(query))


def test_a_new_database_gets_its_tables_and_they_are_those_of_the_schema(url: str) -> None:
    def difference(connection: Connection) -> Any:
        return compare_metadata(MigrationContext.configure(connection), metadata)

    async def work(store: Store) -> None:
        assert await store._database.fetch(difference) == []

    kept(url, work)


def test_opening_again_changes_nothing(url: str) -> None:
    async def first(store: Store) -> str:
        id = await running(store)
        await store.writer.keep(id, 0, [b"header"])
        return id

    async def again(store: Store) -> None:
        assert await store.lines(match) == [b"header"]
        assert await told(store, "SELECT count(*) FROM alembic_version") == 1

    match = kept(url, first)
    kept(url, again)
    kept(url, again)


def test_two_servers_may_open_a_new_store_at_once(url: str) -> None:
    async def work() -> None:
        stores = await asyncio.gather(*(Store.open(url) for _ in range(4)))
        assert await stores[0].count_matches() == 0
        for store in stores:
            await store.close()

    turned.run(work())


def test_a_migration_that_fails_leaves_nothing_behind(url: str) -> None:
    """The server may be killed in the middle of its very first start."""
    engine = create_engine(str(with_driver(url).set(drivername=_plain(url)).render_as_string(False)))
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE lines (x INTEGER)"))
    with pytest.raises(BadUrl, match="lines"):
        turned.run(opened(url))
    assert inspect(engine).get_table_names() == ["lines"]
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE lines"))
    engine.dispose()

    async def work(store: Store) -> None:
        await running(store)

    kept(url, work)


@contextmanager
def as_it_was(url: str, revision: str) -> Iterator[Connection]:
    """A store of an earlier version, to put something in."""
    engine = create_engine(with_driver(url))
    try:
        with engine.begin() as connection:
            _upgrade(connection, revision)
            yield connection
    finally:
        engine.dispose()


def test_a_store_of_a_newer_release_is_refused_in_plain_words_and_not_changed(url: str) -> None:
    match = kept(url, running)
    with as_it_was(url, "head") as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(BadUrl, match="was written by a newer release of Parlour: its tables are of revision 9999") as e:
        turned.run(opened(url))
    assert "this release knows revisions up to 0" in str(e.value) and "\n" not in str(e.value)
    engine = create_engine(with_driver(url))
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT version_num FROM alembic_version")) == "9999"
        assert connection.scalar(text("SELECT state FROM matches")) == "running" and match
    engine.dispose()


def test_keys_of_rooms_that_were_kept_as_they_are_become_hashes(url: str, tmp_path: Path) -> None:
    with as_it_was(url, "0003") as connection:
        for name, key in (("r", "sesame-in-plain-words"), ("open", "")):
            values = {"name": name, "key": key}
            connection.execute(text("INSERT INTO rooms VALUES (:name, '{}', 'hash', :key, NULL, 5)"), values)

    async def work(store: Store) -> None:
        room, everybodys = await store.room("r"), await store.room("open")
        assert room is not None and fits("sesame-in-plain-words", room.join_key) and room.admin == "hash"
        assert everybodys is not None and everybodys.join_key == "", "where there is no key, none is needed"

    kept(url, work)
    kept(url, work)
    for file in tmp_path.iterdir():
        assert b"sesame" not in file.read_bytes(), f"nor does anything of it lie about in {file.name}"


def _plain(url: str) -> str:
    return "sqlite" if url.startswith("sqlite") else "postgresql+psycopg"


def test_what_is_committed_to_sqlite_is_on_the_disk(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        for pragma, value in (
            ("journal_mode", "wal"),
            ("synchronous", 2),
            ("foreign_keys", 1),
            ("busy_timeout", 10000),
        ):
            assert await told(store, f"PRAGMA {pragma}") == value
        meet = Barrier(4, timeout=60)  # so that each has a connection of its own

        def synchronous(connection: Connection) -> Any:
            meet.wait()
            return connection.scalar(text("PRAGMA synchronous"))

        found = await asyncio.gather(*(store._database.fetch(synchronous) for _ in range(4)))
        assert found == [2] * 4, "on every connection"

    kept(f"sqlite:///{tmp_path / 'arena.db'}", work)


def test_what_is_committed_to_postgresql_is_on_the_disk() -> None:
    async def work(store: Store) -> None:
        assert await told(store, "SHOW synchronous_commit") == "on"
        assert await told(store, "SHOW server_encoding") == "UTF8"

    kept(new_database(), work)


def test_a_store_in_a_file_is_its_owners_alone(tmp_path: Path) -> None:
    """Seeds of matches that go on are in it."""

    async def work(store: Store) -> None:
        await running(store)
        for path in tmp_path.iterdir():
            assert stat.S_IMODE(os.stat(path).st_mode) == 0o600, path.name

    kept(f"sqlite:///{tmp_path / 'arena.db'}", work)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("nonsense", "is not the URL of a database"),
        ("mysql://root@localhost/x", "mysql: unknown database; use postgres"),
        ("sqlite://", "must be a file"),
        ("sqlite:///:memory:", "must be a file"),
        ("sqlite:////nowhere/at/all.db", "cannot be opened"),
        ("postgresql://ada:s3cret@127.0.0.1:1/x", "cannot be opened"),
    ],
)
def test_a_store_that_cannot_be_opened_is_told_in_words_and_without_its_password(url: str, words: str) -> None:
    with pytest.raises(BadUrl, match=words) as refused:
        turned.run(Store.open(url))
    assert "s3cret" not in str(refused.value)


def test_an_address_is_shown_without_its_password() -> None:
    assert without_password("postgresql://ada:s3cret@host/x") == "postgresql://ada:***@host/x"


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database\n" * 100)
    with pytest.raises(BadUrl, match=r"notes\.txt cannot be opened: file is not a database"):
        turned.run(Store.open(f"sqlite:///{path}"))
    assert path.read_text() == "not a database\n" * 100


def test_an_error_of_the_database_does_not_show_values(url: str) -> None:
    """They may be hashes of passwords, or seeds."""

    async def work(store: Store) -> None:
        query = text("INSERT INTO nowhere VALUES (:value)").bindparams(value="s3cret")
        with pytest.raises(DBAPIError, match="nowhere") as told:
            await store.writer.do(lambda connection: connection.execute(query))
        assert "s3cret" not in str(told.value)
        with pytest.raises(DBAPIError) as told:
            await store._database.rows(text("SELECT nowhere, :value").bindparams(value="s3cret"))
        assert "s3cret" not in str(told.value)

    kept(url, work)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


async def lose_connections(store: Store) -> None:
    """As when the driver finds that all connections are broken: they are closed, and SQLite deletes the -wal file."""

    def lose(connection: Connection) -> None:
        connection.invalidate()
        raise RuntimeError("the connection is lost")

    with pytest.raises(RuntimeError, match="is lost"):
        await store.writer.do(lose)
    assert isinstance(store._database, SqliteDatabase)
    store._database._reads.dispose()


def test_a_store_whose_last_connection_was_closed_goes_on(file: Path) -> None:
    async def work(store: Store) -> None:
        match = await running(store)
        for line in range(3):
            await lose_connections(store)
            assert not Path(f"{file}-wal").exists()
            await store.ready()
            await store.writer.keep(match, line, [b"line"])
            assert await store.lines(match) == [b"line"] * (line + 1)

    kept(f"sqlite:///{file}", work)


def test_a_store_that_many_read_and_whose_connections_are_lost_goes_on(file: Path) -> None:
    async def work(store: Store) -> None:
        match = await running(store)
        for _ in range(5):
            await asyncio.gather(*(store.match(match) for _ in range(8)), lose_connections(store), store.ready())

    kept(f"sqlite:///{file}", work)


@pytest.mark.parametrize("part", ["", "-wal", "-shm"])
@pytest.mark.parametrize("replaced", [False, True])
def test_a_file_that_is_taken_away_after_a_connection_was_lost_is_noticed(
    file: Path, part: str, replaced: bool
) -> None:
    taken = Path(f"{file}{part}")

    async def work(store: Store) -> None:
        await lose_connections(store)
        await store.ready()
        data = taken.read_bytes()
        taken.unlink()
        if replaced:
            taken.write_bytes(data)
        for _ in range(2):
            with pytest.raises(StoreGone, match=f"arena.db{part} was {'replaced' if replaced else 'deleted'}"):
                await store.ready()

    kept(f"sqlite:///{file}", work)


def test_a_database_that_is_taken_away_while_no_connection_is_open_is_noticed(file: Path) -> None:
    async def work(store: Store) -> None:
        await lose_connections(store)
        file.unlink()
        for _ in range(2):
            with pytest.raises(StoreGone, match=r"arena\.db was deleted"):
                await store.ready()
        assert not file.exists(), "and no other is made in its place"

    kept(f"sqlite:///{file}", work)


def test_a_reader_that_is_stopped_before_it_has_its_rows_does_not_disturb_writers(file: Path) -> None:
    """A statement of SQLite that still has rows to give keeps its connection at an old moment, where nothing can be
    written any more."""

    async def work() -> Sequence[Any]:
        database = await opened(f"sqlite:///{file}")
        tables, meet = text("SELECT name FROM sqlite_master"), Barrier(2, timeout=60)

        def begun(connection: Connection) -> Any:
            meet.wait()
            return connection.execute(tables)

        unread = await asyncio.gather(database.fetch(begun), database.fetch(begun))
        for name in "abc":
            await database.writer.do(partial(Connection.execute, statement=text(f"CREATE TABLE {name} (n INT)")))
        await database.close()
        return unread

    assert len(turned.run(work())) == 2


@pytest.mark.parametrize("prepared", [False, True])
def test_all_that_one_function_reads_is_of_one_moment(url: str, prepared: bool) -> None:
    count = text("SELECT count(*) FROM accounts")
    statement = Statement(count)

    def counted(connection: Connection) -> Any:
        return statement.rows(connection, {})[0][0] if prepared else connection.scalar(count)

    async def work(store: Store) -> None:
        began, goes_on = Event(), Event()

        def twice(connection: Connection) -> Any:
            before = counted(connection)
            began.set()
            goes_on.wait(60)
            return before, counted(connection)

        reading = asyncio.create_task(store._database.fetch(twice))
        await until(began.is_set)
        await store.add_account("ada", None)
        goes_on.set()
        assert await reading == (0, 0) and await scalar(store, count) == 1

    kept(url, work)


def test_a_store_that_is_closed_says_so(file: Path) -> None:
    """A request that comes while the server stops is refused like any other failure of the store."""

    async def work() -> None:
        database = await opened(f"sqlite:///{file}")
        await database.close()
        with pytest.raises(StoreGone, match="closed"):
            await database.writer.do(lambda connection: None)
        with pytest.raises(StoreGone, match="closed"):
            await database.rows(text("SELECT 1"))

    turned.run(work())


def test_a_read_that_waits_for_its_turn_is_refused_once_another_server_may_have_the_store(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parlour.store.database.SQLITE_THREADS", 1)
    monkeypatch.setattr("parlour.store.database.POSTGRES_THREADS", 1)
    began, goes_on, called = Event(), Event(), list[str]()

    def slow(connection: Connection) -> None:
        began.set()
        goes_on.wait(60)

    async def work() -> None:
        database = await opened(url)
        first = asyncio.create_task(database.fetch(slow))
        await until(began.is_set)
        second = asyncio.create_task(database.fetch(lambda connection: called.append("second")))
        await settle()
        database.fence("the lock was lost")
        goes_on.set()
        await first
        with pytest.raises(StoreGone, match="the lock was lost"):
            await second
        assert not called
        await database.close()

    turned.run(work())


def test_a_store_whose_file_cannot_be_watched_is_closed_again(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(files: StoreFiles) -> None:
        raise StoreGone("arena.db cannot be accessed")

    async def work() -> None:
        before = {*threading.enumerate()}
        with pytest.raises(StoreGone, match="cannot be accessed"):
            await opened(f"sqlite:///{file}")
        await until(lambda: not any(thread.name == "store-writer" for thread in {*threading.enumerate()} - before))

    monkeypatch.setattr(StoreFiles, "remember", gone)
    turned.run(work())


def test_a_machine_of_postgresql_that_vanishes_is_noticed_unless_the_url_says_otherwise() -> None:
    def parameters(connection: Connection) -> Any:
        driver = connection.connection.driver_connection
        assert isinstance(driver, psycopg.Connection)
        return driver.info.get_parameters()

    async def work(store: Store) -> None:
        for told in (await store._database.fetch(parameters), await store.writer.do(parameters)):
            assert (told["tcp_user_timeout"], told["keepalives_idle"]) == ("30000", "60")

    kept(f"{new_database()}&keepalives_idle=60", work)


def test_connections_that_postgresql_has_closed_are_replaced() -> None:
    url = new_database()
    others = "datname = current_database() AND pid <> pg_backend_pid()"

    async def work(store: Store) -> None:
        match = await running(store)
        for n in range(3):
            with psycopg.connect(url, autocommit=True) as other:
                other.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}".encode())
            await store.writer.keep(match, n, [b"line"])
            assert await store.lines(match) == [b"line"] * (n + 1)

    kept(url, work)


def test_a_read_that_waits_for_a_locked_table_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    url = new_database()
    monkeypatch.setattr("parlour.store.database.READ_S", 1)

    async def work(store: Store) -> None:
        with psycopg.connect(url) as other:
            other.execute("LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE")
            with pytest.raises(OperationalError) as refused:
                await store.accounts()
            assert is_store_failure(refused.value)
            other.rollback()
        assert await store.accounts() == []

    kept(url, work)


def test_a_write_that_waits_for_a_locked_table_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    url = new_database()
    monkeypatch.setattr("parlour.store.database.LOCK_S", 1)

    async def work(store: Store) -> None:
        match = await running(store)
        with psycopg.connect(url) as other:
            other.execute("LOCK TABLE lines IN SHARE MODE")
            with pytest.raises(OperationalError) as refused:
                await store.writer.keep(match, 0, [b"line"])
            assert is_of_database(refused.value) and kind_of(refused.value) == "55P03"
            other.rollback()
            await store.writer.keep(match, 0, [b"line"])
            other.execute("LOCK TABLE lines IN SHARE MODE")
            last = store.writer.keep(match, 1, [b"line"])
            await store.close()
            assert isinstance(last.exception(), OperationalError)

    kept(url, work)


def test_a_change_of_the_tables_waits_for_their_locks_as_long_as_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.store.database.LOCK_S", 1)
    told: list[str] = []

    def tell(connection: Connection) -> None:
        told.append(connection.exec_driver_sql("SHOW lock_timeout").scalar_one())

    def migrating(connection: Connection) -> bool:
        tell(connection)
        return _is_up_to_date(connection)

    async def work(store: Store) -> None:
        await store.writer.do(tell)

    monkeypatch.setattr("parlour.store.database._is_up_to_date", migrating)
    kept(new_database(), work)
    assert told == ["0", "1s"]


@pytest.mark.parametrize("is_cancelled", [False, True])
def test_closing_a_store_leaves_no_connection_open_even_if_cancelled(file: Path, is_cancelled: bool) -> None:
    began, goes_on = Event(), Event()

    def slow(connection: Connection) -> None:
        began.set()
        goes_on.wait(60)

    async def work() -> None:
        database = await opened(f"sqlite:///{file}")
        reading = asyncio.create_task(database.fetch(slow))
        await until(began.is_set)
        closing = asyncio.create_task(database.close())
        await until(lambda: database._why is not None)
        await settle()
        if is_cancelled:
            closing.cancel()
        goes_on.set()
        await asyncio.gather(reading, closing, return_exceptions=True)
        await until(lambda: not file.with_name(f"{file.name}-wal").exists())

    turned.run(work())


# Looking without another thread


async def as_it_is(store: Store, match: str, hash: str) -> None:
    """Everything that is found by a key is found whole, and with its types."""
    token, ada, found = await store.token(hash), await store.account("ada"), await store.match(match)
    assert token is not None and (token.account, token.revoked, token.scopes) == (
        ada,
        False,
        frozenset({"play", "admin"}),
    )
    assert ada is not None and ada.admin is True and token.revoked is False and await store.account_of(ada.id) == ada
    assert found is not None and found in await store.matches() and len(await store.seed(match)) == 32
    assert await store.room("nowhere") is None and await store.match("nowhere") is None
    assert await store.token("nowhere") is None and await store.account("nobody") is None


def test_what_is_found_by_a_key_is_found_at_once_and_whole(url: str) -> None:
    async def work(store: Store) -> None:
        match, ada = await running(store), await store.add_account("ada", "$hash", admin=True)
        token = await store.add_token(ada, "h" * 64, ["play", "admin"], "x")
        for _ in range(3):
            await as_it_is(store, match, "h" * 64)
        await store.revoke(ada.id, token.id)
        revoked = await store.token("h" * 64)
        assert revoked is not None and revoked.revoked is True

    kept(url, work)


@pytest.mark.parametrize("trouble", ["another process writes", "the connection is broken"])
def test_a_reader_does_not_mind_others(file: Path, trouble: str) -> None:
    async def work(store: Store) -> None:
        match, ada = await running(store), await store.add_account("ada", "$hash", admin=True)
        await store.add_token(ada, "h" * 64, ["play", "admin"], "x")
        await as_it_is(store, match, "h" * 64)
        assert isinstance(store._database, SqliteDatabase) and store._database._lookup_connection is not None
        looking = store._database._lookup_connection
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            if trouble == "another process writes":
                other.execute("BEGIN IMMEDIATE")
                other.execute("DELETE FROM tokens")
            else:
                cast(sqlite3.Connection, looking.driver_connection).close()
            await as_it_is(store, match, "h" * 64)
            assert (store._database._lookup_connection is looking) == (trouble == "another process writes")

    kept(f"sqlite:///{file}", work)


def test_a_reader_of_a_locked_file_waits_in_another_thread(file: Path) -> None:
    """The event loop goes on meanwhile."""

    async def work(store: Store) -> None:
        match = await running(store)
        assert await store.match(match) is not None
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("PRAGMA locking_mode=EXCLUSIVE")
            assert isinstance(store._database, SqliteDatabase)
            await lose_connections(store)
            store._database._lookup_connection.invalidate()  # type: ignore[union-attr]
            store._database._lookup_connection = None
            other.execute("BEGIN EXCLUSIVE")
            looking = asyncio.create_task(store.match(match))
            await settle()
            assert not looking.done()
            other.execute("ROLLBACK")
        assert await looking is not None

    kept(f"sqlite:///{file}", work)

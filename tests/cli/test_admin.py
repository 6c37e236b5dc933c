"""`parlour admin`, as the administrator of an arena runs it."""

import os
import pty
import select
import stat
import sys
from pathlib import Path

import pytest
from sqlalchemy import update

from parlour.protocol.records import Account
from parlour.server.accounts import hash_of
from parlour.store import schema
from parlour.store.passwords import fits
from parlour.store.store import Store, Token
from tests.cli.test_commands import ENVIRONMENT
from tests.here import Done
from tests.here import here as parlour
from tests.here import mistake_here as mistake
from tests.store.matches import half_played, played
from tests.store.postgres import new_database
from tests.store.stored import executed, kept, running
from tests.store.test_tidy import guest

pytestmark = pytest.mark.timeout(600)


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'arena.db'}"


def create(url: str, name: str, password: str = "long enough") -> Done:
    return parlour("admin", "create", name, "--password-stdin", "--store", url, stdin=password + "\n")


def account(url: str, name: str) -> Account | None:
    found: Account | None = kept(url, lambda store: store.account(name))
    return found


def test_the_first_administrator_is_made_before_the_first_start(url: str) -> None:
    done = create(url, "ada")
    assert done.returncode == 0 and "ada is an administrator" in done.stderr
    assert "long enough" not in done.stdout + done.stderr
    ada = account(url, "ada")
    assert ada is not None and ada.admin and ada.password is not None and fits("long enough", ada.password)


def test_an_administrator_in_postgresql() -> None:
    url = new_database()
    assert create(url, "ada").returncode == 0
    assert parlour("admin", "token", "ada", "--store", url).returncode == 0
    assert parlour("admin", "check", "--store", url).returncode == 0
    assert "0 guests" in parlour("admin", "tidy", "--store", url).stderr
    assert "pg_dump" in mistake("admin", "backup", "copy.db", "--store", url)


@pytest.mark.parametrize(
    ("name", "password", "words"),
    [
        ("ada", "short", "a password has 8 to 200 characters"),
        ("ada", "", "a password has 8 to 200 characters"),
        ("", "long enough", "'': a name is text of 1 to 64 characters"),
        ("a\nb", "long enough", "'a?b': a name has printable characters only, and character 2 of this one is U+000A"),
    ],
)
def test_an_administrator_who_cannot_be(url: str, name: str, password: str, words: str) -> None:
    done = create(url, name, password)
    assert done.returncode == 1 and done.stderr == f"parlour: {words}\n"


def test_a_name_that_somebody_has(url: str) -> None:
    create(url, "ada")
    done = create(url, "ada", "another one")
    assert done.returncode == 1 and done.stderr == "parlour: ada: somebody has that name\n"
    ada = account(url, "ada")
    assert ada is not None and fits("long enough", ada.password or "")


def test_a_password_is_asked_for_twice_and_not_shown(url: str) -> None:
    child, terminal = pty.fork()
    if child == 0:
        os.execve(
            sys.executable, [sys.executable, "-m", "parlour", "admin", "create", "ada", "--store", url], ENVIRONMENT
        )
    shown = ""
    for prompts in (1, 2):
        while shown.count(": ") < prompts:  # the space comes when the terminal has ceased to show what is typed
            assert select.select([terminal], [], [], 60)[0], f"it shows no more than {shown!r}"
            shown += os.read(terminal, 1000).decode()
        os.write(terminal, b"long enough\n")
    while select.select([terminal], [], [], 60)[0]:
        try:
            shown += os.read(terminal, 1000).decode()
        except OSError:  # it has closed its end
            break
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    os.close(terminal)
    assert "long enough" not in shown and "ada is an administrator" in shown
    assert account(url, "ada") is not None


# Tokens


def token(url: str, told: str) -> Token | None:
    found: Token | None = kept(url, lambda store: store.token(hash_of(told)))
    return found


def test_a_token_is_printed_and_only_its_hash_is_kept(url: str, tmp_path: Path) -> None:
    create(url, "ada")
    done = parlour("admin", "token", "ada", "--label", "laptop", "--store", url)
    told = done.stdout.strip()
    found = token(url, told)
    assert done.returncode == 0 and found is not None
    assert found.scopes == {"play", "host", "account", "admin"}
    assert (found.label, found.account.name) == ("laptop", "ada")
    assert not any(told.encode() in path.read_bytes() for path in tmp_path.iterdir())


def test_a_token_for_less(url: str) -> None:
    create(url, "ada")
    found = token(url, parlour("admin", "token", "ada", "--scope", "play", "--store", url).stdout.strip())
    assert found is not None and found.scopes == {"play"}


def test_an_account_without_rights_gets_no_token_of_an_administrator(url: str) -> None:
    kept(url, lambda store: store.add_account("bob", None))
    found = token(url, parlour("admin", "token", "bob", "--store", url).stdout.strip())
    assert found is not None and found.scopes == {"play", "host", "account"}
    said = mistake("admin", "token", "bob", "--scope", "admin", "--store", url)
    assert said == "bob: only an administrator's token can have the scope admin"


def test_tokens_that_cannot_be(url: str) -> None:
    create(url, "ada")
    assert mistake("admin", "token", "bob", "--store", url) == "bob: there is no such account"
    assert mistake("admin", "token", "ada", "--scope", "all", "--store", url).startswith(
        "--scope all: unknown scope; choose from play"
    )


# The store


def test_a_sound_store_holds(url: str) -> None:
    async def work(store: Store) -> None:
        await played(store)
        await half_played(store)
        await running(store)

    kept(url, work)
    done = parlour("admin", "check", "--store", url)
    assert (done.returncode, done.stdout) == (0, "") and "all 3 matches hold" in done.stderr


def test_what_is_wrong_is_told_by_match(url: str) -> None:
    async def work(store: Store) -> tuple[str, str]:
        sound, harmed = await played(store), await half_played(store)
        await executed(store, update(schema.seeds).where(schema.seeds.c.match == harmed).values(seed=b"no"))
        return sound, harmed

    sound, harmed = kept(url, work)
    done = parlour("admin", "check", "--store", url)
    assert done.returncode == 1 and "1 of 2 matches" in done.stderr and sound not in done.stdout
    assert done.stdout == f"{harmed} (forsale, running): its seed is not the one that its header commits to\n"


def test_looking_at_a_store_makes_none(tmp_path: Path) -> None:
    missing = f"sqlite:///{tmp_path / 'missing.db'}"
    for words in (("check",), ("tidy",), ("token", "ada"), ("backup", str(tmp_path / "copy.db"))):
        assert "there is no store" in mistake("admin", *words, "--store", missing)
    assert [*tmp_path.iterdir()] == []


def test_a_store_that_is_none(tmp_path: Path) -> None:
    junk = tmp_path / "notes.txt"
    junk.write_text("not a database\n" * 100)
    done = parlour("admin", "check", "--store", f"sqlite:///{junk}")
    assert done.returncode == 3 and done.stdout == "file is not a database\n"
    assert "file is not a database" in mistake(
        "admin", "backup", str(tmp_path / "c.db"), "--store", f"sqlite:///{junk}"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    assert "unknown database; use" in mistake("admin", "check", "--store", "mysql://here/x")


def test_guests_of_long_ago_are_counted_and_then_removed(url: str) -> None:
    async def work(store: Store) -> None:
        await guest(store, "ada")
        await guest(store, "bob", 10)
        await guest(store, "cyd", 3)

    kept(url, work)
    for words, told in (
        (("--days", "7", "--dry-run"), "2 guests who have never had a seat would be removed\n"),
        ((), "1 guest who has never had a seat was removed\n"),
        (("--days", "7"), "1 guest who has never had a seat was removed\n"),
        (("--days", "7"), "0 guests who have never had a seat were removed\n"),
    ):
        done = parlour("admin", "tidy", *words, "--store", url)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", told), words
    assert [each.name[:3] for each in kept(url, lambda store: store.accounts())] == ["cyd"]


# Copies


def test_a_copy_is_whole_and_its_owners_alone(url: str, tmp_path: Path) -> None:
    id = kept(url, played)
    copy = tmp_path / "copy.db"
    done = parlour("admin", "backup", str(copy), "--store", url)
    assert done.returncode == 0 and stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.glob("copy*")] == ["copy.db"]
    assert parlour("admin", "check", "--store", f"sqlite:///{copy}").returncode == 0
    assert kept(f"sqlite:///{copy}", lambda store: store.lines(id)) == kept(url, lambda store: store.lines(id))


def test_a_copy_overwrites_nothing(url: str, tmp_path: Path) -> None:
    kept(url, played)
    (tmp_path / "copy.db").write_text("precious")
    assert "exists already" in mistake("admin", "backup", str(tmp_path / "copy.db"), "--store", url)
    assert (tmp_path / "copy.db").read_text() == "precious"

"""`parlour admin` for accounts: what happens to one, and whole classes of them."""

import stat
from pathlib import Path
from typing import Any

import pytest

from parlour.cli.admin_import import _read
from parlour.cli.common import UserError
from parlour.protocol.records import Account
from parlour.server.accounts import Doorkeeper
from parlour.store.passwords import fits
from parlour.store.store import Store
from tests.here import here as parlour
from tests.here import mistake_here as mistake
from tests.store.stored import add, kept

pytestmark = pytest.mark.timeout(600)


@pytest.fixture
def url(tmp_path: Path) -> str:
    """Of a store with an account."""
    url = f"sqlite:///{tmp_path / 'arena.db'}"
    kept(url, lambda store: Doorkeeper(store).register("ada", "long enough"))
    return url


def account(url: str, name: str) -> Account | None:
    found: Account | None = kept(url, lambda store: store.account(name))
    return found


def accounts(url: str) -> list[str]:
    return [each.name for each in kept(url, lambda store: store.accounts())]


def done(*arguments: str) -> tuple[str, str]:
    """What a command that works has printed on standard output, and beside it."""
    said = parlour("admin", *arguments)
    assert said.returncode == 0, said.stderr
    return said.stdout, said.stderr


def test_the_life_of_an_account(url: str) -> None:
    def ada() -> Account:
        found = account(url, "ada")
        assert found is not None
        return found

    assert done("grant", "ada", "--store", url)[1] == "ada is an administrator\n" and ada().admin
    assert done("withdraw", "ada", "--store", url)[1] == "ada is no longer an administrator\n" and not ada().admin
    assert done("ban", "ada", "--store", url)[1] == "ada is banned\n" and ada().state == "banned"
    assert done("unban", "ada", "--store", url)[1] == "ada is not banned\n" and ada().state == "active"
    drawn, said = done("password", "ada", "--draw", "--store", url)
    assert said == "ada has another password, and all its tokens have ended\n"
    assert fits(drawn.strip(), ada().password or "") and len(drawn.strip()) >= 12
    parlour("admin", "password", "ada", "--password-stdin", "--store", url, stdin="said by hand\n")
    assert fits("said by hand", ada().password or "")
    assert parlour("admin", "delete", "ada", "--store", url, stdin="n\n").returncode == 1 and ada().state == "active"
    assert done("delete", "ada", "--yes", "--store", url)[1] == "ada is deleted\n"
    assert account(url, "ada") is None
    assert mistake("admin", "ban", "ada", "--store", url) == "ada: there is no such account"


def test_a_guest_has_no_password_and_no_rank(url: str) -> None:
    kept(url, lambda store: store.add_account("guest", None))
    for command in (("grant",), ("password", "--draw")):
        assert mistake("admin", *command, "guest", "--store", url) == "guest: a guest has no password"


def test_a_table_that_no_server_plays_is_not_stopped_yet(url: str) -> None:
    match = kept(url, add)
    said = parlour("admin", "stop", match, "--wait", "0", "--store", url)
    assert (said.returncode, said.stderr) == (3, f"{match} is still open: it ends as soon as a server plays it\n")
    [order] = kept(url, lambda store: store.orders.open())
    assert (order.kind, order.subject) == ("stop", match)
    assert mistake("admin", "stop", "nonsense", "--store", url) == "nonsense: there is no such match"


@pytest.mark.parametrize("days", [0, 7])
def test_a_token_that_expires_or_does_not(url: str, days: int) -> None:
    done("token", "ada", "--days", str(days), "--store", url)

    async def token(store: Store) -> Any:
        ada = await store.account("ada")
        assert ada is not None
        return (await store.tokens_of(ada.id))[0]

    made = kept(url, token)
    if days == 0:
        assert made.expires_ms is None
    else:
        assert made.expires_ms - made.created_ms == pytest.approx(days * 864e5, abs=6e4)


# A class


def test_a_class_is_imported(url: str, tmp_path: Path) -> None:
    file, passwords = tmp_path / "class.csv", tmp_path / "passwords.csv"
    file.write_bytes('\ufeffName;Password\r\nBob;\r\n\r\n"Zoë; Čapek";her own words\r\nada;\r\n Cyd ;\r\n'.encode())
    dry = done("import", str(file), "--dry-run", "--passwords", str(passwords), "--store", url)
    assert dry == ("", "line 5: ada has an account, which stays as it is\n3 accounts would be created\n")
    assert accounts(url) == ["ada"] and not passwords.exists()
    before = account(url, "ada")
    told = done("import", str(file), "--passwords", str(passwords), "--store", url)
    assert told == ("", "line 5: ada has an account, which stays as it is\n3 accounts created\n")
    assert accounts(url) == ["ada", "Bob", "Zoë; Čapek", "Cyd"] and account(url, "ada") == before
    header, *lines = passwords.read_text().splitlines()
    drawn = dict(line.split(",") for line in lines)
    assert header == "name,password" and [*drawn] == ["Bob", "Cyd"]
    assert stat.S_IMODE(passwords.stat().st_mode) == 0o600
    for name, password in {**drawn, "Zoë; Čapek": "her own words"}.items():
        found = account(url, name)
        assert found is not None and not found.admin and fits(password, found.password or "")
    again = done("import", str(file), "--store", url)
    assert again[0] == "" and again[1].endswith("0 accounts created\n")


def test_drawn_passwords_are_printed_if_no_file_is_named(url: str, tmp_path: Path) -> None:
    file = tmp_path / "class.csv"
    file.write_text("name\nbob\n")
    out, said = done("import", str(file), "--store", url)
    header, line = out.splitlines()
    name, password = line.split(",")
    found = account(url, "bob")
    assert (header, name, said) == ("name,password", "bob", "1 account created\n")
    assert found is not None and fits(password, found.password or "")


def test_all_lines_are_checked_before_any_account_is_created(url: str, tmp_path: Path) -> None:
    file, passwords = tmp_path / "class.csv", tmp_path / "passwords.csv"
    rows = ["name,password", "bob,", "b0b,", "Minimum,", "cyd,short", '"a\nb",', "Ada,", "ada,long enough"]
    file.write_text("\n".join([*rows, ",long enough", "dan,long enough", ""]))
    said = parlour("admin", "import", str(file), "--passwords", str(passwords), "--store", url)
    assert said.returncode == 1 and said.stdout == ""
    assert said.stderr.splitlines() == [
        "line 3: b0b: it looks like the name in line 2",
        "line 4: Minimum: the name is reserved: minimum is a built-in bot",
        "line 5: cyd: a password has 8 to 200 characters",
        "line 6: a?b: a name has printable characters only, and character 2 of this one is U+000A",
        "line 8: Ada: somebody has a name that looks like this one",
        "line 9: ada: it looks like the name in line 8",
        "line 10: : a name is text of 1 to 64 characters",
        f"parlour: {file}: 7 lines cannot be imported; nothing was created",
    ]
    assert accounts(url) == ["ada"] and not passwords.exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"bob,long enough\n", "line 1: it must name the columns: name and, optionally, password"),
        (b"", "line 1: it must name the columns: name and, optionally, password"),
        (b"name,age\nbob,12\n", "line 1: unknown column 'age'; allowed: name and password"),
        (b"name,name\nbob,bob\n", "line 1: a column appears twice"),
        (b"name,password\nbob,\ncyd\n", "line 3: there must be 2 columns"),
        (b"name\nbob\n\xff\n", "not UTF-8 text"),
    ],
)
def test_files_that_are_no_list_of_a_class(tmp_path: Path, text: bytes, words: str) -> None:
    file = tmp_path / "class.csv"
    file.write_bytes(text)
    with pytest.raises(UserError) as told:
        _read(file)
    assert str(told.value) == f"{file}: {words}"


def test_nothing_is_overwritten(url: str, tmp_path: Path) -> None:
    file = tmp_path / "class.csv"
    file.write_text("name\nbob\n")
    said = mistake("admin", "import", str(file), "--passwords", str(file), "--store", url)
    assert "exists already" in said and accounts(url) == ["ada"]

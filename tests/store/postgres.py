"""A PostgreSQL of our own: a cluster in a temporary folder, up while the tests run, with a socket and no port."""

import atexit
import glob
import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any

import psycopg
import pytest

MISSING = "PostgreSQL is not installed, so a store in it cannot be tried. On Debian: apt-get install postgresql"
UP_WITHIN_S = 60.0
OPTIONS = ("fsync=off", "full_page_writes=off", "listen_addresses=", "max_connections=200", "log_min_messages=fatal")
"""The machine does not lose power in a test."""

_number = itertools.count()


def new_database() -> str:
    """The URL of an empty one. Without PostgreSQL the test is skipped, which a build server must not overlook."""
    if tools() is None:
        if os.environ.get("CI"):
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    name = f"t{next(_number)}"
    with psycopg.connect(host=str(cluster()), user="postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return f"postgresql://postgres@/{name}?host={cluster()}"


@cache
def tools() -> Path | None:
    """Where initdb, postgres and pg_dump are."""
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else [Path(each) for each in glob.glob("/usr/lib/postgresql/*/bin")]
    return max((each for each in folders if (each / "initdb").exists()), default=None)


@cache
def cluster() -> Path:
    """Started when first asked for; gives the folder that its socket is in."""
    folder, where = Path(tempfile.mkdtemp(prefix="parlour-pg-", dir="/tmp")), tools()
    assert where is not None
    if (user := _user()) is not None:
        os.chown(folder, pwd.getpwnam(user).pw_uid, pwd.getpwnam(user).pw_gid)
    quiet = ["--auth=trust", "--username=postgres", "--encoding=UTF8", "--no-locale", "--no-sync"]
    subprocess.run([where / "initdb", *quiet, "-D", folder / "data"], **_as(user, folder), check=True)
    options = [word for option in OPTIONS for word in ("-c", option)]
    command = [str(where / "postgres"), "-D", str(folder / "data"), "-k", str(folder), *options]
    server: subprocess.Popen[bytes] = subprocess.Popen(command, **_as(user, folder))
    atexit.register(_stop, server, folder)
    _wait(server, folder)
    return folder


def _user() -> str | None:
    """PostgreSQL refuses to be run by root."""
    if os.geteuid() != 0:
        return None
    names = [entry.pw_name for entry in pwd.getpwall()]
    return "postgres" if "postgres" in names else "nobody"


def _as(user: str | None, folder: Path) -> dict[str, Any]:
    who: dict[str, Any] = {} if user is None else {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}
    return {**who, "cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def _wait(server: "subprocess.Popen[bytes]", folder: Path) -> None:
    end = time.monotonic() + UP_WITHIN_S
    while True:
        try:
            psycopg.connect(host=str(folder), user="postgres").close()
            return
        except psycopg.OperationalError:
            assert server.poll() is None and time.monotonic() < end, "PostgreSQL did not start"
            time.sleep(0.05)


def _stop(server: "subprocess.Popen[bytes]", folder: Path) -> None:
    server.send_signal(2)  # which it takes for a quick end
    try:
        server.wait(20)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
    shutil.rmtree(folder, ignore_errors=True)

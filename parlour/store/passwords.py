"""Argon2id hashes of passwords, computed in one thread to limit memory use."""

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from msgspec import Struct

from parlour.core import Seat

_hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
"""OWASP's minimum for argon2id: 19 MiB and two passes; about 30 ms."""

_doorman = ThreadPoolExecutor(1, thread_name_prefix="doorman")
"""One password at a time for the whole process, so that many logins use 19 MiB and one core only."""


class GameUser(Struct, frozen=True):
    """A user of one match, found by name."""

    seat: Seat
    hash: str


LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
"""Of drawn passwords: people type them from paper, so nothing looks like something else, and no cell of a spreadsheet
begins with a sign."""
DRAWN = 14
"""The length of a drawn password, which gives 70 bits."""


def drawn_password() -> str:
    """A random password that a person can type."""
    return "".join(secrets.choice(LETTERS) for _ in range(DRAWN))


def hashed(password: str) -> str:
    """The hash to store; slow on purpose."""
    return _hasher.hash(password)


def fits(password: str, hash: str) -> bool:
    """Whether the password has this hash; as slow as hashing."""
    try:
        return _hasher.verify(hash, password)
    except (VerificationError, InvalidHashError):
        return False


def is_outdated(hash: str) -> bool:
    """Whether the hash was made with other parameters than the current ones."""
    return _hasher.check_needs_rehash(hash)


async def hashed_in_thread(password: str) -> str:
    """Hash a password without blocking the event loop."""
    return await asyncio.get_running_loop().run_in_executor(_doorman, hashed, password)


async def fits_in_thread(password: str, hash: str) -> bool:
    """Check a password without blocking the event loop."""
    return await asyncio.get_running_loop().run_in_executor(_doorman, fits, password, hash)

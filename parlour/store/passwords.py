"""Passwords: argon2id hashes, made and checked beside the event loop, with a bound on memory."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from msgspec import Struct

from parlour.core import Seat

_hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
"""OWASP's minimum for argon2id: 19 MiB and two passes; some 30 ms."""

_doorman = ThreadPoolExecutor(1, thread_name_prefix="doorman")
"""One password at a time for the whole process: a crowd takes 19 MiB and one processor, not all of them."""


class Account(Struct, frozen=True):
    """A user of one game, found by name."""

    seat: Seat
    hash: str


def hashed(password: str) -> str:
    """The hash to store; slow on purpose."""
    return _hasher.hash(password)


def fits(password: str, hash: str) -> bool:
    """Whether this is the password that was hashed; as slow as hashing it."""
    try:
        return _hasher.verify(hash, password)
    except (VerificationError, InvalidHashError):
        return False


def is_outdated(hash: str) -> bool:
    """Whether the hash was made with other parameters than today's."""
    return _hasher.check_needs_rehash(hash)


async def hashed_soon(password: str) -> str:
    """Hash a password without blocking the event loop."""
    return await asyncio.get_running_loop().run_in_executor(_doorman, hashed, password)


async def fits_soon(password: str, hash: str) -> bool:
    """Check a password without blocking the event loop."""
    return await asyncio.get_running_loop().run_in_executor(_doorman, fits, password, hash)

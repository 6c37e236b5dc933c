"""Who is who, by name and password. Passwords are kept as argon2id hashes, and nowhere else."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from msgspec import Struct

from parlour.core import Seat

# A few milliseconds and little memory for each: these passwords keep a seat for the length of a game.
_hasher = PasswordHasher(time_cost=2, memory_cost=8 * 1024, parallelism=1)

# One at a time, whoever asks: a crowd at the door waits for itself, and leaves the processors to the games.
_doorman = ThreadPoolExecutor(1, thread_name_prefix="doorman")


class Account(Struct, frozen=True):
    """A user of one game, who is found by name."""

    seat: Seat
    hash: str


def hashed(password: str) -> str:
    """Takes some milliseconds, on purpose."""
    return _hasher.hash(password)


def fits(password: str, hash: str) -> bool:
    """Whether this is the password that was hashed; takes as long."""
    try:
        return _hasher.verify(hash, password)
    except VerificationError:
        return False


async def hashed_soon(password: str) -> str:
    """The same while other work goes on."""
    return await asyncio.get_running_loop().run_in_executor(_doorman, hashed, password)


async def fits_soon(password: str, hash: str) -> bool:
    """The same while other work goes on."""
    return await asyncio.get_running_loop().run_in_executor(_doorman, fits, password, hash)

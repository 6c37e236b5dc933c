"""Who is who, by name and password. Passwords are kept as argon2id hashes, and nowhere else."""

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from msgspec import Struct

from parlour.core import Seat

# A few milliseconds and little memory for each: these passwords keep a seat for the length of a game.
_hasher = PasswordHasher(time_cost=2, memory_cost=8 * 1024, parallelism=1)


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

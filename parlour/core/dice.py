"""Chance that copies cheaply, is the same on every machine, and cannot be guessed from what was seen."""

from collections.abc import MutableSequence, Sequence
from hashlib import blake2b
from typing import Any, TypeVar

T = TypeVar("T")

BLOCK_BITS = 512
MOST = 1 << BLOCK_BITS
MASKS = tuple((1 << width) - 1 for width in range(BLOCK_BITS + 1))


class Dice:
    """Unbiased draws from a stream of BLAKE2b blocks.

    The seed is hashed to a 64-byte key. Block number i is the BLAKE2b of i (8 bytes, big-endian) under that key, read
    as one big-endian integer of 512 bits. A draw below n takes the lowest ceil(log2 n) bits that are left and tries
    again if they make n or more; a block with too few bits left is thrown away. `docs/fairness.md` has test vectors.
    """

    __slots__ = ("_bits", "_block", "_key", "_pool")

    def __init__(self, seed: bytes) -> None:
        self._rekey(blake2b(seed).digest())

    def _rekey(self, key: bytes) -> None:
        self._key = key
        self._block = 0  # how many blocks have been drawn
        self._pool = 0  # what is left of the last one
        self._bits = 0

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each as likely as the others."""
        if not 0 < n <= MOST:
            raise ValueError(f"cannot draw below {n}")
        width = (n - 1).bit_length()
        while True:
            if self._bits < width:
                self._refill()
            pool = self._pool
            self._pool = pool >> width
            self._bits -= width
            drawn = pool & MASKS[width]
            if drawn < n:
                return drawn

    def _refill(self) -> None:
        block = blake2b(self._block.to_bytes(8, "big"), key=self._key).digest()
        self._pool, self._bits = int.from_bytes(block, "big"), BLOCK_BITS
        self._block += 1

    def pick(self, things: Sequence[T]) -> T:
        """One of the things."""
        return things[self.below(len(things))]

    def shuffle(self, things: MutableSequence[Any]) -> None:
        """Put the things into a random order, in place; the last place is drawn first."""
        below = self.below
        for count in range(len(things), 1, -1):
            other = below(count)
            last = count - 1
            things[last], things[other] = things[other], things[last]

    def stir(self, salt: bytes) -> None:
        """Mix somebody's salt into all draws to come."""
        self._rekey(blake2b(salt, key=self._key).digest())

    def split(self) -> "Dice":
        """Other dice, unrelated to these but as repeatable."""
        return Dice(self.below(MOST).to_bytes(BLOCK_BITS // 8, "big"))

    def copy(self) -> "Dice":
        twin = Dice.__new__(Dice)
        twin._key, twin._block, twin._pool, twin._bits = self._key, self._block, self._pool, self._bits
        return twin

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dice):
            return NotImplemented
        mine = (self._key, self._block, self._pool, self._bits)
        return mine == (other._key, other._block, other._pool, other._bits)

    __hash__ = None  # type: ignore[assignment]  # mutable, so no hash

"""Random numbers that are cheap to copy, equal on every machine, and unpredictable from earlier draws."""

from collections.abc import Callable, MutableSequence, Sequence
from hashlib import blake2b
from struct import Struct
from typing import Any, Final, TypeVar

from mypy_extensions import mypyc_attr

T = TypeVar("T")

WORD: Final = 1 << 32
MOST: Final = WORD**16
_words_of: Final = Struct(">16I").unpack


@mypyc_attr(allow_interpreted_subclasses=True)
class Dice:  # noqa: PLW1641  # mutable, so they have no hash
    """Unbiased draws from a stream of BLAKE2b blocks.

    The seed is hashed to a 64-byte key. Block i is the BLAKE2b of i (8 bytes, big-endian) under that key: sixteen
    words of 32 bits, big-endian, used in order. A draw below n reads as many words as n - 1 needs, at least one, as one
    number, most significant word first, and returns the remainder of its division by n. Numbers so high that they
    would favour some remainders are rejected. `docs/fairness.md` has test vectors.
    """

    __slots__ = ("_block", "_key", "_words")

    def __init__(self, seed: bytes) -> None:
        self._rekey(blake2b(seed).digest())

    def _rekey(self, key: bytes) -> None:
        self._key = key
        self._block = 0  # number of blocks drawn
        self._words: list[int] = []  # unused words of the last block; the next word is last

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, all equally likely."""
        if not 0 < n <= WORD:
            return self._far_below(n)
        word = self._words.pop() if self._words else self._next_word()
        return word % n if word < WORD - n else self._again_below(word, n)

    def _again_below(self, word: int, n: int) -> int:
        """Finish `below` for a word so high that it may have to be rejected."""
        while word >= WORD - WORD % n:
            word = self._words.pop() if self._words else self._next_word()
        return word % n

    def _far_below(self, n: int) -> int:
        if not 0 < n <= MOST:
            raise ValueError(f"cannot draw below {n}")
        words = ((n - 1).bit_length() + 31) // 32
        span = WORD**words
        while True:
            number = 0
            for _ in range(words):
                number = number * WORD + self.below(WORD)
            if number < span - span % n:
                return number % n

    def _next_word(self) -> int:
        block = blake2b(self._block.to_bytes(8, "big"), key=self._key).digest()
        self._block += 1
        self._words.extend(reversed(_words_of(block)))
        return self._words.pop()

    def pick(self, things: Sequence[T]) -> T:
        n = len(things)
        if not n:
            raise ValueError("there is nothing to pick from")
        word = self._words.pop() if self._words else self._next_word()
        return things[word % n if word < WORD - n else self._again_below(word, n)]

    def shuffle(self, things: MutableSequence[Any]) -> None:
        """Shuffle in place; the last place is drawn first."""
        words = self._words
        for last in range(len(things) - 1, 0, -1):
            n = last + 1
            word = words.pop() if words else self._next_word()
            other = word % n if word < WORD - n else self._again_below(word, n)
            things[last], things[other] = things[other], things[last]

    def stir(self, salt: bytes) -> None:
        """Mix a salt into all later draws."""
        self._rekey(blake2b(salt, key=self._key).digest())

    def split(self) -> "Dice":
        """New dice, independent of these and just as reproducible."""
        return Dice(self.below(MOST).to_bytes(64, "big"))

    def copy(self) -> "Dice":
        return _dice(self._key, self._block, self._words[:])

    def __reduce__(self) -> tuple[Callable[[bytes, int, list[int]], "Dice"], tuple[bytes, int, list[int]]]:
        return _dice, (self._key, self._block, self._words[:])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dice):
            return NotImplemented
        return (self._key, self._block, self._words) == (other._key, other._block, other._words)


def _dice(key: bytes, block: int, words: list[int]) -> Dice:
    twin = Dice.__new__(Dice)
    twin._key, twin._block, twin._words = key, block, words
    return twin

"""Chance: the same everywhere, unbiased, and unguessable without the key."""

from collections import Counter
from hashlib import blake2b
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.core import Dice


def test_vectors() -> None:
    """Those of docs/fairness.md: they may never change."""
    dice = Dice(b"parlour")
    assert [dice.below(n) for n in (2, 6, 30, 100, 1000, 10**9)] == [1, 1, 4, 4, 893, 574315011]
    cards = list(range(10))
    Dice(b"parlour").shuffle(cards)
    assert cards == [0, 2, 3, 7, 1, 9, 8, 6, 4, 5]
    stirred = Dice(b"parlour")
    stirred.stir(b"salt")
    assert [stirred.below(100) for _ in range(8)] == [77, 48, 19, 3, 33, 40, 47, 40]


def test_draws_are_as_the_documentation_says() -> None:
    """Written a second time, from the words of the documentation."""
    key = blake2b(b"parlour").digest()
    stream = b"".join(blake2b(i.to_bytes(8, "big"), key=key).digest() for i in range(100))
    words = iter([int.from_bytes(stream[place : place + 4], "big") for place in range(0, len(stream), 4)])
    dice = Dice(b"parlour")
    for n in [30, 7, 2, 18, 1000, 3, 2**31 + 1, 1, 2**32, 10**12, 2**64, 2**64 + 1, 3 * 2**30] * 20:
        count = max(1, -(-(n - 1).bit_length() // 32))
        while True:
            number = 0
            for _ in range(count):
                number = number * 2**32 + next(words)
            if number < 2 ** (32 * count) // n * n:
                break
        assert dice.below(n) == number % n


def test_every_order_is_as_likely_as_the_others() -> None:
    dice = Dice(b"orders")
    tries = 24_000
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(tries):
        cards = [1, 2, 3, 4]
        dice.shuffle(cards)
        seen[tuple(cards)] += 1
    assert len(seen) == factorial(4)
    expected = tries / factorial(4)
    chi_squared = sum((count - expected) ** 2 / expected for count in seen.values())
    assert chi_squared < 49.7, "23 degrees of freedom: once in a thousand"


@given(st.integers(1, 2**512), st.binary(max_size=8))
def test_draws_are_in_range(n: int, seed: bytes) -> None:
    assert 0 <= Dice(seed).below(n) < n


@pytest.mark.parametrize("n", [0, -1, 2**512 + 1])
def test_there_is_nothing_to_draw_from(n: int) -> None:
    with pytest.raises(ValueError, match="cannot draw"):
        Dice(b"").below(n)


def test_copies_go_their_own_ways() -> None:
    dice = Dice(b"one")
    dice.below(10)
    twin = dice.copy()
    assert twin == dice
    assert [twin.below(1000) for _ in range(9)] == [dice.below(1000) for _ in range(9)]
    twin.below(2)
    assert twin != dice and dice != "dice"


def test_split_dice_are_repeatable_and_unrelated() -> None:
    one, other = Dice(b"one"), Dice(b"one")
    assert one.split() == other.split()
    assert one.split() != one.split()


def test_salts_do_not_commute() -> None:
    one, other = Dice(b"seed"), Dice(b"seed")
    one.stir(b"a")
    one.stir(b"b")
    other.stir(b"b")
    other.stir(b"a")
    assert one != other

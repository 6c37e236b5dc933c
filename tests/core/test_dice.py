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
    assert [dice.below(n) for n in (2, 6, 30, 100, 1000, 10**9)] == [0, 3, 8, 89, 883, 583877938]
    cards = list(range(10))
    Dice(b"parlour").shuffle(cards)
    assert cards == [7, 0, 2, 5, 6, 8, 9, 1, 4, 3]
    stirred = Dice(b"parlour")
    stirred.stir(b"salt")
    assert [stirred.below(100) for _ in range(8)] == [34, 95, 18, 16, 74, 25, 51, 75]


def test_draws_are_as_the_documentation_says() -> None:
    """Written a second time, from the words of the documentation."""
    key = blake2b(b"parlour").digest()
    blocks = (int.from_bytes(blake2b(i.to_bytes(8, "big"), key=key).digest(), "big") for i in range(100))
    bits = next(blocks)
    left = 512
    dice = Dice(b"parlour")
    for n in [30, 7, 2, 18, 1000, 3, 64, 1, 10**12] * 20:
        width = (n - 1).bit_length()
        while True:
            if left < width:
                bits, left = next(blocks), 512
            drawn, bits, left = bits % 2**width, bits >> width, left - width
            if drawn < n:
                break
        assert dice.below(n) == drawn


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

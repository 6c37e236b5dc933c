"""House rules on the command line."""

import pytest

from parlour.cli.common import UserError
from parlour.cli.options import json_or_word, option_words, read_options, read_settings
from parlour.games import game
from parlour.plugins import names


@pytest.mark.parametrize("name", names())
def test_every_option_is_described(name: str) -> None:
    for option in option_words(game(name)):
        assert option.kind and option.values and option.default
        assert option.words.endswith(".") and "\n" not in option.words


@pytest.mark.parametrize("name", names())
def test_every_word_and_range_that_is_listed_can_be_set(name: str) -> None:
    for option in option_words(game(name)):
        if option.kind in ("word", "yes or no"):
            values = option.values.replace(" or null", "").split(", ")
        elif option.kind in ("whole number", "number"):
            values = option.values.replace(",", "").split(" to ")
        else:
            continue
        for value in [*values, option.default]:
            given = getattr(read_options(game(name), [f"{option.name}={value}"]), option.name)
            assert json_or_word(given) in (value, f"{value}.0")


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("tie_break", "--set tie_break: write tie_break=VALUE; allowed: coins_then_shared, shared"),
        ("tie_break=x", "invalid value; allowed: coins_then_shared, shared (default: coins_then_shared)"),
        ("max_attempts=0", "--set max_attempts=0: max_attempts has an invalid value; allowed: 1 to 100 (default: 3)"),
        ("max_attempts=three", "allowed: 1 to 100 (default: 3)"),
        ("opener_may_pass=maybe", "allowed: true, false (default: true)"),
        ("start_coins=0", "allowed: by_count, flat_18 or 1 to 10000 (default: flat_18)"),
        ("ages=[1,-2]", "allowed: a list, each 0 to 1000 or null (default: null)"),
        ("pass_code=5", "allowed: -999,999,999 to 0 (default: 0)"),
        ("coins=3", "For Sale has no option 'coins'. It has: start_coins, refund_rounding"),
        ("coins", "For Sale has no option 'coins'"),
    ],
)
def test_a_wrong_setting_names_the_option_its_values_and_its_default(setting: str, said: str) -> None:
    with pytest.raises(UserError) as refused:
        read_settings(game("forsale"), [setting])
    assert said in str(refused.value)

"""The environment of child processes: that of this process without the keys of language models."""

import os
import re
from collections.abc import Mapping

KEYS = re.compile(
    r"(OPENAI|ANTHROPIC)_\w*(KEY|TOKEN|SECRET)\w*|(OPENAI|ANTHROPIC)_CUSTOM_HEADERS|PARLOUR_MODEL_KEY_\w+",
    re.IGNORECASE,
)
"""Names of variables that hold keys."""
PASS_KEYS = "PARLOUR_COMMANDS_GET_MODEL_KEYS"
"""A variable: with the value `yes`, commands get the keys."""


def child_environment(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment of a command at a seat. It needs no keys, because Parlour asks it over pipes."""
    if environment.get(PASS_KEYS) == "yes":
        return dict(environment)
    return {name: value for name, value in environment.items() if not KEYS.fullmatch(name)}

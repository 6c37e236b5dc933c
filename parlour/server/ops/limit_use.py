"""The limits of an arena that settings change, in the order of the page about limits, and how far they are used."""

from collections.abc import Mapping

from msgspec import Struct

from parlour.protocol.field_words import field_words
from parlour.server.settings import Settings

LIMITS = (
    "connections",
    "connections_per_address",
    "tries_a_minute",
    "wrong_logins_a_minute",
    "guests_a_minute",
    "hello_s",
    "tokens_per_account",
    "tables_per_account",
    "tables_per_guest",
    "watchers_per_match",
    "message_bytes",
    "message_depth",
    "messages_a_second",
    "requests_a_second",
    "unsent_bytes",
    "watch_queue",
    "idle_s",
    "return_s",
)
"""The names of the settings. Their words are below them in `Settings`."""


class LimitInfo(Struct, frozen=True):
    """A limit, how far it is used, and the setting that changes it."""

    name: str
    value: float
    used: int | None
    """By the account, address or match that uses most of it; null if it is not measured."""
    setting: str
    words: str


def limits(settings: Settings, used: Mapping[str, int]) -> tuple[LimitInfo, ...]:
    """All limits, with the use of those that are measured, by the account or address or match that uses most."""
    words = field_words(Settings)
    return tuple(
        LimitInfo(name.replace("_", " "), getattr(settings, name), used.get(name), name, words.get(name, ""))
        for name in LIMITS
    )

"""Settings of tradeCraft's halls in an arena."""

from typing import Annotated

from msgspec import Meta, Struct

Origin = Annotated[str, Meta(pattern=r"^(\*|null|https?://[^/?#\s]+)$")]


class HallSettings(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The section [venues.tradecraft]."""

    allowed_origins: tuple[Origin, ...] = ()
    """Origins of other servers whose pages may use Socket.IO, such as https://play.example.org; "*": any. Pages of this
    server always may."""

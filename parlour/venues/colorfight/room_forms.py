"""Forms of the API for ColorfightII's rooms."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from parlour.games.colorfight.values import Ruleset
from parlour.venues.colorfight.room_config import (
    FIELDS,
    FINISH_S,
    FIRST_ROUND_S,
    MOST_DESCRIPTION,
    OF_RULES,
    ROUND_S,
    TURNS,
    Config,
    FirstRound,
    ReplayEnable,
    RoomChanges,
)
from parlour.venues.colorfight.room_rights import MOST_SECRET

RoomName = Annotated[str, Meta(pattern=r"^[0-9A-Za-z][0-9A-Za-z._-]{0,63}$")]
Secret = Annotated[str, Meta(max_length=MOST_SECRET)]
Preset: TypeAlias = Literal["default", "constant-run", "official", "rank_2", "rank_4", "rank_8", "duel", "test-run"]


class RoomFields(Struct, frozen=True, kw_only=True):
    """All settings of a room that can be changed."""

    ruleset: Ruleset
    max_turn: int
    """Rounds of a game."""
    round_time: float
    """Seconds of a round."""
    first_round_time: FirstRound
    """Seconds until the first round; full: when all seats are taken; never: when the room is started."""
    finish_time: float
    """Seconds from the end of a game to the next one; 0: there is none until the room is restarted."""
    max_player: int | None
    """null: as many as the map has cells."""
    allow_join_after_start: bool
    allow_manual_mode: bool
    """Only shown to clients."""
    replay_enable: ReplayEnable
    """Only stored."""
    room_description: str


class RoomInfo(Struct, frozen=True, kw_only=True):
    """A room and its current game."""

    name: str
    description: str
    match: str | None
    """The id of the current game, or of the last one if the next has not begun; null: there is none."""
    turn: int
    max_turn: int
    players: int
    """How many have joined the game."""
    max_player: int
    has_key: bool
    """Whether players need a key to join."""
    has_password: bool
    """Whether there is a password for starting, restarting and deleting the room."""
    ruleset: Ruleset
    width: int
    height: int
    round_time: float
    is_waiting: bool
    """Whether the first round has not been played."""
    is_over: bool
    """Whether the game has ended, and the next has not begun."""
    is_standing: bool
    """Whether the room always exists and cannot be deleted."""
    is_yours: bool
    """Whether it belongs to the account of the token in the request."""
    settings: RoomFields
    """The settings of the next game; those of the current one are the same unless they have just been changed."""
    not_resumed: str | None
    """null, or why this server cannot continue the game of the room."""


class Bounds(Struct, frozen=True):
    """The least and the greatest value of a setting."""

    least: float
    most: float


class RoomList(Struct, frozen=True, kw_only=True):
    """All rooms, the oldest first."""

    rooms: tuple[RoomInfo, ...]
    most: int
    """How many rooms there may be."""
    presets: dict[str, RoomFields]
    """The settings that a new room can begin with, by name."""
    bounds: dict[str, Bounds]
    """The bounds of the settings that are numbers; `room_description` has a length."""


class NewRoom(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A room to create."""

    name: RoomName
    """At most 64 letters, digits, `-`, `_` and `.`; the first is a letter or a digit."""
    preset: Preset = "default"
    settings: RoomChanges = RoomChanges()
    """The settings that differ from the preset."""
    join_key: Secret = ""
    """The key that players must send to join; empty: none."""
    admin_password: Secret = ""
    """A password with which others may administer the room; empty: none."""


class RoomOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to start or delete a room."""

    admin_password: Secret | None = None
    """Only needed by those who do not own the room."""


class RestartedRoom(RoomOrder, frozen=True, forbid_unknown_fields=True):
    """A request to restart a room."""

    settings: RoomChanges = RoomChanges()


BOUNDS = {
    "max_turn": Bounds(*TURNS),
    "round_time": Bounds(*ROUND_S),
    "first_round_time": Bounds(*FIRST_ROUND_S),
    "finish_time": Bounds(*FINISH_S),
    "room_description": Bounds(0, MOST_DESCRIPTION),
}


def fields_of(config: Config) -> RoomFields:
    return RoomFields(**{name: getattr(config.options if name in OF_RULES else config, name) for name in FIELDS})

"""Configs of ColorfightII's rooms, and the settings that clients and hosts may change."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias, get_args

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from parlour.core import BadOptions
from parlour.games.colorfight.values import Options, Ruleset
from parlour.games.colorfight.wire import Refused

PUBLIC = "public"
"""The name of the room that always exists."""
SIZE_OF_TODAY = (30, 30)
"""The only map size that current clients support."""
LEAST_ROUND_S = 0.01
MOST_DESCRIPTION = 500
TURNS = (200, 2000)
ROUND_S = (0.2, 20)
FIRST_ROUND_S = (0, 60)
FINISH_S = (0, 60)
"""The bounds of settings that clients may change."""

FirstRound: TypeAlias = float | Literal["full", "never"]
ReplayEnable: TypeAlias = Literal["always", "never", "end"]


class Config(Struct, frozen=True, kw_only=True):
    """The settings of a room, with the rules of its games."""

    options: Options = Options()
    first_round_time: FirstRound = 1.0
    """Seconds until the first round of a game; "full": when all seats are taken; "never": on request."""
    finish_time: float = 0.0
    """Seconds from the end of a game to the next one; 0: there is none until the room is restarted."""
    max_player: int | None = None
    """None: as many as the map has cells."""
    allow_join_after_start: bool = True
    allow_manual_mode: bool = False
    replay_enable: ReplayEnable = "always"
    room_description: str = ""

    @property
    def most(self) -> int:
        return self.max_player or self.options.width * self.options.height

    @property
    def is_of_today(self) -> bool:
        """Whether current clients can play here."""
        return (self.options.width, self.options.height) == SIZE_OF_TODAY


CONFIGS: Mapping[str, Config] = {
    "default": Config(),
    "constant-run": Config(first_round_time=10.0, finish_time=20.0),
    "official": Config(first_round_time="never", allow_join_after_start=False),
    "rank_2": Config(options=Options(max_turn=300), max_player=2, first_round_time="full"),
    "rank_4": Config(options=Options(max_turn=400), max_player=4, first_round_time="full"),
    "rank_8": Config(options=Options(max_turn=500), max_player=8, first_round_time="full"),
    "duel": Config(max_player=2, first_round_time="full"),
    "test-run": Config(options=Options(max_turn=200, round_time=0.2), finish_time=5.0),
}
"""The configs for new rooms, by name."""

USUAL = CONFIGS["constant-run"]
"""The config of the public room."""
HOST_VALUES = {
    "first_round_time": "0 to 60, full, never",
    "finish_time": "0 to 60",
    "max_player": "2, 4, 8",
    "allow_join_after_start": "true, false",
    "allow_manual_mode": "true, false",
    "replay_enable": "always, never, end",
    "room_description": f"at most {MOST_DESCRIPTION} characters",
}
"""The values of the settings of a room besides the options of the game, in words."""
OF_RULES = Options.__struct_fields__


class RoomChanges(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Settings to change. Those that are null or missing stay as they are."""

    ruleset: Ruleset | None = None
    max_turn: Annotated[int, Meta(ge=TURNS[0], le=TURNS[1])] | None = None
    round_time: Annotated[float, Meta(ge=ROUND_S[0], le=ROUND_S[1])] | None = None
    first_round_time: (
        Annotated[float, Meta(ge=FIRST_ROUND_S[0], le=FIRST_ROUND_S[1])] | Literal["full", "never"] | None
    ) = None
    finish_time: Annotated[float, Meta(ge=FINISH_S[0], le=FINISH_S[1])] | None = None
    max_player: Literal[2, 4, 8] | None = None
    allow_join_after_start: bool | None = None
    allow_manual_mode: bool | None = None
    replay_enable: ReplayEnable | None = None
    room_description: Annotated[str, Meta(max_length=MOST_DESCRIPTION)] | None = None

    def fields(self) -> Mapping[str, Any]:
        """The settings that change."""
        return {name: value for name, value in asdict(self).items() if value is not None}


FIELDS = RoomChanges.__struct_fields__
"""Settings that clients may change over HTTP (RULES 10.9)."""
RULESETS: tuple[Ruleset, ...] = get_args(Ruleset)
HOUSE_RULES = ("ruleset", "last_standing_ends", "errors")
"""Options that a new room takes from the server and not from its config."""


def _is_valid(name: str, value: Any) -> bool:
    """Whether this is a value of a setting in FIELDS."""
    try:
        msgspec.convert({name: value}, RoomChanges)
    except (msgspec.ValidationError, UnicodeError):
        return False
    return value is not None


def changed(config: Config, fields: Mapping[str, Any]) -> Config:
    """The config with all of these settings; Refused if one of them is invalid."""
    for name, value in fields.items():
        if name not in FIELDS:
            raise Refused(f"Invalid field {name[:40]}")
        if not _is_valid(name, value):
            raise Refused(f"{name} value invalid" + (f": {' or '.join(RULESETS)}" if name == "ruleset" else ""))
    rules = {name: value for name, value in fields.items() if name in OF_RULES}
    if "round_time" in rules:
        rules["round_time"] = float(rules["round_time"])
    others = {name: value for name, value in fields.items() if name not in rules}
    return replace(config, options=replace(config.options, **rules), **others)


def for_new_room(wanted: Any, fields: Mapping[str, Any], house: Options) -> Config:
    """The config of this name with these settings, under the house rules of the server; or Refused."""
    if not isinstance(wanted, str) or wanted not in CONFIGS:
        raise Refused("config value invalid")
    config = CONFIGS[wanted]
    own = {name: getattr(house, name) for name in HOUSE_RULES}
    return changed(replace(config, options=replace(config.options, **own)), fields)


def check_name(name: str) -> None:
    """Refused if this is no valid name of a room."""
    if not name:
        raise Refused("You need to specify room id")
    if not re.fullmatch(r"[0-9A-Za-z._-]{1,64}", name):
        raise Refused("You have illegal special characters in you gameroom id")


def set_by_host(fields: Mapping[str, Any]) -> Config:
    """The config of the public room of a host, who may set all options of the game; or BadOptions."""
    for name in fields.keys() & HOST_VALUES.keys():
        if not _is_valid(name, fields[name]):
            raise BadOptions(f"{name} has an invalid value; allowed: {HOST_VALUES[name]} (default: {_usual(name)})")
    rules = {name: value for name, value in fields.items() if name in OF_RULES}
    try:
        options = msgspec.convert({**msgspec.to_builtins(USUAL.options), **rules}, Options)
    except msgspec.ValidationError as e:
        raise BadOptions(str(e)) from None
    if options.round_time < LEAST_ROUND_S:
        raise BadOptions(f"round_time is at least {LEAST_ROUND_S} s in a room, whose rounds are closed by its clock")
    return replace(USUAL, options=options, **{name: fields[name] for name in fields.keys() - rules.keys()})


def _usual(name: str) -> str:
    value = getattr(USUAL, name)
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()

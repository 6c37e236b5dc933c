"""Read the plan of a tournament from a TOML file and from flags. Every error names its line and what is allowed."""

import tomllib
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from math import comb, factorial
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

import msgspec

from parlour.cli.common import LONGEST_S, UserError, find_game
from parlour.cli.options import option_words
from parlour.core import BadOptions, Game, Sitting
from parlour.core.options import read_house_rules
from parlour.core.values import MOST_NAME, why_not_a_name
from parlour.players.player_specs import BadPlayer, load
from parlour.referee.transcript import new_seed
from parlour.tournament.plan import FORMATS, SEATINGS, Entrant, TournamentPlan
from parlour.tournament.schedules import usual_seatings

MOST_DEALS = 1_000_000
MOST_LINEUPS = 100_000
MOST_SEATINGS = 5040
"""Of a line-up: all seatings of a table of seven."""

KeyPath: TypeAlias = tuple[str | int, ...]
"""A key of a file, such as ("options", "rounds") or ("players", 2)."""
Where: TypeAlias = Callable[[KeyPath], str]
"""Where a key was given, as the beginning of an error."""

KEYS = {
    "game": "the name of a game",
    "format": ", ".join(FORMATS),
    "players": "a list of players, each as `parlour match` names it, or {name = ..., player = ...}",
    "seats": "a whole number, or a list of them",
    "deals": f"a whole number from 1 to {MOST_DEALS:,}",
    "seed": 'hexadecimal digits in quotes, an even number of them, such as "05"',
    "seatings": ", ".join(SEATINGS),
    "repeat": "true, false",
    "duplicate": "true, false",
    "against": "the name of a player",
    "rounds": "a whole number from 1 to 1,000",
    "batch": f"a whole number from 1 to {MOST_DEALS:,}",
    "margin": "Elo points, above 0 and at most 1,000",
    "limit": f"seconds, above 0 and at most {LONGEST_S:,}",
    "bank": f"seconds, from 0 to {LONGEST_S:,}",
    "bears": "a whole number from 0",
    "transcripts": "true, false",
    "options": "a table of house rules",
}
"""The keys of a file, and what each allows."""
ONLY = {
    "against": ("gauntlet",),
    "rounds": ("swiss",),
    "batch": ("until-decided",),
    "margin": ("until-decided",),
    "repeat": ("round-robin", "until-decided"),
}
"""Keys of some formats."""


def read_file(path: Path) -> tuple[dict[str, Any], Where]:
    """The keys of a file, and where each is."""
    try:
        text = path.read_text()
        return tomllib.loads(text), lambda key: _file_place(path, text, key)
    except UnicodeDecodeError:
        raise UserError(f"{path}: is not text in UTF-8") from None
    except tomllib.TOMLDecodeError as e:
        raise UserError(f"{path}: is not TOML: {e}") from None
    except RecursionError:
        raise UserError(f"{path}: is not TOML that can be read: it has too many levels") from None


def _file_place(path: Path, text: str, key: KeyPath) -> str:
    line = line_of(text, key)
    return f"{path}: " if line is None else f"{path}, line {line}: "


def line_of(text: str, key: KeyPath) -> int | None:
    """The line on which a key begins, from 1; of a list's element, the line on which it ends. None if it is missing.

    The file is read again in growing parts, because the TOML reader does not tell lines."""
    lines = text.split("\n")
    whole = 0
    for count in range(1, len(lines) + 1):
        for end in ("", "]", "}"):
            try:
                found = _found(tomllib.loads("\n".join(lines[:count]) + end), key)
            except tomllib.TOMLDecodeError:
                continue
            if found:
                return count if isinstance(key[-1], int) else whole + 1
            if not end:
                whole = count
            break
    return None


def _found(value: Any, key: KeyPath) -> bool:
    for part in key:
        if isinstance(value, list):
            inside = isinstance(part, int) and part < len(value)
        else:
            inside = isinstance(value, dict) and part in value
        if not inside:
            return False
        value = value[part]
    return True


def read_all(file: Path | None, flags: Mapping[str, Any]) -> tuple[dict[str, Any], Where]:
    """The keys of a file and of flags, which go before the file, and where each is."""
    given, place = ({}, None) if file is None else read_file(file)

    def where(key: KeyPath) -> str:
        if place is not None and key[0] not in flags:
            return place(key)
        return f"{_FLAGS.get(str(key[0]), f'--{key[0]}')}: "

    return {**given, **flags}, where


_FLAGS = {"players": "--player", "options": "--set"}


def read_plan(given: Mapping[str, Any], where: Where) -> TournamentPlan:
    """The plan of these keys, or UserError."""
    return PlanReader(given, where).plan()


def read_plans(given: Mapping[str, Any], where: Where) -> list[TournamentPlan]:
    """The plan of these keys, or one for each number of seats in their list; or UserError."""
    seats = given.get("seats")
    if not isinstance(seats, list):
        return [read_plan(given, where)]
    if not seats or len({*map(str, seats)}) < len(seats):
        raise UserError(f"{where(('seats',))}seats = {seats}: allowed: at least one number, and each only once")
    seed = {} if "seed" in given else {"seed": new_seed().hex()}
    return [read_plan({**given, **seed, "seats": number}, where) for number in seats]


class PlanReader:
    """Reads and checks the keys of a plan."""

    def __init__(self, given: Mapping[str, Any], where: Where) -> None:
        self._given, self._where = given, where

    def plan(self) -> TournamentPlan:
        given = self._given
        for key in given:
            if key not in KEYS:
                meant = "".join(f"; did you mean {near}?" for near in get_close_matches(key, KEYS, 1))
                self._refuse((key,), f"unknown key {key!r}{meant or ';'} allowed: {', '.join(KEYS)}")
        game = self._game()
        format = self._word("format", FORMATS, "round-robin")
        for key, of in ONLY.items():
            if key in given and format not in of:
                self._refuse((key,), f"{key} is for the format {' or '.join(of)} only, not for {format}")
        players = self._players(game)
        seats = self._seats(game)
        self._check_numbers(format, len(players), seats, self._truth("repeat", False))
        seatings = self._word("seatings", SEATINGS, usual_seatings(seats))
        if seatings == "all" and factorial(seats) > MOST_SEATINGS:
            self._wrong("seatings", f"balanced, for {seats} seats; all of them would be too many")
        plan = TournamentPlan(
            game=game.name,
            rules=game.rules.version,
            options=self._options(game),
            format=format,
            players=players,
            seats=seats,
            deals=self._whole("deals", 1, MOST_DEALS, 2000 if format == "until-decided" else 100),
            seed=self._seed(),
            seatings=seatings,
            duplicate=self._truth("duplicate"),
            against=self._against(players),
            rounds=self._whole("rounds", 1, 1000, max(1, (len(players) - 1).bit_length())),
            batch=self._whole("batch", 1, MOST_DEALS, 20),
            margin=self._number("margin", 0.1, 1000, 20.0),
            limit_s=self._number("limit", 0.001, LONGEST_S, None),
            bank_s=self._number("bank", 0.0, LONGEST_S, 0.0),
            bears=self._whole("bears", 0, MOST_DEALS, None),
            transcripts=self._truth("transcripts"),
        )
        self._check_game(game, plan)
        return plan

    def _refuse(self, key: KeyPath, words: str) -> NoReturn:
        raise UserError(self._where(key) + words)

    def _wrong(self, key: str, allowed: str = "") -> NoReturn:
        """Refuse the value of a key."""
        value = self._given[key]
        said = f'"{value}"' if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
        self._refuse((key,), f"{key} = {said[:80]}: allowed: {allowed or KEYS[key]}")

    def _game(self) -> Game[Any]:
        if "game" not in self._given:
            self._refuse(("game",), "game is missing; write the name of a game, such as `parlour games` lists them")
        if not isinstance(self._given["game"], str):
            self._wrong("game")
        try:
            return find_game(self._given["game"])
        except UserError as e:
            self._refuse(("game",), str(e))

    def _value(self, key: str, default: Any, fits: Callable[[Any], bool], allowed: str = "") -> Any:
        """The value of a key, if it fits; the default if it is not given."""
        if key not in self._given:
            return default
        value = self._given[key]
        return value if fits(value) else self._wrong(key, allowed)

    def _word(self, key: str, allowed: tuple[Any, ...], default: Any) -> Any:
        return self._value(key, default, allowed.__contains__)

    def _truth(self, key: str, default: bool = True) -> bool:
        truth: bool = self._value(key, default, lambda value: isinstance(value, bool))
        return truth

    def _whole(self, key: str, least: int, most: int, default: Any, allowed: str = "") -> Any:
        return self._value(key, default, lambda value: type(value) is int and least <= value <= most, allowed)

    def _number(self, key: str, least: float, most: float, default: Any) -> Any:
        number = self._value(key, default, lambda value: type(value) in (int, float) and least <= value <= most)
        return number if number is None else float(number)

    def _seed(self) -> str:
        if "seed" not in self._given:
            return new_seed().hex()
        try:
            return bytes.fromhex(self._given["seed"]).hex() or self._wrong("seed")
        except (TypeError, ValueError):
            return self._wrong("seed")

    def _seats(self, game: Game[Any]) -> int:
        allowed = game.table_seats()
        few, many = max(2, allowed[0]), allowed[-1]
        seats: int = self._whole("seats", few, many, few, f"{few} to {many}, for {game.title}")
        return seats

    def _players(self, game: Game[Any]) -> tuple[Entrant, ...]:
        """The players; those without a name of their own are named as in `match`, and numbered if need be."""
        if "players" not in self._given:
            self._refuse(("players",), f"players are missing; write {KEYS['players']}")
        listed = self._given["players"]
        if not isinstance(listed, list):
            self._wrong("players")
        entrants: list[Entrant] = []
        for place, item in enumerate(listed):
            name, player = self._entrant(item, place)
            try:
                name = name or load(game, player).name
            except BadPlayer as e:
                self._refuse(("players", place), str(e))
            taken = {entrant.name for entrant in entrants}
            if name in taken and isinstance(item, dict) and "name" in item:
                self._refuse(("players", place), f"the name {name!r} is taken; every player needs its own")
            numbered = (f"{name[: MOST_NAME - 5]} {count}" for count in range(2, len(listed) + 2))
            entrants.append(Entrant(name if name not in taken else next(n for n in numbered if n not in taken), player))
        return tuple(entrants)

    def _entrant(self, item: Any, place: int) -> tuple[str, str]:
        key = ("players", place)
        if isinstance(item, str):
            return "", item
        if not isinstance(item, dict) or not {"player"} <= item.keys() <= {"name", "player"}:
            self._refuse(key, f"not a player: {str(item)[:80]}; allowed: {KEYS['players']}")
        name, player = item.get("name", ""), item["player"]
        if not isinstance(player, str) or not isinstance(name, str):
            self._refuse(key, f"not a player: {str(item)[:80]}; name and player are texts")
        if "name" in item and (why := why_not_a_name(name)):
            self._refuse(key, f"name: {why}")
        return name, player

    def _against(self, players: tuple[Entrant, ...]) -> int:
        if "against" not in self._given:
            return 0
        names = [player.name for player in players]
        name = self._given["against"]
        return names.index(name) if name in names else self._wrong("against", ", ".join(names))

    def _check_numbers(self, format: str, players: int, seats: int, repeat: bool) -> None:
        key = ("players",)
        if players < 2:
            self._refuse(key, f"{players} players; at least 2 are needed")
        if players < seats and not repeat:
            hint = "repeat = true lets them hold several seats each"
            hint = hint if format in ONLY["repeat"] else "a player may be listed more than once"
            self._refuse(key, f"{players} players for {seats} seats; at least {seats} are needed ({hint})")
        every = comb(players, seats % players if players < seats else seats)
        lineups = {"round-robin": every, "until-decided": every, "gauntlet": comb(players - 1, seats - 1)}.get(
            format, 1
        )
        if lineups > MOST_LINEUPS:
            self._refuse(key, f"{players} players give {lineups:,} line-ups; allowed: {MOST_LINEUPS:,}; try swiss")

    def _options(self, game: Game[Any]) -> dict[str, Any]:
        options = self._given.get("options", {})
        if not isinstance(options, dict):
            self._wrong("options")
        known = {option.name: option for option in option_words(game)}
        for name, value in options.items():
            if name not in known:
                self._refuse(
                    ("options", name), f"{game.title} has no option {name!r}. It has: {', '.join(known) or 'none'}"
                )
            if not known[name].fits(value):
                self._refuse(("options", name), f"{name} has an invalid value; {known[name].allowed()}")
        return dict(options)

    def _check_game(self, game: Game[Any], plan: TournamentPlan) -> None:
        """Refuse options that allow no match."""
        try:
            sittings = [Sitting(player.name) for player in plan.players[: plan.seats]]
            game.rules.resolve(read_house_rules(game.rules.options, plan.options), sittings)
        except (BadOptions, msgspec.ValidationError) as e:
            self._refuse(("options",), str(e))

"""Read the suite of an evaluation from a TOML file, or make the usual one from the games that are installed."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from parlour import plugins
from parlour.cli.common import UserError, find_game
from parlour.cli.tournament_plan import KeyPath, Where, read_file, read_plan
from parlour.core import Game
from parlour.core.values import plain
from parlour.players.player_specs import BadPlayer, LocalSpec, load
from parlour.referee.transcript import new_seed
from parlour.tournament.blunders import BlunderRule
from parlour.tournament.evaluation import SUBJECT, Suite, SuitePart
from parlour.tournament.plan import TournamentPlan

USUAL_DEALS = 5
MOST_PART_NAME = 60
"""Characters of a part's name, which is also that of its folder."""
PART_NAME = re.compile(rf"[\w-]{{1,{MOST_PART_NAME}}}")
SUITE_KEYS = {
    "name": "a text",
    "seed": 'hexadecimal digits in quotes, an even number of them, such as "05"',
    "deals": "a whole number from 1 to 1,000,000",
    "parts": "tables [[parts]], one for each game",
}
PART_KEYS = {
    "name": "a text; by default the game and the number of seats",
    "opponents": "a list of players, each as `parlour match` names it, or {player = ..., name = ..., rating = ...}",
    "blunders": "false, or a table of bot, margin, worlds, choices, decisions",
}
"""The keys of a part that a tournament does not have."""
PLAN_KEYS = ("game", "seats", "deals", "seatings", "limit", "bank", "bears", "options")
"""The keys of a part that a tournament has, too."""


def usual_suite(player: str, games: Sequence[str], deals: int | None, seed: str | None, judge: bool) -> Suite:
    """A part for each of the games, or for all that are installed: against all built-in bots, at the smallest table."""
    parts = []
    seed = seed or new_seed().hex()
    for game in [find_game(name) for name in games] or plugins.games():
        given: dict[str, Any] = {"game": game.name, "opponents": _bots(game), "deals": deals or USUAL_DEALS}
        given |= {"options": msgspec.to_builtins(game.hosting.short)} if game.hosting.short is not None else {}
        given.get("options", {}).pop("type", None)
        parts.append(_part(player, {**given, **({} if judge else {"blunders": False})}, seed, _flag_of))
    return Suite(name="usual", player=player, parts=_named(parts, _flag_of))


def _bots(game: Game[Any]) -> list[str]:
    """The built-in bots of a game, repeated if they are too few for its smallest table."""
    bots, seats = [*game.hosting.bots], max(2, game.table_seats()[0])
    return (bots * seats)[: max(len(bots), seats - 1)]


def _flag_of(key: KeyPath) -> str:
    return "PLAYER: " if key[0] == "players" else f"--{key[0]}: "


def read_suite(file: Path, player: str, deals: int | None, seed: str | None, judge: bool) -> Suite:
    """The suite of a file; the arguments go before what the file says."""
    keys, where = read_file(file)
    for key in keys:
        if key not in SUITE_KEYS:
            raise UserError(f"{where((key,))}unknown key {key!r}; allowed: {', '.join(SUITE_KEYS)}")
    listed, name = keys.get("parts"), keys.get("name", file.stem)
    if not isinstance(listed, list) or not listed or not all(isinstance(part, dict) for part in listed):
        raise UserError(f"{where(('parts',))}parts are missing; write {SUITE_KEYS['parts']}")
    if not isinstance(name, str):
        raise UserError(f"{where(('name',))}name = {name}: allowed: {SUITE_KEYS['name']}")
    usual = {"deals": deals or keys.get("deals", USUAL_DEALS)}
    parts = []
    for place, part in enumerate(listed):
        given = {**usual, **part, **({"deals": deals} if deals else {}), **({} if judge else {"blunders": False})}
        parts.append(_part(player, given, seed or keys.get("seed") or new_seed().hex(), _places(where, place, part)))
    return Suite(name=name, player=player, parts=_named(parts, where))


def _places(where: Where, place: int, part: Mapping[str, Any]) -> Where:
    """Where a key of a part was given; what it does not have is a key of the suite."""

    def at(key: KeyPath) -> str:
        if key[0] == "players":
            if key[1:] == (SUBJECT,):
                return "PLAYER: "
            key = ("opponents", *(number - 1 for number in key[1:] if isinstance(number, int)))
        return where(("parts", place, *key) if key[0] in part else (key[0],) if key[0] in SUITE_KEYS else ("parts",))

    return at


def _part(player: str, given: Mapping[str, Any], seed: Any, where: Where) -> SuitePart:
    for key in given:
        if key not in PART_KEYS and key not in PLAN_KEYS:
            raise UserError(f"{where((key,))}unknown key {key!r}; allowed: {', '.join([*PLAN_KEYS, *PART_KEYS])}")
    opponents = given.get("opponents")
    if not isinstance(opponents, list) or not opponents:
        raise UserError(f"{where(('opponents',))}opponents are missing; write {PART_KEYS['opponents']}")
    plan = {key: given[key] for key in PLAN_KEYS if key in given}
    plan |= {"format": "gauntlet", "seed": seed, "players": [player, *map(_without_rating, opponents)]}
    read = read_plan(plan, where)
    known = {number: _rating(it, number, where) for number, it in enumerate(opponents, start=1) if _is_rated(it)}
    name = given.get("name", f"{read.game}-{read.seats}")
    if not isinstance(name, str) or not PART_NAME.fullmatch(name):
        shown = plain(str(name), 80)
        raise UserError(
            f"{where(('name',))}name = {shown}: allowed: letters, digits, - and _, at most {MOST_PART_NAME}"
        )
    return SuitePart(name=name, plan=read, known=known, blunders=_rule(read, given.get("blunders"), where))


def _is_rated(opponent: Any) -> bool:
    return isinstance(opponent, dict) and "rating" in opponent


def _without_rating(opponent: Any) -> Any:
    return {key: it for key, it in opponent.items() if key != "rating"} if isinstance(opponent, dict) else opponent


def _rating(opponent: Mapping[str, Any], number: int, where: Where) -> float:
    rating = opponent["rating"]
    if isinstance(rating, bool) or not isinstance(rating, int | float) or not -10_000 <= rating <= 10_000:
        raise UserError(f"{where(('players', number))}rating = {rating}: allowed: Elo points, -10,000 to 10,000")
    return float(rating)


def _rule(plan: TournamentPlan, given: Any, where: Where) -> BlunderRule | None:
    """How blunders of a part are looked for; None if they are not."""
    game = plugins.game(plan.game)
    usual = {"bot": game.hosting.house_bot}
    if given is False:
        return None
    if given is not None and not isinstance(given, dict):
        raise UserError(f"{where(('blunders',))}blunders = {given}: allowed: {PART_KEYS['blunders']}")
    try:
        rule = msgspec.convert({**usual, **({} if given is None else given)}, BlunderRule)
    except (msgspec.ValidationError, TypeError) as e:
        raise UserError(f"{where(('blunders',))}blunders: {e}; allowed: {PART_KEYS['blunders']}") from None
    try:
        is_bot = rule.bot in game.hosting.bots and isinstance(load(game, rule.bot), LocalSpec)
    except BadPlayer:
        is_bot = False
    if not is_bot:
        raise UserError(f"{where(('blunders',))}bot = {rule.bot!r}: allowed: {', '.join(game.hosting.bots)}")
    return rule


def _named(parts: Sequence[SuitePart], where: Where) -> tuple[SuitePart, ...]:
    """The parts, which must have different names."""
    names = [part.name for part in parts]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise UserError(f"{where(('parts',))}two parts are named {name!r}; give one of them a name of its own")
    return tuple(parts)

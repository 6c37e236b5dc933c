"""Check the options and players of a table, and begin its match."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from parlour.core import BadOptions, Game, Sitting
from parlour.players.models.options import ModelTerms
from parlour.players.play import Begun, briefs_of
from parlour.players.player_specs import BadPlayer, ModelSpec, Spec, load
from parlour.players.starter import Started
from parlour.players.terms import MODEL_LIMIT_S, Terms
from parlour.protocol.errors import RequestError
from parlour.protocol.forms import Plan, TableTerms
from parlour.protocol.reports import tell_bug
from parlour.referee.transcript import Limits
from parlour.tables.seat_keeper import Chair

PERSON_S = 60.0
"""Time limit for an answer at a quick table with people or language models, if the game's own is shorter."""
PERSON_PACE_S = 0.6
"""How long bots take to answer at a quick table with people, in seconds."""


class Dealer:
    """Checks tables, and finds the bots and commands that the host offers."""

    def __init__(self, commands: Mapping[str, Mapping[str, str]]) -> None:
        self._commands = commands
        """By game and name, the commands that may be seated."""
        self.models: Mapping[str, ModelTerms] = {}
        """By name, the models that may be seated in any game."""

    def check(self, game: Game[Any], terms: TableTerms, chairs: Sequence[Chair]) -> None:
        """Raise RequestError if no match can begin with these seats and options."""
        seats = game.table_seats()
        if len(chairs) not in seats:
            raise RequestError(400, "bad_seats", f"{game.title} has {seats[0]} to {seats[-1]} seats, not {len(chairs)}")
        limit_s = _limit_s(game, terms)
        if terms.pace_s >= limit_s:
            raise RequestError(
                400, "bad_pace", f"pace_s: {terms.pace_s:g} s; must be less than the limit, {limit_s:g} s"
            )
        try:
            game.rules.resolve(_options(game, terms), [Sitting(chair.name or "anybody") for chair in chairs])
        except (BadOptions, msgspec.MsgspecError) as e:
            raise RequestError(400, "bad_options", str(e)) from None

    def spec(self, game: Game[Any], plan: Plan) -> Spec:
        """A built-in bot, or a command or model that the host offers; no other program can be started."""
        if plan.kind == "bot" and plan.spec in game.hosting.bots:
            return load(game, plan.spec)
        if plan.kind == "command" and plan.spec in self._commands.get(game.name, {}):
            return msgspec.structs.replace(load(game, self._commands[game.name][plan.spec]), name=plan.spec)
        if plan.kind == "command" and plan.spec in self.models:
            return ModelSpec(plan.spec, self.models[plan.spec])
        raise RequestError(400, "no_such_player", f"there is no {plan.kind} {plan.spec!r} for {game.title}")

    def terms(self, game: Game[Any], plans: Sequence[Plan], terms: TableTerms) -> TableTerms:
        """The terms of a table with these seats. Models get more time, unless a limit was chosen."""
        has_models = any(plan.spec and isinstance(self.spec(game, plan), ModelSpec) for plan in plans)
        if not has_models or terms.limit_s is not None:
            return terms
        return replace(terms, limit_s=max(MODEL_LIMIT_S, game.hosting.limit_s))

    def spec_or_nobody(self, game: Game[Any], plan: Plan) -> Spec | None:
        """`spec` for an existing table; None if the host no longer offers the command."""
        try:
            return self.spec(game, plan) if plan.spec else None
        except (RequestError, BadPlayer) as e:
            tell_bug("command", e)
            return None


def terms_for_people(game: Game[Any], terms: TableTerms, limit_s: float = PERSON_S) -> TableTerms:
    """The terms of a quick table at which a person sits. A table that somebody created keeps its terms.

    Games that are played in rooms all day are far too long for one sitting, so people get the short options."""
    if not terms.quick or terms.limit_s is not None:
        return terms
    options = terms.options or (short_options(game) if game.hosting.seating == "open" else {})
    return replace(terms, options=options, limit_s=max(limit_s, game.hosting.limit_s), pace_s=PERSON_PACE_S)


def short_options(game: Game[Any]) -> dict[str, Any]:
    """The options of a short match that differ from the usual ones."""
    usual, short = msgspec.to_builtins(game.rules.options()), msgspec.to_builtins(game.hosting.short) or {}
    return {name: value for name, value in short.items() if value != usual[name]}


def terms_of(game: Game[Any], terms: TableTerms) -> Terms:
    """The terms of a table's match."""
    limit_ms = round(_limit_s(game, terms) * 1000)
    limits = Limits(max(1, limit_ms), round(terms.bank_s * 1000))
    return Terms(game=game, options=_options(game, terms), limits=limits, salted=True, pace_s=terms.pace_s)


async def begun_in_thread(
    terms: Terms,
    seed: bytes,
    sittings: Sequence[Sitting],
    lines: Sequence[bytes] | None,
    specs: Sequence[Spec | Started | None] = (),
) -> Begun:
    """Begin a match, or replay its lines, in a thread, because this may take long."""
    now = asyncio.get_running_loop().time()
    return await asyncio.to_thread(Begun, terms, seed, sittings, lines, now, briefs_of(specs))


def _limit_s(game: Game[Any], terms: TableTerms) -> float:
    return terms.limit_s or game.hosting.limit_s


def _options(game: Game[Any], terms: TableTerms) -> Any:
    return msgspec.convert({"type": game.rules.options.__name__, **terms.options}, game.rules.options)

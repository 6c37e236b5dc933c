"""Check requests for new leagues and entries, and make the values to store."""

import secrets
from hashlib import sha256

from parlour.core.values import why_not_a_name
from parlour.players.player_specs import ModelSpec
from parlour.protocol.errors import RequestError
from parlour.protocol.forms import Plan, TableTerms
from parlour.protocol.league_forms import NewEntry, NewLeague
from parlour.protocol.records import Account, now_ms
from parlour.server.api.lookups import found_game
from parlour.server.leagues.draw import most_entries
from parlour.server.leagues.pseudonyms import new_alias
from parlour.server.reserved_names import why_refused_in_thread
from parlour.store.league_values import StoredEntry, StoredLeague, json_text
from parlour.store.leagues import Entering
from parlour.store.name_skeletons import keys_in_thread
from parlour.store.store import Store
from parlour.tables.match_setup import Dealer
from parlour.tables.seat_keeper import Chair


def checked_league(dealer: Dealer, wanted: NewLeague) -> tuple[StoredLeague, list[StoredEntry]]:
    """The league and the players of its host; RequestError if there can be none."""
    game = found_game(wanted.game)
    if (why := why_not_a_name(wanted.name)) is not None:
        raise RequestError(400, "bad_name", f"name: {why}")
    seats = wanted.seats or max(2, game.table_seats()[0])
    own = wanted.terms
    terms = TableTerms(options=own.options, limit_s=own.limit_s, bank_s=own.bank_s)
    dealer.check(game, terms, [Chair(Plan("open"))] * seats)
    for player in wanted.house:
        dealer.spec(game, Plan(player.kind, player.spec))
    check_deadline(wanted.deadline_ms)
    if wanted.format == "gauntlet" and not wanted.house:
        raise RequestError(400, "bad_house", "house: a gauntlet is against the first player of the host")
    most = most_entries(wanted.format, seats, wanted.deals, wanted.rounds)
    if most < max(seats, len(wanted.house)):
        raise RequestError(400, "too_many_matches", "deals: the league would have too many matches")
    league = StoredLeague(
        id=secrets.token_hex(6),
        name=wanted.name,
        game=game.name,
        format=wanted.format,
        state="open",
        seats=seats,
        deals=wanted.deals,
        rounds=wanted.rounds,
        terms=json_text(own),
        deadline_ms=wanted.deadline_ms,
        freeze_ms=wanted.freeze_ms,
        anonymous=wanted.anonymous,
        team_size=wanted.team_size,
        created_ms=now_ms(),
    )
    return league, _house(league, wanted)


def _house(league: StoredLeague, wanted: NewLeague) -> list[StoredEntry]:
    """The entries of the host. Those with the same player are numbered."""
    made: list[StoredEntry] = []
    for place, player in enumerate(wanted.house):
        before = sum(entry.spec == player.spec for entry in made)
        name = f"{player.spec[:58]} {before + 1}" if before else player.spec
        alias = new_alias({entry.alias for entry in made})
        id = secrets.token_hex(6)
        made.append(StoredEntry(id, league.id, player.kind, player.spec, None, name, alias, None, "in", place))
    return made


def check_deadline(deadline_ms: int) -> None:
    if deadline_ms <= now_ms():
        raise RequestError(400, "bad_deadline", "deadline_ms: must be in the future")


async def checked_entry(
    store: Store, dealer: Dealer, league: StoredLeague, account: Account, wanted: NewEntry, code: str | None
) -> Entering:
    """An entry of an account, which is a team if it has a code."""
    spec = wanted.command or ""
    if spec and isinstance(dealer.spec(found_game(league.game), Plan("command", spec)), ModelSpec):
        raise RequestError(403, "no_models", "models of the host play in leagues only if the host enters them")
    name_key = None if wanted.team is None else await _team_key(store, wanted.team, account)
    taken = {entry.alias for entry in await store.leagues.entries(league.id)}
    return Entering(
        secrets.token_hex(6),
        league.id,
        "command" if spec else "client",
        spec,
        account.id,
        wanted.team or account.name,
        new_alias(taken),
        None if code is None else hash_of(code),
        "in",
        None,
        name_key=name_key,
        most=most_entries(league.format, league.seats, league.deals, league.rounds),
    )


async def _team_key(store: Store, name: str, account: Account) -> str:
    """The skeleton of a team's name; RequestError if somebody else has the name."""
    if (why := why_not_a_name(name) or await why_refused_in_thread(name)) is not None:
        raise RequestError(409, "name_taken", f"team: {why}")
    if await store.people.holder(name) not in (None, account.id):
        raise RequestError(409, "name_taken", "team: another account has that name, or one that looks like it")
    return (await keys_in_thread(name.casefold()))[0]


def check_wanted(league: StoredLeague, wanted: NewEntry) -> None:
    """RequestError if there is no such entry in this league."""
    if wanted.code is not None and (wanted.team is not None or wanted.command is not None):
        raise RequestError(400, "bad_request", "code: not together with team or command, which the team has already")
    if league.team_size == 1 and (wanted.team is not None or wanted.code is not None):
        raise RequestError(409, "no_teams", "this league has no teams")


def drawn_code() -> str:
    """An invitation code of a team."""
    return secrets.token_urlsafe(12)


def hash_of(code: str) -> str:
    """Codes are long and random, so a fast hash is safe."""
    return sha256(code.encode()).hexdigest()

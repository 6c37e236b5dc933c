"""Ratings of accounts, built-in bots and commands, with their history. Each match changes them once."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from sqlalchemy import Connection, delete, exists, func, insert, or_, select, update

from parlour.protocol.rating_forms import RatedKind
from parlour.protocol.records import now_ms
from parlour.store.league_schema import league_slots, leagues, rated_matches, rating_history, ratings
from parlour.store.league_values import ENDED
from parlour.store.schema import accounts, matches, seats
from parlour.store.transactions import StorePart, reads, writes

Skill: TypeAlias = tuple[float, float]
"""Mean and deviation."""
Rate: TypeAlias = Callable[[Sequence[Skill], Sequence[int]], Sequence[Skill]]
"""The skills after a match, from those before and the ranks."""
ENDINGS = ("over", "void", "dropped")
AT_ONCE = 50
"""How many matches are rated in one transaction."""
BACK = 10
"""How many matches the trend goes back."""


class StoredRating(Struct, frozen=True):
    """The rating of a player in a game."""

    id: int
    game: str
    kind: RatedKind
    name: str
    mean: float
    deviation: float
    matches: int
    rated_ms: int
    rank: int
    """Among the players that have enough matches, or among the others."""
    before: float | None
    """The mean some matches ago; None: the player has had fewer matches."""


class StoredPoint(Struct, frozen=True):
    """A rating after a match."""

    at_ms: int
    match: str
    mean: float
    deviation: float


class OwnRating(Struct, frozen=True):
    """The rating of an account in a game."""

    game: str
    mean: float
    deviation: float
    matches: int
    history: tuple[StoredPoint, ...]


class _Rated(Struct, frozen=True):
    """A player of a match."""

    kind: RatedKind
    account: int | None
    spec: str | None


class RatingStore(StorePart):
    """All access to ratings."""

    async def is_due(self) -> bool:
        """Whether a finished match may have to be rated."""
        query = select(rated_matches.c.match).join(matches, matches.c.id == rated_matches.c.match)
        query = query.where(rated_matches.c.state == "due", matches.c.state.in_(ENDINGS)).limit(1)
        return bool(await self._database.values(query))

    @writes
    def rate_due(self, connection: Connection, rate: Rate, newcomer: Skill) -> int:
        """Rate finished matches that are due, in the order in which they ended; returns how many were looked at.

        Matches of leagues whose names or results are hidden wait until the league is over."""
        m, g = matches.c, leagues.c
        hidden = exists().where(g.id == m.league, g.state.not_in(ENDED), or_(g.anonymous, m.ended_ms >= g.freeze_ms))
        query = select(m.id, m.game, m.state).join(rated_matches, m.id == rated_matches.c.match)
        query = query.where(rated_matches.c.state == "due", m.state.in_(ENDINGS), ~hidden)
        rows = connection.execute(query.order_by(m.ended_ms, m.id).limit(AT_ONCE)).all()
        for id, game, state in rows:
            is_rated = state == "over" and _rate(connection, id, game, rate, newcomer)
            close_rating(connection, id, "done" if is_rated else "left out")
        return len(rows)

    async def leaderboard(self, game: str, least: int, after: int, limit: int) -> list[StoredRating]:
        """The ratings of a game: those with at least so many matches, best first, and then the others."""
        query = _rows(least).where(ratings.c.game == game)
        return await self._found(query.offset(after).limit(limit))

    async def of(self, kind: RatedKind, name: str, least: int) -> list[StoredRating]:
        """The ratings of one player, by game."""
        listed = _rows(least).subquery()
        query = select(listed).where(listed.c.kind == kind, listed.c.name == name).order_by(listed.c.game)
        return await self._found(query)

    async def _found(self, query: Any) -> list[StoredRating]:
        return [StoredRating(**row._mapping) for row in await self._database.rows(query)]

    async def history(self, rating: int, limit: int) -> list[StoredPoint]:
        """The newest points, oldest first."""
        h = rating_history.c
        query = select(h.at_ms, h.match, h.mean, h.deviation).where(h.rating == rating)
        rows = await self._database.rows(query.order_by(h.n.desc()).limit(limit))
        return [StoredPoint(*row) for row in reversed(rows)]

    @reads
    def of_account(self, connection: Connection, account: int) -> list[OwnRating]:
        """The ratings of an account with their whole history."""
        r, h = ratings.c, rating_history.c
        found = []
        query = select(r.id, r.game, r.mean, r.deviation, r.matches).where(r.account == account).order_by(r.game)
        for id, game, mean, deviation, count in connection.execute(query).all():
            points = select(h.at_ms, h.match, h.mean, h.deviation).where(h.rating == id).order_by(h.n)
            history = tuple(StoredPoint(*row) for row in connection.execute(points))
            found.append(OwnRating(game, mean, deviation, count, history))
        return found


def close_rating(connection: Connection, match: str, state: Literal["done", "left out"]) -> None:
    """A match that is due has changed the ratings, or changes none."""
    due = update(rated_matches).where(rated_matches.c.match == match, rated_matches.c.state == "due")
    connection.execute(due.values(state=state))


def delete_ratings(connection: Connection, account: int) -> None:
    """Delete all ratings of an account."""
    own = select(ratings.c.id).where(ratings.c.account == account)
    connection.execute(delete(rating_history).where(rating_history.c.rating.in_(own)))
    connection.execute(delete(ratings).where(ratings.c.account == account))


def _rate(connection: Connection, match: str, game: str, rate: Rate, newcomer: Skill) -> bool:
    """Change the ratings of the players of a match; False if it changes none."""
    s = seats.c
    query = select(s.kind, s.spec, s.account, s.rank, accounts.c.password, accounts.c.state)
    query = query.join_from(seats, accounts, accounts.c.id == s.account, isouter=True).where(s.match == match)
    rows = connection.execute(query.order_by(s.seat)).all()
    players = [_rated(row) for row in rows]
    known = [player for player in players if player is not None]
    if len(known) < len(rows) or len(set(known)) < 2 or any(row.rank is None for row in rows):
        return False
    absent = select(league_slots.c.n).where(league_slots.c.match == match, league_slots.c.absent != "[]")
    if connection.scalar(absent) is not None:
        return False
    before = {player: _found(connection, game, player, newcomer) for player in known}
    after = rate([before[player][1] for player in known], [row.rank for row in rows])
    for player, (id, _, count) in before.items():
        own = [skill for at, skill in zip(known, after, strict=True) if at == player]
        skill = tuple(sum(part) / len(own) for part in zip(*own, strict=True))
        _store(connection, id, match, skill, count + 1)
    return True


def _rated(row: Any) -> _Rated | None:
    """The player at a seat; None if it has no rating: a guest, or an account that is not active any more."""
    if row.kind in ("bot", "command"):
        return _Rated(row.kind, None, row.spec)
    if row.account is None or row.password is None or row.state != "active":
        return None
    return _Rated("account", row.account, None)


def _found(connection: Connection, game: str, player: _Rated, newcomer: Skill) -> tuple[int, Skill, int]:
    """The id of a rating, the skill, and the number of matches."""
    r = ratings.c
    whose = r.account == player.account if player.kind == "account" else r.spec == player.spec
    query = select(r.id, r.mean, r.deviation, r.matches).where(r.game == game, r.kind == player.kind, whose)
    if (row := connection.execute(query.with_for_update()).first()) is not None:
        return row.id, (row.mean, row.deviation), row.matches
    own = {"kind": player.kind, "account": player.account, "spec": player.spec, "game": game}
    start = {"mean": newcomer[0], "deviation": newcomer[1], "matches": 0, "rated_ms": now_ms()}
    id: int = connection.execute(insert(ratings).returning(r.id), {**own, **start}).scalar_one()
    return id, newcomer, 0


def _store(connection: Connection, id: int, match: str, skill: Sequence[float], count: int) -> None:
    mean, deviation = skill
    at_ms = now_ms()
    row = {"mean": mean, "deviation": deviation, "matches": count, "rated_ms": at_ms}
    connection.execute(update(ratings).where(ratings.c.id == id).values(**row))
    point = {"rating": id, "n": count, "match": match, "mean": mean, "deviation": deviation, "at_ms": at_ms}
    connection.execute(insert(rating_history), point)


def _rows(least: int) -> Any:
    """Ratings with names and ranks, without those of accounts that are banned."""
    r, earlier = ratings.c, rating_history.alias()
    name = func.coalesce(accounts.c.name, r.spec).label("name")
    is_ranked = (r.matches >= least).label("is_ranked")
    safe = r.mean - 3 * r.deviation
    rank = func.rank().over(partition_by=(r.game, is_ranked), order_by=safe.desc()).label("rank")
    before = select(earlier.c.mean).where(earlier.c.rating == r.id, earlier.c.n == r.matches - BACK).scalar_subquery()
    columns = (r.id, r.game, r.kind, name, r.mean, r.deviation, r.matches, r.rated_ms, rank, before.label("before"))
    query: Any = select(*columns).join_from(ratings, accounts, accounts.c.id == r.account, isouter=True)
    query = query.where(or_(r.account.is_(None), accounts.c.state == "active"))
    return query.order_by(is_ranked.desc(), safe.desc(), name, r.id)

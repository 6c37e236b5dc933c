"""Count how often accounts have played and won lately. These are not ratings."""

from typing import Any

from msgspec import Struct
from sqlalchemy import ColumnElement, Float, case, cast, exists, func, or_, select

from parlour.store.league_schema import leagues
from parlour.store.league_values import ENDED
from parlour.store.schema import accounts, matches, seats


class PlayerRecord(Struct, frozen=True):
    """The results of an account in the finished matches of a game."""

    name: str
    matches: int
    wins: float
    """First places. Players that share one have an equal part of it."""
    mean_rank: float
    """1 is the first place. A match of more players has more places."""


def _is_kept_back(league: ColumnElement[str]) -> Any:
    """Whether a league that has not ended hides names or results, which these counts would give away."""
    g = leagues.c
    hides = or_(g.anonymous, g.freeze_ms.is_not(None))
    return exists().where(g.id == league, g.state.not_in(ENDED), hides)


def standings(game: str, since_ms: int) -> Any:
    """The query of `Store.standings`: name, matches, wins and mean rank of each account."""
    s, m, a, other = seats.c, matches.c, accounts.c, seats.alias()
    winners = select(func.count()).where(other.c.match == s.match, other.c.rank == 1).scalar_subquery()
    share = case((s.rank == 1, 1.0 / cast(winners, Float)), else_=0.0)
    wins, mean = func.sum(share), func.avg(cast(s.rank, Float))
    query = select(a.name, func.count(), wins, mean)
    query = query.join_from(matches, seats, s.match == m.id).join(accounts, a.id == s.account)
    query = query.where(m.game == game, m.state == "over", m.created_ms >= since_ms, s.rank.is_not(None))
    query = query.where(exists().where(other.c.match == s.match, other.c.seat != s.seat))
    query = query.where(~_is_kept_back(m.league))
    query = query.where(a.password.is_not(None), a.state == "active").group_by(a.id, a.name)
    return query.order_by(wins.desc(), mean, a.name)

"""The tables of the store for leagues and ratings."""

from sqlalchemy import BigInteger, Boolean, Column, Float, ForeignKey, Index, Integer, String, Table, Text

from parlour.store.schema import metadata

leagues = Table(
    "leagues",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("name", String(64), nullable=False),
    Column("game", String(64), nullable=False),
    Column("format", String(16), nullable=False),
    Column("state", String(16), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("deals", Integer, nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("terms", Text, nullable=False),
    Column("deadline_ms", BigInteger, nullable=False),
    Column("freeze_ms", BigInteger),
    Column("anonymous", Boolean, nullable=False),
    Column("team_size", Integer, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("started_ms", BigInteger),
    Column("ended_ms", BigInteger),
    Column("why", String(300)),
    Index("leagues_by_time", "created_ms"),
    Index("leagues_by_state", "state"),
)

league_entries = Table(
    "league_entries",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("league", ForeignKey("leagues.id"), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("spec", String(64), nullable=False),
    Column("owner", ForeignKey("accounts.id")),
    Column("name", String(64)),
    Column("name_key", String(255)),
    Column("alias", String(64), nullable=False),
    Column("code_hash", String(64)),
    Column("state", String(16), nullable=False),
    Column("place", Integer),
    Column("created_ms", BigInteger, nullable=False),
    Index("league_entries_by_name", "league", "name_key", unique=True),
    Index("league_entries_of_owner", "owner"),
)
"""An entry of a single account has no name, because the account has one. The name key is the skeleton of a team's name.
`place` is drawn by lot when the league starts, and numbers the entries that take part from 0."""

league_members = Table(
    "league_members",
    metadata,
    Column("league", ForeignKey("leagues.id"), primary_key=True),
    Column("account", ForeignKey("accounts.id"), primary_key=True, autoincrement=False),
    Column("entry", ForeignKey("league_entries.id"), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Index("league_members_of_entry", "entry"),
    Index("league_members_of_account", "account"),
)
"""The accounts of entries. An account can be in one entry of a league only."""

league_rounds = Table(
    "league_rounds",
    metadata,
    Column("league", ForeignKey("leagues.id"), primary_key=True),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("byes", Text, nullable=False),
)
"""The rounds that have been drawn. The byes are the ids of entries that do not play, as JSON."""

league_slots = Table(
    "league_slots",
    metadata,
    Column("league", ForeignKey("leagues.id"), primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("round", Integer, nullable=False),
    Column("state", String(16), nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("voids", Integer, nullable=False),
    Column("match", ForeignKey("matches.id")),
    Column("entries", Text, nullable=False),
    Column("absent", Text, nullable=False),
    Column("results", Text),
    Column("settled_ms", BigInteger),
    Index("league_slots_by_state", "league", "state"),
    Index("league_slots_of_match", "match"),
)
"""The schedule. The lists are JSON: ids of entries by seat, the seats whose players were absent at the beginning, and
rank, score and faults by seat. `voids` counts attempts that were lost to failures of the server."""

league_records = Table(
    "league_records",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("league", ForeignKey("leagues.id"), nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("kind", String(32), nullable=False),
    Column("by", ForeignKey("accounts.id")),
    Column("n", Integer),
    Column("match", String(64)),
    Column("entry", String(64)),
    Column("why", String(300), nullable=False),
    Index("league_records_of_league", "league", "id"),
    sqlite_autoincrement=True,
)
"""The acts on a league, and their authors. `entry` is the id of an entry."""

ratings = Table(
    "ratings",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", String(64), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("account", ForeignKey("accounts.id")),
    Column("spec", String(64)),
    Column("mean", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("matches", Integer, nullable=False),
    Column("rated_ms", BigInteger, nullable=False),
    Index("ratings_of_account", "account", "game", unique=True),
    Index("ratings_of_bot", "game", "kind", "spec", unique=True),
)
"""The rating of an account, of a built-in bot, or of a command of the host, in one game."""

rating_history = Table(
    "rating_history",
    metadata,
    Column("rating", ForeignKey("ratings.id"), primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("match", ForeignKey("matches.id"), nullable=False),
    Column("mean", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Index("rating_history_of_match", "match"),
)
"""Ratings after each match, numbered from 1."""

rated_matches = Table(
    "rated_matches",
    metadata,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("state", String(16), nullable=False),
    Index("rated_matches_by_state", "state"),
)
"""Matches that change ratings. The state is `due` until the match is over and has changed them, then `done`; or `left
out` if it changes none after all."""

"""The tables of the store. Seeds are separate from lines, and lines are never changed."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

metadata = MetaData()

accounts = Table(
    "accounts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(64), nullable=False, unique=True),
    Column("password", String(200)),
    Column("admin", Boolean, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("state", String(16), nullable=False, server_default="active"),
)
"""A guest has no password, only tokens. The state is active, banned or deleted. The row of a deleted account stays,
because matches refer to it."""

names = Table(
    "names",
    metadata,
    Column("key", String(255), primary_key=True),
    Column("account", ForeignKey("accounts.id"), nullable=False),
    Index("names_of_account", "account"),
)
"""Skeletons of the names of accounts with a password. A new account must get all keys of its name, or is refused."""

tokens = Table(
    "tokens",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account", ForeignKey("accounts.id"), nullable=False),
    Column("hash", String(64), nullable=False, unique=True),
    Column("scopes", String(64), nullable=False),
    Column("label", String(64), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("revoked", Boolean, nullable=False),
    Column("expires_ms", BigInteger),
    Column("parent", Integer),
    Index("tokens_of_account", "account"),
    Index("tokens_of_parent", "parent"),
)
"""Without `expires_ms` a token is valid until it is revoked. The parent is the token that it was made from."""

matches = Table(
    "matches",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("state", String(16), nullable=False),
    Column("terms", Text, nullable=False),
    Column("owner", ForeignKey("accounts.id")),
    Column("key_hash", String(64)),
    Column("waits_until_ms", BigInteger),
    Column("created_ms", BigInteger, nullable=False),
    Column("ended_ms", BigInteger),
    Column("rematch_of", String(64)),
    Column("room", String(64)),
    Column("league", String(64)),
    Index("matches_by_state", "state", "game"),
    Index("matches_by_time", "created_ms"),
    Index("matches_by_rematch", "rematch_of"),
    Index("matches_of_owner", "owner"),
    Index("matches_of_room", "room"),
    Index("matches_of_league", "league"),
)
"""Matches, and tables whose match has not begun yet. `rematch_of` is the match whose players play again; it may have
been deleted. `room` is the name of the room in which the match is played, `league` the id of its league."""

seeds = Table(
    "seeds",
    metadata,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("seed", LargeBinary(64), nullable=False),
)

seats = Table(
    "seats",
    metadata,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(16), nullable=False),
    Column("spec", Text, nullable=False),
    Column("account", ForeignKey("accounts.id")),
    Column("name", String(64)),
    Column("salt", String(128)),
    Column("score", BigInteger),
    Column("rank", Integer),
    Column("secret", String(200)),
    Column("faults", Integer),
    Index("seats_of_account", "account"),
)
"""The secret is the hash of a password for this match only. The faults are counted when the match ends."""

rooms = Table(
    "rooms",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("config", Text, nullable=False),
    Column("admin", String(200)),
    Column("join_key", String(200), nullable=False),
    Column("match", ForeignKey("matches.id")),
    Column("created_ms", BigInteger, nullable=False),
    Column("owner", Integer),
)
"""Rooms, with their current or last match, if any. The administrator's password and the join key are hashes; the key is
empty if none is needed. The owner is the account that created the room with a token."""

keys = Table(
    "keys",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("secret", LargeBinary, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
)
"""Private keys of the server, by purpose. They must be kept as secret as seeds."""

lines = Table(
    "lines",
    metadata,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("raw", LargeBinary, nullable=False),
)

seat_stderr = Table(
    "seat_stderr",
    metadata,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("account", ForeignKey("accounts.id")),
    Column("text", LargeBinary, nullable=False),
    Column("dropped", BigInteger, nullable=False),
    Index("seat_stderr_of_account", "account"),
)
"""The stderr of the program at a seat, and how many bytes were not kept. A command of the host has no account.
The text is UTF-8; it may have characters that a text column refuses."""

seat_notes = Table(
    "seat_notes",
    metadata,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("account", ForeignKey("accounts.id")),
    Column("frame", Integer, nullable=False),
    Column("ask", Integer, nullable=False),
    Column("text", LargeBinary, nullable=False),
    Index("seat_notes_of_account", "account"),
)
"""Notes that came with answers: the frame that the answer led to, and the number of the ask."""

orders = Table(
    "orders",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("subject", String(64), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
)
"""Orders to the running server: `account` (its state, password or tokens have changed) or `stop` (stop a match). The
server deletes an order after carrying it out."""

chat = Table(
    "chat",
    metadata,
    Column("n", Integer, primary_key=True),
    Column("match", ForeignKey("matches.id"), nullable=False),
    Column("account", ForeignKey("accounts.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("name", String(64), nullable=False),
    Column("text", String(300), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Index("chat_of_match", "match", "n"),
    Index("chat_of_account", "account"),
    Index("chat_by_time", "created_ms"),
    sqlite_autoincrement=True,
)
"""The chat messages of players. Numbers are never used again, so that a client can ask for all after a number. The
name is the writer's, because at a table that waits another player may take the same seat later."""

chat_reports = Table(
    "chat_reports",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("n", ForeignKey("chat.n"), nullable=False),
    Column("reporter", ForeignKey("accounts.id"), nullable=False),
    Column("why", String(300), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Index("chat_reports_of_message", "n", "reporter", unique=True),
    Index("chat_reports_of_reporter", "reporter"),
    sqlite_autoincrement=True,
)
"""Chat messages that players have reported to the administrators."""

model_calls = Table(
    "model_calls",
    metadata,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("account", ForeignKey("accounts.id")),
    Column("record", LargeBinary, nullable=False),
    Index("model_calls_of_account", "account"),
)
"""Questions to models at seats and their answers, as JSON, and the account that pays; null: the host."""

model_budgets = Table(
    "model_budgets",
    metadata,
    Column("account", ForeignKey("accounts.id"), primary_key=True, autoincrement=False),
    Column("most", BigInteger),
    Column("spent", BigInteger, nullable=False),
)
"""The budgets of accounts for models, and how much they have spent, in billionths of a dollar. `most` is null where
administrators have set nothing."""

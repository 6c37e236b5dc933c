"""Leagues with their entries, slots and records; ratings of players with their history."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _leagues()
    _entries()
    _slots()
    _ratings()
    op.add_column("matches", sa.Column("league", sa.String(64)))
    op.create_index("matches_of_league", "matches", ["league"])


def _leagues() -> None:
    op.create_table(
        "leagues",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("format", sa.String(16), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("deals", sa.Integer, nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("terms", sa.Text, nullable=False),
        sa.Column("deadline_ms", sa.BigInteger, nullable=False),
        sa.Column("freeze_ms", sa.BigInteger),
        sa.Column("anonymous", sa.Boolean, nullable=False),
        sa.Column("team_size", sa.Integer, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("started_ms", sa.BigInteger),
        sa.Column("ended_ms", sa.BigInteger),
        sa.Column("why", sa.String(300)),
    )
    op.create_index("leagues_by_time", "leagues", ["created_ms"])
    op.create_index("leagues_by_state", "leagues", ["state"])
    op.create_table(
        "league_records",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("league", sa.String(64), sa.ForeignKey("leagues.id"), nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("by", sa.Integer, sa.ForeignKey("accounts.id")),
        sa.Column("n", sa.Integer),
        sa.Column("match", sa.String(64)),
        sa.Column("entry", sa.String(64)),
        sa.Column("why", sa.String(300), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("league_records_of_league", "league_records", ["league", "id"])


def _entries() -> None:
    op.create_table(
        "league_entries",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("league", sa.String(64), sa.ForeignKey("leagues.id"), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("spec", sa.String(64), nullable=False),
        sa.Column("owner", sa.Integer, sa.ForeignKey("accounts.id")),
        sa.Column("name", sa.String(64)),
        sa.Column("name_key", sa.String(255)),
        sa.Column("alias", sa.String(64), nullable=False),
        sa.Column("code_hash", sa.String(64)),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("place", sa.Integer),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("league_entries_by_name", "league_entries", ["league", "name_key"], unique=True)
    op.create_index("league_entries_of_owner", "league_entries", ["owner"])
    op.create_table(
        "league_members",
        sa.Column("league", sa.String(64), sa.ForeignKey("leagues.id"), primary_key=True),
        sa.Column("account", sa.Integer, sa.ForeignKey("accounts.id"), primary_key=True, autoincrement=False),
        sa.Column("entry", sa.String(64), sa.ForeignKey("league_entries.id"), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("league_members_of_entry", "league_members", ["entry"])
    op.create_index("league_members_of_account", "league_members", ["account"])


def _slots() -> None:
    op.create_table(
        "league_rounds",
        sa.Column("league", sa.String(64), sa.ForeignKey("leagues.id"), primary_key=True),
        sa.Column("round", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("byes", sa.Text, nullable=False),
    )
    op.create_table(
        "league_slots",
        sa.Column("league", sa.String(64), sa.ForeignKey("leagues.id"), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("voids", sa.Integer, nullable=False),
        sa.Column("match", sa.String(64), sa.ForeignKey("matches.id")),
        sa.Column("entries", sa.Text, nullable=False),
        sa.Column("absent", sa.Text, nullable=False),
        sa.Column("results", sa.Text),
        sa.Column("settled_ms", sa.BigInteger),
    )
    op.create_index("league_slots_by_state", "league_slots", ["league", "state"])
    op.create_index("league_slots_of_match", "league_slots", ["match"])


def _ratings() -> None:
    op.create_table(
        "ratings",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("account", sa.Integer, sa.ForeignKey("accounts.id")),
        sa.Column("spec", sa.String(64)),
        sa.Column("mean", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.Column("rated_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("ratings_of_account", "ratings", ["account", "game"], unique=True)
    op.create_index("ratings_of_bot", "ratings", ["game", "kind", "spec"], unique=True)
    op.create_table(
        "rating_history",
        sa.Column("rating", sa.Integer, sa.ForeignKey("ratings.id"), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("match", sa.String(64), sa.ForeignKey("matches.id"), nullable=False),
        sa.Column("mean", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("rating_history_of_match", "rating_history", ["match"])
    op.create_table(
        "rated_matches",
        sa.Column("match", sa.String(64), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("state", sa.String(16), nullable=False),
    )
    op.create_index("rated_matches_by_state", "rated_matches", ["state"])


def downgrade() -> None:
    for table in (
        "rated_matches",
        "rating_history",
        "ratings",
        "league_slots",
        "league_rounds",
        "league_members",
        "league_entries",
    ):
        op.drop_table(table)
    for table in ("league_records", "leagues"):
        op.drop_table(table)
    op.drop_index("matches_of_league", "matches")
    op.drop_column("matches", "league")

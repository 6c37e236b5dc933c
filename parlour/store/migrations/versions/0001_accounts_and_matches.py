"""Accounts, tokens, matches with their seats, and transcripts."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(64), nullable=False, unique=True),
        sa.Column("password", sa.String(200)),
        sa.Column("admin", sa.Boolean, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("account", sa.Integer, sa.ForeignKey("accounts.id"), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False, unique=True),
        sa.Column("scopes", sa.String(64), nullable=False),
        sa.Column("label", sa.String(64), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("revoked", sa.Boolean, nullable=False),
    )
    op.create_index("tokens_of_account", "tokens", ["account"])
    op.create_table(
        "matches",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("terms", sa.Text, nullable=False),
        sa.Column("owner", sa.Integer, sa.ForeignKey("accounts.id")),
        sa.Column("key_hash", sa.String(64)),
        sa.Column("waits_until_ms", sa.BigInteger),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("ended_ms", sa.BigInteger),
    )
    op.create_index("matches_by_state", "matches", ["state", "game"])
    op.create_index("matches_by_time", "matches", ["created_ms"])
    op.create_table(
        "seeds",
        sa.Column("match", sa.String(64), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("seed", sa.LargeBinary(64), nullable=False),
    )
    op.create_table(
        "seats",
        sa.Column("match", sa.String(64), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("spec", sa.Text, nullable=False),
        sa.Column("account", sa.Integer, sa.ForeignKey("accounts.id")),
        sa.Column("name", sa.String(64)),
        sa.Column("salt", sa.String(128)),
        sa.Column("score", sa.BigInteger),
        sa.Column("rank", sa.Integer),
    )
    op.create_index("seats_of_account", "seats", ["account"])
    op.create_table(
        "lines",
        sa.Column("match", sa.String(64), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("raw", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    for table in ("lines", "seats", "seeds", "matches", "tokens", "accounts"):
        op.drop_table(table)

"""Rooms, and the password hashes of their users."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seats", sa.Column("secret", sa.String(200)))
    op.create_table(
        "rooms",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("config", sa.Text, nullable=False),
        sa.Column("admin", sa.String(200)),
        sa.Column("join_key", sa.String(200), nullable=False),
        sa.Column("match", sa.String(64), sa.ForeignKey("matches.id")),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("rooms")
    op.drop_column("seats", "secret")

"""Rematches: a table names the match whose players play again."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("rematch_of", sa.String(64)))
    op.create_index("matches_by_rematch", "matches", ["rematch_of"])


def downgrade() -> None:
    op.drop_index("matches_by_rematch", "matches")
    op.drop_column("matches", "rematch_of")

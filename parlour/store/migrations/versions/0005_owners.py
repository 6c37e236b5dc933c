"""An index of matches by owner, because an account can be deleted only if it owns none."""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("matches_of_owner", "matches", ["owner"])


def downgrade() -> None:
    op.drop_index("matches_of_owner", "matches")

"""What models at seats were asked and answered, and what accounts may spend on them."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "model_calls",
        sa.Column("match", sa.String(64), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("account", sa.Integer, sa.ForeignKey("accounts.id")),
        sa.Column("record", sa.LargeBinary, nullable=False),
    )
    op.create_index("model_calls_of_account", "model_calls", ["account"])
    op.create_table(
        "model_budgets",
        sa.Column("account", sa.Integer, sa.ForeignKey("accounts.id"), primary_key=True, autoincrement=False),
        sa.Column("most", sa.BigInteger),
        sa.Column("spent", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("model_budgets")
    op.drop_table("model_calls")

"""What seats say beside their moves: stderr and notes; and how many faults they made."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "seat_stderr",
        sa.Column("match", sa.String(64), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("account", sa.Integer, sa.ForeignKey("accounts.id")),
        sa.Column("text", sa.LargeBinary, nullable=False),
        sa.Column("dropped", sa.BigInteger, nullable=False),
    )
    op.create_index("seat_stderr_of_account", "seat_stderr", ["account"])
    op.create_table(
        "seat_notes",
        sa.Column("match", sa.String(64), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("account", sa.Integer, sa.ForeignKey("accounts.id")),
        sa.Column("frame", sa.Integer, nullable=False),
        sa.Column("ask", sa.Integer, nullable=False),
        sa.Column("text", sa.LargeBinary, nullable=False),
    )
    op.create_index("seat_notes_of_account", "seat_notes", ["account"])
    op.add_column("seats", sa.Column("faults", sa.Integer))


def downgrade() -> None:
    op.drop_column("seats", "faults")
    op.drop_table("seat_notes")
    op.drop_table("seat_stderr")

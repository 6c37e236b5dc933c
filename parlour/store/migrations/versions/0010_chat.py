"""Chat at tables, and reports about its messages."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "chat",
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("match", sa.String(64), sa.ForeignKey("matches.id"), nullable=False),
        sa.Column("account", sa.Integer, sa.ForeignKey("accounts.id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("text", sa.String(300), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("chat_of_match", "chat", ["match", "n"])
    op.create_index("chat_of_account", "chat", ["account"])
    op.create_index("chat_by_time", "chat", ["created_ms"])
    op.create_table(
        "chat_reports",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("n", sa.Integer, sa.ForeignKey("chat.n"), nullable=False),
        sa.Column("reporter", sa.Integer, sa.ForeignKey("accounts.id"), nullable=False),
        sa.Column("why", sa.String(300), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("chat_reports_of_message", "chat_reports", ["n", "reporter"], unique=True)
    op.create_index("chat_reports_of_reporter", "chat_reports", ["reporter"])


def downgrade() -> None:
    op.drop_table("chat_reports")
    op.drop_table("chat")

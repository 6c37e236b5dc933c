"""Account states, expiry and parents of tokens, and keys of names.

The keys are filled in when a store is opened, because their computation may change and a migration may not.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("accounts", sa.Column("state", sa.String(16), nullable=False, server_default="active"))
    op.add_column("tokens", sa.Column("expires_ms", sa.BigInteger))
    op.add_column("tokens", sa.Column("parent", sa.Integer))
    op.create_index("tokens_of_parent", "tokens", ["parent"])
    op.create_table(
        "names",
        sa.Column("key", sa.String(255), primary_key=True),
        sa.Column("account", sa.Integer, sa.ForeignKey("accounts.id"), nullable=False),
    )
    op.create_index("names_of_account", "names", ["account"])
    op.create_table(
        "orders",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("subject", sa.String(64), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("orders")
    op.drop_table("names")
    op.drop_index("tokens_of_parent", "tokens")
    op.drop_column("tokens", "parent")
    op.drop_column("tokens", "expires_ms")
    op.drop_column("accounts", "state")

"""Keys of rooms are kept as hashes."""

import sqlalchemy as sa
from alembic import op
from argon2 import PasswordHasher

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
rooms = sa.table("rooms", sa.column("name", sa.String), sa.column("join_key", sa.String))


def upgrade() -> None:
    connection = op.get_bind()
    if connection.dialect.name == "sqlite":  # or what was there before would stay in the file until it is needed
        connection.execute(sa.text("PRAGMA secure_delete=ON"))
    for name, key in connection.execute(sa.select(rooms).where(rooms.c.join_key != "")).all():
        connection.execute(sa.update(rooms).where(rooms.c.name == name).values(join_key=hasher.hash(key)))


def downgrade() -> None:
    """What was hashed cannot be said any more: those rooms are closed to newcomers."""

"""Owners of rooms, and the room in which a match is played."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("rooms", sa.Column("owner", sa.Integer))
    op.add_column("matches", sa.Column("room", sa.String(64)))
    op.create_index("matches_of_room", "matches", ["room"])
    op.execute(
        "UPDATE matches SET room = (SELECT name FROM rooms WHERE rooms.match = matches.id) WHERE state = 'running'"
    )


def downgrade() -> None:
    op.drop_index("matches_of_room", "matches")
    op.drop_column("matches", "room")
    op.drop_column("rooms", "owner")

"""Triggers that keep lines and finished matches from being changed. Whole matches may be deleted."""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

FINISHED = "('over', 'void', 'dropped')"
GUARDS = {
    "lines_are_not_changed": ("UPDATE", "lines", "TRUE", "lines are never changed"),
    "lines_end_with_the_match": ("INSERT", "lines", "NEW", "the match is finished"),
    "seats_end_with_the_match": ("UPDATE", "seats", "OLD", "the match is finished"),
    "seats_are_not_added_later": ("INSERT", "seats", "NEW", "the match is finished"),
    "matches_end_once": ("UPDATE", "matches", f"OLD.state IN {FINISHED}", "the match is finished"),
}
"""By name: statement, table, condition and error message. NEW and OLD mean that the match of that row is finished."""


def condition(when: str) -> str:
    if when in ("NEW", "OLD"):
        return f"(SELECT state FROM matches WHERE id = {when}.match) IN {FINISHED}"
    return when


def upgrade() -> None:
    on_sqlite = op.get_bind().dialect.name == "sqlite"
    for name, (act, table, when, words) in GUARDS.items():
        for statement in (sqlite if on_sqlite else postgresql)(
            name, f"BEFORE {act} ON {table}", condition(when), words
        ):
            op.execute(statement)


def sqlite(name: str, what: str, when: str, words: str) -> list[str]:
    return [f"CREATE TRIGGER {name} {what} WHEN {when} BEGIN SELECT RAISE(ABORT, '{words}'); END"]


def postgresql(name: str, what: str, when: str, words: str) -> list[str]:
    body = f"IF {when} THEN RAISE EXCEPTION '{words}' USING ERRCODE = '23000'; END IF; RETURN NEW;"
    return [
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} END $$",
        f"CREATE TRIGGER {name} {what} FOR EACH ROW EXECUTE FUNCTION {name}()",
    ]


def downgrade() -> None:
    for name, (_, table, _, _) in GUARDS.items():
        if op.get_bind().dialect.name == "sqlite":
            op.execute(f"DROP TRIGGER {name}")
        else:
            op.execute(f"DROP TRIGGER {name} ON {table}")
            op.execute(f"DROP FUNCTION {name}")

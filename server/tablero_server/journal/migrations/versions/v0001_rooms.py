"""Players, rooms and their records."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "meta",
        sa.Column("lineage", sa.Text, primary_key=True),
        sa.Column("created", BIG, nullable=False),
        sqlite_strict=True,
    )
    op.create_table(
        "player",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("token_hash", sa.LargeBinary, nullable=False, unique=True),
        sa.Column("bot", sa.Integer, nullable=False),
        sa.Column("created", BIG, nullable=False),
        sa.Column("seen", BIG, nullable=False),
        sqlite_strict=True,
    )
    op.create_table(
        "room",
        sa.Column("number", BIG, sa.Identity(), primary_key=True),
        sa.Column("id", sa.Text, nullable=False, unique=True),
        sa.Column("owner_epoch", BIG, nullable=False),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("head", BIG, nullable=False),
        sa.Column("created", BIG, nullable=False),
        sa.Column("closed_at", BIG),
        sa.Column("game", sa.Text, nullable=False),
        sqlite_strict=True,
    )
    op.create_table(
        "record",
        sa.Column("room", BIG, primary_key=True, autoincrement=False),
        sa.Column("seq", BIG, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("at", BIG, nullable=False),
        sa.Column("player", sa.Text),
        sa.Column("id", sa.Text),
        sa.Column("content", BIG),
        sa.Column("seat", sa.Integer),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("clocks", sa.LargeBinary),
        sqlite_strict=True,
    )
    op.create_index(
        "cause",
        "record",
        ["id", "player"],
        unique=True,
        sqlite_where=sa.text("seq = 1 AND player IS NOT NULL"),
        postgresql_where=sa.text("seq = 1 AND player IS NOT NULL"),
    )

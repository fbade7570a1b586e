"""How games ended."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "result",
        sa.Column("room", BIG, sa.ForeignKey("room.number"), primary_key=True, autoincrement=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("at", BIG, nullable=False),
        sa.Column("players", sa.Text, nullable=False),
        sa.Column("outcome", sa.Text, nullable=False),
        sqlite_strict=True,
    )

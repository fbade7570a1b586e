"""The SQL, the same for both databases but for how the rows come in.

Law: one execution takes many rows. SQLite's module lets go of the interpreter at every execution, and a busy
event loop may be slow to give it back; PostgreSQL is a round trip away.
"""

# ruff: noqa: S608 - every name is from our schema, and every value is a parameter
from __future__ import annotations

from typing import NamedTuple, TypeAlias

from ..core.limits.limits import CLOSED_ROOMS
from .schema import MUTE, PLAYED, PLAYER, ROOM, SANCTION, TABLES, TOKEN

Columns: TypeAlias = tuple[tuple[str, str], ...]


class Statement(NamedTuple):
    columns: Columns
    """The name and type of each column."""
    sql: str
    """The SQL, in which {given} stands for the rows. One whose first column is NULL has no effect."""
    exact: bool = True
    """Whether it must hit as many rows as it is given."""

    def for_sqlite(self, rows: int) -> str:
        """The statement for this number of rows, their values one after another."""
        width = len(self.columns)
        values = ", ".join(["(" + ", ".join("?" * width) + ")"] * rows)
        named = ", ".join(f"column{i} AS {name}" for i, (name, _) in enumerate(self.columns, 1))
        # After a failure the whole transaction is undone, and so no statement needs a journal of its own.
        return self.sql.format(given=f"(SELECT {named} FROM (VALUES {values})) AS given", or_fail=" OR FAIL")

    def for_postgres(self) -> str:
        """The statement for any number of rows, each column as an array."""
        arrays = ", ".join(f"${i}::{type}[]" for i, (_, type) in enumerate(self.columns, 1))
        return self.sql.format(given=f"unnest({arrays}) AS given({_names(self.columns)})", or_fail="")


def _names(columns: Columns, prefix: str = "") -> str:
    return ", ".join(f"{prefix}{name}" for name, _ in columns)


def _columns(table: str, *without: str) -> Columns:
    return tuple((name, type) for name, type in TABLES[table].items() if name not in without)


def _some(table: str, *names: str) -> Columns:
    return tuple((name, TABLES[table][name]) for name in names)


def _insert(table: str, *without: str) -> Statement:
    """New rows of `table`, as they are."""
    columns = _columns(table, *without)
    names, key = _names(columns), columns[0][0]
    return Statement(
        columns,
        f"INSERT{{or_fail}} INTO {table} ({names}) SELECT {names} FROM {{given}} WHERE {key} IS NOT NULL",
    )


def _insert_in_room(table: str) -> Statement:
    """New rows of `table`, given with the id of a room in place of its number."""
    columns = _columns(table, "room")
    return Statement(
        (("room_id", ROOM["id"]), *columns),
        f"INSERT{{or_fail}} INTO {table} (room, {_names(columns)}) "
        # SQLite's planner takes a CROSS JOIN in the order it is written: first the few rows that are given.
        f"SELECT room.number, {_names(columns, 'given.')} FROM {{given}} CROSS JOIN room "
        "WHERE room.id = given.room_id",
    )


def _upsert(table: str) -> Statement:
    insert = _insert(table)
    key = insert.columns[0][0]
    changed = ", ".join(f"{name} = excluded.{name}" for name, _ in _columns(table, key))
    return insert._replace(sql=f"{insert.sql} ON CONFLICT ({key}) DO UPDATE SET {changed}")


STATEMENTS = {
    "forget": Statement(
        (("id", PLAYER["id"]),),
        "DELETE FROM player WHERE id IN (SELECT given.id FROM {given})",
        exact=False,
    ),
    "keep": _upsert("player"),
    "end_tokens": Statement(
        (("hash", TOKEN["hash"]),),
        "DELETE FROM token WHERE hash IN (SELECT given.hash FROM {given})",
        exact=False,
    ),
    "keep_tokens": _upsert("token"),
    "open": _insert("room", "number"),
    "advance": Statement(
        (
            ("room_id", ROOM["id"]),
            ("epoch", ROOM["owner_epoch"]),
            ("before", ROOM["head"]),
            ("after", ROOM["head"]),
            ("closing", ROOM["closed_at"]),
        ),
        # The fence: only its owner takes a room on, and only from where it stands. A 0 closes nothing.
        "UPDATE{or_fail} room SET head = given.after, closed_at = nullif(given.closing, 0) FROM {given} "
        "WHERE room.id = given.room_id AND room.owner_epoch = given.epoch "
        "AND room.head = given.before AND room.closed_at IS NULL",
    ),
    "write": _insert_in_room("record"),
    # A rating goes on from each of its games once, so their numbers are free before they are given anew.
    "unrate": Statement(
        (("room", PLAYED["room"]), ("seat", PLAYED["seat"])),
        "UPDATE{or_fail} played SET games = NULL FROM {given} "
        "WHERE played.room = given.room AND played.seat = given.seat",
    ),
    "rerate": Statement(
        _some("played", "room", "seat", "course", "flagged", "value", "deviation", "volatility", "games"),
        "UPDATE{or_fail} played SET course = given.course, flagged = given.flagged, value = given.value, "
        "deviation = given.deviation, volatility = given.volatility, games = given.games FROM {given} "
        "WHERE played.room = given.room AND played.seat = given.seat",
    ),
    "place": _insert("played"),
    "decide": _insert("sanction"),
    "lift": Statement(
        (("id", SANCTION["id"]),),
        "DELETE FROM sanction WHERE id IN (SELECT given.id FROM {given})",
        exact=False,
    ),
    "forget_mutes": Statement(
        (("id", PLAYER["id"]),),
        "DELETE FROM mute WHERE EXISTS (SELECT * FROM {given} WHERE given.id IN (mute.player, mute.muted))",
        exact=False,
    ),
    "unmute": Statement(
        (("player", MUTE["player"]), ("muted", MUTE["muted"])),
        "DELETE FROM mute WHERE (player, muted) IN (SELECT given.player, given.muted FROM {given})",
        exact=False,
    ),
    "mute": _insert("mute"),
}
"""The statement for each field of `Rows`, in the same order."""


def _entries_for_postgres() -> str:
    """The fence and the entries of a commit, in one statement that fails if a row does not fit."""
    advance, write = STATEMENTS["advance"], STATEMENTS["write"]
    first = len(advance.columns) + 1
    arrays = ", ".join(f"${i}::{type}[]" for i, (_, type) in enumerate(write.columns, first))
    columns = write.columns[1:]
    return (
        f"WITH advanced AS ({advance.for_postgres()} RETURNING room.id, room.number), "
        f"written AS (INSERT INTO record (room, {_names(columns)}) "
        f"SELECT advanced.number, {_names(columns, 'given.')} "
        f"FROM unnest({arrays}) AS given({_names(write.columns)}) "
        "JOIN advanced ON advanced.id = given.room_id RETURNING 1) "
        f"SELECT 1 / ((SELECT count(*) FROM advanced) = cardinality($1) "
        f"AND (SELECT count(*) FROM written) = cardinality(${first}))::int"
    )


ENTRIES = _entries_for_postgres()
HEADS = "SELECT id, head FROM room WHERE id = ANY($1::text[]) FOR UPDATE"
"""Waits for a commit that is still under way, so it tells what is durable."""
TRANSACTION = "SELECT txid_current()"
ENDED = (
    "WITH ended AS (SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE backend_xid::text::bigint = $1 & 4294967295) SELECT txid_status($1), (SELECT count(*) FROM ended)"
)
"""What became of a transaction. Its connection is lost, so the one that is under way would wait for ever."""

TAKE_OVER = "UPDATE room SET owner_epoch = owner_epoch + 1, owner = {owner} WHERE closed_at IS NULL"
OWNED = "SELECT id, owner_epoch FROM room WHERE closed_at IS NULL"

BEGUN = "UPDATE meta SET restored = 0"
"""Runs once the entries of a start from a restored copy are durable."""

PLAYERS = f"SELECT {_names(_columns('player'))} FROM player ORDER BY created, id"
TOKENS = f"SELECT {_names(_columns('token'))} FROM token ORDER BY created, hash"
SANCTIONS = f"SELECT {_names(_columns('sanction'))} FROM sanction ORDER BY created, id"
MUTES = f"SELECT {_names(_columns('mute'))} FROM mute ORDER BY player, muted"
NEWEST_RATED = (
    f"SELECT {_names(_columns('played'), 'newest.')} FROM played AS newest WHERE games IS NOT NULL "
    "AND games = (SELECT max(games) FROM played WHERE player = newest.player AND game = newest.game "
    "AND speed = newest.speed AND level = newest.level) ORDER BY at, room, seat"
)
RATED_RIVALS = (
    "SELECT DISTINCT player, game, speed, level, rival FROM played WHERE games IS NOT NULL "
    "ORDER BY 1, 2, 3, 4, 5"
)
# A room without entries has a row all the same.
_RECORDS = (
    f"SELECT room.id, room.head, {_names(_columns('record', 'room'), 'record.')} "
    "FROM room LEFT JOIN record ON record.room = room.number "
)
OPEN_LOGS = f"{_RECORDS} WHERE room.closed_at IS NULL ORDER BY room.number, seq"
CLOSED_LOGS = (
    f"{_RECORDS} WHERE room.number IN (SELECT number FROM room "
    "WHERE closed_at > (SELECT max(closed_at) FROM room) - {within} "
    f"ORDER BY closed_at DESC LIMIT {CLOSED_ROOMS}) ORDER BY room.closed_at, room.number, seq"
)
ONE_LOG = f"{_RECORDS} WHERE room.id = {{id}} ORDER BY seq"

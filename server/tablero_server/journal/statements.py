"""The SQL statements. Both databases share them, except for the form in which rows are passed.

Law: one execution takes many rows. SQLite's module releases the interpreter at every execution, and a busy
event loop may be slow to return it. PostgreSQL is a network round trip away.
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
    """The SQL, with {given} for the rows. A row whose first column is NULL has no effect."""
    exact: bool = True
    """Whether the statement must change as many rows as it is given."""

    def for_sqlite(self, rows: int) -> str:
        """The statement for this number of rows; the values of all rows follow one another."""
        width = len(self.columns)
        values = ", ".join(["(" + ", ".join("?" * width) + ")"] * rows)
        named = ", ".join(f"column{i} AS {name}" for i, (name, _) in enumerate(self.columns, 1))
        # After an error the whole transaction is undone, so no statement needs a rollback journal for itself.
        return self.sql.format(given=f"(SELECT {named} FROM (VALUES {values})) AS given", or_fail=" OR FAIL")

    def for_postgres(self) -> str:
        """The statement for any number of rows; each column is an array."""
        arrays = ", ".join(f"${i}::{type}[]" for i, (_, type) in enumerate(self.columns, 1))
        return self.sql.format(given=f"unnest({arrays}) AS given({_names(self.columns)})", or_fail="")


def _names(columns: Columns, prefix: str = "") -> str:
    return ", ".join(f"{prefix}{name}" for name, _ in columns)


def _columns(table: str, *without: str) -> Columns:
    return tuple((name, type) for name, type in TABLES[table].items() if name not in without)


def _some(table: str, *names: str) -> Columns:
    return tuple((name, TABLES[table][name]) for name in names)


def _insert(table: str, *without: str) -> Statement:
    """A statement that inserts rows into `table`."""
    columns = _columns(table, *without)
    names, key = _names(columns), columns[0][0]
    return Statement(
        columns,
        f"INSERT{{or_fail}} INTO {table} ({names}) SELECT {names} FROM {{given}} WHERE {key} IS NOT NULL",
    )


def _insert_in_room(table: str) -> Statement:
    """A statement that inserts rows into `table`, with the room's id instead of its number."""
    columns = _columns(table, "room")
    return Statement(
        (("room_id", ROOM["id"]), *columns),
        f"INSERT{{or_fail}} INTO {table} (room, {_names(columns)}) "
        # SQLite's planner keeps the order of a CROSS JOIN: first the few given rows.
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
        # The fence: only the room's owner may add entries, and only after the last one. A `closing` of 0 does
        # not close the room.
        "UPDATE{or_fail} room SET head = given.after, closed_at = nullif(given.closing, 0) FROM {given} "
        "WHERE room.id = given.room_id AND room.owner_epoch = given.epoch "
        "AND room.head = given.before AND room.closed_at IS NULL",
    ),
    "write": _insert_in_room("record"),
    # A rating's games are numbered without gaps, so the numbers are freed before they are assigned again.
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
    """The fence and the entries of a commit in one statement, which fails if a row does not fit."""
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
"""The heads of rooms. The query waits for a running commit, so the result is what was saved."""
TRANSACTION = "SELECT txid_current()"
ENDED = (
    "WITH ended AS (SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE backend_xid::text::bigint = $1 & 4294967295) SELECT txid_status($1), (SELECT count(*) FROM ended)"
)
"""The status of a transaction. Its connection is lost, so if it still runs, its backend is ended."""

TAKE_OVER = "UPDATE room SET owner_epoch = owner_epoch + 1, owner = {owner} WHERE closed_at IS NULL"
OWNED = "SELECT id, owner_epoch FROM room WHERE closed_at IS NULL"

BEGUN = "UPDATE meta SET restored = 0"
"""Executed once the entries of a start from a restored backup are saved."""

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
# A room without entries has one row, with empty columns.
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

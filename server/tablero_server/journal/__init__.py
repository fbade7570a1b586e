"""The journal in a database: SQLite in a file by default, PostgreSQL by URL."""

from .journal import BadDatabase, JournalBroken
from .opening import open_journal

__all__ = ["BadDatabase", "JournalBroken", "open_journal"]

"""The journal in a database: SQLite in a file by default, PostgreSQL by URL."""

from .opening import open_journal
from .trouble import BadDatabase, JournalBroken

__all__ = ["BadDatabase", "JournalBroken", "open_journal"]

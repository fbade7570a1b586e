"""The size limits of the first page."""

from __future__ import annotations

MOST_BYTES = 80_000
MOST_REQUESTS = 20

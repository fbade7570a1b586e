"""What the first page may cost."""

from __future__ import annotations

MOST_BYTES = 80_000
MOST_REQUESTS = 20

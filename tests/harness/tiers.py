"""The tier that runs: every rule, refusal and promise; with FULL=1 also longer versions of them."""

from __future__ import annotations

import os

FULL = bool(os.environ.get("FULL"))

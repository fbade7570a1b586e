"""The tiers of tests: the usual one has every rule, refusal and promise; FULL=1 adds longer versions."""

from __future__ import annotations

import os

FULL = bool(os.environ.get("FULL"))

"""Games that take long to make: whoever needs one asks here, and carries on when it has been found.

Law: nothing is searched here. A search is an effect, and ends with `Hub.found`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import TypeAlias

from tablero_games.position import Json

from .effects import Effects, Search
from .room_setup import Plan

CarryOn: TypeAlias = Callable[[Plan | None, int, Effects], None]
"""Gets the plan with what was found, or None if that was in vain; then the time, and effects to add to."""


class Searches:
    def __init__(self) -> None:
        self._waiting: dict[int, tuple[Plan, CarryOn]] = {}
        self._tickets = count(1)

    def __len__(self) -> int:
        return len(self._waiting)

    def begin(self, plan: Plan, carry_on: CarryOn, effects: Effects) -> None:
        ticket = next(self._tickets)
        self._waiting[ticket] = plan, carry_on
        effects.searches += (Search(ticket, plan.game.name, plan.seed, plan.options_json),)

    def end(self, ticket: int, found: Json | None, now: int, effects: Effects) -> None:
        plan, carry_on = self._waiting.pop(ticket)
        carry_on(None if found is None else replace(plan, prepared=found), now, effects)

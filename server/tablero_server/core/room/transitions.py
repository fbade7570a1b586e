"""State machines as tables: `TRANSITIONS[state][event]` is the next state, and nothing else changes one."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TypeVar

State = TypeVar("State", bound=Enum)
Event = TypeVar("Event", bound=Enum)


class WrongState(RuntimeError):
    """An event in a state that has no row for it: a mistake of ours, never of a client."""


def advance(table: Mapping[State, Mapping[Event, State]], state: State, event: Event) -> State:
    try:
        return table[state][event]
    except KeyError:
        raise WrongState(f"{event} cannot happen in {state}") from None

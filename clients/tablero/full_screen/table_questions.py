"""Questions before an order that cannot be taken back."""

from __future__ import annotations

from typing import Any

from textual.app import App

from ..catalogue.speech import translate
from ..client.room import Room
from .dialogs import Confirm


def is_playing(room: Room | None) -> bool:
    """Whether a game of ours goes on there."""
    return room is not None and bool(room.seats) and room.table.state == "playing"


async def wants_to_resign(app: App[Any]) -> bool:
    question = Confirm(translate("Give the game up?"), translate("I resign"), translate("I play on"))
    return await app.push_screen_wait(question)


async def wants_to_leave(app: App[Any], room: Room | None) -> bool:
    """Asks only where leaving gives a game up."""
    if not is_playing(room):
        return True
    told = translate("You are playing. Leaving gives the game up.")
    return await app.push_screen_wait(Confirm(told, translate("Leave and give up"), translate("Stay")))

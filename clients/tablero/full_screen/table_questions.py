"""What is asked before something that cannot be taken back, and what may be typed at a table."""

from __future__ import annotations

from typing import Any

from textual.app import App

from ..catalogue.speech import translate
from ..client.room import Room
from ..playing import verbs
from ..table_view.table import TableView
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


def is_ahead(table: TableView | None, line: str) -> bool:
    """Whether this is a move that is typed before our turn."""
    return (
        table is not None
        and table.may_premove
        and verbs.read_line(line, table.room.game) is None
        and verbs.looks_like_move(line, table.room.game)
    )


def verb_lines() -> list[str]:
    """All commands that may be typed."""
    width = max(len(verb.shown) for verb in verbs.VERBS.values())
    return [f"{verb.shown:<{width}}  {translate(verb.help)}" for verb in verbs.VERBS.values()]

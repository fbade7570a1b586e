"""A room without a hub: new, started, or with a move on each side."""

from __future__ import annotations

from typing import Any

from tablero_games import GAMES
from tablero_server.core.entry import Cause, Entry
from tablero_server.core.refusal import Message
from tablero_server.core.room.room import Room
from tablero_server.core.room.setup import Plan

ANN: Message = {"id": "ann", "name": "ann", "bot": False}
BOB: Message = {"id": "bob", "name": "bob", "bot": False}
SOME_COMMAND: Any = 0
"""A command's id, which a room only stores; the hub compares ids."""


def cause(player: Message, id: str = "1") -> Cause:
    return Cause(player["id"], id, SOME_COMMAND)


def unheard(entry: Entry) -> None:
    """A listener that ignores all entries."""


def new_room(game: str = "tic-tac-toe", seats: int = 2, clock: dict[str, int] | None = None) -> Room:
    rules = GAMES[game]
    plan = Plan(rules, rules.read_options({}), seats, private=False, watchers=True, clock=clock, seed=7)
    return Room.create("r", plan, epoch="e", code=None, now=0, tell=unheard)


def begun(game: str = "tic-tac-toe", clock: dict[str, int] | None = None) -> Room:
    room = new_room(game, clock=clock)
    room.join(cause(ANN), ANN, 0, 10, unheard)
    room.join(cause(BOB), BOB, 1, 20, unheard)
    room.start_if_full(20, unheard)
    return room


def moved() -> Room:
    """A room whose game has a move on each side."""
    room = begun()
    for ply, (player, move) in enumerate((("ann", "b2"), ("bob", "a1"))):
        room.play_turn(Cause(player, f"turn{ply}", 0), ply, ply, move, 25)
    return room

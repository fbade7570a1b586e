"""One room by itself, without a hub: made, begun, or with a move on each side."""

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
"""The command's id, which a room only keeps; the hub tells a repeat from a reuse."""


def cause(player: Message, id: str = "1") -> Cause:
    return Cause(player["id"], id, SOME_COMMAND)


def unheard(entry: Entry) -> None:
    """A listener that does not care."""


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
    """A game in which each side has moved."""
    room = begun()
    for ply, (player, move) in enumerate((("ann", "b2"), ("bob", "a1"))):
        room.play_turn(Cause(player, f"turn{ply}", 0), ply, ply, move, 25)
    return room

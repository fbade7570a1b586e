"""Boards of Minesweeper drawn by hand, top row first, and all possible places of their mines."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from tablero import Bot, Turn
from tablero.brains.minesweeper.view import GameParam
from tablero.dice import dice
from tablero_games import GAMES, Position
from tablero_games.minesweeper.grid import Cell
from tablero_games.position import Json, View
from tablero_protocol.messages import NextPlayer

Way = frozenset[Cell]


def view_of(picture: str, mines: int) -> View:
    """A view of a board such as "##1 #21": "#" covered, "F" flagged, or a number; the top row first."""
    rows = picture.split()[::-1]
    return {"width": len(rows[0]), "height": len(rows), "mines": mines, "cells": rows}


def param_of(picture: str, mines: int) -> GameParam:
    return GameParam.of(view_of(picture, mines))


def turn_of(view: View, **options: Json) -> Turn:
    event = NextPlayer(room="here", seq=0, ply=0, seats=[0], seat=0, view=view, last=None)
    return Turn(event, "minesweeper", options)


def chosen(bot: Bot, picture: str, mines: int) -> str | None:
    """The move that the bot chooses on this board."""
    return bot.choose(turn_of(view_of(picture, mines)))


def every_way(game: GameParam) -> list[Way]:
    """All possible places of the mines, found by trying."""
    covered = [cell for cell in range(len(game.map)) if cell not in game.revealed]
    return [
        frozenset(mines)
        for mines in combinations(covered, game.nb_bombs)
        if all(
            sum(other in mines for other in game.grid.around[cell]) == int(chr(game.map[cell]))
            for cell in game.revealed
        )
    ]


def played(bot: Bot, position: Position, look: Callable[[View, str], None], **options: Json) -> Position:
    """The last position of a solo game; `look` gets each view and the move that the bot chose."""
    bot.random = dice(1)
    while position.outcome is None:
        view = position.view(0)
        move = bot.choose(turn_of(view, **options))
        assert move is not None
        look(view, move)
        position = position.play(0, move)
    return position


def small_games(count: int, seed: int) -> list[tuple[Position, dict[str, Json]]]:
    """First positions on different boards that are small enough to try all places of mines."""
    random = dice(seed)
    starts = []
    for _ in range(count):
        width, height = random.choice([(4, 4), (5, 4), (3, 5), (6, 2), (1, 9)])
        first_dig = random.choice(["zone", "cell"])
        room = width * height - (min(width, 3) * min(height, 3) if first_dig == "zone" else 1)
        options: dict[str, Json] = {
            "width": width,
            "height": height,
            "mines": random.randint(1, min(room, 6)),
            "firstDig": first_dig,
        }
        starts.append((GAMES["minesweeper"].start(1, random.getrandbits(60), **options), options))
    return starts

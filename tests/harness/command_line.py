"""The command line in this process, and records as its input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from tablero import cli
from tablero_games import GAMES
from tablero_games.position import Position
from tablero_games.record.file import Played, RecordedTurn, write


def tablero(*arguments: str | Path, typed: str = "") -> tuple[int, str]:
    """Runs a command. Returns the exit code and the output."""
    result = CliRunner().invoke(cli.app, [str(each) for each in arguments], input=typed)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


CLOCK_TURNS: dict[str, dict[str, Any]] = {
    "pause": {"paused": 900_000},
    "continue": {"continued": True},
    "add": {"seat": 1, "added_time": 15_000},
}


def a_record(game: str, *moves: str, names: tuple[str, ...] = ("Ana", "Ben"), **options: Any) -> str:
    """The record of a game with these moves, one seat after the other."""
    rules = GAMES[game]
    position: Position = rules.start(len(names), 5, **options)
    turns = []
    for ply, move in enumerate(moves):
        seat = ply % len(names)
        if move in CLOCK_TURNS:
            turns.append(RecordedTurn(at=ply, **CLOCK_TURNS[move]))
        elif move == "resign":
            position = position.withdraw(seat, "resign")
            turns.append(RecordedTurn(seat=seat, withdrew="resign", at=ply))
        else:
            position = position.play(seat, move)
            turns.append(RecordedTurn(seat=seat, move=move, at=ply))
    return write(
        Played(
            game=rules,
            options=rules.read_options(options),
            names=names,
            seed=5,
            turns=turns,
            outcome=position.outcome,
            clock={"base": 60, "increment": 0},
        )
    )


def kept(folder: Path, record: str) -> Path:
    file = folder / "game.record"
    file.write_bytes(record.encode())
    return file


WON = a_record("tic-tac-toe", "a1", "b1", "a2", "b2", "a3")
RUNNING = a_record("tic-tac-toe", "a1", "b1")
SEALED = a_record("minesweeper", "dig a1", names=("Ana",))

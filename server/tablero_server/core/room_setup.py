"""What a room is going to be made of, before there is one."""

from __future__ import annotations

from dataclasses import dataclass

from tablero_games.position import Game, Options

from .refusal import Message


@dataclass(frozen=True, slots=True)
class Plan:
    game: Game
    options: Options
    seats: int
    private: bool
    watchers: bool
    """Whether others than its players may come in."""
    clock: dict[str, int] | None
    seed: int

    def to_json(self) -> Message:
        """As entry 0 of the room has it."""
        return {
            "game": self.game.name,
            "version": self.game.version,
            "options": options_json(self.options),
            "seats": self.seats,
            "private": self.private,
            "watchers": self.watchers,
            "clock": self.clock,
            "seed": f"{self.seed:x}",
        }


def options_json(options: Options) -> Message:
    """Options as entries and messages have them."""
    return options.model_dump(mode="json", by_alias=True, exclude_none=True)

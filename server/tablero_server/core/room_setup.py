"""What a room is going to be made of, before there is one."""

from __future__ import annotations

from dataclasses import dataclass

from tablero_games.position import Game, Json, Options

from .refusal import Message


@dataclass(frozen=True, slots=True)
class Plan:
    game: Game
    options: Options
    seats: int
    private: bool
    clock: dict[str, int] | None
    seed: int
    prepared: Json = None
    """What `Game.prepare` made from seed and options, for those games that need it."""

    @property
    def options_json(self) -> Message:
        return self.options.model_dump(mode="json", by_alias=True, exclude_none=True)

    def to_json(self) -> Message:
        """As entry 0 of the room has it."""
        planned: Message = {
            "game": self.game.name,
            "version": self.game.version,
            "options": self.options_json,
            "seats": self.seats,
            "private": self.private,
            "clock": self.clock,
            "seed": f"{self.seed:x}",
        }
        return planned if self.prepared is None else {**planned, "prepared": self.prepared}

"""The subject of a sentence: "you" for the person at this terminal, names for all others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tablero.catalogue.speech import sentence, translate
from tablero_games import Seat
from tablero_protocol.messages import Leader, Player, RatedAt, RoomLine, Strength, Table
from tablero_protocol.text import clean

LEVELS = {
    "random": sentence("random"),
    "very-easy": sentence("very easy"),
    "easy": sentence("easy"),
    "child": sentence("child"),
    "medium": sentence("medium"),
    "normal": sentence("normal"),
    "hard": sentence("hard"),
    "expert": sentence("expert"),
    "perfect": sentence("perfect"),
}
"""The levels that are words. Other levels are names."""


@dataclass(frozen=True)
class Who:
    name: str
    """The name inside a sentence."""
    subject: str = ""
    """The name at the beginning of a sentence, if it is this person's."""

    def __str__(self) -> str:
        return self.name

    @property
    def is_us(self) -> bool:
        return bool(self.subject)

    def does(self, if_us: str, if_other: str, **fields: Any) -> str:
        """The sentence addressed to `{you}`, or the one about `{who}`."""
        if self.subject:
            return translate(if_us, you=self.subject, **fields)
        return translate(if_other, who=self.name, **fields)


def named(player: Player) -> str:
    """The player's name, such as "Ana" or "house (bot, hard)"."""
    if not player.bot:
        return clean(player.name)
    if not player.level:
        return translate("{name} (bot)", name=clean(player.name))
    return translate("{name} (bot, {level})", name=clean(player.name), level=level_of(player.level))


def rated(player: Player, rating: Strength | None) -> str:
    """The name with the rating, if any: "Ana 1662?"."""
    return named(player) if rating is None else f"{named(player)} {value_of(rating)}"


def value_of(rating: Strength | Leader | RatedAt) -> str:
    """The rating, with a question mark while it is provisional."""
    return f"{rating.value}?" if rating.provisional else f"{rating.value}"


def seated(line: RoomLine) -> list[str]:
    """The players by seat, with their ratings."""
    ratings = line.ratings or [None] * len(line.seats)
    return [
        rated(player, rating) if player else translate("free")
        for player, rating in zip(line.seats, ratings, strict=False)
    ]


def level_of(spec: str) -> str:
    """The level in "GAME:LEVEL" or "LEVEL"."""
    level = spec.rpartition(":")[2]
    return translate(LEVELS[level]) if level in LEVELS else clean(level)


def holder(table: Table, seat: Seat, own: list[Seat]) -> Who:
    """The player on `seat`."""
    if own == [seat]:
        return Who(translate("you"), translate("You"))
    if seat in own:
        return Who(translate("you (seat {seat})", seat=seat), translate("You (seat {seat})", seat=seat))
    player = table.seats[seat] if seat < len(table.seats) else None
    if player is None:
        return Who(translate("seat {seat}", seat=seat))
    if sum(other == player for other in table.seats) == 1:
        return Who(named(player))
    return Who(translate("{who} on seat {seat}", who=named(player), seat=seat))


def listed(names: Sequence[str]) -> str:
    """The list in words: "Ana, Ben and Cy"."""
    *most, last = names
    return translate("{most} and {last}", most=", ".join(most), last=last) if most else last

"""What a client may ask about ratings and results."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from tablero_protocol.messages import Course, PlayerPage, Ratings, ServerMessage, Speed, Times, Tonight


class AsksResults(ABC):
    """The questions of a `Client`; each is answered by one page."""

    @abstractmethod
    async def ask(self, type: str, **fields: Any) -> ServerMessage: ...

    async def show_ratings(self, game: str, speed: Speed = "rapid", *, after: int = 0) -> Ratings:
        """Who is best at `game`: those after the first `after`."""
        page = await self.ask("showRatings", game=game, speed=speed, after=after)
        assert isinstance(page, Ratings)
        return page

    async def show_times(self, course: Course = "beginner", *, bots: bool = False, after: int = 0) -> Times:
        """Who is fastest at a course of Minesweeper: those after the first `after`."""
        page = await self.ask("showTimes", course=course, bots=bots, after=after)
        assert isinstance(page, Times)
        return page

    async def show_player(
        self, player: str, *, rival: str | None = None, after: str | None = None
    ) -> PlayerPage:
        """Ratings and games of `player`, by id or name, and the balance with `rival`, by default with us.

        `after` is the `more` of the page before.
        """
        given = {"rival": rival, "after": after}
        fields = {name: value for name, value in given.items() if value is not None}
        page = await self.ask("showPlayer", player=player, **fields)
        assert isinstance(page, PlayerPage)
        return page

    async def show_tonight(self, *, after: str | None = None) -> Tonight:
        """What was played in the last twelve hours. `after` is the `more` of the page before."""
        page = await self.ask("showTonight", **({} if after is None else {"after": after}))
        assert isinstance(page, Tonight)
        return page

"""The manners of a host's bots: they greet people, answer offers, and claim abandoned games.

Law: the class of each bot decides. An error in a decision is logged, and the answer is no.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

from tablero_games import GAMES, Seat
from tablero_protocol.messages import Answered, NextPlayer, Offered
from tablero_protocol.phrases import PHRASES

from ..bot import Bot, Turn
from ..client.client import Client
from ..client.room import Room
from ..errors import Disconnected, Refused

log = logging.getLogger(__name__)

T = TypeVar("T")

CLAIM_AFTER_SECONDS = 30.0
"""Extra seconds that a bot waits for an absent rival before it claims the game."""


def goes_by_turns(room: Room) -> bool:
    """Whether the seats move one after the other, unlike in a race or a cooperative game."""
    rules = GAMES[room.game]
    return rules.counts(rules.read_options(room.options)) == "all"


def people_at(room: Room) -> set[Seat]:
    """The seats that people hold. Watchers have none."""
    return {seat for member in room.table.members if not member.player.bot for seat in member.seats}


def _was_a_good_end(event: NextPlayer, seats: Collection[Seat]) -> bool:
    """Whether the game ended by a move or by the rival's resignation, not by a flag, an absence or our
    failure.
    """
    last = event.last
    if (event.outcome or {}).get("kind") == "aborted":
        return False
    return last is None or last.withdrew is None or (last.withdrew == "resign" and last.seat not in seats)


class Manners:
    """The manners of all bots in one room."""

    def __init__(self, client: Client, room: Room, bots: Mapping[Seat, Bot], *, greets: bool) -> None:
        self._client = client
        self._room = room
        self._bots = bots
        self._has_begun = room.previous is not None
        """Whether it is too late for a greeting: in a rematch, or in a game that is already running."""
        self._farewell_is_due = False
        self._awaited: set[tuple[str, int]] = set()
        """The known absences: the absent player, and the time from which the game may be claimed."""
        room.offers.subscribe(self.answer)
        room.members.subscribe(self.mind_absences)
        if greets:
            room.next_player.subscribe(self.greet)
        self.mind_absences(None)

    async def greet(self, event: NextPlayer) -> None:
        """Greet people as a game begins and ends, once for all of our seats."""
        speaker = next(iter(self._bots.values()), None)
        words = None
        if event.outcome is None:
            if not self._has_begun and event.last is None:
                words = speaker and speaker.greeting
            self._has_begun = self._farewell_is_due = True
        elif self._farewell_is_due:
            self._farewell_is_due = False
            if _was_a_good_end(event, self._room.seats):
                words = speaker and speaker.farewell
        if words and people_at(self._room):
            with noting():
                await self._say(words)

    async def _say(self, words: str) -> None:
        """Say `words` if the server's host allows them."""
        welcome = self._client.session.welcome
        policy = None if welcome is None else welcome.limits.chat
        if words in PHRASES:
            if policy != "off":
                await self._client.ask("say", room=self._room.id, phrase=words)
        elif policy not in ("off", "phrases"):
            await self._room.say(words)

    async def answer(self, offer: Offered | Answered) -> None:
        """Answer an offer once for all of our seats: yes only if all of them accept."""
        seats = self._room.seats
        if not isinstance(offer, Offered) or not seats or offer.seat in seats:
            return
        bots = [self._bots[seat] for seat in seats if seat in self._bots]
        yes = bool(bots) and all(_decided(partial(bot.answer, offer), False) for bot in bots)
        with noting():
            await self._room.answer(offer.offer, yes, seats[0])

    def mind_absences(self, _: object) -> None:
        """Check each absent rival again when the game may be claimed."""
        for member in self._room.away:
            absence = (member.player.id, member.away or 0)
            if absence not in self._awaited and member.seats:
                self._awaited.add(absence)
                wait = max(0, absence[1] - self._client.server_now) / 1000 + CLAIM_AFTER_SECONDS
                self._client.after(wait, partial(self._time_is_up, absence))

    def _time_is_up(self, absence: tuple[str, int]) -> None:
        self._client.start(self._claim(absence))

    async def _claim(self, absence: tuple[str, int]) -> None:
        room = self._room
        still_away = absence in [(member.player.id, member.away) for member in room.away]
        if not still_away or room.table.state != "playing" or not goes_by_turns(room):
            return
        for seat, bot in self._bots.items():
            turn = Turn(room.turns[seat], room.game, room.options) if seat in room.turns else None
            what = None if turn is None else _decided(partial(bot.may_claim, turn), None)
            if what is not None:
                with noting():
                    await room.claim(what, seat)
                return
        self._client.after(CLAIM_AFTER_SECONDS, partial(self._time_is_up, absence))


def _decided(decide: Callable[[], T], otherwise: T) -> T:
    try:
        return decide()
    except Exception:
        log.exception("A bot could not decide")
        return otherwise


@contextmanager
def noting() -> Iterator[None]:
    """Log refusals and carry on."""
    try:
        yield
    except Refused as refused:
        log.info("Refused: %s", refused.sentence)
    except Disconnected:
        pass  # the program ends

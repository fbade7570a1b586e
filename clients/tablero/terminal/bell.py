"""The bell for a person's turn, and a line when little time is left.

Law: the options file, shared with the full screen, says when the bell rings.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, get_args

from tablero.catalogue.speech import sentence, translate
from tablero.client.client import Client
from tablero.client.room import clocks_at
from tablero_protocol.messages import Answered, Invited, NextPlayer, Offered, Said

from ..playing import sentences
from ..playing.current_table import CurrentTable
from ..playing.news import News
from ..playing.options import BELL_WORDS, Preferences
from ..playing.options import Bell as When
from ..playing.words import UsageError

WARNINGS: Final = (30_000, 10_000)
"""Milliseconds left on our clock at which to warn."""
TIME_LEFT = sentence("You have {seconds} seconds left.")


class Bell:
    """The bell of a person at the terminal."""

    def __init__(
        self,
        client: Client,
        table: CurrentTable,
        preferences: Preferences,
        say: Callable[[str], None],
        ring: Callable[[str], None] | None,
    ) -> None:
        self._client = client
        self._table = table
        self._preferences = preferences
        self._say = say
        self._ring = ring
        """The function that rings; None if no person uses the terminal."""
        self._was_our_turn = False
        if ring is not None:
            table.news.subscribe(self._hear)

    def _hear(self, news: News) -> None:
        match news:
            case NextPlayer():
                self._turn(news)
            case Said() | Offered() | Answered() | Invited():
                self._somebody_speaks()

    async def choose(self, words: list[str]) -> None:
        """With a word, change when the bell rings. Then say when it rings. Raises UsageError."""
        match words:
            case []:
                pass
            case [word] if word.lower() in get_args(When):
                self._preferences.change(bell=word.lower())
            case _:
                raise UsageError(
                    translate("Choose when the bell rings: {words}.", words=", ".join(get_args(When)))
                )
        self._say(translate(BELL_WORDS[self._preferences.options.bell]))

    def _turn(self, turn: NextPlayer) -> None:
        ours = self._table.own_turn
        if ours is None or ours.outcome is not None:
            self._was_our_turn = False
            return
        if turn is not ours:
            return  # each of our seats gets one
        if not self._was_our_turn and self._table.room is not None:
            self._call(sentences.title_of(self._table.room.game) + ": " + translate("Your turn."))
        self._was_our_turn = True
        self._watch_clock(ours)

    def _watch_clock(self, turn: NextPlayer) -> None:
        clocks = clocks_at(turn, self._client.server_now)
        if clocks is None or turn.seat is None or turn.first_move is not None or turn.paused is not None:
            return
        for warning in WARNINGS:
            if (left := clocks[turn.seat] - warning) > 0:
                self._client.after(left / 1000, partial(self._warn, turn, warning // 1000))

    def _warn(self, turn: NextPlayer, seconds: int) -> None:
        if self._table.own_turn is turn:
            told = translate(TIME_LEFT, seconds=seconds)
            self._say(told)
            self._call(told)

    def _call(self, why: str) -> None:
        if self._ring is not None:
            self._preferences.ring(partial(self._ring, why), is_our_turn=True)

    def _somebody_speaks(self) -> None:
        if self._ring is not None:
            self._preferences.ring(partial(self._ring, translate("New message.")), is_our_turn=False)

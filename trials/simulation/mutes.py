"""The mutes that the server has confirmed, to find messages that should be hidden, or are hidden without
reason.

Law: a mute counts from its command, which is carried out once, until the next command. After a start, the
server knows the saved mutes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tablero_protocol.messages import Mute
from tablero_server.core.effects import Effects
from tablero_server.core.entry import Forgotten, SavedMute
from tablero_server.core.people.session import Session
from tablero_server.core.refusal import Message
from trials.simulation.world import World, check

Pair = tuple[str, str]
"""The muting player, and the muted player."""


@dataclass(eq=False)
class Spell:
    what: str
    since: float
    until: float | None = None


class Mutes:
    def __init__(self, world: World) -> None:
        self._world = world
        self._spells: dict[Pair, list[Spell]] = {}
        self._durable: dict[Pair, str] = {}
        self._done: dict[tuple[str, str], tuple[Pair, str, Effects]] = {}
        """The commands that were carried out since the server's start, by session and id, in order."""
        self._at_first: dict[Pair, str] = {}
        """The mutes at the server's start."""

    def written(self, effects: Effects) -> None:
        for player, muted, what in effects.kept_of(SavedMute):
            self._durable[player, muted] = what
        for (gone,) in effects.kept_of(Forgotten):
            for pair in [pair for pair in self._durable if gone in pair]:
                del self._durable[pair]

    def server_began(self) -> None:
        for pair in {*self._spells, *self._durable}:
            what = self._durable.get(pair, "none")
            if what != (self._now(pair) or "none"):
                self._end(pair)
                self._begin(pair, what)
            elif what != "none":
                self._world.sometimes("a mute outlived a server")
        self._done.clear()
        self._at_first.clear()

    def asked(self, session: Session, message: Mute, effects: Effects) -> None:
        self._take_back_lost()
        [answer] = [each for _, each in effects.messages if each.get("re") == message.id]
        if answer["type"] != "ok" or (session.id, message.id) in self._done:
            return
        pair = session.account.id, message.player
        self._at_first.setdefault(pair, self._now(pair) or "none")
        self._done[session.id, message.id] = pair, message.what, effects
        self._end(pair)
        self._begin(pair, message.what)

    def _take_back_lost(self) -> None:
        """Undoes mutes that were not saved, with those that waited behind them."""
        for done, (pair, _, effects) in [*self._done.items()]:
            if effects.lost:
                del self._done[done]
                left = [what for about, what, _ in self._done.values() if about == pair]
                self._end(pair)
                self._begin(pair, left[-1] if left else self._at_first[pair])

    def check_said(self, hears: str, message: Message) -> None:
        """Checks a chat message before it is sent to the player `hears`."""
        self._take_back_lost()
        check(
            self._now((hears, message["player"]["id"])) is None, "who is muted is not heard", hears, message
        )

    def check_met(self, players: Iterable[str]) -> None:
        """Checks players whose seeks brought them together."""
        self._take_back_lost()
        for one in players:
            for other in players:
                what = self._now((one, other))
                check(what != "all", "no one is paired with a player they have muted", one, other)

    def hidden(self, player: str, author: str, since: float) -> bool:
        """Whether `player` had muted `author` at any time since then."""
        self._take_back_lost()
        spells = self._spells.get((player, author), ())
        return any(spell.until is None or spell.until >= since for spell in spells)

    def _now(self, pair: Pair) -> str | None:
        spells = self._spells.get(pair)
        return spells[-1].what if spells and spells[-1].until is None else None

    def _begin(self, pair: Pair, what: str) -> None:
        if what != "none":
            self._spells.setdefault(pair, []).append(Spell(what, self._world.now))

    def _end(self, pair: Pair) -> None:
        for spell in self._spells.get(pair, ()):
            if spell.until is None:
                spell.until = self._world.now

"""Undoes effects that could not be saved, as if nobody had sent their commands.

Law: afterwards every room is the fold of its saved log, and nobody has seen anything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tablero_protocol.codes import Close

from ..core.effects import Effects, hide, is_about
from ..core.entry import Entry
from ..core.hub import Hub
from ..core.refusal import Refusal

_NOT_SAVED = Refusal("notSaved", retry_after_ms=1_000)
_DONE_LONG_AGO = Refusal("closedSince")
_SENT_AWAY = (Close.KICKED, Close.BANNED, Close.SIGNED_OUT, Close.REVOKED)


def dependents_of(failed: set[Effects], effects: Iterable[Effects]) -> list[Effects]:
    """The `failed` effects, and later ones that depend on a room or rating that these changed, in order."""
    lost: list[Effects] = []
    rooms, ratings = set[str](), set[tuple[str, ...]]()
    for each in effects:
        if each in failed or not ratings.isdisjoint(each.moved) or is_about(each, rooms):
            rooms.update(entry.room for entry in each.entries)
            ratings.update(each.moved)
            lost.append(each)
    return lost


def hide_what_is_lost(lost: Sequence[Effects], others: Iterable[Effects]) -> None:
    """Removes lost rooms and ratings from the messages of other effects. The lobby sends them again."""
    rooms = {entry.room for effects in lost for entry in effects.entries}
    rated = {player for effects in lost for player, *_ in effects.moved}
    for each in others:
        each.messages = [(peer, hide(message, rooms, rated)) for peer, message in each.messages]


def roll_back(hub: Hub, lost: Sequence[Effects], now: int) -> Effects:
    """Undoes the lost effects. Returns the messages that tell their authors to try again."""
    entries: dict[str, list[Entry]] = {}
    for effects in lost:
        effects.lost = True
        for entry in effects.entries:
            entries.setdefault(entry.room, []).append(entry)
    for effects in reversed(lost):
        for undo in reversed(effects.undo):
            undo(now)
    told = Effects()
    for of_room in entries.values():
        hub.rooms.reload(of_room, now, told)
    hub.invitations.forget_closed_rooms()
    for effects in lost:
        _tell(hub, effects, told)
    hub.entrance.forget_who_came_in_vain(told)
    return told


def _tell(hub: Hub, lost: Effects, told: Effects) -> None:
    """Tells the author that a command was not carried out, and drops the remembered answer."""
    for peer, message in lost.messages:
        if message["type"] in ("away", "back") and message["room"] in hub.rooms.open and peer in hub.peers:
            told.send(peer, message)  # such messages are in no log
        if (re := message.get("re")) is None:
            continue
        # An author who has lost the connection may repeat the command on another one.
        for session in [hub.peers[peer]] if peer in hub.peers else hub.accounts.sessions.values():
            session.answered.pop(re, None)
        told.send(peer, (_DONE_LONG_AGO if lost.repeats else _NOT_SAVED).message(re))
        if message["type"] == "welcome":
            told.close(peer, Close.NOT_SAVED)  # this connection has already said hello
    # A peer that was to be disconnected returns to the old state.
    told.closes += tuple((peer, Close.NOT_SAVED if why in _SENT_AWAY else why) for peer, why in lost.closes)

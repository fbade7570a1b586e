"""Back to what is durable: all of it after a restart, some rooms after a commit that failed.

Law: afterwards every room is the fold of its durable log, and nobody has seen anything else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from tablero_protocol.codes import Close, Code

from ..core.effects import Effects
from ..core.entry import Damaged, Entry, Saved
from ..core.hub import Hub
from ..core.refusal import Message, Refusal
from ..core.views import Views

_NOT_SAVED = Refusal(
    Code.RETRY_LATER,
    "The server could not save this; nothing has changed. Try again soon.",
    retry_after_ms=1_000,
)
_DONE_LONG_AGO = Refusal(
    Code.ID_REUSED,
    "This opened a room long ago, which has closed since; make a new random id for each command.",
)


class NotBegun(Exception):
    """What a start has to write down was not saved, and nothing may be built on that."""


def restore(hub: Hub, saved: Saved, now: int) -> Effects:
    """Everything that is durable, into a hub that is still empty; with what has to be recorded about that."""
    effects = Effects(begins=True)
    limits = hub.limits
    for player in saved.players:
        account = hub.accounts.admit(player)
        hub.alarms.set(("absent", account.id), now + limits.absence_ms)
        forget_at = max(player.seen + limits.memory_ms(sat=account.sat), now + limits.absence_ms + 1)
        hub.alarms.set(("guest", account.id), forget_at)
    hub.rooms.damaged.update(saved.damaged)
    for log in saved.logs:
        try:
            views = hub.rooms.load(log)
        except Damaged as error:
            hub.rooms.damaged[log[0].room] = str(error)
            continue
        room = views.room
        tell = hub.rooms.listener(views, None, effects)
        room.revive(limits.grace_ms, now, tell)
        for player_id in [player for player in room.members if player not in hub.accounts.by_id]:
            room.leave(None, player_id, "gone", now, tell)
        hub.rooms.rematch_if_agreed(views, now, effects)
    for log in saved.closed:
        with suppress(Damaged):  # whoever asks for its record is told
            hub.rooms.adopt_closed(log, now)
    return effects


def split(batch: Sequence[Effects], failed: Sequence[Effects]) -> tuple[list[Effects], list[Effects]]:
    """`batch` as what may be shown, and what must not because it failed or builds on what failed."""
    kept: list[Effects] = []
    lost: list[Effects] = []
    rooms: set[str] = set()
    failing = set(map(id, failed))
    for effects in batch:
        if id(effects) in failing or _touches(effects, rooms):
            rooms.update(entry.room for entry in effects.entries)
            lost.append(effects)
        else:
            if rooms:
                effects.messages = [(peer, _without(message, rooms)) for peer, message in effects.messages]
            kept.append(effects)
    return kept, lost


def roll_back(hub: Hub, lost: Sequence[Effects], closed: Mapping[str, list[Entry]]) -> Effects:
    """Takes `lost` back: its rooms are again as their durable logs, and whoever asked is told to try again.

    `closed` has the durable logs of rooms that are no longer open, because their closing was lost.
    """
    if any(effects.begins for effects in lost):
        # Without it a clock would be charged for the time without a server. The next start writes it anew.
        raise NotBegun(
            "The database did not take what a start writes down; make room and start the server again."
        )
    entries: dict[str, list[Entry]] = {}
    for effects in lost:
        for entry in effects.entries:
            entries.setdefault(entry.room, []).append(entry)
    for room, lost_here in entries.items():
        views = hub.rooms.open.get(room)
        log = closed.get(room, []) if views is None else views.room.log
        _return_to(hub, views, log[: lost_here[0].seq], lost_here)
    hub.invitations.forget_closed_rooms()
    told = Effects()
    for effects in lost:
        for player in effects.players:
            if (account := hub.accounts.by_id.get(player.id)) is not None:
                account.saved = None
        for peer, message in effects.messages:
            if (re := message.get("re")) is not None:
                # Whose connection has ended meanwhile may repeat it on another.
                for session in [hub.peers[peer]] if peer in hub.peers else hub.accounts.sessions.values():
                    session.answered.pop(re, None)
                told.send(peer, (_DONE_LONG_AGO if effects.repeats else _NOT_SAVED).message(re))
                if "token" in message:
                    told.close(peer, Close.NOT_SAVED)  # it never got its token, and comes as somebody new
                    _forget_newcomer(hub, message["player"]["id"], told)
        told.closes += effects.closes
    return told


def _forget_newcomer(hub: Hub, player: str, told: Effects) -> None:
    """Whoever never got a token leaves the name to others, but for one who is in a durable room by now."""
    account = hub.accounts.by_id.get(player)
    if account is None or account.rooms:
        return
    hub.invitations.player_went(account, told)
    for session in [hub.accounts.sessions[name] for name in sorted(account.sessions)]:
        hub.forget(session)
    for alarm in (("absent", player), ("guest", player)):
        hub.alarms.cancel(alarm)
    hub.accounts.forget_account(account)
    hub.rooms.lobby.player_changed(player)


def _touches(effects: Effects, rooms: set[str]) -> bool:
    """Whether it changes or shows one of `rooms`."""
    if not rooms:
        return False
    if effects.refused_about in rooms:
        return True
    return any(entry.room in rooms for entry in effects.entries) or any(
        not rooms.isdisjoint(_shown_by(message)) for _, message in effects.messages
    )


def _shown_by(message: Message) -> list[str]:
    """The rooms that a message is about; a stale turn is refused with events of its room."""
    return [each["room"] for each in (message, *message.get("missed", ())) if "room" in each]


def _without(message: Message, rooms: set[str]) -> Message:
    """A message about many rooms, without those; the lobby tells of them again as they are then."""
    match message.get("type"):
        case "pong":
            heads = {room: head for room, head in message["heads"].items() if room not in rooms}
            return {**message, "heads": heads}
        case "lobby" | "lobbyChanged":
            return {**message, "rooms": [line for line in message["rooms"] if line["room"] not in rooms]}
    return message


def _return_to(hub: Hub, views: Views | None, log: list[Entry], lost: list[Entry]) -> None:
    """The room as `log` says, without what was `lost`, with those viewers who may still see it."""
    hub.rooms.closed.forget(lost[0].room)
    viewers = {} if views is None else dict(views.viewers)
    stayed = {entry.body["player"]["id"] for entry in lost if entry.kind == "left"}
    for entry in lost:
        if entry.cause is not None and (account := hub.accounts.by_id.get(entry.cause.player)):
            account.logged.pop(entry.cause.id, None)
            for name in account.sessions:  # also those whose connection is gone
                hub.accounts.sessions[name].answered.pop(entry.cause.id, None)
    for player in stayed:
        account = hub.accounts.by_id.get(player)
        if account and not hub.accounts.open_sessions(account):  # who is still away is taken out again later
            hub.alarms.set(("absent", player), lost[-1].at + hub.limits.absence_ms)
    if views is not None:
        hub.rooms.unload(views)
    if not log:
        hub.rooms.lobby.room_never_was(lost[0].room)
        return
    fresh = hub.rooms.load(log)
    room = fresh.room
    for player in room.members:
        account = hub.accounts.by_id.get(player)
        for name in sorted(account.sessions) if account else ():
            session = hub.accounts.sessions[name]
            viewer = viewers.get(name)
            if player in stayed and (viewer is None or viewer.since > room.head):
                viewer = session.left.pop(room.id, None)
            if viewer is not None and viewer.since <= room.head:
                viewer.seats &= set(room.seats_of(player))
                fresh.viewers[name] = viewer
                session.rooms.add(room.id)
    for seat, player_id in enumerate(room.seats):
        if player_id is not None and fresh.holder(seat) is None:
            held_by = next((each for each in fresh.viewers.values() if each.player == player_id), None)
            if held_by is not None:
                held_by.seats.add(seat)

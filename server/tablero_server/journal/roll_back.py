"""What could not be made durable is taken back, as if it had never been asked for.

Law: afterwards every room is the fold of its durable log, and nobody has seen anything else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from tablero_protocol.codes import Close

from ..core.effects import Effects
from ..core.entry import Entry
from ..core.hub import Hub
from ..core.meeting.ratings import RatingKey
from ..core.refusal import Message, Refusal
from ..core.room.replay import before
from ..core.room.room import Room
from ..core.room.state import PLAYING
from ..core.seats.views import Viewer

_NOT_SAVED = Refusal("notSaved", retry_after_ms=1_000)
_SENT_AWAY = (Close.KICKED, Close.BANNED, Close.SIGNED_OUT, Close.REVOKED)
_DONE_LONG_AGO = Refusal("closedSince")


def building_on(failed: set[Effects], effects: Iterable[Effects]) -> dict[Effects, None]:
    """Those of `effects` that failed, or build on a room or a rating that is taken back, in order.

    The others lose what little they say of such a room, and end the seeks of whom they bring to a table.
    """
    lost: dict[Effects, None] = {}
    rooms: set[str] = set()
    ratings: set[RatingKey] = set()
    for each in effects:
        moves = {key for key, _ in each.moved}
        if each in failed or not ratings.isdisjoint(moves) or _touches(each, rooms):
            rooms.update(entry.room for entry in each.entries)
            ratings |= moves
            lost[each] = None
            continue
        _end_seeks(each, lost)
        if rooms:
            rated = {key.player for key in ratings}
            each.messages = [(peer, _without(message, rooms, rated)) for peer, message in each.messages]
    return lost


def roll_back(hub: Hub, lost: Sequence[Effects], now: int) -> Effects:
    """The rooms of `lost` are again as their durable logs, and whoever asked is told to try again."""
    entries: dict[str, list[Entry]] = {}
    for effects in lost:
        for entry in effects.entries:
            entries.setdefault(entry.room, []).append(entry)
    told = Effects()
    closed = {room.id: room for effects in lost for room in effects.closed}
    for id, lost_here in entries.items():
        left = [viewer for effects in lost for room, viewer in effects.left if room == id]
        _reload(hub, closed.get(id) or hub.rooms.open[id].room, lost_here, left, told, now)
    hub.rooms.ratings.take_back(move for effects in lost for move in effects.moved)
    for id in entries:  # also where it was told before that it is as it is again
        hub.rooms.lobby.tell_again("rooms", id)
    hub.invitations.forget_closed_rooms()
    for effects in lost:
        for seek in effects.paired:
            hub.pairing.put_back(seek, now)
    for effects in lost:  # also those that never were durable: who made them takes them back below
        for token in effects.ended:
            if token.player in hub.accounts.by_id:
                hub.accounts.tokens.put_back(token)
    for effects in lost:
        effects.taken_back = True
        _tell(hub, effects, told)
    for effects in reversed(lost):
        _rename_back(hub, effects, now)
        _undecide(hub, effects)
    return told


def _end_seeks(kept: Effects, lost: Iterable[Effects]) -> None:
    """Who is at a table seeks no more: what an earlier lost pairing had ended, this one ends."""
    for each in lost if kept.brought else ():
        ended = tuple(seek for seek in each.paired if seek.account in kept.brought)
        each.paired = tuple(seek for seek in each.paired if seek not in ended)
        kept.paired += ended


def _reload(hub: Hub, room: Room, lost: list[Entry], left: list[Viewer], told: Effects, now: int) -> None:
    """The room as its log was before what is `lost`, with those viewers who came before that."""
    first = lost[0].seq
    hub.rooms.closed.forget(room.id)
    seeing, was_away = left, Counter[str]()
    if (views := hub.rooms.open.get(room.id)) is not None:
        was_away = views.was_away
        seeing = [*left, *views.viewers.values()]
        hub.rooms.unload(views)
    if first == 0:
        hub.rooms.lobby.room_never_was(room.id)
        return
    fresh = hub.rooms.load(before(room, first))
    fresh.was_away = was_away
    _give_time_back(fresh.room, lost[0], now)
    hub.rooms.alarms.set_flag(fresh.room)
    for viewer in seeing:
        if viewer.since <= fresh.room.head and viewer.session.id in hub.accounts.sessions:
            viewer.seats &= set(fresh.room.seats_of(viewer.player))
            fresh.viewers[viewer.session.id] = viewer
            viewer.session.rooms.add(room.id)
    for seat, player in enumerate(fresh.room.seats):
        if fresh.holder(seat) is None:
            held_by = next((each for each in fresh.viewers.values() if each.player == player), None)
            if held_by is not None:
                held_by.seats.add(seat)
    hub.rooms.absences.look_again(fresh, now, told)
    for entry in lost:
        if entry.kind == "left":
            account = hub.accounts.by_id.get(entry.body["player"]["id"])
            if account and not hub.accounts.open_sessions(account):  # it is taken out again later
                hub.alarms.set(("absent", account.id), entry.at + hub.limits.session_memory_ms)


def _give_time_back(room: Room, lost: Entry, now: int) -> None:
    """Whoever asked for what was lost has the time of then."""
    if room.clock is not None and room.state is PLAYING and lost.clocks is not None:
        author = lost.seat if lost.kind == "turn" else None
        given, seat = lost.body["ms"] if lost.kind == "addedTime" else 0, lost.seat or 0
        rivals = room.rivals(room.seats[seat] or "") if given else []
        clocks = [left - given * (of in rivals) for of, left in enumerate(lost.clocks)]
        told = room.log[-1].clocks
        if author is not None and room.clock.each is not None and told is not None:
            clocks[author] = told[author]  # what the lost turn gave anew hides what was left before it
        room.clock = room.clock.resumed(tuple(clocks), author, now, lost.body.get("lag", 0))


def _tell(hub: Hub, lost: Effects, told: Effects) -> None:
    """Tells whoever asked for it that it has not happened, and forgets that it was answered."""
    for player in lost.players:
        if (account := hub.accounts.by_id.get(player.id)) is not None:
            account.saved = None
    for saved in lost.tokens:
        hub.accounts.tokens.not_saved(saved)
    if lost.handed_over is not None and lost.handed_over.player in hub.accounts.by_id:
        hub.accounts.tokens.end_by_hash(saved.hash for saved in lost.tokens)
        hub.accounts.hand_overs.put_back(lost.handed_over)
    for peer, message in lost.messages:
        if message["type"] in ("away", "back") and message["room"] in hub.rooms.open and peer in hub.peers:
            told.send(peer, message)  # no log has it
        if (re := message.get("re")) is not None:
            # Whose connection has ended meanwhile may repeat it on another.
            for session in [hub.peers[peer]] if peer in hub.peers else hub.accounts.sessions.values():
                session.answered.pop(re, None)
            told.send(peer, (_DONE_LONG_AGO if lost.repeats else _NOT_SAVED).message(re))
            if message["type"] == "welcome":
                told.close(peer, Close.NOT_SAVED)  # for here it has said hello
            if "token" in message and lost.handed_over is None:  # it never got it, and comes as somebody new
                _forget_newcomer(hub, message["player"]["id"], told)
    # Who was sent away in vain finds everything as it was.
    told.closes += tuple((peer, Close.NOT_SAVED if why in _SENT_AWAY else why) for peer, why in lost.closes)


def _rename_back(hub: Hub, lost: Effects, now: int) -> None:
    """Whoever could not be saved by a new name has the old one, unless a later one is saved by now."""
    if lost.renamed is None:
        return
    id, old = lost.renamed
    account = hub.accounts.by_id.get(id)
    if account is not None and account.name in {player.name for player in lost.players}:
        hub.accounts.rename(account, old, now)
        hub.rooms.lobby.player_changed(id)


def _undecide(hub: Hub, lost: Effects) -> None:
    """What the host wanted holds no longer, and what it wanted no longer holds."""
    for sanction in lost.sanctions:
        hub.sanctions.remove(sanction)
    for sanction in lost.lifted:
        hub.sanctions.add(sanction)


def _forget_newcomer(hub: Hub, player: str, told: Effects) -> None:
    """Whoever never got a token leaves the name to others, but for one who is in a durable room by now."""
    account = hub.accounts.by_id.get(player)
    if account is None or account.rooms:
        return
    hub.invitations.player_went(account, told)
    for session in [hub.accounts.sessions[name] for name in sorted(account.sessions)]:
        hub.entrance.forget(session)
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


def _without(message: Message, rooms: set[str], rated: set[str]) -> Message:
    """A message about many rooms, without those, and without ratings of whose has not moved after all.

    The lobby tells of all of them again as they are then.
    """
    match message.get("type"):
        case "pong":
            heads = {room: head for room, head in message["heads"].items() if room not in rooms}
            return {**message, "heads": heads}
        case "lobby" | "lobbyChanged":
            lines = [line for line in message["rooms"] if line["room"] not in rooms]
            lines = [line for line in lines if rated.isdisjoint(_rated_in(line))]
            seeks = [line for line in message.get("seeks", ()) if rated.isdisjoint(_rated_in(line))]
            return {**message, "rooms": lines, "seeks": seeks}
        case "welcome" | "ownRooms":  # they are still one's own, but nobody knows whose turn it is
            return {**message, "rooms": [_unsure(line, rooms) for line in message["rooms"]]}
    return message


def _rated_in(line: Message) -> set[str]:
    """Whose ratings are told in a line of the lobby."""
    if "rating" in line:
        return {line["player"]["id"]}
    return {seat["id"] for seat in line["seats"] if seat is not None} if "ratings" in line else set()


def _unsure(line: Message, rooms: set[str]) -> Message:
    if line["room"] not in rooms:
        return line
    return {**{key: value for key, value in line.items() if key != "clocks"}, "toMove": []}

"""All rooms with their views, and the only path by which entries reach the journal and the viewers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from tablero_protocol.messages import ClientMessage, Join
from tablero_protocol.notices import notice

from ..alarms import Alarms, RoomAlarms
from ..command import Command
from ..effects import Effects, Search
from ..entry import Entry, Tell
from ..ids import Ids, read_code
from ..limits.limits import Limits
from ..limits.room_bounds import RoomBounds
from ..meeting.lobby import Lobby
from ..meeting.ratings import RatingBook
from ..people.accounts import Accounts
from ..people.session import Account, Session
from ..refusal import Message, Refusal
from ..room.clock import Clock, speed
from ..room.outline import Outline
from ..room.replay import before, fold
from ..room.room import Room, agreed_to_rematch, won_after
from ..room.setup import Plan
from ..room.state import (
    FINISHED,
    PLAYING,
    PREPARING,
    WAITING,
)
from .absences import Absences
from .packed_rooms import AtRest, PackedRooms, Unpacking
from .searches import Searches
from .views import (
    RESEATS,
    TOLD_TO_ALL,
    Viewer,
    Views,
)


class RecentlyClosed:
    """Recently closed rooms, so that a repeated command gets its first answer again.

    They are limited in time and in number; the oldest are dropped first.
    """

    def __init__(self, accounts: Accounts, alarms: Alarms, limits: Limits) -> None:
        self._accounts = accounts
        self._alarms = alarms
        self._limits = limits
        self._rooms: dict[str, Room] = {}
        """The rooms by id, in the order in which they closed."""

    def add(self, room: Room, now: int) -> None:
        self._rooms[room.id] = room
        self._alarms.set(("closed", room.id), now + self._limits.session_memory_ms)
        if len(self._rooms) > self._limits.closed_rooms:
            self.forget(next(iter(self._rooms)))

    def room(self, id: str) -> Room:
        return self._rooms[id]

    def with_code(self, code: str) -> str | None:
        """The recently closed room that had this code, or None."""
        return next((room.id for room in self._rooms.values() if room.code == code), None)

    def forget(self, id: str) -> None:
        if (room := self._rooms.pop(id, None)) is not None:
            self._alarms.cancel(("closed", id))
            self._accounts.forget_commands(room.log)


_SHOWN_IN_LOBBY = {"joined", "left", "started", "closed", *TOLD_TO_ALL}


class Rooms:
    def __init__(self, ids: Ids, accounts: Accounts, alarms: Alarms, limits: Limits) -> None:
        self._ids = ids
        self._accounts = accounts
        self.alarms = RoomAlarms(alarms, limits)
        self._limits = limits
        self.lobby = Lobby(self._room_line, self._player_line, limits.lobby_bytes)
        self.absences = Absences(accounts, alarms, limits)
        self.open: dict[str, Views] = {}
        """The loaded rooms; other open rooms are packed."""
        self.ratings = RatingBook(accounts)
        self.closed = RecentlyClosed(accounts, alarms, limits)
        self.searches = Searches(limits.searches_at_once)
        self.damaged: dict[str, str] = {}
        """Rooms that cannot be read from the journal: the error by room id."""
        self.entries = 0  # the number in all loaded rooms
        self._by_code: dict[str, str] = {}
        self.packed = PackedRooms(accounts, self.alarms, self._by_code, limits)
        self.unpacking = Unpacking(self.packed, self.load, self.damaged)
        self.bounds = RoomBounds(accounts, self.open, self.packed, limits)

    def of(self, session: Session, room: str) -> tuple[Views, Viewer]:
        """The room, and this session's viewer in it. Raises Refusal."""
        views = self.open.get(room)
        if views is not None and (viewer := views.viewers.get(session.id)) is not None:
            return views, viewer
        if not self._may_know(session.account, room):
            raise self.no_such(room)
        raise Refusal("notInRoom")

    def unpacked(self, id: str) -> Views | None:
        """Unpacks a packed room at once; only for the host."""
        if id in self.packed:
            self.unpacking.at_once(id)
            self.lobby.room_changed(id)
        return self.open.get(id)

    def pack_if_idle(self, id: str, now: int) -> None:
        views = self.open[id]
        if views.viewers or not self.packed.takes(views.room, now):
            self.alarms.set_pack(views.room, now)
        else:
            self.unload(views)
            self.packed.pack(views.room)

    def outlines(self, account: Account) -> Iterator[tuple[Outline, Clock | None]]:
        """All rooms of a player, each with its clock."""
        for id in sorted(account.rooms):
            if (views := self.open.get(id)) is not None:
                yield Outline.of(views.room), views.room.clock
            else:
                yield self.packed.outline(id), self.packed.clock(id)

    def to_join(self, session: Session, asked: Join, *, invited: bool) -> Views:
        """The room to join, by id or by code. Raises AtRest if the room must be unpacked first."""
        if (asked.room is None) == (asked.code is None):
            raise Refusal("roomOrCode")
        room = asked.room or self.with_code(asked.code or "") or ""
        if asked.code is not None and not room:
            raise Refusal("wrongCode", about=self.closed.with_code(read_code(asked.code)))
        if asked.code is None and not (invited or self._may_know(session.account, room)):
            raise self.no_such(room)
        if (views := self.open.get(room)) is not None:
            return views
        if room not in self.packed:
            raise self.no_such(room)
        if room not in session.account.rooms:
            self.bounds.check_may_watch(session.account, self.packed.outline(room), asked.seat)
            self.check_may_add(session.account)
        raise AtRest(room)

    def with_code(self, code: str) -> str | None:
        return self._by_code.get(read_code(code))

    def no_such(self, room: str) -> Refusal:
        """The refusal for a room that is closed, private or damaged."""
        if room in self.damaged:
            return Refusal("roomSetAside")
        return Refusal("noSuchRoom")

    def check_may_open(self, account: Account, *, on_days: bool) -> None:
        """Refuses a new room if this player, or the server, has too many."""
        self.bounds.check_may_begin()
        self.bounds.check_may_enter(account, on_days=on_days)
        if self.bounds.is_full(on_days=on_days) or self.entries >= self._limits.entries:
            raise Refusal("serverFull", retry_after_ms=30_000)

    def check_may_add(self, account: Account) -> None:
        """Refuses one more entry by this player if the player or the server has too many."""
        own = len(account.logged) + account.packed_entries
        if own >= self._limits.entries_per_player and not account.of_host:
            raise Refusal("youDidTooMuchEverywhere", entries=own)
        if self.entries >= self._limits.entries and own >= self._limits.entries_anyway:
            raise Refusal("tooMuchEverywhere", retry_after_ms=30_000)

    def check_takes_more(self, room: Room, player: str, *, sits: bool) -> None:
        """Refuses an entry other than a turn if the log is full; each seated player has a separate share."""
        self.check_may_add(self._accounts.by_id[player])
        most, own = self._limits.room_entries, room.entries_of[player]
        if own >= (most // 4 if sits else most // 20):
            raise Refusal("youDidTooMuch")
        if not sits and len(room.log) - room.ply >= most // 2:
            raise Refusal("tooMuchHappened")

    def check_may_prepare(self, person: str) -> None:
        """Refuses to prepare one more game for this person if too many games wait. The first preparation is
        always allowed.
        """
        if (preparing := self.searches.of(person)) >= self._limits.searches:
            raise Refusal("ownSearches", searches=preparing, retry_after_ms=2_000)
        if preparing and len(self.searches) >= self._limits.all_preparations:
            raise Refusal("manySearches", retry_after_ms=10_000)

    def _wait_for_search(self, room: Room) -> None:
        owner = room.owner or ""
        self.searches.begin(room.id, owner, self._accounts.address_of(owner))

    def next_searches(self, effects: Effects) -> None:
        """Starts the searches whose turn has come."""
        while (due := self.searches.next()) is not None:
            ticket, room = due[0], self.open[due[1]].room
            effects.searches += (Search(ticket, room.game.name, room.seed, room.options_json),)

    def create(self, plan: Plan, now: int, effects: Effects) -> Views:
        code = self._ids.code()
        room = Room.create(
            self._ids.key(),
            plan,
            epoch=self._ids.key(),
            code=code,
            now=now,
            tell=partial(self._note, effects),
            first_move_ms=self._limits.first_move_ms,
        )
        views = Views(room)
        self.open[room.id] = views
        self._by_code[code] = room.id
        return views

    def load(self, room: Room) -> Views:
        """Adds a room as its stored log describes it, without viewers."""
        views = self.open[room.id] = Views(room)
        self.entries += len(room.log)
        if room.code is not None:
            self._by_code[room.code] = room.id
        self._accounts.know_commands(room.log)
        for player in room.members:
            if (account := self._accounts.by_id.get(player)) is not None:
                account.rooms.add(room.id)
        if room.clock is not None:
            self.alarms.set_clock(room)
            self.alarms.set_pack(room, room.log[-1].at)
        if room.state is FINISHED:
            self.alarms.set_idle(room)
        self.lobby.room_changed(room.id, room.seats)
        if room.state is PREPARING and room.must_be_prepared:
            self._wait_for_search(room)
        if room.starts is not None:
            self.alarms.set_at("start", room.id, room.starts)
        return views

    def begin_epoch(self, room: Room, now: int, tell: Tell) -> None:
        """Begins a new epoch after a backup was restored: clients may have seen a later log."""
        room.go_on_as(self._ids.key(), now, tell)

    def unload(self, views: Views) -> None:
        """Removes a room from memory; its sessions stay."""
        room = views.room
        for viewer in views.viewers.values():
            viewer.session.rooms.discard(room.id)
        for player in {*room.members, *(viewer.player for viewer in views.viewers.values())}:
            if (account := self._accounts.by_id.get(player)) is not None:
                account.rooms.discard(room.id)
        for player in list(views.away):
            self.absences.forget(views, player)
        self.lobby.room_changed(room.id)
        self._take_off(room)
        self._accounts.forget_commands(room.log)

    def adopt_closed(self, log: list[Entry], now: int) -> None:
        """Adds a room that has closed, because its commands may be repeated."""
        room = fold(log)
        self._accounts.know_commands(log)
        self.closed.add(room, now)

    def add_viewer(
        self, views: Views, session: Session, seats: Iterable[int], events: Iterable[str] = ()
    ) -> Viewer:
        """Adds a viewer for a session, or gives its viewer more seats and events."""
        viewer = views.viewers.setdefault(session.id, Viewer(session, views.room.head))
        viewer.seats.update(seats)
        viewer.events.update(events)
        session.rooms.add(views.room.id)
        session.account.rooms.add(views.room.id)
        return viewer

    def start_if_full(self, views: Views, now: int, tell: Tell, effects: Effects) -> None:
        """Starts the game, or its preparation, once all seats are taken. A game from one address is not
        rated.
        """
        was_rated = views.room.rated
        flagged = self._accounts.from_one_address(views.room.seats)
        views.room.start_if_full(now, tell, flagged=flagged, countdown_ms=self._limits.countdown_ms)
        if was_rated and not views.room.rated:
            views.tell_players(notice("sameAddress", room=views.room.id), effects)

    def end_countdown(self, id: str, now: int, effects: Effects) -> None:
        """Starts the race."""
        views = self.open[id]
        flagged = self._accounts.from_one_address(views.room.seats)
        views.room.end_countdown(now, self.listener(views, effects), flagged=flagged)

    def listener(self, views: Views, effects: Effects) -> Tell:
        """A listener for entries that the server writes without a command."""
        return partial(self.written, views, None, effects)

    def listener_for(self, command: Command[ClientMessage], views: Views) -> Tell:
        """A listener for the entries of a command. The command's author gets the entry as the answer."""
        return partial(self.written, views, command.session, command.effects)

    def written(self, views: Views, author: Session | None, effects: Effects, entry: Entry) -> None:
        """Passes an entry to the journal and to all viewers, and carries out its consequences."""
        room = views.room
        _, seq, kind, _, cause, seat, _, _ = entry
        self.entries += 1
        effects.entries.append(entry)
        if kind == "joined" and author is not None:
            self.add_viewer(views, author, () if seat is None else (seat,))
        elif kind in RESEATS:
            views.reseat(entry)
        id = None
        if cause is not None:
            player, id, _ = cause
            self._accounts.by_id[player].logged[id] = entry
        for viewer in views.viewers.values():
            peer = viewer.session.peer
            if peer is not None:
                re = id if viewer.session is author else None
                for message in views.messages_for(entry, viewer, re):
                    effects.messages.append((peer, message))
        if seq == room.turn_seq and room.clock is not None:
            self.alarms.set_clock(room)
        if kind != "turn" or room.state is not PLAYING:
            self._follow(views, entry, effects)

    def _follow(self, views: Views, entry: Entry, effects: Effects) -> None:
        """Carries out the consequences of an entry, except for turns after which the game goes on."""
        room = views.room
        if entry.kind == "preparing":
            if room.must_be_prepared:
                self._wait_for_search(room)
                self.next_searches(effects)
            self.alarms.set_at("start", room.id, room.starts)
        elif entry.kind in ("left", "freed", "optionsSet") and room.state is WAITING:
            self.searches.forget(room.id)
            self.alarms.set_at("start", room.id, None)
        if entry.kind == "started" and room.clock is not None:
            self.alarms.set_pack(room, entry.at)
        if entry.kind in ("freed", "preparing", "started"):
            self.absences.look_again(views, entry.at, effects)
        if entry.kind == "left":
            self.absences.forget(views, entry.body["player"]["id"])
            self._remove_viewers(views, entry.body["player"]["id"], effects)
        elif entry.kind == "closed":
            self._take_off(room)
            self.closed.add(room, entry.at)
            effects.undo += (partial(self._open_again, views),)
        if room.state is FINISHED and entry.seq == room.turn_seq:
            if (moved := self.ratings.game_over(room, effects)) is not None:
                views.rated = {"type": "rated", "room": room.id, "ratings": moved}
                views.tell("members", views.rated, effects)
            self.alarms.set_idle(room)
            self.absences.look_again(views, entry.at, effects)
        elif room.state is FINISHED:
            self.rematch_if_agreed(views, entry.at, effects)
        if entry.kind in _SHOWN_IN_LOBBY or room.state is FINISHED:
            self.lobby.room_changed(room.id, room.seats)

    def _note(self, effects: Effects, entry: Entry) -> None:
        self.entries += 1
        effects.entries.append(entry)

    def saved(self, entry: Entry, now: int) -> None:
        """Starts the clocks that waited for this entry to be saved."""
        views = self.open.get(entry.room)
        if views is not None and (clock := views.room.clock) is not None:
            views.room.clock = clock.durable(entry.seq, now)
            self.alarms.set_clock(views.room)

    def saw(self, session: Session, entry: Entry) -> tuple[Views, Viewer]:
        """The room of `entry`, open or closed, as this session sees it; without seats and events if it has no
        viewer.
        """
        views = self.open.get(entry.room) or Views(self.closed.room(entry.room))
        return views, views.viewers.get(session.id) or Viewer(session, entry.seq)

    def is_new_to(self, session: Session, entry: Entry) -> bool:
        """Whether the room of `entry` is open and `session` neither has a viewer in it nor left it."""
        views = self.open.get(entry.room)
        return views is not None and session.id not in views.viewers and entry.room not in session.left

    def seen_by(self, session: Session) -> list[Views]:
        return [self.open[room] for room in sorted(session.rooms)]

    def rematch_if_agreed(self, views: Views, now: int, effects: Effects) -> None:
        """Once all players agreed, begins the rematch, or declines it if a player may open no more rooms."""
        old = views.room
        if old.state is not FINISHED or not agreed_to_rematch(old):
            return
        if not self._is_room_for_all(old):
            old.call_off_rematch(now, self.listener(views, effects))
            return
        terms = (old.game, old.options, len(old.seats), old.private, old.lets_watch, old.clock_terms)
        plan = Plan(*terms, self._ids.seed(), old.rated, won_after(old))
        self._play_again(views, plan, now, effects)

    def _is_room_for_all(self, old: Room) -> bool:
        """Whether every player of the rematch may be in one more room."""
        try:
            for player in set(old.members).intersection(old.seats):
                self.check_may_open(self._accounts.by_id[player], on_days=old.is_correspondence)
        except Refusal:
            return False
        return True

    def _play_again(self, views: Views, plan: Plan, now: int, effects: Effects) -> None:
        """Opens a rematch: a new room with the same players and subscriptions, seats rotated by one."""
        old = views.room
        fresh = self.create(plan, now, effects)
        old.rematched(fresh.room.id, now, self.listener(views, effects))
        comers: list[tuple[Message | None, int | None]] = [
            (old.seated[seat - 1], seat) for seat in range(plan.seats)
        ]
        comers += [(shown, None) for player, shown in old.members.items() if player not in old.seats]
        for shown, seat in comers:
            assert shown is not None
            fresh.room.join(None, shown, seat, now, partial(self._note, effects))
            self._accounts.by_id[shown["id"]].rooms.add(fresh.room.id)

        def begin(first: Entry) -> None:
            """Moves the viewers to the new room, and then sends the first entry of its game."""
            self._move_viewers(views, fresh, effects)
            self.written(fresh, None, effects, first)

        self.start_if_full(fresh, now, begin, effects)

    def _move_viewers(self, old: Views, fresh: Views, effects: Effects) -> None:
        before_start = fresh.room.head - 1
        for viewer in old.viewers.values():
            session = viewer.session
            seats = {(seat + 1) % len(old.room.seats) for seat in viewer.seats}
            moved = self.add_viewer(fresh, session, seats, viewer.events)
            moved.legal_moves = viewer.legal_moves
            effects.send(session.peer, fresh.joined(moved, before_start, min(seats, default=None), None))

    def _may_know(self, account: Account, id: str) -> bool:
        if (views := self.open.get(id)) is not None:
            return not views.room.private or account.id in views.room.members
        return id in self.packed and (id in account.rooms or not self.packed.outline(id).private)

    def _remove_viewers(self, views: Views, player: str, effects: Effects) -> None:
        for viewer in [viewer for viewer in views.viewers.values() if viewer.player == player]:
            del views.viewers[viewer.session.id]
            viewer.session.leave(views.room.id)
            effects.undo += (partial(self._see_again, views, viewer),)
        self._accounts.left_room(player, views.room.id)
        self.lobby.player_changed(player)

    @staticmethod
    def _see_again(views: Views, viewer: Viewer, now: int) -> None:
        views.viewers[viewer.session.id] = viewer
        viewer.session.rooms.add(views.room.id)

    def _open_again(self, views: Views, now: int) -> None:
        self.closed.forget(views.room.id)
        self.open[views.room.id] = views
        self.entries += len(views.room.log)

    def reload(self, lost: list[Entry], now: int, effects: Effects) -> None:
        """Restores a room from its log before the lost entries, with the viewers that it had then."""
        old = self.open[lost[0].room]
        viewers = list(old.viewers.values())
        self.unload(old)
        if lost[0].seq == 0:
            self.lobby.room_never_was(old.room.id)
            return
        views = self.load(before(old.room, lost[0].seq))
        room, views.was_away = views.room, old.was_away
        if room.clock is not None:
            room.give_time_back(lost[0], now)
            self.alarms.set_clock(room)
        for viewer in viewers:
            if viewer.since <= room.head and viewer.session.id in self._accounts.sessions:
                viewer.seats &= set(room.seats_of(viewer.player))
                self._see_again(views, viewer, now)
        for seat, player in enumerate(room.seats):
            if views.holder(seat) is None:
                held_by = next((each for each in views.viewers.values() if each.player == player), None)
                if held_by is not None:
                    held_by.seats.add(seat)
        self.absences.look_again(views, now, effects)
        for entry in lost:
            if entry.kind == "left":
                self.absences.left_in_vain(entry)
        self.lobby.tell_again("rooms", room.id)

    def _take_off(self, room: Room) -> None:
        if self.open.pop(room.id, None) is not None:
            self.entries -= len(room.log)
        self._by_code.pop(room.code or "", None)
        self.searches.forget(room.id)
        self.alarms.cancel(room.id)

    def _room_line(self, id: str) -> Message | None:
        """The lobby's line of a room, with ratings; None for a private room."""
        if (views := self.open.get(id)) is not None:
            outline = Outline.of(views.room)
        elif id in self.packed:
            outline = self.packed.outline(id)
        else:
            return None
        if outline.private:
            return None
        line, pace = outline.told(), speed(outline.clock)
        ratings = self.ratings.told_of(outline.seated, outline.game, pace)
        return {**line, "ratings": ratings} if any(ratings) else line

    def _player_line(self, id: str) -> Message | None:
        account = self._accounts.by_id.get(id)
        if account is None or not self._accounts.open_sessions(account):
            return None
        line: Message = {**account.shown(), "games": self.bounds.games_of(account)}
        if account.card is not None:
            line["card"] = account.card.model_dump(by_alias=True)
        return line

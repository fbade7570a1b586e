"""The contents of the disk, folded as they are written: the truth with which all observations are compared.

Law: each entry is in its log once, right after the entry before, and does what its command asked for. A
seat's clock runs from when its turn is saved until its next turn, and no longer. A common clock runs until
the end of the game. Before its first move a seat is not charged at all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tablero_protocol.messages import NextPlayer
from tablero_protocol.phrases import PHRASES
from tablero_server.core.effects import Effects
from tablero_server.core.entry import Entry
from tablero_server.core.limits.limits import Limits
from tablero_server.core.room.clock import (
    COME_BACK_MS,
    DAY_MS,
    LAG_MS,
    LAG_OF_A_GAME_MS,
    each_move,
    first_time,
)
from tablero_server.core.room.room import Room
from trials.simulation.book import TURNS, Book
from trials.simulation.mutes import Mutes
from trials.simulation.rated import Rated
from trials.simulation.world import Broken, World, check

Wire = dict[str, Any]
SAME = (
    "play",
    "seats",
    "seated",
    "state",
    "members",
    "next",
    "offers",
    "options_json",
    "prepared",
    "unprepared",
)
"""The attributes of a live room that must equal those of its folded log."""
FIRST_MOVE_MS = 4_000
"""The time of each side for its first move."""


AGREED = {"tookBack": "takeback", "drawn": "draw", "paused": "pause", "continued": "continue"}
"""Entries that need the consent of all players, with the names of their offers."""


def days_left(had: int, passed: int) -> int:
    """The time left of the days for a move, after that long without a server."""
    return max(min(had, COME_BACK_MS), had - max(0, passed))


class Ledger:
    def __init__(
        self,
        world: World,
        limits: Limits,
        virtual: Callable[[int], float],
        server_time: Callable[[], int],
        gone_for: Callable[[str, int], int],
        gone_since: Callable[[str, int, int], int],
    ) -> None:
        self._world = world
        self._limits = limits
        self._gone_for = gone_for
        self._gone_since = gone_since
        self.books: dict[str, Book] = {}
        self.asked: dict[tuple[str, str], Wire] = {}
        """Every command that a player sent, by player and id."""
        self.caused: dict[tuple[str, str], Entry] = {}
        """The entry that each command caused, by player and id."""
        self.mutes = Mutes(world)
        self.rated = Rated(world)
        self._virtual = virtual
        self._server_time = server_time

    def server_began(self, now: int) -> None:
        self.mutes.server_began()
        for book in self.books.values():
            book.server_began(now, self._limits.grace_ms)

    # Written entries

    def written(self, effects: Effects) -> None:
        for entry in effects.entries:
            book = self.books.setdefault(entry.room, Book(entry.room))
            check(entry.seq == len(book.log), "an entry follows the one before it", entry)
            if entry.cause is not None:
                self._check_cause(book, entry)
            at = self._virtual(entry.at)
            if entry.clocks is not None and book.room.clock is not None:
                self._check_clocks(book, entry)
            self._check_offer(book, entry)
            self._check_consent(book, entry)
            self._check_said(entry)
            self._check_absence(book, entry)
            if entry.kind in ("paused", "continued"):
                self._world.sometimes(
                    "a game " + ("paused" if entry.kind == "paused" else "went on after a pause")
                )
            book.add(entry, at)
        self.rated.written(effects, self.books)
        self.mutes.written(effects)

    def saved(self, effects: Effects) -> None:
        """Notes that the server knows these effects to be saved."""
        for entry in effects.entries:
            self.books[entry.room].saved(entry, self._server_time())

    def lost(self, effects: Effects) -> None:
        for entry in effects.entries:
            if (book := self.books.get(entry.room)) is not None:
                book.lost_some = True

    def _check_cause(self, book: Book, entry: Entry) -> None:
        assert entry.cause is not None
        key = (entry.cause.player, entry.cause.id)
        check(key not in self.caused, "a command is carried out once", entry, self.caused.get(key))
        self.caused[key] = entry
        wire = self.asked[key]
        if entry.kind == "turn":
            assert entry.seat is not None
            play = book.room.play
            assert play is not None
            own = sum(each.kind == "turn" and each.seat == entry.seat for each in book.log)
            check(
                play.counts == "none" or wire["ply"] == (own if play.counts == "own" else book.plies[-1]),
                "a turn is played at the ply it was meant for",
                wire,
            )
            check(not book.paused, "nobody moves during a pause", entry)
            check(wire["room"] == entry.room and wire["seat"] == entry.seat, "a turn is its author's", wire)
            sits = book.room.seats[entry.seat]
            check(sits == entry.cause.player, "a seat is played by its player", wire)

    def _check_offer(self, book: Book, entry: Entry) -> None:
        """Checks that an offer is answered and carried out only in the position in which it was made."""
        made = None
        if entry.kind == "answered":
            made = book.offered.get(entry.body["offer"])
        elif entry.kind == "tookBack" or (entry.kind == "drawn" and "reason" not in entry.body):
            made = book.log[-1].seq if book.log[-1].kind == "offered" else max(book.offered.values())
            self._world.sometimes(
                "a move was taken back" if entry.kind == "tookBack" else "a draw was agreed"
            )
        newest = max((each.seq for each in book.log if each.kind in TURNS), default=-1)
        check(made is None or made > newest, "an offer never survives its position", entry, made, newest)

    def _check_consent(self, book: Book, entry: Entry) -> None:
        """Checks that all players agreed to an entry, in the present position."""
        what = AGREED.get(entry.kind) if "reason" not in entry.body else None
        if what is None or (entry.kind == "continued" and entry.at >= book.paused_until):
            return
        asked, given = book.room.playing(), book.said_yes.values()
        agreed = any(offered == what and asked <= players for offered, players in given)
        check(agreed, "what is agreed to has everybody's yes", entry, asked, given)

    def _check_said(self, entry: Entry) -> None:
        """Checks that the host allows this chat message."""
        if entry.kind == "said":
            phrase = entry.body.get("phrase")
            meant = PHRASES[phrase] if phrase is not None else None
            free = self._limits.talk == "on" and phrase is None
            kept = free or (self._limits.talk != "off" and entry.body["text"] == meant)
            check(kept, "nobody says what the host does not let them say", self._limits.talk, entry)
            if meant is not None:
                self._world.sometimes("a phrase was said")

    def _check_flag(self, book: Book, entry: Entry) -> None:
        """Checks that a player who lost on time was to move, and had used all the time."""
        assert entry.clocks is not None
        assert entry.seat is not None
        ran = entry.seat in book.runs_from and (book.lost_some or book.runs_from[entry.seat] is not None)
        check(ran, "no flag falls while no time runs", entry, book.runs_from)
        check(entry.clocks[entry.seat] == 0, "no flag falls before its time", entry)
        self._world.sometimes("a flag fell")

    def _check_absence(self, book: Book, entry: Entry) -> None:
        """Checks that no player loses while still allowed to return, or in a turn game without a claim."""
        room, reason = book.room, entry.body.get("reason")
        out: set[str | None] = set()
        if entry.kind == "withdrew" and reason in ("claimed", "gone"):
            check(reason == "claimed" or not room.takes_turns, "nothing is decided behind a back", entry)
            out = {room.seats[entry.seat or 0]}
        elif entry.kind == "drawn" and reason == "claimed":
            assert entry.cause is not None
            out = {room.seats[seat] for seat in room.rivals(entry.cause.player)}
        elif entry.kind == "aborted" and reason == "away":
            out = set(room.playing())
        if not out:
            return
        check(not room.is_correspondence, "nobody is away from a game of days", entry)
        self._world.sometimes(f"{entry.kind} for being away: {reason}")
        limit = self._limits.absence(room.clock_terms)
        begun = next(each.at for each in reversed(book.log) if each.kind == "started")
        for player in out:
            gone = min(self._gone_for(player or "", entry.at), entry.at - begun)
            in_all = self._gone_since(player or "", begun, entry.at)
            waited = gone >= limit // 4 and in_all >= limit
            check(waited, "players who may come back are waited for", entry, player, gone, in_all, limit)

    def _check_clocks(self, book: Book, entry: Entry) -> None:
        assert entry.clocks is not None
        assert book.room.clock is not None
        before, each = book.log[-1], each_move(book.room.clock_terms or {})
        if entry.kind == "withdrew" and entry.body["reason"] == "time":
            self._check_flag(book, entry)
        if entry.kind == "aborted" and entry.body["reason"] == "noFirstMove":
            self._check_first_move(book, entry)
        for seat, (had, has) in enumerate(zip(before.clocks or (), entry.clocks, strict=False)):
            gained = book.room.clock.increment if entry.kind == "turn" and entry.seat == seat else 0
            lag = entry.body.get("lag", 0) if entry.kind == "turn" and entry.seat == seat else 0
            if entry.kind == "addedTime" and book.room.seats[seat] != book.room.seats[entry.seat or 0]:
                gained = int(entry.body["ms"])
            charged = had + gained + lag - has
            if book.makes_first_move(seat):
                more = book.room.seats[seat] != book.room.seats[entry.seat or 0]
                had += int(entry.body["ms"]) if entry.kind == "addedTime" and more else 0
                check(has == had and not lag, "no clock runs before a first move", seat, entry, before)
                continue
            start = book.runs_from.get(seat)
            if entry.kind == "revived" and book.room.is_correspondence:
                self._check_days(book, seat, had, has, entry)
                continue
            if entry.kind == "revived" or start is None:
                due = 0
            elif book.packed_at is not None:
                had_then = days_left(had, book.packed_at - before.at)
                due = had - max(0, had_then - max(0, entry.at - start))
            else:
                due = min(had, max(0, entry.at - max(before.at, start)))
            if each is not None and entry.kind == "turn" and entry.seat == seat:
                check(has == each, "each move has its time", seat, has, entry, before)
                continue
            # An entry that could not be saved has stopped the clock for a while.
            beyond = min(lag, max(0, entry.at - max(before.at, start or 0) - had))
            right = 0 <= charged <= due + beyond if book.lost_some else due <= charged <= due + beyond
            check(right, "clock time is conserved", seat, charged, due, entry, before)
            given = book.given[seat] = book.given[seat] + lag
            spent = LAG_MS if start is None or book.lost_some else max(0, entry.at - start)
            most = min(spent, LAG_MS)
            of_game = min(LAG_OF_A_GAME_MS, first_time(book.room.clock_terms or {"base": 0}) // 20)
            check(lag <= most and given <= of_game, "no more is given back", entry)
            if lag:
                self._world.sometimes("a slow line was given time back")
            if due:
                self._world.sometimes("a clock was charged")

    def _check_days(self, book: Book, seat: int, had: int, has: int, entry: Entry) -> None:
        """Checks that a clock of days also runs without a server, with time left for the player to return."""
        passed = max(0, entry.at - book.log[-1].at) if seat in book.runs_from else 0
        right = has == days_left(had, passed)
        check(right, "days pass without a server, and leave time to come back", seat, entry, book.log[-1])
        if has < had:
            self._world.sometimes("days passed without a server")

    def _check_first_move(self, book: Book, entry: Entry) -> None:
        """Checks that a player had the whole time for a first move, and did not move."""
        days = (book.room.clock_terms or {}).get("days", 0) * DAY_MS
        late = [
            seat
            for seat, start in book.runs_from.items()
            if book.makes_first_move(seat)
            and start is not None
            and book.first_spent[seat] + entry.at - start >= (days or FIRST_MOVE_MS)
        ]
        check(bool(late), "a first move has its time", entry)
        self._world.sometimes("a first move was not made")

    # Shown messages

    def book(self, room: str) -> Book:
        if room not in self.books:
            raise Broken(f"what is shown is durable: room {room} is not")
        return self.books[room]

    def entry(self, room: str, seq: int) -> Entry:
        book = self.book(room)
        check(0 <= seq <= book.head, "what is shown is durable", room, seq, book.head)
        return book.log[seq]

    def check_turn(self, turn: NextPlayer, player: str) -> None:
        """Checks that a turn shows exactly what its seat may know after that entry."""
        entry, book = self.entry(turn.room, turn.seq), self.books[turn.room]
        check(entry.kind in TURNS, "nextPlayer tells of a change of the position", turn, entry)
        if turn.seat is not None:
            check(book.seats[turn.seq][turn.seat] == player, "whose view it is sits there", turn, player)
        play = book.plays[turn.seq]
        assert play is not None
        position = play.position
        check(turn.view == book.view(turn.seq, turn.seat), "a view is what its seat may know", turn)
        check(turn.seats == sorted(position.to_move), "seats are those to move", turn)
        outcome = position.outcome
        check(turn.outcome == (outcome and outcome.to_json()), "the outcome is that of the game", turn)
        check(turn.opening is None or outcome is not None, "nothing is opened before the end", turn)
        ply = (
            play.plies[turn.seat] if play.counts == "own" and turn.seat is not None else book.plies[turn.seq]
        )
        check(turn.ply == ply, "ply counts the turns", turn)

    # Repeated commands

    def check_repeat(self, player: str, id: str, answers: list[Wire], began: float, memory_ms: int) -> None:
        """Checks that a repeat of a logged command gets the first answer; `began` is the time of the server's
        start.
        """
        entry = self.caused.get((player, id))
        if entry is None or any(answer.get("code") == "rateLimited" for answer in answers):
            return
        book = self.books[entry.room]
        if book.closed:
            self._world.sometimes("a command came again after its room had closed")
            if book.written[-1] < began:
                self._world.sometimes("a command came again after its room had closed in another life")
            if self._may_be_forgotten(book, began, memory_ms):
                return
        told = [(answer["type"] != "refused", answer.get("room"), answer.get("seq")) for answer in answers]
        first = (True, entry.room, entry.seq)
        check(told == [first], "a repeat gets the first answer again", entry, answers)

    def _may_be_forgotten(self, book: Book, began: float, memory_ms: int) -> bool:
        """Whether the room closed so long ago that a server may have forgotten it."""
        newest = max(other.log[-1].at for other in self.books.values() if other.closed)
        here = (self._virtual(self._server_time()) - max(book.written[-1], began)) * 1000
        return here >= memory_ms - 2 or newest - book.log[-1].at >= memory_ms

    # Live rooms

    def check_live(self, room: Room) -> None:
        """Checks that a room whose entries are all saved equals its folded log."""
        book = self.books.get(room.id)
        if book is None or book.head != room.head:
            return
        check(room.log == book.log, "a room is its log", room.id)
        for each in SAME:
            check(
                getattr(room, each) == getattr(book.room, each),
                "a room is the fold of its log",
                room.id,
                each,
            )

    def open_books(self) -> list[Book]:
        return [book for book in self.books.values() if not book.closed]

"""The book of a room: its saved log, with the room after each entry.

Law: only saved entries are added, so the book is independent of the live room in the server.
"""

from __future__ import annotations

from collections import Counter

from tablero_games import Play
from tablero_protocol.codec import CODECS
from tablero_protocol.scan import FROM_SERVER
from tablero_server.core.entry import Entry
from tablero_server.core.room.room import Room
from tablero_server.core.room.state import PLAYING
from tablero_server.core.seats.views import EVENT_OF
from trials.simulation.world import check

TURNS = {kind for kind, event in EVENT_OF.items() if event == "nextPlayer"}
"""The kinds of entries after which all viewers get the position again."""
_MSGPACK = CODECS["tablero.v1.msgpack"]


class Book:
    """The saved log of a room, and the room after each entry."""

    def __init__(self, id: str) -> None:
        self.room = Room(id)
        self.plays: list[Play | None] = []
        self.seats: list[tuple[str | None, ...]] = []
        self.turn_seq: list[int] = []
        """The number of the newest entry that led to the position."""
        self.written: list[float] = []
        """The time at which the server wrote each entry, in simulated seconds."""
        self.runs_from: dict[int, int | None] = {}
        """The server time from which the clock of each seat to move runs; None until the entry is saved."""
        self.begun_by: dict[int, int] = {}
        """The entry after which each of these seats was to move."""
        self._grace_until = 0
        self.packed_at: int | None = None
        """The time of the server's last start, if the server has written nothing here since then."""
        self.paused = False
        self.paused_until = 0
        self.said_yes: dict[str, tuple[str, set[str]]] = {}
        """The open offers in the present position: what is offered, and the players who have agreed, by
        offer.
        """
        self.given: Counter[int] = Counter()
        """The time given back to each seat for a slow line."""
        self.first_spent: Counter[int] = Counter()
        """The time that seats used for their first move before a pause, since the last takeback."""
        self.moved: set[int] = set()
        """The seats that have made their first moves."""
        self.lost_some = False
        """Whether an entry that was to come next could not be saved."""
        self._views: dict[tuple[int, int | None], object] = {}
        self.plies: list[int] = []
        """The number of turns and takebacks up to each entry."""
        self.offered: dict[str, int] = {}
        """The entry of each offer that ended with its position."""
        self._moves: list[tuple[int, str]] = []

    @property
    def log(self) -> list[Entry]:
        return self.room.log

    @property
    def head(self) -> int:
        return len(self.plays) - 1

    @property
    def closed(self) -> bool:
        return self.room.log[-1].kind == "closed"

    def add(self, entry: Entry, at: float) -> None:
        room = self.room
        room.apply(entry)
        self.seats.append(tuple(room.seats))
        self.plays.append(room.play)
        self.plies.append((self.plies or [0])[-1] + (entry.kind in ("turn", "tookBack")))
        self._note_move(entry)
        if entry.kind == "offered" and entry.body["what"] != "rematch":
            self.offered[entry.body["offer"]] = entry.seq
        self.turn_seq.append(room.turn_seq)
        self.written.append(at)
        self.lost_some = False
        self.packed_at = None
        if entry.kind == "turn":
            assert entry.seat is not None
            self.moved.add(entry.seat)
        if entry.kind == "revived":
            self._grace_until = entry.at + int(entry.body["grace"])
        if entry.kind in ("paused", "continued"):
            self.paused = entry.kind == "paused"
            self.paused_until = entry.body.get("until", 0)
        self._note_yes(entry)
        if entry.kind in TURNS and room.play is not None:
            going_on = self.runs_from if entry.kind != "revived" else {}
            author = entry.seat if entry.kind == "turn" and room.play.counts == "all" else None
            to_move = set() if self.paused else room.play.position.to_move
            for seat, start in going_on.items():
                if seat != author and seat not in to_move and start is not None:
                    self.first_spent[seat] += max(0, entry.at - start)
            if entry.kind == "tookBack":
                self.first_spent.clear()
            self.runs_from = {
                seat: going_on.get(seat) if seat != author else None for seat in sorted(to_move)
            }
            going_on_by = {seat: self.begun_by[seat] for seat in going_on if seat != author}
            self.begun_by = {seat: going_on_by.get(seat, entry.seq) for seat in self.runs_from}

    def server_began(self, now: int, grace: int) -> None:
        """Notes a start of the server. A packed game continues after the grace like a revived one, but
        without an entry.
        """
        if self.room.state is PLAYING and self.room.is_correspondence:
            since = 0 if self.room.clock is None else self.room.clock.since
            self.packed_at, self._grace_until = now, max(now + grace, since)
            self.runs_from = dict.fromkeys(self.runs_from, self._grace_until)

    def makes_first_move(self, seat: int) -> bool:
        """Whether the seat's first move is still to come, in a game with time for first moves."""
        play = self.room.play
        return play is not None and play.counts == "all" and seat not in self.moved

    def _note_yes(self, entry: Entry) -> None:
        if entry.kind in TURNS:
            self.said_yes.clear()
        elif entry.kind in ("offered", "answered"):
            offer, sits = entry.body["offer"], self.room.seats[entry.seat or 0] or ""
            if entry.kind == "offered":
                self.said_yes[offer] = entry.body["what"], {sits}
            elif entry.body["yes"]:
                self.said_yes[offer][1].add(sits)
            else:
                self.said_yes.pop(offer)

    def _note_move(self, entry: Entry) -> None:
        """Notes which moves count after this entry: a takeback removes some."""
        if entry.kind == "turn":
            self._moves.append((entry.seat or 0, entry.body["move"]))
        elif entry.kind == "tookBack":
            own = [at for at, (seat, _) in enumerate(self._moves) if seat == entry.seat]
            last = own[-1] if own else len(self._moves)
            check(
                bool(own) and len(self._moves) - last == entry.body["plies"],
                "a takeback undoes so many moves",
                entry,
            )
            del self._moves[last:]
            room = self.room
            play = Play.begin(room.game, len(room.seats), room.seed, room.prepared, room.options_json)
            for seat, move in self._moves:
                play = play.turn(seat, move)
            assert room.play is not None
            shown, right = (each.position.view(None) for each in (room.play, play))
            check(shown == right, "after a takeback the game is as it was", entry, shown, right)

    def saved(self, entry: Entry, now: int) -> None:
        """Starts the clocks that waited until `entry` was saved, at `now`."""
        start = max(now, self._grace_until)
        for seat, begun in self.begun_by.items():
            if begun == entry.seq and self.runs_from[seat] is None:
                self.runs_from[seat] = start

    def view(self, seq: int, seat: int | None) -> object:
        """The view of `seat` after entry `seq`, as a client gets it."""
        key = (self.turn_seq[seq], seat)
        if key not in self._views:
            play = self.plays[seq]
            assert play is not None
            wire = _MSGPACK.pack({"view": play.position.view(seat)})
            self._views[key] = _MSGPACK.read(wire, FROM_SERVER)["view"]
        return self._views[key]

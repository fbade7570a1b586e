"""The habits of a simulated player: mostly sensible commands, sometimes not.

The player knows as much as a real client: its session's rooms, the turns in them, and the tables in the
lobby.
"""

from __future__ import annotations

from typing import Any

from tablero.client.room import Room
from tablero.client.room_progress import RoomProgress
from tablero.client.session_events import Received, SessionEnded, SessionEvent, Settled
from tablero_games import GAMES
from tablero_protocol.messages import (
    EVENTS,
    Away,
    Began,
    Invited,
    NextPlayer,
    Offered,
    OptionsSet,
    Refused,
    Unprepared,
)
from trials.simulation.book import Book
from trials.simulation.ledger import Ledger
from trials.simulation.person import Person, Wire
from trials.simulation.world import World

TABLES: list[Wire] = [
    {"game": "tic-tac-toe"},
    {"game": "tic-tac-toe", "rated": True, "clock": {"base": 30}},
    {"game": "tic-tac-toe", "clock": {"base": 5, "increment": 1}},
    {"game": "connect-four", "options": {"columns": 4, "rows": 4, "connect": 3}, "clock": {"base": 20}},
    {"game": "dots-and-boxes", "options": {"rows": 1, "columns": 2}, "clock": {"perMove": 4}},
    {"game": "quoridor", "options": {"size": 3, "walls": 1}},
    {"game": "minesweeper", "options": {"width": 4, "height": 4, "mines": 3}},
    {"game": "minesweeper", "seats": 3, "options": {"width": 4, "height": 4, "mines": 3, "mode": "race"}},
    {"game": "minesweeper", "seats": 2, "options": {"width": 5, "height": 4, "mines": 3, "mode": "race"},
     "clock": {"base": 30, "increment": 0}},
    {"game": "minesweeper", "seats": 2, "options": {"width": 4, "height": 4, "mines": 3, "mode": "coop"}},
    {"game": "minesweeper", "options": {"width": 4, "height": 4, "mines": 3, "noGuess": True}},
    {"game": "tic-tac-toe", "clock": {"days": 1}},
    {"game": "connect-four", "options": {"columns": 4, "rows": 4, "connect": 3}, "clock": {"days": 2}},
    {"game": "minesweeper", "seats": 2, "clock": {"base": 30, "increment": 0},
     "options": {"width": 5, "height": 4, "mines": 3, "mode": "race", "noGuess": True}},
]  # fmt: skip
WEIGHTS = {
    "play": 30, "play_again_late": 2, "play_nonsense": 1, "say": 3, "offer": 5, "answer": 4, "resign": 1,
    "leave": 1, "create": 2, "join": 5, "take_seat": 1, "invite": 1, "subscribe": 2, "unsubscribe": 1,
    "watch_lobby": 1, "watch_best": 1, "set_options": 2, "settle": 2, "claim": 1, "add_time": 1,
    "seek": 2, "cancel_seek": 0.5, "look_up": 0.5, "mute": 1, "nothing": 2,
}  # fmt: skip


class Habits:
    def __init__(self, world: World, ledger: Ledger, person: Person, pace: float) -> None:
        self.person = person
        self._world = world
        self._ledger = ledger
        self._random = world.random(f"habits {person.name}")
        self._pace = pace
        self._asked: dict[tuple[str, int | None], int] = {}
        """The ply at which each seat last played, so that the player does not play twice while waiting."""
        self._offers: dict[str, Offered] = {}
        self._invited: list[Invited] = []
        self._paused: set[str] = set()
        person.hears = self._hear
        person.client.room_opened.subscribe(self._opened)

    def start(self) -> None:
        self._world.later(self._random.expovariate(1 / self._pace), self._next)

    def _next(self) -> None:
        if self._world.calm or not self.person.alive:
            return
        what = self._random.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        if len(self.person.given) - len(self.person.settled) < 6:
            getattr(self, what)()
        self.start()

    def _opened(self, room: Room) -> None:
        if room.previous is not None:
            self._world.sometimes("a rematch began")
        for name in EVENTS:
            if name == "nextPlayer" or self._random.random() < 0.7:
                self.person.subscribe(room.id, name)

    def _hear(self, event: SessionEvent) -> None:
        person = self.person
        match event:
            case Received(Unprepared()):
                self._world.sometimes("a game could not be prepared")
            case Received(Began()):
                self._world.sometimes("a game began with those present")
            case Received(OptionsSet()):
                self._world.sometimes("a table had other options")
            case Received(NextPlayer() as turn):
                self._hear_turn(turn)
            case Received(Offered() as offered):
                self._offers[offered.room] = offered
                if not self._world.calm and self._random.random() < 0.8:
                    self.answer(offered.room)
            case Received(Away(claim=True) as away) if not self._world.calm and self._random.random() < 0.9:
                self.claim(away.room)
            case Received(Invited() as invited):
                self._invited.append(invited)
                if not self._world.calm and self._random.random() < 0.8:
                    self._answer_invitation(invited)
            case Settled(id, Refused(code="forbidden")) if (
                "seat" in person.given[id] and not self._world.calm
            ):
                wire = person.given[id]
                if wire["type"] == "playTurn" and wire["room"] in person.rooms:
                    person.command("takeSeat", room=wire["room"], seat=wire["seat"])
            case Settled(id, Refused()):
                self._asked.clear()
            case SessionEnded(code):
                self._world.sometimes(f"a client ended: {code}")
            case _:
                pass

    def _hear_turn(self, turn: NextPlayer) -> None:
        if turn.outcome is not None:
            self._world.sometimes("a game ended")
        if turn.paused is None:
            self._paused.discard(turn.room)
        elif turn.room not in self._paused:
            self._paused.add(turn.room)
            self._world.later(self._random.expovariate(1 / 3), self._want_to_go_on, turn.room)
        if not self._world.calm and self._random.random() < 0.3:
            self._world.later(self._random.expovariate(2), self._play_soon)

    def _want_to_go_on(self, room: str) -> None:
        progress = self.person.rooms.get(room)
        if not self._world.calm and self.person.alive and progress and progress.seats:
            self.person.command("offer", room=room, seat=progress.seats[0], what="continue")

    def _play_soon(self) -> None:
        if (
            not self._world.calm
            and self.person.alive
            and len(self.person.given) - len(self.person.settled) < 6
        ):
            self.play()

    # Choosing a room

    def _rooms(self, *states: str) -> list[RoomProgress]:
        return [room for room in self.person.rooms.values() if not states or room.table.state in states]

    def _room(self, *states: str) -> RoomProgress | None:
        rooms = self._rooms(*states)
        return self._random.choice(rooms) if rooms else None

    def _my_turns(self) -> list[tuple[RoomProgress, int, NextPlayer]]:
        """The seats of this player that are to move, by the last turns it got, without those
        already played.
        """
        turns = []
        for progress in self._rooms("playing"):
            for seat, turn in progress.latest.items():
                if seat is not None and seat in turn.seats and seat in progress.seats:
                    busy = self._asked.get((progress.room, seat), -1) >= turn.seq
                    if not busy:
                        turns.append((progress, seat, turn))
        return turns

    # Commands

    def play(self) -> None:
        if not (turns := self._my_turns()):
            return
        progress, seat, turn = self._random.choice(turns)
        moves = GAMES[progress.table.game].legal_moves(turn.view, seat)
        if moves:
            self._asked[progress.room, seat] = turn.seq
            move = self._random.choice(moves)
            self.person.command("playTurn", room=progress.room, seat=seat, ply=turn.ply, move=move)

    def play_again_late(self) -> None:
        """Plays the same turn again as another command. One of the two must be refused."""
        turns = [wire for wire in self.person.given.values() if wire["type"] == "playTurn"]
        if turns:
            late = self._random.choice(turns[-3:])
            progress = self.person.rooms.get(late["room"])
            if progress is not None and (turn := progress.latest.get(late["seat"])):
                moves = GAMES[progress.table.game].legal_moves(turn.view, late["seat"])
                move = self._random.choice([*moves, late["move"]])
                fields = {"room": late["room"], "seat": late["seat"], "ply": late["ply"]}
                self.person.command("playTurn", move=move, **fields)

    def play_nonsense(self) -> None:
        if progress := self._room():
            seat, ply = self._random.randrange(3), self._random.randrange(4)
            self.person.command("playTurn", room=progress.room, seat=seat, ply=ply, move="a1")

    def say(self) -> None:
        if progress := self._room():
            words: list[Wire] = [{"text": text} for text in ("hello", "gg", "\x1b[2J")]
            words += [{"phrase": phrase} for phrase in ("hello", "goodGame")]
            self.person.command("say", room=progress.room, **self._random.choice(words))

    def mute(self) -> None:
        """Mutes a player at the same table, or ends the mute."""
        if progress := self._room():
            people = [member.player.id for member in progress.table.members]
            others = [player for player in people if player != self.person.player]
            if others:
                what = self._random.choice(["chat", "all", "none"])
                self.person.command("mute", player=self._random.choice(others), what=what)

    def offer(self) -> None:
        if (progress := self._room("finished", "playing")) and progress.seats:
            playing = self._random.choice(["draw", "takeback", "takeback", "takeback", "pause", "continue"])
            what = "rematch" if progress.table.state == "finished" else playing
            self.person.command("offer", room=progress.room, seat=progress.seats[0], what=what)

    def add_time(self) -> None:
        if (progress := self._room("playing")) and progress.seats:
            self.person.command("addTime", room=progress.room, seat=progress.seats[0])

    def answer(self, room: str | None = None) -> None:
        known = [known for known in self._offers if known in self.person.rooms and room in (None, known)]
        if known:
            room = self._random.choice(known)
            offered, seats = self._offers.pop(room), self.person.rooms[room].seats
            mine = [seat for seat in seats if seat != offered.seat]
            if mine:
                yes = self._random.random() < 0.8
                self.person.command("answer", room=room, seat=mine[0], offer=offered.offer, yes=yes)

    def claim(self, room: str | None = None) -> None:
        """Claims a game when the server allows that, or too early."""
        progress = self._room("playing") if room is None else self.person.rooms.get(room)
        if progress and progress.seats:
            what = self._random.choice(["win", "win", "draw"])
            self.person.command("claim", room=progress.room, seat=progress.seats[0], what=what)

    def resign(self) -> None:
        if (progress := self._room("playing")) and progress.seats:
            self.person.command("resign", room=progress.room, seat=self._random.choice(progress.seats))

    def leave(self) -> None:
        if progress := self._room("finished") or self._room():
            self.person.command("leave", room=progress.room)

    def create(self) -> None:
        if len(self.person.rooms) < 3:
            seat, private = self._random.choice([0, 0, 1, None]), self._random.random() < 0.2
            table = self._random.choice(TABLES)
            self.person.command("createRoom", seat=seat, private=private, **table, **self._wish())

    def join(self) -> None:
        books = [book for book in self._ledger.open_books() if book.room.id not in self.person.rooms]
        waiting = [book for book in books if book.room.state.value == "waiting"]
        if not books and not self.person.rooms:
            self.create()
        elif books:
            book = self._random.choice(waiting or books)
            self.person.command("join", **self._where(book), **self._how(book), **self._wish())

    def _where(self, book: Book) -> dict[str, Any]:
        by_code = book.room.private or self._random.random() < 0.5
        return {"code": book.room.code} if by_code else {"room": book.room.id}

    def seek(self) -> None:
        """Seeks an opponent, mostly for a game that others seek, so that players meet."""
        if len(self.person.rooms) < 3:
            self.person.command("seek", **self._random.choice([{}, {}, *TABLES[:2]]))

    def look_up(self) -> None:
        """Asks for ratings and results, which are outside the core: the answer comes later, or after
        a crash.
        """
        asked: list[tuple[str, dict[str, Any]]] = [
            ("showRatings", {"game": "tic-tac-toe"}),
            ("showTimes", {}),
            ("showTonight", {}),
            ("showPlayer", {"player": self.person.player or "nobody"}),
        ]
        type, fields = self._random.choice(asked)
        self.person.command(type, **fields)

    def cancel_seek(self) -> None:
        if seeks := self.person.witness.seeks:
            self.person.command("cancelSeek", seek=self._random.choice(sorted(seeks)))

    def settle(self) -> None:
        """Changes the seats of a waiting table, or starts without the missing players."""
        mine = [
            room for room in self._rooms("waiting", "preparing") if room.table.owner == self.person.player
        ]
        if mine:
            progress = self._random.choice(mine)
            seats = range(len(progress.table.seats))
            what: dict[str, dict[str, Any]] = {
                "freeSeat": {"seat": self._random.choice(seats)},
                "swapSeats": {"seats": self._random.choices(seats, k=2)},
                "begin": {},
            }
            command = self._random.choice(list(what))
            self.person.command(command, room=progress.room, **what[command])

    def _how(self, book: Book) -> dict[str, Any]:
        if self._random.random() < 0.2:
            return {"seat": self._random.randrange(len(book.room.seats))}
        return {"watch": True} if self._random.random() < 0.1 else {}

    def _wish(self) -> dict[str, Any]:
        """The events to subscribe to at the start."""
        events = [event for event in EVENTS if self._random.random() < 0.5]
        return {"subscribe": events} if events else {}

    def set_options(self) -> None:
        """Sets the options of a table before its game; a failed preparation then starts again."""
        if progress := self._room("preparing", "waiting"):
            options: dict[str, Any] = dict(progress.table.options)
            if progress.table.game == "minesweeper":
                options = {
                    **options,
                    "mines": self._random.choice([2, 3]),
                    "noGuess": self._random.random() < 0.8,
                }
            self.person.command("setOptions", room=progress.room, options=options)

    def take_seat(self) -> None:
        if (progress := self._room()) and progress.seats:
            self.person.command("takeSeat", room=progress.room, seat=progress.seats[0])

    def invite(self) -> None:
        others = sorted({player for book in self._ledger.open_books() for player in book.room.members})
        others = [player for player in others if player != self.person.player]
        if (progress := self._room("waiting")) and others:
            seat = self._random.randrange(len(progress.table.seats))
            guest = self._random.choice(others)
            self.person.command("invite", room=progress.room, seat=seat, player=guest)

    def _answer_invitation(self, invited: Invited) -> None:
        if self._random.random() < 0.8:
            self.person.command("join", room=invited.room, seat=invited.seat, invite=invited.invite)
        else:
            self.person.command("decline", invite=invited.invite)

    def subscribe(self) -> None:
        if progress := self._room():
            self.person.subscribe(progress.room, self._random.choice(EVENTS))

    def unsubscribe(self) -> None:
        if progress := self._room():
            self.person.unsubscribe(progress.room, self._random.choice(EVENTS))

    def watch_best(self) -> None:
        self.person.command("watchBest")

    def watch_lobby(self) -> None:
        self.person.command(self._random.choice(["watchLobby", "watchLobby", "unwatchLobby"]))

    def nothing(self) -> None:
        pass

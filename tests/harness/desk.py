"""A desk for testing a hub: peers that send commands, a clock set by hand, and checks of every promise at
each step.

Law: every step of a test is a call of `Desk.receive`, `drop` or `tick`, so no promise is left unchecked.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tablero_games import GAMES
from tablero_games.position import NoFieldFound
from tablero_games.record.commitment import opening
from tablero_protocol.messages import CLIENT_MESSAGE, SERVER_MESSAGE
from tablero_server.core.effects import Effects, Search
from tablero_server.core.entry import (
    Entry,
    Kept,
    Placing,
    Rerated,
    Sanction,
    Saved,
    SavedMute,
    SavedPlayer,
    SavedToken,
)
from tablero_server.core.hub import Hub
from tablero_server.core.limits.limits import Limits, Rate
from tablero_server.core.meeting.ratings import RatingBook
from tablero_server.core.people.accounts import Accounts
from tablero_server.core.people.entry_policy import EntryPolicy
from tablero_server.core.refusal import Refusal
from tablero_server.core.room.room import Room
from tablero_server.core.seats.views import Views
from tablero_server.journal.questions import Question
from tablero_server.journal.recovery import restore
from tablero_server.journal.roll_back import roll_back
from tablero_server.journal.rows import placings_from
from tablero_server.journal.schema import PLAYED
from tablero_server.journal.sqlite import SqliteJournal
from tablero_server.results import Results
from tests.harness.journals import at_once

Message = dict[str, Any]

FREE = Rate(0.001, 1_000_000)
"""A rate without a limit, because time stands still at a desk; tests of limits set other rates."""

RATED_CLOCK = {"base": 300, "increment": 5}
"""The clock of a rated table, unless the test names another."""

HOST_KEY = "the-host-of-this-desk-and-nobody-else-has-it"
"""The key with which the host's own bots connect."""

SECRET = re.compile(r"[\w-]{40,}")
"""A pattern for secrets: a token has 43 letters and a seed over 40 digits. No other text is as long."""


COMMITMENT = re.compile(r'"commitment": "[0-9a-f]{64}"')


@dataclass(eq=False)
class Peer:
    """One connection of a player at the desk."""

    desk: Desk
    number: int
    name: str = ""
    token: str | None = None
    session: str = ""
    player: str = ""
    welcome: Message = field(default_factory=dict)
    answers: list[Message] = field(default_factory=list)
    """The answers to the last command; the desk checks that there is only one."""
    seen: list[Message] = field(default_factory=list)
    """The messages since the last command, except its answer."""
    heads: dict[str, int] = field(default_factory=dict)
    """The newest `seq` of each room that this peer follows."""
    behind: set[str] = field(default_factory=set)
    """Rooms to resume first, because the connection broke."""
    closed: int | None = None

    def ask(self, type: str, id: str | None = None, **fields: Any) -> Message:
        """Sends a command and returns its only answer. Other messages are in `seen`."""
        return self.desk.receive(self, {"type": type, "id": id or self.desk.new_id(), **fields})

    def refused(self, type: str, id: str | None = None, **fields: Any) -> str:
        """Sends a command that must be refused. Returns the code."""
        answer = self.ask(type, id, **fields)
        assert answer["type"] == "refused", answer
        return str(answer["code"])

    def create(self, game: str = "tic-tac-toe", **fields: Any) -> str:
        """Makes a room with this peer in it, subscribed to nextPlayer; a rated room gets a clock."""
        usual = {"subscribe": ["nextPlayer"], **({"clock": RATED_CLOCK} if fields.get("rated") else {})}
        answer = self.ask("createRoom", game=game, **{**usual, **fields})
        assert answer["type"] == "joined", answer
        return str(answer["room"])

    def join(self, room: str, **fields: Any) -> Message:
        answer = self.ask("join", room=room, **{"subscribe": ["nextPlayer"], **fields})
        assert answer["type"] == "joined", answer
        return answer

    def play(self, room: str, move: str, seat: int | None = None) -> Message:
        """Plays `move` for the seat to move, or for `seat`, at the present ply."""
        table = self.desk.room(room)
        assert table.play is not None
        seat = min(table.play.position.to_move, default=0) if seat is None else seat
        ply = table.play.expected_ply(seat) or 0
        return self.ask("playTurn", room=room, seat=seat, ply=ply, move=move)

    def of(self, type: str) -> list[Message]:
        """The messages of one type since the last command."""
        return [message for message in self.seen if message["type"] == type]

    @property
    def turns(self) -> list[Message]:
        return self.of("nextPlayer")


def openings(entries: Iterable[Entry]) -> set[tuple[str, str]]:
    """The commands, as (player, id), that open rooms among `entries`."""
    return {entry.cause[:2] for entry in entries if entry.seq == 1 and entry.cause is not None}


async def _settled() -> None:
    """Returns at once: at a desk everything is already saved."""


def found_by(asked: Search) -> Any:
    """The result of a search, computed at once."""
    game = GAMES[asked.game]
    try:
        return game.prepare(asked.seed, game.read_options(asked.options))
    except NoFieldFound:
        return None


class Desk:
    def __init__(self, seed: int = 1, **limits: Any) -> None:
        self._random = random.Random(seed)
        self._entry_policy: EntryPolicy = limits.pop("entry_policy", EntryPolicy())
        free = dict.fromkeys(("turns", "messages", "replays", "chat", "invitations", "own_rooms"), FREE)
        self._limits = Limits(**{**free, "first_move_ms": 0, "countdown_ms": 0, **limits})
        self.hub = Hub(self._random.randbytes, self._limits, HOST_KEY, self._entry_policy)
        self.now = 1_000_000
        self.peers: dict[int, Peer] = {}
        self.journal: dict[str, list[Entry]] = {}
        self._folded: dict[str, Room] = {}
        """The saved log of each room, folded."""
        self.store = SqliteJournal()
        """The saved rows beside the logs."""
        self.failing = False
        """Whether nothing can be saved, as on a full disk."""
        self.slow = False
        """Whether games are prepared only when a test calls `prepared`."""
        self.asked: list[Search] = []
        """The searches that wait for `prepared`."""
        self._count = 0

    # Connections

    def connect(self, address: str | None = None, *, shared: bool = False) -> Peer:
        """Opens a connection that has not said hello."""
        number = len(self.peers) + 1
        self.peers[number] = Peer(self, number)
        if address is not None:
            self.hub.arrive(number, None if shared else address, address)
        return self.peers[number]

    def peer(
        self, name: str | None = "ann", *, address: str | None = None, shared: bool = False, **hello: Any
    ) -> Peer:
        """Opens a connection and says hello."""
        peer = self.connect(address, shared=shared)
        named = {} if name is None else {"name": name}
        answer = peer.ask("hello", protocol=1, client="test", **named, **hello)
        assert answer["type"] == "welcome", answer
        peer.token, peer.session = answer.get("token", hello.get("token")), answer["session"]
        peer.player, peer.name = answer["player"]["id"], answer["player"]["name"]
        peer.welcome = answer
        return peer

    def bot(self, name: str, *brains: str, capacity: int = 1, **hello: Any) -> Peer:
        """Connects a bot that offers each "GAME:LEVEL"."""
        split = [brain.split(":") for brain in brains]
        card = {"brains": [{"game": game, "levels": [level]} for game, level in split], "capacity": capacity}
        return self.peer(name, bot=card, **hello)

    def house(self, *brains: str, capacity: int = 50, address: str | None = None) -> Peer:
        """Connects one of the host's own bots."""
        return self.bot("house", *brains, capacity=capacity, address=address, hostKey=HOST_KEY)

    def back(self, gone: Peer, *, same_session: bool = True, **hello: Any) -> Peer:
        """Connects the same player again, in the same session or a new one."""
        session: dict[str, Any] = {"session": gone.session} if same_session else {}
        return self.peer(None, token=gone.token, **hello, **session)

    def pair(self, game: str = "tic-tac-toe", **fields: Any) -> tuple[Peer, Peer, str]:
        """Ann and Bob at a table for two, with the game started."""
        ann, bob = self.peer("ann"), self.peer("bob")
        room = ann.create(game, **fields)
        bob.ask("join", room=room, subscribe=fields.get("subscribe", ["nextPlayer"]))
        return ann, bob, room

    # Commands and events

    def receive(self, peer: Peer, message: Message) -> Message:
        """Carries out a command. Returns its answer."""
        peer.seen, peer.answers = [], []
        if message["type"] == "resume":
            peer.behind.discard(message["room"])
            peer.heads[message["room"]] = message["seq"]
        before, heads = self.everything(), self._heads()
        command = CLIENT_MESSAGE.validate_python(message, by_alias=True, by_name=False)
        effects = self.hub.receive(peer.number, command, self.now)
        if waits := bool(self.hub.rooms.unpacking.wanted):
            assert self.everything() == before, "a command that waits has changed something"
            effects = self._unpacked()
        self._search(effects)
        self._look_up(effects)
        opened = openings(entry for log in self.journal.values() for entry in log)
        repeats = effects.repeats = not opened.isdisjoint(openings(effects.entries))
        failed = repeats or (self.failing and effects.must_last)
        if failed:
            effects = self._lose(effects)
        self._check_answers(peer, message["id"], effects)
        self._carry_out(effects, message["id"])
        [answer] = peer.answers
        if failed:
            assert (answer["type"], answer["code"]) == ("refused", "idReused" if repeats else "retryLater")
            assert self._heads() == heads, "what could not be saved has left a trace"
            return answer
        if answer["type"] == "refused" and not effects.entries and not waits:
            assert self.everything() == before, "a refused command has changed something"
            assert [sent for sent, _ in effects.messages] == [peer.number]
        return answer

    def drop(self, peer: Peer) -> None:
        peer.closed = 1006
        self._carry_out(self.hub.dropped(peer.number, self.now))

    def tick(self, later: int = 0) -> None:
        """Lets `later` milliseconds pass, and runs the hub's tick."""
        self.now += later
        effects = self.hub.tick(self.now)
        self._search(effects)
        self._carry_out(effects)
        if self.hub.rooms.unpacking.wanted:
            self._carry_out(self._unpacked())

    def _unpacked(self) -> Effects:
        """Unpacks all wanted rooms. Returns the messages of the command that waited, if any."""
        answer = Effects()
        while self.hub.rooms.unpacking.wanted:
            for number, effects in enumerate(self.hub.unpack(self.now)):
                if number == 0:
                    self._carry_out(effects)
                else:
                    answer = effects
        return answer

    def prepared(self, *, found: bool = True) -> None:
        """Ends the oldest search, without a result unless `found`."""
        asked = self.asked.pop(0)
        field = found_by(asked) if found else None
        effects = self.hub.found(asked.ticket, field, self.now)
        self._search(effects)
        for peer in self.peers.values():
            peer.seen, peer.answers = [], []
        self._carry_out(effects)

    def restart(self, *, restored: bool = False) -> None:
        """Kills the server and starts it again with only the saved state, or with the state of a restored
        backup.
        """
        for peer in self.peers.values():
            peer.closed = peer.closed or 1006
        self.asked.clear()
        self.hub = Hub(self._random.randbytes, self._limits, HOST_KEY, self._entry_policy)
        effects = restore(self.hub, self.saved()._replace(restored=restored), self.now)
        self._carry_out(effects)
        rooms = self.hub.rooms
        self._check_rooms({*rooms.open, *rooms.packed})
        assert {*rooms.open, *rooms.packed} == {
            log[0].room for log in self.journal.values() if log[-1].kind != "closed"
        } - set(rooms.damaged)

    def damage(self, room: str, seq: int = 0, **body: Any) -> None:
        """Replaces the stored content of one entry."""
        self.journal[room][seq] = self.journal[room][seq]._replace(body=body)

    def end_tokens(self, player: str) -> None:
        self.by_host(self.hub.authority.end_tokens(self.hub.accounts.by_id[player], self.now))

    def by_host(self, effects: Effects) -> None:
        """Carries out actions of the desk's host."""
        for peer in self.peers.values():
            peer.seen = []
        self._carry_out(effects)

    def stop(self) -> None:
        self._carry_out(self.hub.stop())

    # State for checks

    @property
    def players(self) -> dict[str, SavedPlayer]:
        return {each.id: each for each in at_once(self.store.load()).players}

    @property
    def tokens(self) -> dict[bytes, SavedToken]:
        return {each.hash: each for each in at_once(self.store.load()).tokens}

    @property
    def sanctions(self) -> dict[str, Sanction]:
        return {each.id: each for each in at_once(self.store.load()).sanctions}

    @property
    def mutes(self) -> dict[tuple[str, str], SavedMute]:
        return {(each.player, each.muted): each for each in at_once(self.store.load()).mutes}

    @property
    def placings(self) -> list[Placing]:
        """The saved results, in the order of writing."""
        return list(placings_from(self._ask(f"SELECT {', '.join(PLAYED)} FROM played ORDER BY rowid")))

    def hold_back(self, placings: int) -> list[Placing]:
        """Removes the newest results, which then are not saved. Returns them."""
        held = self.placings[-placings:]
        newest = f"SELECT rowid FROM played ORDER BY rowid DESC LIMIT {placings}"
        self._ask(f"DELETE FROM played WHERE rowid IN ({newest})")
        return held

    def keep(self, *kept: Kept) -> None:
        at_once(self.store.append([Effects(kept=kept)]))

    def _ask(self, sql: str) -> list[tuple[Any, ...]]:
        return at_once(self.store.read(Question(sql, ())))

    def views(self, room: str) -> Views:
        """The views of a loaded room; reading them changes nothing."""
        return self.hub.rooms.open[room]

    def room(self, room: str) -> Room:
        return self.views(room).room

    def entries(self, room: str) -> list[str]:
        return [entry.kind for entry in self.journal[room]]

    def seated(self, room: str, seat: int) -> Peer:
        """The connected player on a seat."""
        player = self.room(room).seats[seat]
        return next(
            peer for peer in reversed(self.peers.values()) if peer.player == player and peer.closed is None
        )

    def new_id(self) -> str:
        self._count += 1
        return f"id-{self._count}"

    # Promises

    def _lose(self, effects: Effects) -> Effects:
        """Undoes commands that could not be saved. Returns the effects with their answers."""
        told = roll_back(self.hub, [effects], self.now)
        assert not told.must_last
        self._check_ratings()
        self._check_rooms({entry.room for entry in effects.entries} & set(self.journal))
        return told

    def _heads(self) -> object:
        """The seq of every room, with its members and their seats."""
        players = {id for (id,) in self._ask("SELECT id FROM player")}
        return [
            (id, each.room.head, each.room.state, sorted(each.room.members), list(each.room.seats))
            for id, each in sorted(self.hub.rooms.open.items())
        ], [
            (each.id, sorted(each.rooms), sorted(each.logged))
            for each in self.hub.accounts.by_id.values()
            if each.id in players
        ]

    def _carry_out(self, effects: Effects, id: str | None = None) -> None:
        if self.failing and effects.must_last:
            effects = self._lose(effects)
        if effects.kept:
            self.keep(*effects.kept)
        for entry in effects.entries:
            log = self.journal.setdefault(entry.room, [])
            assert entry.seq == len(log)
            log.append(entry)
            if entry.clocks is not None:
                self.hub.rooms.saved(entry, self.now)
        for number, message in effects.messages:
            self._deliver(self.peers[number], message, id)
        for number, why in effects.closes:
            self.peers[number].closed = why.value
        self._check_rooms({entry.room for entry in effects.entries})
        self._check_nobody_missed_anything()
        self._check_seeks()
        if any(isinstance(each, Placing | Rerated) for each in effects.kept):
            self._check_ratings()

    def _check_ratings(self) -> None:
        """Checks that the ratings follow from the saved games."""
        fresh = RatingBook(Accounts(self.hub.ids, self._limits))
        saved = self.saved()
        fresh.load(saved.rated, saved.rivals)
        assert fresh._careers == self.hub.rooms.ratings._careers

    def saved(self) -> Saved:
        """The saved state, as a start loads it."""
        logs = [list(log) for log in self.journal.values()]
        closed = sorted((log for log in logs if log[-1].kind == "closed"), key=lambda log: log[-1].at)
        since = closed[-1][-1].at - self._limits.session_memory_ms if closed else 0
        return at_once(self.store.load())._replace(
            logs=[log for log in logs if log[-1].kind != "closed"],
            closed=[log for log in closed if log[-1].at > since],
        )

    def _look_up(self, effects: Effects) -> None:
        """Answers a question to the journal at once."""
        for asked in effects.asked:
            account, id = self.hub.accounts.by_id[asked.player], asked.message.id
            answering = Results(self.hub, self.store, _settled).answer(asked.message, account, self.now)
            try:
                answering.send(None)
            except StopIteration as answered:
                effects.send(asked.peer, {**answered.value, "re": id})
            except Refusal as refusal:
                effects.refuse(asked.peer, refusal.message(id), None)

    def _search(self, effects: Effects) -> None:
        """Finishes a search at once, unless the desk is slow."""
        self.asked += effects.searches
        while self.asked and not self.slow:
            asked = self.asked.pop(0)
            more = self.hub.found(asked.ticket, found_by(asked), self.now)
            effects.entries += more.entries
            effects.keep(*more.kept)
            effects.undo += more.undo
            effects.moved += more.moved
            effects.messages += more.messages
            effects.closes += more.closes
            self.asked += more.searches

    @staticmethod
    def _check_answers(peer: Peer, id: str, effects: Effects) -> None:
        answered = [(to, message["re"]) for to, message in effects.messages if "re" in message]
        assert answered == [(peer.number, id)], f"not exactly one answer: {effects.messages}"

    def _deliver(self, peer: Peer, message: Message, id: str | None) -> None:
        assert peer.closed is None, f"{message['type']} to a closed connection"
        SERVER_MESSAGE.validate_python(message, extra="forbid", by_alias=True, by_name=False)
        self._check_no_secret(message)
        if "re" in message:
            peer.answers.append(message)
        else:
            peer.seen.append(message)
        if message["type"] == "welcome":
            self._take_over(peer, message["session"])
        if "seq" in message:
            self._follow(peer, message)

    def _check_no_secret(self, message: Message) -> None:
        secret = "token" if message["type"] == "welcome" else None
        public = json.dumps({key: value for key, value in message.items() if key != secret})
        public = COMMITMENT.sub("", public)
        assert not SECRET.search(public), f"a secret in {message}"
        for views in self.hub.rooms.open.values():
            room = views.room
            if room.position is None or room.position.outcome is None:
                assert not any(half in public for half in opening(room.seed).values()), message

    def _take_over(self, peer: Peer, session: str) -> None:
        """Gives a session to a new connection, with the state of the last one, which then resumes
        every room.
        """
        for older in self.peers.values():
            if older.session == session:
                peer.heads = dict(older.heads)
        peer.behind = set(self.hub.accounts.sessions[session].rooms)

    def _follow(self, peer: Peer, message: Message) -> None:
        """Checks that `seq` is one more than before, or repeats an event that this peer already has."""
        room, seq = message["room"], message["seq"]
        session = self.hub.peers.get(peer.number)
        if session is None or room not in session.rooms:  # the peer has left, or gets an earlier answer again
            peer.heads.pop(room, None)
            return
        whole = "table" in message and seq == self.views(room).room.head
        if room in peer.behind and not whole:
            return
        mine = peer.heads.get(room)
        if whole or mine is None:
            assert "table" in message, message
            peer.heads[room] = seq
            peer.behind.discard(room)
        elif seq <= mine:
            again = message["type"] == "nextPlayer" or "re" in message
            assert again, f"{message['type']} {seq} a second time"
        else:
            assert seq == mine + 1, f"a gap: {mine}, then {seq}"
            peer.heads[room] = seq

    def _check_rooms(self, rooms: set[str]) -> None:
        open = self.hub.rooms.open.values()
        assert self.hub.rooms.entries == sum(len(views.room.log) for views in open)
        packed = self.hub.rooms.packed
        assert packed.entries == sum(len(packed.log(id)) for id in packed)
        for id in rooms:
            log = self.journal[id]
            if id in self.hub.rooms.packed:
                assert id not in self.hub.rooms.open
                assert self.hub.rooms.packed.log(id) == log
                continue
            folded = self._fold(id)
            if id not in self.hub.rooms.open:
                assert folded.state.value == "closed"
                continue
            room = self.room(id)
            assert room.log == log
            for each in ("play", "seats", "seated", "state", "members", "offers", "next"):
                assert getattr(folded, each) == getattr(room, each), each
            assert (folded.clock and folded.clock.going) == (room.clock and room.clock.going)

    def _fold(self, id: str) -> Room:
        """The room by its saved log; only new entries are folded."""
        log = self.journal[id]
        folded = self._folded.get(id)
        if folded is None or folded.log != log[: len(folded.log)]:
            folded = self._folded[id] = Room(id)
        for entry in log[len(folded.log) :]:
            folded.apply(entry)
        return folded

    def forget(self) -> None:
        """Drops the entries that the desk shares with the rooms, so that memory can be measured."""
        self._folded.clear()
        self.journal = {room: [] for room in self.journal}

    def _check_nobody_missed_anything(self) -> None:
        for number, session in self.hub.peers.items():
            peer = self.peers[number]
            assert session.peer == number
            for id in session.rooms - peer.behind:
                assert peer.heads[id] == self.room(id).head, f"{peer.name} missed something in {id}"

    def _check_seeks(self) -> None:
        """Checks that each seek is in its place, or is compared again when its alarm rings."""
        pairing = self.hub.pairing
        placed = {id for place in pairing._places.values() for id in place}
        assert placed == {id for each in pairing._all.values() for id in each}
        assert placed <= pairing.standing.keys() <= placed | pairing._unsure
        assert pairing._unsure <= pairing.standing.keys()
        assert {id for each in pairing._of.values() for id in each} == pairing.standing.keys()
        assert all(pairing._of.values())
        assert all(pairing._places.values())

    def everything(self) -> dict[str, Any]:
        """The whole state that a refused command must leave unchanged."""
        hub = self.hub
        viewers = [
            (room, each.session.id, sorted(each.seats), sorted(each.events), each.legal_moves)
            for room, views in hub.rooms.open.items()
            for each in views.viewers.values()
        ]
        heads = {id: each.room.head for id, each in hub.rooms.open.items()}
        heads |= {id: len(hub.rooms.packed.log(id)) - 1 for id in hub.rooms.packed}
        rooms = [(id, heads[id], hub.invitations.kept(id)) for id in sorted(heads)]
        accounts = [
            (each.id, each.name, sorted(each.rooms), sorted(each.sessions), dict(each.muted))
            for each in hub.accounts.by_id.values()
        ]
        tokens = sorted(hub.accounts.tokens._by_hash)
        codes = sorted(hub.accounts.hand_overs._by_code)
        ratings = {player: dict(careers) for player, careers in hub.rooms.ratings._careers.items()}
        seeks = set(hub.pairing.standing)
        return {
            "viewers": sorted(viewers),
            "rooms": rooms,
            "accounts": accounts,
            "tokens": tokens,
            "codes": codes,
            "ratings": ratings,
            "peers": dict(hub.peers),
            "watchers": set(hub.rooms.lobby.watchers),
            "seeks": seeks,
        }

    def durable(self) -> object:
        """The state that a restart restores."""
        hub = self.hub
        rooms = {
            id: ([entry.kind for entry in each.room.log if entry.kind != "revived"], each.room.seats)
            for id, each in hub.rooms.open.items()
        }
        accounts = {
            id: (each.name, sorted(each.rooms), dict(each.muted)) for id, each in hub.accounts.by_id.items()
        }
        ratings = {player: dict(careers) for player, careers in hub.rooms.ratings._careers.items()}
        return rooms, accounts, sorted(hub.accounts.tokens._by_hash), ratings

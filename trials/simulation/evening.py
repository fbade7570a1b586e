"""One simulated evening made from a seed: people, a server, faults; then calm, in which everything must
recover.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from structlog.testing import capture_logs

from tablero.client.session import LineState
from tablero_protocol.messages import ClientMessage, CreateRoom, Join, Mute
from tablero_server.core.effects import Effects
from tablero_server.core.limits.limits import Limits
from tablero_server.core.people.session import Session
from tablero_server.core.refusal import Message
from tablero_server.core.room.state import PREPARING
from tests.harness.simulated_loop import SimLoop, run
from trials.simulation.disk import Disk
from trials.simulation.habits import Habits
from trials.simulation.host import Host
from trials.simulation.ledger import FIRST_MOVE_MS, Ledger
from trials.simulation.person import Person
from trials.simulation.weather import Weather
from trials.simulation.world import World, check

CALM = 40.0
"""The seconds in which all waits, retries and backoffs of clients end."""
QUIET = 8.0
"""The seconds in which all clients hear of the last entries."""
NAMES = ("ann", "bob", "cat", "dan")


@dataclass(frozen=True)
class Report:
    seed: int
    trace: str
    """A hash of all events, which is equal for equal evenings."""
    reached: Counter[str]
    failure: BaseException | None


class Evening:
    def __init__(self, world: World) -> None:
        self.world = world
        random = world.random("evening")
        limits = Limits(
            first_move_ms=FIRST_MOVE_MS,
            countdown_ms=1_000,
            session_memory_ms=20_000,
            absence_ms=random.choice([3_000, 15_000, 300_000]),
            waiting_ms=random.choice([20_000, 1_800_000]),
            grace_ms=random.choice([2_000, 20_000]),
            replay_events=random.choice([3, 20, 200]),
            invite_ms=3_000,
            lobby_bytes=random.choice([300, 65_536]),
            talk=random.choice(["on", "on", "on", "on", "phrases", "off"]),
        )
        self.ledger = Ledger(
            world,
            limits,
            lambda at: self.host.virtual(at),
            lambda: self.host.service.now(),
            lambda player, at: self.host.gone_for(player, at),
            lambda player, begun, at: self.host.gone_since(player, begun, at),
        )
        self.disk = Disk(self._written, self.ledger.saved, self.ledger.lost)
        self.host = Host(world, self.disk, limits, self._hears, self._says, self.ledger.server_began)
        self.host.outbox = random.choice([8, 64])
        self.people: list[Person] = []
        self.seconds = random.uniform(20, 60)
        self.pace = random.choice([0.5, 1.0, 2.0])
        self._stirred_at = 0.0
        """The time of the last write or arrival."""
        self._count = random.randint(2, 4)

    async def go(self) -> None:
        self.host.boot()
        for name in NAMES[: self._count]:
            self._begin(name, None)
        weather = Weather(self.world, self.host, self.disk, self.ledger, self.people, self._begin)
        weather.start()
        await self.world.wait(self.seconds)
        self.world.note("weather", "calm")
        self.world.calm = True
        self.disk.full_until = self.disk.flaky = 0.0
        self.host.boot_again()
        await self.world.wait(CALM)
        while self.host.busy or self.world.now - self._stirred_at < QUIET:
            await self.world.wait(QUIET)  # a clock has just run out, or a killed client is started again
        self._check_all_came_right()

    def _begin(self, name: str, token: str | None) -> None:
        self._stirred_at = self.world.now
        person = Person(self.world, self.ledger, self.host.connect, name, token)
        self.people.append(person)
        Habits(self.world, self.ledger, person, self.pace).start()
        person.start()

    # During the evening

    def _written(self, effects: Effects) -> None:
        self._stirred_at = self.world.now
        self.ledger.written(effects)
        for entry in effects.entries if any(met(told) for _, told in effects.messages) else ():
            if entry.kind == "joined":
                gone = self.host.was_gone(entry.body["player"]["id"], entry.at)
                check(not gone, "nobody is paired without a connection", entry)
        for room in {entry.room: None for entry in effects.entries}:
            if (views := self.host.hub.rooms.open.get(room)) is not None:
                self.ledger.check_live(views.room)

    def _hears(self, session: Session, message: ClientMessage, effects: Effects) -> None:
        """Checks that a repeated command gets its first answer, and nothing else."""
        player = session.account.id
        self._hears_of_people(session, message, effects)
        answers = [answer for _, answer in effects.messages if answer.get("re") == message.id]
        if isinstance(message, CreateRoom | Join) and self._comes_again(player, message.id, effects):
            return
        began, _ = self.host.lives[-1]
        self.ledger.check_repeat(player, message.id, answers, began, self.host.limits.session_memory_ms)

    def _hears_of_people(self, session: Session, message: ClientMessage, effects: Effects) -> None:
        """Checks that players get nothing from players whom they muted, and are not paired with them."""
        mutes, peers = self.ledger.mutes, self.host.hub.peers
        if isinstance(message, Mute):
            mutes.asked(session, message, effects)
        for peer, told in effects.messages:
            if told["type"] == "said" and peer in peers:
                mutes.check_said(peers[peer].account.id, told)
        if paired := {peers[peer].account.id for peer, told in effects.messages if met(told)}:
            mutes.check_met(paired)

    def _comes_again(self, player: str, id: str, effects: Effects) -> bool:
        """Whether a session that has never seen its room repeats the join of its player, and so rejoins."""
        hub, entry = self.host.hub, self.ledger.caused.get((player, id))
        [(peer, answer)] = [each for each in effects.messages if each[1].get("re") == id] or [(0, {})]
        views = None if entry is None else hub.rooms.open.get(entry.room)
        if entry is None or views is None or answer.get("seq") == entry.seq:
            return False
        if answer.get("code") == "idReused":
            gone = any(
                later.kind == "left" and later.seq > entry.seq and later.body["player"]["id"] == player
                for later in views.room.log
            )
            check(gone, "who may come again comes in", entry, answer)
            self.world.sometimes("somebody came again who had left")
        elif answer["type"] == "joined":
            check(hub.peers[peer].id in views.viewers, "who is told so is in the room", entry, answer)
            self.world.sometimes("a new session came again")
        else:
            return False
        return True

    def _says(self, message: Message) -> None:
        """Checks that a message leaves only after its entries were saved."""
        room, seq = message.get("room"), message.get("seq")
        if room is not None and seq is not None:
            self.ledger.entry(room, seq)

    # At the end

    def _check_all_came_right(self) -> None:
        hub = self.host.hub
        waiting = [book.room.id for book in self.ledger.open_books() if book.room.state is PREPARING]
        check(not waiting, "a game that is being prepared starts, or cannot be prepared", waiting)
        logs = {log[0].room for log in self.disk.logs.values() if log[-1].kind != "closed"}
        rooms = {*hub.rooms.open, *hub.rooms.packed}
        check(rooms == logs, "every durable room is open, and no other", rooms ^ logs)
        for room in hub.rooms.packed:
            check(hub.rooms.packed.log(room) == self.disk.logs[room], "a packed room is its log", room)
        self.ledger.rated.check_all(self.ledger.books, hub.rooms.ratings)
        for views in hub.rooms.open.values():
            check(
                views.room.head == self.ledger.book(views.room.id).head,
                "all is durable",
                views.room.id,
            )
            self.ledger.check_live(views.room)
        for person in self.people:
            if person.alive:
                missing = [wire for id, wire in person.given.items() if id not in person.settled]
                check(not missing, "every command has an answer", person.name, missing)
                if person.session.state is not LineState.ENDED:
                    self._check_up_to_date(person)

    def _check_up_to_date(self, person: Person) -> None:
        hub, session = self.host.hub, person.session
        check(
            session.state is LineState.OPEN and session.welcome is not None,
            "everybody is connected",
            person.name,
        )
        assert session.welcome is not None
        known = hub.accounts.sessions[session.welcome.session]
        check(
            set(session.rooms) == known.rooms,
            "client and server agree on rooms",
            person.name,
            list(session.rooms),
            known.rooms,
        )
        for room, progress in session.rooms.items():
            book = self.ledger.book(room)
            viewer = hub.rooms.open[room].viewers[known.id]
            check(person.player in book.room.members, "who sees a room is in it", person.name, room)
            check(
                progress.seq == book.head and not progress.behind,
                "everybody is at the head",
                person.name,
                progress,
            )
            check(
                progress.wanted <= viewer.events,
                "everybody hears what it wants",
                person.name,
                room,
                progress.wanted,
            )
            held = [list(holder.seats) for holder in hub.rooms.open[room].viewers.values()]
            check(sum(map(len, held)) == len({seat for seats in held for seat in seats}), "one holder a seat")
            if "nextPlayer" in progress.wanted and book.plays[-1] is not None:
                newest = max((turn.seq for turn in progress.latest.values()), default=-1)
                check(
                    newest == book.turn_seq[-1], "everybody sees the newest position", person.name, progress
                )


def play(seed: int, *, fifo: bool = False, echo: Callable[[str], None] | None = None) -> Report:
    """Plays one evening from beginning to end."""
    loop = SimLoop(Random(f"{seed} order"), fifo=fifo)
    world = World(seed, loop, echo)
    failure = None
    with capture_logs():
        try:
            run(loop, Evening(world).go())
        except Exception as error:
            failure = error
    return Report(seed, world.trace, world.reached, failure)


def met(told: Message) -> bool:
    """Whether the effects bring players who sought an opponent to a table."""
    return told["type"] == "joined" and "seek" in told

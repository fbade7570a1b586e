"""A client without a connection: tests give the server's messages, and read what the client sends.

Law: there is no event loop. Code that waits for an answer continues before `tell` returns.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Coroutine, Generator
from random import Random
from typing import Any

from tablero.client.client import Client
from tablero.client.greeting import Greeting
from tablero.client.room import Room
from tablero.client.session import Session
from tablero.errors import Disconnected, Refused
from tablero_games import GAMES, Seat
from tablero_games.tic_tac_toe import CELLS
from tablero_protocol.messages import CLIENT_MESSAGE, SERVER_MESSAGE, ServerMessage

Json = dict[str, Any]

ANA = {"id": "ana", "name": "Ana"}
BEN = {"id": "ben", "name": "Ben"}
HARD = {"id": "house", "name": "house", "bot": True, "level": "hard"}
LIMITS = {"frameBytes": 4096, "chatLength": 200, "rooms": 16, "watchers": 100, "silenceSeconds": 20.0}


def message(**fields: Any) -> ServerMessage:
    """A server message as a client receives it; a refusal may be given by its code."""
    if fields["type"] == "refused":
        fields = {"reason": fields["code"], "fields": {}, **fields}
    return SERVER_MESSAGE.validate_python(fields, by_alias=True, by_name=False)


def held(room: str, *seats: int) -> Json:
    """A room to return to, as in a `welcome`."""
    line = {"game": "tic-tac-toe", "state": "playing", "rivals": [], "toMove": []}
    return {"room": room, "seats": list(seats), **line}


def welcome(**more: Any) -> ServerMessage:
    fields = {"player": ANA, "session": "s1", "limits": LIMITS, "now": 0, "token": "secret"}
    return message(type="welcome", **fields | more)


def table(*seats: Json | None, room: str = "r1", state: str = "playing", **more: Any) -> Json:
    """A table with these players on its seats, who are also its members."""
    members: dict[str, Json] = {}
    for seat, player in enumerate(seats):
        if player is not None:
            members.setdefault(player["id"], {"player": player, "seats": []})["seats"].append(seat)
    fields: Json = {"room": room, "epoch": "e1", "game": "tic-tac-toe", "version": 1, "options": {}}
    fields |= {"state": state, "private": False, "seats": list(seats), "members": list(members.values())}
    return fields | more


def joined(*seats: Json | None, room: str = "r1", seq: int = 1, **more: Any) -> ServerMessage:
    """This client's own arrival at a table."""
    of_table = ("state", "epoch", "game", "options", "clock", "rated")
    about = {name: more.pop(name) for name in of_table if name in more}
    return message(
        type="joined", room=room, seq=seq, player=ANA, table=table(*seats, room=room, **about), **more
    )


def turn(
    seq: int, cells: str = ".........", *, seat: Seat | None = 0, room: str = "r1", **more: Any
) -> ServerMessage:
    """`nextPlayer` of tic-tac-toe, with all fields that follow from the cells."""
    position: Any = GAMES["tic-tac-toe"].start()
    zeros, ones = ([CELLS[at] for at, holder in enumerate(cells) if holder == seat] for seat in "01")
    for ply in range(len(zeros) + len(ones)):
        position = position.play(ply & 1, (zeros, ones)[ply & 1].pop())
    if position.outcome is not None:
        more.setdefault("outcome", position.outcome.to_json())
    fields: Json = {
        "ply": 9 - cells.count("."),
        "seats": sorted(position.to_move),
        "view": position.view(seat),
    }
    if seat is not None:
        fields["seat"] = seat
    return message(type="nextPlayer", room=room, seq=seq, **fields | more)


class Answer:
    """A promise without a loop: the coroutine that waits continues when its shell runs."""

    def __init__(self, shell: FakeShell) -> None:
        self._shell = shell
        self._result: Any = None
        self._exception: BaseException | None = None
        self._done = False
        self._waiting: list[Coroutine[Any, Any, Any]] = []

    def done(self) -> bool:
        return self._done

    def set_result(self, result: Any, /) -> None:
        assert not self._done, "a promise is kept once"
        self._result, self._done = result, True
        self._shell.ready.extend(self._waiting)

    def set_exception(self, exception: BaseException, /) -> None:
        self._exception = exception
        self.set_result(None)

    def wait(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        self._waiting.append(coroutine)

    def __await__(self) -> Generator[Answer, None, Any]:
        if not self._done:
            yield self
        if self._exception is not None:
            raise self._exception
        return self._result


class Asked:
    """The result of a coroutine, once it has ended."""

    def __init__(self) -> None:
        self.done = False
        self._result: Any = None
        self._exception: Exception | None = None

    async def of(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        try:
            self._result = await coroutine
        except Exception as error:
            self._exception = error
        self.done = True

    @property
    def result(self) -> Any:
        assert self.done, "it still waits"
        if self._exception is not None:
            raise self._exception
        return self._result


class FakeShell:
    """A shell whose time stands still until a test moves it; a test also decides when started work runs."""

    def __init__(self) -> None:
        self.time = 100.0
        self.finished = False
        self.ready: deque[Coroutine[Any, Any, Any]] = deque()
        """The coroutines that can continue."""
        self.promises: list[Answer] = []
        self.alarms: list[tuple[float, Callable[[], None]]] = []
        """The timers."""
        self.thoughts: list[Callable[[], None]] = []
        """The thoughts of bots, for a test to run."""

    def now(self) -> float:
        return self.time

    def wake(self) -> None:
        pass

    def promise(self) -> Answer:
        self.promises.append(Answer(self))
        return self.promises[-1]

    def start(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        self.ready.append(coroutine)

    def run(self) -> None:
        """Continues all coroutines that can, one after another."""
        while self.ready:
            coroutine = self.ready.popleft()
            try:
                waits_for: Answer = coroutine.send(None)
            except (StopIteration, Disconnected):
                continue
            waits_for.wait(coroutine)

    def post(self, call: Callable[[], None]) -> None:
        call()

    def after(self, seconds: float, call: Callable[[], None]) -> None:
        self.alarms.append((self.time + seconds, call))

    def pass_time(self, seconds: float) -> None:
        """Lets time pass, and calls everything that becomes due, in order."""
        end = self.time + seconds
        while due := sorted((alarm for alarm in self.alarms if alarm[0] <= end), key=lambda alarm: alarm[0]):
            self.alarms.remove(due[0])
            self.time = due[0][0]
            due[0][1]()
            self.run()
        self.time = end

    def aside(self, task: Callable[[], None]) -> None:
        self.thoughts.append(task)

    def finish(self) -> None:
        self.finished = True

    async def ended(self) -> None:
        raise AssertionError("no test waits for this")


class Rig:
    """A connected client that has said hello as Ana."""

    def __init__(self, *, greeted: bool = True, token: str | None = None, **more: Any) -> None:
        self.shell = FakeShell()
        self.session = Session(Random(1), Greeting(client="test", name="Ana", **more), token)
        self.client = Client(self.session, self.shell)
        self.session.connected(self.shell.time)
        if greeted:
            self.tell(welcome())
            self.sent()

    def tell(self, *messages: ServerMessage) -> None:
        """Delivers these messages together, before any waiting code continues."""
        for each in messages:
            self.client.receive(each)
        self.shell.run()

    def ask(self, coroutine: Coroutine[Any, Any, Any]) -> Asked:
        """Starts a coroutine, which runs until it waits for an answer."""
        asked = Asked()
        self.shell.start(asked.of(coroutine))
        self.shell.run()
        return asked

    def command(self, type: str, answers: list[Any] | None = None, **fields: Any) -> None:
        """Sends a command; the type of its answer is added to `answers`."""

        async def ask() -> None:
            try:
                answer = (await self.client.ask(type, **fields)).type
            except Refused:
                answer = "refused"
            if answers is not None:
                answers.append(answer)

        self.shell.start(ask())
        self.shell.run()

    def sent(self) -> list[Json]:
        """The messages sent since the last call, after a check that each is valid."""
        wires = self.session.outgoing(self.shell.time) or []
        for wire in wires:
            CLIENT_MESSAGE.validate_python(wire, by_alias=True, by_name=False)
        return wires

    def is_dead(self) -> bool:
        """Whether the session wants the connection closed."""
        return self.session.outgoing(self.shell.time) is None

    def sent_types(self) -> list[str]:
        return [wire["type"] for wire in self.sent()]

    def one(self, type: str) -> Json:
        """The only message of this type since the last call."""
        [wire] = [wire for wire in self.sent() if wire["type"] == type]
        return wire

    def think(self) -> None:
        """Runs the thoughts of all bots."""
        thoughts, self.shell.thoughts = self.shell.thoughts, []
        for thought in thoughts:
            thought()
        self.shell.run()

    def drop(self, close_code: int | None = 1006) -> float | None:
        """Breaks the connection. Returns the time before the client reconnects."""
        wait = self.client.lost(close_code)
        self.shell.run()
        return wait

    def return_(self, **more: Any) -> None:
        self.session.connected(self.shell.time)
        self.tell(welcome(**{"token": None} | more))

    def room(self, *seats: Json | None, seq: int = 1, **more: Any) -> Room:
        """Joins a table with these players."""
        self.tell(joined(*(seats or (ANA, BEN)), seq=seq, **more))
        return self.client.rooms[more.get("room", "r1")]

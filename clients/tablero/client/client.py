"""One player's session at a server, without the connection: rooms, events and commands.

Law: no asyncio and no socket. Time, futures and waking up the connection are passed in, so that tests (and
other loops) can drive the client by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar

from pydantic.alias_generators import to_camel

from tablero_games import Seat
from tablero_protocol import messages
from tablero_protocol.messages import (
    Best,
    Course,
    EventName,
    HandedOver,
    Invited,
    Joined,
    LobbyChanged,
    LobbyList,
    Muting,
    Ok,
    OwnRooms,
    Player,
    PlayerPage,
    Pong,
    Ratings,
    ServerMessage,
    Speed,
    Times,
    TokenLine,
    TokenList,
    Tonight,
    Welcome,
)

from ..bot import Thought
from ..errors import Disconnected, Refused
from ..event import Event
from . import session_events as events
from .room import Room, clock_or_usual
from .session import LineState, Session
from .shell import Promise, Shell

T = TypeVar("T")


class Client:
    """A player at a server. Get one from `connect`."""

    def __init__(self, session: Session, shell: Shell, address: str = "") -> None:
        self.session = session
        self.address = address
        self._shell = shell
        self.start = shell.start
        self._ahead: float | None = None
        """Milliseconds by which the server's clock is ahead of ours, too low by the travel time of
        the fastest message.
        """
        self._promised: dict[str, Promise] = {}
        """Pending commands by id."""
        self.rooms: dict[str, Room] = {}
        self.muted: dict[str, Muting] = {}
        """Muted players by id, and how much of each is hidden."""
        self.ended: events.SessionEnded | None = None
        self.connected: Event[Welcome] = Event(start=self.start)
        """The server has accepted us; told again after every reconnect."""
        self.disconnected: Event[float | None] = Event(start=self.start)
        """The connection is lost. The value is the seconds until the next attempt, or None if there
        is none.
        """
        self.lobby: Event[LobbyList | LobbyChanged] = Event(start=self.start)
        self.invited: Event[Invited] = Event(start=self.start)
        self.declined: Event[messages.Declined] = Event(start=self.start)
        """An invitation of ours that was declined or ended."""
        self.announced: Event[messages.Announcement] = Event(start=self.start)
        """A message of the server's host, or a decision. Its `message` is a sentence for people."""
        self.best: Event[Best] = Event(start=self.start)
        """The public game most worth watching now."""
        self.room_opened: Event[Room] = Event(start=self.start)
        """The client is in a room: it made, joined or rejoined the room, or came there by a rematch."""
        self.postponed: Event[str] = Event(start=self.start)
        """A command of this type was given without a connection. It is sent after the reconnect."""
        self.received: Event[Any] = Event(start=self.start)
        """Every message as received, before the session handles it."""

    @property
    def is_open(self) -> bool:
        """Whether there is a connection now."""
        return self.session.state is LineState.OPEN

    @property
    def player(self) -> Player:
        """This client's player."""
        if self.session.welcome is None:
            raise Disconnected("The server has not greeted us yet.")
        return self.session.welcome.player

    @property
    def now(self) -> float:
        """Seconds on a clock that never runs backwards."""
        return self._shell.now()

    @property
    def server_now(self) -> int:
        """The server's time in milliseconds since 1970; 0 before the first message."""
        return 0 if self._ahead is None else int(self._shell.now() * 1000 + self._ahead)

    # A player's commands. They raise Refused.

    async def create_room(
        self,
        game: str,
        *,
        seats: int | None = None,
        private: bool = False,
        watchers: bool = True,
        rated: bool = False,
        clock: Mapping[str, int] | None = None,
        seat: Seat | None = 0,
        subscribe: Collection[EventName] = (),
        **options: Any,
    ) -> Room:
        """Create a table and sit down on `seat` (None: watch).

        A `clock` is {"base": SECONDS, "increment": SECONDS}, {"per_move": SECONDS} or {"days": DAYS}.

        Without `watchers`, no one may join to watch. The end of a `rated` game moves both ratings; it has a
        clock, 5 minutes + 5 s a move by default. The events in `subscribe` arrive from the start.
        """
        fields: dict[str, Any] = {"game": game, "private": private, "seat": seat}
        if not watchers:
            fields["watchers"] = False
        if rated:
            fields["rated"] = True
        if subscribe:
            fields["subscribe"] = list(subscribe)
        fields["options"] = {to_camel(name): value for name, value in options.items()}
        if seats is not None:
            fields["seats"] = seats
        if (terms := clock_or_usual(clock, rated=rated)) is not None:
            fields["clock"] = terms
        return self._room_of(await self.ask("createRoom", **fields))

    async def join(
        self,
        *,
        room: str | None = None,
        code: str | None = None,
        seat: Seat | None = None,
        watch: bool = False,
        invite: str | None = None,
        subscribe: Collection[EventName] = (),
    ) -> Room:
        """Join a room: on `seat`, on any free seat, or with `watch` as a watcher. `subscribe` is as in
        `create_room`.
        """
        fields: dict[str, Any] = {
            "room": room,
            "code": code,
            "seat": seat,
            "invite": invite,
            "watch": watch or None,
            "subscribe": list(subscribe) or None,
        }
        given = {name: value for name, value in fields.items() if value is not None}
        return self._room_of(await self.ask("join", **given))

    async def invite(
        self, room: Room, seat: Seat, *, player: str | None = None, bot: str | None = None
    ) -> ServerMessage:
        """Reserve `seat` for a player (by id), or for any bot that plays "GAME:LEVEL"."""
        invited = {"player": player} if player is not None else {"bot": bot}
        return await self.ask("invite", room=room.id, seat=seat, **invited)

    async def watch_lobby(self) -> LobbyList:
        """Return the current lobby. From then on `lobby` tells its changes."""
        lobby = await self.ask("watchLobby")
        assert isinstance(lobby, LobbyList)
        return lobby

    async def unwatch_lobby(self) -> ServerMessage:
        return await self.ask("unwatchLobby")

    async def mute(self, player: str, what: Muting = "chat") -> ServerMessage:
        """Mute `player` (an id): hide their chat, or with "all" their invitations too. "none" ends this.

        The muting holds in all rooms and sessions until the server restarts. The other player isn't told.
        """
        answer = await self.ask("mute", player=player, what=what)
        self.muted.pop(player, None)
        if what != "none":
            self.muted[player] = what
        return answer

    async def seek(
        self,
        game: str | None = None,
        *,
        clock: Mapping[str, int] | None = None,
        bots: bool | None = None,
        rated: bool = False,
        subscribe: Collection[EventName] = (),
        **options: Any,
    ) -> str:
        """Look for an opponent in `game` or any game; `room_opened` tells when one is found.

        With `bots`, an idle bot joins after 10 s. That is the default if there is no `game` and the seek
        isn't `rated`. Returns the name of the seek for `cancel_seek`; the seek also ends with the connection.
        The other arguments are as in `create_room`.
        """
        fields: dict[str, Any] = {"game": game, "bots": bots, "subscribe": list(subscribe) or None}
        fields["rated"] = rated or None
        fields["options"] = {to_camel(name): value for name, value in options.items()} or None
        fields["clock"] = clock_or_usual(clock, rated=rated and game is not None)
        given = {name: value for name, value in fields.items() if value is not None}
        answer = await self.ask("seek", **given)
        assert isinstance(answer, Ok)
        assert answer.seek is not None
        return answer.seek

    async def cancel_seek(self, seek: str) -> ServerMessage:
        return await self.ask("cancelSeek", seek=seek)

    async def watch_best(self, game: str | None = None) -> ServerMessage:
        """Subscribe to `best`, which names the best public game to watch, now and whenever that changes. See
        `Channel`.
        """
        return await self.ask("watchBest", **({} if game is None else {"game": game}))

    async def unwatch_best(self) -> ServerMessage:
        return await self.ask("unwatchBest")

    async def list_rooms(self) -> OwnRooms:
        """Our games, with the seat to move and the time left. Games that wait for us come first."""
        rooms = await self.ask("listRooms")
        assert isinstance(rooms, OwnRooms)
        return rooms

    async def hand_over(self) -> HandedOver:
        """Return a code with which one more device becomes this player. It works once; see `connect`."""
        handed_over = await self.ask("handOver")
        assert isinstance(handed_over, HandedOver)
        return handed_over

    async def list_tokens(self) -> list[TokenLine]:
        """The tokens of this player, one for each device."""
        tokens = await self.ask("listTokens")
        assert isinstance(tokens, TokenList)
        return tokens.tokens

    async def end_token(self, token: str) -> ServerMessage:
        """Sign a device out by the id of its token."""
        return await self.ask("endToken", token=token)

    async def decline(self, invite: str) -> ServerMessage:
        return await self.ask("decline", invite=invite)

    async def show_ratings(self, game: str, speed: Speed = "rapid", *, after: int = 0) -> Ratings:
        """The best players at `game`, from rank `after` + 1 on."""
        page = await self.ask("showRatings", game=game, speed=speed, after=after)
        assert isinstance(page, Ratings)
        return page

    async def show_times(self, course: Course = "beginner", *, bots: bool = False, after: int = 0) -> Times:
        """The fastest players at a course, from rank `after` + 1 on."""
        page = await self.ask("showTimes", course=course, bots=bots, after=after)
        assert isinstance(page, Times)
        return page

    async def show_player(
        self, player: str, *, rival: str | None = None, after: str | None = None
    ) -> PlayerPage:
        """Ratings and games of `player`, by id or name, and the score against `rival`, by default us.

        `after` is the `more` of the previous page.
        """
        given = {"rival": rival, "after": after}
        fields = {name: value for name, value in given.items() if value is not None}
        page = await self.ask("showPlayer", player=player, **fields)
        assert isinstance(page, PlayerPage)
        return page

    async def show_tonight(self, *, after: str | None = None) -> Tonight:
        """The games of the last twelve hours. `after` is the `more` of the previous page."""
        page = await self.ask("showTonight", **({} if after is None else {"after": after}))
        assert isinstance(page, Tonight)
        return page

    def finish(self) -> None:
        """End the connection; callers of `wait_ended` go on."""
        self._shell.finish()

    async def wait_ended(self) -> None:
        """Wait until this client is disconnected and won't reconnect."""
        await self._shell.ended()

    async def ask(self, type: str, **fields: Any) -> ServerMessage:
        """Send a command and wait for its answer, across reconnects."""
        state = self.session.state
        if state is LineState.ENDED:
            raise self._gone()
        promise = self._shell.promise()
        self._promised[self.session.command(type, fields, self._shell.now())] = promise
        if state is not LineState.OPEN:
            self.postponed.emit(type)
        self._shell.wake()
        answer: ServerMessage = await promise
        return answer

    async def next_of(self, event: Event[T]) -> T:
        """Wait for the next value of `event`."""
        promise = self._shell.promise()

        def tell(value: T) -> None:
            if not promise.done():
                promise.set_result(value)

        event.subscribe(tell)
        try:
            told: T = await promise
        finally:
            event.unsubscribe(tell)
        return told

    def _gone(self) -> Disconnected:
        return Disconnected(self.ended.sentence if self.ended else "This client is closed.")

    def _room_of(self, answer: ServerMessage) -> Room:
        assert isinstance(answer, Joined)
        if answer.room not in self.rooms:
            raise Disconnected("The room closed before we were in it.")
        return self.rooms[answer.room]

    # Methods for rooms (see room.Line)

    def subscribe(self, room: str, event: EventName) -> None:
        self.session.subscribe(room, event, self._shell.now())
        self._shell.wake()

    def unsubscribe(self, room: str, event: EventName) -> None:
        self.session.unsubscribe(room, event, self._shell.now())
        self._shell.wake()

    def post(self, call: Callable[[], None]) -> None:
        """Call `call` soon, in the client's own thread. Works from any thread."""
        self._shell.post(call)

    def after(self, seconds: float, call: Callable[[], None]) -> None:
        """Call `call` after `seconds`, unless this client is closed by then."""
        self._shell.after(seconds, call)

    def aside(self, thought: Callable[[], Thought], done: Callable[[Thought], None]) -> None:
        """Call `thought` in another thread, then `done` with its result in the client's thread."""

        def task() -> None:
            result = thought()
            self._shell.post(lambda: done(result))

        self._shell.aside(task)

    # Methods for the shell

    def receive(self, message: ServerMessage) -> None:
        now = self._shell.now()
        if isinstance(message, Welcome | Pong):
            ahead = message.now - now * 1000
            if self._ahead is None or isinstance(message, Welcome):
                self._ahead = ahead  # the next welcome may come from another server, with another clock
            self._ahead = max(ahead, self._ahead)
        self._dispatch(self.session.receive(message, now))

    def lost(self, close_code: int | None) -> float | None:
        """Handle a lost connection. Return the seconds until the next attempt; None for no attempt."""
        wait, happened = self.session.disconnected(close_code, self._shell.now())
        self._dispatch(happened)
        self.disconnected.emit(wait)
        return wait

    def _dispatch(self, happened: list[events.SessionEvent]) -> None:
        for event in happened:
            match event:
                case events.Welcomed(welcome):
                    self.muted = dict(welcome.muted or {})
                    self.connected.emit(welcome)
                case events.RoomOpened(progress, after):
                    self._room_opened(Room(self, progress, self.rooms.get(after or "")))
                case events.RoomClosed(room, why):
                    self.rooms.pop(room).close(why)
                case events.CaughtUp(room):
                    self.rooms[room].caught_up.emit(None)
                case events.Settled(id, answer):
                    promise = self._promised.pop(id)
                    if promise.done():
                        pass  # the caller has given up
                    elif isinstance(answer, messages.Refused):
                        promise.set_exception(Refused.by(answer))
                    else:
                        promise.set_result(answer)
                case events.SessionEnded():
                    self._ended(event)
                case events.Received(LobbyList() | LobbyChanged() as message):
                    self.lobby.emit(message)
                case events.Received(Invited() as message):
                    self.invited.emit(message)
                case events.Received(Best() as message):
                    self.best.emit(message)
                case events.Received(messages.Announcement() as message):
                    self.announced.emit(message)
                case events.Received(messages.Declined() as message):
                    self.declined.emit(message)
                case events.Received(message):
                    if (here := self.rooms.get(getattr(message, "room", ""))) is not None:
                        here.tell(message)

    def _room_opened(self, room: Room) -> None:
        self.rooms[room.id] = room
        self.room_opened.emit(room)
        if room.previous is not None:
            room.previous.rematch.emit(room)

    def _ended(self, ended: events.SessionEnded) -> None:
        self.ended = ended
        for id in ended.abandoned:
            promise = self._promised.pop(id)
            if not promise.done():
                promise.set_exception(self._gone())

    def close(self) -> None:
        """Remove all subscribers from all events; open commands fail."""
        self._dispatch(self.session.close())
        for room in list(self.rooms.values()):
            room.close("This client closed.")
        for event in vars(self).values():
            if isinstance(event, Event):
                event.unsubscribe_all()

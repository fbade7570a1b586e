"""One of two twin games, played through the hub and the codec; all bytes to all players are kept."""

from __future__ import annotations

from random import Random

from tablero_games.record.file import write
from tablero_protocol.codec import CODECS, SUBPROTOCOLS
from tablero_protocol.messages import CLIENT_MESSAGE
from tablero_server.core.effects import Effects
from tablero_server.core.hub import Hub
from tablero_server.core.limits.limits import Limits, Rate
from tablero_server.http.record_pages import export, for_replay
from tablero_server.processes.replay_process import replayed, shown_by
from tests.harness.twins.pairs import Json, Told, Twins, Who

_FREE = Rate(0.001, 1_000_000)
EVENTS = ["nextPlayer", "chat", "members", "offers"]


def told(pair: Twins, which: int) -> Told:
    """The frames that all players get in one of the two games, and the text of two pages."""
    table = Table(pair, which)
    for step in pair.steps:
        table.say(step.who, step.messages[which])
    room = table.hub.rooms.open[table.room].room
    for who, frames in table.frames.items():
        seats = [who] if isinstance(who, int) else []
        frames.append(write(export(room, seats)).encode())
        source = for_replay(room, seats)
        code, replay = replayed(write(source.played).encode(), shown_by(source.so_far))
        assert code == 0, replay
        frames.append(replay)
    return table.frames


class Table:
    def __init__(self, pair: Twins, which: int) -> None:
        random = Random(7)
        self.hub = Hub(random.randbytes, Limits(turns=_FREE, messages=_FREE, replays=_FREE, chat=_FREE))
        self.hub.ids.seed = lambda: pair.numbers[which]  # type: ignore[method-assign]
        self._field = pair.fields[which]
        self._codec = CODECS[SUBPROTOCOLS[pair.numbers[0] % 2]]
        self._now = 1_000_000
        self._sent = 0
        self._peers: dict[int, Who] = dict(enumerate([*range(pair.seats), "watcher"]))
        self.frames: Told = {who: [] for who in self._peers.values()}
        self.room = ""
        for who in self.frames:
            self.say(who, {"type": "hello", "protocol": 1, "client": "test", "name": f"player-{who}"})
        shape: Json = {"game": "minesweeper", "options": pair.options, "seats": pair.seats}
        self.say(0, {"type": "createRoom", "subscribe": EVENTS, **shape})
        (self.room,) = self.hub.rooms.open
        for who in [*range(1, pair.seats), "watcher"]:
            self.say(who, {"type": "join", "watch": who == "watcher", "subscribe": EVENTS})
        self._now += self.hub.limits.countdown_ms
        self._keep(self.hub.tick(self._now))

    def say(self, who: Who, message: Json) -> None:
        self._sent += 1
        self._now += 7
        peer = next(peer for peer, each in self._peers.items() if each == who)
        whole = in_room({**message, "id": f"i{self._sent}"}, self.room, self._epoch())
        command = CLIENT_MESSAGE.validate_python(whole, by_alias=True, by_name=False)
        effects = self.hub.receive(peer, command, self._now)
        self._keep(effects)
        for asked in effects.searches:
            self._keep(self.hub.found(asked.ticket, self._field, self._now))
        self._keep(self.hub.tick(self._now))

    def _epoch(self) -> str:
        return self.hub.rooms.open[self.room].room.epoch if self.room else ""

    def _keep(self, effects: Effects) -> None:
        for peer, message in effects.messages:
            frame = self._codec.encode(message)
            self.frames[self._peers[peer]].append(frame.encode() if isinstance(frame, str) else frame)
        for peer, why in effects.closes:
            self.frames[self._peers[peer]].append(b"closed %d" % why)


def in_room(message: Json, room: str, epoch: str) -> Json:
    """The message with its room filled in."""
    if message["type"] in ("hello", "createRoom", "ping", "watchLobby"):
        return message
    return {**message, "room": room, **({"epoch": epoch} if message["type"] == "resume" else {})}

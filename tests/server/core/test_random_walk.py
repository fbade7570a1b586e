"""Random evenings at the desk: whatever anybody does in whatever order, every promise in desk.py holds.

Each step is one command, a broken connection, a return, or some time going by; most commands make sense where
they are sent, some do not. A failing evening is replayed by its seed.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from tablero_protocol.messages import EVENTS
from tests.harness.desk import Desk, Message, Peer

STEPS = 500
TABLES: list[Message] = [
    {"game": "tic-tac-toe"},
    {"game": "tic-tac-toe", "clock": {"base": 2, "increment": 1}},
    {"game": "connect-four", "options": {"columns": 4, "rows": 4}},
    {"game": "dots-and-boxes", "options": {"rows": 1, "columns": 2}},
    {"game": "minesweeper", "options": {"width": 4, "height": 4, "mines": 3}},
    {"game": "minesweeper", "seats": 3, "options": {"width": 4, "height": 4, "mines": 3, "mode": "race"}},
    {"game": "minesweeper", "seats": 2, "options": {"width": 4, "height": 4, "mines": 3, "mode": "coop"}},
    {"game": "minesweeper", "options": {"width": 4, "height": 4, "mines": 3, "noGuess": True}},
]
WEIGHTS = {
    "play": 110, "say": 3, "resign": 2, "offer": 12, "answer": 8, "subscribe": 5, "unsubscribe": 4,
    "create": 9, "join": 24, "by_code": 3, "leave": 6, "take_seat": 3, "resume": 4, "invite": 5, "accept": 5,
    "decline": 1, "watch_lobby": 2, "again": 8, "drop": 4, "come_back": 12, "second_session": 2, "wait": 12,
    "restart": 1, "fail": 2, "host_acts": 6,
}  # fmt: skip


class Evening:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.desk = Desk(
            seed,
            rooms=8,
            watchers=2,
            session_memory_ms=20_000,
            absence_ms=40_000,
            waiting_ms=60_000,
            replay_events=12,
            invite_ms=3_000,
        )
        self.here = [self.desk.peer(name) for name in ("ann", "bob", "cat", "dan")]
        self.here.append(self.desk.bot("rob", "tic-tac-toe:easy", "connect-four:easy", capacity=8))
        self.away: list[Peer] = []
        self.sent: list[tuple[Peer, Message]] = []
        self.outcomes: Counter[str] = Counter()

    def step(self) -> None:
        what = self.random.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        self.here = [peer for peer in self.here if peer.closed is None]
        if self.here:
            getattr(self, what)(self.random.choice(self.here))
        else:
            self.come_back(self.away[0])

    def ask(self, peer: Peer, type: str, **fields: Any) -> Message:
        message = {"type": type, "id": self.desk.new_id(), **fields}
        self.sent.append((peer, message))
        answer = self.desk.receive(peer, message)
        self.outcomes[answer["code"] if answer["type"] == "refused" else answer["type"]] += 1
        return answer

    # Where a command is aimed

    def a_room(self, peer: Peer) -> str:
        """Mostly one of this session's rooms, sometimes any or none."""
        mine = self.rooms_of(peer, "playing") or self.rooms_of(peer)
        if mine and self.random.random() < 0.97:
            return self.random.choice(mine)
        return self.random.choice([*self.desk.journal, "nowhere"])

    def rooms_of(self, peer: Peer, *states: str) -> list[str]:
        mine = sorted(self.desk.hub.peers[peer.number].rooms)
        return [room for room in mine if not states or self.desk.room(room).state.value in states]

    def a_seat(self, peer: Peer, room: str) -> int:
        views = self.desk.hub.rooms.open.get(room)
        viewer = views and views.viewers.get(peer.session)
        if viewer and viewer.seats and self.random.random() < 0.9:
            return self.random.choice(sorted(viewer.seats))
        return self.random.randrange(4)

    def some_events(self) -> list[str]:
        return [event for event in EVENTS if self.random.random() < 0.6]

    # What may happen

    def play(self, peer: Peer) -> None:
        """Mostly somebody whose turn it is; sometimes anybody, with a move out of the air."""
        ready = [
            (each, id, seat)
            for each in self.here
            for id in sorted(self.desk.hub.peers[each.number].rooms)
            for seat in sorted(self.desk.views(id).viewers[each.session].seats)
            if (position := self.desk.room(id).position) and seat in position.to_move
        ]
        if not ready or self.random.random() < 0.1:
            room = self.a_room(peer)
            self.ask(peer, "playTurn", room=room, seat=self.a_seat(peer, room), ply=0, move="a1")
            return
        peer, id, seat = self.random.choice(ready)
        room_now = self.desk.room(id)
        assert room_now.play is not None
        move = self.random.choice(room_now.play.position.legal_moves(seat))
        ply = room_now.play.expected_ply(seat) or 0
        late = self.random.random() < 0.05
        self.ask(peer, "playTurn", room=id, seat=seat, ply=ply + late, move=move)

    def say(self, peer: Peer) -> None:
        self.ask(peer, "say", room=self.a_room(peer), text=self.random.choice(["hello", "\x1b[2J", "gg"]))

    def resign(self, peer: Peer) -> None:
        room = self.a_room(peer)
        self.ask(peer, "resign", room=room, seat=self.a_seat(peer, room))

    def offer(self, peer: Peer) -> None:
        over = self.rooms_of(peer, "finished")
        playing = self.random.choice(["draw", "takeback", "takeback"])
        what = "rematch" if over and self.random.random() < 0.8 else playing
        room = self.random.choice(over) if what == "rematch" else self.a_room(peer)
        self.ask(peer, "offer", room=room, seat=self.a_seat(peer, room), what=what)

    def answer(self, peer: Peer) -> None:
        room = self.a_room(peer)
        views = self.desk.hub.rooms.open.get(room)
        offers = list(views.room.offers) if views else []
        offer = self.random.choice([*offers, "none"]) if len(offers) < 2 else offers[0]
        yes = self.random.random() < 0.8
        self.ask(peer, "answer", room=room, seat=self.a_seat(peer, room), offer=offer, yes=yes)

    def subscribe(self, peer: Peer) -> None:
        event, moves = self.random.choice(EVENTS), self.random.random() < 0.5
        self.ask(peer, "subscribe", room=self.a_room(peer), event=event, legalMoves=moves)

    def unsubscribe(self, peer: Peer) -> None:
        self.ask(peer, "unsubscribe", room=self.a_room(peer), event=self.random.choice(EVENTS))

    def leave(self, peer: Peer) -> None:
        over = self.rooms_of(peer, "finished")
        self.ask(peer, "leave", room=self.random.choice(over) if over else self.a_room(peer))

    def create(self, peer: Peer) -> None:
        seat, private = self.random.choice([0, 0, 1, None]), self.random.random() < 0.3
        table = self.random.choice(TABLES)
        self.ask(peer, "createRoom", seat=seat, private=private, subscribe=self.some_events(), **table)

    def join(self, peer: Peer) -> None:
        rooms = [*self.desk.hub.rooms.open, "nowhere"]
        waiting = [room for room in rooms[:-1] if self.desk.room(room).state.value == "waiting"]
        room = self.random.choice(waiting if waiting and self.random.random() < 0.7 else rooms)
        seat = {"seat": self.random.randrange(3)} if self.random.random() < 0.3 else {}
        watch = self.random.random() < 0.1
        self.ask(peer, "join", room=room, watch=watch, subscribe=self.some_events(), **seat)

    def by_code(self, peer: Peer) -> None:
        codes = [views.room.code for views in self.desk.hub.rooms.open.values() if views.room.code]
        code = self.random.choice([*codes, "0000-0000"])
        self.ask(peer, "join", code=code.lower().replace("-", ""), subscribe=self.some_events())

    def take_seat(self, peer: Peer) -> None:
        room = self.a_room(peer)
        self.ask(peer, "takeSeat", room=room, seat=self.random.randrange(3))

    def resume(self, peer: Peer) -> None:
        for room in sorted(self.desk.hub.peers[peer.number].rooms):
            epoch = self.desk.room(room).epoch
            seq = peer.heads.get(room, 0) if room in peer.behind else self.random.randrange(30)
            self.ask(peer, "resume", room=room, epoch=epoch, seq=seq)

    def invite(self, peer: Peer) -> None:
        room, seat = self.a_room(peer), self.random.randrange(3)
        if self.random.random() < 0.5:
            guest: Message = {"bot": self.random.choice(["tic-tac-toe:easy", "connect-four:easy"])}
        else:
            guest = {"player": self.random.choice(self.here).player}
        self.ask(peer, "invite", room=room, seat=seat, **guest)

    def accept(self, peer: Peer) -> None:
        for invitation in list(self.desk.hub.invitations._open.values()):
            if invitation.player == peer.player or self.random.random() < 0.05:
                self.ask(
                    peer, "join", room=invitation.room, invite=invitation.id, subscribe=self.some_events()
                )

    def decline(self, peer: Peer) -> None:
        for invitation in list(self.desk.hub.invitations._open):
            self.ask(peer, "decline", invite=invitation)

    def watch_lobby(self, peer: Peer) -> None:
        self.ask(peer, self.random.choice(["watchLobby", "watchLobby", "unwatchLobby"]))

    def again(self, _: Peer) -> None:
        """Somebody impatient sends one of the last commands once more, from wherever it is now."""
        peer, message = self.random.choice(self.sent[-30:] or [(self.here[0], {"type": "ping", "id": "p"})])
        now = [other for other in self.here if other.player == peer.player]
        if now and message["type"] != "resume":
            heads = {room: views.room.head for room, views in self.desk.hub.rooms.open.items()}
            logged = message["id"] in self.desk.hub.accounts.by_id[peer.player].logged
            answer = self.desk.receive(self.random.choice(now), message)
            if logged:
                assert answer["type"] != "refused" or answer["reason"] == "leftSince"
                assert heads == {room: views.room.head for room, views in self.desk.hub.rooms.open.items()}

    def drop(self, peer: Peer) -> None:
        self.desk.drop(peer)
        self.away.append(peer)

    def come_back(self, _: Peer) -> None:
        if self.away:
            gone = self.away.pop(self.random.randrange(len(self.away)))
            back = self._back(gone)
            self.here.append(back)
            if self.random.random() < 0.9:
                self.resume(back)

    def second_session(self, peer: Peer) -> None:
        if len(self.here) < 8:
            self.here.append(self._back(peer, same_session=False))

    def _back(self, gone: Peer, *, same_session: bool = True) -> Peer:
        if self.desk.hub.accounts.by_id[gone.player].saved is None:
            self.desk.failing = False  # nobody comes in who has to be saved and cannot be
        return self.desk.back(gone, same_session=same_session)

    def restart(self, _: Peer) -> None:
        """The server is killed, and begins again on a disk with room; most come back, as far as they were."""
        self.desk.failing = False
        self.desk.restart()
        self.away += self.here
        self.here = []
        for gone in self.random.sample(self.away, k=len(self.away) * 3 // 4):
            if not any(back.player == gone.player for back in self.here):
                self.away.remove(gone)
                self.here.append(self.desk.back(gone))
                for held in self.here[-1].welcome["rooms"]:
                    self.ask(
                        self.here[-1], "join", room=held["room"], watch=True, subscribe=self.some_events()
                    )

    def fail(self, _: Peer) -> None:
        """Nothing can be saved for a while."""
        self.desk.failing = not self.desk.failing and self.random.random() < 0.5

    def host_acts(self, peer: Peer) -> None:
        """The host does what a host may; whoever is sent away is let in again at once."""
        desk, authority = self.desk, self.desk.hub.authority
        account, until = desk.hub.accounts.by_id[peer.player], desk.now + 2_000
        what = self.random.choice(["kick", "ban", "mute", "close", "announce", "drain", "undrain"])
        match what:
            case "kick":
                desk.by_host(authority.kick(account, "", desk.now, from_everywhere=True))
            case "ban":
                desk.by_host(authority.keep_out(account, None, "", desk.now, from_everywhere=True))
            case "mute":
                desk.by_host(authority.mute(account, until, "", desk.now, from_everywhere=True))
            case "close" if desk.hub.rooms.open:
                views = self.random.choice(list(desk.hub.rooms.open.values()))
                desk.by_host(authority.close(views, "", desk.now))
            case "announce":
                desk.by_host(authority.announce("hello"))
            case "drain":
                desk.by_host(authority.drain(then_stop=False))
            case "undrain" if authority.draining:
                desk.by_host(authority.undrain())
        self.outcomes[what] += 1
        for gone in [each for each in self.here if each.closed is not None]:
            self.here.remove(gone)
            desk.drop(gone)
            self.away.append(gone)
        while desk.hub.sanctions.called("out", account.id):
            desk.failing = False
            desk.by_host(authority.lift("out", account.id))
        if authority.draining and self.random.random() < 0.5:
            desk.by_host(authority.undrain())

    def wait(self, _: Peer) -> None:
        self.desk.tick(self.random.choice([0, 50, 500, 1_500]))


@pytest.mark.parametrize("seed", range(8))
def test_a_random_evening_keeps_every_promise(seed: int) -> None:
    evening = Evening(seed)
    for _ in range(STEPS):
        evening.step()
    assert evening.outcomes["nextPlayer"] > 5, "and something happened"


def test_the_lobby_ends_up_telling_the_truth() -> None:
    evening = Evening(seed=99)
    for _ in range(STEPS):
        evening.step()
    evening.desk.failing = False
    evening.desk.tick()
    fresh = evening.desk.peer("zoe")
    evening.desk.tick()
    lobby = fresh.ask("watchLobby")
    rooms = evening.desk.hub.rooms
    assert {line["room"]: line for line in lobby["rooms"]} == {
        id: rooms._room_line(id) for id, views in rooms.open.items() if not views.room.private
    }
    here = {session.account.id for session in evening.desk.hub.peers.values()}
    assert {line["id"]: line for line in lobby["players"]} == {id: rooms._player_line(id) for id in here}


def test_when_everybody_is_gone_nothing_is_left() -> None:
    evening = Evening(seed=5)
    for _ in range(STEPS):
        evening.step()
    evening.desk.failing = False
    for peer in evening.here:
        if peer.closed is None:
            evening.desk.drop(peer)
    evening.desk.tick(20_000)
    evening.desk.tick(40_000)
    evening.desk.tick(evening.desk.hub.limits.session_memory_ms)
    evening.desk.tick(evening.desk.hub.limits.session_memory_ms)
    hub = evening.desk.hub
    assert not hub.rooms.open
    assert not any(account.logged for account in hub.accounts.by_id.values())
    assert not hub.rooms._by_code
    assert not hub.accounts.sessions
    assert not hub.invitations._open
    evening.desk.tick(91 * 24 * 3_600_000)
    assert not hub.accounts.by_id
    assert not hub.alarms._due

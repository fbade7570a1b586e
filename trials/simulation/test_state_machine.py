"""Hypothesis looks for the shortest way to break a promise of the hub and its journal, step by step.

Every promise in desk.py is checked at each step; `make simulate` looks for what needs a network and time.
"""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from tests.harness.desk import Desk, Message, Peer
from tests.harness.tiers import FULL

EXAMPLES, STEPS = (500, 100) if FULL else (60, 40)
TABLES: list[Message] = [
    {"game": "tic-tac-toe", "clock": {"base": 60, "increment": 1}},
    {"game": "quoridor", "options": {"size": 3, "walls": 1}},
    {"game": "minesweeper", "seats": 2, "options": {"width": 4, "height": 4, "mines": 3, "mode": "race"}},
    {"game": "minesweeper", "seats": 2, "options": {"width": 4, "height": 4, "mines": 3, "mode": "coop"}},
]
WHO = st.integers(0, 1)
HOUR = 3_600_000


class Evening(RuleBasedStateMachine):
    """Two players at one table after another, and a server that crashes, whose clock jumps, and whose disk is
    full at times.
    """

    def __init__(self) -> None:
        super().__init__()
        self.desk = Desk(seen_every_ms=10**15)  # a return writes nothing, so the disk may be full
        self.peers: list[Peer] = []
        self.room = ""
        self.sent: list[tuple[str, Message, Message]] = []
        """Commands as (author, command, answer)."""

    @initialize(table=st.sampled_from(TABLES))
    def sit_down(self, table: Message) -> None:
        self.peers = [self.desk.peer("ann"), self.desk.peer("bob")]
        self.room = self.peers[0].create(**table)
        self.peers[1].join(self.room)

    # Actions of players

    def _here(self, who: int) -> Peer:
        """The player; reconnects first if the line is gone."""
        if self.peers[who].closed is not None:
            self._return(who)
        return self.peers[who]

    def _return(self, who: int) -> None:
        peer = self.peers[who] = self.desk.back(self.peers[who])
        for held in peer.welcome["rooms"]:
            room = held["room"]
            if room in self.desk.hub.peers[peer.number].rooms:
                self._resume(peer, room)
            else:
                peer.ask("join", room=room, watch=True, subscribe=["nextPlayer"])

    def _resume(self, peer: Peer, room: str) -> None:
        epoch, seq = self.desk.room(room).epoch, peer.heads.get(room, 0)
        answer = peer.ask("resume", room=room, epoch=epoch, seq=seq)
        if answer["type"] == "ok":
            missed = {message["seq"] for message in peer.seen if message.get("room") == room}
            assert missed == set(range(seq + 1, answer["seq"] + 1)), (
                "a resume brings everything, or a snapshot"
            )

    def _ask(self, peer: Peer, type: str, **fields: Any) -> Message:
        message = {"type": type, "id": self.desk.new_id(), **fields}
        answer = self.desk.receive(peer, message)
        self.sent.append((peer.player, message, answer))
        return answer

    @rule(who=WHO, watch=st.booleans())
    def join(self, who: int, watch: bool) -> None:
        self._ask(self._here(who), "join", room=self.room, watch=watch, subscribe=["nextPlayer"])

    @rule(choice=st.integers(0, 1_000), late=st.sampled_from([0, 0, 0, 1]))
    def move(self, choice: int, late: int) -> None:
        """Plays a move. A `late` move is refused, unless the game does not count turns."""
        views = self.desk.hub.rooms.open.get(self.room)
        if views is None or views.room.play is None or not views.room.play.position.to_move:
            return
        room, play = views.room, views.room.play
        position = play.position
        to_move = sorted(position.to_move)
        seat = to_move[choice % len(to_move)]
        moves = position.legal_moves(seat)
        who = next((at for at, peer in enumerate(self.peers) if peer.player == room.seats[seat]), 0)
        ply = (play.expected_ply(seat) or 0) - late
        move = moves[choice % len(moves)]
        peer = self._here(who)
        ply = max(0, ply)
        stale = play.expected_ply(seat) not in (ply, None)
        answer = self._ask(peer, "playTurn", room=self.room, seat=seat, ply=ply, move=move)
        assert not stale or answer["type"] == "refused", "a stale turn was accepted"

    @rule(
        who=WHO, seat=st.integers(0, 2), ply=st.integers(0, 3), move=st.sampled_from(["a1", "z9", "dig a1"])
    )
    def illegal_move(self, who: int, seat: int, ply: int, move: str) -> None:
        self._ask(self._here(who), "playTurn", room=self.room, seat=seat, ply=ply, move=move)

    @rule(who=WHO, what=st.sampled_from(["draw", "rematch"]), seat=st.integers(0, 1))
    def offer(self, who: int, what: str, seat: int) -> None:
        self._ask(self._here(who), "offer", room=self.room, seat=seat, what=what)

    @rule(who=WHO, really=st.sampled_from([False, False, False, False, True]))
    def leave(self, who: int, really: bool) -> None:
        if really:
            self._ask(self._here(who), "leave", room=self.room)

    @rule(who=WHO, table=st.sampled_from(TABLES))
    def another_table(self, who: int, table: Message) -> None:
        answer = self._ask(self._here(who), "createRoom", subscribe=["nextPlayer"], **table)
        if answer["type"] == "joined":
            self.room = answer["room"]

    @precondition(lambda self: self.sent)
    @rule(choice=st.integers(0, 1_000))
    def duplicate(self, choice: int) -> None:
        """Repeats a command on the author's present connection. An accepted command changes nothing again."""
        place = -1 - choice % min(8, len(self.sent))
        player, message, first = self.sent[place]
        peer = self._here(0 if self.peers[0].player == player else 1)
        logged = message["id"] in self.desk.hub.accounts.by_id[player].logged
        heads = self.desk._heads()
        answer = self.desk.receive(peer, message)
        if logged:
            assert self.desk._heads() == heads
            if answer["type"] == "refused":
                assert answer["reason"] == "leftSince"
                assert message["type"] in ("createRoom", "join")
                assert self._has_left_since(player, message["id"])
                return
            # a player who has left no longer gets the subscription
            assert answer["type"] in (first["type"], "ok")
            assert answer.get("seq") == first.get("seq")
        else:
            # a refused command is checked again, and may be accepted now
            self.sent[place] = (player, message, answer)

    def _has_left_since(self, player: str, id: str) -> bool:
        """Whether the player left the room after entering by the command with this id."""
        came = self.desk.hub.accounts.by_id[player].logged[id]
        return self.desk.room(came.room).has_left_since(came.seq, player)

    # Events

    @rule(who=WHO)
    def drop(self, who: int) -> None:
        if self.peers[who].closed is None:
            self.desk.drop(self.peers[who])

    @rule(who=WHO)
    def resume(self, who: int) -> None:
        if self.peers[who].closed is not None:
            self._return(who)

    @rule(jump=st.sampled_from([0, 1_000, HOUR, -HOUR, 24 * HOUR, -24 * HOUR]))
    def crash_and_reload(self, jump: int) -> None:
        """Restarts the server after a crash; the wall clock may have been set meanwhile."""
        self.desk.failing = False
        stopped = self.desk.now
        self.desk.now += jump
        before = {id: each.room.clock for id, each in self.desk.hub.rooms.open.items()}
        self.desk.restart()
        for id, clock in before.items():
            room = self.desk.room(id)
            if clock is not None and room.clock is not None:
                for had, has in zip(clock.left(stopped), room.clock.remaining, strict=True):
                    assert has >= had, "somebody was charged for an outage"

    @rule(failing=st.booleans())
    def disk(self, failing: bool) -> None:
        self.desk.failing = failing

    @rule(later=st.sampled_from([0, 100, 5_000]))
    def wait(self, later: int) -> None:
        self.desk.tick(later)


Evening.TestCase.settings = settings(
    max_examples=EXAMPLES,
    stateful_step_count=STEPS,
    suppress_health_check=list(HealthCheck),
)


TestHubAndJournal = Evening.TestCase
"""The state machine, with a name that pytest finds."""

"""Games at a desk: started, played to the end, or left by all players."""

from __future__ import annotations

import random
from typing import Any

from tests.harness.desk import Desk, Message, Peer

DAYS: Message = {"clock": {"days": 3}}
MEMORY = 120_000


def moved(peers: tuple[Peer, ...], room: str, moves: int, seed: int = 0) -> None:
    """Plays that many random moves, but none that would end the game."""
    desk, chance = peers[0].desk, random.Random(seed)
    for _ in range(moves):
        position = desk.room(room).position
        assert position is not None
        [seat] = position.to_move
        by = next(peer for peer in peers if peer.player == desk.room(room).seats[seat])
        move = chance.choice(position.legal_moves(seat))
        if position.play(seat, move).outcome:
            return
        desk.now += 1_000
        assert by.play(room, move)["type"] == "nextPlayer"


def table(desk: Desk, game: str = "tic-tac-toe", moves: int = 2, **fields: Any) -> tuple[Peer, Peer, str]:
    """A correspondence game in which Ann and Bob have both moved."""
    ann, bob = desk.peer("ann"), desk.peer("bob")
    room = ann.create(game, **{**DAYS, **fields})
    bob.ask("join", code=desk.room(room).code, subscribe=["nextPlayer"])
    moved((ann, bob), room, moves)
    return ann, bob, room


def all_go(desk: Desk) -> None:
    """Disconnects all players, until the server has forgotten their sessions."""
    for peer in list(desk.peers.values()):
        if peer.closed is None:
            desk.drop(peer)
    for _ in range(3):
        desk.tick(MEMORY)


def is_packed(desk: Desk, room: str) -> bool:
    assert (room in desk.hub.rooms.packed) != (room in desk.hub.rooms.open)
    return room in desk.hub.rooms.packed


RACE: Message = {"mode": "race", "width": 5, "height": 5, "mines": 4}
COOP: Message = RACE | {"mode": "coop"}


def race(desk: Desk, options: Message = RACE, seats: int = 2) -> tuple[list[Peer], str]:
    peers = [desk.peer(name) for name in ("ann", "bob", "cat")[:seats]]
    room = peers[0].create("minesweeper", options=options, seats=seats)
    for peer in peers[1:]:
        peer.join(room)
    return peers, room


def win(desk: Desk, room: str, winner: int = 0) -> None:
    """Plays a game from its start to the end."""
    seats = [desk.seated(room, seat) for seat in (0, 1)]
    if winner == 0:
        for move, seat in zip(("a1", "a2", "b1", "b2", "c1"), (0, 1, 0, 1, 0), strict=True):
            seats[seat].play(room, move)
    else:
        for move, seat in zip(("a1", "a2", "b1", "b2", "a3", "c2"), (0, 1, 0, 1, 0, 1), strict=True):
            seats[seat].play(room, move)


def dig(desk: Desk, ann: Peer, room: str, *, every: int, lose: bool = False) -> None:
    """Plays a field to its end, with a move every `every` milliseconds."""
    while (play := desk.room(room).play) is not None and play.position.outcome is None:
        position: Any = play.position
        field = position.field
        covered = [name for name in position.legal_moves(0) if name.startswith("dig ")]
        names = position._grid.cells
        moves = covered
        if field is not None:
            mine = ord("*")
            moves = [m for m in covered if (field[names[m[4:]]] == mine) == lose]
        desk.tick(every)
        ann.play(room, moves[0])

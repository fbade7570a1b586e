"""A strike tells what it would do, does it on a word more, and takes no game that it has not seen."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from tablero_server.core.effects import Effects
from tablero_server.core.refusal import Refusal
from tablero_server.host import strike
from tablero_server.host.strike import strike_player
from tablero_server.results import Results
from tablero_server.service import Service
from tests.harness.desk import Desk, Message, Peer


class AtDesk:
    """As much of a service as a strike needs, over a desk."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.hub = desk.hub
        self.waited = 0
        self.late: list[Any] = []
        """What happens when it is waited for."""

    @property
    def results(self) -> Results:
        return Results(self.hub, self._desk.store, self.settled)

    async def settled(self) -> None:
        self.waited += 1
        for happens in self.late:
            happens()

    async def carry_out(self, effects: Effects) -> None:
        self._desk.by_host(effects)
        if self._desk.failing:
            raise Refusal("notSaved")


def play(desk: Desk, winner: Peer, loser: Peer) -> str:
    """A rated game of tic-tac-toe."""
    room = winner.create(rated=True)
    loser.join(room)
    for move, peer in zip(("a1", "a2", "b1", "b2", "c1"), (winner, loser) * 3, strict=False):
        peer.play(room, move)
    for peer in (winner, loser):
        peer.ask("leave", room=room)
    desk.now += 1_000
    return room


def sweep(desk: Desk, peer: Peer) -> None:
    """A best time, for a field with a single mine in a corner of which a dig opens all."""
    room = peer.create("minesweeper", options={"level": "beginner"})
    while (position := cast(Any, desk.room(room).position)).outcome is None:
        digs = [move for move in position.legal_moves(0) if move.startswith("dig ")]
        names, field = position._grid.cells, position.field
        safe = digs if field is None else [move for move in digs if field[names[move[4:]]] != ord("*")]
        desk.now += 1_000
        peer.play(room, safe[0])


def said(desk: Desk, player: str, *, really: bool = False, service: AtDesk | None = None) -> Message:
    account = desk.hub.authority.player(player)
    serving = cast(Service, service or AtDesk(desk))
    return asyncio.run(strike_player(serving, account, really=really))


def values(desk: Desk, *peers: Peer) -> list[int | None]:
    """The ratings as pages show them."""
    pages = [peer.ask("showPlayer", player=peer.name) for peer in peers]
    return [page["ratings"][0]["value"] if page["ratings"] else None for page in pages]


@pytest.fixture
def desk() -> Desk:
    """Ben has beaten Ana and Eve, and Eve has beaten Ana."""
    desk = Desk()
    ana, ben, eve = desk.peer("ana"), desk.peer("ben"), desk.peer("eve")
    play(desk, ben, ana)
    play(desk, ben, eve)
    play(desk, eve, ana)
    return desk


def peers(desk: Desk) -> list[Peer]:
    return [next(peer for peer in desk.peers.values() if peer.name == name) for name in ("ana", "ben", "eve")]


def test_what_a_strike_would_do_is_told_and_not_done(desk: Desk) -> None:
    before = values(desk, *peers(desk))
    told = said(desk, "ben")
    assert (told["games"], told["times"]) == (2, 0)
    assert [(each["player"], each["before"], each["after"], each["games"]) for each in told["ratings"]] == [
        ("ben", before[1], None, 0),
        ("eve", before[2], 1662, 1),
        ("ana", before[0], 1338, 1),
    ]
    first, *table = told["message"].splitlines()
    ben = peers(desk)[1].player
    assert first == f"A strike would take out: 2 rated games and 0 best times of ben ({ben})."
    assert table[2].split() == ["ben", "tic-tac-toe", "rapid", str(before[1]), "none", "0"]
    assert values(desk, *peers(desk)) == before


def test_a_strike_leaves_what_the_other_games_make_of_it_and_shows_all_games(desk: Desk) -> None:
    ana, ben, eve = peers(desk)
    assert said(desk, "ben", really=True)["message"].startswith("Struck: 2 rated games")
    assert values(desk, ana, ben, eve) == [1338, None, 1662]
    assert len(ana.ask("showPlayer", player="ben")["games"]) == 2
    assert [each.flagged for each in desk.placings] == [True] * 4 + [False] * 2


@pytest.mark.parametrize("games", [1, 2, 3, 100])
def test_games_are_read_in_pages(desk: Desk, monkeypatch: pytest.MonkeyPatch, games: int) -> None:
    monkeypatch.setattr(strike, "_GAMES", games)
    said(desk, "ben", really=True)
    assert values(desk, *peers(desk)) == [1338, None, 1662]


def test_best_times_are_struck_too(desk: Desk) -> None:
    ana, ben, _ = peers(desk)
    for peer in (ana, ben):
        sweep(desk, peer)
    assert said(desk, "ben", really=True)["times"] == 1
    times = ana.ask("showTimes", course="beginner")["times"]
    assert [line["player"]["name"] for line in times] == ["ana"]
    assert ana.ask("showPlayer", player="ben")["games"][0]["seats"][0]["milliseconds"] > 0


def test_who_has_neither_a_rating_nor_a_time_cannot_be_struck(desk: Desk) -> None:
    desk.peer("dan")
    with pytest.raises(Refusal) as refused:
        said(desk, "dan")
    assert refused.value.reason == "nothingToStrike"
    said(desk, "ben", really=True)
    with pytest.raises(Refusal):
        said(desk, "ben")


def test_a_strike_that_could_not_be_saved_is_refused_and_changes_nothing(desk: Desk) -> None:
    before = values(desk, *peers(desk))
    desk.failing = True
    with pytest.raises(Refusal):
        said(desk, "ben", really=True)
    desk.failing = False
    assert values(desk, *peers(desk)) == before


def test_it_is_waited_for_a_game_that_is_not_durable_yet(desk: Desk) -> None:
    """The book has moved already, and the row comes later."""
    ana, _, eve = peers(desk)
    late = AtDesk(desk)
    play(desk, eve, ana)
    rows = desk.hold_back(2)
    late.late = [lambda: desk.keep(*rows) if rows[0] not in desk.placings else None]
    said(desk, "ben", really=True, service=late)
    assert late.waited == 1
    assert [each["games"] for each in said(desk, "eve")["ratings"]] == [0, 0]


def test_ratings_that_do_not_come_to_rest_are_not_struck(desk: Desk) -> None:
    ana, _, eve = peers(desk)
    play(desk, eve, ana)
    desk.hold_back(2)
    with pytest.raises(Refusal) as refused:
        said(desk, "ben", really=True)
    assert (refused.value.reason, refused.value.retry_after_ms) == ("ratingsMove", 1_000)

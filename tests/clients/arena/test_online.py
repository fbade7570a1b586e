"""The same contest at a real server."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tablero import Bot, Turn
from tablero.arena.match import record_of
from tablero.arena.online import WatchedRoom, check, play_at
from tablero.arena.plan import Contest, WrongContest
from tablero.arena.report import to_json
from tablero.arena.result import Result
from tablero.bot import Failure, Thought
from tablero_games import GAMES
from tablero_games.record.verify import verify
from tablero_protocol.messages import NextPlayer
from tests.harness import arena_players as players
from tests.harness.arena import played as play_here
from tests.harness.wire import a_server

RANDOM = "connect-four:random"


async def played(contest: Contest, concurrency: int = 1) -> Result:
    result = Result(contest)
    async with a_server() as server:
        await play_at(result, f"ws://127.0.0.1:{server.port}/ws", concurrency)
    return result


async def test_bots_meet_in_rooms_and_every_game_is_counted() -> None:
    contest = Contest("connect-four", ("connect-four:child", RANDOM), 6, opening_plies=(2, 3))
    result = await played(contest, 2)
    [score] = result.scores.values()
    assert score.games == 6
    assert score.wins >= 4
    assert not result.failed
    for task, match in zip(result.tasks, result.matches, strict=True):
        assert match.moves[: len(task.opening)] == task.opening
        assert verify(record_of(match, "connect-four", ("a", "b"), {})).over


async def test_a_server_game_is_the_local_game() -> None:
    specs = ("connect-four:child", RANDOM)
    contest = Contest("connect-four", specs, 2, opening_plies=(2, 2), options={"columns": 5})
    online = await played(contest)
    local = Result(contest)
    for task, match in play_here(contest):
        local.add(task, match)
    assert [match.moves for match in online.matches] == [match.moves for match in local.matches]


@pytest.mark.parametrize(
    ("name", "kind"), [("Crashing", "crashes"), ("Cheating", "illegal"), ("Late", "timeouts")]
)
async def test_failures_are_told_apart_there_too(name: str, kind: str) -> None:
    contest = Contest("connect-four", (f"{players.__file__}:{name}", RANDOM), 2)
    told = to_json(await played(contest), 0)
    counts = {each: told[each] for each in ("crashes", "illegal", "timeouts")}
    assert counts == {"crashes": 0, "illegal": 0, "timeouts": 0} | {kind: 2}
    assert told["losses"] == 2


class FakeClient:
    """Has every thought done at once."""

    def aside(self, thought: Callable[[], Thought], done: Callable[[Thought], None]) -> None:
        done(thought())


class First(Bot):
    game = "connect-four"
    limit_seconds = 60.0

    def choose(self, turn: Turn) -> str:
        return turn.legal_moves[0]


class Late(First):
    limit_seconds = 0.0


class FakeRoom:
    def __init__(self) -> None:
        self.given_up: list[int] = []

    def give_up(self, seat: int, failure: Failure | None) -> None:
        self.given_up.append(seat)


@pytest.mark.parametrize(("brain", "moves"), [(First, ["1"]), (Late, [])])
def test_only_a_thought_beyond_its_limit_is_late(brain: type[Bot], moves: list[str]) -> None:
    failures: dict[int, Failure] = {}
    client, room, played = FakeClient(), FakeRoom(), list[Thought]()
    watched = WatchedRoom(client, room, (), failures)  # type: ignore[arg-type]
    view = GAMES["connect-four"].start().view(0)
    event = NextPlayer(room="r", seq=1, ply=0, seats=[0], seat=0, view=view)
    watched.think(brain(), Turn(event, "connect-four", {}), played.append)
    late = [] if moves else [0]
    assert (played, room.given_up, list(failures)) == (moves, late, late)


async def test_a_race_has_the_same_field_for_both() -> None:
    contest = Contest("minesweeper", ("minesweeper:random",) * 2, 2, options={"mode": "race"})
    result = await played(contest)
    assert {match.outcome.ranking is not None for match in result.matches} == {True}


def test_what_a_server_keeps_to_itself_cannot_be_kept_here() -> None:
    contest = Contest("minesweeper", ("minesweeper:random",) * 2, 2, options={"mode": "race"})
    with pytest.raises(WrongContest, match="hides"):
        check(contest, keeps_records=True)
    check(contest, keeps_records=False)

"""A game is one file and one line: what plays, keeps, checks and draws games does so with the examples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tablero.arena import WrongContest, play
from tablero.check.check import check
from tablero_games import GAMES, Game
from tests.harness.games.contract import AGame, keep_every_promise
from tests.harness.games.examples import EXAMPLES
from tests.harness.games.records import check_a_finished_game, check_a_running_game
from tests.harness.games.variants import Variant, named, variants
from tests.harness.matches import Codec, matches, play_a_match
from tests.harness.rig import ANA, BEN, Json, joined, message
from tests.harness.terminal import Desk

CASES = [(game, variant) for game in EXAMPLES for variant in variants(game)]
NAMES = [named(game, variant) for game, variant in CASES]
MATCHES = [match for game in EXAMPLES for match in matches(game)]
each_case = pytest.mark.parametrize(("game", "variant"), CASES, ids=NAMES)
each_game = pytest.mark.parametrize("game", EXAMPLES, ids=lambda game: game.name)


@pytest.fixture(autouse=True)
def catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one line of each."""
    for game in EXAMPLES:
        monkeypatch.setitem(GAMES, game.name, game)


@each_case
@pytest.mark.parametrize("seed", [1, 2])
def test_every_promise_is_kept(game: Game, variant: Variant, seed: int) -> None:
    keep_every_promise(game, variant, seed, ["", "a", "\x1b[2J"])


@each_game
class TestAnExample(AGame):
    """It is told apart, and refuses what it has not."""


@each_case
def test_a_record_is_valid_whole_or_running(game: Game, variant: Variant) -> None:
    check_a_finished_game(game, variant)
    check_a_running_game(game, variant, 2)


@pytest.mark.parametrize("codec", ["msgpack", "json"])
@pytest.mark.parametrize(("game", "seats", "options"), MATCHES, ids=str)
async def test_a_match_is_played_over_sockets(
    game: str, seats: int, options: dict[str, Any], codec: Codec
) -> None:
    await play_a_match(game, seats, options, codec)


@each_game
def test_bot_check_tries_a_bot_at_its_tables(game: Game, tmp_path: Path) -> None:
    """In a process of its own, as any bot from a file, which brings the game with it."""
    bot = tmp_path / "bot.py"
    bot.write_text(
        "from tablero.brains.random import RandomMover\n"
        "from tablero_games import GAMES\n"
        "from tests.harness.games.examples import EXAMPLES\n"
        "GAMES.update({game.name: game for game in EXAMPLES})\n"
        f"class Any(RandomMover):\n    game = {game.name!r}\n"
    )
    report = check(f"{bot}:Any", seconds=3)
    assert report.exit_code == 0, report.findings


def test_two_brains_meet_where_two_play() -> None:
    assert play("gomoku:random", "gomoku:random", games=2, size=5, line=4).games == 2
    with pytest.raises(WrongContest, match=r"^Four Corners is for 4; in a contest two meet"):
        play("four-corners:random", "four-corners:random", games=2)


# At a terminal


def test_a_move_in_a_word_can_be_typed() -> None:
    desk = Desk(boards=False)
    view = GAMES["gomoku"].start().play(0, "e5").view(1)
    desk.tell(joined(BEN, ANA, game="gomoku", seats=[1]))
    desk.tell(message(type="nextPlayer", room="r1", seq=2, ply=1, seat=1, seats=[1], view=view))
    desk.type("swop")
    assert desk.noted[-1].startswith("Unknown: 'swop'.")
    desk.type("Swap")
    assert [sent["move"] for sent in desk.sent() if sent["type"] == "playTurn"] == ["Swap"]


def test_the_marks_of_four_are_told() -> None:
    desk = Desk(boards=True)
    view = GAMES["four-corners"].start().view(0)
    others: list[Json] = [{"id": name, "name": name} for name in ("cleo", "dora")]
    desk.tell(joined(ANA, BEN, *others, game="four-corners"))
    desk.tell(message(type="nextPlayer", room="r1", seq=2, ply=0, seat=0, seats=[0], view=view))
    assert "X you, O Ben, A cleo, B dora" in "\n".join(desk.printed)

"""The table on the screen: what is shown, what keys do, and what happens meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.app import App, ComposeResult

from tablero.full_screen.dialogs import Confirm, Page
from tablero.full_screen.lobby_screen import LobbyScreen
from tablero.full_screen.table_screen import TypedLine
from tablero.playing.orders import NewTable
from tablero_protocol.messages import BestTime, Times
from tests.harness.client import real_server
from tests.harness.screens import a_screen, a_table


async def test_a_refusal_is_shown_beside_the_board(tmp_path: Path) -> None:
    async with real_server() as url, a_table(url, tmp_path, "tic-tac-toe") as (ana, _):
        await ana.press("enter")
        await ana.until(lambda: ana.ply == 2)
        await ana.press("enter")
        await ana.shows("Cell b2 is occupied.")
        await ana.press("left")
        assert "Cell b2 is occupied." not in ana.text.split("\n")[-2]
        assert "Your turn." in ana.text.split("\n")[-2]


async def test_the_title_follows_the_terms_of_the_table(tmp_path: Path) -> None:
    async with real_server() as url, a_screen(url, tmp_path) as ana:
        assert ana.app.queue is not None
        ana.app.queue.type("create tic-tac-toe private")
        await ana.shows("Tic-tac-toe - table")
        await ana.types("options clock=60")
        await ana.shows("Tic-tac-toe - clock 60 - table")


async def test_digits_are_cells_and_columns(tmp_path: Path) -> None:
    async with real_server() as url, a_table(url, tmp_path, "tic-tac-toe") as (ana, _):
        await ana.press("7")
        await ana.shows("1. a3")


async def test_what_is_played_ahead_is_played(tmp_path: Path) -> None:
    async with real_server() as url, a_table(url, tmp_path, "tic-tac-toe") as (ana, ben):
        ben.plays = False
        await ana.press("5")
        await ana.shows("Ben to move.")
        await ana.press("9")
        await ana.shows("Planned: c3.")
        await ben.room.play("a1")
        await ana.until(lambda: ana.ply == 3)
        assert ana.table.table is not None
        assert ana.table.table.view["cells"] == "1...0...0"
        await ana.press("9", "escape")
        assert ana.table.table.premove is None
        await ana.press("p")
        await ana.shows("Planned moves are off.")


async def test_an_offer_takes_no_key_that_plays(tmp_path: Path) -> None:
    async with real_server() as url, a_table(url, tmp_path, "tic-tac-toe") as (ana, ben):
        ben.plays = False
        await ben.room.offer("draw")
        await ana.shows("Ben offers a draw.  y: yes  x: no")
        await ana.press("enter")
        await ana.shows("Ben to move.")
        await ben.room.play("a1")
        await ben.room.offer("draw")
        await ana.shows("Ben offers a draw.  y: yes  x: no")
        await ana.press("x")
        await ana.shows("You decline.")
        await ana.until(lambda: "y: yes" not in ana.text)
        await ana.press("d")
        await ana.shows("You offer a draw.")


async def test_what_is_typed_plays_nothing_until_it_is_entered(tmp_path: Path) -> None:
    async with real_server() as url, a_table(url, tmp_path, "tic-tac-toe") as (ana, ben):
        ben.plays = False
        await ana.press("s", "5", "space", "q", "enter")
        await ana.shows("Ana: 5 q")
        await ana.press("colon", "x", "escape")
        assert ana.table.query_one("#board").has_focus
        await ana.types("2b")
        await ana.shows("1. b2")
        await ana.types("frobnicate")
        await ana.shows("Unknown")


async def test_giving_up_and_leaving_ask_first(tmp_path: Path) -> None:
    async with real_server() as url, a_table(url, tmp_path, "tic-tac-toe") as (ana, _):
        await ana.press("q")
        await ana.until(lambda: isinstance(ana.app.screen, Confirm))
        await ana.press("n")
        await ana.press("R")
        await ana.until(lambda: isinstance(ana.app.screen, Confirm))
        await ana.press("n")
        assert ana.table.table is not None
        assert not ana.table.table.is_over
        await ana.types("resign")
        await ana.until(lambda: isinstance(ana.app.screen, Confirm))
        await ana.press("y")
        await ana.shows("Ben wins (resign).")
        await ana.press("R")
        await ana.shows("You have no game to resign.")
        await ana.press("q")
        await ana.until(lambda: isinstance(ana.app.screen, LobbyScreen))


async def test_a_rematch_begins_on_the_same_screen(tmp_path: Path) -> None:
    async with real_server() as url, a_table(url, tmp_path, "tic-tac-toe") as (ana, ben):
        ben.plays = False
        await ben.room.resign()
        await ana.shows("You win (resign).")
        before = ana.table.queue.table.room
        await ana.press("r")
        await ana.shows("You ask for a rematch.")
        await ben.room.offer("rematch")
        await ana.until(lambda: ana.table.queue.table.room is not before)
        await ana.until(lambda: ana.ply >= 0)
        assert ana.table.table is not None
        assert not ana.table.table.is_over


async def test_one_looks_back_while_the_game_goes_on(tmp_path: Path) -> None:
    async with real_server() as url, a_table(url, tmp_path, "connect-four") as (ana, _):
        await ana.press("4")
        await ana.until(lambda: ana.table.table and len(ana.table.table.moments) == 3)
        await ana.press("left_square_bracket", "left_square_bracket")
        await ana.shows("The board after move 0.")
        await ana.press("escape")
        await ana.shows("Your turn.")


async def test_a_rival_without_a_connection_is_seen(tmp_path: Path) -> None:
    async with real_server() as url, a_table(url, tmp_path, "tic-tac-toe") as (ana, ben):
        ben.plays = False
        ben.client.finish()
        await ana.shows("away, ")


async def test_clocks_are_shown(tmp_path: Path) -> None:
    clock = {"base": 300, "increment": 5}
    async with real_server() as url, a_table(url, tmp_path, "tic-tac-toe", clock=clock) as (ana, _):
        await ana.press("5")
        await ana.shows("5:0")
        assert "clock 300+5" in ana.text


async def test_help_lists_the_keys_of_this_game(tmp_path: Path) -> None:
    async with real_server() as url, a_table(url, tmp_path, "quoridor") as (ana, _):
        await ana.press("question_mark")
        await ana.until(lambda: isinstance(ana.app.screen, Page))
        assert "switch between pawn and wall" in ana.text
        assert "set or remove a flag" not in ana.text
        await ana.press("escape")
        await ana.types("help")
        await ana.until(lambda: isinstance(ana.app.screen, Page))


@pytest.mark.parametrize("game", ["tic-tac-toe", "connect-four", "dots-and-boxes", "quoridor"])
async def test_no_size_is_too_small_or_too_large(game: str, tmp_path: Path) -> None:
    sizes = [(1, 1), (2, 3), (20, 5), (40, 12), (60, 20), (80, 24), (132, 43), (250, 80), (80, 24)]
    async with real_server() as url, a_table(url, tmp_path, game) as (ana, _):
        for size in sizes:
            await ana.pilot.resize_terminal(*size)
            await ana.press("left")
            await ana.pilot.pause()
        assert "needs" not in ana.text
        await ana.pilot.resize_terminal(20, 6)
        await ana.pilot.pause()
        await ana.pilot.resize_terminal(80, 24)
        await ana.shows("? Help")


async def test_the_size_that_is_needed_is_told(tmp_path: Path) -> None:
    async with real_server() as url, a_table(url, tmp_path, "quoridor", screen=(60, 12)) as (ana, _):
        await ana.shows("(needs 20x18, has")
        await ana.pilot.resize_terminal(60, 24)
        await ana.until(lambda: "needs" not in ana.text)


async def test_a_board_that_comes_late_takes_the_place_that_it_needs(tmp_path: Path) -> None:
    async with real_server() as url, a_screen(url, tmp_path) as ana:
        assert ana.app.queue is not None
        ana.app.queue.type("create minesweeper width=50 height=50 mines=400")
        await ana.until(lambda: ana.ply >= 0)
        screen, room = ana.table, ana.app.queue.table.room
        assert room is not None
        await ana.until(lambda: not screen.side.display)
        turn = room.turns.pop(0)
        screen._sit_down(room)
        assert screen.side.display
        screen._next_player(turn)
        assert not screen.side.display


async def test_it_takes_the_very_next_key_and_goes_again() -> None:
    class Typing(App[None]):
        def compose(self) -> ComposeResult:
            yield TypedLine()

    app = Typing()
    async with app.run_test() as pilot:
        line = app.query_one(TypedLine)
        assert not line.display
        line.open("say ")
        assert app.focused is line
        await pilot.press(*"hi")
        assert line.value == "say hi"
        line.close()
        assert (line.value, line.display) == ("", False)


async def test_the_place_of_a_time_is_told_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with real_server() as url, a_screen(url, tmp_path) as ana:
        queue = ana.app.queue
        assert queue is not None
        options = {"mode": "solo", "level": "beginner"}
        queue.give(queue.orders.create, NewTable(game="minesweeper", options=options, seats=1))
        await ana.until(lambda: ana.ply >= 0)
        turn, me = queue.table.latest, queue.client.player
        assert turn is not None
        third = BestTime(place=3, player=me, milliseconds=5_000)

        async def show_times(course: str) -> Times:
            return Times(type="times", re="x", course="beginner", bots=False, times=[third])

        monkeypatch.setattr(queue.client, "show_times", show_times)
        won = {"kind": "win", "winners": [0], "reason": "cleared"}
        queue.news.emit(turn.model_copy(update={"seq": turn.seq + 1, "outcome": won, "milliseconds": 5_000}))
        await ana.shows("number 3 overall.")

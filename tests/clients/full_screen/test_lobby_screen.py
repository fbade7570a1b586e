"""The lobby on the screen."""

from __future__ import annotations

from pathlib import Path

from textual.widgets import OptionList

from tablero import connect
from tablero.full_screen.computer import Computer
from tablero.full_screen.create import Create
from tablero.full_screen.dialogs import AskLine, Choose, Page
from tablero.full_screen.lobby_screen import LobbyScreen
from tablero.full_screen.table_screen import TableScreen
from tests.harness.client import real_server
from tests.harness.screens import a_screen
from tests.harness.wire import addresses_of_their_own


async def test_what_goes_on_is_seen_and_joined(tmp_path: Path) -> None:
    async with real_server() as url, connect(url, name="Ben") as ben, a_screen(url, tmp_path) as ana:
        await ana.shows("No open tables.")
        await ana.shows("Ben")
        room = await ben.create_room("quoridor")
        await ana.shows("Ben - free")
        await ana.press("tab", "enter")
        await ana.until(lambda: isinstance(ana.app.screen, TableScreen))
        assert ana.table.queue.table.room is not None
        assert ana.table.queue.table.room.id == room.id
        assert ana.table.queue.table.room.seats == [1]


async def test_under_a_table_the_lobby_listens_and_draws_nothing(tmp_path: Path) -> None:
    async with real_server() as url, connect(url, name="Ben") as ben, a_screen(url, tmp_path) as ana:
        lobby = ana.app.screen
        assert isinstance(lobby, LobbyScreen)
        await ana.shows("No open tables.")
        live = lobby.query_one("#live", OptionList)
        lobby.queue.type("create tic-tac-toe private")
        await ana.opens(TableScreen)
        await ana.until(lambda: lobby._is_covered)
        before = [option.id for option in live.options]
        await ben.create_room("quoridor")
        await ana.until(lambda: lobby.lobby.rooms(None))
        assert [option.id for option in live.options] == before
        await ana.press("q")
        await ana.shows("Ben - free")
        await ana.shows("You left table")
        lobby.queue.type("frobnicate")
        await ana.shows("Unknown")


async def test_an_order_that_looks_at_the_lobby_does_not_end_its_news(tmp_path: Path) -> None:
    async with real_server() as url, connect(url, name="Ben") as ben, a_screen(url, tmp_path) as ana:
        lobby = ana.app.screen
        assert isinstance(lobby, LobbyScreen)
        await ana.shows("No open tables.")
        lobby.queue.type("list")
        await ana.until(lambda: len(lobby.queue.lines) > 1 and not lobby.queue._is_busy)
        await ben.create_room("quoridor")
        await ana.shows("Ben - free")


async def test_ratings_stand_beside_names(tmp_path: Path) -> None:
    with addresses_of_their_own():
        async with (
            real_server() as url,
            connect(url, name="Ben") as ben,
            connect(url, name="Cleo") as cleo,
            a_screen(url, tmp_path) as ana,
        ):
            room = await ben.create_room("tic-tac-toe", rated=True)
            joined = await cleo.join(room=room.id)
            for ply, move in enumerate(("b2", "a1", "a2", "c2")):
                await (room, joined)[ply % 2].play(move, ply % 2, ply)
            await ana.shows("Ben - Cleo")
            await joined.resign()
            await ben.create_room("tic-tac-toe", clock={"base": 300, "increment": 5})
            await ana.shows("Ben 1662? - free")


async def test_a_seek_is_answered_by_the_same(tmp_path: Path) -> None:
    async with real_server() as url, connect(url, name="Ben") as ben, a_screen(url, tmp_path) as ana:
        await ben.seek("connect-four", clock={"base": 60, "increment": 1}, columns=8)
        await ana.shows("Looking for an opponent")
        live = ana.app.screen.query_one("#live", OptionList)
        live.focus()
        live.highlighted = next(
            at
            for at in range(live.option_count)
            if (live.get_option_at_index(at).id or "").startswith("seek:")
        )
        await ana.press("enter")
        await ana.until(lambda: isinstance(ana.app.screen, TableScreen))
        assert ana.table.queue.table.room is not None
        assert ana.table.queue.table.room.options["columns"] == 8


async def test_somebody_is_challenged(tmp_path: Path) -> None:
    async with real_server() as url, connect(url, name="Ben") as ben, a_screen(url, tmp_path) as ana:
        invited: list[str] = []
        ben.invited.subscribe(lambda invitation: invited.append(invitation.game))
        await ana.shows("Ben")
        live = ana.app.screen.query_one("#live", OptionList)
        live.focus()
        live.highlighted = next(
            at
            for at in range(live.option_count)
            if live.get_option_at_index(at).id == f"player:{ben.player.id}"
        )
        await ana.press("enter")
        await ana.until(lambda: isinstance(ana.app.screen, Choose))
        await ana.press("down", "enter")
        await ana.until(lambda: invited == ["connect-four"])


async def test_an_invitation_is_answered(tmp_path: Path) -> None:
    async with real_server() as url, connect(url, name="Ben") as ben, a_screen(url, tmp_path) as ana:
        room = await ben.create_room("tic-tac-toe")
        assert ana.app.queue is not None
        await ben.invite(room, 1, player=ana.app.queue.client.player.id)
        await ana.shows("Ben invites you to play Tic-tac-toe, seat 1.  y: yes  x: no")
        await ana.press("y")
        await ana.until(lambda: isinstance(ana.app.screen, TableScreen))


async def test_every_key_opens_what_it_says(tmp_path: Path) -> None:
    async with real_server() as url, a_screen(url, tmp_path) as ana:
        for key, page in {
            "c": Computer,
            "n": Create,
            "i": AskLine,
            "g": Page,
            "b": Choose,
            "f": Choose,
            "e": AskLine,
            "o": Choose,
            "colon": AskLine,
            "question_mark": Page,
        }.items():
            await ana.press(key)
            await ana.opens(page)
            await ana.press("escape")
            await ana.until(lambda: isinstance(ana.app.screen, LobbyScreen))


async def test_seeking_and_not_any_more(tmp_path: Path) -> None:
    async with real_server() as url, a_screen(url, tmp_path) as ana:
        await ana.press("p")
        await ana.shows("Looking for a person or a bot to play any game")
        await ana.press("x")
        await ana.shows("Search cancelled.")


async def test_one_game_is_shown_alone(tmp_path: Path) -> None:
    async with real_server() as url, connect(url, name="Ben") as ben, a_screen(url, tmp_path) as ana:
        await ben.create_room("quoridor")
        await ana.shows("Ben - free")
        await ana.press("f", "down", "enter")
        await ana.shows("No open tables.")


async def test_the_leaderboard_is_a_page(tmp_path: Path) -> None:
    async with real_server() as url, a_screen(url, tmp_path) as ana:
        await ana.press("b")
        await ana.until(lambda: isinstance(ana.app.screen, Choose))
        await ana.press("enter")
        await ana.until(lambda: isinstance(ana.app.screen, Page))
        assert "Leaderboard: Tic-tac-toe" in ana.text


async def test_no_size_is_too_small_or_too_large(tmp_path: Path) -> None:
    async with real_server() as url, a_screen(url, tmp_path) as ana:
        for size in [(1, 1), (10, 3), (40, 12), (63, 30), (80, 24), (250, 80)]:
            await ana.pilot.resize_terminal(*size)
            await ana.pilot.pause()
        await ana.press("c")
        for size in [(1, 1), (20, 5), (250, 80)]:
            await ana.pilot.resize_terminal(*size)
            await ana.pilot.pause()
        assert "Play the computer" in ana.text


async def test_keys_typed_without_a_pause_go_to_what_the_first_one_opens(tmp_path: Path) -> None:
    async with real_server() as url, a_screen(url, tmp_path) as ana:
        ana.press_at_once("colon", *"create", "space", *"connect-four", "enter")
        await ana.shows("Connect Four - table")
        ana.press_at_once("colon", *"say", "space", *"q:s", "enter")
        await ana.shows("Ana: q:s")


async def test_a_table_that_is_gone_before_its_screen_is_there_leads_back_to_the_lobby(
    tmp_path: Path,
) -> None:
    async with real_server() as url, a_screen(url, tmp_path) as ana:
        lobby = ana.app.screen
        assert isinstance(lobby, LobbyScreen)
        ana.app.show_table()
        await ana.until(lambda: ana.app.screen is lobby)
        lobby.queue.type("frobnicate")
        await ana.shows("Unknown")

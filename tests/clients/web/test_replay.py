"""Replays: of a game that was played here, of a file, and saved as a page that needs no server."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from generate.page_texts import as_json
from tablero.catalogue.speech import catalogue
from tablero_games import GAMES
from tablero_games.record.file import write
from tablero_games.record.verify import verify
from tablero_server.http import replay_pages
from tests.harness.browser import PHONE, Browsers, address, browsers, expect
from tests.harness.games.records import lines_of, play, sealed_of
from tests.harness.web.languages import LOCALES, in_a_language, speaking
from tests.harness.web.tables import press, state, two_at_a_table
from tests.harness.wire import a_server, a_wire

MOVES = ["b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3"]
RACE = write(
    play(GAMES["minesweeper"], {"mode": "race", "width": 9, "height": 9, "mines": 10, "seats": 3}, seed=3)
)

REPLAY_MS = 30_000
"""However busy the machine is, a process for a replay has started by then."""
DROP = """text => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], "game.record"));
    document.querySelector("main.replay")
        .dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
}"""


@asynccontextmanager
async def a_played_game(moves: int = 4) -> AsyncIterator[tuple[str, str, Browsers]]:
    """The server's address, and the room where ana resigned after so many moves."""
    async with (
        a_server(seconds=60) as server,
        browsers() as people,
        a_wire(server) as ana,
        a_wire(server) as ben,
    ):
        await ana.hello("ana")
        await ben.hello("ben")
        room = (await ana.ask("createRoom", game="tic-tac-toe", clock={"base": 300}))["room"]
        await ben.ask("join", room=room)
        for ply, move in enumerate(MOVES[:moves]):
            player = (ana, ben)[ply % 2]
            await player.ask("playTurn", room=room, seat=ply % 2, ply=ply, move=move, id=f"move{ply}")
        await ana.ask("resign", room=room, seat=0)
        yield address(server.port), room, people


def held(page: Any) -> Any:
    """The cells that somebody holds."""
    return page.locator(".pieces .token")


async def test_a_game_is_stepped_through_by_buttons_keys_list_and_slider() -> None:
    async with a_played_game() as (url, room, people):
        page = await people.page(f"{url}replay/{room}")
        where = page.get_by_text("At the start")
        await expect(where).to_be_visible()
        await expect(held(page)).to_have_count(0)
        await press(page, "Next move")
        await expect(state(page)).to_contain_text("1 of 5. ana: b2")
        await expect(held(page)).to_have_count(1)
        await page.locator("body").click(position={"x": 2, "y": 2})
        await page.keyboard.press("ArrowRight")
        await expect(state(page)).to_contain_text("2 of 5. ben: a1")
        await page.get_by_role("list", name="Moves").get_by_role("button", name="ben: a3").click()
        await expect(held(page)).to_have_count(4)
        await expect(page.get_by_role("button", name="ben: a3")).to_have_attribute("aria-current", "step")
        await page.keyboard.press("End")
        await expect(state(page)).to_contain_text("ben wins")
        await expect(page.get_by_role("button", name="Next move")).to_be_disabled()
        await page.keyboard.press("Home")
        await expect(held(page)).to_have_count(0)
        await page.get_by_role("slider").fill("3")
        await expect(held(page)).to_have_count(3)
        await expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", "3 of 5. ana: c1")
        await page.keyboard.press("ArrowLeft")
        await expect(held(page)).to_have_count(2)


async def test_an_address_leads_to_a_move_and_follows_what_is_shown() -> None:
    async with a_played_game() as (url, room, people):
        page = await people.page(f"{url}replay/{room}#3")
        await expect(held(page)).to_have_count(3)
        await press(page, "Previous move")
        await page.wait_for_url(f"{url}replay/{room}#2")
        await page.evaluate("location.hash = '#4'")
        await expect(held(page)).to_have_count(4)
        await page.goto("about:blank")
        await page.goto(f"{url}replay/{room}#99")
        await expect(state(page)).to_contain_text("5 of 5")
        await press(page, "Link to this move")
        link = page.get_by_role("textbox", name="Link")
        await expect(link.or_(page.get_by_role("button", name="Copied"))).to_be_visible()


async def test_it_plays_by_itself_to_the_end() -> None:
    async with a_played_game() as (url, room, people):
        page = await people.page(f"{url}replay/{room}")
        await page.get_by_role("combobox", name="Pace").select_option("quickly")
        await press(page, "Autoplay")
        await expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
        await expect(state(page)).to_contain_text("ben wins")
        await expect(page.get_by_role("button", name="Autoplay")).to_be_visible()


async def test_a_room_that_never_was_has_a_sentence() -> None:
    async with a_played_game() as (url, _, people):
        people.forgiven += ("status of 404",)
        page = await people.page(f"{url}replay/nowhere")
        await expect(page.get_by_role("alert")).to_contain_text("This table is closed or never existed.")


async def test_a_file_is_replayed_and_each_board_of_a_race_can_be_seen(tmp_path: Path) -> None:
    file, wrong = tmp_path / "race.record", tmp_path / "wrong.record"
    file.write_text(RACE)
    wrong.write_text(RACE.replace('"at":1400', '"at":1401'))
    async with a_played_game() as (url, _, people):
        people.forgiven += ("status of 400",)
        page = await people.page(f"{url}replay", **PHONE)
        await page.set_input_files("input[type=file]", wrong)
        await expect(page.get_by_role("alert")).to_contain_text("Line 5 of the record is wrong")
        await page.set_input_files("input[type=file]", file)
        await expect(state(page)).to_contain_text("At the start")
        await expect(page.get_by_role("button", name="Flags")).to_be_hidden()
        await press(page, "Last move")
        told = json.loads(RACE.splitlines()[-1])["outcome"]
        await expect(state(page)).to_contain_text("wins" if told["kind"] == "win" else "Nobody")
        boards = page.get_by_role("button", name="Board", exact=True)
        await expect(boards).to_have_count(3)
        seen = set()
        for at in range(3):
            await boards.nth(at).click()
            await expect(boards.nth(at)).to_have_attribute("aria-pressed", "true")
            seen.add(await page.locator("tablero-minesweeper [role=grid]").inner_html())
        assert len(seen) == 3
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_a_file_that_is_too_large_is_not_sent(tmp_path: Path) -> None:
    file = tmp_path / "large.record"
    file.write_text("x" * 262_145)
    async with a_played_game() as (url, _, people):
        page = await people.page(f"{url}replay")
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        await page.set_input_files("input[type=file]", file)
        await expect(page.get_by_role("alert")).to_contain_text("262,144 bytes")
        assert not any(url.endswith("api/replay") for url in asked)


@pytest.mark.parametrize(("language", "back"), [("en", "Previous move"), ("fr", "Coup précédent")])
async def test_a_replay_is_saved_as_a_page_that_works_from_disk(
    language: str, back: str, tmp_path: Path
) -> None:
    async with a_played_game() as (url, room, people):
        page = await people.page(f"{url}replay/{room}", locale=language)
        save = {"en": "Save as a page", "fr": "Enregistrer la page"}[language]
        async with page.expect_download() as coming:
            await press(page, save)
        file = tmp_path / "replay.html"
        await (await coming.value).save_as(file)
        asked: list[str] = []
        disk = await people.page("about:blank", offline=True)
        disk.on("request", lambda request: asked.append(request.url))
        await disk.goto(f"{file.as_uri()}#4")
        await expect(held(disk)).to_have_count(4)
        await press(disk, back)
        await expect(held(disk)).to_have_count(3)
        assert all(each.startswith(file.as_uri()) for each in asked)


@pytest.mark.parametrize("game", GAMES)
async def test_every_game_is_replayed_from_the_first_move_to_the_last(game: str, tmp_path: Path) -> None:
    file = tmp_path / "game.record"
    file.write_text(write(play(GAMES[game], {"size": 5} if game == "quoridor" else {})))
    async with a_server(seconds=60) as server, browsers() as people:
        page = await people.page(f"{address(server.port)}replay")
        await page.set_input_files("input[type=file]", file)
        async with page.expect_download() as coming:
            await press(page, "Save as a page")
        saved = tmp_path / "replay.html"
        await (await coming.value).save_as(saved)
        disk = await people.page(saved.as_uri())
        for each in (page, disk):
            await press(each, "Last move")
            await expect(each.locator(".result")).to_be_visible()
            await press(each, "Previous move")
            await expect(each.locator(".result")).to_be_hidden()


async def test_a_record_is_saved_as_it_was_sent(tmp_path: Path) -> None:
    async with a_played_game() as (url, room, people):
        page = await people.page(f"{url}replay/{room}")
        async with page.expect_download() as coming:
            await press(page, "Save the record")
        file = tmp_path / "game.record"
        await (await coming.value).save_as(file)
        assert file.read_text().startswith('{"format":"tablero-record/1"')
        await page.goto(f"{url}replay")
        await page.set_input_files("input[type=file]", file)
        await expect(page.get_by_text("At the start")).to_be_visible()


def forged() -> str:
    """A record whose first move is refused by the rules."""
    lines = lines_of(write(play(GAMES["tic-tac-toe"], {}, 3)))
    lines[1]["move"] = "z9"
    return sealed_of(lines)


WRONG = {
    "lineChanged": RACE.replace('"at":1400', '"at":1401'),
    "notClosed": RACE[: RACE.rindex("\n", 0, -1)] + "\n",
    "noSuchCell": forged(),
}


@pytest.mark.parametrize("language", LOCALES)
async def test_what_is_wrong_with_a_dropped_record_is_said_in_the_language(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay_pages, "_FILE_SECONDS", REPLAY_MS / 1000)
    say, refusals = speaking(language), as_json(catalogue(language))["refusals"]
    async with a_server(seconds=120) as server, browsers() as people:
        people.forgiven += ("status of 400",)
        page = await in_a_language(people, f"{address(server.port)}replay", language)
        for name, record in WRONG.items():
            await expect(page.get_by_text(say("dropRecordLine"))).to_be_visible()
            await page.evaluate(DROP, record)
            wrong = verify(record).invalid
            assert wrong is not None
            complaint = refusals[name].format(**wrong.fields).removesuffix(".")
            told = refusals["recordInvalid"].format(line=wrong.line, complaint=complaint)
            await expect(page.get_by_role("alert")).to_have_text(told, timeout=REPLAY_MS)


async def test_a_finished_table_leads_to_its_replay_and_back_to_the_rematch() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        ana, ben = await two_at_a_table(people, address(server.port), "Connect Four")
        await ana.get_by_role("gridcell", name="Column 4").click()
        await press(ben, "Resign")
        await ben.get_by_role("dialog").get_by_role("button", name="Resign").click()
        await ana.get_by_role("link", name="Watch the replay").click()
        await press(ana, "Next move")
        await expect(state(ana)).to_contain_text("1 of 2. ana: 4")
        await ana.go_back()
        await press(ana, "Rematch")
        await press(ben, "ana wants a rematch – Play")
        await expect(state(ben)).to_contain_text(re.compile("Your turn|is thinking"))

"""How a game is played, as the browser shows it: lessons that each ask for a move, for whom, and when."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from generate.lessons import FOLDER
from tablero.games import client_game
from tablero_games import GAMES
from tests.harness.browser import PHONE, Browsers, address, browsers, expect, served
from tests.harness.hands import FINGER, MOUSE, Hand
from tests.harness.tree import ROOT
from tests.harness.web.languages import in_a_language, speaking, title_of
from tests.harness.web.tables import state, two_at_a_table
from tests.harness.wire import Wire, a_server, a_wire

MOST_BYTES = 10_000
"""Of what is fetched for the lessons of one game."""
WITH_LESSONS = [name for name in GAMES if client_game(name).lessons]


def told(game: str, language: str = "en") -> list[dict[str, Any]]:
    lessons: list[dict[str, Any]] = json.loads((FOLDER / f"{game}.{language}.json").read_text("utf-8"))
    return lessons


def dialog(page: Any) -> Any:
    return page.get_by_role("dialog")


def place(page: Any, name: str) -> Any:
    return dialog(page).locator(f'[data-place="{name}"]')


async def play(page: Any, game: str, hand: Hand, move: str) -> None:
    """A move as a person enters it, by one hand."""
    if game == "minesweeper" and move.startswith("flag"):
        await hand.press(dialog(page).get_by_role("button", name=re.compile("Flags|Drapeaux")))
        await hand.press(place(page, move.split()[-1]))
    elif game == "quoridor" and move[-1] in "hv":
        tools = dialog(page).locator(".tools button")
        await hand.press(tools.nth(0))
        if move.endswith("v"):
            await hand.press(tools.nth(1))
        for _ in range(2 if hand is FINGER else 1):  # the first tap only shows it
            await hand.press(place(page, move[:-1]))
    else:
        await hand.press(place(page, move.split()[-1]))


def test_a_card_says_which_games_have_lessons() -> None:
    cards = (ROOT / "clients/web/games.js").read_text("utf-8").partition("CARDS = {")[2]
    assert re.findall(r'^  "?([\w-]+)"?: \{\n    lessons: true,$', cards, re.MULTILINE) == WITH_LESSONS
    assert cards.count("lessons: true") == len(WITH_LESSONS)


@pytest.mark.parametrize(("hand", "screen", "language"), [(MOUSE, {}, "en"), (FINGER, PHONE, "fr")])
async def test_every_lesson_of_every_game_is_played(hand: Hand, screen: Any, language: str) -> None:
    say = speaking(language)
    async with served(bots=True) as server, browsers() as people:
        page = await in_a_language(people, server.url, language, **screen)
        for game in WITH_LESSONS:
            name = say("lessonsOf", game=title_of(language, game))
            await hand.press(page.get_by_role("button", name=name))
            lessons = told(game, language)
            for at, lesson in enumerate(lessons, start=1):
                await expect(dialog(page)).to_contain_text(say("lessonAt", at=at, all=len(lessons)))
                await expect(dialog(page)).to_contain_text(lesson["told"])
                await expect(dialog(page)).to_contain_text(lesson["asked"])
                await play(page, game, hand, next(iter(lesson["after"])))
                await expect(dialog(page).get_by_role("status")).to_have_text(lesson["praised"])
                await expect(dialog(page).locator(".asked, .how-to").filter(visible=True)).to_have_count(0)
                fits = "() => document.querySelector('dialog').scrollWidth <= innerWidth"
                assert await page.evaluate(fits)
                await hand.press(dialog(page).locator("footer button").last)
            await expect(dialog(page)).to_have_count(0)


async def invited(server: Any, people: Browsers, ana: Wire, game: str) -> Any:
    """A page with Ana's invitation."""
    await ana.hello("ana")
    room = await ana.ask("createRoom", game=game, private=True)
    return await people.page(address(server.port) + room["code"])


async def test_another_move_is_answered_and_changes_nothing() -> None:
    """On an invitation, before sitting down."""
    async with a_server(seconds=60) as server, browsers() as people, a_wire(server) as ana:
        page = await invited(server, people, ana, "quoridor")
        await page.get_by_role("button", name="How to play Quoridor").click()
        answer, (first, second, *_) = dialog(page).get_by_role("status"), told("quoridor")
        await place(page, "b1").click()
        await expect(answer).to_have_text(first["otherwise"])
        await place(page, "a5").click(force=True)
        await expect(answer).to_have_text("That isn't possible here. Try again.")
        await expect(place(page, "c1")).to_have_accessible_name("c1, you")
        await place(page, "c2").click()
        await expect(place(page, "c2")).to_have_accessible_name("c2, you")
        await page.keyboard.press("Enter")  # the focus is on what comes next
        await expect(dialog(page)).to_contain_text(second["asked"])
        await dialog(page).get_by_role("button", name="Previous lesson").click()
        await expect(dialog(page)).to_contain_text(first["asked"])
        await expect(answer).to_have_text("")
        await page.keyboard.press("Escape")
        await expect(dialog(page)).to_have_count(0)
        await expect(page.get_by_role("button", name="Sit down")).to_be_visible()


async def test_lessons_say_when_it_becomes_ones_turn_at_the_table_behind() -> None:
    async with a_server(seconds=60) as server, browsers() as people, a_wire(server) as ben:
        await ben.hello("ben")
        room = await ben.ask("createRoom", game="quoridor", seat=0)
        page = await people.page(address(server.port) + room["code"], **PHONE)
        await page.get_by_role("button", name="Sit down").click()
        await expect(state(page)).to_contain_text("ben is thinking")
        await page.get_by_role("button", name="How to play Quoridor").click()
        back = dialog(page).get_by_role("button", name="Your turn – Back to the game")
        await expect(dialog(page)).to_contain_text("Lesson 1 of")
        await expect(back).to_have_count(0)
        before = await place(page, "c1").bounding_box()
        await ben.ask("playTurn", room=room["room"], seat=0, ply=0, move="e2")
        await expect(back).to_be_visible()
        assert await place(page, "c1").bounding_box() == before
        await back.click()
        await expect(dialog(page)).to_have_count(0)
        await expect(state(page)).to_contain_text("Your turn")


async def test_lessons_by_the_keyboard_alone_without_a_server() -> None:
    """All that they need has come by then; only files were asked for."""
    async with served(bots=True) as server, browsers() as people:
        page = await people.page(server.url)
        asked: list[Any] = []
        page.on("requestfinished", lambda request: asked.append(request))
        await page.get_by_role("button", name="How to play Connect Four").focus()
        await page.keyboard.press("Enter")
        await expect(dialog(page)).to_be_visible()
        await server.kill()
        sizes = {request.url: (await request.sizes())["responseBodySize"] for request in asked}
        sizes.pop(f"{server.url}api/nearby", None)  # which the first page asks for
        assert all("/assets/" in url for url in sizes)
        assert sum(sizes.values()) <= MOST_BYTES, sizes
        for lesson in told("connect-four"):
            await expect(dialog(page)).to_contain_text(lesson["asked"])
            await place(page, "1").focus()
            await page.keyboard.press(next(iter(lesson["after"])))
            await expect(dialog(page).get_by_role("status")).to_have_text(lesson["praised"])
            await page.keyboard.press("Enter")
        await expect(dialog(page)).to_have_count(0)
        await page.get_by_role("button", name="How to play Connect Four").click()
        await expect(dialog(page)).to_contain_text("Lesson 1 of 5")


async def test_the_first_game_of_a_kind_against_the_computer_begins_with_its_lessons_once() -> None:
    async with served(bots=True) as server, browsers() as people:
        page = await people.page(server.url, newcomer=True)
        first = page.get_by_role("button", name="Play Connect Four against the computer, level easy")
        await first.click()
        await expect(dialog(page)).to_contain_text("How to play Connect Four")
        box = await page.locator(".board-place").first.bounding_box()
        await dialog(page).get_by_role("button", name="Close").click()
        await expect(state(page)).to_contain_text("Your turn")
        assert await page.locator(".board-place").first.bounding_box() == box, "the board has not moved"
        await page.reload()
        await expect(state(page)).to_contain_text("Your turn")
        await page.get_by_role("button", name="Tablero Home").click()
        await page.get_by_role("button", name="Play Quoridor against the computer, level easy").click()
        await expect(dialog(page)).to_contain_text("How to play Quoridor")


async def test_a_game_against_a_person_only_hints_at_its_lessons() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        ana, ben = await two_at_a_table(people, address(server.port), "Quoridor", newcomer=True)
        for page in (ana, ben):
            hint = page.get_by_role("button", name="New to Quoridor? See how it's played")
            await expect(hint).to_be_visible()
            await expect(dialog(page)).to_have_count(0)
            await expect(page.locator("tablero-quoridor")).to_be_visible()
            assert any("/lessons/quoridor.en.json" in url for url in people.asked), "for when it is opened"
            box = await page.locator("tablero-quoridor").bounding_box()
            await hint.click()
            await dialog(page).get_by_role("button", name="Close").click()
            await expect(page.get_by_role("button", name="How to play Quoridor", exact=True)).to_be_visible()
            assert await page.locator("tablero-quoridor").bounding_box() == box
        await ana.reload()
        await expect(state(ana)).to_contain_text("Your turn")
        await expect(ana.get_by_text("New to Quoridor?")).to_have_count(0)


async def test_lessons_that_cannot_be_had_are_said_so_and_a_table_offers_those_of_its_game() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        people.forgiven += ("Failed to load resource",)
        page = await people.page(address(server.port))
        await page.route("**/lessons/*", lambda route: route.abort())
        await page.get_by_role("button", name="Create a table").click()
        form = dialog(page)
        await form.get_by_role("radio", name="Dots and Boxes").check(force=True)
        await form.get_by_role("button", name="How to play Dots and Boxes").click()
        await expect(page.get_by_text("Part of this page couldn't be loaded.")).to_be_visible()


async def test_the_lessons_of_an_open_table_are_read_in_the_lobby() -> None:
    async with a_server(seconds=60) as server, browsers() as people, a_wire(server) as ana:
        await ana.hello("ana")
        await ana.ask("createRoom", game="quoridor")
        page = await people.page(address(server.port), **PHONE)
        line = page.get_by_role("listitem").filter(has_text="ana")
        await line.get_by_role("button", name="How to play Quoridor").tap()
        await expect(dialog(page)).to_contain_text(told("quoridor")[0]["asked"])
        await dialog(page).get_by_role("button", name="Close").tap()
        await expect(line.get_by_role("button", name="Sit down")).to_be_visible()
        fits = "() => document.documentElement.scrollWidth <= innerWidth"
        assert await page.evaluate(fits)


async def test_taps_that_flag_at_a_table_dig_in_a_lesson_and_flag_again_after_it() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        page = await people.page(address(server.port), **PHONE)
        await page.get_by_role("button", name="Play Minesweeper alone, Beginner").tap()
        flags = page.get_by_role("button", name="Flags")
        await flags.first.tap()
        await page.get_by_role("button", name="How to play Minesweeper").tap()
        inside = dialog(page).get_by_role("button", name="Flags")
        await expect(inside).to_have_attribute("aria-pressed", "false")
        await inside.tap()
        await dialog(page).get_by_role("button", name="Close").tap()
        await expect(flags).to_have_attribute("aria-pressed", "true")
        await page.reload()
        await expect(flags).to_have_attribute("aria-pressed", "true")

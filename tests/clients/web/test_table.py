"""What can be said and done at a table beside playing."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tablero_server.wire import network
from tests.harness.browser import PHONE, address, browsers, expect
from tests.harness.web.tables import GAMES, a_game, by_mouse, choose, press, state, tap, two_at_a_table
from tests.harness.wire import a_server, a_wire


async def test_a_draw_is_offered_and_accepted() -> None:
    async with a_game() as (ana, ben, _):
        await tap(ana, 4)
        await press(ana, "Offer a draw")
        await expect(ana.get_by_text("You offered a draw.")).to_be_visible()
        await expect(ben.get_by_text("ana offers a draw.")).to_be_visible()
        await press(ben, "Accept")
        for page in (ana, ben):
            await expect(state(page)).to_contain_text("Draw")


async def test_what_cannot_be_done_now_is_grey_and_says_why() -> None:
    async with a_game() as (ana, ben, _):
        draw, back = (ana.get_by_role("button", name=name) for name in ("Offer a draw", "Take back move"))
        for button, why in ((draw, "No move yet."), (back, "You have no move to take back")):
            await expect(button).to_be_disabled()
            await button.click(force=True)
            await expect(ana.get_by_role("status").get_by_text(why)).to_be_visible()
        await tap(ana, 4)
        await expect(back).to_be_enabled()
        await draw.click()
        await expect(ben.get_by_text("ana offers a draw.")).to_be_visible()
        await expect(draw).to_be_disabled()
        await expect(draw).to_be_focused()
        await press(ben, "Decline")
        await expect(draw).to_be_enabled()


@pytest.mark.parametrize("game", GAMES)
async def test_the_board_lies_behind_the_link_to_a_waiting_table_and_cannot_be_played(game: str) -> None:
    whole = GAMES[game]
    async with a_server(seconds=60) as server, browsers() as people:
        ana = await people.page(address(server.port), viewport={"width": 1440, "height": 900})
        await press(ana, "Create a table")
        await ana.get_by_role("radio", name=whole.title).check(force=True)
        await press(ana, "Open the table")
        board, link = ana.locator(f"tablero-{game}"), ana.locator(".share")
        await expect(link).to_be_visible()
        await expect(board).to_be_visible()
        await expect(board).to_have_js_property("inert", True)
        outside, inside = await board.bounding_box(), await link.bounding_box()
        assert outside["x"] < inside["x"]
        assert outside["y"] < inside["y"] + inside["height"] < outside["y"] + outside["height"]
        pieces = await board.locator(".pieces .token").count()
        ben = await people.page(ana.url)
        await press(ben, "Sit down")
        await expect(state(ana)).to_contain_text("Your turn")
        await expect(link).to_have_count(0)
        await expect(board).to_have_js_property("inert", False)
        assert await board.bounding_box() == outside, "the board has not moved"
        assert await board.locator(".pieces .token").count() == pieces


async def test_the_bar_of_actions_is_one_line_and_a_question_is_whole_on_the_smallest_phone() -> None:
    async with a_game("Quoridor") as (ana, ben, _):
        await by_mouse(ana, "e2, free")
        await by_mouse(ben, "e8, free")
        await ana.set_viewport_size(PHONE["viewport"])
        boxes = [await each.bounding_box() for each in await ana.locator(".actions > *").all()]
        assert len({box["y"] for box in boxes}) == 1
        before = await ana.get_by_role("grid").bounding_box()
        await press(ben, "Offer a draw")
        for answer in ("Accept", "Decline"):
            button = ana.get_by_role("button", name=answer)
            await expect(button).to_be_in_viewport(ratio=1)
            await button.click(trial=True)  # nothing covers it
        assert await ana.get_by_role("grid").bounding_box() == before
        await press(ana, "Decline")


async def test_an_offer_that_is_declined_is_told_and_one_that_is_over_is_gone() -> None:
    async with a_game() as (ana, ben, _):
        await tap(ana, 4)
        await press(ana, "Offer a draw")
        await press(ben, "Decline")
        await expect(ana.get_by_text("ben declined.")).to_be_visible()
        await press(ben, "Offer a draw")
        await expect(ana.get_by_text("ben offers a draw.")).to_be_visible()
        await tap(ben, 4)
        await expect(ana.get_by_text("ben offers a draw.")).to_have_count(0)


async def test_an_offer_leaves_the_keyboard_where_it_is() -> None:
    async with a_game() as (ana, ben, _):
        await tap(ana, 4)
        field = ana.get_by_role("textbox", name="Say something")
        await field.fill("I am typ")
        await press(ben, "Offer a draw")
        await expect(ana.get_by_text("ben offers a draw.")).to_be_visible()
        await expect(field).to_be_focused()
        await ana.keyboard.type("ing")
        await expect(field).to_have_value("I am typing")


async def test_a_move_is_taken_back_when_the_other_agrees() -> None:
    async with a_game() as (ana, ben, _):
        await tap(ana, 4)
        await expect(state(ben)).to_contain_text("Your turn")
        await press(ana, "Take back move")
        await press(ben, "Accept")
        await expect(state(ana)).to_contain_text("Your turn")
        await expect(ana.get_by_role("gridcell", name="Column 4", exact=True)).to_be_visible()


async def test_resigning_asks_first() -> None:
    async with a_game() as (ana, ben, _):
        await press(ana, "Resign")
        await ana.get_by_role("dialog").get_by_role("button", name="Stay").click()
        await expect(state(ana)).to_contain_text("Your turn")
        await press(ana, "Resign")
        await ana.get_by_role("dialog").get_by_role("button", name="Resign").click()
        await expect(state(ana)).to_contain_text("you resigned")
        await expect(state(ben)).to_contain_text("You win")


async def test_leaving_a_game_asks_first_and_closing_a_page_leaves_nothing() -> None:
    async with a_game() as (ana, ben, _):
        await tap(ana, 4)
        await tap(ben, 4)
        await choose(ana, "Leave")
        await ana.get_by_role("dialog").get_by_role("button", name="Stay").click()
        await ben.close(run_before_unload=True)
        await expect(ana.get_by_text("away")).to_be_visible()
        await expect(state(ana)).to_contain_text("Your turn")
        await choose(ana, "Leave")
        await ana.get_by_role("dialog").get_by_role("button", name="Leave").click()
        await expect(ana.get_by_role("button", name="Play now")).to_be_visible()


async def test_the_first_tab_onto_a_board_is_on_a_place_and_a_list_tells_the_keys() -> None:
    async with a_game() as (ana, _, _):
        await ana.get_by_role("button", name="ben").focus()
        await ana.keyboard.press("Tab")
        await expect(ana.get_by_role("gridcell", name="Column 1")).to_be_focused()
        await ana.keyboard.press("ArrowRight")
        await expect(ana.get_by_role("gridcell", name="Column 2")).to_be_focused()
        await ana.keyboard.press("?")
        keys = ana.get_by_role("dialog", name="Keyboard")
        await expect(keys).to_contain_text("Play a column")
        await ana.keyboard.press("Escape")
        await expect(ana.get_by_role("gridcell", name="Column 2")).to_be_focused()
        await ana.get_by_label("Type a move").press_sequentially("?")
        await choose(ana, "Keyboard")
        await expect(keys).to_be_visible()


async def test_a_finger_has_no_keyboard_to_read_about() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        ana, _ = await two_at_a_table(people, address(server.port), "Tic-tac-toe", None, {}, **PHONE)
        await press(ana, "More")
        await expect(ana.get_by_role("button", name="Share")).to_be_visible()
        await expect(ana.get_by_role("button", name="Keyboard")).to_have_count(0)


async def test_players_and_watchers_talk_apart() -> None:
    async with a_game() as (ana, ben, people):
        eve = await people.page(ana.url)
        await press(eve, "Watch")
        await expect(eve.get_by_text("Only spectators can read this")).to_be_visible()
        for page, text in ((ana, "hello ben"), (eve, "hello all")):
            await page.get_by_role("textbox", name="Say something").fill(text)
            await page.keyboard.press("Enter")
            await expect(page.get_by_role("list", name="Chat").get_by_text(text)).to_be_visible()
        await expect(ben.get_by_role("list", name="Chat").get_by_text("hello ben")).to_be_visible()
        await tap(ana, 4)
        await expect(eve.get_by_role("gridcell", name="Column 4, 1 of 6")).to_be_visible()
        await expect(ben.get_by_text("hello all")).to_have_count(0)
        await expect(eve.get_by_text("hello ben")).to_have_count(0)


async def test_a_phone_shows_a_line_over_its_players_name_then_a_number_and_a_sheet() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        ana, ben = await two_at_a_table(people, address(server.port), "Connect Four", guest=PHONE)
        await expect(state(ben)).to_contain_text("ana is thinking")
        before = await ben.get_by_role("grid").bounding_box()
        await expect(ana.get_by_role("button", name="Chat")).to_be_hidden()
        await ana.get_by_role("textbox", name="Say something").fill("good evening")
        await ana.keyboard.press("Enter")
        bubble = ben.locator(".strips").first.get_by_text("good evening", exact=True)
        await expect(bubble).to_be_in_viewport(ratio=1)
        await expect(ben.locator("[aria-live]").get_by_text("ana says: good evening")).to_have_count(1)
        await ben.get_by_role("button", name="Chat, 1 new message", exact=True).tap()
        for seen in (ben.get_by_role("list", name="Chat"), ben.get_by_role("textbox", name="Say something")):
            await expect(seen).to_be_in_viewport(ratio=1)
        await expect(bubble).to_have_count(0)
        await ben.get_by_role("button", name="Close").tap()
        await expect(ben.get_by_role("list", name="Chat")).to_be_hidden()
        await expect(ben.get_by_role("button", name="Chat", exact=True)).to_be_focused()
        assert await ben.get_by_role("grid").bounding_box() == before


async def says(page: Any, *lines: str) -> None:
    for line in lines:
        await page.get_by_role("textbox", name="Say something").fill(line)
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("list", name="Chat").get_by_text(line, exact=True)).to_have_count(1)


async def test_beside_the_board_the_newest_line_and_the_input_stay_in_view() -> None:
    async with a_game() as (ana, ben, _):
        for page in (ana, ben):
            await page.set_viewport_size({"width": 1280, "height": 800})
        for page, column in zip((ana, ben) * 6, (1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2), strict=True):
            await expect(state(page)).to_contain_text("Your turn")
            await tap(page, column)
        parts = [ben.get_by_role("grid"), ben.get_by_role("list", name="Moves")]
        before = [await part.bounding_box() for part in parts]
        await says(ana, *(f"line {number}" for number in range(1, 8)))
        for seen in (
            ben.get_by_role("list", name="Chat").get_by_text("line 7", exact=True),
            ben.get_by_role("textbox", name="Say something"),
        ):
            await expect(seen).to_be_in_viewport(ratio=1)
        await expect(ben.locator(".bubble")).to_have_count(0)
        assert [await part.bounding_box() for part in parts] == before, "nothing has moved"


async def test_a_line_is_a_bubble_if_the_chat_beside_the_board_is_not_in_view() -> None:
    async with a_game() as (ana, ben, _):
        await ben.set_viewport_size({"width": 1280, "height": 700})
        await resign(ana)
        await expect(ben.locator(".verdict")).to_be_visible()
        await says(ana, "gg wp")
        bubble = ben.locator(".strips").get_by_text("gg wp", exact=True)
        await expect(bubble).to_be_in_viewport(ratio=1)
        await bubble.click()
        await expect(bubble).to_have_count(0)
        await expect(ben.get_by_role("textbox", name="Say something")).to_be_in_viewport(ratio=1)


LONG = "This is a player who writes a lot while the other one is thinking about the next wall, " * 2


@pytest.mark.parametrize("size", [(320, 568), (390, 844)])
async def test_a_long_line_shows_its_beginning_on_three_lines_and_longer(size: tuple[int, int]) -> None:
    async with a_game() as (ana, ben, _):
        await ben.set_viewport_size({"width": size[0], "height": size[1]})
        await ben.clock.install()
        await says(ana, LONG.strip())
        bubble = ben.locator(".strips .bubble")
        await expect(bubble).to_be_in_viewport(ratio=1)
        await bubble.evaluate("bubble => Promise.all(bubble.getAnimations().map(each => each.finished))")
        box = await bubble.bounding_box()
        board = await ben.get_by_role("grid").bounding_box()
        strip = await ben.locator(".strip").first.bounding_box()
        assert strip["y"] <= box["y"]
        assert box["y"] + box["height"] <= board["y"]
        text = bubble.locator("span")
        rows = "text => Math.round(text.clientHeight / parseFloat(getComputedStyle(text).lineHeight))"
        assert await text.evaluate(rows) == 3
        inside = await text.bounding_box()
        assert box["y"] <= inside["y"]
        assert inside["y"] + inside["height"] <= box["y"] + box["height"]
        await ben.clock.fast_forward(6_000)
        await expect(bubble).to_have_count(1)
        await ben.clock.fast_forward(6_000)
        await expect(bubble).to_have_count(0)


async def test_a_line_is_at_the_top_of_the_screen_if_its_players_name_is_off_it() -> None:
    async with a_game() as (ana, ben, _):
        await ben.set_viewport_size(PHONE["viewport"])
        board = ben.get_by_role("grid")
        await ben.get_by_role("list", name="Moves").evaluate("moves => moves.scrollIntoView()")
        await expect(ben.locator(".strip").first).not_to_be_in_viewport()
        before = await board.bounding_box()
        await says(ana, "good evening")
        bubble = ben.get_by_text("ana says: good evening").and_(ben.locator(".bubble > span"))
        await expect(bubble).to_be_in_viewport(ratio=1)
        assert (await bubble.bounding_box())["y"] < 40
        assert await board.bounding_box() == before


async def test_what_is_not_sent_is_not_lost() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        ana, _ = await two_at_a_table(people, address(server.port), "Connect Four")
        await expect(state(ana)).to_contain_text("Your turn")
        hub = server.service.hub
        [account] = [each for each in hub.accounts.by_id.values() if each.name == "ana"]
        server.service.submit(hub.authority.mute(account, None, "", 0, from_everywhere=False))
        field = ana.get_by_role("textbox", name="Say something")
        await field.fill("hello ben")
        await ana.keyboard.press("Enter")
        await expect(ana.get_by_role("status").get_by_text("muted")).not_to_have_count(0)
        await expect(field).to_have_value("hello ben")


async def test_phrases_are_offered_where_nothing_else_may_be_said() -> None:
    async with a_game(chat="phrases") as (ana, ben, _):
        await expect(ana.get_by_role("textbox", name="Say something")).to_have_count(0)
        await press(ana, "Good luck!")
        await expect(ben.get_by_role("list", name="Chat")).to_contain_text("ana Good luck!")


async def test_whoever_is_muted_is_read_no_more_and_can_be_heard_again() -> None:
    async with a_game() as (ana, ben, _):
        chat = ana.get_by_role("list", name="Chat")

        async def says(text: str) -> None:
            await ben.get_by_role("textbox", name="Say something").fill(text)
            await ben.keyboard.press("Enter")
            await expect(ben.get_by_role("list", name="Chat").get_by_text(text)).to_be_visible()

        await says("one")
        await chat.get_by_role("button", name="ben").click()
        await press(ana, "Mute in chat")
        await expect(ana.get_by_text("You no longer see messages from ben.")).to_be_visible()
        await press(ana, "Close")
        await expect(chat.get_by_text("one")).to_have_count(1)
        await expect(chat.get_by_text("one")).to_be_hidden()
        await says("two")
        await ana.reload()
        await expect(state(ana)).to_contain_text("Your turn")
        await ana.get_by_role("button", name="ben").click()
        await press(ana, "Unmute")
        await expect(ana.get_by_text("You see messages from ben again.")).to_be_visible()
        await press(ana, "Close")
        await says("three")
        await expect(chat.get_by_text("three")).to_be_visible()
        await expect(chat.get_by_text("two")).to_have_count(0)


async def test_a_name_at_a_table_tells_of_its_player_and_the_game_goes_on() -> None:
    async with a_game() as (ana, ben, _):
        await ana.get_by_role("button", name="ben").click()
        about = ana.get_by_role("dialog", name="Player")
        await expect(about.get_by_role("heading", name="ben")).to_be_visible()
        await expect(about.get_by_text("No rated games yet.")).to_be_visible()
        await press(ana, "Close")
        await tap(ana, 4)
        await expect(state(ben)).to_contain_text("Your turn")


async def test_a_move_that_is_refused_says_why() -> None:
    async with a_game() as (ana, ben, _):
        await ben.get_by_role("textbox", name="Type a move").fill("9")
        await ben.keyboard.press("Enter")
        await expect(ben.get_by_role("status").get_by_text("It is ana's turn.")).to_be_visible()
        await ana.get_by_role("textbox", name="Type a move").fill("9")
        await ana.keyboard.press("Enter")
        await expect(ana.get_by_role("status").get_by_text("There is no column '9'")).to_be_visible()
        await ana.get_by_role("textbox", name="Type a move").fill("4")
        await ana.keyboard.press("Enter")
        await expect(state(ben)).to_contain_text("Your turn")


async def has_icon(page: Any, name: str) -> None:
    """The tab shows this file, which the page's policy lets be drawn."""
    link = page.locator("link[rel=icon]")
    await expect(link).to_have_attribute("href", re.compile(rf"/{re.escape(name)}$"))
    await page.evaluate(
        "url => Object.assign(new Image(), {src: url}).decode()", await link.get_attribute("href")
    )


async def test_the_title_and_the_icon_say_that_it_is_your_turn() -> None:
    async with a_game() as (ana, ben, people):
        eve = await people.page(ana.url)
        await press(eve, "Watch")
        await expect(ana).to_have_title("● Your turn – Connect Four – Tablero")
        await has_icon(ana, "icon-turn.svg")
        for page in (ben, eve):
            await expect(page).to_have_title("Connect Four – Tablero")
            await has_icon(page, "icon.svg")
        await tap(ana, 4)
        await expect(ben).to_have_title("● Your turn – Connect Four – Tablero")
        await has_icon(ben, "icon-turn.svg")
        for page in (ana, eve):
            await has_icon(page, "icon.svg")
        await press(ben, "Tablero Home")
        await expect(ben).to_have_title("Tablero")
        await has_icon(ben, "icon.svg")


async def test_each_move_is_read_out_once() -> None:
    async with a_game() as (ana, ben, _):
        await ben.evaluate(
            """() => {
                window.told = [];
                const live = document.querySelector("[aria-live=polite]");
                const note = () => window.told.push(live.textContent);
                new MutationObserver(note).observe(live, {childList: true, subtree: true});
            }"""
        )
        for page, other in ((ana, ben), (ben, ana)):
            await tap(page, 4)
            await expect(state(other)).to_contain_text("Your turn")
        await expect(state(ben)).to_contain_text("ana is thinking")
        assert await ben.evaluate("() => window.told") == ["ana: 4. Your turn", "ben: 4. ana is thinking…"]


async def test_clocks_run_for_who_is_to_move_with_tenths_at_the_end() -> None:
    async with (
        a_server(seconds=60, first_move_seconds=0) as server,
        browsers() as people,
        a_wire(server) as ben,
    ):
        await ben.hello("ben")
        room = await ben.ask("createRoom", game="connect-four", clock={"base": 8}, seat=1)
        ana = await people.page(address(server.port) + room["code"], **PHONE)
        await press(ana, "Sit down")
        mine, theirs = ana.get_by_role("timer").last, ana.get_by_role("timer").first
        await expect(mine).to_have_text(re.compile(r"^[0-7]\.\d$"))
        await expect(theirs).to_have_text("8.0")
        await expect(theirs).to_be_in_viewport(ratio=1)
        assert await ana.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


async def resign(page: Any) -> None:
    await press(page, "Resign")
    await page.get_by_role("dialog").get_by_role("button", name="Resign").click()


async def test_one_button_asks_for_a_rematch_and_answers_and_the_score_goes_on() -> None:
    async with a_game() as (ana, ben, _):
        await resign(ana)
        await expect(state(ana)).to_contain_text("A good moment to start afresh.")
        await press(ana, "Rematch")
        await expect(ana.get_by_role("button", name="Rematch offered")).to_be_disabled()
        answers = ben.get_by_role("button", name="Rematch")
        await expect(answers).to_have_text("ana wants a rematch – Play")
        await expect(ben.locator("button.primary:visible")).to_have_count(1)
        await answers.click()
        await expect(state(ben)).to_contain_text("Your turn")
        await tap(ben, 1)
        await expect(state(ana)).to_contain_text("Your turn")
        await resign(ana)
        for page, score in ((ana, "ana0 : 2ben"), (ben, "ben2 : 0ana")):
            await expect(page.locator(".score")).to_have_text(score)
        await ben.reload()
        await expect(ben.locator(".score")).to_have_text("ben2 : 0ana")


@pytest.mark.parametrize("size", [(320, 568), (390, 844), (1440, 900)])
async def test_the_end_covers_and_moves_nothing_of_the_board(size: tuple[int, int]) -> None:
    at = {"viewport": {"width": size[0], "height": size[1]}}
    async with a_server(seconds=60) as server, browsers() as people, a_wire(server) as ben:
        await ben.hello("ben")
        room = await ben.ask("createRoom", game="connect-four", seat=1)
        ana = await people.page(address(server.port) + room["code"], **at)
        await press(ana, "Sit down")
        await tap(ana, 4)
        board = ana.get_by_role("grid")
        await expect(state(ana)).to_contain_text("ben is thinking")
        before = await board.bounding_box()
        await ben.ask("resign", room=room["room"], seat=1)
        await expect(ana.locator(".verdict")).to_contain_text("You win")
        again = ana.get_by_role("button", name="Rematch")
        await expect(again).to_be_in_viewport(ratio=1)
        await expect(ana.get_by_role("button", name="Chat")).to_have_count(1 if size[0] < 500 else 0)
        assert await board.bounding_box() == before
        card = await ana.locator(".verdict").bounding_box()
        beside = card["x"] >= before["x"] + before["width"]
        assert beside or card["y"] >= before["y"] + before["height"]


async def test_a_table_that_has_begun_shows_its_link_and_code() -> None:
    async with a_game() as (ana, _, people):
        await choose(ana, "Share")
        asked = ana.get_by_role("dialog")
        await expect(asked.get_by_text("Anyone with the link can watch.")).to_be_visible()
        link = await asked.get_by_label("Link", exact=True).input_value()
        await expect(asked.get_by_text(link.rpartition("/")[2], exact=True)).to_be_visible()
        eve = await people.page(link)
        await press(eve, "Watch")
        await expect(state(eve)).to_contain_text("ana is thinking")
        await press(eve, "Share")
        await expect(eve.get_by_role("dialog").get_by_label("Link", exact=True)).to_have_value(link)


async def test_a_game_with_a_clock_is_paused_and_goes_on_when_both_agree() -> None:
    async with a_server(seconds=60) as server, browsers() as people, a_wire(server) as ben:
        await ben.hello("ben")
        room = await ben.ask("createRoom", game="connect-four", clock={"base": 300}, subscribe=["offers"])
        ana = await people.page(address(server.port) + room["code"], **PHONE)
        await press(ana, "Sit down")
        for what, words in (("Pause", "You asked for a pause."), ("Continue", "You asked to continue.")):
            await choose(ana, what)
            await expect(ana.get_by_text(words)).to_be_visible()
            offered = await heard(ben, "offered")
            await ben.ask("answer", room=room["room"], seat=0, offer=offered["offer"], yes=True)
            await expect(state(ana)).to_contain_text(
                "The game is paused." if what == "Pause" else "ben is thinking"
            )
        await press(ana, "More")
        await expect(ana.get_by_role("button", name="Pause")).to_be_visible()


async def test_nothing_is_paused_without_a_clock() -> None:
    async with a_game() as (ana, _, _people):
        await press(ana, "More")
        await expect(ana.get_by_role("button", name="Share")).to_be_visible()
        await expect(ana.get_by_role("button", name="Pause")).to_have_count(0)


async def heard(wire: Any, type: str) -> Any:
    while (message := await wire.hear())["type"] != type:
        pass
    return message


async def test_a_rated_game_says_so_and_how_both_ratings_moved() -> None:
    async with (
        a_server(seconds=60) as server,
        browsers() as people,
        a_wire(server, address="127.0.0.2") as ben,
    ):
        await ben.hello("ben")
        clock = {"base": 300, "increment": 5}
        room = await ben.ask("createRoom", game="tic-tac-toe", rated=True, clock=clock, seat=1)
        ana = await people.page(address(server.port) + room["code"], **PHONE)
        await ana.get_by_label("Your name").fill("ana")
        await press(ana, "Sit down")
        await expect(ana.get_by_role("heading", name="Tic-tac-toe")).to_contain_text("rated")
        ratings = ana.locator(".strip .rating")
        await expect(ratings).to_have_text(["1500?", "1500?"])
        for ply, move in enumerate(("a1", "a2", "b1", "b2", "c1")):
            if ply % 2:
                await ben.ask("playTurn", room=room["room"], seat=1, ply=ply, move=move)
            else:
                await expect(state(ana)).to_contain_text("Your turn")
                await ana.get_by_role("gridcell", name=f"{move}, free").click()
        await expect(state(ana)).to_contain_text("three in a row")
        facts = ana.locator(".facts")
        await expect(facts).to_contain_text("ana1500 → 1662? (+162)")
        await expect(facts).to_contain_text("ben1500 → 1338? (−162)")
        await expect(ratings).to_have_text(["1338?", "1662?"])
        await ana.reload()
        await expect(facts).to_contain_text("ana1500 → 1662? (+162)")


async def test_a_rated_table_no_longer_says_so_when_both_players_have_one_address() -> None:
    async with a_server(seconds=60) as server, browsers() as people, a_wire(server) as ben:
        await ben.hello("ben")
        clock = {"base": 300, "increment": 5}
        room = await ben.ask("createRoom", game="tic-tac-toe", rated=True, clock=clock, seat=1)
        ana = await people.page(address(server.port) + room["code"])
        await press(ana, "Sit down")
        await expect(ana.locator(".notice")).to_contain_text("so this game is not rated")
        await expect(state(ana)).to_contain_text("Your turn")
        await expect(ana.get_by_role("heading", name="Tic-tac-toe")).not_to_contain_text("rated")
        await expect(ana.locator(".strip .rating")).to_have_count(0)


async def test_a_rated_game_that_does_not_count_says_that_the_ratings_are_unchanged() -> None:
    async with (
        a_server(seconds=60) as server,
        browsers() as people,
        a_wire(server, address="127.0.0.2") as ben,
    ):
        await ben.hello("ben")
        room = await ben.ask("createRoom", game="tic-tac-toe", rated=True, clock={"base": 300}, seat=1)
        ana = await people.page(address(server.port) + room["code"])
        await press(ana, "Sit down")
        await by_mouse(ana, "a1, free")
        await expect(state(ana)).to_contain_text("ben is thinking")
        await ben.ask("resign", room=room["room"], seat=1)
        for seat in (0, 1):
            await expect(ana.locator(".facts dd").nth(seat)).to_have_text("1500?, unchanged")


async def test_a_lost_line_and_who_watches_are_seen_at_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "_LOST", 5)
    monkeypatch.setattr(network, "_MEASURED_EVERY", 1)
    async with (
        a_server(seconds=60, first_move_seconds=0) as server,
        browsers() as people,
        a_wire(server) as ben,
        a_wire(server) as eve,
    ):
        await ben.hello("ben")
        room = await ben.ask("createRoom", game="connect-four", clock={"base": 300}, seat=1)
        ana = await people.page(address(server.port) + room["code"], **PHONE)
        await press(ana, "Sit down")
        await tap(ana, 4)
        await expect(state(ana)).to_contain_text("ben is thinking")
        ben.socket.transport.pause_reading()  # so that no ping of the server arrives
        await expect(state(ana)).to_contain_text("ben is away. The clock is running.")
        ben.socket.transport.resume_reading()
        await expect(state(ana)).to_contain_text("ben is thinking")
        await eve.hello("eve")
        await eve.ask("join", room=room["room"], watch=True)
        await expect(ana.get_by_label("1 person is watching")).to_be_visible()
        await eve.ask("leave", room=room["room"])
        await expect(ana.locator(".watchers")).to_be_empty()


async def test_a_closed_tab_of_a_spectator_is_counted_no_more() -> None:
    async with a_game() as (ana, _, people):
        watchers = ana.get_by_label("1 person is watching")
        lobby = await people.page(ana.url.rpartition("/")[0])  # stays open
        eve = await lobby.context.new_page()
        await eve.goto(ana.url)
        await press(eve, "Watch")
        await expect(watchers).to_be_visible()
        await eve.reload()
        await expect(state(eve)).to_contain_text("is thinking")
        await expect(watchers).to_be_visible()
        await eve.close()
        await expect(ana.locator(".watchers")).to_be_empty(timeout=6_000)

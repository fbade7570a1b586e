"""The page in the language of its reader: all of a game, its refusals, and how it is chosen."""

from __future__ import annotations

from typing import Any

import pytest

from generate.page_texts import as_json
from tablero.catalogue.speech import LANGUAGES, catalogue
from tests.harness.browser import PHONE, Browsers, address, browsers, expect, served
from tests.harness.web.languages import LOCALES, foreign, in_a_language, speaking
from tests.harness.web.tables import GAMES
from tests.harness.wire import a_server


async def two_in_a_language(people: Browsers, url: str, language: str) -> tuple[Any, Any]:
    say = speaking(language)
    ana = await in_a_language(people, url, language, **PHONE)
    await ana.get_by_label(say("yourName")).fill("ana")
    assert await foreign(ana, language) == []
    await ana.get_by_role("button", name=say("makeTable")).click()
    assert await foreign(ana, language) == []
    await ana.get_by_role("button", name=say("openTable")).click()
    await expect(ana.get_by_text(say("waiting", number=1))).to_be_visible()
    assert await foreign(ana, language) == []
    link = await ana.get_by_label(say("link"), exact=True).input_value()
    ben = await in_a_language(people, link, language, **PHONE)
    await ben.get_by_label(say("yourName")).fill("ben")
    assert await foreign(ben, language) == []
    await ben.get_by_role("button", name=say("sitDown"), exact=True).click()
    return ana, ben


@pytest.mark.parametrize("language", LOCALES)
async def test_a_whole_game_in_a_language(language: str) -> None:
    say = speaking(language)
    async with a_server(seconds=90) as server, browsers() as people:
        pages = ana, ben = await two_in_a_language(people, address(server.port), language)

        def state(page: Any) -> Any:
            return page.get_by_role("region", name=say("state"))

        for ply, move in enumerate(GAMES["tic-tac-toe"].moves):
            await expect(state(pages[ply % 2])).to_contain_text(say("turnOf_you"))
            for page in pages:
                assert await foreign(page, language) == []
            if ply == 2:
                await in_between(ana, ben, language)
            await pages[ply % 2].get_by_role("gridcell", name=say("cellFree", cell=move)).click()
        await expect(state(ana)).to_contain_text(say("won_you"))
        await expect(state(ben)).to_contain_text(say("won_other", name="ana"))
        for page in pages:
            assert await foreign(page, language) == []
            assert await page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), "it fits"
            assert await page.evaluate("() => document.documentElement.lang") == language
            await page.get_by_role("button", name=say("rematch")).click()
        await expect(state(ben)).to_contain_text(say("turnOf_you"))


async def in_between(ana: Any, ben: Any, language: str) -> None:
    """Talk, an offer, a refusal, and a question."""
    say = speaking(language)
    await ben.get_by_role("button", name=say("chat"), exact=True).click()
    await ben.get_by_placeholder(say("chatPlaceholder")).fill("Hi!")
    await ben.keyboard.press("Enter")
    assert await foreign(ben, language) == []
    await ben.keyboard.press("Escape")
    await ben.get_by_role("button", name=say("offerDraw")).click()
    await expect(ana.get_by_text(say("offered_draw", name="ben"))).to_be_visible()
    await expect(ben.get_by_text(say("mine_draw"))).to_be_visible()
    for page in (ana, ben):
        assert await foreign(page, language) == []
    await ana.get_by_role("button", name=say("decline"), exact=True).click()
    await expect(ben.get_by_text(say("declinedOffer", name="ana"))).to_be_visible()
    await ana.get_by_label(say("typedMove")).fill("b2")
    await ana.keyboard.press("Enter")
    refused = as_json(catalogue(language))["refusals"]["occupied"].format(cell="b2")
    await expect(ana.get_by_text(refused).first).to_be_visible()
    assert await foreign(ana, language) == []
    await ana.get_by_role("button", name=say("resign"), exact=True).click()
    await expect(ana.get_by_text(say("resignLine", name="ben"))).to_be_visible()
    assert await foreign(ana, language) == []
    await ana.get_by_role("button", name=say("stay")).click()


async def test_what_is_not_in_the_language_is_found() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        page = await in_a_language(people, address(server.port), "en")
        assert {"Create a table", "Table code"} <= {*await foreign(page, "fr")}


@pytest.mark.parametrize("language", LOCALES)
async def test_the_start_page_fits_a_small_phone_in_a_language(language: str) -> None:
    say = speaking(language)
    async with served(bots=True) as server, browsers() as people:
        page = await in_a_language(people, server.url, language, **PHONE)
        await expect(page.get_by_text(say("connect-four:easy"))).to_be_visible()
        assert await foreign(page, language) == []
        assert await page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("language", LOCALES)
async def test_what_a_computer_player_says_is_in_the_language(language: str) -> None:
    say = speaking(language)
    async with served(bots=True) as server, browsers() as people:
        page = await in_a_language(people, server.url, language)
        await page.get_by_text(say("connect-four:easy")).click()
        wish = as_json(catalogue(language))["texts"]["phrase_goodLuck"]
        await expect(page.get_by_role("list", name=say("chat"))).to_contain_text(wish)


async def test_a_language_is_chosen_and_kept() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        page = await people.page(address(server.port), locale="de-DE")
        asked = list[str]()
        page.on("request", lambda request: asked.append(request.url))
        await page.get_by_role("combobox", name="Language").select_option(label="Français")
        await expect(page.get_by_role("button", name=speaking("fr")("makeTable"))).to_be_visible()
        assert await page.evaluate("() => document.documentElement.lang") == "fr"
        assert sum("/languages/" in url for url in asked) == 1
        await page.reload()
        await page.get_by_role("combobox", name="Langue").select_option(label="English")
        await expect(page.get_by_role("button", name="Create a table")).to_be_visible()
        assert sum("/languages/" in url for url in asked) == 2, "English needs none"


async def test_a_language_that_cannot_be_fetched_leaves_an_english_page() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        people.forgiven = (*people.forgiven, "404")
        page = await people.page("about:blank", locale="de-DE")
        await page.add_init_script("localStorage.setItem('tablero.language', 'fr')")
        await page.route("**/languages/*", lambda route: route.fulfill(status=404))
        await page.goto(address(server.port))
        await expect(page.get_by_role("button", name="Create a table")).to_be_visible()
        assert await page.evaluate("() => document.documentElement.lang") == "en"


async def test_a_language_of_later_screens_comes_with_the_first_of_them() -> None:
    say = speaking("fr")
    async with a_server(seconds=60) as server, browsers() as people:
        page = await in_a_language(people, "about:blank", "fr")
        asked = list[str]()
        page.on("request", lambda request: asked.append(request.url.partition("/languages/")[2]))
        await page.goto(address(server.port))
        await expect(page.get_by_role("button", name=say("makeTable"))).to_be_visible()
        assert not any(asked)
        await page.get_by_role("button", name=say("settings")).click()
        await expect(page.get_by_role("group", name=say("theme"))).to_be_visible()
        assert await foreign(page, "fr") == []
        await page.get_by_role("button", name=say("close")).click()
        await page.goto(f"{address(server.port)}replay")
        await expect(page.get_by_text(say("dropRecordLine"))).to_be_visible()
        assert {*filter(None, asked)} == {"later/fr.json"}


async def test_a_later_screen_without_its_language_is_english_and_goes_on() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        people.forgiven = (*people.forgiven, "404")
        page = await in_a_language(people, "about:blank", "fr")
        await page.route("**/languages/later/*", lambda route: route.fulfill(status=404))
        await page.goto(address(server.port))
        await page.get_by_role("button", name=speaking("fr")("settings")).click()
        await page.get_by_role("radio", name=speaking("en")("themeDark")).check()
        assert await page.evaluate("() => document.documentElement.dataset.theme") == "dark"
        await page.get_by_role("button", name=speaking("fr")("close")).click()


async def test_later_screens_whose_sentences_cannot_be_had_are_said_so() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        people.forgiven = (*people.forgiven, "Failed to load resource")
        page = await in_a_language(people, "about:blank", "fr")
        await page.route("**/later-texts.js", lambda route: route.abort())
        await page.goto(address(server.port))
        await page.get_by_role("button", name=speaking("fr")("settings")).click()
        await expect(page.get_by_text(speaking("fr")("reloadForPart"))).to_be_visible()


@pytest.mark.parametrize("missing", ["refusals.js", "languages/refusals/fr.json"])
async def test_a_refusal_whose_words_cannot_be_had_is_said_in_english(missing: str) -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        people.forgiven = (*people.forgiven, "404")
        page = await in_a_language(people, "about:blank", "fr")
        await page.route(f"**/{missing}", lambda route: route.fulfill(status=404))
        await page.goto(address(server.port))
        await page.get_by_label(speaking("fr")("yourName")).fill("admin")
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("A name has 2 to 20 letters")).to_be_visible()


def test_the_page_has_the_languages_of_the_terminal() -> None:
    assert {"en", *LOCALES} == {*LANGUAGES}

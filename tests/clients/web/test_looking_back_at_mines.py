"""Looking back at a game that hides something while it goes on: by what its player was shown."""

from __future__ import annotations

import re
from typing import Any

from tests.harness.browser import PHONE, address, browsers, expect
from tests.harness.hands import FINGER
from tests.harness.web.minesweeper import Seen, a_race, cell, settled, solve
from tests.harness.web.tables import PROCESS_MS, by_typing, choose, moves, press, state
from tests.harness.wire import a_server, a_wire


async def looks_at(page: Any, where: str) -> None:
    await expect(page.locator(".looking")).to_contain_text(where, timeout=PROCESS_MS)


async def goes_back(page: Any, told: list[Seen]) -> None:
    """From now to the start and on again, one turn at a time: each time what it was told then."""
    await expect(moves(page)).to_have_count(len(told) - 1)
    await expect(moves(page).get_by_role("button")).to_have_count(len(told) - 1)
    for ply, then in reversed(list(enumerate(told[:-1]))):
        await press(page, "Previous move")
        where = f"{ply} of {len(told) - 1}." if ply else "At the start"
        await looks_at(page, where)
        assert await Seen.on(page) == then, where
    await moves(page).first.get_by_role("button").click()
    await looks_at(page, "1 of")
    assert await Seen.on(page) == told[1]
    await press(page, "Back to the game")
    await expect(page.locator(".looking")).to_be_empty()
    assert await Seen.on(page) == told[-1]


async def plays(page: Any, *played: str) -> list[Seen]:
    """What there is to see before, and after each of these moves."""
    told = [await Seen.on(page)]
    before = await moves(page).get_by_role("button").count()
    for count, move in enumerate(played, before + 1):
        await by_typing(page, move)
        await expect(moves(page)).to_have_count(count)
        await settled(page)
        told.append(await Seen.on(page))
    return told


async def free(page: Any) -> list[str]:
    """Cells that nothing is known of, the last ones first."""
    return [name for name, look in reversed((await Seen.on(page)).looks.items()) if look == "covered"]


async def on_a_phone(people: Any, page: Any) -> Any:
    await choose(page, "Continue on another device")
    link = await page.get_by_role("dialog").get_by_label("Link", exact=True).input_value()
    phone = await people.page(link, **PHONE)
    await phone.get_by_role("button", name="Continue here").tap()
    await expect(phone.get_by_role("gridcell").first).to_be_visible()
    return phone


async def test_alone_one_looks_back_to_the_first_dig_after_a_reload() -> None:
    async with a_server(seconds=120) as server, browsers() as people:
        page = await people.page(address(server.port))
        await page.get_by_role("button", name="Play Minesweeper alone, Beginner").click()
        await expect(page.get_by_role("gridcell", name=re.compile("covered$"))).to_have_count(81)
        await expect(page.get_by_role("button", name="Previous move")).to_be_hidden()
        told = await plays(page, "dig e5")
        assert len(await free(page)) <= 72
        one, other, *_ = await free(page)
        told += (await plays(page, f"flag {one}", f"flag {other}", f"unflag {one}"))[1:]
        await goes_back(page, told)
        await page.reload()
        await goes_back(page, told)
        await press(page, "First move")
        await looks_at(page, "At the start")
        await cell(page, other).click()  # digs nothing: it was for another position
        await expect(page.locator(".looking")).to_be_empty()
        assert await Seen.on(page) == told[-1]
        told += (await plays(page, f"unflag {other}"))[1:]  # which the server is asked for anew
        await goes_back(page, told)


async def test_in_a_race_a_phone_looks_back_at_the_own_board_alone_until_the_end() -> None:
    async with a_server(seconds=120) as server, browsers() as people:
        ana, ben = await a_race(people, address(server.port))
        _, safe = (await Seen.on(ana)).certain()
        theirs, mine, *_ = await free(ana)
        told = await plays(ana, f"flag {mine}", f"dig {min(safe)}")
        rival = await plays(ben, f"flag {theirs}", f"unflag {theirs}", f"flag {theirs}")
        await goes_back(ana, told)
        await ana.reload()
        await goes_back(ana, told)
        phone = await on_a_phone(people, ana)
        async with phone.expect_response("**/replay") as answer:
            await goes_back(phone, told)
        replay = await (await answer.value).json()
        assert [turn["move"] for turn in replay["turns"]] == [f"flag {mine}", f"dig {min(safe)}"]
        assert (replay["seats"], len(replay["views"])) == ([0], 1)
        await press(ben, "Previous move")  # while the rival comes to the end
        await looks_at(ben, f"2 of 3. ben: unflag {theirs}")
        await plays(phone, f"unflag {mine}")
        await solve([phone], FINGER, flags=0)
        await expect(state(ben)).to_contain_text("ana wins")
        await expect(moves(ben)).not_to_have_count(3)  # now everybody hears of every move
        await looks_at(ben, f". ben: unflag {theirs}")
        assert await Seen.on(ben) == rival[2]
        await press(ben, "Previous move")
        await looks_at(ben, f". ben: flag {theirs}")
        assert await Seen.on(ben) == rival[1]


async def test_after_a_race_its_replay_has_the_moves_of_the_rivals_too() -> None:
    options = {"mode": "race", "width": 9, "height": 9, "mines": 10}
    async with a_server(seconds=120) as server, browsers() as people, a_wire(server) as ana:
        await ana.hello("ana")
        room = await ana.ask("createRoom", game="minesweeper", seats=2, options=options, private=True)
        ben = await people.page(address(server.port) + room["code"])
        await press(ben, "Sit down")
        await expect(ben.get_by_role("gridcell", name="covered").first).to_be_visible()
        theirs, mine, *_ = await free(ben)
        await ana.ask("playTurn", room=room["room"], seat=0, ply=0, move=f"flag {theirs}")
        start, _ = await plays(ben, f"flag {mine}")
        await press(ben, "First move")
        await looks_at(ben, "At the start")
        await press(ben, "Resign")
        await ben.get_by_role("dialog").get_by_role("button", name="Resign").click()
        await expect(moves(ben)).to_have_count(2)
        await ana.ask("resign", room=room["room"], seat=0)
        await expect(moves(ben)).to_have_count(4)
        await press(ben, "Next move")
        await looks_at(ben, f"1 of 4. ana: flag {theirs}")
        assert await Seen.on(ben) == start
        await expect(ben.locator("[data-place].last")).to_have_count(0)  # it was put on another board


async def test_together_both_look_back_at_all_that_was_dug() -> None:
    async with a_server(seconds=120) as server, browsers() as people:
        ana, ben = await a_race(people, address(server.port), "Together on one field")
        first, other, third, *_ = await free(ana)
        told = await plays(ana, f"flag {first}")
        await expect(moves(ben)).to_have_count(1)
        told += (await plays(ben, f"flag {other}"))[1:]
        await expect(moves(ana)).to_have_count(2)
        told += (await plays(ana, f"flag {third}"))[1:]
        await expect(moves(ben)).to_have_count(3)
        for page in (ana, ben):
            await page.reload()
            await goes_back(page, told)
        eve = await people.page(ana.url)
        await press(eve, "Watch")
        await goes_back(eve, told)

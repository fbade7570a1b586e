"""A replay in Firefox and in WebKit: stepped through, left to itself, dropped as a file, and saved."""

from __future__ import annotations

from pathlib import Path

from tablero_games import GAMES
from tablero_games.record.file import write
from tests.harness.browser import address
from tests.harness.games.records import play
from tests.harness.other_browsers import a_person_with, in_each_browser
from tests.harness.wire import a_server, a_wire

pytestmark = in_each_browser
HELD = "count => document.querySelectorAll('.pieces .token').length === count"
SCRUB = """ply => {
    const slider = document.querySelector("input[type=range]");
    if (!slider) return false;
    slider.value = ply;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    return true;
}"""
DROP = """text => {
    const place = document.querySelector("main.replay");
    if (!place) return false;
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], "game.record"));
    place.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    return true;
}"""
CATCH = """() => {
    const click = HTMLAnchorElement.prototype.click;
    HTMLAnchorElement.prototype.click = function () { if (!this.download) click.call(this); };
    URL.createObjectURL = (blob) => {
        void blob.text().then((text) => { globalThis.saved = text; });
        return "blob:it";
    };
    return true;
}"""
"""What would be saved, in the place of a download."""


async def test_a_game_is_replayed_and_saved_as_a_page_that_works_from_disk(
    browser: str, tmp_path: Path
) -> None:
    async with a_server(seconds=120) as server, a_wire(server) as ana, a_wire(server) as ben:
        await ana.hello("ana")
        await ben.hello("ben")
        room = (await ana.ask("createRoom", game="tic-tac-toe"))["room"]
        await ben.ask("join", room=room)
        for ply, move in enumerate(("b2", "a1", "c1", "a3")):
            await (ana, ben)[ply % 2].ask("playTurn", room=room, seat=ply % 2, ply=ply, move=move)
        await ana.ask("resign", room=room, seat=0)
        async with a_person_with(browser) as eve:
            await eve.open(f"{address(server.port)}replay/{room}")
            await eve.sees(SCRUB, 3)
            await eve.sees(HELD, 3)
            await eve.hears("3 of 5. ana: c1")
            await eve.taps("button", "Previous move")
            await eve.sees(HELD, 2)
            await eve.sees(SCRUB, 0)
            await eve.sees(HELD, 0)
            await eve.taps("button", "Autoplay")
            await eve.hears("ben wins")
            await eve.look(CATCH)
            await eve.taps("button", "Save as a page")
            page = tmp_path / "replay.html"
            page.write_text(await eve.sees("() => globalThis.saved"))
            await eve.open(f"{page.as_uri()}#4")
            await eve.sees(HELD, 4)
            await eve.taps("button", "Previous move")
            await eve.sees(HELD, 3)


async def test_a_record_that_is_dropped_on_the_page_is_replayed_and_saved_again(browser: str) -> None:
    record = write(play(GAMES["tic-tac-toe"], {}))
    async with a_server(seconds=120) as server, a_person_with(browser) as eve:
        await eve.open(f"{address(server.port)}replay")
        await eve.hears("Drop a record here")
        await eve.sees(DROP, record.replace('"at":', '"at":"', 1))
        await eve.hears("of the record is wrong")
        await eve.sees(DROP, record)
        await eve.hears("At the start")
        await eve.taps("button", "Last move")
        await eve.sees("() => Boolean(document.querySelector('.result:not([hidden])'))")
        await eve.look(CATCH)
        await eve.taps("button", "Save the record")
        assert await eve.sees("() => globalThis.saved") == record

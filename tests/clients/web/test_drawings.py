"""No board changes unnoticed: each is still drawn as `drawings/` says."""

from __future__ import annotations

from tests.harness.browser import address, browsers
from tests.harness.web.drawings import FOLDER, SCENES, drawings
from tests.harness.wire import a_server

HOW_TO_MEAN_IT = "python -m tests.harness.web.drawings writes it anew, if this is how it should look"


async def test_every_board_is_drawn_as_it_was() -> None:
    known = {file.stem: file.read_text("utf-8") for file in FOLDER.glob("*.txt")}
    assert known.keys() == SCENES.keys()
    for name, drawing in (await drawings()).items():
        pairs = zip(known[name].splitlines(), drawing.splitlines(), strict=False)
        changed = [f"{old.strip()}\n  is now {new.strip()}" for old, new in pairs if old != new]
        assert drawing == known[name], f"{name}: {changed[:3]}; {HOW_TO_MEAN_IT}"


async def test_the_assets_have_their_colours_from_the_page() -> None:
    """Else a drawing without its style would pass as well."""
    text = (FOLDER / "connect-four.txt").read_text("utf-8")
    async with a_server(seconds=60) as server, browsers() as people:
        page = await people.page(address(server.port), color_scheme="light")
        seat = await page.evaluate(
            "() => getComputedStyle(document.documentElement).getPropertyValue('--seat-0')"
        )
        assert f"fill {seat.strip()}ff" in text

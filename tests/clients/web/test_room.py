"""The board has the room that a screen has, and players see all that matters without scrolling."""

from __future__ import annotations

from tests.harness.browser import PHONE, address, browsers, expect
from tests.harness.web.tables import by_mouse, state, two_at_a_table
from tests.harness.wire import a_server

SCREENS = {
    (320, 640): ("width", 0.97),
    (390, 844): ("width", 0.97),
    (1000, 720): ("height", 0.75),
    (1440, 900): ("height", 0.80),
    (3840, 2160): ("height", 0.80),
}
"""How much of it a square board takes at least."""


async def test_the_board_takes_the_screen_and_whose_turn_it_is_is_seen() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        ana, ben = await two_at_a_table(people, address(server.port), "Tic-tac-toe", guest=PHONE)
        await expect(state(ana)).to_contain_text("Your turn")
        await by_mouse(ana, "b2, free")
        await expect(state(ben)).to_contain_text("Your turn")
        for (width, height), (side, least) in SCREENS.items():
            await ana.set_viewport_size({"width": width, "height": height})
            box = await ana.get_by_role("grid").bounding_box()
            share = box[side] / {"width": width, "height": height}[side]
            assert share >= least, f"{share:.2f} of the {side} at {width} × {height}"
            for seen in (
                ana.get_by_role("grid"),
                ana.locator(".strip").first,
                ana.locator(".strip").last,
                state(ana),
            ):
                await expect(seen).to_be_in_viewport(ratio=1)

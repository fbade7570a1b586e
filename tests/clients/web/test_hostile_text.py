"""What strangers write becomes text on a page and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.harness.browser import address, browsers, expect
from tests.harness.web.tables import state, two_at_a_table
from tests.harness.wire import a_server

RUNS = "window.pwned=1"
SHAPES = [
    "<script>{0}</script>",
    "<img src=x onerror={0}>",
    "<svg onload={0}>",
    "<svg><script>{0}</script></svg>",
    "<iframe srcdoc='<script>parent.{0}</script>'>",
    "<body onload={0}>",
    "<a href='javascript:{0}'>x</a>",
    "javascript:{0}",
    "'\"><script>{0}</script>",
    "'-{0}-'",
    '"-{0}-"',
    "`${{{0}}}`",
    "{{{{{0}}}}}",
    "${{{0}}}",
    "</title><script>{0}</script>",
    "</style><script>{0}</script>",
    "</textarea><script>{0}</script>",
    "<details open ontoggle={0}>",
    "<video><source onerror={0}>",
    "<input autofocus onfocus={0}>",
    "<math><mtext></mtext><script>{0}</script></math>",
    "<template><script>{0}</script></template>",
    "<style>@import 'javascript:{0}'</style>",
    "<link rel=stylesheet href=x onerror={0}>",
    "<base href=//x/>{0}",
]
PAYLOADS = [shape.format(RUNS) for shape in SHAPES] + [
    shape.format(RUNS).replace("<", "\uff1c") if index % 2 else shape.format(RUNS).upper()
    for index, shape in enumerate(SHAPES)
]

MARKUP = "script, iframe, img, svg[onload], [onerror], [onfocus], base, style"
COUNT = f"() => document.querySelectorAll('{MARKUP}').length"


async def nothing_ran(page: Any, before: int) -> None:
    assert await page.evaluate("() => window.pwned") is None
    assert await page.evaluate(COUNT) == before


async def test_chat_is_text() -> None:
    assert len(PAYLOADS) == 50
    async with a_server(seconds=90, chat_burst=1_000) as server, browsers() as people:
        ana, ben = await two_at_a_table(people, address(server.port), "Tic-tac-toe")
        await expect(state(ana)).to_contain_text("Your turn")
        before = await ana.evaluate(COUNT)
        for payload in PAYLOADS:
            await ben.get_by_role("textbox", name="Say something").fill(payload)
            await ben.keyboard.press("Enter")
        said = ana.get_by_role("list", name="Chat").get_by_role("listitem")
        await expect(said).to_have_count(len(PAYLOADS))
        for page in (ana, ben):
            texts = await page.get_by_role("list", name="Chat").get_by_role("listitem").all_inner_texts()
            assert [text.removeprefix("ben").strip() for text in texts] == PAYLOADS
            await nothing_ran(page, before)


@pytest.mark.parametrize(
    ("game", "payload"), [("connect-four", each) for each in PAYLOADS[:25:6]] + [("hex", PAYLOADS[0])]
)
async def test_whatever_a_server_says_is_text(game: str, payload: str) -> None:
    """Names, games, options, levels and refusals, as no honest server would say them."""
    name = {"id": "p", "name": payload, "bot": True, "level": payload}
    table = {
        "room": "r1",
        "epoch": "e",
        "game": game,
        "version": 1,
        "options": {"columns": payload, "rows": payload},
        "state": "playing",
        "private": False,
        "seats": [name, name],
        "members": [{"player": name, "seats": [0, 1]}],
        "code": "ABCD-EFGH",
        "owner": "p",
    }
    welcome = {"type": "welcome", "player": name, "session": "s", "limits": {}, "now": 0, "rooms": []}
    offered = {"type": "offered", "room": "r1", "seq": 3, "offer": payload, "seat": 1, "what": payload}
    view = {"columns": 4, "rows": 4, "connect": 4, "stacks": ["0", "", "", ""]}
    turn = {
        "type": "nextPlayer",
        "room": "r1",
        "seq": 2,
        "ply": 1,
        "seats": [1],
        "view": view,
        "last": {"seat": 0, "move": payload},
        "legalMoves": [payload],
    }
    lobby = {
        "type": "lobby",
        "players": [name],
        "seeks": [{"seek": "s", "player": name, "bots": False, "game": payload}],
        "rooms": [{"room": "r9", "game": payload, "options": {}, "state": "waiting", "seats": [name, None]}],
    }

    def answer(socket: Any, frame: str) -> None:
        asked = json.loads(frame)
        re = {"re": asked["id"]}
        said: dict[str, list[dict[str, Any]]] = {
            "hello": [{**welcome, **re}],
            "watchLobby": [{**lobby, **re}],
            "join": [{"type": "joined", **re, "room": "r1", "seq": 1, "player": name, "table": table}],
            "subscribe": [{**turn, **re}, offered],
        }
        otherwise = [
            {"type": "refused", **re, "code": payload, "reason": payload, "fields": {}, "message": payload}
        ]
        for message in said.get(asked["type"], otherwise):
            socket.send(json.dumps(message))

    async with a_server(seconds=60) as server, browsers() as people:
        page = await people.page("about:blank")
        await page.route_web_socket(
            "**/ws", lambda socket: socket.on_message(lambda frame: answer(socket, frame))
        )
        await page.goto(address(server.port))
        await expect(page.get_by_text(payload).first).to_be_visible()
        before = await page.evaluate(COUNT)
        await page.get_by_role("textbox", name="Table code").fill("abcdefgh")
        await page.get_by_role("button", name="Join", exact=True).click()
        await expect(page.get_by_role("list", name="Moves").get_by_text(payload)).to_be_visible()
        if game == "hex":
            await expect(page.get_by_role("region", name="hex, board")).to_be_visible()
        await page.get_by_role("button", name="Offer a draw").click()
        await expect(page.get_by_role("status").get_by_text(payload)).to_be_visible()
        await nothing_ran(page, before)

"""Every board as Chromium draws it, as text: each shape with its place, and its paint in light and dark.

`python -m tests.harness.web.drawings` writes `drawings/` again after an intended change. Letters are not
measured, so fonts make no difference.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

import tablero_games as rules
from tests.harness.browser import address, browsers
from tests.harness.tree import ROOT
from tests.harness.wire import a_server

FOLDER = ROOT / "tests" / "clients" / "web" / "drawings"
SCHEMES = ("light", "dark")


@dataclass(frozen=True)
class Scene:
    """A position with everything that a board can draw."""

    moves: tuple[str, ...]
    options: dict[str, Any] = field(default_factory=dict)
    seats: int = 2
    seat: int = 0
    ghost: str | None = None


SCENES = {
    "tic-tac-toe": Scene(("b2", "a1", "c1"), seat=1, ghost="a3"),
    "tic-tac-toe-won": Scene(("b2", "a1", "c1", "a2", "a3")),
    "connect-four": Scene(("4", "4", "3", "5"), {"columns": 5, "rows": 4, "connect": 3}, ghost="2"),
    "connect-four-won": Scene(("3", "1", "4", "1", "2"), {"columns": 5, "rows": 4, "connect": 3}),
    "dots-and-boxes": Scene(
        ("a1h", "a1v", "b1v", "a2h", "c1h"), {"rows": 2, "columns": 3}, seat=1, ghost="c2h"
    ),
    "quoridor": Scene(("c2", "b3h", "d2v", "c4"), {"size": 5, "walls": 4}, ghost="b2"),
    "quoridor-from-the-other-side": Scene(("c2", "b3h", "d2v"), {"size": 5, "walls": 4}, seat=1),
    "minesweeper": Scene(
        ("dig a1", "flag f1"), {"mode": "solo", "level": "beginner"}, seats=1, ghost="dig g1"
    ),
    "minesweeper-lost": Scene(
        ("dig a1", "flag f1", "flag g3", "dig f2"), {"mode": "solo", "level": "beginner"}, seats=1
    ),
}

DRAW = """async ([game, shown]) => {
    const main = document.querySelector("script[src*='main.js']").src;
    const { boardFor } = await import(main.replace("main.js", "games.js"));
    const place = document.createElement("div");
    place.className = "board-place";
    document.body.replaceChildren(place);
    const board = await boardFor(game);
    place.append(board);
    board.show(shown);
    await Promise.allSettled(document.getAnimations().map(each => each.finished));
}"""
TELL = """() => {
    const paper = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
    const colour = value => {
        if (value === "none") return value;
        paper.clearRect(0, 0, 1, 1);
        paper.fillStyle = value;
        paper.fillRect(0, 0, 1, 1);
        const parts = [...paper.getImageData(0, 0, 1, 1).data];
        return "#" + parts.map(each => each.toString(16).padStart(2, "0")).join("");
    };
    const lines = [];
    const walk = (element, depth) => {
        const style = getComputedStyle(element);
        const own = [...element.attributes].map(({ name, value }) => `${name}=${value}`).sort();
        const paint = element.children.length ? [`opacity ${style.opacity}`] : [
            `fill ${colour(style.fill)} ${style.fillOpacity}`, `opacity ${style.opacity}`,
            `stroke ${colour(style.stroke)} ${style.strokeOpacity} ${style.strokeWidth}`];
        const text = element.children.length ? "" : element.textContent;
        lines.push(" ".repeat(depth) + [element.tagName, ...own, text].filter(Boolean).join(" "));
        lines.push(" ".repeat(depth) + "  = " + paint.join(", "));
        for (const child of element.children) walk(child, depth + 1);
    };
    walk(document.querySelector(".board-place svg[role=grid]"), 0);
    return lines;
}"""


WEARS = "scheme => document.documentElement.dataset.theme === scheme"
"""A condition that is true once the page uses the system's colour scheme."""


def shown(name: str, scene: Scene) -> tuple[str, dict[str, Any]]:
    """The game of a scene, and the view for its board."""
    game = next(each for each in rules.GAMES if name.startswith(each))
    position = rules.GAMES[game].start(scene.seats, 7, **scene.options)
    last: dict[str, Any] | None = None
    for move in scene.moves:
        seat = min(position.to_move)
        position = position.play(seat, move)
        last = {"seat": seat, "move": move}
    may_move = position.outcome is None and scene.seat in position.to_move
    view = dict(position.view(scene.seat))
    if position.outcome is not None:
        view["outcome"] = position.outcome.to_json()
    listed = None if game == "minesweeper" else list(position.legal_moves(scene.seat)) if may_move else []
    return game, {
        "view": view,
        "seat": scene.seat,
        "mayMove": may_move and scene.ghost is None,
        "legalMoves": listed,
        "last": last,
        "ghost": scene.ghost,
        "waiting": [],
        "names": ["ana", "ben"][: scene.seats],
    }


async def drawings() -> dict[str, str]:
    told: dict[str, str] = {}
    async with a_server(seconds=120) as server, browsers() as people:
        page = await people.page(address(server.port), reduced_motion="reduce")
        await page.get_by_role("button", name="Play now").wait_for()
        for name, scene in SCENES.items():
            await page.emulate_media(color_scheme="light")
            await page.evaluate(DRAW, list(shown(name, scene)))
            looks = []
            for scheme in SCHEMES:
                await page.emulate_media(color_scheme=scheme)
                await page.wait_for_function(WEARS, arg=scheme)
                looks.append(await page.evaluate(TELL))
            told[name] = "\n".join(map(merged, *looks)) + "\n"
    return told


def merged(light: str, dark: str) -> str:
    return light if light == dark else f"{light}; dark {dark.strip()}"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, drawing in asyncio.run(drawings()).items():
        (FOLDER / f"{name}.txt").write_text(drawing, "utf-8")
        print(FOLDER / f"{name}.txt")


if __name__ == "__main__":
    main()

"""docs/games.md against the games: every option, every field of a view, and the examples as printed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tablero_games import GAMES, Game

from .test_contract import play_at_random
from .variants import CASES, NAMES, Variant

PAGE = (Path(__file__).parents[2] / "docs" / "games.md").read_text(encoding="utf-8")


def section(game: Game) -> str:
    _, *rest = re.split(rf"(?m)^## {game.title} \(`{game.name}`\)$", PAGE)
    assert rest, f"docs/games.md has no section for {game.title}"
    return rest[0].split("\n## ")[0]


def words_in_code(markdown: str) -> set[str]:
    return {word for code in re.findall(r"`([^`\n]+)`", markdown) for word in re.findall(r"\w+", code)}


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_option_is_described(game: Game) -> None:
    options = {field.alias or name for name, field in game.options.model_fields.items()}
    assert options <= words_in_code(section(game))


@pytest.mark.parametrize(("game", "variant"), CASES, ids=NAMES)
def test_every_field_of_a_view_and_every_reason_is_described(game: Game, variant: Variant) -> None:
    described = words_in_code(section(game))
    for seed in range(3):
        over = play_at_random(game, variant, seed).positions[-1]
        assert over.outcome is not None
        assert {*over.view(0), over.outcome.reason} <= described


@pytest.mark.parametrize(
    "game", [game for game in GAMES.values() if not game.hidden], ids=lambda game: game.name
)
def test_the_printed_view_is_that_of_the_printed_drawing(game: Game) -> None:
    [view] = re.findall(r"(?s)The position above is `(.*?)`", section(game))
    drawing = re.search(r"(?s)```\n(.*?)\n```", section(game))
    assert drawing
    position = game.from_view(json.loads(view))
    assert position.view(None) == json.loads(view)
    assert game.draw(position.view(None), "ascii") == drawing[1]

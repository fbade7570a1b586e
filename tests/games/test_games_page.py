"""docs/games.md and docs/records.md against the games: options, views, examples and refusals."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from tablero_games import GAMES, Game
from tablero_games.record.complaints import COMPLAINTS
from tablero_games.refusals import ANY_GAME, ANY_OPTION
from tests.harness.games.contract import play_at_random
from tests.harness.games.variants import CASES, NAMES, Variant

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "games.md").read_text(encoding="utf-8")
RECORDS = (DOCS / "records.md").read_text(encoding="utf-8")


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


def rows_of(refusals: Mapping[str, str]) -> list[str]:
    return [f"| `{reason}` | {re.sub(':(or|and)}', '}', text)} |" for reason, text in refusals.items()]


def refusals_in(markdown: str) -> list[str]:
    _, _, table = markdown.partition("| `reason` | sentence |\n|---|---|\n")
    return table.split("\n\n")[0].splitlines()


def test_what_can_be_wrong_with_a_record_is_listed_with_its_sentences() -> None:
    _, _, table = RECORDS.partition("| `wrong` | sentence |\n|---|---|\n")
    assert table.split("\n\n")[0].splitlines() == rows_of(COMPLAINTS)


def test_the_reasons_that_any_game_may_give_are_listed_with_their_sentences() -> None:
    assert refusals_in(PAGE) == rows_of({**ANY_GAME, **ANY_OPTION})


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_reasons_of_a_game_are_listed_with_their_sentences(game: Game) -> None:
    assert refusals_in(section(game)) == rows_of(game.refusals)

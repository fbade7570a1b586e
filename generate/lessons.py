"""The lessons of each game for the browser client: a file for each game and language.

The browser does not know the rules, so a file contains the view of each lesson, the legal moves, and the view
after each right move. The generator plays them by the rules.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from tablero.catalogue.speech import Catalogue, catalogue
from tablero.games import Lesson, client_game
from tablero_games import GAMES

FOLDER: Final = Path(__file__).parents[1] / "clients" / "web" / "lessons"


def files_of(language: str) -> dict[Path, str]:
    """The files of this language, with the contents that they should have."""
    spoken = catalogue(language)
    return {
        FOLDER / f"{game}.{language}.json": _as_text([as_json(game, lesson, spoken) for lesson in lessons])
        for game in GAMES
        if (lessons := client_game(game).lessons)
    }


def as_json(game: str, lesson: Lesson, spoken: Catalogue) -> dict[str, Any]:
    play, rules = lesson.begin(game), GAMES[game]
    view = play.shown_to(0)["view"]
    legal = rules.legal_moves(view, 0)

    def say(english: str) -> str:
        return spoken.messages.get(english, (english,))[0]

    return {
        "told": say(lesson.told),
        "asked": say(lesson.asked),
        "by": {hand: say(how) for hand, how in lesson.by.items() if hand != "keys"},
        "praised": say(lesson.praised),
        "otherwise": say(lesson.otherwise),
        "view": view,
        "legal": legal,
        "after": {move: play.turn(0, move).shown_to(0)["view"] for move in legal if lesson.is_right(move)},
    }


def _as_text(lessons: list[dict[str, Any]]) -> str:
    """The lessons as JSON, one on each line."""
    lines = (json.dumps(lesson, ensure_ascii=False, separators=(",", ":")) for lesson in lessons)
    return "[\n" + ",\n".join(lines) + "\n]\n"

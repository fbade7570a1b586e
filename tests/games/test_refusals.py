"""The catalogue of refusals: every reason that the rules give, and the sentence made of its fields."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import tablero_games
from tablero_games import GAMES, BadOptions, Game, IllegalMove
from tablero_games.refusals import ANY_GAME, ANY_OPTION, SENTENCES, add_reasons, sentence_of
from tests.harness.sentences import fields_in

SOURCE = Path(tablero_games.__file__).parent
RAISED = {"IllegalMove", "BadOptions", "bad_value"}
OWN = {reason: sentence for game in GAMES.values() for reason, sentence in game.refusals.items()}


def refusals_in_the_source() -> Iterator[tuple[str, str, ast.Call]]:
    """Where one is made, what makes it, and the call."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RAISED:
                where = f"{path.relative_to(SOURCE)}:{node.lineno}"
                yield where, node.func.id, node


def reason_of(call: ast.Call) -> str | None:
    """None where the reason is handed on, as `Game.read_options` does with that of a validator."""
    [reason, *_] = call.args
    if isinstance(reason, ast.IfExp):
        reason = reason.orelse
    return reason.value if isinstance(reason, ast.Constant) and isinstance(reason.value, str) else None


def test_a_refusal_gives_a_reason_of_the_catalogue_and_the_fields_of_its_sentence() -> None:
    calls = list(refusals_in_the_source())
    assert len(calls) > 40
    assert [where for where, made_by, call in calls if not is_fit(made_by, call)] == []


def is_fit(made_by: str, call: ast.Call) -> bool:
    reason = reason_of(call)
    if reason is None:
        return made_by == "BadOptions"
    fields = {keyword.arg for keyword in call.keywords} | ({"option"} if made_by != "IllegalMove" else set())
    needed = fields_in(SENTENCES[reason])
    return needed <= fields if None not in fields else fields - {None} <= needed


def test_every_reason_is_given_somewhere() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(SOURCE.rglob("*.py")))
    assert [reason for reason in {*ANY_GAME, *ANY_OPTION, *OWN} if text.count(f'"{reason}"') < 2] == []


def test_a_reason_is_one_word_and_its_sentence_reads_as_one() -> None:
    for reason, sentence in SENTENCES.items():
        assert re.fullmatch(r"[a-z]+([A-Z][a-z]+)*", reason)
        assert sentence.endswith(".")
        assert sentence.isprintable()


def test_a_reason_says_the_same_in_every_game() -> None:
    with pytest.raises(ValueError, match="Reason columnFull has another sentence already"):
        add_reasons({"columnFull": "The column has no room."})
    assert sentence_of("columnFull", {"column": 3}) == "Column 3 is full."


@pytest.mark.parametrize(
    ("refusal", "sentence"),
    [
        (IllegalMove("occupied", cell="b2"), "Cell b2 is occupied."),
        (
            IllegalMove("noPath", wall="e3h", seats=[0, 1]),
            "Wall e3h would close the last way of seat 0 and 1 to its goal.",
        ),
        (
            BadOptions("wrongSeats", "seats", game="Go", allowed=[2], seats=3),
            "Go is played with 2 seats, not 3.",
        ),
        (
            BadOptions("unknownOption", "x", game="Go", options=[]),
            "Go has no option 'x'; its options: none.",
        ),
    ],
    ids=str,
)
def test_a_sentence_is_made_of_the_fields(refusal: IllegalMove | BadOptions, sentence: str) -> None:
    assert refusal.sentence == str(refusal) == sentence
    assert json.loads(json.dumps(refusal.fields)) == refusal.fields


def test_what_somebody_typed_comes_back_short_and_without_controls() -> None:
    refusal = IllegalMove("noSuchCell", cell="\x1b[2J\u202e\ud800" + "x" * 100, last="c3")
    assert refusal.fields["cell"] == "?[2J??" + "x" * 34
    assert refusal.sentence.isprintable()


def test_a_code_sorts_the_reasons() -> None:
    codes = {reason: IllegalMove(reason, seat=0, last=1, cell="a1").code for reason in ANY_GAME}
    assert codes == {
        "gameOver": "gameOver",
        "notYourTurn": "notYourTurn",
        "outOfGame": "notYourTurn",
        "noSuchSeat": "illegalMove",
        "noSuchCell": "illegalMove",
        "nothingToTakeBack": "illegalMove",
        "occupied": "illegalMove",
    }


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_no_game_says_again_what_any_game_may_say(game: Game) -> None:
    assert not game.refusals.keys() & (ANY_GAME.keys() | ANY_OPTION.keys())

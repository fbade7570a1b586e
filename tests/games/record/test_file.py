"""record/file.py: a JSON object a line, each with the hash of the one before, in one spelling."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest

from tablero_games import GAMES
from tablero_games.record.file import FORMAT, Invalid, Played, RecordedTurn, lines, read, write
from tests.harness.games.records import play, sealed_of


def test_a_record_reads_like_this() -> None:
    game = GAMES["tic-tac-toe"]
    played = Played(
        game=game,
        options=game.read_options({}),
        names=["Ana", "Ben"],
        seed=7,
        turns=[RecordedTurn(seat=0, move="b2", at=1200)],
        outcome=None,
    )
    first, second, third = write(played).splitlines()
    hashes = [sha256(f"{line}\n".encode()).hexdigest() for line in (first, second)]
    unhashed = f'{{"previous":"{hashes[1]}"}}\n'
    assert first == (
        '{"format":"tablero-record/1","game":"tic-tac-toe","version":1,"options":{},"seats":2,'
        '"names":["Ana","Ben"],"seed":"7"}'
    )
    assert second == f'{{"seat":0,"move":"b2","at":1200,"previous":"{hashes[0]}"}}'
    assert third == f'{{"previous":"{hashes[1]}","hash":"{sha256(unhashed.encode()).hexdigest()}"}}'


def test_read_gives_what_was_told() -> None:
    record = read(write(play(GAMES["quoridor"], {}, 4)))
    assert (record.header.room, record.header.clock) == ("km9ej1fnew49", {"base": 60_000, "increment": 0})
    assert [turn.at for turn in record.turns] == [0, 700, 1400, 2100]
    assert record.last_line == 6


def test_what_was_read_can_be_written_again_to_the_letter() -> None:
    text = write(play(GAMES["connect-four"], {}, 6))
    assert sealed_of([json.loads(line) for line in text.splitlines()]) == text


def test_lines_are_made_one_by_one_as_the_turns_come() -> None:
    played = play(GAMES["connect-four"], {}, 6)
    asked: list[int] = []

    def turns() -> object:
        for turn in played.turns:
            asked.append(turn.at)
            yield turn

    coming = lines(Played(**{**vars(played), "turns": turns()}))
    next(coming)
    assert asked == []
    next(coming)
    assert len(asked) == 1
    assert len(list(coming)) == 6


def test_a_running_game_has_no_outcome_and_opens_nothing() -> None:
    record = read(write(play(GAMES["minesweeper"], {"mode": "race", "seats": 2}, 2)))
    assert (record.closing.outcome, record.closing.seed, record.closing.salt) == (None, None, None)
    assert record.sealed
    assert record.header.seed is None
    assert not read(write(play(GAMES["connect-four"], {}, 2))).sealed


TEXT = write(play(GAMES["connect-four"], {}, 3))


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "breaks off"),
        (TEXT[:-1], 5, "breaks off"),
        (TEXT.rsplit("\n", 2)[0] + "\n", 4, "breaks off"),
        (TEXT.replace('"at":0', '"at":1'), 3, "one of the two was changed"),
        (TEXT.replace('"seat":0', '"seat": 0', 1), 3, "one of the two was changed"),
        ("[1]\n" + TEXT.split("\n", 1)[1], 1, "not a JSON object"),
        (TEXT.replace(FORMAT, "tablero-record/9"), 1, f"A record must have the format {FORMAT}"),
        (TEXT.replace('"seats":2,', "", 1), 1, "The field seats is missing"),
        (TEXT.replace('"seats":2,', '"seats":"2",', 1), 1, "The field seats cannot have this value"),
        (
            TEXT.replace('"seats":2,', '"seats":2,"x\\n' + "y" * 99 + '":1,', 1),
            1,
            rf"no field x\?{'y' * 38}\.",
        ),
        ("{" * 101 + "\n" + TEXT.split("\n", 1)[1], 1, "nested too deep"),
    ],
)
def test_what_is_no_record_is_refused_at_its_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(Invalid, match=reason) as caught:
        read(text)
    assert caught.value.line == line
    assert str(caught.value).startswith(f"line {line}: ")


def test_a_line_that_is_written_otherwise_is_refused_though_it_means_the_same() -> None:
    first, rest = TEXT.split("\n", 1)
    with pytest.raises(Invalid):
        read(json.dumps(json.loads(first), indent=None, separators=(", ", ": ")) + "\n" + rest)


def test_the_last_line_is_counted_from_the_first() -> None:
    assert read(TEXT).last_line == 5 == len(TEXT.splitlines())

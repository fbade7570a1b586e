"""record/verify.py: whatever was played comes back the same, and whatever was changed is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from random import Random

import pytest

from tablero_games import GAMES, Game
from tablero_games.position import Adjudication, Json, NoFieldFound
from tablero_games.record.commitment import opens
from tablero_games.record.file import Invalid, Played, RecordedTurn, read, write
from tablero_games.record.verify import positions, verify
from tests.harness.games.records import (
    SEED,
    Line,
    check_a_finished_game,
    check_a_running_game,
    lines_of,
    play,
    sealed_of,
)
from tests.harness.games.variants import CASES, NAMES, Variant, named

# Round trips


@pytest.mark.parametrize(("game", "variant"), CASES, ids=NAMES)
def test_a_finished_game_is_valid_and_comes_back_as_it_was(game: Game, variant: Variant) -> None:
    check_a_finished_game(game, variant)


@pytest.mark.parametrize(("game", "variant"), CASES, ids=NAMES)
@pytest.mark.parametrize("turns", [0, 2])
def test_a_running_game_is_valid_so_far(game: Game, variant: Variant, turns: int) -> None:
    check_a_running_game(game, variant, turns)


@pytest.mark.parametrize(
    ("turn", "kind", "reason"),
    [
        (RecordedTurn(drawn=True, at=9), "draw", "agreed"),
        (RecordedTurn(drawn="claimed", at=9), "draw", "claimed"),
        (RecordedTurn(aborted="away", at=9), "aborted", "away"),
    ],
    ids=["agreed", "claimed", "aborted"],
)
def test_how_a_game_ends_from_outside_its_rules_is_a_turn(
    turn: RecordedTurn, kind: Adjudication, reason: str
) -> None:
    game = GAMES["tic-tac-toe"]
    outcome = game.start().play(0, "b2").adjudicate(kind, reason).outcome
    turns = [RecordedTurn(seat=0, move="b2", at=5), turn]
    options = game.read_options({})
    text = write(Played(game=game, options=options, names=["a", "b"], seed=1, turns=turns, outcome=outcome))
    assert str(verify(text)) == "valid"
    assert read(text).turns == turns


@pytest.mark.parametrize(
    ("count", "verdict"),
    [
        (2, "valid so far"),
        (1, "invalid at line 4: A takeback undoes the last move of its seat and all after it."),
    ],
)
def test_a_takeback_undoes_as_many_moves_as_it_says(count: int, verdict: str) -> None:
    game = GAMES["tic-tac-toe"]
    moves = [RecordedTurn(seat=0, move="b2", at=5), RecordedTurn(seat=1, move="a1", at=6)]
    turns = [*moves, RecordedTurn(seat=0, took_back=count, at=7), RecordedTurn(seat=0, move="b2", at=8)]
    text = write(
        Played(game=game, options=game.read_options({}), names=["a", "b"], seed=1, turns=turns, outcome=None)
    )
    assert str(verify(text)) == verdict


# The clocks alone

PAUSED = {"paused": 900_000, "at": 300, "clocks": [60, 60]}
CONTINUED = {"continued": True, "at": 310, "clocks": [60, 60]}
ADDED = {"seat": 0, "addedTime": 15_000, "at": 320, "clocks": [60, 15_060]}


def with_clock(*inserted: Line, behind: int = 3, game: str = "connect-four", most: int = 3) -> str:
    """The record of `most` turns, with these lines behind the line `behind`; the times do not matter."""
    lines = lines_of(write(play(GAMES[game], {}, most)))
    for line in lines[1:-1]:
        line["at"] = min(int(str(line["at"])), 300) if lines.index(line) < behind else 400
    return sealed_of([*lines[:behind], *inserted, *lines[behind:]])


@pytest.mark.parametrize("game", ["connect-four", "minesweeper"])
@pytest.mark.parametrize("most", [2, 10_000])
def test_a_pause_and_added_time_are_turns_that_leave_the_position(game: str, most: int) -> None:
    clock = [[60] * (1 + (game == "connect-four"))]
    inserted = [{**line, "clocks": clock[0]} for line in (PAUSED, CONTINUED, ADDED)]
    text = with_clock(*inserted, behind=2, game=game, most=most)
    verdict = verify(text)
    assert (verdict.valid, verdict.sealed) == (True, game == "minesweeper" and most == 2), str(verdict)
    record = read(text)
    assert [turn.deeds for turn in record.turns[1:4]] == [["paused"], ["continued"], ["added_time"]]
    told = list(positions(record))
    if told:
        assert len({position for _, position in told[1:5]}) == 1


CLOCK_FORGED: dict[str, tuple[tuple[Line, ...], int, str]] = {
    "a move in a pause": ((PAUSED,), 5, "The game is paused."),
    "a second pause": ((PAUSED, PAUSED), 5, "The game is paused."),
    "nothing to continue": ((CONTINUED,), 4, "The game is not paused."),
    "continued twice": ((PAUSED, CONTINUED, CONTINUED), 6, "The game is not paused."),
    "a pause by somebody": (({**PAUSED, "seat": 0},), 4, "0 to 1"),
    "time from nobody": (({"addedTime": 15_000, "at": 310},), 4, "0 to 1"),
    "no time": (({**ADDED, "addedTime": 0},), 4, "field addedTime cannot"),
    "two deeds": (({**ADDED, "move": "a"},), 4, "one action"),
}


@pytest.mark.parametrize(("inserted", "at", "reason"), CLOCK_FORGED.values(), ids=CLOCK_FORGED)
def test_a_forged_pause_is_found(inserted: tuple[Line, ...], at: int, reason: str) -> None:
    verdict = verify(with_clock(*inserted))
    assert (verdict.valid, verdict.line) == (False, at), str(verdict)
    assert reason in str(verdict)


def test_a_move_that_is_kept_back_is_no_move_of_a_paused_game() -> None:
    lines = lines_of(with_clock({**PAUSED, "clocks": [60]}, behind=2, game="minesweeper", most=2))
    del lines[3]["move"]
    verdict = verify(sealed_of(lines))
    assert (verdict.line, verdict.reason) == (4, "The game is paused.")


@pytest.mark.parametrize(
    ("clock", "reason"), [(None, "There are no clocks in this game."), ({"days": 3}, "days for each move")]
)
def test_time_is_given_only_where_clocks_run(clock: Line | None, reason: str) -> None:
    lines = lines_of(with_clock(ADDED))
    if clock is None:
        del lines[0]["clock"]
    else:
        lines[0]["clock"] = clock
    verdict = verify(sealed_of(lines))
    assert verdict.line == 4
    assert reason in str(verdict)


def test_clocks_stay_as_they_are_once_the_game_is_over() -> None:
    for late in (PAUSED, ADDED):
        ended = with_clock({**late, "at": 400}, behind=-1, most=10_000)
        assert "over" in str(verify(ended)), str(verify(ended))


# What is hidden


HIDDEN = [(game, variant) for game, variant in CASES if game.hidden]


@pytest.mark.parametrize(("game", "variant"), HIDDEN, ids=[named(*case) for case in HIDDEN])
def test_what_a_game_hides_stands_only_behind_its_outcome(game: Game, variant: Variant) -> None:
    secrets = (f"{SEED >> 128:032x}", f"{SEED % 2**128:032x}", '"prepared"')
    running, over = play(game, variant, 1), play(game, variant)
    if running.outcome is None:
        assert not any(secret in write(running) for secret in secrets)
    *before, last = write(over).splitlines()
    assert not any(secret in line for line in before for secret in secrets)
    closing = json.loads(last)
    assert (closing["salt"], closing["seed"]) == secrets[:2]
    assert opens(json.loads(before[0])["commitment"], closing["salt"], closing["seed"], over.options)
    assert ("prepared" in closing) == variant.get("noGuess", False)


NO_GUESS = {"width": 6, "height": 5, "mines": 6, "noGuess": True}


def test_a_prepared_field_of_another_seed_is_found() -> None:
    game = GAMES["minesweeper"]
    lines = lines_of(write(play(game, NO_GUESS)))
    lines[-1]["prepared"] = game.prepare(6, game.read_options(NO_GUESS))
    verdict = verify(sealed_of(lines))
    assert (verdict.line, verdict.reason) == (
        len(lines),
        "The prepared start of the game does not follow from the seed.",
    )


def test_a_prepared_field_that_is_none_is_found_by_a_replay() -> None:
    lines = lines_of(write(play(GAMES["minesweeper"], NO_GUESS)))
    for nonsense in (["12", "21"], [1], "*", {"a": 1}, ["*" * 6] * 5, 3):
        lines[-1]["prepared"] = nonsense
        with pytest.raises(Invalid, match="is not valid"):
            list(positions(read(sealed_of(lines))))


def test_without_its_field_a_record_is_still_valid() -> None:
    lines = lines_of(write(play(GAMES["minesweeper"], NO_GUESS)))
    del lines[-1]["prepared"]
    assert str(verify(sealed_of(lines))) == "valid"


def test_what_cannot_be_prepared_in_time_is_not_valid(monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAMES["minesweeper"]
    text = write(play(game, NO_GUESS))

    def never_ready(*_: Json) -> Json:
        raise NoFieldFound

    monkeypatch.setattr(type(game), "prepare", never_ready)
    assert "in time" in str(verify(text))


# Whatever was changed is found


MUTATED = [write(play(game, variant, most)) for game, variant in CASES for most in (2, 12)] + [
    write(play(game, {})) for game in GAMES.values()
]


def test_no_mutated_record_is_valid() -> None:
    assert all(verify(text).valid for text in MUTATED)
    chance = Random(20)
    for count in range(1_000):
        record = MUTATED[count % len(MUTATED)].encode()
        at = chance.randrange(len(record)) if count % 5 else len(record) - 1 - count // 5 % 200
        byte = chance.choice([value for value in (*range(256), 10, 32, 34, 48) if value != record[at]])
        mutant = record[:at] + bytes([byte]) + record[at + 1 :]
        verdict = verify(mutant.decode("latin-1"))
        assert not verdict.valid, (record, at, byte)
        assert verdict.reason
        assert verdict.line in range(1, mutant.count(b"\n") + 2)


def test_no_byte_of_a_short_record_can_be_left_out_doubled_or_changed() -> None:
    record = write(play(GAMES["tic-tac-toe"], {}, 3))
    for at, letter in enumerate(record):
        for instead in ("", letter * 2, chr(ord(letter) ^ 1), chr(ord(letter) ^ 32)):
            assert not verify(record[:at] + instead + record[at + 1 :]).valid, (at, instead)


def test_lines_that_are_missing_doubled_or_exchanged_are_found() -> None:
    lines = write(play(GAMES["connect-four"], {}, 6)).splitlines(keepends=True)
    for at in range(len(lines)):
        assert not verify("".join(lines[:at])).valid
        assert not verify("".join(lines[:at] + lines[at + 1 :])).valid
        assert not verify("".join([*lines[: at + 1], *lines[at:]])).valid
    for one, other in pairwise(range(len(lines))):
        exchanged = list(lines)
        exchanged[one], exchanged[other] = lines[other], lines[one]
        assert not verify("".join(exchanged)).valid


NOT_RECORDS = {
    "nothing": "",
    "a newline": "\n",
    "one line": "{}\n",
    "no JSON": "x\ny\n",
    "lists": "[]\n[]\n",
    "deep": '{"options":' + "[" * 101 + "]" * 101 + "}\n{}\n",
    "deeper": '{"a":' * 100_000 + "1" + "}" * 100_000 + "\n{}\n",
    "long numbers": '{"version":' + "9" * 5000 + "}\n{}\n",
    "not a number": '{"version":NaN}\n{"hash":1}\n',
}


@pytest.mark.parametrize("text", NOT_RECORDS.values(), ids=NOT_RECORDS)
def test_what_is_no_record_is_not_valid(text: str) -> None:
    verdict = verify(text)
    assert not verdict.valid
    assert verdict.line == 1


# Forgeries whose hashes are right

Forge = Callable[[list[Line]], object]

FORGED: dict[str, tuple[Forge, int, str]] = {
    "another game": (lambda lines: lines[0].update(game="chess"), 1, "There is no game 'chess'"),
    "other rules": (lambda lines: lines[0].update(version=9), 1, "version 9 of the rules"),
    "another format": (
        lambda lines: lines[0].update(format="tablero-record/2"),
        1,
        "format tablero-record/1",
    ),
    "no such option": (lambda lines: lines[0].update(options={"size": 3}), 1, "has no option 'size'"),
    "too many seats": (lambda lines: lines[0].update(seats=3), 1, "seats or names"),
    "a name too few": (lambda lines: lines[0].update(names=["Ana"]), 1, "seats or names"),
    "two kinds of clock": (lambda lines: lines[0].update(clock={"base": 60, "days": 2}), 1, "A clock has"),
    "an unknown clock": (lambda lines: lines[0].update(clock={"sand": 60}), 1, "A clock has"),
    "no seed": (lambda lines: lines[0].pop("seed"), 1, "needs a valid seed"),
    "a seed in another spelling": (lambda lines: lines[0].update(seed="007"), 1, "needs a valid seed"),
    "a promise": (lambda lines: lines[0].update(commitment="a" * 64), 1, "and no commitment"),
    "an unknown field": (lambda lines: lines[1].update(colour="red"), 2, "no field colour"),
    "an illegal move": (lambda lines: lines[1].update(move="z9"), 2, "z9"),
    "out of turn": (lambda lines: lines[1].update(seat=1), 2, "turn"),
    "no such seat": (lambda lines: lines[1].update(seat=2), 2, "0 to 1"),
    "nobody": (lambda lines: lines[1].pop("seat"), 2, "0 to 1"),
    "two deeds": (lambda lines: lines[1].update(withdrew="resign"), 2, "one action"),
    "no deed": (lambda lines: lines[1].pop("move"), 2, "one action"),
    "back in time": (lambda lines: lines[2].update(at=0), 3, "earlier time than"),
    "a clock too many": (lambda lines: lines[1].update(clocks=[1, 2, 3]), 2, "clock"),
    "a move after the end": (lambda lines: lines.insert(-1, {**lines[-2]}), 8, "over"),
    "another winner": (
        lambda lines: lines[-1]["outcome"].update(winners=[0]),
        8,
        "does not follow from its turns",
    ),
    "an end too early": (lambda lines: lines.pop(-2), 7, "does not follow from its turns"),
    "no end": (lambda lines: lines[-1].pop("outcome"), 8, "does not follow from its turns"),
    "an opening of nothing": (lambda lines: lines[-1].update(salt="0" * 32), 8, "its game hides nothing"),
}


@pytest.mark.parametrize(("forge", "at", "reason"), FORGED.values(), ids=FORGED)
def test_a_forged_record_is_found_at_its_line(forge: Forge, at: int, reason: str) -> None:
    game = GAMES["tic-tac-toe"]
    position = game.start()
    turns = []
    for ply, move in enumerate(["a1", "b1", "a2", "b2", "c3", "b3"]):
        position = position.play(ply & 1, move)
        turns.append(RecordedTurn(seat=ply & 1, move=move, at=100 * (ply + 1)))
    played = Played(
        game=game,
        options=game.read_options({}),
        names=["Ana", "Ben"],
        seed=7,
        turns=turns,
        outcome=position.outcome,
    )
    lines = lines_of(write(played))
    assert verify(sealed_of(lines)).valid
    forge(lines)
    verdict = verify(sealed_of(lines))
    assert (verdict.valid, verdict.line) == (False, at), str(verdict)
    assert reason in str(verdict)


RACE = {"width": 5, "height": 4, "mines": 5, "mode": "race", "seats": 3}
HIDING: dict[str, tuple[Forge, int, str]] = {
    "no promise": (lambda lines: lines[0].pop("commitment"), 1, "needs a valid commitment"),
    "half a promise": (lambda lines: lines[0].update(commitment="a" * 63), 1, "needs a valid commitment"),
    "its seed": (lambda lines: lines[0].update(seed="7"), 1, "and no seed"),
    "options by halves": (lambda lines: lines[0]["options"].pop("noGuess"), 1, "in full"),
}
RUNNING = HIDING | {
    "an opening": (lambda lines: lines[-1].update(seed="0" * 32), 7, "before the end of the game"),
    "an agreed draw": (lambda lines: lines.insert(-1, {"drawn": True, "at": 10**6}), 7, "over"),
    "who was out": (lambda lines: lines.insert(-1, {**lines[4], "at": 10**6}), 7, "out of the game"),
    "no such seat": (lambda lines: lines[1].update(seat=3), 2, "0 to 2"),
}
OVER = HIDING | {
    "nothing opened": (lambda lines: lines[-1].pop("salt"), -1, "lacks the salt or the seed"),
    "another salt": (lambda lines: lines[-1].update(salt="0" * 32), -1, "do not match the commitment"),
    "another promise": (
        lambda lines: lines[0].update(commitment="a" * 64),
        -1,
        "do not match the commitment",
    ),
    "another seed": (lambda lines: lines[-1].update(seed="x" * 32), -1, "do not match the commitment"),
}


@pytest.mark.parametrize(("forge", "at", "reason"), RUNNING.values(), ids=RUNNING)
def test_of_a_sealed_record_is_checked_what_can_be(forge: Forge, at: int, reason: str) -> None:
    lines = lines_of(write(play(GAMES["minesweeper"], RACE, 5, SEED + 1)))
    assert verify(sealed_of(lines)).sealed
    forge(lines)
    verdict = verify(sealed_of(lines))
    assert (verdict.valid, verdict.line, verdict.sealed) == (False, at, False)
    assert reason in str(verdict)


@pytest.mark.parametrize(("forge", "at", "reason"), OVER.values(), ids=OVER)
def test_of_a_promise_nothing_can_be_changed(forge: Forge, at: int, reason: str) -> None:
    lines = lines_of(write(play(GAMES["minesweeper"], RACE)))
    forge(lines)
    verdict = verify(sealed_of(lines))
    assert (verdict.valid, verdict.line) == (False, len(lines) if at < 0 else at)
    assert reason in str(verdict)


def test_a_sealed_record_may_keep_moves_back_but_a_finished_one_not() -> None:
    for most, valid in ((3, True), (10_000, False)):
        lines = lines_of(write(play(GAMES["minesweeper"], RACE, most, SEED + 1)))
        del lines[1]["move"]
        assert verify(sealed_of(lines)).valid == valid


def test_a_verdict_is_told_in_json() -> None:
    text = write(play(GAMES["tic-tac-toe"], {}, 2))
    assert verify(text).to_json() == {"valid": True, "line": None, "reason": None, "sealed": False}
    assert verify(text[:-1]).to_json() == {
        "valid": False,
        "line": 4,
        "reason": "The record breaks off.",
        "sealed": False,
    }

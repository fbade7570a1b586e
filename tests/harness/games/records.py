"""Records of random games, and records by a careful forger."""

from __future__ import annotations

import json
from hashlib import sha256
from random import Random

from pydantic.alias_generators import to_camel

from tablero_games import Game
from tablero_games.position import Json, Position
from tablero_games.record.file import Closing, Header, Played, RecordedTurn, read, write
from tablero_games.record.verify import positions, verify
from tests.harness.games.variants import Variant

SEED = (0xAB << 248) + 5
"""A number with salt and seed, as a server draws one."""

Line = dict[str, Json]


def play(game: Game, variant: Variant, most: int = 10_000, seed: int = SEED) -> Played:
    """Plays a random game of at most `most` turns, with clocks and times; sometimes a seat withdraws."""
    options = {name: value for name, value in variant.items() if name != "seats"}
    chosen, choose = game.read_options(options), Random(f"{game.name} {seed}")
    prepared = game.prepare(seed, chosen)
    position: Position = game.start(variant.get("seats"), seed, prepared, **options)
    count = variant.get("seats") or game.seats(chosen)[0]
    turns: list[RecordedTurn] = []
    while position.to_move and len(turns) < most:
        seat, at = choose.choice(sorted(position.to_move)), 700 * len(turns)
        if count > 2 and len(turns) == 3:
            turns.append(RecordedTurn(seat=seat, withdrew="time", at=at))
            position = position.withdraw(seat, "time")
        else:
            move = choose.choice(position.legal_moves(seat))
            turns.append(RecordedTurn(seat=seat, move=move, at=at, clocks=[60_000 - at] * count))
            position = position.play(seat, move)
    return Played(
        game=game,
        options=chosen,
        names=["Ana", "Zoë", None, *"defgh"][:count],
        seed=seed,
        turns=turns,
        outcome=position.outcome,
        prepared=prepared,
        clock={"base": 60_000, "increment": 0},
        room="km9ej1fnew49",
    )


def sealed_of(lines: list[Line]) -> str:
    """A record of these lines with all hashes computed again, as by a careful forger."""
    text, previous = "", ""
    for at, line in enumerate(lines):
        known = Header if at == 0 else Closing if at == len(lines) - 1 else RecordedTurn
        known_names = [to_camel(name) for name in known.model_fields]
        names = [*known_names, *(name for name in line if name not in known_names)]
        line = {name: line[name] for name in names if name in line and name not in ("previous", "hash")}
        if at > 0:
            line["previous"] = sha256(previous.encode()).hexdigest()
        if at == len(lines) - 1:
            line["hash"] = sha256((json.dumps(line, separators=(",", ":")) + "\n").encode()).hexdigest()
        previous = json.dumps(line, separators=(",", ":")) + "\n"
        text += previous
    return text


def lines_of(text: str) -> list[Line]:
    return [json.loads(line) for line in text.splitlines()]


def check_a_finished_game(game: Game, variant: Variant) -> None:
    """Checks that a finished game's record is valid, and the same after reading and writing."""
    played = play(game, variant)
    text = write(played)
    verdict = verify(text)
    assert (str(verdict), verdict.sealed) == ("valid", False)
    record = read(text)
    assert (record.turns, record.header.names) == (list(played.turns), list(played.names))
    told = list(positions(record))
    assert [turn for turn, _ in told] == [None, *played.turns]
    assert told[-1][1].outcome == played.outcome


def check_a_running_game(game: Game, variant: Variant, turns: int) -> None:
    """Checks that a running game's record is valid so far."""
    played = play(game, variant, turns)
    if played.outcome is not None:
        return  # the first dig may end the game
    text = write(played)
    verdict = verify(text)
    assert verdict.valid
    assert verdict.sealed == game.hidden
    assert str(verdict) == ("valid so far, sealed" if game.hidden else "valid so far")
    assert len(list(positions(read(text)))) == (0 if game.hidden else turns + 1)

"""The promises of every game, checked on random games.

Each function named `promise_…` checks one promise, about a position or a whole game.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import get_args

import pytest

from tablero_games import GAMES, BadOptions, Game, IllegalMove, Outcome, Position, Seat
from tablero_games.position import ADJUDICATIONS, Json, Reason, Style
from tablero_games.refusals import sentence_of
from tablero_games.two_seats import TwoSeats
from tablero_protocol.codes import Code
from tests.harness.games.variants import Variant, twin_of

REASONS = get_args(Reason)
STYLES: tuple[Style, ...] = get_args(Style)
LONGEST_GAME = 5000


@dataclass(frozen=True)
class Played:
    """A random game: its start, its log, and every position from the first to the last."""

    game: Game
    variant: Variant
    seed: int
    log: list[tuple[Seat, str]]
    positions: list[Position]

    @property
    def seats(self) -> range:
        return range(self.variant.get("seats") or self.game.seats(self.options)[0])

    @property
    def options(self) -> Json:
        return self.game.read_options({k: v for k, v in self.variant.items() if k != "seats"})


def play_at_random(game: Game, variant: Variant, seed: int) -> Played:
    choose = Random(seed)
    position = game.start(seed=seed, **variant)
    log: list[tuple[Seat, str]] = []
    positions = [position]
    while position.to_move:
        seat = choose.choice(sorted(position.to_move))
        move = choose.choice(position.legal_moves(seat))
        position = position.play(seat, move)
        log.append((seat, move))
        positions.append(position)
        assert len(log) < LONGEST_GAME, "the game does not end"
    return Played(game, variant, seed, log, positions)


def keep_every_promise(game: Game, variant: Variant, seed: int, strings: list[str]) -> None:
    played = play_at_random(game, variant, seed)
    promise_the_end_is_told(played)
    promise_the_same_seed_and_log_give_an_equal_game(played)
    promise_nothing_changes_once_made(played)
    for position in played.positions:
        promise_whoever_still_plays_may_withdraw_once(played, position)
        promise_any_adjudication_ends_the_game(played, position)
    sample = Random(seed).sample(played.positions, k=min(5, len(played.positions)))
    for position in [played.positions[0], *sample, played.positions[-1]]:
        promise_only_those_to_move_have_legal_moves(played, position)
        promise_every_legal_move_is_accepted_however_it_is_written(game, position)
        promise_a_move_is_written_in_one_way_however_it_was_typed(played, position)
        promise_every_other_string_is_refused(played, position, strings)
        promise_views_are_json_and_enough_to_play_by(played, position)
        promise_views_keep_secrets(played, position)
        promise_nothing_is_told_of_a_move_but_what_the_views_show(played, position)
        promise_every_view_can_be_drawn(played, position)


def refusal(act: Callable[..., object], *arguments: Json) -> str:
    """The code of a refusal, after a check that its message is one readable line."""
    with pytest.raises(IllegalMove) as refused:
        act(*arguments)
    sentence = refused.value.sentence
    assert sentence == sentence_of(refused.value.reason, json.loads(json.dumps(refused.value.fields)))
    assert sentence.isprintable()
    assert sentence == sentence[0].upper() + sentence[1:]
    assert sentence.endswith(".")
    return refused.value.code


def promise_the_end_is_told(played: Played) -> None:
    *before, last = played.positions
    assert all(position.outcome is None and position.to_move for position in before)
    assert last.outcome is not None
    assert Outcome.from_json(json.loads(json.dumps(last.outcome.to_json()))) == last.outcome
    assert last.outcome.winners <= set(played.seats)
    assert bool(last.outcome.winners) == (last.outcome.kind == "win")


def promise_the_same_seed_and_log_give_an_equal_game(played: Played) -> None:
    position = played.game.start(seed=played.seed, **played.variant)
    assert position == played.positions[0]
    for (seat, move), expected in zip(played.log, played.positions[1:], strict=True):
        position = position.play(seat, move)
        assert position == expected
        assert hash(position) == hash(expected)


def promise_nothing_changes_once_made(played: Played) -> None:
    for position in (played.positions[0], played.positions[-1]):
        for name in ("outcome", "to_move", "anything"):
            with pytest.raises((AttributeError, TypeError)):
                setattr(position, name, None)


def promise_only_those_to_move_have_legal_moves(played: Played, position: Position) -> None:
    assert position.to_move <= position.playing <= set(played.seats)
    assert bool(position.playing) == (position.outcome is None)
    for seat in played.seats:
        moves = list(position.legal_moves(seat))
        assert bool(moves) == (seat in position.to_move)
        assert moves == list(position.legal_moves(seat))
        assert len(moves) == len(set(moves))
        if seat not in position.to_move:
            some_move = played.log[0][1] if played.log else "a1"
            code = "notYourTurn" if position.to_move else "gameOver"
            assert refusal(position.play, seat, some_move) == code


def promise_every_legal_move_is_accepted_however_it_is_written(game: Game, position: Position) -> None:
    before = deepcopy(position)
    for seat in position.to_move:
        for move in position.legal_moves(seat):
            assert any(letter.isdigit() for letter in move) or move in game.word_moves
            after = position.play(seat, move)
            assert after != before
            for typed in as_typed(move):
                assert position.play(seat, typed) == after
    assert position == before


def as_typed(move: str) -> list[str]:
    """Ways to type `move` with the same meaning, some of which would end a line or move a cursor."""
    return [f" {move.upper()}\t", f"{move}\n", f"\r\n{move}\v\f", f"\x1c{move}\x85", f"\u2028{move}\u3000"]


def promise_a_move_is_written_in_one_way_however_it_was_typed(played: Played, position: Position) -> None:
    for seat in position.to_move:
        moves = list(position.legal_moves(seat))
        assert [position.canonical(move) for move in moves] == moves
        assert all(move.isascii() and move.isprintable() for move in moves)
        for move in moves[:3] + moves[-3:]:
            assert {position.canonical(typed) for typed in as_typed(move)} == {move}
    for no_move in ("", "99" * 40, "\x1b[2J", "dig", "a0"):
        assert refusal(position.canonical, no_move) == Code.ILLEGAL_MOVE


def promise_every_other_string_is_refused(played: Played, position: Position, strings: list[str]) -> None:
    before = deepcopy(position)
    for seat in position.to_move:
        legal = set(position.legal_moves(seat))
        for string in {*strings, *nearly_moves(played)}:
            if normal(string) in legal:
                continue
            assert refusal(position.play, seat, string) == Code.ILLEGAL_MOVE
    assert position == before


def nearly_moves(played: Played) -> Iterator[str]:
    """Strings that are moves in other positions, nearly moves, and typing errors."""
    yield from ("", "a1 h", "dig", "dig a1", "99" * 40)
    yield from ["0", "1", "-1", "13", "a0", "a1", "z9", "1a", "é1", "a1h", "a1v", "e2", "e2v", "a1h1"]
    for _, move in played.log[:40]:
        yield from (move, move + "x", move[:-1], move[::-1], move * 2)


def normal(string: str) -> str:
    return " ".join(string.lower().split())


def promise_whoever_still_plays_may_withdraw_once(played: Played, position: Position) -> None:
    if position.outcome is not None:
        for seat in played.seats:
            assert refusal(position.withdraw, seat, "resign") == "gameOver"
        return
    for seat, reason in product(position.playing, REASONS):
        after = position.withdraw(seat, reason)
        assert after.playing <= position.playing - {seat}
        assert refusal(after.withdraw, seat, reason)
        if isinstance(position, TwoSeats):
            assert after.outcome is not None
            assert (after.outcome.kind, after.outcome.reason) == ("win", reason)
            assert after.outcome.winners == {1 - seat}
        promise_only_those_to_move_have_legal_moves(played, after)
        promise_views_are_json_and_enough_to_play_by(played, after)
    for seat in {*played.seats, len(played.seats)} - position.playing:
        assert refusal(position.withdraw, seat, "resign")


def promise_any_adjudication_ends_the_game(played: Played, position: Position) -> None:
    for kind, reasons in ADJUDICATIONS.items():
        if position.outcome is not None:
            assert refusal(position.adjudicate, kind, reasons[0]) == "gameOver"
            continue
        for reason in reasons:
            after = position.adjudicate(kind, reason)
            assert after.outcome is not None
            told = (after.outcome.kind, after.outcome.reason, after.outcome.winners)
            assert told == (kind, reason, frozenset())
            promise_only_those_to_move_have_legal_moves(played, after)
            promise_views_are_json_and_enough_to_play_by(played, after)


def promise_views_are_json_and_enough_to_play_by(played: Played, position: Position) -> None:
    for seat in (*played.seats, None):
        view = position.view(seat)
        travelled = json.loads(json.dumps(view, allow_nan=False))
        assert travelled == view
        told = None if position.outcome is None else position.outcome.to_json()
        assert view.get("outcome") == told
        if seat is not None:
            assert list(played.game.legal_moves(travelled, seat)) == list(position.legal_moves(seat))
        if not played.game.hidden:
            assert played.game.from_view(travelled) == position


def promise_views_keep_secrets(played: Played, position: Position) -> None:
    if not played.game.hidden:
        spectator = as_bytes(position, None)
        assert all(as_bytes(position, seat) == spectator for seat in played.seats)
        return
    for seat in played.seats:
        twin = twin_of(played.game)(position, seat)
        if twin is not None:
            assert twin != position
            assert as_bytes(twin, seat) == as_bytes(position, seat)


def promise_nothing_is_told_of_a_move_but_what_the_views_show(played: Played, position: Position) -> None:
    """Checks that a viewer who can't tell two moves apart is told the same of both."""
    for by in sorted(position.to_move)[:1]:
        for to in ((by + 1) % len(played.seats), None):
            heard: dict[bytes, set[str | None]] = {}
            for move in position.legal_moves(by):
                after = position.play(by, move)
                seen = as_bytes(after, to)
                if after.outcome is None and seen != as_bytes(after, by):
                    heard.setdefault(seen, set()).add(played.game.told(after, by, move, to))
            assert all(len(told) == 1 for told in heard.values())


def as_bytes(position: Position, seat: Seat | None) -> bytes:
    return json.dumps(position.view(seat)).encode()


def promise_every_view_can_be_drawn(played: Played, position: Position) -> None:
    for seat in (*played.seats, None):
        view = position.view(seat)
        drawings = {style: played.game.draw(view, style) for style in STYLES}
        assert drawings["ascii"].isascii()
        assert all(is_one_column_wide(character) for character in drawings["unicode"])
        assert played.game.draw(view) == drawings["unicode"]
        for drawing in drawings.values():
            assert drawing.replace("\n", "x").isprintable()


def is_one_column_wide(character: str) -> bool:
    return character == "\n" or (
        unicodedata.east_asian_width(character) in ("N", "Na") and not unicodedata.combining(character)
    )


class AGame:
    """The base of test classes that check each `game` of a module."""

    def test_is_catalogued_under_its_own_name(self, game: Game) -> None:
        assert GAMES[game.name] is game
        assert game.name == normal(game.name).replace(" ", "-")
        assert game.title
        assert game.version >= 1

    def test_shows_a_newcomer_moves_that_can_be_played(self, game: Game) -> None:
        assert game.example_moves
        start = game.start(seed=1)
        for move in game.example_moves:
            start.play(min(start.to_move), move)
            assert start.canonical(move) == move

    def test_can_be_tried_at_its_tables(self, game: Game) -> None:
        assert game.tables[0] == {}
        for options in game.tables:
            assert game.start(seed=1, **options).to_move

    def test_refuses_unknown_options_by_name(self, game: Game) -> None:
        with pytest.raises(BadOptions) as refused:
            game.start(colour="red")
        assert refused.value.option == "colour"

    def test_refuses_a_wrong_kind_of_value_by_name(self, game: Game) -> None:
        for name, option in game.options.model_fields.items():
            spoiled: dict[str, Json] = {option.alias or name: [1]}
            with pytest.raises(BadOptions) as refused:
                game.start(**spoiled)
            assert {refused.value.option} == set(spoiled)

    def test_refuses_a_number_of_seats_it_does_not_have(self, game: Game) -> None:
        for seats in (0, 99):
            with pytest.raises(BadOptions) as refused:
                game.start(seats=seats)
            assert refused.value.option == "seats"

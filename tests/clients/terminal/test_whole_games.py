"""Whole games at a real server in French and in Spanish: not a line of them is in English."""

from __future__ import annotations

import re
from functools import cache
from random import Random

import pytest

from generate.translations import forms_of, known
from tablero.brains import LEVEL_WORDS
from tablero.catalogue.speech import speak, spoken
from tablero_games import GAMES
from tablero_games.minesweeper.grid import ACTIONS
from tests.harness.client import real_server
from tests.harness.terminal import Terminal, a_terminal

SMALL = {
    "tic-tac-toe": "clock=300+5",
    "connect-four": "columns=4 rows=4 clock=300+5",
    "dots-and-boxes": "rows=2 columns=2 clock=300+5",
    "quoridor": "size=3 walls=2 clock=300+5",
    "minesweeper": "mode=coop width=4 height=4 mines=3",
}
WORD = re.compile(r"[^\W\d_]{2,}(?:'[^\W\d_]+)?")
DATA = re.compile(r"^[a-z]+(?=  )|\[\w+\]$|\b[\w-]*-(?:\w+)\b|\w*\d\w*|(?<!\w)'[^']*'(?!\w)")
"""A verb of help, codes, names of games and rooms, moves and what was typed: alike in every language."""
TYPED = {*ACTIONS, *LEVEL_WORDS, *GAMES}


def words(text: str) -> set[str]:
    return {word.lower() for word in WORD.findall(re.sub(r"\{\w+(?::\w+)?\}", " ", text))}


@cache
def only_english(language: str) -> set[str]:
    """The words that the catalogue has in English, and nowhere in this language."""
    said = known(language)
    here = {word for message in said for form in forms_of(message.string) for word in words(form)}
    return {word for message in said for form in forms_of(message.id) for word in words(form)} - here - TYPED


def english_in(line: str) -> set[str]:
    return words(DATA.sub(" ", line)) & only_english(spoken())


@pytest.mark.parametrize(
    ("language", "line", "english"),
    [
        ("fr", "It is your turn.", {"it", "is", "your", "turn"}),
        ("es", "3. Ben plays a1. Tu turno.", {"plays"}),
        ("fr", "3. Ben joue dig a1. À toi de jouer.", set()),
        ("fr", "Non : La case b2 est occupée. [illegalMove]", set()),
        ("es", "Tres en raya, mesa 0bhsfq6wc289: estás en el asiento 0.", set()),
        ("fr", "connect-four  waiting  [Ana, free]", {"waiting"}),
    ],
)
def test_an_english_word_is_found(language: str, line: str, english: set[str]) -> None:
    speak(language)
    assert english_in(line) == english


@pytest.mark.parametrize("language", ["fr", "es"])
@pytest.mark.parametrize("game", SMALL)
async def test_a_whole_game_is_told_in_one_language(game: str, language: str) -> None:
    speak(language)
    async with (
        real_server() as url,
        a_terminal(url, "Ana", boards=True) as ana,
        a_terminal(url, "Ben", boards=True) as ben,
        a_terminal(url, "Cleo") as cleo,
    ):
        await mistakes_without_a_table(ana)
        ana.types(
            f"create {game} {SMALL[game]} clock=300+5 seat=0"
            if game != "minesweeper"
            else f"create {game} {SMALL[game]}"
        )
        await ana.waits_for(lambda: ana.table.room is not None)
        for line in ("board", "swap 0", "options", "options x", "history", "invite Ben", "list"):
            await done(ana, line)
        await ben.waits_for(lambda: ben.table.question is not None)
        ben.types("yes")
        await ben.waits_for(lambda: ben.table.latest is not None)
        cleo.types(f"watch {ana.room.id}")
        await cleo.waits_for(lambda: cleo.table.room is not None)
        await mistakes_at_a_table(ana, ben, cleo)
        await play_to_the_end(ana, ben, Random(5))
        await another_game(ana, ben)
        for terminal in (ana, ben, cleo):
            await leaves(terminal)
        told = {*ana.heard, *ben.heard, *cleo.heard}
        assert not {line: words for line in told if (words := english_in(line))}
        assert len(told) > 40


async def done(terminal: Terminal, line: str) -> None:
    """Types a line that is answered by at least one."""
    before = len(terminal.heard)
    terminal.types(line)
    await terminal.waits_for(lambda: len(terminal.heard) > before)


async def mistakes_without_a_table(ana: Terminal) -> None:
    for line in (
        "help", "list", "games", "frobnicate", "creat", "b2", "board", "yes", "cancel", "join", "watch",
        "create", "create go", "create tic", "create quoridor size", "create quoridor size=x",
        "create connect-four clock=soon", "create quoridor bot=hard", "join nowhere", "tv off",
        "seek quoridor", "cancel", "play", "cancel", "claim everything", "mute",
        "mute Dora", "free", "invite", "say",
    ):  # fmt: skip
        await done(ana, line)


async def leaves(terminal: Terminal) -> None:
    terminal.types("leave")
    await terminal.waits_for(lambda: terminal.table.room is None)


async def mistakes_at_a_table(ana: Terminal, ben: Terminal, cleo: Terminal) -> None:
    for terminal in (ana, ben):
        for line in (
            "zz9",
            "help",
            "history",
            "claim",
            "rematch",
            "say goodLuck",
            "games",
            "create quoridor",
            "menu now",
        ):
            await done(terminal, line)
    for line in ("resign", "board", "mute Ben", "mute Ben none"):
        await done(cleo, line)
    ana.types("draw")
    await ben.waits_for(lambda: ben.table.question is not None)
    await done(ben, "no")


async def play_to_the_end(ana: Terminal, ben: Terminal, random: Random) -> None:
    game = GAMES[ana.room.game]
    while ana.room.table.state == "playing":
        to_move = next((each for each in (ana, ben) if each.table.own_turn is not None), None)
        if to_move is None:
            await ana.waits_for(lambda: ana.table.own_turn is not None or ben.table.own_turn is not None)
            continue
        turn = to_move.table.own_turn
        assert turn is not None
        assert turn.seat is not None
        move = random.choice(list(game.legal_moves(turn.view, turn.seat)))
        seq = turn.seq
        to_move.types(move)
        for each in (ana, ben):
            await each.waits_for(lambda: (latest := each.table.latest) is not None and latest.seq > seq)  # noqa: B023


async def another_game(ana: Terminal, ben: Terminal) -> None:
    ana.types("rematch")
    await ben.waits_for(lambda: ben.table.question is not None)
    before = ana.room
    ben.types("yes")
    await ana.waits_for(lambda: ana.table.room is not before and ana.table.latest is not None)
    await ben.waits_for(lambda: ben.table.latest is not None)
    ben.types("resign")
    if ana.room.game == "minesweeper":
        ana.types("resign")
    await ana.waits_for(lambda: ana.room.table.state == "finished")
    await ben.waits_for(lambda: ben.room.table.state == "finished")


@pytest.mark.parametrize("language", ["fr", "es"])
async def test_a_minefield_is_dug_by_numbers_in_one_language(language: str) -> None:
    speak(language)
    random = Random(3)
    async with real_server() as url, a_terminal(url, "Ana", boards=True) as ana:
        for line in ("menu", "4", "1"):
            await done(ana, line)
        await ana.waits_for(lambda: ana.table.own_turn is not None)
        while ana.room.table.state == "playing":
            for answer in ("1", random.randint(1, 9), random.randint(1, 9)):
                if ana.room.table.state == "playing":
                    await done(ana, str(answer))
        assert not {line: words for line in ana.heard if (words := english_in(line))}
        assert any("Axe y" in line or "Eje y" in line for line in ana.heard)

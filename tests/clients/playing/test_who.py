"""Who is called what."""

from __future__ import annotations

import pytest

from tablero.catalogue.speech import speak
from tablero.playing.who import holder, listed, named
from tablero_protocol.messages import Player
from tests.harness.rig import ANA, BEN, Json, Rig


@pytest.fixture
def french() -> None:
    speak("fr")


@pytest.mark.parametrize(
    ("names", "told"), [(["Ana"], "Ana"), (["Ana", "Ben"], "Ana and Ben"), (["A", "B", "C"], "A, B and C")]
)
def test_names_are_listed(names: list[str], told: str) -> None:
    assert listed(names) == told


@pytest.mark.parametrize(
    ("seats", "us", "other"),
    [((ANA, BEN), "You win.", "Ben wins."), ((ANA, ANA), "You (seat 0) win.", "You (seat 1) win.")],
)
def test_a_sentence_speaks_to_us_or_of_others(seats: tuple[Json, Json], us: str, other: str) -> None:
    room = Rig().room(*seats)
    told = [
        holder(room.table, seat, room.seats).does("{you} win{mark}", "{who} wins{mark}", mark=".")
        for seat in (0, 1)
    ]
    assert told == [us, other]


@pytest.mark.usefixtures("french")
def test_a_language_has_its_own_words_for_us() -> None:
    room = Rig().room(ANA, ANA)
    who = holder(room.table, 1, room.seats)
    assert str(who) == "toi (place 1)"
    assert who.does("{you} resign.", "{who} resigns.") == "Toi (place 1), tu abandonnes."
    bot = Player.model_validate({"id": "p", "name": "house", "bot": True, "level": "quoridor:hard"})
    assert named(bot) == "house (bot, difficile)"
    assert named(bot.model_copy(update={"level": "connect-four:full-text"})) == "house (bot, full-text)"

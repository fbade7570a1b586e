"""What is chosen for good."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablero.playing.options import (
    GLYPH_NAMES,
    BadOptionsFile,
    Preferences,
    ScreenOptions,
    glyphs_for,
    load,
    place,
    save,
    theme_for,
)
from tablero.table_view.canvas import GLYPH_SETS


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    file = tmp_path / "new" / "screen.toml"
    chosen = ScreenOptions("light", "ascii", "off", False, 2, {"left": "a"}, ("ws://one/ws",), ("quoridor",))
    save(file, chosen)
    assert load(file) == chosen
    assert load(tmp_path / "none.toml") == ScreenOptions()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('theme = "pink"', "theme must be one of dark"),
        ("premoves = 1", "premoves must be one of True, False"),
        ("smaller = true", "smaller must be one of 0"),
        ("colour = 1", "there is no setting colour"),
        ("keys = 1", "keys must be a table of texts"),
        ("servers = [1]", "servers must be a list of texts"),
        ("lessons = 1", "lessons must be a list of texts"),
        ("= 1", "Invalid"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused(text: str, why: str, tmp_path: Path) -> None:
    file = tmp_path / "screen.toml"
    file.write_text(text)
    with pytest.raises(BadOptionsFile, match=why):
        load(file)


def test_what_cannot_be_kept_is_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    save(tmp_path / "file" / "screen.toml", ScreenOptions())
    assert place().name == "screen.toml"


def test_glyph_sets_have_the_names_of_the_boards() -> None:
    assert GLYPH_NAMES == GLYPH_SETS


@pytest.mark.parametrize(
    ("environment", "theme"),
    [
        ({}, "dark"),
        ({"COLORFGBG": "0;15"}, "light"),
        ({"COLORFGBG": "15;0"}, "dark"),
        ({"NO_COLOR": ""}, "mono"),
    ],
)
def test_a_theme_suits_the_terminal(environment: dict[str, str], theme: str) -> None:
    assert theme_for(environment) == theme


@pytest.mark.parametrize(
    ("term", "encoding", "glyphs"),
    [("xterm", "UTF-8", "safe"), ("linux", "utf-8", "ascii"), ("xterm", "ANSI_X3.4-1968", "ascii")],
)
def test_glyphs_suit_the_terminal(term: str, encoding: str, glyphs: str) -> None:
    assert glyphs_for({"TERM": term}, encoding) == glyphs


@pytest.mark.parametrize(
    ("locale", "glyphs"),
    [
        ({"LANG": "C"}, "ascii"),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, "ascii"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "POSIX"}, "ascii"),
        ({"LANG": "C", "LC_CTYPE": "en_US.UTF-8"}, "safe"),
        ({"LANG": "C", "LC_ALL": "C.UTF-8"}, "safe"),
        ({"LANG": "C.UTF-8"}, "safe"),
        ({"LC_CTYPE": "UTF-8"}, "safe"),
        ({}, "safe"),
    ],
)
def test_glyphs_suit_the_locale(locale: dict[str, str], glyphs: str) -> None:
    assert glyphs_for({"TERM": "xterm", **locale}, "utf-8") == glyphs


def test_the_bell_rings_as_it_was_chosen(tmp_path: Path) -> None:
    rung: list[str] = []
    preferences = Preferences(tmp_path / "screen.toml", ScreenOptions())

    def ring() -> None:
        for is_our_turn in (True, False):
            preferences.ring(lambda: rung.append(preferences.options.bell), is_our_turn=is_our_turn)

    ring()
    assert preferences.next_bell().startswith("The bell rings on your turn, and")
    ring()
    assert preferences.next_bell() == "The bell is off."
    ring()
    assert rung == ["turn", "on", "on"]
    assert load(tmp_path / "screen.toml").bell == "off"


def test_servers_are_remembered_the_last_one_first(tmp_path: Path) -> None:
    preferences = Preferences(tmp_path / "screen.toml", ScreenOptions())
    for number in (1, 2, 1, *range(3, 12)):
        preferences.played_at(f"ws://{number}/ws")
    assert load(tmp_path / "screen.toml").servers[0] == "ws://11/ws"
    assert len(preferences.options.servers) == 8
    preferences.played_at("ws://9/ws")
    assert preferences.options.servers[:2] == ("ws://9/ws", "ws://11/ws")

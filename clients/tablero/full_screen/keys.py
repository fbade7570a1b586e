"""The keys of the screens: the action of each, and its name in the footer and in the help.

Law: each action has a name, with which the options file can give it other keys.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from textual.binding import Binding, BindingsMap
from textual.screen import Screen

from ..catalogue.speech import sentence, translate
from ..games import client_game


@dataclass(frozen=True)
class Key:
    keys: str
    action: str
    label: str
    help: str
    shown: bool = False
    """Whether the footer shows the key."""
    needs: str = ""
    """The game's feature that this key needs (`ClientGame.keys`); empty for none."""
    unless: str = ""
    """The game's feature with which this key has no meaning."""

    def is_of(self, game: str) -> bool:
        has = client_game(game).keys
        return (not self.needs or self.needs in has) and self.unless not in has

    @property
    def name(self) -> str:
        """The name in the options file, such as "walk_left" for walk(-1, 0)."""
        return _NAMES.get(self.action, self.action.partition("(")[0])


_NAMES: Final = {
    "walk(-1,0)": "left",
    "walk(1,0)": "right",
    "walk(0,1)": "up",
    "walk(0,-1)": "down",
    "deed('play')": "play",
    "deed('flag')": "flag",
    "deed('chord')": "chord",
    "step(-1)": "back",
    "step(1)": "forward",
    "step(-10)": "ten_back",
    "step(10)": "ten_forward",
    "step(-10000)": "first",
    "step(10000)": "last",
    "pace(1.6)": "slower",
    "pace(0.625)": "faster",
    "size(1)": "smaller",
    "size(-1)": "larger",
    "read(-5)": "read_down",
    "read(5)": "read_up",
    "type('')": "type",
    "type('say ')": "say",
    "answer(True)": "yes",
    "answer(False)": "no",
    "offer('draw')": "draw",
    "offer('takeback')": "takeback",
    "offer('pause')": "pause",
    "app.hand_over": "hand_over",
    "app.next_bell": "bell",
    "app.next_theme": "theme",
    "app.lessons": "lessons",
    "app.focus_next": "other_list",
}

TABLE_KEYS: Final = (
    Key("left,h", "walk(-1,0)", "", sentence("left")),
    Key("right,l", "walk(1,0)", "", sentence("right")),
    Key("up,k", "walk(0,1)", "", sentence("up")),
    Key("down,j", "walk(0,-1)", "", sentence("down")),
    Key(
        "enter,space",
        "deed('play')",
        sentence("Play"),
        sentence("play the move under the cursor"),
        shown=True,
    ),
    Key("f", "deed('flag')", sentence("Flag"), sentence("set or remove a flag"), True, "flag"),
    Key("c", "deed('chord')", sentence("Chord"), sentence("open the cells around a number"), True, "chord"),
    Key("n", "unknown", sentence("Next"), sentence("go to the next covered cell"), True, "unknown"),
    Key("w", "switch", sentence("Wall"), sentence("switch between pawn and wall"), True, "switch"),
    Key("r", "rotate", sentence("Rotate"), sentence("turn the wall; after the end: rematch"), True, "rotate"),
    Key("r", "rotate", "", sentence("after the end: rematch"), unless="rotate"),
    Key("colon", "type('')", sentence("Type"), sentence("type a move or a command"), shown=True),
    Key("s", "type('say ')", sentence("Say"), sentence("send a message to the table"), shown=True),
    Key("y", "answer(True)", "", sentence("accept the offer")),
    Key("x", "answer(False)", "", sentence("decline the offer")),
    Key("left_square_bracket", "step(-1)", "", sentence("previous position")),
    Key("right_square_bracket", "step(1)", "", sentence("next position")),
    Key("left_curly_bracket,home", "step(-10000)", "", sentence("first position")),
    Key("right_curly_bracket,end", "step(10000)", "", sentence("back to the current position")),
    Key("escape", "cancel", "", sentence("cancel the planned move; back to the game")),
    Key("u", "offer('takeback')", "", sentence("ask to take back your last move")),
    Key("d", "offer('draw')", "", sentence("offer a draw")),
    Key("P", "offer('pause')", "", sentence("ask for a pause")),
    Key("R", "resign", "", sentence("resign (asks first)")),
    Key("p", "premoves", "", sentence("turn planned moves on or off")),
    Key("o", "turn", "", sentence("flip the board"), needs="turn"),
    Key("minus", "size(1)", "", sentence("a smaller board")),
    Key("plus,equals_sign", "size(-1)", "", sentence("a larger board")),
    Key("pageup", "read(5)", "", sentence("scroll back in the log")),
    Key("pagedown", "read(-5)", "", sentence("scroll forward in the log")),
    Key("g", "app.hand_over", "", sentence("continue on your phone or in a browser")),
    Key("m", "app.next_bell", "", sentence("bell: off, on your turn, always")),
    Key("t", "app.next_theme", "", sentence("change the theme")),
    Key("question_mark", "help", sentence("Help"), sentence("show this help"), shown=True),
    Key(
        "q",
        "leave",
        sentence("Leave"),
        sentence("leave the table (asks first if you're playing)"),
        shown=True,
    ),
    Key("H", "lessons", sentence("Rules"), sentence("learn how this game is played"), shown=True),
)

LOBBY_KEYS: Final = (
    Key("enter", "select", sentence("Go"), sentence("do the selected action"), shown=True),
    Key("tab", "app.focus_next", sentence("Other list"), sentence("go to the other list"), shown=True),
    Key("p", "play_now", "", sentence("play now: any game, with a person or a bot")),
    Key("c", "play_computer", "", sentence("play the computer")),
    Key("n", "new_table", "", sentence("create a table")),
    Key("i", "join", "", sentence("join a table by its code, or follow a link")),
    Key("w", "watch", "", sentence("watch the best public games, one by one")),
    Key("g", "games", "", sentence("your games")),
    Key("b", "best", "", sentence("leaderboard")),
    Key("f", "filter", sentence("Filter"), sentence("show only one game"), shown=True),
    Key("e", "replay", "", sentence("replay a finished game")),
    Key("o", "server", "", sentence("go to another server")),
    Key("colon", "type", sentence("Type"), sentence("type a command"), shown=True),
    Key("h", "app.hand_over", "", sentence("continue on your phone or in a browser")),
    Key("y", "answer(True)", "", sentence("accept the offer")),
    Key("x", "answer(False)", "", sentence("decline the offer; stop looking")),
    Key("m", "app.next_bell", "", sentence("bell: off, on your turn, always")),
    Key("t", "app.next_theme", "", sentence("change the theme")),
    Key("question_mark", "help", sentence("Help"), sentence("show this help"), shown=True),
    Key("q", "quit", sentence("Quit"), sentence("quit"), shown=True),
    Key("H", "app.lessons", sentence("Rules"), sentence("learn how a game is played"), shown=True),
)

_SPOKEN: Final = {
    "colon": ":",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "left_curly_bracket": "{",
    "right_curly_bracket": "}",
    "question_mark": "?",
    "minus": "-",
    "plus": "+",
    "equals_sign": "=",
}


def bindings(keys: Iterable[Key], first: Collection[str] = ()) -> list[Binding]:
    """The bindings, one for each action, even if some games name it differently.

    Actions named in `first` run before the next key is read, regardless of the focus.
    """
    by_name: dict[str, Key] = {}
    for key in keys:
        by_name.setdefault(key.name, key)
    return [
        Binding(
            key.keys,
            key.action,
            key.label,
            show=False,
            id=name,
            key_display=spoken(key.keys),
            priority=name in first,
        )
        for name, key in by_name.items()
    ]


def spoken(keys: str) -> str:
    """The name of the first of these keys."""
    first = keys.split(",")[0]
    return _SPOKEN.get(first, first)


def show_in_footer(screen: Screen[Any], keys: Iterable[Key], game: str) -> None:
    """Show the keys of this screen in its footer, in the chosen language."""
    shown = {key.name: key for key in keys if key.shown and key.is_of(game)}
    for each in _all(screen._bindings):
        key = shown.get(each.id or "")
        described = "" if key is None else translate(key.label)
        is_first = key is not None and each.key == key.keys.split(",")[0]
        _replace(screen._bindings, each, described, is_first)
    screen.refresh_bindings()


def _all(bound: BindingsMap) -> list[Binding]:
    return [each for found in bound.key_to_bindings.values() for each in found]


def _replace(bound: BindingsMap, old: Binding, description: str, show: bool) -> None:
    found = bound.key_to_bindings[old.key]
    found[found.index(old)] = replace(old, description=description, show=show)


def help_lines(keys: Iterable[Key], game: str) -> list[str]:
    """The lines of help about these keys."""
    here = [key for key in keys if key.is_of(game)]
    names = {key: " ".join(spoken(each) for each in key.keys.split(",")) for key in here}
    width = max(map(len, names.values()))
    return [f"{names[key]:<{width}}  {translate(key.help)}" for key in here]

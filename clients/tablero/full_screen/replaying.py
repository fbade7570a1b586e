"""A finished game, shown position by position, by keys or automatically."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Static

from tablero_games import GAMES
from tablero_games.record.file import Invalid
from tablero_protocol.text import clean

from ..catalogue.speech import sentence, translate
from ..playing import sentences
from ..playing.record_sentences import ending_told, names_told, turn_told
from ..playing.records import NoRecord, complaint, fetch
from ..table_view.canvas import GLYPHS, GlyphSet
from ..table_view.replay import ReplayView
from .board_widget import BoardWidget
from .dialogs import AskLine, Page, open_dialog
from .footer import Footer
from .keys import Key, bindings, help_lines, show_in_footer

if TYPE_CHECKING:
    from .app import TableroApp

KEYS: Final = (
    Key("left,h,left_square_bracket", "step(-1)", sentence("Back"), sentence("previous move"), shown=True),
    Key(
        "right,l,right_square_bracket,enter",
        "step(1)",
        sentence("Forward"),
        sentence("next move"),
        shown=True,
    ),
    Key("down,j,pagedown", "step(10)", "", sentence("ten moves forward")),
    Key("up,k,pageup", "step(-10)", "", sentence("ten moves back")),
    Key("home,left_curly_bracket", "step(-10000)", "", sentence("to the beginning")),
    Key("end,right_curly_bracket", "step(10000)", "", sentence("to the end")),
    Key("space", "play", sentence("Play"), sentence("start or stop autoplay"), shown=True),
    Key("minus", "pace(1.6)", "", sentence("slower")),
    Key("plus,equals_sign", "pace(0.625)", "", sentence("faster")),
    Key("t", "app.next_theme", "", sentence("change the theme")),
    Key("question_mark", "help", sentence("Help"), sentence("show this help"), shown=True),
    Key("q,escape", "close", sentence("Leave"), sentence("back"), shown=True),
)
_FIRST_PACE: Final = 0.8
"""Default seconds between two moves."""
_SLOWEST, _FASTEST = 5.0, 0.1


class ReplayScreen(Screen[None]):
    CSS = """
    ReplayScreen #title { height: 1; background: $panel; padding: 0 1; text-style: bold; }
    ReplayScreen #middle { height: 1fr; }
    ReplayScreen #side { width: 30; padding: 1 1; background: $panel; }
    ReplayScreen #status { height: 1; padding: 0 1; background: $panel; color: $accent; text-style: bold; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(KEYS)]

    def __init__(self, replay: ReplayView, glyphs: GlyphSet) -> None:
        super().__init__()
        self.replay = replay
        self.glyphs: GlyphSet = glyphs
        self._timer: Timer | None = None
        self._pace = _FIRST_PACE

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        with Horizontal(id="middle"):
            yield BoardWidget(self.glyphs, id="board")
            with Vertical(id="side"):
                yield Static(id="about", markup=False)
        yield Static(id="status", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        title = sentences.title_of(self.replay.game)
        self.query_one("#title", Static).update(Content(translate("Replay: {game}", game=title)))
        show_in_footer(self, KEYS, self.replay.game)
        self.query_one("#board").focus()
        self.call_after_refresh(self.show_all)

    def on_resize(self) -> None:
        width, height = self.size
        self.query_one("#side").display = width >= 60
        self.query_one("#title").display = height >= 12
        self.query_one(Footer).display = height >= 16
        self.call_after_refresh(self.show_all)

    def show_all(self) -> None:
        if not self.is_attached:
            return
        replay = self.replay
        self.query_one("#board", BoardWidget).show(replay)
        self.query_one("#status", Static).update(Content(self._told()))
        marks = GLYPHS[self.glyphs].seats
        shows = replay.game not in GAMES or GAMES[replay.game].shows_marks
        names = [
            f"{marks[seat] if shows else seat} {name}" for seat, name in enumerate(names_told(replay.names))
        ]
        count = translate("Move {at} of {all}", at=replay.at, all=len(replay.scenes) - 1)
        self.query_one("#about", Static).update(Content("\n".join([*names, "", count])))

    def _told(self) -> str:
        replay = self.replay
        names, turn = names_told(replay.names), replay.scene.turn
        parts = [translate("At the start") if turn is None else turn_told(replay.at, turn, names)]
        if replay.is_at_end and "outcome" in replay.view:
            parts.append(ending_told(replay.view["outcome"], names))
        return " ".join(parts)

    def action_step(self, by: int) -> None:
        self._stop()
        self.replay.step(by)
        self.show_all()

    def action_play(self) -> None:
        if self._timer is not None:
            self._stop()
            return
        if self.replay.is_at_end:
            self.replay.at = 0
        self._timer = self.set_interval(self._pace, self._on)
        self.show_all()

    def action_pace(self, factor: float) -> None:
        self._pace = min(max(self._pace * factor, _FASTEST), _SLOWEST)
        if self._timer is not None:
            self._timer.stop()
            self._timer = self.set_interval(self._pace, self._on)

    def _on(self) -> None:
        self.replay.step(1)
        self.show_all()
        if self.replay.is_at_end:
            self._stop()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def action_help(self) -> None:
        self.app.push_screen(Page(translate("Help"), help_lines(KEYS, self.replay.game)))

    def action_close(self) -> None:
        self._stop()
        self.dismiss(None)


async def choose_and_show(app: TableroApp) -> None:
    """Let the person choose a record file, or a finished table of the server, and show the game."""
    asked = AskLine(translate("Which game? Enter a record file or a table number:"))

    def show(what: str | None) -> None:
        if what is not None:
            app.run_worker(_show(app, what))

    await open_dialog(app, asked, show)


async def _show(app: TableroApp, what: str) -> None:
    try:
        text = await asyncio.to_thread(_text, app, what)
        replay = ReplayView.of_record(text, translate)
    except (NoRecord, OSError) as none:
        app.tell(clean(str(none)))
    except Invalid as invalid:
        app.tell(complaint(invalid))
    else:
        await app.push_screen_wait(ReplayScreen(replay, app.glyphs))


def _text(app: TableroApp, what: str) -> str:
    """The text of a record, with one letter for each byte, as `read` expects."""
    file = Path(what).expanduser()
    if file.is_file():
        return file.read_bytes().decode("latin-1")
    return fetch(app.visit.server, what, app.visit.name).decode("latin-1")

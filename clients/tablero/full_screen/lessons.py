"""The lessons of a game: positions that each ask for one move, played by keys or mouse and answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from tablero_games import GAMES
from tablero_games.position import View

from ..catalogue.speech import sentence, translate
from ..games import Lesson, client_game
from ..playing import sentences
from ..table_view.board import Board, Deed, Marks, Target, board_of
from ..table_view.canvas import GlyphSet
from .board_widget import BoardWidget
from .dialogs import Choice, Choose, open_dialog
from .footer import Footer
from .keys import TABLE_KEYS, Key, bindings, show_in_footer

if TYPE_CHECKING:
    from .app import TableroApp

_ON_A_BOARD = ("walk", "deed", "unknown", "switch", "rotate")
KEYS: Final = (
    *(key for key in TABLE_KEYS if key.action.startswith(_ON_A_BOARD) and not key.unless),
    Key("right_square_bracket,tab", "step(1)", sentence("Next lesson"), sentence("next lesson"), shown=True),
    Key("left_square_bracket", "step(-1)", "", sentence("previous lesson")),
    Key("q,escape", "close", sentence("Leave"), sentence("back"), shown=True),
)


class LessonView:
    """The current lesson, with the cursor and all that a board widget shows."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.lessons = client_game(game).lessons
        self.go(0)

    def go(self, at: int) -> None:
        self.at = at
        self._play = self.lesson.begin(self.game)
        self.answer = ""
        self.is_done = False
        self.cursor: Target | None = self.board().first_target(self.legal)

    @property
    def lesson(self) -> Lesson:
        return self.lessons[self.at]

    @property
    def is_last(self) -> bool:
        return self.at == len(self.lessons) - 1

    @property
    def view(self) -> View:
        view: View = self._play.shown_to(0)["view"]
        return view

    @property
    def legal(self) -> list[str]:
        return [] if self.is_done else list(GAMES[self.game].legal_moves(self.view, 0))

    @property
    def last_move(self) -> str | None:
        return None if self._play.last is None else self._play.last["move"]

    def board(self, width: int = 0, height: int = 0, glyphs: GlyphSet = "safe") -> Board:
        return board_of(self.game, self.view, (width, height), glyphs=glyphs, say=translate)

    def marks(self, board: Board, drop: int = 0) -> Marks:
        legal = board.legal_targets(self.legal)
        return Marks(None if self.is_done else self.cursor, legal, self.last_move, drop=drop)

    def point_at(self, target: Target) -> None:
        self.cursor = target

    def move_cursor(self, to: Callable[[Board, Target], Target]) -> None:
        if self.cursor is not None:
            self.cursor = to(self.board(), self.cursor)

    def choose(self, deed: Deed) -> None:
        if self.cursor is not None:
            self.play(self.board().move(self.cursor, deed))

    def play(self, move: str) -> None:
        """Play the move if it is right, and answer it."""
        if self.is_done:
            return
        if move not in self.legal:
            self.answer = translate("That isn't possible here. Try again.")
        elif self.lesson.is_right(move):
            self._play = self._play.turn(0, move)
            self.is_done = True
            self.answer = translate(self.lesson.praised)
        else:
            self.answer = translate(self.lesson.otherwise)


class LessonScreen(Screen[None]):
    CSS = """
    LessonScreen #title { height: 1; background: $panel; padding: 0 1; text-style: bold; }
    LessonScreen #told { height: auto; padding: 0 1; }
    LessonScreen #status { height: auto; padding: 0 1; background: $panel; color: $accent; text-style: bold; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(KEYS),
        *(Binding(digit, f"digit('{digit}')", show=False) for digit in "0123456789"),
    ]

    def __init__(self, game: str, glyphs: GlyphSet) -> None:
        super().__init__()
        self.lessons = LessonView(game)
        self.glyphs: GlyphSet = glyphs

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        yield BoardWidget(self.glyphs, id="board")
        yield Static(id="told", markup=False)
        yield Static(id="status", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        show_in_footer(self, KEYS, self.lessons.game)
        self.query_one("#board").focus()
        self.call_after_refresh(self.show_all)

    def on_resize(self) -> None:
        self.query_one(Footer).display = self.size.height >= 16
        self.call_after_refresh(self.show_all)

    def show_all(self) -> None:
        if not self.is_attached:
            return
        shown, lesson = self.lessons, self.lessons.lesson
        title = translate("How to play {game}", game=sentences.title_of(shown.game))
        count = translate("Lesson {at} of {all}", at=shown.at + 1, all=len(shown.lessons))
        self.query_one("#title", Static).update(Content(f"{title} - {count}"))
        how = translate(lesson.by["keys"]) if lesson.by else ""
        told = Content("\n").join(
            [Content(translate(lesson.told)), Content.styled(translate(lesson.asked), "bold"), Content(how)]
        )
        self.query_one("#told", Static).update(told)
        self.query_one("#status", Static).update(Content(self._status()))
        self.query_one("#board", BoardWidget).show(shown)

    def _status(self) -> str:
        shown = self.lessons
        if not shown.is_done:
            return shown.answer
        on = translate("Enter: back to the game." if shown.is_last else "Enter: next lesson.")
        return f"{shown.answer} {on}"

    # Keys and mouse

    def action_walk(self, right: int, up: int) -> None:
        self._moves(lambda board, target: board.walk(target, right, up))

    def action_switch(self) -> None:
        self._moves(lambda board, target: board.switched(target))

    def action_rotate(self) -> None:
        self._moves(lambda board, target: board.rotated(target))

    def action_unknown(self) -> None:
        self._moves(lambda board, target: board.next_unknown(target))

    def _moves(self, to: Callable[[Board, Target], Target]) -> None:
        self.lessons.move_cursor(to)
        self.show_all()

    def action_deed(self, deed: Deed) -> None:
        shown = self.lessons
        if shown.is_done and deed == "play":
            self.action_close() if shown.is_last else self.action_step(1)
        elif deed == "play" or deed in client_game(shown.game).keys:
            shown.choose(deed)
            self.show_all()

    def on_board_widget_chosen(self, event: BoardWidget.Chosen) -> None:
        self.action_deed(event.deed)

    def action_digit(self, digit: str) -> None:
        if (game := client_game(self.lessons.game)).by_digit:
            self.lessons.play(game.read_move(digit, None))
            self.show_all()

    def action_step(self, by: int) -> None:
        shown = self.lessons
        shown.go(min(max(shown.at + by, 0), len(shown.lessons) - 1))
        self.show_all()

    def action_close(self) -> None:
        self.dismiss(None)


async def choose_and_show(app: TableroApp) -> None:
    """Let the person choose a game, and show its lessons."""
    games = [Choice(game, sentences.title_of(game)) for game in GAMES if client_game(game).lessons]

    def show(game: str | None) -> None:
        if game is not None:
            app.push_screen(LessonScreen(game, app.glyphs))

    await open_dialog(app, Choose(translate("How to play which game?"), games), show)

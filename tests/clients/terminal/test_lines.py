"""Lines in and out: the prompt of a terminal, the bytes of a pipe."""

from __future__ import annotations

import io
import os
from collections.abc import Callable

import pytest

from tablero.playing.board_lines import Lay, Line
from tablero.table_view.canvas import Stretch
from tablero.terminal.editor import LineEditor
from tablero.terminal.lines import Screen, read_keys, read_lines, style_for
from tests.harness.paper import Paper, Sized, nothing


def test_in_a_pipe_there_is_no_prompt() -> None:
    out = io.StringIO()
    screen = Screen(out, prompt=False, broken=nothing)
    screen.prompt()
    screen.print("one")
    screen.entered()
    screen.prompt()
    assert out.getvalue() == "one\n"


def test_at_a_terminal_the_prompt_stays_below_what_is_printed() -> None:
    out = io.StringIO()
    screen = Screen(out, prompt=True, broken=nothing)
    screen.print("one")
    screen.prompt()
    screen.print("two")
    screen.entered()
    screen.prompt()
    assert out.getvalue() == "one\n> \rtwo\n> > "


def test_a_state_stands_before_the_prompt_and_what_is_typed_stays_behind_it() -> None:
    out, editor = io.StringIO(), LineEditor()
    screen = Screen(out, prompt=True, broken=nothing, editor=editor)
    typed(editor, "b2")
    screen.show_state("Ben is away")
    screen.show_state("")
    assert out.getvalue() == "\r\x1b[K(Ben is away) > b2\r\x1b[K> b2"


def test_in_a_pipe_no_state_is_shown() -> None:
    out = io.StringIO()
    screen = Screen(out, prompt=False, broken=nothing)
    screen.show_state("Ben is away")
    screen.prompt()
    assert out.getvalue() == ""


def typed(editor: LineEditor, keys: str) -> None:
    assert list(editor.feed(keys)) == []


def test_what_is_being_typed_stays_whole_below_what_is_printed() -> None:
    out, editor = io.StringIO(), LineEditor()
    screen = Screen(out, prompt=True, broken=nothing, editor=editor)
    typed(editor, "say hel")
    screen.prompt()
    screen.print("Ben plays b2.")
    assert out.getvalue() == "\r\x1b[K> say hel" + "\r\x1b[KBen plays b2.\n> say hel"
    typed(editor, "\x1b[D")
    screen.prompt()
    assert out.getvalue().endswith("\r\x1b[K> say hel\x1b[1D")


def test_an_ended_line_is_shown_whole_and_the_prompt_goes_at_the_end() -> None:
    out = io.StringIO()
    screen = Screen(out, prompt=True, broken=nothing, editor=LineEditor())
    screen.entered("say hello")
    screen.prompt()
    screen.end()
    assert out.getvalue() == "\r\x1b[K> say hello\n" + "\r\x1b[K> " + "\r\x1b[K"


def test_at_a_terminal_long_lines_are_folded_between_words() -> None:
    out = io.StringIO()
    screen = Screen(out, prompt=True, broken=nothing, editor=LineEditor())
    screen.print("word " * 15 + "table-km9ej1fnew49\n  board")
    assert out.getvalue() == "\r\x1b[K" + " ".join(["word"] * 15) + "\n  table-km9ej1fnew49\n  board\n> "
    plain = io.StringIO()
    Screen(plain, prompt=False, broken=nothing).print("word " * 30)
    assert plain.getvalue() == "word " * 30 + "\n"


def test_when_nobody_reads_any_more_it_ends_quietly(tmp_path: object) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    broken = list[bool]()
    with os.fdopen(writer, "w") as out:
        screen = Screen(out, prompt=False, broken=lambda: broken.append(True))
        screen.print("nobody")
        screen.print("hears")
    assert broken == [True]


@pytest.mark.parametrize(
    ("sent", "lines"),
    [
        (b"one\ntwo\n", ["one", "two"]),
        (b"one\r\ntwo", ["one", "two"]),
        (b"", []),
        (b"\n\n", ["", ""]),
        ("ñandú\n".encode() * 900, ["ñandú"] * 900),
        (b"bad \xff byte\n", ["bad \ufffd byte"]),
    ],
)
def test_lines_are_read_whole_and_the_end_is_told(
    sent: bytes, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("locale.getpreferredencoding", lambda _: "utf-8")
    reader, writer = os.pipe()
    os.write(writer, sent)
    os.close(writer)
    read, over = list[str](), list[bool]()
    read_lines(reader, read.append, lambda: over.append(True))
    os.close(reader)
    assert (read, over) == (lines, [True])


def test_keys_are_read_as_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("locale.getpreferredencoding", lambda _: "utf-8")
    reader, writer = os.pipe()
    keys, over = list[str](), list[bool]()
    sent = iter([b"b", "ñ".encode()[:1], "ñ".encode()[1:]])

    def take(text: str) -> None:
        keys.append(text)
        os.write(writer, chunk) if (chunk := next(sent, b"")) else os.close(writer)

    os.write(writer, next(sent))
    read_keys(reader, take, lambda: over.append(True))
    os.close(reader)
    assert ("".join(keys), over) == ("bñ", [True])


@pytest.mark.parametrize(
    ("encoding", "term", "style"),
    [("utf-8", "xterm", "unicode"), ("ascii", "xterm", "ascii"), ("utf-8", "linux", "ascii")],
)
def test_boards_are_drawn_with_what_the_terminal_can_show(
    encoding: str, term: str, style: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    assert style_for(io.TextIOWrapper(io.BytesIO(), encoding=encoding)) == style


def board_of(*rows: str) -> Lay:
    """A board that is the same at every size."""
    lines: list[Line] = [[Stretch(row, "seat0", "")] for row in rows]
    return lambda _: lines


def test_a_board_is_drawn_in_the_place_of_the_one_before_and_lines_go_by_above_it() -> None:
    paper, editor = Paper(), LineEditor()
    screen = Sized(paper, editor, colours=True)
    screen.show_board(board_of("1 . .", "2 . ."), "The game begins.")
    typed(editor, "say hel")
    screen.prompt()
    screen.print("Ben: hello")
    screen.show_board(board_of("1 X .", "2 . ."), "1. Ben plays a1.")
    assert paper.all == ["The game begins.", "Ben: hello", "1. Ben plays a1.", "1 X .", "2 . .", "> say hel"]
    screen.entered("b2")
    typed(editor, "\x15")
    screen.prompt()
    screen.show_board(board_of("1 X .", "2 . O"), "2. You play b2.")
    assert paper.all[2:] == ["1. Ben plays a1.", "> b2", "2. You play b2.", "1 X .", "2 . O", ">"]
    screen.keep_board()
    screen.print("You win.")
    assert paper.all[4:] == ["2. You play b2.", "1 X .", "2 . O", "You win.", ">"]


def test_a_board_higher_than_the_terminal_is_a_text_like_any_other() -> None:
    paper = Paper(rows=3)
    screen = Sized(paper, LineEditor())
    for told in ("one", "two"):
        screen.show_board(board_of("a", "b", "c"), told)
    assert paper.all == ["a", "b", "c", "one", "a", "b", "c", "two", ">"]


def test_more_lines_than_there_is_room_for_take_the_place_of_the_board() -> None:
    paper, calls = Paper(rows=8), list[Callable[[], None]]()
    screen = Sized(paper, LineEditor(), later=calls.append)
    screen.show_board(board_of("a", "b", "c"), "told")
    screen.print("one")
    assert len(calls) == 1
    calls.pop()()
    assert paper.all == ["told", "one", "a", "b", "c", ">"]
    for number in range(5):
        screen.print(f"help {number}")
    assert len(calls) == 1
    calls.pop()()
    assert paper.all == ["told", "one", *(f"help {number}" for number in range(5)), ">"]
    screen.show_board(board_of("a", "b", "d"), "next")
    assert paper.seen[-5:] == ["next", "a", "b", "d", ">"]


def test_the_bell_rings_with_a_note_where_the_terminal_shows_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for program, sent in (("", "\x07"), ("WezTerm", "\x1b]9;Your turn 1\x07\x07")):
        monkeypatch.setenv("TERM_PROGRAM", program)
        monkeypatch.setenv("TERM", "xterm")
        out = io.StringIO()
        Screen(out, prompt=True, broken=nothing).ring("Your turn\x071")
        assert out.getvalue() == sent


def test_a_board_is_laid_out_anew_for_a_terminal_of_another_size() -> None:
    paper = Paper(columns=80)
    screen = Sized(paper, LineEditor())
    screen.show_board(lambda size: [[Stretch(f"{size[0]} columns", "", "")]], "told")
    paper.columns = 60
    screen.resized()
    assert paper.all == ["told", "60 columns", ">"]


def test_what_led_to_a_board_is_shown_and_not_obeyed() -> None:
    paper = Paper()
    Sized(paper, LineEditor()).show_board(board_of("a"), "Ben: \x1b[2J")
    assert paper.all == ["Ben:  [2J", "a", ">"]

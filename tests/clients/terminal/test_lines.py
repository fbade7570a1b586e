"""Lines in and out: the prompt of a terminal, the bytes of a pipe."""

from __future__ import annotations

import io
import os

import pytest

from tablero.terminal.editor import LineEditor
from tablero.terminal.lines import Screen, read_keys, read_lines, style_for


def nothing() -> None:
    pass


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

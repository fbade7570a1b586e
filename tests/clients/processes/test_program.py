"""A process on two pipes: whatever it does, we neither hang nor leave it behind."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

import pytest

from tablero.engine.lines import JSON
from tablero.processes import Ended
from tablero.processes.program import CannotStart, LineCutter, Program
from tablero_protocol.codec import MAX_CLIENT_FRAME, ProtocolError

LONG = 20.0
"""Seconds that nothing here should take."""


def process(source: str) -> Program:
    return Program([sys.executable, "-S", "-I", "-u", "-c", source])


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def hear(program: Program) -> str:
    line = program.hear(program.now() + LONG)
    assert line is not None
    return line


def test_lines_go_there_and_back() -> None:
    program = process("while True: print(input().upper())")
    program.say("one\ntwo\n")
    assert [hear(program), hear(program)] == ["ONE", "TWO"]
    program.end()


def test_silence_is_no_line() -> None:
    program = process("input()")
    assert program.hear(program.now()) is None
    program.end()


def test_a_crash_is_told_with_its_last_words_again_and_again() -> None:
    program = process("import sys; print('hi'); print('no \\x1bbook', file=sys.stderr); sys.exit(3)")
    assert hear(program) == "hi"
    for _ in range(2):
        with pytest.raises(Ended, match=r"^It ended with exit code 3: no book\.$"):
            hear(program)
    program.end()


def test_a_program_that_is_not_there_cannot_start() -> None:
    with pytest.raises(CannotStart, match="No such file"):
        Program(["/nowhere/program"])


def test_whoever_does_not_read_holds_nobody_up() -> None:
    program = process("import time; time.sleep(60)")
    program.say("x" * 1_000_000)
    program.end()
    assert program.wait(LONG) is not None


def test_whoever_floods_us_can_be_ended() -> None:
    program = process("while True: print('x')")
    assert hear(program) == "x"
    program.end()
    assert program.wait(LONG) is not None


def test_the_end_of_its_input_is_enough_for_a_good_one_and_a_bad_one_is_killed() -> None:
    good = process("import sys; sys.stdin.read()")
    good.dismiss()
    assert good.wait(LONG) == 0
    bad = process("import time; time.sleep(60)")
    bad.dismiss()
    assert bad.wait(LONG) not in (0, None)


def test_whoever_floods_us_is_heard_no_longer_than_we_wait() -> None:
    program = process("while True: print('x')")
    assert hear(program) == "x"
    assert program.hear(program.now()) is None
    program.end()


def test_output_without_the_end_of_a_line_is_no_line_and_is_bounded() -> None:
    program = process("import sys, time; sys.stdout.write('x' * 100_000); time.sleep(60)")
    assert program.hear(program.now() + 0.5) is None
    assert set(program.unfinished) == {"x"}
    assert len(program.unfinished) <= MAX_CLIENT_FRAME + 1
    program.end()


def test_an_end_without_a_word_is_told_with_its_exit_code() -> None:
    program = process("import os; os.write(2, b'no newline'); os._exit(7)")
    with pytest.raises(Ended, match=r"^It ended with exit code 7: no newline\.$"):
        hear(program)
    program.end()


def test_what_it_started_ends_with_it(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    child = (
        f"import time; f = open({str(fifo)!r}, 'w', 1); f.write('here\\n'); time.sleep(5); f.write('still')"
    )
    program = process(f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {child!r}]); input()")
    with fifo.open() as told:
        assert told.readline() == "here\n"
        program.end()
        assert told.read() == ""  # which waits for the end of whoever could still write


def test_a_forgotten_process_ends() -> None:
    program = process("import os; print(os.getpid()); input()")
    pid = int(hear(program))
    del program
    gc.collect()
    assert not is_running(pid)


def test_lines_are_cut_wherever_the_pieces_end() -> None:
    cutter = LineCutter()
    assert cutter.cut(b"one\ntw") == [b"one"]
    assert (cutter.rest, cutter.cut(b"")) == (b"tw", [])
    assert cutter.cut(b"o\n\nthree\n") == [b"two", b"", b"three"]
    assert cutter.rest == b""


def test_of_a_line_without_end_no_more_is_kept_than_shows_that_it_is_too_long() -> None:
    cutter = LineCutter()
    for _ in range(100):
        assert cutter.cut(b"x" * 1_000) == []
    assert len(cutter.rest) == MAX_CLIENT_FRAME + 1
    [line, after] = cutter.cut(b"\nnext\n")
    assert after == b"next"
    with pytest.raises(ProtocolError, match="longer than 4096 bytes"):
        JSON.decode_client(line.decode())

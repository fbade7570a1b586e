"""One line of `tablero doctor`."""

from __future__ import annotations

from tablero_server.operations.diagnosis import error, ok, warning


def test_a_line_says_how_it_is_what_was_found_and_what_to_do() -> None:
    assert ok("disk", "It is empty.").line() == "ok       disk      It is empty."
    assert warning("disk", "It is full.", "Make room.").line() == (
        "warning  disk      It is full. Make room."
    )
    assert error("port", "It is taken.", "Take another.").line() == (
        "error    port      It is taken. Take another."
    )

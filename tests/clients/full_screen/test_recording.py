"""The moving picture of the docs."""

from __future__ import annotations

from tests.harness.screen_recording import moving


def test_frames_take_turns_and_ask_nobody_for_a_font() -> None:
    frame = (
        '<svg viewBox="0 0 10.5 20" xmlns="http://www.w3.org/2000/svg"><style>'
        '@font-face { font-family: "Fira Code"; src: url("https://fonts.example/f.woff2"); }'
        "</style></svg>"
    )
    svg = moving([frame, frame])
    assert "url(" not in svg
    assert "Fira" not in svg
    assert svg.count("<animate") == 2
    assert 'keyTimes="0;0.5000;1.0000" values="hidden;visible;hidden"' in svg

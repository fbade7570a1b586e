"""What a command is answered goes to its session, and names the command."""

from __future__ import annotations

from tests.harness.desk import Desk


def test_ok_names_the_command_and_what_it_was_about() -> None:
    desk = Desk()
    ann = desk.peer("ann")
    room = ann.create()
    assert ann.ask("unsubscribe", room=room, event="nextPlayer") == {
        "type": "ok",
        "re": f"id-{desk._count}",
        "room": room,
    }

"""Refused, Disconnected and InsecureServer: what went wrong, for programs and for people."""

from __future__ import annotations

from tablero import Disconnected, InsecureServer, Refused
from tablero_protocol import messages


def test_a_refusal_has_a_code_for_programs_and_a_sentence_for_people() -> None:
    message = messages.Refused(
        re="x", code="stale", reason="otherPly", fields={"ply": 3}, message="The game has moved on."
    )
    refused = Refused.by(message)
    assert (refused.code, refused.sentence, str(refused)) == ("stale",) + ("The game has moved on.",) * 2


def test_whoever_expects_connections_to_fail_catches_both() -> None:
    assert issubclass(Disconnected, ConnectionError)
    assert issubclass(InsecureServer, ConnectionError)
    assert not issubclass(Refused, ConnectionError)

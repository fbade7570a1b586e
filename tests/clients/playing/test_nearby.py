"""Servers of the network: who answers, by which address, and which one a person chooses."""

from __future__ import annotations

import socket
import threading

import pytest

from tablero.client.dns_answers import FoundServer, question
from tablero.playing import nearby
from tests.harness.dns import PARTY, answer, told

CELLAR = FoundServer("Tablero on \x1b[31mcellar", 8470, ("10.0.0.9", "192.168.1.9"), "/games/", True)


def test_who_answers_is_found_whatever_else_comes() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        asked = []

        def respond() -> None:
            while True:
                text, source = server.recvfrom(1_000)
                if text == b"stop":
                    return
                asked.append(text)
                server.sendto(b"nonsense", source)
                server.sendto(answer(*told()), source)

        responder = threading.Thread(target=respond)
        responder.start()
        found = nearby.find(0.7, server.getsockname())
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            other.sendto(b"stop", server.getsockname())
        responder.join()
    assert found == [PARTY]
    assert set(asked) == {question()}


def test_of_several_addresses_the_first_that_answers_is_told() -> None:
    assert (
        nearby.addresses_of([CELLAR], lambda url: "192.168" in url)[0][1] == "https://192.168.1.9:8470/games"
    )
    assert nearby.addresses_of([CELLAR], lambda url: False)[0][1] == "https://10.0.0.9:8470/games"


def test_a_name_cannot_command_the_terminal() -> None:
    [(name, _)] = nearby.addresses_of([CELLAR], lambda url: True)
    assert "\x1b" not in name


def test_a_port_at_which_nobody_listens_does_not_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        assert nearby.answers(f"ws://127.0.0.1:{port}/ws")
    assert not nearby.answers(f"ws://127.0.0.1:{port}/ws")


def test_the_list_is_numbered() -> None:
    assert nearby.lines([("a", "10.0.0.1:8470"), ("b", "10.0.0.2:8470")]) == [
        "2 servers in your network:",
        "  1  10.0.0.1:8470  a",
        "  2  10.0.0.2:8470  b",
    ]


@pytest.mark.parametrize(
    ("said", "chosen"), [(["2"], "10.0.0.2:1"), (["", "1"], None), (["3", "x", "0", "1"], "10.0.0.1:1")]
)
def test_one_is_chosen_by_its_number(said: list[str], chosen: str | None) -> None:
    answers = iter(said)
    assert nearby.choose([("a", "10.0.0.1:1"), ("b", "10.0.0.2:1")], lambda _: next(answers)) == chosen

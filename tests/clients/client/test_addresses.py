"""Addresses as people type them."""

from __future__ import annotations

import pytest

from tablero.client.addresses import (
    DEFAULT,
    hand_over_code,
    is_public,
    is_this_machine,
    join_code,
    looks_like_address,
    page,
    websocket_url,
)


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        (DEFAULT, "ws://127.0.0.1:8470/ws"),
        ("127.0.0.1", "ws://127.0.0.1:8470/ws"),
        ("127.0.0.1:9000", "ws://127.0.0.1:9000/ws"),
        ("localhost", "ws://localhost:8470/ws"),
        ("ws://game:8470/ws", "ws://game:8470/ws"),
        ("game.example.org", "wss://game.example.org/ws"),
        ("Game.Example.org/", "wss://game.example.org/ws"),
        ("game.example.org:8470", "ws://game.example.org:8470/ws"),
        ("den.local", "ws://den.local:8470/ws"),
        ("203.0.113.9", "ws://203.0.113.9:8470/ws"),
        ("http://game.example.org", "ws://game.example.org/ws"),
        ("https://game.example.org/", "wss://game.example.org/ws"),
        ("https://game.example.org/tablero/", "wss://game.example.org/tablero/ws"),
        ("https://game.example.org/tablero/ws?join=ABCD-EFGH", "wss://game.example.org/tablero/ws"),
        ("ws://[::1]:8470", "ws://[::1]:8470/ws"),
        ("http://192.168.1.5:8470/ABCD-EFGH", "ws://192.168.1.5:8470/ws"),
        ("https://game.example.org/tablero/abcd-efgh/", "wss://game.example.org/tablero/ws"),
        ("https://game.example.org/game-room", "wss://game.example.org/game-room/ws"),
        ("http://192.168.1.5:8470/#go=7QK4-M2XD", "ws://192.168.1.5:8470/ws"),
    ],
)
def test_an_address_becomes_the_sockets(typed: str, url: str) -> None:
    assert websocket_url(typed) == url


@pytest.mark.parametrize("typed", ["", "ftp://game.example.org", "ws://", "host:port"])
def test_what_is_no_address_is_refused(typed: str) -> None:
    with pytest.raises(ValueError, match=r"address|port|Port"):
        websocket_url(typed)


@pytest.mark.parametrize(
    ("url", "public"),
    [
        ("ws://127.0.0.1:8470/ws", False),
        ("ws://[::1]/ws", False),
        ("ws://192.168.1.4/ws", False),
        ("ws://10.0.0.1/ws", False),
        ("ws://169.254.1.1/ws", False),
        ("ws://localhost/ws", False),
        ("ws://game/ws", False),
        ("ws://den.local/ws", False),
        ("ws://8.8.8.8/ws", True),
        ("ws://[2001:4860:4860::8888]/ws", True),
        ("ws://game.example.org/ws", True),
        ("ws://local.example.org/ws", True),
    ],
)
def test_only_ones_own_networks_are_private(url: str, public: bool) -> None:
    assert is_public(url) is public


@pytest.mark.parametrize(
    ("url", "here"),
    [
        ("ws://127.0.0.1:8470/ws", True),
        ("ws://127.9.9.9/ws", True),
        ("ws://[::1]/ws", True),
        ("ws://localhost/ws", True),
        ("ws://192.168.1.4/ws", False),
        ("ws://game/ws", False),
    ],
)
def test_only_a_loopback_address_is_this_machine(url: str, here: bool) -> None:
    assert is_this_machine(url) is here


def test_a_link_may_carry_a_code() -> None:
    assert join_code("https://game.example.org/?join=ABCD-EFGH") == "ABCD-EFGH"
    assert join_code("https://game.example.org/") is None


@pytest.mark.parametrize(
    ("typed", "address"),
    [("ABCD-EFGH", False), ("km9ej1fnew49", False), ("localhost", True), ("host:1", True)],
)
def test_a_code_is_no_address(typed: str, address: bool) -> None:
    assert looks_like_address(typed) is address


@pytest.mark.parametrize(
    ("url", "link"),
    [
        ("ws://127.0.0.1:8470/ws", "http://127.0.0.1:8470/#go=X"),
        ("wss://game.example.org/tablero/ws", "https://game.example.org/tablero/#go=X"),
    ],
)
def test_a_page_is_where_its_socket_is(url: str, link: str) -> None:
    assert page(url, "#go=X") == link
    assert websocket_url(link) == url
    assert hand_over_code(link) == "X"
    assert join_code(page(url, "ABCD-EFGH")) == "ABCD-EFGH"
    assert join_code(page(url)) is hand_over_code(page(url)) is None

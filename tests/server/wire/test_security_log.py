"""The security log: one line each, and never so many that a disk fills up."""

from __future__ import annotations

from structlog.testing import capture_logs

from tablero_server.wire.security_log import SecurityLog


def lines_about(*addresses: str) -> list[str]:
    security = SecurityLog(lambda: 1_000)
    with capture_logs() as lines:
        for address in addresses:
            security.note("handshake refused", address, 429)
    return [line["address"] for line in lines]


def test_a_line_has_the_address_and_the_code() -> None:
    security = SecurityLog(lambda: 1_000)
    with capture_logs() as lines:
        security.note("handshake refused", "203.0.113.9", 403, origin="https://elsewhere.example")
    assert lines == [
        {
            "event": "handshake refused",
            "address": "203.0.113.9",
            "code": 403,
            "origin": "https://elsewhere.example",
            "log_level": "warning",
        }
    ]


def test_one_address_gets_twenty_lines_at_once() -> None:
    assert len(lines_about(*["203.0.113.9"] * 30, "203.0.113.10")) == 21


def test_all_addresses_of_one_household_count_as_one() -> None:
    assert len(lines_about(*(f"2001:db8::{number:x}" for number in range(30)), "2001:db8:0:1::1")) == 21


def test_what_is_no_address_is_limited_too() -> None:
    assert len(lines_about(*[""] * 30)) == 20

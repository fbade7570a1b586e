"""What is read out of an answer of multicast DNS, also out of one that is meant badly."""

from __future__ import annotations

import random
import struct
from ipaddress import IPv4Address

import pytest

from tablero.client.dns_answers import question, servers_in
from tablero_server.reach import neighbours
from tests.harness.dns import PARTY, answer, fact, told
from tests.harness.neighbours import REACH


def test_a_server_is_read_with_its_address() -> None:
    assert servers_in(answer(*told())) == [PARTY]
    assert PARTY.urls == ("http://192.168.1.5:8470/",)


def test_its_path_and_whether_it_speaks_tls_are_read_too() -> None:
    [server] = servers_in(answer(*told(facts=fact("path=/games/") + fact("TLS=1") + fact("new=x"))))
    assert server.urls == ("https://192.168.1.5:8470/games/",)


def test_what_is_no_path_is_none() -> None:
    [server] = servers_in(answer(*told(facts=fact("path=@evil.example/") + fact("tls=0"))))
    assert server.urls == ("http://192.168.1.5:8470/",)


@pytest.mark.parametrize(("address", "listed"), REACH)
def test_only_a_machine_of_a_private_network_is_listed_as_in_the_browser(address: str, listed: bool) -> None:
    assert bool(servers_in(answer(*told(address=address)))) is listed
    assert neighbours.within_reach(IPv4Address(address)) is listed


def test_without_a_place_or_an_address_there_is_no_server() -> None:
    whole = told()
    for missing in (0, 1, 3):
        assert servers_in(answer(*whole[:missing], *whole[missing + 1 :])) == []
    assert servers_in(answer(*told(port=0))) == []


def test_a_question_is_no_answer() -> None:
    assert servers_in(question()) == []
    assert servers_in(answer(*told(), flags=0)) == []


def test_a_name_that_leads_to_itself_ends() -> None:
    assert servers_in(struct.pack("!6H", 0, 0x8400, 0, 1, 0, 0) + b"\xc0\x0c" + bytes(10)) == []


def test_whatever_is_cut_or_damaged_leads_to_less_and_to_no_error() -> None:
    whole, chance = answer(*told()), random.Random(16)
    for end in range(len(whole)):
        assert servers_in(whole[:end]) == []
    for _ in range(3_000):
        damaged = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        servers_in(bytes(damaged))

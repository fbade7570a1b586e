"""What a host reads when the server has started."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import ip_address

import segno

from tablero_server.reach.greeting import Where, lan_lines, lines, qr_code

AT_HOME = Where(here="127.0.0.1:8470", others=[ip_address("192.168.1.5"), ip_address("fd00::2")], port=8470)
NOWHERE = replace(AT_HOME, others=[])


def test_every_address_has_a_link() -> None:
    assert lines(AT_HOME, "tablero") == [
        "Tablero is at http://127.0.0.1:8470/",
        "Others in your network open:  http://192.168.1.5:8470/",
        "                              http://[fd00::2]:8470/",
        "Play from a second terminal:  tablero play 127.0.0.1:8470",
    ]


def test_the_hosts_page_is_told_but_in_a_container_only_the_container_has_it() -> None:
    paged = replace(AT_HOME, host_page="http://127.0.0.1:8473/")
    assert lines(paged, "tablero")[-1] == "Manage it on the host's page:  http://127.0.0.1:8473/"
    assert "8473" not in "".join(lines(replace(paged, bridged=True), "tablero"))


def test_with_tls_or_below_a_path_the_whole_address_is_told() -> None:
    secure = lines(replace(AT_HOME, secure=True), "tablero")
    assert secure[1].endswith("https://192.168.1.5:8470/")
    assert secure[-1].endswith("tablero play https://127.0.0.1:8470/")
    assert lines(replace(NOWHERE, path="/games/"), "tablero")[-1].endswith(
        "play http://127.0.0.1:8470/games/"
    )


def test_in_a_container_the_addresses_of_its_machine_are_told_of() -> None:
    bridged = replace(AT_HOME, bridged=True)
    told = "\n".join(lines(bridged, "tablero"))
    assert "192.168.1.5" not in told
    assert "the port that is published for 8470" in told


def test_a_container_that_is_for_the_network_may_be_in_it_and_its_host_is_told_if_not() -> None:
    for_all = replace(AT_HOME, bridged=True, lan=True)
    assert lines(for_all, "tablero") == lines(AT_HOME, "tablero")
    assert "--network host" in lan_lines(for_all, None)[0]


def test_without_an_address_or_behind_a_firewall_the_host_is_told_so() -> None:
    assert "is it in a network?" in lan_lines(NOWHERE, None)[0]
    assert lan_lines(AT_HOME, "sudo ufw allow 8470/tcp")[0].endswith("sudo ufw allow 8470/tcp")
    assert lan_lines(AT_HOME, None) == []


def test_the_picture_is_the_link_in_half_blocks() -> None:
    link = AT_HOME.links[0]
    rows = qr_code(link, "utf-8", coloured=False)
    code = segno.make(link, error="l", micro=False)
    light = {" ": (False, False), "▀": (True, False), "▄": (False, True), "█": (True, True)}
    halves = [[light[letter] for letter in row] for row in rows]
    drawn = [[half[part] for half in row] for row in halves for part in (0, 1)]
    wanted = [[not dark for dark in row] for row in code.matrix_iter(border=2)]
    assert drawn[: len(wanted)] == wanted
    assert len(rows) <= 17


def test_where_half_blocks_cannot_be_printed_there_is_no_picture() -> None:
    assert qr_code(AT_HOME.links[0], "ascii", coloured=False) == []


def test_on_a_terminal_each_row_has_its_own_colours() -> None:
    rows = qr_code(AT_HOME.links[0], "utf-8", coloured=True)
    assert all(row.startswith("\x1b[38;5;231;48;5;16m") and row.endswith("\x1b[0m") for row in rows)

"""What the doctor finds on the way to a server."""

from __future__ import annotations

import shutil
from ipaddress import ip_address
from pathlib import Path

import pytest

from tablero_server.operations.reachability import check_firewall, check_network, check_reach, check_tls
from tablero_server.reach.certificate import of_our_own
from tablero_server.reach.own_addresses import OwnAddress
from tablero_server.settings import Settings
from tests.harness.certificates import of_the_past

HOME = OwnAddress("eth0", ip_address("192.168.1.5"))
PUBLIC = OwnAddress("eth1", ip_address("8.8.4.4"))


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl")
def test_a_certificate_is_good_or_it_is_said_why_not(tmp_path: Path) -> None:
    made = of_our_own(tmp_path / "new", [])
    found = check_tls(Settings(tls_cert=str(made.chain), tls_key=str(made.key)))
    assert (found.grade, made.fingerprint() in found.what) == ("ok", True)
    old = of_the_past(tmp_path / "new")
    found = check_tls(Settings(tls_cert=str(old.chain), tls_key=str(old.key)))
    assert (found.grade, "certificate has expired. Renew it" in found.what) == ("error", True)


@pytest.mark.parametrize(
    ("tls", "what"), [("off", "Not spoken."), ("auto", "The server makes a certificate.")]
)
def test_without_files_it_looks_at_none(tls: str, what: str) -> None:
    assert check_tls(Settings.model_validate({"tls": tls})).what == what


def test_what_a_start_would_refuse_is_an_error() -> None:
    found = check_network(Settings(host="0.0.0.0"), [HOME, PUBLIC])
    assert (found.grade, "--tls auto" in found.what) == ("error", True)


def test_a_network_of_ones_own_is_a_warning_and_this_machine_alone_none() -> None:
    found = check_network(Settings(lan=True), [HOME])
    assert (found.grade, "192.168.1.5" in found.what) == ("warning", True)
    assert check_network(Settings(), [HOME, PUBLIC]).grade == "ok"


def test_a_firewall_matters_to_others_alone() -> None:
    found = check_firewall(Settings(lan=True, port=9000), [HOME], "sudo ufw allow 9000/tcp")
    assert found is not None
    assert (found.grade, found.do) == ("warning", "To open it: sudo ufw allow 9000/tcp")
    assert check_firewall(Settings(), [HOME], "sudo ufw allow 8470/tcp") is None
    assert check_firewall(Settings(lan=True), [HOME], None) is None


def test_there_is_a_line_for_each() -> None:
    assert [each.about for each in check_reach(Settings())][:2] == ["tls", "network"]

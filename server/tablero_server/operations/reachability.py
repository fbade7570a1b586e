"""What `tablero doctor` says of the way to the server: the certificate, who could listen in, a firewall."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..reach.certificate import BadCertificate, Certificate
from ..reach.exposure import Exposed, check, listened_on
from ..reach.firewall import opened_by
from ..reach.own_addresses import OwnAddress, leading_to, own_addresses
from ..settings import Settings
from .diagnosis import Diagnosis, error, ok, warning


def check_reach(settings: Settings) -> list[Diagnosis]:
    """One line each; nothing of a firewall that is not there, or in nobody's way."""
    own = own_addresses()
    firewall = check_firewall(settings, own, opened_by(settings.port))
    return [check_tls(settings), check_network(settings, own), *([] if firewall is None else [firewall])]


def check_tls(settings: Settings) -> Diagnosis:
    if settings.tls_cert:
        certificate = Certificate(Path(settings.tls_cert), Path(settings.tls_key))
        try:
            certificate.context()
        except BadCertificate as bad:
            return error("tls", str(bad), "")
        return ok("tls", f"{certificate.chain} is good, and its fingerprint {certificate.fingerprint()}.")
    return ok("tls", "The server makes a certificate." if settings.tls == "auto" else "Not spoken.")


def check_network(settings: Settings, own: Sequence[OwnAddress]) -> Diagnosis:
    try:
        reached = check(settings, listened_on(settings.listen_on), own)
    except Exposed as exposed:
        return error("network", str(exposed), "")
    if reached:
        shown = ", ".join(map(str, reached))
        return warning(
            "network",
            f"Reached at {shown} without TLS: others on the way can read tokens and moves.",
            "In a network of people you trust that is fine; else say --tls auto.",
        )
    return ok("network", "Nobody on the way can listen in, as far as can be seen from here.")


def check_firewall(settings: Settings, own: Sequence[OwnAddress], command: str | None) -> Diagnosis | None:
    if command is None or not leading_to(listened_on(settings.listen_on), own):
        return None
    return warning(
        "firewall", f"One is on, and may keep port {settings.port} closed.", f"To open it: {command}"
    )

"""The names by which a browser may reach this server.

Law: a name that a stranger's DNS can give to this machine is refused, unless the host has listed it.
Otherwise a stranger's page could make its visitors' browsers read a server on their own machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import ip_address

_AT_HOME = (".localhost", ".local", ".lan", ".internal", ".home.arpa")
"""The endings of names that no public DNS has; names without a dot are also local."""
_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?P<port>:[0-9]{1,5})?", re.IGNORECASE)
_NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")


def is_name(text: str) -> bool:
    """Whether the text can be in the list of names: lower case, and without a port."""
    return _NAME.fullmatch(text) is not None


class Names:
    def __init__(self, listed: Iterable[str], machine: str = "") -> None:
        self._listed = frozenset(listed) | {machine.lower()}

    def answer_to(self, host: str) -> bool:
        """Whether `host`, a Host header, names this server."""
        found = _HOST.fullmatch(host)
        if found is None:
            return False
        name = found["name"].lower().rstrip(".")
        return _is_address(name) or "." not in name or name.endswith(_AT_HOME) or name in self._listed


def _is_address(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True

"""The number of connections that fit into the open files allowed to this process, with a reserve."""

from __future__ import annotations

import sys

import structlog

log = structlog.get_logger("tablero.descriptors")

MOST_TURNED_AWAY = 64
"""The connections that are being told that too many come from their address."""
MOST_OF_THE_HOST = 32
"""Connections to the host's own pages."""
_OTHER_FILES = 100
"""The open files of a server besides its connections."""


def most_visitors(connections: int) -> int:
    """The number of connections that are not a WebSocket, besides this many that are."""
    return max(8, connections // 2)


def files_for(connections: int) -> int:
    return connections + most_visitors(connections) + MOST_TURNED_AWAY + MOST_OF_THE_HOST + _OTHER_FILES


def connections_that_fit(connections: int) -> int:
    """This number, or fewer if the system forbids it; many allow 1,024 files unless a process asks."""
    if sys.platform == "win32":
        return connections
    import resource

    soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = files_for(connections)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return connections
    if most != resource.RLIM_INFINITY and most < wanted:
        fit = connections
        while fit > 1 and files_for(fit) > most:
            fit -= 1
        log.warning(
            "too few open files allowed for all connections", allowed=most, wanted=wanted, connections=fit
        )
        connections, wanted = fit, most
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
    return connections

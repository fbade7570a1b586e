"""The number of connections that fit into this process's limit of open files, with a reserve."""

from __future__ import annotations

import sys

import structlog

log = structlog.get_logger("tablero.descriptors")

MOST_TURNED_AWAY = 64
"""The most connections that are being refused because their address has too many."""
MOST_OF_THE_HOST = 32
"""The most connections to the host's own pages."""
_OTHER_FILES = 100
"""The open files of a server that are not connections."""


def most_visitors(connections: int) -> int:
    """The highest number of connections without a WebSocket that fit beside `connections` WebSockets."""
    return max(8, connections // 2)


def files_for(connections: int) -> int:
    return connections + most_visitors(connections) + MOST_TURNED_AWAY + MOST_OF_THE_HOST + _OTHER_FILES


def connections_that_fit(connections: int) -> int:
    """`connections`, or fewer if the system forbids so many. Many systems allow 1,024 files by default."""
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

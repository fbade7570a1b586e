"""The server's metrics in the format of Prometheus.

Law: a metric is computed when it is read, and costs next to nothing otherwise. Labels contain no name,
address or id, so there are at most a few hundred values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from typing import TYPE_CHECKING, Literal, NamedTuple

from ..core.room.state import CLOSED, RoomState
from ..observer import Histogram
from ..service import Service
from ..wire.network import Network

if TYPE_CHECKING:
    from prometheus_client.core import Metric

Kind = Literal["gauge", "counter", "histogram"]


class Figures(NamedTuple):
    connections: int
    players: int
    rooms: Mapping[str, int]
    """The number of rooms by state; `packed` are correspondence games that nobody has open."""
    entries: int
    turns: int
    commits: Histogram
    not_saved: int
    refusals: Mapping[tuple[str, str], int]
    """The number of refused commands, by code and reason."""
    resumes: Mapping[str, int]
    """The number of answers to `resume`, by kind: `events` or `snapshot`."""
    turned_away: Mapping[tuple[str, str], int]
    """The number of refused connections, by event and code."""
    lag: Histogram
    outbox_messages: int
    outbox_bytes: int
    can_save: bool
    draining: bool


def read(service: Service, network: Network) -> Figures:
    hub = service.hub
    waiting = network.waiting()
    rooms = Counter({state.value: 0 for state in RoomState if state is not CLOSED})
    rooms.update(views.room.state.value for views in hub.rooms.open.values())
    rooms["packed"] = len(hub.rooms.packed)
    return Figures(
        connections=network.connections,
        players=len({session.account.id for session in hub.peers.values()}),
        rooms=rooms,
        entries=hub.rooms.entries,
        turns=service.observed.turns,
        commits=service.observed.commits,
        not_saved=service.observed.not_saved,
        refusals=hub.refusals,
        resumes=hub.missed.answers,
        turned_away=network.security.counts,
        lag=network.lag,
        outbox_messages=waiting[0],
        outbox_bytes=waiting[1],
        can_save=service.can_save,
        draining=hub.authority.draining,
    )


class Exported(NamedTuple):
    name: str
    kind: Kind
    labels: tuple[str, ...]
    help: str


EXPORTED = (
    Exported("tablero_build_info", "gauge", ("version",), "1, with the version of the server."),
    Exported("tablero_connections", "gauge", (), "WebSockets that are open."),
    Exported("tablero_players", "gauge", (), "Players who are connected, bots too."),
    Exported(
        "tablero_rooms", "gauge", ("state",), "Open rooms by state; packed: by correspondence, at rest."
    ),
    Exported("tablero_entries", "gauge", (), "Entries of all rooms in memory, which TABLERO_ENTRIES bounds."),
    Exported("tablero_turns_total", "counter", (), "Moves that were played and are durable."),
    Exported("tablero_commit_seconds", "histogram", (), "How long a commit took, of one command or many."),
    Exported("tablero_not_saved_total", "counter", (), "Commands that the database could not save."),
    Exported("tablero_refusals_total", "counter", ("code", "reason"), "Commands that were refused."),
    Exported(
        "tablero_resumes_total", "counter", ("told",), "Answers to clients that missed events of a room."
    ),
    Exported(
        "tablero_turned_away_total", "counter", ("event", "code"), "Connections refused or closed, as logged."
    ),
    Exported("tablero_loop_lag_seconds", "histogram", (), "Delay of the event loop's ticks."),
    Exported("tablero_outbox_messages", "gauge", (), "Messages that wait for peers that read slowly."),
    Exported("tablero_outbox_bytes", "gauge", (), "The same in bytes."),
    Exported("tablero_can_save", "gauge", (), "1 while the database saves moves."),
    Exported("tablero_draining", "gauge", (), "1 while new games are blocked."),
    Exported("process_resident_memory_bytes", "gauge", (), "Memory of the process."),
    Exported("process_virtual_memory_bytes", "gauge", (), "Address space of the process."),
    Exported("process_cpu_seconds_total", "counter", (), "Processor time of the process."),
    Exported("process_open_fds", "gauge", (), "Open files and sockets of the process."),
    Exported("process_max_fds", "gauge", (), "Open files and sockets that the process may have."),
    Exported("process_start_time_seconds", "gauge", (), "Start of the process, in seconds since 1970."),
)
"""All metrics, in the order of the page."""

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def page(service: Service, network: Network) -> bytes:
    """The metrics page. The library is imported at the first call, to keep the start fast."""
    from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest

    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Collector(service, network))
    ProcessCollector(registry=registry)
    return generate_latest(registry)


class _Collector:
    def __init__(self, service: Service, network: Network) -> None:
        self._service = service
        self._network = network

    def collect(self) -> Iterator[Metric]:
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

        values = _values(read(self._service, self._network))
        for each in EXPORTED:
            if each.name not in values:
                continue  # the library's ProcessCollector adds this one
            given = values[each.name]
            if isinstance(given, Histogram):
                histogram = HistogramMetricFamily(each.name, each.help)
                histogram.add_metric([], given.up_to(), given.sum)
                yield histogram
                continue
            family = CounterMetricFamily if each.kind == "counter" else GaugeMetricFamily
            metric = family(each.name.removesuffix("_total"), each.help, labels=each.labels)
            for labels, value in sorted(given.items()):
                metric.add_metric(labels, value)
            yield metric


def _values(figures: Figures) -> dict[str, Histogram | dict[tuple[str, ...], float]]:
    """The values by metric name: a histogram, or numbers by label values."""
    plain = {
        "tablero_connections": figures.connections,
        "tablero_players": figures.players,
        "tablero_entries": figures.entries,
        "tablero_turns_total": figures.turns,
        "tablero_not_saved_total": figures.not_saved,
        "tablero_outbox_messages": figures.outbox_messages,
        "tablero_outbox_bytes": figures.outbox_bytes,
        "tablero_can_save": figures.can_save,
        "tablero_draining": figures.draining,
    }
    return {
        "tablero_build_info": {(version("tablero"),): 1.0},
        "tablero_rooms": {(state,): float(count) for state, count in figures.rooms.items()},
        "tablero_commit_seconds": figures.commits,
        "tablero_refusals_total": {labels: float(count) for labels, count in figures.refusals.items()},
        "tablero_resumes_total": {(told,): float(count) for told, count in figures.resumes.items()},
        "tablero_turned_away_total": {labels: float(count) for labels, count in figures.turned_away.items()},
        "tablero_loop_lag_seconds": figures.lag,
        **{name: {(): float(value)} for name, value in plain.items()},
    }

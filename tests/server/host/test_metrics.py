"""What a server counts, and what Prometheus is told: every number under its documented name, and right."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from tablero_server.app import Server
from tablero_server.host.metrics import EXPORTED, page, read
from tablero_server.observer import Histogram
from tests.harness.journals import FullDisk
from tests.harness.wire import a_server, a_table, a_wire

ROOT = Path(__file__).parents[3]
MONITORING = ROOT / "examples" / "monitoring"
PROMTOOL = shutil.which("promtool")
NO_PROMTOOL = "The alerts were read by nobody but these tests: promtool (Debian: prometheus) is missing."


def numbers(server: Server) -> dict[str, float]:
    """Every sample, with its labels' values in brackets."""
    found = {}
    for family in text_string_to_metric_families(page(server.service, server.network).decode()):
        for sample in family.samples:
            labels = ",".join(sample.labels.values())
            found[f"{sample.name}[{labels}]" if labels else sample.name] = sample.value
    return found


async def test_what_is_played_refused_and_resumed_is_counted() -> None:
    async with a_server() as server, a_table(server) as (ana, ben, room), a_wire(server):
        await ana.ask("playTurn", room=room, seat=0, ply=0, move="b2")
        await ben.ask("playTurn", room=room, seat=1, ply=1, move="a1")
        assert (await ben.ask("playTurn", room=room, seat=1, ply=2, move="a1"))["type"] == "refused"
        await ana.send(b"\x00nonsense")
        while (await ana.hear())["type"] != "refused":
            pass
        epoch = next(each for each in ana.heard if each["type"] == "joined")["table"]["epoch"]
        await ana.ask("resume", room=room, epoch=epoch, seq=3)
        await ana.ask("resume", room=room, epoch="another", seq=3)
        there = numbers(server)
    assert there["tablero_turns_total"] == 2
    assert (there["tablero_connections"], there["tablero_players"]) == (3, 2)
    assert (there["tablero_rooms[playing]"], there["tablero_rooms[waiting]"]) == (1, 0)
    assert (there["tablero_resumes_total[events]"], there["tablero_resumes_total[snapshot]"]) == (1, 1)
    assert there["tablero_commit_seconds_count"] >= 2
    assert there["tablero_commit_seconds_bucket[+Inf]"] == there["tablero_commit_seconds_count"]
    refused = {name: value for name, value in there.items() if name.startswith("tablero_refusals_total")}
    assert refused == {"tablero_refusals_total[badFrame,notMsgpack]": 1} | {
        name: 1 for name in refused if name.startswith("tablero_refusals_total[notYourTurn")
    }
    assert len(refused) == 2
    assert there["tablero_entries"] >= 5
    assert there["process_resident_memory_bytes"] > 1e7
    assert (there["tablero_can_save"], there["tablero_draining"], there["tablero_outbox_bytes"]) == (1, 0, 0)


async def test_a_disk_that_is_full_shows() -> None:
    journal = FullDisk()
    async with a_server(journal) as server, a_wire(server) as ana:
        await ana.hello()
        journal.full = True
        assert (await ana.ask("createRoom", game="tic-tac-toe"))["code"] == "retryLater"
        there = numbers(server)
        journal.full = False
    assert (there["tablero_can_save"], there["tablero_not_saved_total"]) == (0, 1)


async def test_who_is_turned_away_is_counted_also_beyond_what_is_logged() -> None:
    async with a_server() as server:
        for _ in range(30):
            server.network.security.note("handshake refused", "203.0.113.9", 429)
        assert numbers(server)["tablero_turned_away_total[429,handshake refused]"] == 30


class Ticks(Histogram):
    def __init__(self, added: asyncio.Event) -> None:
        super().__init__()
        self._added = added

    def add(self, seconds: float) -> None:
        super().add(seconds)
        self._added.set()


async def test_the_lag_of_the_loop_is_measured_at_every_tick() -> None:
    async with a_server() as server:
        ticked = asyncio.Event()
        server.network.lag = Ticks(ticked)
        await ticked.wait()
        assert numbers(server)["tablero_loop_lag_seconds_count"] >= 1


async def test_all_that_is_exported_is_documented_and_nothing_else() -> None:
    async with a_server() as server, a_wire(server) as ana:
        await ana.hello()
        server.network.security.note("handshake refused", "203.0.113.9", 429)
        families = {
            f"{each.name}_total" if each.type == "counter" else each.name: (each.type, each.documentation)
            for each in text_string_to_metric_families(page(server.service, server.network).decode())
        }
    ours = {each.name: (each.kind, each.help) for each in EXPORTED}
    assert families.keys() == ours.keys()
    assert {name: kind for name, (kind, _) in families.items()} == {
        name: kind for name, (kind, _) in ours.items()
    }
    assert all(families[name] == ours[name] for name in ours if name.startswith("tablero"))


def test_every_metric_has_its_row_in_the_docs() -> None:
    rows = [
        f"| `{each.name}` | {each.kind} | {', '.join(f'`{label}`' for label in each.labels)} | {each.help} |"
        for each in EXPORTED
    ]
    text = (ROOT / "docs" / "hosting.md").read_text("utf-8")
    assert [line for line in text.splitlines() if re.match(r"\| `(tablero|process)_", line)] == rows


def alerts() -> list[dict[str, Any]]:
    rules: list[dict[str, Any]] = yaml.safe_load((MONITORING / "alerts.yml").read_text())["groups"][0][
        "rules"
    ]
    return rules


def test_alerts_know_only_metrics_that_there_are() -> None:
    known = {each.name for each in EXPORTED} | {f"{each.name}_bucket" for each in EXPORTED}
    named = {name for each in alerts() for name in re.findall(r"\b(?:tablero|process)_\w+", each["expr"])}
    assert len(named) > 5
    assert named <= known
    assert all({"summary", "do"} == each["annotations"].keys() for each in alerts())


@pytest.mark.skipif(PROMTOOL is None, reason=NO_PROMTOOL)
@pytest.mark.parametrize(
    "arguments", [("check", "rules", "alerts.yml"), ("test", "rules", "alerts_test.yml")]
)
def test_promtool_takes_the_alerts(arguments: tuple[str, ...]) -> None:
    done = subprocess.run([str(PROMTOOL), *arguments], cwd=MONITORING, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(PROMTOOL is None, reason=NO_PROMTOOL)
async def test_promtool_takes_the_page() -> None:
    async with a_server() as server:
        body = page(server.service, server.network)
    command = [str(PROMTOOL), "check", "metrics"]
    done = subprocess.run(command, input=body, capture_output=True)  # noqa: ASYNC221 - nothing else waits
    assert done.returncode == 0, done.stdout + done.stderr


async def test_rooms_are_counted_by_what_they_do() -> None:
    async with a_server() as server, a_table(server) as (ana, _, room):
        await ana.ask("createRoom", game="tic-tac-toe")
        figures = read(server.service, server.network)
        assert figures.rooms == {"waiting": 1, "preparing": 0, "playing": 1, "finished": 0, "packed": 0}
        assert figures.entries == server.service.hub.rooms.entries
        await ana.ask("resign", room=room, seat=0)
        after = read(server.service, server.network)
        assert (after.rooms["playing"], after.rooms["finished"]) == (0, 1)


async def test_what_waits_for_a_slow_reader_is_counted() -> None:
    async with a_server() as server, a_table(server):
        [connection, _] = server.network._connections.values()
        connection._outbox.put(b"12345")
        figures = read(server.service, server.network)
        assert (figures.outbox_messages, figures.outbox_bytes) == (1, 5)
        connection._outbox.clear()

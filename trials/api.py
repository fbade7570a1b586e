"""Check that the pages for programs keep the promises of their OpenAPI documents, for any request.

`python -m trials.api [--examples N] [--program PATH] [--seed N]`, or `make api`. On a real server, rated,
casual and private games are played. Then its pages are requested by a stranger and by a player with a token,
and the host's pages by a stranger and by the host. Only `drain` is left out, which could end the server.
Every check of Schemathesis has to pass: answers match their schemas, mistakes are refused, and nothing
breaks.

Schemathesis is in no lock: `pip install schemathesis` puts it on the path, or `--program` names its place.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.request import urlopen

from tablero import connect
from tablero.client.client import Client
from tablero_server.host.files import write_token
from tests.harness.serving import Serving
from tests.harness.wire import addresses_of_their_own

ROOT = Path(__file__).parents[1]
JUDGED = Path(__file__).with_suffix(".toml")


class Played(NamedTuple):
    token: str
    room: str


async def fill(url: str) -> Played:
    """Plays games of every kind. Returns a player's token and a public room."""
    async with (
        connect(url, name="ana", patient=True) as ana,
        connect(url, name="ben", patient=True) as ben,
        connect(url, name="cleo", patient=True) as cleo,
        connect(url, name="dan", patient=True) as dan,
    ):
        for number in range(12):
            await play(ana, (ben, cleo, dan)[number % 3], rated=True)
        room = await play(ben, cleo)
        await play(ana, ben, private=True)
        assert ana.session.token is not None
        return Played(ana.session.token, room)


async def play(one: Client, other: Client, **fields: Any) -> str:
    """Plays a game until one player resigns, late enough to change ratings. Returns its room."""
    table = await one.create_room("tic-tac-toe", **fields)
    joined = await other.join(code=table.code)
    for ply, move in enumerate(("b2", "a1", "a2", "c2")):
        await (table, joined)[ply % 2].play(move, ply % 2, ply)
    await joined.resign()
    for room in (table, joined):
        await room.leave()
    return table.id


def run(program: str, document: str, token: str, examples: int, seed: int, known: dict[str, str]) -> int:
    """Runs both visits. Returns the number of visits that found a mistake."""
    failed = 0
    for header in ([], ["--header", f"Authorization: Bearer {token}"]):
        print(f"{document}, with a token:" if header else f"{document}, without one:", flush=True)
        of_the_host = () if document.endswith("/api/openapi.json") else ("--exclude-path", "/api/drain")
        command = [
            *(program, "--config-file", str(JUDGED), "run", document, "--checks", "all"),
            *("--phases", "examples,coverage,fuzzing", "--max-examples", str(examples)),
            *("--seed", str(seed), "--workers", "1", *of_the_host, *header),
        ]
        done = subprocess.run(command, cwd=ROOT, env={**os.environ, **known}, check=False)
        failed += done.returncode != 0
    return failed


def main(arguments: Sequence[str]) -> int:
    parser = ArgumentParser(prog="python -m trials.api", description=__doc__)
    parser.add_argument("--examples", type=int, default=200)
    parser.add_argument("--program", default="schemathesis")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    found = shutil.which(asked.program)
    if found is None:
        print(
            "Schemathesis is not here: pip install schemathesis, or name it with --program.", file=sys.stderr
        )
        return 2
    program = str(Path(found).absolute())
    with TemporaryDirectory() as folder:
        address, admin = f"127.0.0.1:{free_port()}", Path(folder) / "admin"
        write_token(admin.with_name("admin-token"), new=False)
        host = {"TABLERO_ADMIN_ADDRESS": address, "TABLERO_ADMIN": str(admin)}
        with Serving(Path(folder), "memory", **host) as serving:
            serving.start()
            serving.wait_until_open()
            with addresses_of_their_own():  # otherwise nothing would be rated
                player, room = asyncio.run(fill(serving.url))
            here, record = f"http://127.0.0.1:{serving.port}", Path(folder) / "record"
            with urlopen(f"{here}/api/rooms/{room}/record") as answer:
                record.write_bytes(answer.read())
            known = {
                "SCHEMATHESIS_HOOKS": "trials.api_hooks",
                "TABLERO_TRIAL_ROOM": room,
                "TABLERO_TRIAL_RECORD": str(record),
            }
            visits = {
                f"{here}/api/openapi.json": player,
                f"http://{address}/openapi.json": admin.with_name("admin-token").read_text().strip(),
            }
            failed = [
                run(program, document, token, asked.examples, asked.seed, known)
                for document, token in visits.items()
            ]
            return 1 if any(failed) else 0


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

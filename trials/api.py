"""Whether the pages for programs keep what their OpenAPI documents promise, whatever is asked.

`python -m trials.api [--examples N] [--program PATH] [--seed N]`, or `make api`. A real server, where rated,
casual and private games were played, is asked by a stranger, and by a player with a token; its host's pages
are asked by a stranger, and by the host, for everything but `drain`, which could end the server. Every check
of Schemathesis has to pass: answers fit their schemas, mistakes are refused, and nothing breaks. It is a tool
of its own, in no lock: `pip install schemathesis` puts it on the path, or `--program` says where it is.
"""

from __future__ import annotations

import asyncio
import shutil
import socket
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.serving import Serving
from tablero import connect
from tablero.client.client import Client
from tablero_server.operations import host_token


async def fill(url: str) -> str:
    """Plays games of every kind, and gives a player's token."""
    async with (
        connect(url, name="ana", patient=True) as ana,
        connect(url, name="ben", patient=True) as ben,
        connect(url, name="cleo", patient=True) as cleo,
        connect(url, name="dan", patient=True) as dan,
    ):
        for number in range(12):
            await play(ana, (ben, cleo, dan)[number % 3], rated=True)
        await play(ben, cleo)
        await play(ana, ben, private=True)
        assert ana.session.token is not None
        return ana.session.token


async def play(one: Client, other: Client, **fields: Any) -> None:
    """A game that the other gives up after a move of each."""
    table = await one.create_room("tic-tac-toe", **fields)
    joined = await other.join(code=table.code)
    await table.play("b2", 0, 0)
    await joined.play("a1", 1, 1)
    await joined.resign()
    for room in (table, joined):
        await room.leave()


def run(program: str, document: str, token: str, examples: int, seed: int) -> int:
    """How many of the two visits found something."""
    failed = 0
    for header in ([], ["--header", f"Authorization: Bearer {token}"]):
        print(f"{document}, with a token:" if header else f"{document}, without one:", flush=True)
        command = [
            program, "run", document, "--checks", "all", "--phases", "examples,coverage,fuzzing",
            "--max-examples", str(examples), "--seed", str(seed), "--workers", "1",
            "--exclude-path", "/api/drain", *header,
        ]  # fmt: skip
        failed += subprocess.run(command, check=False).returncode != 0
    return failed


def main(arguments: Sequence[str]) -> int:
    parser = ArgumentParser(prog="python -m trials.api", description=__doc__)
    parser.add_argument("--examples", type=int, default=200)
    parser.add_argument("--program", default="schemathesis")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    program = shutil.which(asked.program)
    if program is None:
        print(
            "Schemathesis is not here: pip install schemathesis, or name it with --program.", file=sys.stderr
        )
        return 2
    with TemporaryDirectory() as folder:
        address, admin = f"127.0.0.1:{free_port()}", Path(folder) / "admin"
        host_token.write(admin.with_name("admin-token"), new=False)
        host = {"TABLERO_ADMIN_ADDRESS": address, "TABLERO_ADMIN": str(admin)}
        with Serving(Path(folder), "memory", **host) as serving:
            serving.start()
            serving.wait_until_open()
            player = asyncio.run(fill(serving.url))
            visits = {
                f"http://127.0.0.1:{serving.port}/api/openapi.json": player,
                f"http://{address}/openapi.json": admin.with_name("admin-token").read_text().strip(),
            }
            failed = [
                run(program, document, token, asked.examples, asked.seed)
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

"""Whole matches over real sockets: every game in both codecs, over broken lines, and in separate
processes.
"""

from __future__ import annotations

import asyncio
import re
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tablero import connect
from tablero.client import heartbeat as backoff
from tablero_games import GAMES, Outcome, Position, Seat
from tablero_protocol.messages import NextPlayer
from tests.harness.matches import Codec, Table, matches, play_a_match
from tests.harness.processes import tablero
from tests.harness.wire import PATIENCE, a_server

# Every game, in this process


MATCHES = [match for game in GAMES.values() for match in matches(game)]


@pytest.mark.parametrize("codec", ["msgpack", "json"])
@pytest.mark.parametrize(("game", "seats", "options"), MATCHES, ids=str)
async def test_a_match_between_library_clients_ends_the_same_for_all(
    game: str, seats: int, options: dict[str, Any], codec: Codec
) -> None:
    await play_a_match(game, seats, options, codec)


# Lines that break


class BreakingProxy:
    """A proxy between a client and its server, which breaks their line when a test says so."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._lines: set[asyncio.StreamWriter] = set()
        self._lose_command = False
        self._lose_answer = False
        self._passed = asyncio.Event()

    def lose_the_next_command(self) -> None:
        """Breaks the line at the client's next command, before the server gets it."""
        self._lose_command = True

    def lose_the_next_answer(self) -> None:
        """Breaks the line after the server has the next command, before the client gets the answer."""
        self._passed.clear()
        self._lose_answer = True

    def cut(self) -> None:
        for writer in self._lines:
            writer.transport.abort()
        self._lines.clear()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[str]:
        listener = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        try:
            yield f"ws://127.0.0.1:{listener.sockets[0].getsockname()[1]}/ws"
        finally:
            listener.close()
            self.cut()
            await asyncio.sleep(0)

    async def _serve(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        server, to_server = await asyncio.open_connection("127.0.0.1", self._port)
        self._lines |= {to_client, to_server}
        await asyncio.gather(self._forth(client, to_server), self._back(server, to_client))
        self._lines -= {to_client, to_server}

    async def _forth(self, client: asyncio.StreamReader, to_server: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while chunk := await client.read(65_536):
                if self._lose_command:
                    self._lose_command = False
                    return self.cut()
                to_server.write(chunk)
                self._passed.set()
        return self.cut()

    async def _back(self, server: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while chunk := await server.read(65_536):
                if self._lose_answer and self._passed.is_set():
                    self._lose_answer = False
                    return self.cut()
                to_client.write(chunk)
        return self.cut()


@pytest.mark.parametrize("codec", ["msgpack", "json"])
async def test_a_client_whose_line_breaks_finishes_its_game_with_nothing_lost_or_doubled(
    monkeypatch: pytest.MonkeyPatch, codec: Codec
) -> None:
    monkeypatch.setattr(backoff, "FIRST", 0.01)
    async with AsyncExitStack() as stack, asyncio.timeout(PATIENCE):
        server = await stack.enter_async_context(a_server())
        proxy = BreakingProxy(server.port)
        url = await stack.enter_async_context(proxy.running())
        ana = await stack.enter_async_context(connect(url, name="ana", codec=codec))
        direct = f"ws://127.0.0.1:{server.port}/ws"
        ben = await stack.enter_async_context(connect(direct, name="ben", codec=codec))
        lost: list[float | None] = []
        ana.disconnected.subscribe(lost.append)
        here = Table(await ana.create_room("connect-four"))
        there = Table(await ben.join(room=here.room.id))

        breaks = iter([proxy.lose_the_next_command, proxy.lose_the_next_answer, proxy.cut])

        def break_the_line(turn: NextPlayer) -> None:
            if turn.seat in turn.seats:
                next(breaks, lambda: None)()

        here.room.next_player.subscribe(break_the_line)
        ends = await asyncio.gather(here.play(0, Random(1)), there.play(1, Random(2)))
        assert ends[0].outcome == ends[1].outcome
        assert len(lost) == 3
        [log] = (await server.journal.load()).logs
        turns = sum(record.kind == "turn" for record in log)
        for table in (here, there):
            assert [turn.ply for turn in table.seen] == list(range(turns + 1))
        assert ends[0].ply == turns


# Separate processes


@asynccontextmanager
async def a_served(home: Path) -> AsyncIterator[tuple[Process, str]]:
    """A server without bots in a separate process, and its address."""
    async with tablero(home, "serve", "--port", "0", "--no-bots", errors=PIPE) as process:
        assert process.stdout is not None
        words = (await process.stdout.readline()).decode().split()
        yield process, words[-1]


class Person:
    """A person at `tablero play --plain`, who reads every line and types."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.lines: list[str] = []

    async def hears(self, pattern: str) -> re.Match[str]:
        """Reads to the first line that contains `pattern`."""
        assert self.process.stdout is not None
        while line := (await self.process.stdout.readline()).decode():
            self.lines.append(line.rstrip("\n"))
            if found := re.search(pattern, line):
                return found
        raise AssertionError(f"{pattern!r} was never said, only: {self.lines}")

    async def types(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n".encode())
        await self.process.stdin.drain()

    async def plays(self, game: str, seat: Seat | None, random: Random) -> tuple[list[str], Outcome]:
        """Plays on `seat`, guided by the printed text. Returns the moves of the game and its outcome."""
        position: Position = GAMES[game].start()
        moves: list[str] = []
        while position.outcome is None:
            [to_move] = position.to_move
            if to_move == seat:
                await self.types(random.choice(position.legal_moves(seat)))
            said = await self.hears(r"^(\d+)\. .* plays? (\S+)\.")
            moves.append(said[2])
            assert int(said[1]) == len(moves)
            position = position.play(to_move, said[2])
        assert re.search(r"wins? \(|is a draw \(", self.lines[-1])
        return moves, position.outcome

    async def quits(self) -> int | None:
        await self.types("quit")
        return await self.process.wait()


@asynccontextmanager
async def a_person(home: Path, address: str, name: str, *more: str) -> AsyncIterator[Person]:
    async with tablero(home, "play", address, "--plain", "--name", name, *more) as process:
        yield Person(process)


async def test_a_person_plays_a_bot_and_then_a_rematch_each_in_a_process_of_their_own(tmp_path: Path) -> None:
    async with (
        asyncio.timeout(PATIENCE),
        a_served(tmp_path) as (server, address),
        tablero(tmp_path, "bot", "tic-tac-toe:hard", "--server", address, errors=PIPE) as bot,
        a_person(tmp_path, address, "ana") as ana,
    ):
        assert bot.stderr is not None
        await bot.stderr.readline()  # the bot has started
        await ana.types("create tic-tac-toe bot=hard")
        await ana.hears("you are on seat 0")
        await ana.types("say the harbour at noon")
        first, outcome = await ana.plays("tic-tac-toe", 0, Random(1))
        assert outcome.winners != {0} or len(first) >= 5
        await ana.types("rematch")
        await ana.hears("The rematch begins. The seats have changed.")
        await ana.hears("you are on seat 1")
        second, _ = await ana.plays("tic-tac-toe", 1, Random(2))
        assert len(second) >= 5
        assert await ana.quits() == 0
        bot.send_signal(signal.SIGINT)
        assert await bot.wait() == 0
        server.send_signal(signal.SIGTERM)
        _, log = await server.communicate()
        assert server.returncode == 0
        assert b"harbour" not in log


async def test_two_people_play_in_two_terminals_while_a_third_watches(tmp_path: Path) -> None:
    async with (
        asyncio.timeout(PATIENCE),
        a_served(tmp_path) as (_, address),
        a_person(tmp_path, address, "ana") as ana,
        a_person(tmp_path, address, "ben") as ben,
        a_person(tmp_path, address, "cleo") as cleo,
    ):
        await ana.types("create connect-four private")
        code = (await ana.hears(r"others can join (\S+),"))[1]
        await cleo.types(f"watch {code}")
        await cleo.types("list")  # answered after her subscription, so she misses no move
        await cleo.hears("^Here: ")
        await ben.types(f"join {code}")
        games = await asyncio.gather(
            ana.plays("connect-four", 0, Random(1)),
            ben.plays("connect-four", 1, Random(2)),
            cleo.plays("connect-four", None, Random(3)),
        )
        assert games[0] == games[1] == games[2]
        assert [await person.quits() for person in (ana, ben, cleo)] == [0, 0, 0]

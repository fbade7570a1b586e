"""Attacks by strangers on a server: held sockets, slow headers, floods, giant frames, or peers that never
read.

`python -m trials.attacks PORT` reads lines of `KIND=COUNT …` (or `records@ROOM=COUNT`). It carries out each
line until the next one, and prints `ready` once all attackers are active. It ends when its input ends.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from asyncio.subprocess import PIPE, Process, create_subprocess_exec
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import cache
from itertools import chain, count, cycle, repeat
from typing import Any

import msgpack
import uvloop

from tablero_games import GAMES
from tablero_games.record.file import write
from tests.harness.crowd import allow_many_sockets
from tests.harness.games.records import play
from tests.harness.raw import BINARY, frame, request

UPGRADE = request(Sec_WebSocket_Protocol="tablero.v1.msgpack")
Attack = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
_IDS = count()
_ROOMS_LEFT = chain([5] * 200, repeat(0))
"""The number of tables that each newcomer opens: the lobby is large, but does not grow."""
PATIENCE_SECONDS = 60
"""The most seconds for an attack to begin, and for a measurement."""
SMALL_WINDOW = 4_096
TURNS_AT_ONCE = 55
STALE_AT_ONCE = 400
ROOMS_OF_A_BOT = 16
RENAMES_AT_ONCE = 6
"""One more rename than is allowed."""
SEEKS_OF_ONE = 3
_RENAMING: deque[str] = deque()
"""Tokens of players who return under other names; each token is in the queue once for each attacker."""


def message(type: str, **fields: object) -> bytes:
    return frame(BINARY, msgpack.packb({"type": type, "id": f"x{next(_IDS)}", **fields}))


async def held(reader: asyncio.StreamReader) -> None:
    """Reads until the server hangs up, and ignores all data."""
    with suppress(OSError):
        while await reader.read(65_536):
            pass


async def enter(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, **hello: object) -> None:
    writer.write(UPGRADE)
    await reader.readuntil(b"\r\n\r\n")
    writer.write(message("hello", protocol=1, client="attack", **hello))


async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await held(reader)


async def half_header(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"GET /ws HTTP/1.1\r\nHost: h\r\nX-Slow: ")
    await held(reader)


async def dripping(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Sends one header line every two seconds."""
    writer.write(b"GET /ws HTTP/1.1\r\nHost: h\r\n")
    hanging_up = asyncio.create_task(held(reader))
    while not hanging_up.done():
        await asyncio.wait([hanging_up], timeout=2)
        writer.write(b"X-Slow: 1\r\n")
    hanging_up.result()


async def keep_alive(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Sends a whole request every five seconds, even after the server has ended its side."""
    while not writer.is_closing():
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n")
        await writer.drain()
        await asyncio.sleep(5)


async def no_hello(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(UPGRADE)
    await held(reader)


async def idle_guest(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Stays idle like a normal guest: only the number of guests is the attack."""
    await enter(reader, writer)
    listening = asyncio.create_task(held(reader))
    while not listening.done():
        await asyncio.wait([listening], timeout=8)
        writer.write(message("ping"))
    listening.result()


async def flood(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Sends valid messages as fast as the server reads them, some with large answers."""
    await enter(reader, writer)
    listening = asyncio.create_task(held(reader))
    while not listening.done():
        for type in ("ping", "watchLobby", "unwatchLobby", "ping"):
            writer.write(message(type))
        await writer.drain()
        await asyncio.sleep(0.001)
    listening.result()


async def giant(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Sends frames that are as large as their headers say."""
    await enter(reader, writer)
    writer.write(frame(BINARY, bytes(65_536), declared=2**40))
    await held(reader)
    await asyncio.sleep(0.05)


async def never_reading(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Asks for the lobby again and again, and never reads."""
    await enter(reader, writer)
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    for _ in range(min(5, next(_ROOMS_LEFT))):
        writer.write(message("createRoom", game="tic-tac-toe"))
    while not writer.is_closing():
        writer.write(message("watchLobby"))
        await writer.drain()
        await asyncio.sleep(0.1)


async def stale_turns(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Plays as many turns at once as allowed, then repeats the first one: many times at once, then at the
    allowed rate.
    """
    await enter(reader, writer)
    writer.write(message("createRoom", game="minesweeper", options={"width": 30, "height": 30, "mines": 90}))
    while (heard := await hear(reader))["type"] != "joined":
        pass
    listening = asyncio.create_task(held(reader))
    for ply in count():
        move = "flag a1" if ply % 2 == 0 else "unflag a1"
        stale = ply >= TURNS_AT_ONCE
        writer.write(message("playTurn", room=heard["room"], seat=0, ply=0 if stale else ply, move=move))
        await writer.drain()
        if listening.done():
            return
        await asyncio.sleep(1 / 19 if ply >= TURNS_AT_ONCE + STALE_AT_ONCE else 0)


async def records(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, room: str) -> None:
    """Asks for the whole record of one long game."""
    writer.write(f"GET /api/rooms/{room}/record HTTP/1.1\r\nHost: h\r\n\r\n".encode())
    await held(reader)


@cache
def a_long_record() -> bytes:
    return write(play(GAMES["quoridor"], {"size": 9}, most=300)).encode()


async def replays(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Asks for a replay of a long record, again and again."""
    record = a_long_record()
    head = f"POST /api/replay HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(record)}\r\n\r\n"
    writer.write(head.encode() + record)
    await held(reader)


async def lobby(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Reads the lobby page by page, opens a table that all watchers are told of, leaves the table and stops
    watching.
    """
    await enter(reader, writer)
    while True:
        page = await ask(reader, writer, "watchLobby")
        while "more" in page:
            page = await ask(reader, writer, "watchLobby", after=page["more"])
        if "room" in (opened := await ask(reader, writer, "createRoom", game="tic-tac-toe")):
            await ask(reader, writer, "leave", room=opened["room"])
        await ask(reader, writer, "unwatchLobby")


async def namesakes(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Enters with a name that others have, then again and again renames the same player."""
    token = _RENAMING.popleft() if _RENAMING else None
    await enter(
        reader, writer, **({"token": token, "name": f"ana{next(_IDS)}"} if token else {"name": "ana"})
    )
    welcome = await hear(reader)
    if "token" in welcome:
        _RENAMING.extend([welcome["token"]] * RENAMES_AT_ONCE)


async def snapshots(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Enters as a bot for one game at a time, watches as many games as allowed, and asks for a snapshot of
    each.
    """
    card = {"brains": [{"game": "minesweeper", "levels": ["idle"]}], "capacity": 1}
    await enter(reader, writer, bot=card)
    page = await ask(reader, writer, "watchLobby")
    await ask(reader, writer, "unwatchLobby")
    playing = [line["room"] for line in page["rooms"] if line["state"] == "playing"]
    joined = [await ask(reader, writer, "join", room=room, watch=True) for room in playing[:ROOMS_OF_A_BOT]]
    rooms = [answer["room"] for answer in joined if answer["type"] == "joined"]
    while True:
        await ask_all(
            reader, writer, [{"type": "resume", "room": room, "epoch": "e", "seq": 0} for room in rooms]
        )


async def wrong_codes(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Guesses the codes of private tables, twenty times a second."""
    await enter(reader, writer)
    for guess in _IDS:
        writer.write(message("join", code=f"{guess % 10_000:04d}-0000"))
        await hear(reader)
        await asyncio.sleep(0.05)


async def passers_by(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Enters as a newcomer, opens a table, leaves it and hangs up; then starts again at once."""
    port = writer.get_extra_info("peername")[1]
    while True:
        try:
            await enter(reader, writer)
            if (await hear(reader))["type"] == "welcome":
                opened = await ask(reader, writer, "createRoom", game="tic-tac-toe")
                if "room" in opened:
                    await ask(reader, writer, "leave", room=opened["room"])
        finally:
            writer.close()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)


async def searches(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Opens two tables whose field cannot be found, and two others as soon as the search has failed."""
    await enter(reader, writer)
    hopeless = {"width": 50, "height": 50, "mines": 1_500, "noGuess": True}
    opens = message("createRoom", game="minesweeper", options=hopeless)
    writer.write(opens + message("createRoom", game="minesweeper", options=hopeless))
    while True:
        heard = await hear(reader)
        if heard["type"] == "unprepared":
            writer.write(message("leave", room=heard["room"]))
            writer.write(message("createRoom", game="minesweeper", options=hopeless))
        elif heard["type"] == "refused":
            await asyncio.sleep(0.5)
            writer.write(message("createRoom", game="minesweeper", options=hopeless))


async def host_port(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: str) -> None:
    """Sends half a request to the host's own port."""
    writer.close()
    reader, writer = await asyncio.open_connection("127.0.0.1", int(port))
    try:
        writer.write(b"POST /api/list HTTP/1.1\r\nHost: h\r\nX-Slow: ")
        await held(reader)
        # half a request may be held this long; more often would only be a flood of connections
        await asyncio.sleep(5)
    finally:
        writer.close()


async def packed_records(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, rooms: str) -> None:
    """Asks for the record of another packed game ten times a second, from a separate address."""
    port, own = writer.get_extra_info("peername")[1], f"127.0.{next(_IDS) % 250 + 1}.2"
    writer.close()
    for room in _round(rooms):
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(own, 0))
        try:
            await records(reader, writer, room)
        finally:
            writer.close()
        await asyncio.sleep(0.1)


async def packed_watchers(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, rooms: str) -> None:
    """Watches one packed game after another."""
    await enter(reader, writer)
    for room in _round(rooms):
        if (await ask(reader, writer, "join", room=room, watch=True))["type"] == "joined":
            await ask(reader, writer, "leave", room=room)
        await asyncio.sleep(0.7)


def _round(rooms: str) -> Iterator[str]:
    """Repeats all rooms without end; each attacker starts with another room."""
    all = rooms.split(",")
    first = next(_IDS) * 7 % len(all)
    return cycle(all[first:] + all[:first])


async def seekers(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Keeps as many seeks as one player may have, each for another game; one after another is renewed."""
    await enter(reader, writer)
    standing: deque[str] = deque()
    while True:
        if len(standing) == SEEKS_OF_ONE:
            await ask(reader, writer, "cancelSeek", seek=standing.popleft())
            await asyncio.sleep(2)  # as fast as tables may be opened
        clock, bots = {"base": 60 + next(_IDS) % 10_000, "increment": next(_IDS) % 60}, not standing
        made = await ask(reader, writer, "seek", game="connect-four", clock=clock, bots=bots)
        if "seek" in made:
            standing.append(made["seek"])


async def ask(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, type: str, **fields: object
) -> dict[str, Any]:
    """Sends a command, again if it was too fast. Returns the answer."""
    [answer] = await ask_all(reader, writer, [{"type": type, **fields}])
    return answer


async def ask_all(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, asked: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Sends commands all at once, and those again that were too fast. Returns the answers."""
    answers: list[dict[str, Any]] = []
    while asked:
        waiting = {f"a{next(_IDS)}": each for each in asked}
        writer.write(b"".join(message(**{"id": id, **each}) for id, each in waiting.items()))
        asked, wait = [], 0
        while waiting:
            heard = await hear(reader)
            question = waiting.pop(heard.get("re", ""), None)
            if question is not None and heard.get("code") == "rateLimited":
                asked.append(question)
                wait = max(wait, heard["retryAfterMs"])
            elif question is not None:
                answers.append(heard)
        await asyncio.sleep(wait / 1_000)
    return answers


async def hear(reader: asyncio.StreamReader) -> dict[str, Any]:
    """The next message from the server."""
    _, size = await reader.readexactly(2)
    if size == 126:
        size = int.from_bytes(await reader.readexactly(2))
    elif size == 127:
        size = int.from_bytes(await reader.readexactly(8))
    heard: dict[str, Any] = msgpack.unpackb(await reader.readexactly(size))
    return heard


ATTACKS: dict[str, Callable[..., Awaitable[None]]] = {
    each.__name__.replace("_", "-"): each
    for each in (
        silent,
        half_header,
        dripping,
        keep_alive,
        no_hello,
        idle_guest,
        flood,
        giant,
        never_reading,
        stale_turns,
        records,
        lobby,
        namesakes,
        snapshots,
        wrong_codes,
        passers_by,
        searches,
        host_port,
        replays,
        packed_records,
        packed_watchers,
        seekers,
    )
}


def attack_called(kind: str) -> Attack:
    """The attack of this name; the part after an @ is its target."""
    name, _, aim = kind.partition("@")
    return (lambda reader, writer: ATTACKS[name](reader, writer, aim)) if aim else ATTACKS[name]


async def again_and_again(attack: Attack, port: int, begun: asyncio.Semaphore) -> None:
    """Runs one attacker, which reconnects whenever it is thrown out."""
    first = True
    while True:
        with suppress(
            OSError, asyncio.IncompleteReadError, RuntimeError
        ):  # uvloop raises the last of these on a closed connection
            own = socket.socket()
            if attack is never_reading:
                own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_WINDOW)
            own.setblocking(False)
            await asyncio.get_running_loop().sock_connect(own, ("127.0.0.1", port))
            reader, writer = await asyncio.open_connection(sock=own)
            if first:
                begun.release()
            first = False
            try:
                await attack(reader, writer)
            except asyncio.CancelledError:
                # otherwise closing would wait for bytes that the server does not read
                writer.transport.abort()
                raise
            finally:
                writer.close()
        await asyncio.sleep(0.2)


async def begun(port: int, many: dict[str, int]) -> list[asyncio.Task[None]]:
    """Starts that many attackers of each kind. Returns when the last one is active."""
    begun = asyncio.Semaphore(0)
    tasks = []
    for kind, number in many.items():
        for _ in range(number):
            tasks.append(asyncio.create_task(again_and_again(attack_called(kind), port, begun)))
            await asyncio.sleep(0.0005)  # otherwise only the queue of new connections is tested
    for _ in tasks:
        await begun.acquire()
    return tasks


async def attack(port: int) -> None:
    """Reads one line after another, and attacks as it says."""
    lines = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(lines)
    await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, sys.stdin)
    attackers: list[asyncio.Task[None]] = []
    while True:
        told = asyncio.create_task(lines.readline())
        await asyncio.wait([told, *attackers], return_when=asyncio.FIRST_COMPLETED)
        for each in attackers:
            if each.done():
                each.result()  # an attacker ends only by a bug of ours
            each.cancel()
        await asyncio.gather(*attackers, return_exceptions=True)
        if not (line := await told):
            return
        counts = (each.split("=") for each in line.decode().split())
        attackers = await begun(port, {kind: int(number) for kind, number in counts})
        print("ready", flush=True)


def step_back() -> None:
    """Lowers the priority: real attackers have their own processors and reach ours only through sockets."""
    if os.sched_getscheduler(0) == os.SCHED_OTHER:
        os.nice(19)
    else:  # without the permission: the players' priority is higher anyway
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


class Strangers:
    """Attackers in a separate process."""

    def __init__(self, process: Process) -> None:
        self._process = process

    async def attack(self, many: dict[str, int]) -> None:
        """Runs that many attackers of each kind. Returns when the last one is active."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(
            " ".join(f"{kind}={number}" for kind, number in many.items()).encode() + b"\n"
        )
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert await self._process.stdout.readline() == b"ready\n", "the attackers have given up"


@asynccontextmanager
async def strangers(port: int) -> AsyncIterator[Strangers]:
    process = await create_subprocess_exec(
        sys.executable, "-m", "trials.attacks", str(port), stdin=PIPE, stdout=PIPE
    )
    try:
        yield Strangers(process)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


if __name__ == "__main__":
    step_back()
    allow_many_sockets()
    uvloop.run(attack(int(sys.argv[1])))

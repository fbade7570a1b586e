"""Plays one match over a real network, a person against a bot, to check an installation or deployment.

python -m tests.smoke ws://HOST:PORT/ws [--game tic-tac-toe] [--bot hard]; exit code 0 or 1
"""

from __future__ import annotations

import argparse
import asyncio
import sys

from tablero import Disconnected, Refused, connect
from tablero.client.client import Client
from tablero.client.room import Room
from tablero_games import GAMES
from tablero_protocol.codes import Code
from tablero_protocol.messages import NextPlayer

PATIENCE = 60.0
"""The time limit in seconds for everything together."""


async def invite(client: Client, room: Room, bot: str) -> None:
    """Invites the bot to seat 1. While there is none, tries again after every change of the lobby."""
    changed = asyncio.Event()
    client.lobby.subscribe(lambda _: changed.set())
    await client.watch_lobby()
    while True:
        changed.clear()
        try:
            await client.invite(room, 1, bot=bot)
        except Refused as refused:
            if refused.code != Code.BOT_UNAVAILABLE:
                raise
            await changed.wait()
        else:
            return


async def match(url: str, game: str, level: str) -> NextPlayer:
    """Plays the first legal moves to the end of the game. Returns the last turn."""
    turns: asyncio.Queue[NextPlayer] = asyncio.Queue()
    async with connect(url, name="smoke") as client:
        room = await client.create_room(game)
        room.next_player.subscribe(turns.put_nowait)
        await invite(client, room, f"{game}:{level}")
        while (turn := await turns.get()).outcome is None:
            if 0 in turn.seats:
                move = GAMES[game].legal_moves(turn.view, 0)[0]
                print(f"ply {turn.ply}: {client.player.name} plays {move}")
                await room.play(move)
            elif turn.seats:
                print(f"ply {turn.ply}: {game}:{level} is to move")
        await room.leave()
    return turn


async def main() -> int:
    parser = argparse.ArgumentParser(description="Plays one match against an invited bot.")
    parser.add_argument("url")
    parser.add_argument("--game", default="tic-tac-toe", choices=GAMES)
    parser.add_argument("--bot", default="hard")
    asked = parser.parse_args()
    try:
        async with asyncio.timeout(PATIENCE):
            end = await match(asked.url, asked.game, asked.bot)
    except TimeoutError:
        print(f"No end after {PATIENCE:.0f} s.", file=sys.stderr)
        return 1
    except (Disconnected, Refused) as failed:
        print(failed, file=sys.stderr)
        return 1
    print(GAMES[asked.game].draw(end.view))
    print(f"ply {end.ply}: {end.outcome}")
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))

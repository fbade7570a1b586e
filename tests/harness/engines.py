"""Small engines as Python source, good and bad, and functions to start them."""

from __future__ import annotations

import shlex
import sys

GOOD = """
import json, sys
def say(kind, **fields):
    print(json.dumps({"type": kind, "id": "1", **fields}), flush=True)
def hello(*games, **more):
    brains = [{"game": game, "levels": []} for game in games]
    say("hello", protocol=1, client="zoo", bot={"brains": brains}, **more)
def play(move, **more):
    say("playTurn", **{name: event[name] for name in ("room", "seat", "ply")} | {"move": move} | more)
hello("tic-tac-toe", "connect-four", name="Zoo animal")
for line in sys.stdin:
    event = json.loads(line)
    kind = event["type"]
    if kind == "nextPlayer" and event["seat"] in event["seats"]:
        legal = event["legalMoves"]
        play(legal[0])
    elif kind == "bye":
        break
"""


def changed(*changes: tuple[str, str]) -> str:
    """The source of GOOD with a mistake."""
    source = GOOD
    for old, new in changes:
        assert old in source
        source = source.replace(old, new)
    return source


def command(source: str) -> str:
    """The command for an engine with this source; -S and -I make it start faster."""
    return shlex.join([sys.executable, "-S", "-I", "-c", source])

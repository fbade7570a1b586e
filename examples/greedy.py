"""A bot that speaks Tablero's protocol in lines (docs/engines.md): copy it and change `choose`.

tablero bot-check -- python3 greedy.py
tablero bot "cmd:python3 greedy.py"
"""

import itertools
import json
import random
import sys

GAMES = ["tic-tac-toe", "connect-four", "dots-and-boxes", "quoridor", "minesweeper"]


def wins(stacks, connect, column, seat):
    """Whether a token of `seat` in this column completes a line of `connect`."""
    row = len(stacks[column])
    cells = {(c, r): token for c, stack in enumerate(stacks) for r, token in enumerate(stack)}
    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
        length = 1
        for way in (1, -1):
            c, r = column + way * right, row + way * up
            while cells.get((c, r)) == str(seat):
                length, c, r = length + 1, c + way * right, r + way * up
        if length >= connect:
            return True
    return False


def choose(game, seat, view, legal):
    """A winning move in Connect Four if there is one, else a blocking one. In other games, any legal move."""
    if game == "connect-four":
        for who in (seat, 1 - seat):
            for move in legal:
                if wins(view["stacks"], view["connect"], int(move) - 1, who):
                    return move
    return random.choice(legal)


def say(kind, **fields):
    print(json.dumps({"type": kind, "id": f"{next(commands)}", **fields}), flush=True)


commands = itertools.count(1)
brains = [{"game": game, "levels": ["greedy"]} for game in GAMES]
say("hello", protocol=1, client="greedy.py", name="greedy", bot={"brains": brains})
for line in sys.stdin:
    event = json.loads(line)
    if event["type"] == "joined":
        game = event["table"]["game"]
        random.seed(event["dice"])
    elif event["type"] == "nextPlayer" and event["seat"] in event["seats"]:
        move = choose(game, event["seat"], event["view"], event["legalMoves"])
        say("playTurn", room=event["room"], seat=event["seat"], ply=event["ply"], move=move)
    elif event["type"] == "bye":
        break

"""A bot that speaks Tablero's text protocol (docs/engines.md), in plain Python: copy it and change `choose`.

tablero bot-check -- python3 greedy.py
tablero bot "cmd:python3 greedy.py"
"""

import json
import random
import sys


def wins(stacks, connect, column, seat):
    """Whether a token of `seat` in this column makes a line of `connect`."""
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
    """In Connect Four wins if it can, else blocks; in every other game any legal move."""
    if game == "connect-four":
        for who in (seat, 1 - seat):
            for move in legal:
                if wins(view["stacks"], view["connect"], int(move) - 1, who):
                    return move
    return random.choice(legal)


game, seat, view, legal = "", 0, {}, []
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "ubgi":
        print("id name greedy\nid games tic-tac-toe connect-four dots-and-boxes quoridor minesweeper")
        print("option name seed type spin default 0 min 0 max 4294967295\nubgiok")
    elif word == "setoption" and rest[1] == "seed":
        random.seed(int(rest[-1]))
    elif word == "isready":
        print("readyok")
    elif word == "newgame":
        game, seat = rest[0], int(rest[rest.index("seat") + 1])
    elif word == "position" and " view " in line:
        view = json.loads(line.split(" view ")[1])
    elif word == "legal":
        legal = rest
    elif word == "go":
        print("bestmove", choose(game, seat, view, legal))
    elif word == "quit":
        break
    sys.stdout.flush()

"""Small engines as Python source, good and bad, and how to start them."""

from __future__ import annotations

import shlex
import sys

GOOD = """
import sys
legal = []
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "ubgi":
        print("id name Zoo animal"); print("id games tic-tac-toe connect-four"); print("ubgiok")
    elif word == "isready":
        print("readyok")
    elif word == "legal":
        legal = rest
    elif word == "go":
        print("bestmove", legal[0])
    elif word == "quit":
        break
    sys.stdout.flush()
"""


def changed(*changes: tuple[str, str]) -> str:
    """GOOD with something wrong."""
    source = GOOD
    for old, new in changes:
        assert old in source
        source = source.replace(old, new)
    return source


def command(source: str) -> str:
    """How to start an engine with this source; -S and -I so that it starts in a moment."""
    return shlex.join([sys.executable, "-S", "-I", "-c", source])

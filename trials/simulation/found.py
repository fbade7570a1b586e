"""The evenings in which each planted bug is found first, and a few in which all rare branches are reached.

`python -m trials.simulation.found` searches again and writes `found.toml`. A change of the core changes the
evenings, so a new search may be needed.
"""

from __future__ import annotations

import logging
import tomllib
from collections.abc import Iterable
from pathlib import Path

from trials.simulation.bugs import BUGS, planted
from trials.simulation.evening import play
from trials.simulation.world import Broken

WITHIN = 500
"""The number of evenings to try. A bug that none of these evenings shows counts as not found."""
FILE = Path(__file__).with_suffix(".toml")
RARE = (
    "a captured frame came again on its socket",
    "a client crashed",
    "a client gave a living line up",
    "a client read too slowly",
    "a command came again after its room had closed in another life",
    "a command came again after its room had closed",
    "a commit failed in part",
    "a commit failed",
    "a commit took long",
    "a clock was charged",
    "a crash with a commit under way",
    "a first move was not made",
    "a flag fell",
    "a game ended",
    "a game paused",
    "a game went on after a pause",
    "a line was half open",
    "a move was taken back",
    "a phrase was said",
    "a player came twice",
    "a player stayed away",
    "a rematch began",
    "a snapshot came",
    "a start could not be written down",
    "a slow line was given time back",
    "a stale turn was refused with what was missed",
    "captured frames came again on another socket",
    "days passed without a server",
    "everything stood still",
    "refused: forbidden",
    "refused: paused",
    "refused: noTakeback",
    "refused: notAway",
    "refused: retryLater",
    "refused: stale",
    "refused: unknownOffer",
    "several commands in one commit",
    "somebody muted was not heard",
    "the server gave a silent client up",
    "the server restarted in order",
    "two who sought were brought together",
    "withdrew for being away: gone",
)


def breaks(name: str, seed: int) -> bool:
    """Whether this bug breaks its promise in this evening."""
    with planted(name):
        failure = play(seed).failure
    return isinstance(failure, Broken) and str(failure).startswith(f"{BUGS[name].breaks}: ")


def known(table: str) -> dict[str, int]:
    """The seed of an evening for each name in this table."""
    found: dict[str, int] = tomllib.loads(FILE.read_text())[table]
    return found


def search(name: str) -> int | None:
    """The first evening that shows the bug; the known one if it still does."""
    seeds = [known("mistakes").get(name, 0), *range(WITHIN)]
    return next((seed for seed in seeds if breaks(name, seed)), None)


def few_that_reach(branches: Iterable[str]) -> dict[str, int]:
    """An evening for each of these branches, with few different evenings."""
    left = set(branches)
    reached = {seed: left & play(seed).reached.keys() for seed in range(WITHIN)}
    found = {}
    while new := left & reached[best := max(reached, key=lambda seed: len(reached[seed] & left))]:
        found.update(dict.fromkeys(new, best))
        left -= new
    return found


def main() -> None:
    logging.disable()  # found bugs would be logged as errors
    rare = few_that_reach(RARE)
    mistakes = {}
    for name in BUGS:
        if (seed := search(name)) is not None:
            mistakes[name] = seed
    for name in [name for name in [*RARE, *BUGS] if name not in rare | mistakes]:
        print(f"{name}: not within {WITHIN} evenings", flush=True)
    lines = ["# Written by: python -m trials.simulation.found", "[mistakes]"]
    lines += sorted(f"{name} = {seed}" for name, seed in mistakes.items())
    lines += ["", "[rare]", *sorted(f'"{name}" = {seed}' for name, seed in rare.items())]
    FILE.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

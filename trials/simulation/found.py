"""In which evening each planted mistake is found first.

`python -m trials.simulation.found` looks through the evenings again and writes `found.toml`. A change of
the core changes what happens in an evening, so it may be needed after one.
"""

from __future__ import annotations

import logging
import tomllib
from pathlib import Path

from trials.simulation.bugs import BUGS, planted
from trials.simulation.evening import play
from trials.simulation.world import Broken

WITHIN = 500
"""Evenings. A mistake that none of them shows is one that the simulation does not see."""
FILE = Path(__file__).with_suffix(".toml")


def breaks(name: str, seed: int) -> bool:
    """Whether this evening with this mistake breaks the promise that it should."""
    with planted(name):
        failure = play(seed).failure
    return isinstance(failure, Broken) and str(failure).startswith(f"{BUGS[name].breaks}: ")


def known() -> dict[str, int]:
    """The seed of an evening for each mistake."""
    return tomllib.loads(FILE.read_text())


def search(name: str) -> int | None:
    """The first evening that shows it, the known one if it still does."""
    seeds = [known().get(name, 0), *range(WITHIN)]
    return next((seed for seed in seeds if breaks(name, seed)), None)


def main() -> None:
    logging.disable()  # each mistake that is found is an error to somebody
    lines = []
    for name in BUGS:
        seed = search(name)
        print(
            f"{name}: {f'seed {seed}' if seed is not None else f'not within {WITHIN} evenings'}", flush=True
        )
        if seed is not None:
            lines.append(f"{name} = {seed}\n")
    FILE.write_text("# Written by: python -m trials.simulation.found\n" + "".join(sorted(lines)))


if __name__ == "__main__":
    main()

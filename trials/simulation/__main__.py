"""Runs simulated evenings: `python -m trials.simulation --seeds 0:20000 --jobs 2`, or `--seed N --trace`."""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from functools import partial
from multiprocessing import get_context

from trials.simulation.evening import Report, play


def main(arguments: list[str] | None = None) -> int:
    """Runs evenings. Returns the exit code: 0 if every promise was kept in all of them."""
    asked = _read(arguments)
    echo = partial(print, flush=False) if asked.trace else None
    if asked.seed is not None:
        report = play(asked.seed, fifo=asked.fifo, echo=echo)
        print(f"seed {asked.seed}: trace {report.trace}")
        return _tell(report, asked.fifo)
    began, reached, failed, count = time.monotonic(), Counter[str](), 0, 0
    for report in _evenings(range(*map(int, asked.seeds.split(":"))), asked.fifo, asked.jobs):
        count += 1
        reached += report.reached
        failed += _tell(report, asked.fifo)
        if failed >= asked.most_failures:
            break
    seconds = time.monotonic() - began
    for branch, times in sorted(reached.items()):
        print(f"{times:9,}  {branch}")
    print(f"{count} evenings in {seconds:.1f} s, {count / seconds * 60:.0f} a minute; {failed} failed")
    return 1 if failed else 0


def _evenings(seeds: range, fifo: bool, jobs: int) -> Iterator[Report]:
    one = partial(play, fifo=fifo)
    if jobs == 1:
        yield from map(one, seeds)
    else:
        with get_context("spawn").Pool(jobs) as pool:
            yield from pool.imap(one, seeds, chunksize=20)


def _tell(report: Report, fifo: bool) -> int:
    if report.failure is None:
        return 0
    command = f"python -m trials.simulation --seed {report.seed} --trace{' --fifo' if fifo else ''}"
    print(f"seed {report.seed}: {type(report.failure).__name__}: {report.failure}\n    {command}")
    if not isinstance(report.failure, AssertionError):
        traceback.print_exception(report.failure)
    sys.stdout.flush()
    return 1


def _read(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m trials.simulation")
    parser.add_argument("--seeds", default="0:200", metavar="FROM:TO", help="the seeds to play (0:200)")
    parser.add_argument("--seed", type=int, help="the one seed to play")
    parser.add_argument("--trace", action="store_true", help="print what happens")
    parser.add_argument("--fifo", action="store_true", help="callbacks in asyncio's own order")
    parser.add_argument("--jobs", type=int, default=1, help="in how many processes")
    parser.add_argument("--most-failures", type=int, default=10, help="after how many to stop (10)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())

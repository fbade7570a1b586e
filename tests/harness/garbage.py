"""Garbage that only a search for cycles frees: a server with such objects keeps them for long."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def garbage(*packages: str) -> Iterator[Callable[[], Counter[str]]]:
    """Gives a function that counts, by class, what such a search frees of `packages`. None happens before.

    Leftovers of an earlier test do not count.
    """

    def name(each: object) -> str:
        return f"{type(each).__module__}.{type(each).__name__}"

    def there() -> Counter[str]:
        new = (each for each in gc.get_objects() if id(each) not in of_others)
        return Counter(named for each in new if (named := name(each)).startswith(packages))

    def freed() -> Counter[str]:
        before = there()  # what a search reports leaves out cycles that a generator's end breaks
        gc.collect()
        return before - there()

    gc.collect()
    of_others = {id(each) for each in gc.get_objects() if name(each).startswith(packages)}
    gc.disable()
    try:
        yield freed
    finally:
        gc.enable()

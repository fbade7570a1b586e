"""Reference cycles, which only the collector frees: in a server such objects stay in memory for long."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def garbage(*packages: str) -> Iterator[Callable[[], Counter[str]]]:
    """Yields a function that counts, by class, the objects of `packages` that a collection frees.

    The collector is off before. Leftovers of an earlier test do not count.
    """

    def name(each: object) -> str:
        return f"{type(each).__module__}.{type(each).__name__}"

    def there() -> Counter[str]:
        new = (each for each in gc.get_objects() if id(each) not in of_others)
        return Counter(named for each in new if (named := name(each)).startswith(packages))

    def freed() -> Counter[str]:
        before = there()  # the collector's report leaves out cycles that are broken when a generator ends
        gc.collect()
        return before - there()

    gc.collect()
    of_others = {id(each) for each in gc.get_objects() if name(each).startswith(packages)}
    gc.disable()
    try:
        yield freed
    finally:
        gc.enable()

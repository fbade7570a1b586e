"""What only a search for cycles frees: a server that makes such things keeps them for long."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def garbage(*packages: str) -> Iterator[Callable[[], Counter[str]]]:
    """Gives a function that counts, by class, what such a search frees of `packages`. None happens before."""

    def there() -> Counter[str]:
        kinds = (type(each) for each in gc.get_objects())
        names = (f"{kind.__module__}.{kind.__name__}" for kind in kinds)
        return Counter(name for name in names if name.startswith(packages))

    def freed() -> Counter[str]:
        before = there()  # what a search reports leaves out cycles that a generator's end breaks
        gc.collect()
        return before - there()

    gc.collect()
    gc.disable()
    try:
        yield freed
    finally:
        gc.enable()

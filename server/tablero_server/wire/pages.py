"""Which page is where."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote

from .arrivals import Answering, Visitor
from .http import sentence

Page = Callable[..., Answering]
"""Of the visitor, and of what stands in the path for each of its names."""

NO_PAGE = sentence(404, "There is no such page.")
_ONLY_READ = sentence(405, "Pages here can only be read.", {"Allow": "GET, HEAD"})


class Pages:
    """A path is written with its names in braces, as in `/api/rooms/{room}/record`."""

    def __init__(self, pages: dict[str, Page], handshakes: dict[str, Page]) -> None:
        self._pages = [(_pattern(path), page) for path, page in pages.items()]
        self._handshakes = handshakes

    def ask(self, visitor: Visitor) -> Answering:
        request = visitor.request
        if (handshake := self._handshakes.get(request.path)) is not None:
            return handshake(visitor)
        for pattern, page in self._pages:
            if found := pattern.fullmatch(request.path):
                if request.method not in ("GET", "HEAD"):
                    return _ONLY_READ
                return page(visitor, **{name: unquote(text) for name, text in found.groupdict().items()})
        return NO_PAGE


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape(path)))

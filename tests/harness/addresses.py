"""The addresses that people type for one server: the same machine, a name in the network, a folder of a site.

Law: a page requests only its own address. At a name, without TLS, a page has no secure context and must work
without one.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from tests.harness.browser import NAME, Browsers, address, browsers
from tests.harness.proxy import Proxy, a_proxy

FOLDER = "/games"
ADDRESSES = ("this machine", "a name", "a path")
at_each_address = pytest.mark.parametrize("where", ADDRESSES)
_SECURE = "() => [isSecureContext, 'serviceWorker' in navigator, 'clipboard' in navigator]"


@dataclass(frozen=True)
class Site:
    url: str
    people: Browsers
    proxy: Proxy
    """The proxy for addresses below a path."""


@asynccontextmanager
async def a_site_at(where: str, port: int) -> AsyncIterator[Site]:
    async with a_proxy(port, FOLDER) as proxy, browsers() as people:
        urls = {
            "this machine": address(port),
            "a name": f"http://{NAME}:{port}/",
            "a path": f"{address(proxy.port)}{FOLDER[1:]}/",
        }
        url = urls[where]
        yield Site(url, people, proxy)
        outside = [each for each in people.asked if not each.replace("ws://", "http://", 1).startswith(url)]
        assert not outside, f"asked for beyond {url}: {outside}"
        for page in people.pages:
            assert page.url.startswith(url)
            assert await page.evaluate(_SECURE) == 3 * [where != "a name"]

"""The files of the browser client: read, named by their contents and compressed at the start.

Law: all files of one version are in one folder, whose name changes when any file changes. So browsers may
cache them forever, and a page never mixes two versions. Only files read at the start are served.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path, PurePosixPath
from posixpath import normpath

from aiohttp import web

from tablero_games import GAMES

from .own_wheel import offered
from .pages import sentence, takes_gzip, visitor_of

_KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
_FOR_TOOLS = {"package.json", "tsconfig.json"}
_FOR_EVER = "public, max-age=31536000, immutable"
_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'self'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types tablero-worker",
    ]
)
"""A policy that forbids inline scripts and styles, other sites, markup from text, and any worker but ours."""
_FOR_WHOM = {"Cache-Control": "no-cache", "Vary": "Accept, Accept-Encoding, Accept-Language"}
"""The same address has a page for browsers and a sentence for terminals; caches must not mix them up."""
_ABOUT_PAGES = {
    "Content-Security-Policy": _POLICY,
    "Referrer-Policy": "no-referrer",  # the address contains the code of a table
    **_FOR_WHOM,
}
_FIRST = "main.js"
_WORKER = "worker.js"
_ITS_OWN = "en"
"""The language of the modules themselves."""
_LANGUAGE = re.compile(r"languages/(\w+)\.json")
"""The texts of the first screens in another language; other texts are loaded when needed."""
_IMPORT = re.compile(rb'^(?:import|export)\b[^"\n]*"(\.{1,2}/[^"\n]+)";$', re.MULTILINE)
"""The imports that a module needs at once; boards and the like are loaded later by `import()`."""
_COMMENT = re.compile(rb"^[ \t]*(?:/\*(?:(?!\*/)[\s\S])*\*/[ \t]*|//.*)$", re.MULTILINE)
"""A comment on lines of its own. These comments are a fifth of the client's size."""
SCREENS = (
    "/",
    "/{code:[0-9A-Za-z]{4}-?[0-9A-Za-z]{4}}",
    "/top",
    "/replay",
    "/watch/{room:[!-.0-~]{1,64}}",
    "/replay/{room:[!-.0-~]{1,64}}",
    "/player/{player:[!-.0-~]{1,64}}",
)
"""The addresses that the client answers to. No fixed word has eight letters, like a code."""


@dataclass(frozen=True, slots=True)
class Asset:
    kind: str
    plain: bytes
    packed: bytes

    @classmethod
    def of(cls, kind: str, plain: bytes) -> Asset:
        return cls(kind, plain, gzip.compress(plain, 9, mtime=0))

    def answer(self, request: web.Request, headers: Mapping[str, str], status: int = 200) -> web.Response:
        zipped = takes_gzip(request)
        named = {"Content-Type": self.kind, "Vary": "Accept-Encoding", **headers}
        if zipped:
            named["Content-Encoding"] = "gzip"
        return web.Response(status=status, body=self.packed if zipped else self.plain, headers=named)


@dataclass(frozen=True, slots=True)
class WebClient:
    """The files of the client, and its page."""

    version: str
    assets: Mapping[str, Asset] = field(repr=False)
    pages: Mapping[str, tuple[Asset, Asset]] = field(repr=False)
    """The page by its language, in two versions: for addresses at the top, and one folder below."""

    def routes(self) -> list[web.RouteDef]:
        screens = [web.get(path, self._page) for path in SCREENS]
        return [
            *screens,
            web.get(f"/{_WORKER}", self._worker),
            web.get("/assets/{version}/{name:.+}", self._asset),
        ]

    async def _page(self, request: web.Request) -> web.Response:
        return self._at(request, 200) if _is_browser(request) else _for_a_terminal(request)

    def wrong_link(self, request: web.Request) -> web.Response | None:
        """Answers an unknown address. A browser gets the client's page, which reports a wrong link."""
        return self._at(request, 404) if _is_browser(request) else None

    def _at(self, request: web.Request, status: int) -> web.Response:
        language = _language(request.headers.get("Accept-Language", ""), self.pages)
        top, below = self.pages[language]
        depth = request.rel_url.raw_path.count("/") - 1
        page = top if depth == 0 else below if depth == 1 else _deeper(top, depth)
        return page.answer(request, _ABOUT_PAGES, status)

    async def _worker(self, request: web.Request) -> web.Response:
        """The service worker. It is beside the page, because a worker can serve only paths below its own."""
        return self.assets[_WORKER].answer(request, {"Content-Security-Policy": _POLICY, **_FOR_WHOM})

    async def _asset(self, request: web.Request) -> web.Response:
        asset = self.assets.get(request.match_info["name"])
        if asset is None or request.match_info["version"] != self.version:
            raise web.HTTPNotFound
        return asset.answer(request, {"Cache-Control": _FOR_EVER})


def _is_browser(request: web.Request) -> bool:
    return request.method in ("GET", "HEAD") and "text/html" in request.headers.get("Accept", "")


def _deeper(top: Asset, depth: int) -> Asset:
    return Asset.of(top.kind, top.plain.replace(b'href="./"', b'href="%b"' % (b"../" * depth), 1))


def _language(wanted: str, known: Container[str]) -> str:
    """The first of the browser's preferred languages that is known."""
    named = (part.partition(";")[0].partition("-")[0].strip().lower() for part in wanted.split(","))
    return next((each for each in named if each in known), _ITS_OWN)


def _for_a_terminal(request: web.Request) -> web.Response:
    visitor = visitor_of(request)
    page = f"http{'s' if visitor.secure else ''}://{visitor.host}{visitor.base}"
    plain = not visitor.secure and visitor.base == "/"
    address = visitor.host if plain else page.rstrip("/")
    return sentence(
        200,
        f"Tablero is running.\n\nPlay in a browser:     {page}\n"
        f"Play from a terminal:  tablero play {address}\n{_without_it(page, address)}"
        f"The protocol, for programs:  {visitor.base}protocol",
        _FOR_WHOM,
    )


def _without_it(page: str, address: str) -> str:
    """The line with a command that needs no installed Tablero, if this server offers its wheel."""
    wheel = offered()
    return (
        "" if wheel is None else f"Without Tablero:       uvx --from {page}{wheel} tablero play {address}\n"
    )


@cache
def web_client() -> WebClient:
    """The client that came with this server."""
    return read_client(_folder())


def _folder() -> Path:
    """The folder of the client: beside this package if installed, otherwise in the source tree."""
    package = Path(__file__).parents[1]
    installed = package / "web"
    return installed if installed.is_dir() else package.parents[1] / "clients" / "web"


def read_client(folder: Path) -> WebClient:
    assets: dict[str, Asset] = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix in _KINDS and path.name not in _FOR_TOOLS and path.is_file():
            name = PurePosixPath(path.relative_to(folder)).as_posix()
            assets[name] = Asset.of(_KINDS[path.suffix], _without_comments(path))
    template = (folder / "index.html").read_text(encoding="utf-8")
    named = sha256(template.encode())
    for name, asset in assets.items():
        named.update(f"\0{name}\0{len(asset.plain)}\0".encode() + asset.plain)
    version = named.hexdigest()[:16]
    languages = {_ITS_OWN: ""} | {
        known[1]: _within(known[1], asset.plain)
        for name, asset in assets.items()
        if (known := _LANGUAGE.fullmatch(name))
    }
    pages = {}
    for language, words in languages.items():
        top, below = (
            Asset.of("text/html; charset=utf-8", _page(template, version, assets, up, words).encode())
            for up in ("./", "../")
        )
        pages[language] = top, below
    return WebClient(version, assets, pages)


def _without_comments(path: Path) -> bytes:
    """A file without its comments. Line numbers stay the same, so that browsers report the right lines."""
    whole = path.read_bytes()
    if path.suffix not in {".js", ".css"}:
        return whole
    return _COMMENT.sub(lambda comment: b"\n" * comment[0].count(b"\n"), whole)


def _within(language: str, words: bytes) -> str:
    """The page's texts inside an element that is neither shown nor run."""
    text = json.dumps(json.loads(words), ensure_ascii=False, separators=(",", ":"))
    return f'<template lang="{language}">{escape(text, quote=False)}</template>'


def _other_games() -> str:
    """An attribute of the page with the names and titles of games for which the client has no board."""
    others = {game.name: game.title for game in GAMES.values() if game.needs_drawing}
    return f' data-games="{escape(json.dumps(others))}"' if others else ""


def _page(template: str, version: str, assets: Mapping[str, Asset], up: str, words: str) -> str:
    """The page for addresses at the depth of `up`; its links are relative to the `base` element."""
    preloads = "\n".join(
        f'<link rel="modulepreload" href="assets/{version}/{name}">'
        for name in sorted(_imported(_FIRST, assets))
    )
    here = template.replace('<html lang="en">', f'<html lang="en"{_other_games()}>')
    here = here.replace('href="./"', f'href="{up}"').replace('"assets/', f'"assets/{version}/')
    return here.replace("<!-- modules -->", preloads).replace("<!-- language -->", words)


def _imported(first: str, assets: Mapping[str, Asset]) -> set[str]:
    """The module and all its direct and indirect imports."""
    found: set[str] = set()
    new = {first}
    while new:
        found |= new
        named = {(name, path) for name in new for path in _IMPORT.findall(assets[name].plain)}
        new = {normpath(PurePosixPath(name).parent / path.decode()) for name, path in named} - found
    return found

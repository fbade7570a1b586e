"""The server's own program as a wheel for its guests, built from the installed files.

Law: the wheel contains exactly the installed files, so guests install the version that is served. A server
that runs from its source has no wheel.
"""

from __future__ import annotations

import asyncio
import io
import zipfile
from base64 import urlsafe_b64encode
from functools import cache
from hashlib import sha256
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from typing import NamedTuple

from aiohttp import web

from .pages import long_answer, sentence

_MADE_HERE = {"INSTALLER", "RECORD", "REQUESTED", "direct_url.json"}
"""Files that an installer adds beside a package."""
_WHOLE = "tablero_server/app.py"
_WHEN = (1980, 1, 1, 0, 0, 0)
"""A fixed date, so that the wheel has the same bytes on every server."""
_MOST_BYTES = 2_000_000


class Wheel(NamedTuple):
    name: str
    content: bytes


def routes() -> list[web.RouteDef]:
    return [web.get("/{wheel:tablero-[0-9A-Za-z.+]+-py3-none-any[.]whl}", _answer)]


async def _answer(request: web.Request) -> web.Response:
    wheel = await asyncio.to_thread(own_wheel)
    if wheel is None or wheel.name != request.match_info["wheel"]:
        return sentence(404, "This server has no such wheel to give away.")
    return long_answer(wheel.content, "application/zip")


@cache
def own_wheel() -> Wheel | None:
    try:
        return wheel_of(distribution("tablero"))
    except PackageNotFoundError:
        return None


@cache
def offered() -> str | None:
    """The wheel's name, or None if this program was not installed from a wheel."""
    try:
        installed = distribution("tablero")
    except PackageNotFoundError:
        return None
    whole = any(path.as_posix() == _WHOLE for path in installed.files or ())
    return name_of(installed) if whole else None


def wheel_of(installed: Distribution) -> Wheel | None:
    """The wheel of an installed program. None for a source tree, if files are missing, or if the wheel is too
    large.
    """
    files = {path.as_posix(): path for path in installed.files or ()}
    if _WHOLE not in files:
        return None
    kept = sorted(name for name in files if not _is_made_here(name))
    packed, record = io.BytesIO(), []
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name in kept:
            content = files[name].read_binary()
            digest = urlsafe_b64encode(sha256(content).digest()).decode().rstrip("=")
            record.append(f"{name},sha256={digest},{len(content)}")
            wheel.writestr(zipfile.ZipInfo(name, _WHEN), content, zipfile.ZIP_DEFLATED)
        name = f"tablero-{installed.version}.dist-info/RECORD"
        wheel.writestr(zipfile.ZipInfo(name, _WHEN), "\n".join([*record, f"{name},,", ""]))
    content = packed.getvalue()
    return Wheel(name_of(installed), content) if len(content) <= _MOST_BYTES else None


def name_of(installed: Distribution) -> str:
    return f"tablero-{installed.version}-py3-none-any.whl"


def _is_made_here(name: str) -> bool:
    parts = name.split("/")
    is_beside = parts[0].endswith(".dist-info") and parts[-1] in _MADE_HERE
    return is_beside or parts[0] == ".." or "__pycache__" in parts

"""The parsed Dockerfile and compose file."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import yaml

from tests.harness.tree import ROOT


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile as (instruction, arguments), with continued lines joined."""
    lines = [line for line in (ROOT / "Dockerfile").read_text().splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in joined.splitlines()) if word]


def stages() -> list[list[tuple[str, str]]]:
    """The instructions of each stage, from its FROM on."""
    found: list[list[tuple[str, str]]] = []
    for word, rest in instructions():
        if word == "FROM":
            found.append([])
        if found:
            found[-1].append((word, rest))
    return found


def last(word: str) -> str:
    """The arguments of an instruction that occurs once in the final stage."""
    [rest] = [rest for name, rest in stages()[-1] if name == word]
    return rest


@cache
def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    return loaded


def service(name: str) -> dict[str, Any]:
    found: dict[str, Any] = compose()["services"][name]
    return found

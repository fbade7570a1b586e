"""What a module's source says about the layers: who it imports, and what of the outer world it touches.

Law: everything is core unless its folder is OUTSIDE or it is one of the DOORS, so a new folder is held to the
core's rules by default.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = {
    "tablero_protocol": ROOT / "protocol",
    "tablero_games": ROOT / "games",
    "tablero_server": ROOT / "server",
    "tablero": ROOT / "clients",
}

ARROWS: dict[str, set[str]] = {
    "tablero_protocol": set(),
    "tablero_games": set(),
    "tablero_server": {"tablero_protocol", "tablero_games"},
    "tablero": {"tablero_protocol", "tablero_games"},
}
"""Which of our packages each one may import, beside itself."""

STARTS_THE_SERVER = {"tablero.cli", "tablero.cli_admin", "tablero.cli_operations"}
"""The modules that may import tablero_server as well, inside a function, for a host's commands."""

OUTSIDE = {"tablero_server", "tablero.check", "tablero.full_screen", "tablero.hosting", "tablero.terminal"}
"""The folders in which any module may know of sockets, files, clocks, threads and chance."""

CORE_WITHIN = {"tablero_server.core"}
"""What of those is core all the same: nothing in it imports what is around it."""

DOORS = {
    "tablero",  # its names are imported when first used
    "tablero.__main__",
    "tablero.arena.command",
    "tablero.arena.online",
    "tablero.arena.processes",
    "tablero.brains.own_file",
    "tablero.brains.quoridor.levels",
    "tablero.cli",
    "tablero.cli_admin",
    "tablero.cli_bots",
    "tablero.cli_find",
    "tablero.cli_identity",
    "tablero.cli_operations",
    "tablero.cli_options",
    "tablero.client.connection",
    "tablero.client.identity",
    "tablero.client.unreachable",
    "tablero.engine.bridge",
    "tablero.engine.guard",
    "tablero.engine.process",
    "tablero.engine.stdio",
}
"""Single modules that may, in folders where all others may not."""

TOUCHES = {
    "asyncio", "concurrent", "multiprocessing", "queue", "subprocess", "threading",
    "aiohttp", "http", "select", "selectors", "socket", "ssl", "websockets", "urllib.request", "uvloop",
    "aiosqlite", "asyncpg", "redis", "sqlite3",
    "pydantic_settings", "structlog",
    "fcntl", "secrets", "shutil", "signal", "tempfile", "time",
    "builtins.input", "builtins.open",
    "datetime.date.today", "datetime.datetime.now", "datetime.datetime.today", "datetime.datetime.utcnow",
    "os.environ", "os.getenv", "os.open", "os.urandom", "random.SystemRandom", "uuid.uuid1", "uuid.uuid4",
}  # fmt: skip
"""Modules and names that a core module must not use. Of `random` it may use `Random` alone, with a seed."""

MAY_AWAIT = {"tablero"}
"""Packages whose core may be `async`: a client waits for answers, yet does not know how they come."""


@dataclass(frozen=True)
class Import:
    """One imported name: `from a import b` is "a.b", `import a` is "a"."""

    name: str
    alias: str
    line: int
    in_function: bool
    relative: bool

    @property
    def top(self) -> str:
        return self.name.split(".")[0]


@dataclass(frozen=True)
class Module:
    """A module's dotted name and its source text."""

    name: str
    source: str
    is_package: bool = False

    @property
    def package(self) -> str:
        return self.name.split(".")[0]

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.source)

    @cached_property
    def imports(self) -> list[Import]:
        """At its top, in functions, and for the type checker alone; relative ones resolved."""
        return list(self._imports_in(self.tree, in_function=False))

    def _imports_in(self, node: ast.AST, in_function: bool) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import | ast.ImportFrom):
                start = self._start(child) if isinstance(child, ast.ImportFrom) else ""
                relative = isinstance(child, ast.ImportFrom) and child.level > 0
                for name in child.names:
                    yield Import(
                        start + name.name, name.asname or name.name, child.lineno, in_function, relative
                    )
            else:
                function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
                yield from self._imports_in(child, in_function or function)

    def _start(self, node: ast.ImportFrom) -> str:
        """Where `from X import` looks, with the dot that follows."""
        parts = self.name.split(".") if self.is_package else self.name.split(".")[:-1]
        here = parts[: len(parts) - node.level + 1] if node.level else []
        return "".join(f"{part}." for part in [*here, *([node.module] if node.module else [])])

    def uses(self) -> Iterator[tuple[str, int]]:
        """Every name from elsewhere that the module spells out, in full, and its line."""
        names = {}
        for found in self.imports:
            yield found.name, found.line
            if found.alias == found.name:  # `import os.path` binds os
                names[found.top] = found.top
            else:
                names[found.alias] = found.name
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Name | ast.Attribute):
                yield in_full(node, names), node.lineno


def in_full(node: ast.AST, names: dict[str, str]) -> str:
    """`r.choice` after `import random as r` is "random.choice"; other names are builtins, all else "?"."""
    if isinstance(node, ast.Name):
        return names.get(node.id, f"builtins.{node.id}")
    if isinstance(node, ast.Attribute):
        return f"{in_full(node.value, names)}.{node.attr}"
    return "?"


def modules() -> list[Module]:
    """Every module of the four packages."""
    found = []
    for package, folder in FOLDERS.items():
        for path in sorted((folder / package).rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            is_package = parts[-1] == "__init__"
            name = ".".join(parts[:-1] if is_package else parts)
            found.append(Module(name, path.read_text(), is_package))
    return found


TESTS = {
    "tablero_protocol": "protocol",
    "tablero_games": "games",
    "tablero_server": "server",
    "tablero": "clients",
}
"""Where the tests of each package are."""

NOTHING_TO_TEST_ALONE = {
    "tablero.__main__": "starts the command line, which test_cli does in a process",
    "tablero.client.session_events": "values without a method, made and looked at in test_session",
    "tablero_protocol.examples": "a table, which test_schema and test_conversation read",
    "tablero_server.core.entry": "values, which test_room makes and test_rows reads back",
    "tablero_server.journal.trouble": "exceptions, for which test_opening and test_postgres look",
    "tablero_server.journal.schema": "tables, which test_migrations compares with what the migrations make",
}
"""Modules that need no test module of their name, and why. A package's own module needs none either."""


def mirror_of(module: Module) -> Path:
    """Where the tests of a module are: tests/ mirrors the tree."""
    package, *folders, name = module.name.split(".")
    return ROOT.joinpath("tests", TESTS[package], *folders, f"test_{name}.py")


def without_tests(found: list[Module]) -> set[str]:
    """The modules that should have a test module of their name, and have none."""
    return {
        module.name
        for module in found
        if not module.is_package
        and module.name not in NOTHING_TO_TEST_ALONE
        and not mirror_of(module).exists()
    }


NAMED_TWICE = {
    "Board": "the cells and walls of Quoridor's rules, and what a position of any game looks like",
    "Clock": "the terms of a clock in a message, and the clock that runs by them",
    "Connection": "the two ends of one",
    "Easy": "a bot's class has the name of its level",
    "Expert": "a bot's class has the name of its level",
    "Hard": "a bot's class has the name of its level",
    "Limits": "what a server holds, and the part of it that a welcome tells",
    "Normal": "a bot's class has the name of its level",
    "Refused": "the message, and the exception that it is raised as",
    "Resign": "the message, and what a bot raises to send it",
    "Room": "a room at the server, and as one of its members sees it",
    "Session": "the two sides of one",
    "Table": "a room in a message, and what a bot sits at",
    "Turn": "what was played, in a message, and a bot's chance to move",
}
"""Class names that are defined more than once, and why."""


def defined_twice(found: list[Module]) -> set[str]:
    """The names of classes that more than one of these modules defines."""
    names = [
        node.name for module in found for node in ast.walk(module.tree) if isinstance(node, ast.ClassDef)
    ]
    return {name for name in names if names.count(name) > 1}


def is_within(name: str, outer: str) -> bool:
    return name == outer or name.startswith(f"{outer}.")


def is_outside(name: str) -> bool:
    """Whether a module of this name may do I/O."""
    return name in DOORS or _is_in_a_folder_outside(name)


def _is_in_a_folder_outside(name: str) -> bool:
    is_core = any(is_within(name, folder) for folder in CORE_WITHIN)
    return not is_core and any(is_within(name, folder) for folder in OUTSIDE)


def broken_arrows(module: Module) -> list[str]:
    """Imports of our own packages, or of tests, that the arrows do not allow."""
    elsewhere = {*ARROWS, "tests", "trials", "bench"} - ARROWS[module.package] - {module.package}
    return [
        f"{module.name}:{found.line} imports {found.name}"
        for found in module.imports
        if found.top in elsewhere
        and not (module.name in STARTS_THE_SERVER and found.in_function and found.top == "tablero_server")
    ]


def touched(module: Module) -> list[str]:
    """What of the outer world a module touches, and so must not if it is core."""
    found = [f"{module.name}:{line} uses {name}" for name, line in module.uses() if is_forbidden(name)]
    if module.package not in MAY_AWAIT:
        waits = [node for node in ast.walk(module.tree) if isinstance(node, ast.AsyncFunctionDef | ast.Await)]
        found += [f"{module.name}:{node.lineno} is async" for node in waits]
    return sorted(set(found))


def is_forbidden(name: str) -> bool:
    if is_within(name, "random"):
        return not (name == "random" or is_within(name, "random.Random"))
    doors = DOORS - {"tablero"}
    return _is_in_a_folder_outside(name) or any(is_within(name, each) for each in TOUCHES | doors)


def other_distributions(module: Module) -> set[str]:
    """The top-level names of what a module imports that is neither ours nor Python's."""
    tops = {found.top for found in module.imports if not found.relative}
    return tops - sys.stdlib_module_names - ARROWS.keys()

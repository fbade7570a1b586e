"""The laws of the layers: which modules may import which, and which may touch the outside world.

Law: every module is core unless its folder is in OUTSIDE or it is in DOORS. So a new folder has to keep the
core's rules.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from pathlib import Path

from tablero_games import GAMES
from tests.harness.tree import ROOT, Module, modules_of

ARROWS: dict[str, set[str]] = {
    "tablero_protocol": set(),
    "tablero_games": set(),
    "tablero_server": {"tablero_protocol", "tablero_games"},
    "tablero": {"tablero_protocol", "tablero_games"},
    "generate": {"tablero_protocol", "tablero_games", "tablero"},
}
"""The packages of ours that each package may import besides itself."""

STARTS_THE_SERVER = {"tablero.cli", "tablero.cli_admin"}
"""The modules that may also import tablero_server, inside a function, for a host's commands."""

OUTSIDE = {
    "tablero_server",
    "tablero.bots",
    "tablero.check",
    "tablero.full_screen",
    "tablero.playing",
    "tablero.processes",
    "tablero.terminal",
}
"""The folders in which any module may use sockets, files, clocks, threads and randomness."""

CORE_WITHIN = {"tablero_server.core"}
"""The folders inside OUTSIDE that are core. Their modules don't import the folders around them."""

OF_THE_SERVER: dict[str, set[str]] = {
    "core": {"core"},
    "core.room": {"core.entry", "core.refusal", "core.room"},
    "wire": {"core", "observer", "settings", "wire"},
    "journal": {"core", "journal"},
    "processes": {"core", "processes"},
    "reach": {"settings", "reach"},
    "operations": {"journal", "operations", "reach", "settings"},
    "http": {"core", "http", "journal", "processes", "reach", "service", "wire"},
    "host": {"core", "host", "http", "journal", "observer", "operations", "service", "settings", "wire"},
}
"""The parts of tablero_server that the modules of each folder may import. `app` joins all of them."""

OF_THE_CLIENT: dict[str, set[str]] = {
    "playing": {
        "brains",
        "catalogue",
        "client",
        "errors",
        "event",
        "games",
        "playing",
        "processes",
        "table_view",
    },
    "terminal": {"catalogue", "client", "errors", "event", "games", "playing", "table_view", "terminal"},
    "full_screen": {
        "brains",
        "catalogue",
        "client",
        "errors",
        "event",
        "full_screen",
        "games",
        "playing",
        "table_view",
    },
}
"""The parts of tablero that the modules of these folders may import; people play with these folders."""

DOORS = {
    "tablero",  # imports these names when they are first used
    "tablero.__main__",
    "tablero.arena.command",
    "tablero.arena.online",
    "tablero.arena.processes",
    "tablero.brains.own_file",
    "tablero.brains.quoridor.levels",
    "tablero.cli",
    "tablero.cli_admin",
    "tablero.cli_bots",
    "tablero.cli_identity",
    "tablero.cli_options",
    "tablero.client.connection",
    "tablero.client.identity",
    "tablero.client.unreachable",
    "tablero.engine.bridge",
    "tablero.engine.stdio",
}
"""Single modules that may use the outside world, in folders where others may not."""

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
"""Modules and names that a core module must not use. From `random` it may use only `Random`, with a seed."""

MAY_AWAIT = {"tablero"}
"""Packages whose core may be `async`: a client waits for answers without knowing how they arrive."""


TESTS = {
    "tablero_protocol": "protocol",
    "tablero_games": "games",
    "tablero_server": "server",
    "tablero": "clients",
    "generate": "generate",
}
"""The folder with the tests of each package."""

NOTHING_TO_TEST_ALONE = {
    "tablero.__main__": "starts the command line, which test_cli does in a process",
    "tablero.playing.news": "values, which test_current_table and test_narrator hear",
    "tablero.client.session_events": "values without a method, made and looked at in test_session",
    "generate.__main__": "writes what the others make, with which their tests compare the files",
    "generate.examples": "a table, which test_schema and test_conversation read",
    "tablero_server.core.entry": "values, which test_room makes and test_rows reads back",
    "tablero_server.journal.journal": "a protocol and its exceptions, which test_journals holds all to",
    "tablero_server.journal.schema": "tables, which test_migrations compares with what the migrations make",
}
"""Modules without a test module of their name, with the reason. A package's `__init__` needs none."""


def mirror_of(module: Module) -> Path:
    """The path of a module's tests: tests/ mirrors the tree."""
    package, *folders, name = module.name.split(".")
    return ROOT.joinpath("tests", TESTS[package], *folders, f"test_{name}.py")


def without_tests(found: list[Module]) -> set[str]:
    """The modules that should have a test module of their name and have none."""
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
    "Limits": "what a server holds, and the part of it that a welcome tells",
    "Refused": "the message, and the exception that it is raised as",
    "Resign": "the message, and what a bot raises to send it",
    "Room": "a room at the server, and as one of its members sees it",
    "Session": "the two sides of one",
    "Table": "a room in a message, and what a bot sits at",
    "Turn": "what was played, in a message, and a bot's chance to move",
}
"""Class names that may be defined more than once, with the reason."""


def defined_twice(found: list[Module]) -> set[str]:
    """The names of classes that more than one of these modules defines."""
    names = [node.name for module in found for node, _ in module.statements if isinstance(node, ast.ClassDef)]
    return {name for name in names if names.count(name) > 1}


def imported(found: list[Module]) -> dict[str, set[str]]:
    """For each module, the others that it imports. Imports for the type checker count."""
    names = {module.name for module in found}

    def nearest(name: str) -> str:
        while name and name not in names:
            name = name.rpartition(".")[0]
        return name

    return {
        module.name: {nearest(each.name) for each in module.imports} - {module.name, ""} for module in found
    }


def with_one_importer(found: list[Module]) -> set[str]:
    """The modules that are imported by exactly one other module."""
    counts = Counter(name for names in imported(found).values() for name in names)
    return {name for name, count in counts.items() if count == 1}


def in_cycles(found: list[Module]) -> set[str]:
    """The modules that import themselves through others."""
    reached = imported(found)
    while True:
        further = {name: names.union(*(reached[each] for each in names)) for name, names in reached.items()}
        if further == reached:
            return {name for name, names in reached.items() if name in names}
        reached = further


def is_within(name: str, outer: str) -> bool:
    return name == outer or name.startswith(f"{outer}.")


def is_outside(name: str) -> bool:
    """Whether a module of this name may do I/O."""
    return name in DOORS or _is_in_a_folder_outside(name)


def _is_in_a_folder_outside(name: str) -> bool:
    is_core = any(is_within(name, folder) for folder in CORE_WITHIN)
    return not is_core and any(is_within(name, folder) for folder in OUTSIDE)


def broken_arrows(module: Module) -> list[str]:
    """The imports of our packages, or of tests, that ARROWS does not allow."""
    elsewhere = {*ARROWS, "tests", "trials", "bench"} - ARROWS[module.package] - {module.package}
    return [
        f"{module.name}:{found.line} imports {found.name}"
        for found in module.imports
        if found.top in elsewhere
        and not (module.name in STARTS_THE_SERVER and found.in_function and found.top == "tablero_server")
    ]


def broken_laws(module: Module) -> list[str]:
    """The imports within a package that its folder's law does not allow."""
    package = f"{module.package}."
    folders = {"tablero_server.": OF_THE_SERVER, "tablero.": OF_THE_CLIENT}.get(package, {})
    laws = [law for folder, law in folders.items() if is_within(module.name, f"{package}{folder}")]
    return [
        f"{module.name}:{found.line} imports {found.name}"
        for found in module.imports
        if found.name.startswith(package)
        and not all(any(is_within(found.name, f"{package}{each}") for each in law) for law in laws)
    ]


def touched(module: Module) -> list[str]:
    """The parts of the outside world that a module uses. A core module must not use any."""
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
    """The top-level names of imported packages that are neither ours nor Python's."""
    tops = {found.top for found in module.imports if not found.relative}
    return tops - sys.stdlib_module_names - ARROWS.keys()


SUBJECTS = {
    "tests.bench": "bench",
    "tests.trials": "trials",
    "trials": "trials",
    "tests.test_layers": "tests.layers",
    "tests.test_ratchets": "tests.layers bench.tree bench.walk",
    "tests.test_architecture": "bench.walk",
}
"""Test modules that import code outside product and harness, because they test that code."""


_ELSEWHERE = re.compile(r"\b(?:from|import)\s+(?:(?:tests|trials|bench)\b(?!\.harness\b)|\.)")
"""A pattern for imports from elsewhere. Most modules import only from tests/harness and need no
closer look.
"""


def cross_imports() -> list[str]:
    """The imports by which tests share code outside tests/harness."""
    found = [*modules_of(ROOT / "tests", ROOT), *modules_of(ROOT / "trials", ROOT)]
    return [each for module in found if _ELSEWHERE.search(module.source) for each in shared_elsewhere(module)]


def shared_elsewhere(module: Module) -> list[str]:
    """The imports of a test or trial module from test modules, or from other code outside the harness."""
    subjects = [
        each for tests, named in SUBJECTS.items() if is_within(module.name, tests) for each in named.split()
    ]
    allowed = ["tests.harness"] if is_within(module.name, "tests.harness") else ["tests.harness", *subjects]
    if not is_within(module.name, "tests"):
        allowed.append("bench")
    return [
        f"{module.name}:{found.line} imports {found.name}"
        for found in module.imports
        if found.top in {"tests", "trials", "bench"}
        and (is_of_a_test(found.name) or not any(is_within(found.name, each) for each in allowed))
    ]


def is_of_a_test(name: str) -> bool:
    return any(part == "conftest" or part.startswith("test_") for part in name.split("."))


A_GAME = re.compile("|".join(game.replace("-", ".?") for game in GAMES), re.IGNORECASE)
OF_A_GAME = [
    f"{folder}.{game.replace('-', '_')}"
    for folder in ("tablero_games", "tablero.games", "tablero.brains")
    for game in GAMES
]
"""The modules and folders that belong to each game."""
NAMES_GAMES = {
    "tablero_games.catalogue": "the list of them",
    "generate.examples": "the examples of messages are about some game",
}
"""Other code that names a game, with the reason. All other code uses only what games declare."""


def named_games(module: Module) -> list[str]:
    """The lines on which a module outside the games names a game, even in an explanation."""
    if any(is_within(module.name, each) for each in [*NAMES_GAMES, *OF_A_GAME]):
        return []
    lines = enumerate(module.source.splitlines(), start=1)
    return [f"{module.name}:{number} {found[0]}" for number, line in lines if (found := A_GAME.search(line))]

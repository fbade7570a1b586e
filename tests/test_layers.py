"""The imports between packages are allowed ones, and only marked modules touch the outside world."""

from __future__ import annotations

import re
import tomllib
from functools import cache

import pytest

from tests.harness.tree import ROOT, Module, modules
from tests.layers import (
    A_GAME,
    CORE_WITHIN,
    DOORS,
    NAMED_TWICE,
    NAMES_GAMES,
    NOTHING_TO_TEST_ALONE,
    OF_THE_SERVER,
    OUTSIDE,
    broken_arrows,
    broken_laws,
    defined_twice,
    in_cycles,
    is_outside,
    is_within,
    mirror_of,
    named_games,
    other_distributions,
    shared_elsewhere,
    touched,
    with_one_importer,
    without_tests,
)

MODULES = modules()
EXTRAS = {"tablero_server": ("server", "cluster"), "tablero": ("bots", "play"), "generate": ("dev",)}


def test_every_module_imports_only_along_the_arrows() -> None:
    assert [broken for module in MODULES for broken in broken_arrows(module)] == []


def test_every_folder_keeps_its_law() -> None:
    assert [broken for module in MODULES for broken in broken_laws(module)] == []
    folders = {module.name.split(".")[1] for module in MODULES if module.name.startswith("tablero_server.")}
    packages = {folder for folder in folders if (ROOT / "server/tablero_server" / folder).is_dir()}
    assert packages == {folder.split(".")[0] for folder in OF_THE_SERVER}


@pytest.mark.parametrize(
    ("module", "text"),
    [
        ("tablero_server.wire.network", "from ..service import Service"),
        ("tablero_server.wire.network", "def f():\n    from ..journal.journal import Journal"),
        ("tablero_server.core.room.clock", "from ..people.session import Session"),
        ("tablero_server.journal.rows", "from ..wire import network"),
        ("tablero_server.operations.doctor", "from ..service import Service"),
        ("tablero.full_screen.app", "from ..terminal.lines import Screen"),
        ("tablero.terminal.play", "from ..full_screen.keys import Key"),
        ("tablero.playing.orders", "from ..terminal import line_mode"),
    ],
)
def test_a_planted_import_past_the_law_of_a_folder_is_found(module: str, text: str) -> None:
    assert len(broken_laws(Module(module, text))) == 1


def test_no_core_module_touches_anything_outside() -> None:
    core = [module for module in MODULES if not is_outside(module.name)]
    assert [touch for module in core for touch in touched(module)] == []


def test_every_module_that_is_marked_as_outside_exists_and_is_marked_once() -> None:
    names = {module.name for module in MODULES}
    assert (OUTSIDE | CORE_WITHIN | DOORS) - names == set()
    assert [door for door in DOORS for folder in OUTSIDE if is_within(door, folder)] == []


def test_every_door_leads_outside() -> None:
    """A door that touches nothing must become core again, except `tablero` and `python -m tablero`, which
    lead to others.
    """
    doors = [module for module in MODULES if module.name in DOORS - {"tablero", "tablero.__main__"}]
    assert [module.name for module in doors if not touched(module)] == []


def test_every_module_has_a_test_module_of_its_name() -> None:
    assert without_tests(MODULES) == set()


def test_every_module_that_needs_no_test_module_exists_and_has_none() -> None:
    known = {module.name: module for module in MODULES}
    assert NOTHING_TO_TEST_ALONE.keys() - known.keys() == set()
    assert [name for name in NOTHING_TO_TEST_ALONE if mirror_of(known[name]).exists()] == []


def test_nothing_but_a_games_own_modules_names_a_game() -> None:
    assert [found for module in MODULES for found in named_games(module)] == []


def test_whatever_may_name_a_game_does() -> None:
    exempt = [module for module in MODULES if any(is_within(module.name, each) for each in NAMES_GAMES)]
    assert all(
        any(A_GAME.search(module.source) for module in exempt if is_within(module.name, each))
        for each in NAMES_GAMES
    )


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("tablero_server.core.hub", 1),
        ("tablero.table_view.board", 1),
        ("tablero.brains.random", 1),
        ("tablero_games.play", 1),
        ("tablero.games.connect_four", 0),
        ("tablero.brains.connect_four.levels", 0),
    ],
)
def test_a_planted_name_of_a_game_is_found(name: str, found: int) -> None:
    text = '"""A module."""\nif room.game == "connect-four":\n    pass\n'
    assert len(named_games(Module(name, text))) == found


def test_no_class_name_is_defined_twice_without_a_reason() -> None:
    assert defined_twice(MODULES) == NAMED_TWICE.keys()


@cache
def brought_by(*extras: str) -> frozenset[str]:
    """The import names of the packages that the base installation and some extras install."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = list(project["dependencies"])
    for extra in extras:
        wanted += project["optional-dependencies"][extra]
    names = [re.split(r"[<>=;\[ ]", each)[0].replace("-", "_") for each in wanted]
    return frozenset([*names, "pydantic_core"])  # pydantic installs this one


def test_every_module_imports_only_what_its_installation_brings() -> None:
    for module in MODULES:
        unknown = other_distributions(module) - brought_by(*EXTRAS.get(module.package, ()))
        if is_within(module.name, "tablero.full_screen"):
            unknown -= {"rich"}  # Textual installs it, and draws with it
        assert not unknown, f"{module.name} imports {unknown}"


def test_only_the_full_screen_knows_its_toolkit() -> None:
    """The look of a table does not depend on the toolkit, so another screen could show it, too."""
    knowing = {module.name for module in MODULES if other_distributions(module) & {"textual", "rich"}}
    assert knowing
    assert all(is_within(name, "tablero.full_screen") for name in knowing)


# The checkers themselves

PLANTED_ARROWS = {
    "a game that knows the protocol": ("tablero_games.hex", "from tablero_protocol import messages"),
    "a protocol that knows a game": ("tablero_protocol.codec", "import tablero_games.position"),
    "a server that knows a client": ("tablero_server.core.hub", "from tablero.brains import random"),
    "a client that knows the server": ("tablero.bot", "def f():\n    from tablero_server import hub"),
    "a command that always loads the server": ("tablero.cli", "from tablero_server.app import serve"),
    "a server that knows its tests": ("tablero_server.core.hub", "from tests.layers import modules"),
    "for the type checker alone": (
        "tablero.bot",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import tablero_server.core.hub",
    ),
}


@pytest.mark.parametrize(("module", "text"), PLANTED_ARROWS.values(), ids=PLANTED_ARROWS.keys())
def test_a_planted_arrow_is_found(module: str, text: str) -> None:
    assert len(broken_arrows(Module(module, text))) == 1


def test_the_command_line_may_load_the_server_when_it_serves() -> None:
    assert (
        broken_arrows(Module("tablero.cli", "def serve():\n    from tablero_server.app import serve")) == []
    )


PLANTED_TOUCHES = [
    "import asyncio",
    "import asyncio.queues as q",
    "from asyncio import Queue",
    "def f():\n    import threading",
    "import time",
    "from time import monotonic",
    "import aiohttp.web",
    "import websockets",
    "import uvloop",
    "import secrets",
    "import random\nrandom.choice([1])",
    "import random as dice\ndice.shuffle([1])",
    "from random import randint",
    "from random import SystemRandom",
    "import os\nos.urandom(8)",
    "import os.path\nos.urandom(8)",
    "import os\nos.environ['HOME']",
    "import datetime\ndatetime.datetime.now()",
    "from datetime import datetime\ndatetime.now(None)",
    "import uuid\nuuid.uuid4()",
    "open('log')",
    "async def f():\n    pass",
    "from ..wire.network import Network",
    "from ..journal import committer",
    "from tablero_server.journal.journal import Journal",
]


@pytest.mark.parametrize("text", PLANTED_TOUCHES)
def test_a_planted_touch_of_the_outer_world_is_found(text: str) -> None:
    assert touched(Module("tablero_server.core.hub", text))


PLANTED_SHARING = {
    "from another test": ("tests.server.http.test_api", "from tests.server.test_app import a_browser"),
    "from another test, by its package": ("tests.server.http.test_api", "from .wire import test_pages"),
    "from a neighbour that is no test": ("tests.games.test_play", "def f():\n    from .oracle import State"),
    "from a trial": ("tests.server.test_copies", "from trials.kill_loop import read_logs"),
    "from a bench": ("tests.server.test_copies", "import bench.load"),
    "from a test into the harness": ("tests.harness.pages", "from tests.server.test_app import a_browser"),
    "from a trial into the harness": ("tests.harness.pages", "from trials.churn import churn"),
    "from a test into a trial": ("trials.churn", "from trials.simulation.test_ledger import a_turn"),
}


@pytest.mark.parametrize(("module", "text"), PLANTED_SHARING.values(), ids=PLANTED_SHARING.keys())
def test_code_that_is_shared_past_the_harness_is_found(module: str, text: str) -> None:
    assert len(shared_elsewhere(Module(module, text))) == 1


@pytest.mark.parametrize("name", ["tests.server.http.test_api", "tests.harness.pages", "trials.churn"])
def test_what_the_harness_shares_passes(name: str) -> None:
    assert shared_elsewhere(Module(name, "from tests.harness.wire import a_server\nimport json")) == []


def test_a_test_may_import_what_it_tests() -> None:
    assert shared_elsewhere(Module("tests.trials.test_churn", "from trials.churn import churn")) == []
    assert shared_elsewhere(Module("tests.bench.test_load", "from bench import load")) == []


HARMLESS = [
    "from random import Random\nRandom(7).choice([1])",
    "import random\nrandom.Random(7).choice([1])",
    "from datetime import datetime\ndatetime.fromtimestamp(0)",
    "import os.path\nos.path.join('a', 'b')",
    "from .clock import Clock",
    "from uuid import UUID",
    "class Room:\n    def open(self):\n        return self.open()",
    "async_things = await_me = 1",
]


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_pure_passes(text: str) -> None:
    assert touched(Module("tablero_server.core.hub", text)) == []


def test_a_client_may_wait_but_not_say_how() -> None:
    assert touched(Module("tablero.client.room", "async def play():\n    await answer()")) == []
    assert touched(Module("tablero.client.room", "import asyncio")) != []


def test_a_class_name_in_two_modules_is_seen() -> None:
    one, other = (
        Module("tablero.a", "class Door:\n    class Lock: ..."),
        Module("tablero.b", "class Lock: ..."),
    )
    assert defined_twice([one, other]) == {"Lock"}
    assert defined_twice([one]) == set()


def test_modules_in_a_cycle_and_with_one_importer_are_seen() -> None:
    found = [
        Module("tablero.a", "from .b import Door\nfrom .d import Roof"),
        Module("tablero.b", "from .c import Lock"),
        Module("tablero.c", "if TYPE_CHECKING:\n    from . import a, d"),
        Module("tablero.d", ""),
        Module("tablero.e", "from . import a"),
    ]
    assert in_cycles(found) == {"tablero.a", "tablero.b", "tablero.c"}
    assert with_one_importer(found) == {"tablero.b", "tablero.c"}


def test_a_module_without_tests_is_seen() -> None:
    assert without_tests([Module("tablero.client.brand_new", ""), Module("tablero.brand", "", True)]) == {
        "tablero.client.brand_new"
    }
    assert without_tests([Module("tablero_games.quoridor.rules", "")]) == set()


def test_a_new_module_is_core() -> None:
    assert not is_outside("tablero_server.core.brand_new")
    assert is_outside("tablero_server.wire.brand_new")
    assert is_outside("tablero.terminal.brand_new")
    assert is_outside("tablero_server.brand_new")
    assert not is_outside("tablero.brand_new.module")
    assert not is_outside("tablero.brains.brand_new")


def test_an_import_that_no_dependency_brings_is_seen() -> None:
    assert other_distributions(Module("tablero.bot", "import numpy.linalg\nimport json")) == {"numpy"}

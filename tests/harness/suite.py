"""The test run: in any order, on several workers, with the same environment, and without leftovers.

It is a pytest plugin, named in pyproject.toml.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
import socket
import stat
import sys
import tempfile
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from multiprocessing import active_children, forkserver, resource_tracker, util
from pathlib import Path
from subprocess import Popen
from typing import Any
from zlib import adler32

import pytest
from _pytest.assertion import rewrite
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

from .leftovers import MARK, end_after_this_process, started_by_tests
from .tiers import FULL

pytest.register_assert_rewrite("tests.harness", "tests.layers", "trials", "bench")

settings.register_profile(
    "certain",
    derandomize=not FULL,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("certain")  # the same examples each time, however busy the machine is

_WORKERS_A_CORE = 2
"""The number of workers for each core: while one waits for a disk, a clock or a process, another has work."""
_BROWSERS = "tests/clients/web/"
_LONG = (
    "tests/clients/full_screen/test_pictures.py",
    "tests/test_two_networks.py",
    "tests/clients/full_screen/test_table_screen.py",
    "tests/clients/full_screen/test_whole_games.py",
    "tests/test_othello.py",
    "tests/bench/test_load.py",
    "tests/trials/test_overload.py",
    "tests/clients/check/test_check.py",
    "trials/simulation/test_simulation.py",
    "tests/clients/full_screen/test_coming_back.py",
)
"""Modules that start first, so that no worker ends long after the others."""
_KEPT = {"TABLERO_TEST_POSTGRES", MARK, "PYTHONPATH"}
"""Environment variables that tests or their users may set."""
_warden = pytest.StashKey[Popen[bytes]]()
_left = pytest.StashKey[list[str]]()


def pytest_load_initial_conftests() -> None:
    """Sets the same environment and signals, however the run was started."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a script's background job
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:  # as under nohup
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    for name in [*os.environ]:
        if name.startswith(("TABLERO_", "PYTHON", "MAKE", "MFLAGS", "ARGS")) and name not in _KEPT:
            del os.environ[name]
    os.environ["TABLERO_LANG"] = "en"
    os.environ["SSL_CERT_FILE"] = os.devnull  # otherwise each program reads 150 certificates
    sys.dont_write_bytecode = False  # otherwise each program that a test starts compiles ours again


def is_worker(config: pytest.Config) -> bool:
    return hasattr(config, "workerinput")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_left] = []
    if is_worker(config):
        tempfile.tempdir = None
        return
    # The name is short, because the path of a socket can have only about a hundred letters.
    folder = tempfile.mkdtemp(prefix="tt-")
    os.environ[MARK] = folder
    config.stash[_warden] = end_after_this_process(folder)
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    home = Path(folder, "home")
    home.mkdir()
    os.environ["TABLERO_HOME"] = os.environ["XDG_DATA_HOME"] = str(home)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Exempts the objects made by collecting from garbage collection, which would slow down each test."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = [name for name, runs in (("full", FULL), ("hours", config.option.markexpr)) if not runs]
    longer = {item for item in items for name in left_out if item.get_closest_marker(name)}
    if longer:
        config.hook.pytest_deselected(items=list(longer))
        items[:] = [item for item in items if item not in longer]
    if is_worker(config):
        items.sort(key=lambda item: not item.nodeid.startswith((_BROWSERS, *_LONG)))


@pytest.hookimpl(tryfirst=True)  # xdist counts cores, and its own hook may run before this one
def pytest_xdist_auto_num_workers() -> int:
    return _WORKERS_A_CORE * (os.cpu_count() or 1)


def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Rewrites the assertions of changed modules once, on all cores, instead of once in each worker."""
    root = config.rootpath
    modules = [
        each for folder in ("tests", "trials", "bench") for each in sorted((root / folder).rglob("*.py"))
    ]
    changed = [each for each in modules if rewrite._read_pyc(each, _rewritten(each)) is None]
    cores = os.cpu_count() or 1
    children = []
    for core in range(cores if changed else 0):
        if child := os.fork():
            children.append(child)
            continue
        with suppress(BaseException):  # a worker reports the error of a module
            rewrite_all(config, changed[core::cores])
        os._exit(0)
    for child in children:
        os.waitpid(child, 0)


def rewrite_all(config: pytest.Config, modules: Iterable[Path]) -> None:
    """Writes modules with rewritten assertions to the place where pytest looks for them."""
    for module in modules:
        place = _rewritten(module)
        place.parent.mkdir(exist_ok=True)
        with suppress(SyntaxError):
            source, code = rewrite._rewrite_test(module, config)
            rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, source, place)


def _rewritten(module: Path) -> Path:
    return rewrite.get_cache_dir(module) / f"{module.stem}{rewrite.PYC_TAIL}"


class Modules(LoadScopeScheduling):  # type: ignore[misc]
    """Gives each worker whole modules in the order of collection, so that shared fixtures are made once.

    All workers but one have a Chromium: with one more, pages would be too slow.
    """

    def __init__(self, config: pytest.Config, log: Any = None) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False

    def _split_scope(self, nodeid: str) -> str:
        module = nodeid.split("::", 1)[0]
        if not module.startswith(_BROWSERS):
            return module
        return f"{_BROWSERS}{adler32(module.encode()) % max(1, self.numnodes - 1)}"

    def remove_node(self, node: Any) -> str | None:
        """Counts a test that has ended its worker as done, so that no other worker runs it again."""
        under_way = ((tests, test) for tests in self.assigned_work[node].values() for test in tests)
        crashed = next((test for tests, test in under_way if not tests[test]), None)
        for tests in self.assigned_work[node].values():
            if crashed in tests:
                tests[crashed] = True
        super().remove_node(node)
        return crashed


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling:
    return Modules(config, log)


def listening() -> Iterator[str]:
    """The sockets of this process that still listen."""
    for name in os.listdir("/proc/self/fd") if Path("/proc/self/fd").exists() else ():
        with suppress(OSError):
            number = int(name)
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                with socket.socket(fileno=os.dup(number)) as held:
                    if held.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                        yield f"a socket that listens at {held.getsockname()}"


def pytest_testnodedown(node: Any, error: object) -> None:
    node.config.stash[_left].extend(getattr(node, "workeroutput", {}).get("left", ()))


def end_python_helpers() -> None:
    """Ends the two helper processes of `multiprocessing`, which otherwise end a moment later."""
    helpers: tuple[Any, ...] = (forkserver._forkserver, resource_tracker._resource_tracker)
    if not active_children():
        for helper in helpers:
            helper._stop()


@pytest.hookimpl(wrapper=True)
def pytest_sessionfinish(session: pytest.Session) -> Iterator[None]:
    """Reports processes and ports that tests have left. They end with the run; their files are removed with
    its folder.
    """
    yield
    config = session.config
    left = config.stash[_left]
    left.extend(listening())
    end_python_helpers()
    if is_worker(config):
        config.workeroutput["left"] = left  # type: ignore[attr-defined]
        return
    left.extend(started_by_tests(os.environ[MARK]))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    for line in config.stash[_left]:
        terminalreporter.write_line(f"LEFT BEHIND {line}", red=True)


def pytest_unconfigure(config: pytest.Config) -> None:
    if not is_worker(config):
        warden = config.stash[_warden]
        warden.communicate()
        # otherwise the finalizers would look for files in this folder when the process ends
        vars(util)["_run_finalizers"]()
        shutil.rmtree(os.environ[MARK], ignore_errors=True)

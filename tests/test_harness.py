"""The shared code of tests: failing assertions show their values, and pairs of parameters really meet."""

from __future__ import annotations

import gc
import os
import signal
from importlib import import_module
from itertools import combinations, product
from multiprocessing import forkserver
from pathlib import Path

import pytest
from _pytest.assertion import rewrite

from tablero.bots.workers import CONTEXT
from tablero_games import GAMES
from tests.harness.addresses import ADDRESSES
from tests.harness.games.refusals import assert_refused
from tests.harness.hands import HANDS
from tests.harness.suite import _LONG, end_python_helpers, rewrite_all
from tests.harness.warm import Forked
from tests.harness.web.tables import GAMES as ON_BOARDS
from tests.harness.web.tables import hands_at_addresses


def test_a_failing_assertion_in_the_harness_shows_its_values() -> None:
    with pytest.raises(AssertionError, match=r"illegalMove.*!= 'full'"):
        assert_refused(GAMES["tic-tac-toe"].start(), 0, "z9", "full", "")


@pytest.mark.parametrize("name", ["tests.layers", "trials.simulation.world", "bench.walk"])
def test_assertions_are_rewritten_in_all_that_tests_import(name: str) -> None:
    assert type(import_module(name).__loader__).__name__ == "AssertionRewritingHook"


def test_a_rewritten_module_is_where_pytest_looks_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    module = tmp_path / "test_new.py"
    module.write_text("def wrong():\n    one = 1\n    assert one == 2\n")
    rewrite_all(pytestconfig, [module])
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(rewrite, "_rewrite_test", None)  # so that pytest can only read existing files
    with pytest.raises(AssertionError, match="1 == 2"):
        import_module("test_new").wrong()


def test_modules_that_begin_first_are_there(pytestconfig: pytest.Config) -> None:
    assert [name for name in _LONG if not (pytestconfig.rootpath / name).is_file()] == []


def test_a_forked_command_says_and_ends_as_it_would_alone(tmp_path: Path) -> None:
    with tmp_path.joinpath("said").open("w+b") as said:
        forked = Forked(["tablero", "verify", "--lang", "fr"], os.environ, said.fileno())
        assert forked.wait(30) == forked.poll() == 2
        said.seek(0)
        assert b"FILE" in said.read()


def test_a_forked_command_that_is_killed_is_gone_when_it_has_been_waited_for(tmp_path: Path) -> None:
    with tmp_path.joinpath("said").open("wb") as said:
        forked = Forked(["http.server", "--bind", "127.0.0.1", "0"], os.environ, said.fileno())
    with pytest.raises(TimeoutError):
        forked.wait(0)
    forked.kill()
    assert forked.wait() == -signal.SIGKILL
    with pytest.raises(ProcessLookupError):
        os.kill(forked.pid, 0)
    forked.kill()  # as with Popen, nothing


def test_helpers_of_python_end_with_the_session_and_start_again() -> None:
    for _ in range(2):
        child = CONTEXT.Process(target=os.getpid)
        child.start()
        child.join()
        helper = forkserver._forkserver._forkserver_pid  # type: ignore[attr-defined]
        end_python_helpers()
        with pytest.raises(ProcessLookupError):
            os.kill(helper, 0)


def test_a_search_for_cycles_leaves_out_what_collecting_has_made() -> None:
    assert gc.isenabled()
    assert gc.get_freeze_count() > len(gc.get_objects())


def test_each_core_has_two_workers(pytestconfig: pytest.Config) -> None:
    workers = pytestconfig.hook.pytest_xdist_auto_num_workers(config=pytestconfig)
    assert workers == 2 * (os.cpu_count() or 1)


def test_any_two_of_game_hand_and_address_meet() -> None:
    games = range(len(ON_BOARDS))
    tried = [(game, hand.kind, where) for game in games for hand, where in hands_at_addresses(game)]
    for one, other in combinations(range(3), 2):
        values = (games, HANDS, ADDRESSES)
        assert {(each[one], each[other]) for each in tried} == set(product(values[one], values[other]))

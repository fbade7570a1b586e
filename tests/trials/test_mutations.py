"""Mutants change code that runs, one thing at a time, and are found again in another state of the source."""

from __future__ import annotations

from random import Random

import pytest

from trials.mutations import KINDS, Mutant, choose, lines_of_code, mutants, plant, shares


def function(*lines: str) -> str:
    return "\n    ".join(["def f(a, b):", *lines]) + "\n"


def changes(line: str) -> list[tuple[str, str]]:
    """The kind and the new line of each mutant of a function with one line."""
    return [(mutant.kind, mutant.after.strip()) for mutant in mutants("m.py", function(line))]


ONE_OF_EACH = [
    ("comparison", "x = a <= b", "x = a < b"),
    ("comparison", "x = (a) is not (b)", "x = (a) is (b)"),
    ("comparison", "x = 'é' in a", "x = 'é' not in a"),
    ("boolean operator", "x = a and b", "x = a or b"),
    ("boolean operator", "x = not a", "x = (a)"),
    ("arithmetic", "x = a // b", "x = a * b"),
    ("arithmetic", "a += b", "a -= b"),
    ("constant", "x = True", "x = False"),
    ("constant", "x = 7", "x = 0"),
    ("constant", "x = 'word'", 'x = ""'),
    ("returned value", "return a", "return None"),
    ("removed statement", "a.append(b)", "pass"),
    ("removed statement", "a.b = b", "pass"),
    ("removed statement", "raise a", "pass"),
    ("negated condition", "x = [y for y in a if y]", "x = [y for y in a if (not (y))]"),
    ("negated condition", "if a: x = b", "if (not (a)): x = b"),
    ("off by one", "x = 7", "x = 8"),
    ("off by one", "x = range(a)", "x = range((a) + 1)"),
    ("off by one", "x = len(a)", "x = (len(a) - 1)"),
]


@pytest.mark.parametrize(("kind", "line", "changed"), ONE_OF_EACH)
def test_a_line_is_changed(kind: str, line: str, changed: str) -> None:
    assert (kind, changed) in changes(line)


def test_every_kind_is_shown_above() -> None:
    assert {kind for kind, _, _ in ONE_OF_EACH} == set(KINDS)


SPARED = {
    "a docstring": function('"""Seven of 7."""'),
    "an annotation": function("x: list[7]"),
    "a default": "def f(a=7): ...\n",
    "a decorator": "@cached(7)\ndef f(): ...\n",
    "a type to cast to": function("x = cast('7', a)"),
    "an f-string": function("x = f'{7} days'"),
    "for the type checker": "if TYPE_CHECKING:\n    def f():\n        x = 7\n",
    "outside of functions": "x = 7\nclass A:\n    y = 7\n",
}


@pytest.mark.parametrize("source", SPARED.values(), ids=SPARED)
def test_what_does_not_run_in_a_function_is_spared(source: str) -> None:
    assert [*mutants("m.py", source)] == []


def test_a_method_is_known_by_its_class() -> None:
    [mutant] = mutants("m.py", "class A:\n    def f(self):\n        def g():\n            return self\n")
    assert (mutant.function, mutant.line) == ("A.f.g", 4)


MODULE = function("x = a < b", "y = a < b", "return (", "    x", ")") + function("x = a < b")


def of_kind(kind: str, source: str = MODULE) -> list[Mutant]:
    return [each for each in mutants("m.py", source) if each.kind == kind]


def test_a_mutant_is_planted_where_it_was_chosen() -> None:
    for mutant in mutants("m.py", MODULE):
        planted = plant(MODULE, mutant)
        assert planted is not None
        assert planted.line == mutant.line
        was, now = (set(enumerate(text.splitlines())) for text in (MODULE, planted.source))
        assert {line for line, _ in was ^ now} == {mutant.line - 1}


def test_a_mutant_is_found_after_lines_have_moved() -> None:
    second = of_kind("comparison")[-1]
    planted = plant("import sys\n\n" + MODULE.replace("y =", "yes ="), second)
    assert planted is not None
    assert planted.line == second.line + 2
    assert planted.source.splitlines()[planted.line - 1] == "    x = a <= b"


def test_a_mutant_of_changed_lines_is_not_found() -> None:
    first, *_ = of_kind("comparison")
    assert plant(MODULE.replace("x = a < b", "x = b > a"), first) is None
    assert plant(MODULE.replace("def f", "def g"), first) is None


def test_a_statement_has_its_own_lines_but_not_those_in_it() -> None:
    source = function("if a and (", "    b", "):", "    return (", "        a", "    )")
    [condition], [value] = (of_kind(kind, source) for kind in ("boolean operator", "returned value"))
    planted = [plant(source, each) for each in (condition, value)]
    assert [sorted(each.statement) for each in planted if each] == [[2, 3, 4], [5, 6, 7]]


def test_each_kind_is_chosen_as_often_and_no_line_twice() -> None:
    source = function(*["x = a < b + 7", "x = a < b"] * 20)
    chosen = choose({"m.py": source}, 10, Random(1))
    assert chosen == choose({"m.py": source}, 10, Random(1)) != choose({"m.py": source}, 10, Random(2))
    assert len({each.line for each in chosen}) == 10
    kinds = [each.kind for each in chosen]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "comparison": 3,
        "arithmetic": 3,
        "constant": 2,
        "off by one": 2,
    }


def test_no_more_are_chosen_than_there_are() -> None:
    assert len(choose({"m.py": function("x = a < b", "return x")}, 12, Random(1))) == 2


def test_a_count_is_split_in_proportion() -> None:
    assert shares({"games": 13, "core": 33, "journal": 10}, 100) == {"games": 23, "core": 59, "journal": 18}


def test_only_lines_in_functions_count() -> None:
    assert lines_of_code("x = 1\n" + function('"""Say."""', "# why", "y = (", "    a", ")")) == 2

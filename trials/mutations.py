"""Single changes of Python source that tests should notice. They can be applied to any version with the same
lines.

Only code in functions is changed: no docstring, annotation, default or decorator.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import NamedTuple

KINDS = (
    "comparison",
    "boolean operator",
    "arithmetic",
    "constant",
    "returned value",
    "removed statement",
    "negated condition",
    "off by one",
)
COMPARISONS = {
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Is: (r"is\b", "is not"),
    ast.IsNot: (r"is\s+not\b", "is"),
    ast.In: (r"in\b", "not in"),
    ast.NotIn: (r"not\s+in\b", "in"),
}
ARITHMETIC = {
    ast.Add: (r"\+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: (r"\*", "//"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "//"),
    ast.Pow: (r"\*\*", "*"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: (r"\|", "&"),
    ast.BitXor: (r"\^", "&"),
}
"""A pattern for each operator, with its replacement."""
Function = ast.FunctionDef | ast.AsyncFunctionDef
Place = tuple[int, int]
"""A line, counted from 1, and a byte in it, counted from 0."""


@dataclass(frozen=True)
class Mutant:
    """One change. It names the text of whole lines in a function, so it is found again after other lines
    move.
    """

    kind: str
    path: str
    line: int
    """The line at which it was chosen."""
    function: str
    before: str
    after: str
    occurrence: int = 0
    """The index among several equal texts in the function."""

    def __str__(self) -> str:
        minus, plus = (["  " + mark + line for line in text.splitlines()]
                       for mark, text in (("-", self.before), ("+", self.after)))  # fmt: skip
        return "\n".join([f"{self.path}:{self.line} {self.function} ({self.kind})", *minus, *plus])


class Planted(NamedTuple):
    """A module with a mutant."""

    source: str
    line: int
    statement: frozenset[int]
    """The lines of the unchanged statement. If it runs, at least one of them is executed."""


class Change(NamedTuple):
    """New text for the range between two places."""

    kind: str
    start: Place
    end: Place
    text: str


def choose(sources: Mapping[str, str], count: int, chance: Random) -> list[Mutant]:
    """Chooses mutants, with equal numbers of each kind if possible, and at most one for each line."""
    by_kind: dict[str, list[Mutant]] = {kind: [] for kind in KINDS}
    for path, source in sorted(sources.items()):
        for mutant in mutants(path, source):
            by_kind[mutant.kind].append(mutant)
    chosen: dict[tuple[str, int], Mutant] = {}
    while len(chosen) < count and any(by_kind.values()):
        for kind in KINDS:
            left = [each for each in by_kind[kind] if (each.path, each.line) not in chosen]
            by_kind[kind] = left
            if left and len(chosen) < count:
                mutant = left.pop(chance.randrange(len(left)))
                chosen[mutant.path, mutant.line] = mutant
    return sorted(chosen.values(), key=lambda each: (each.path, each.line))


def shares(sizes: Mapping[str, int], count: int) -> dict[str, int]:
    """A count split in proportion to sizes; the parts with the largest remainders get the rest."""
    whole = sum(sizes.values())
    exact = {name: count * size / whole for name, size in sizes.items()}
    rounded = {name: int(each) for name, each in exact.items()}
    left = sorted(exact, key=lambda name: rounded[name] - exact[name])[: count - sum(rounded.values())]
    return {name: size + (name in left) for name, size in rounded.items()}


def lines_of_code(source: str) -> int:
    """The number of lines with code in functions."""
    nodes = [node for _, function in functions(ast.parse(source)) for node in _code(function)]
    return len({line for node in nodes if (line := getattr(node, "lineno", None)) is not None})


def mutants(path: str, source: str) -> Iterator[Mutant]:
    """Every mutant of a module."""
    lines = source.encode().splitlines(keepends=True)
    known = [*functions(ast.parse(source))]
    for name, function in known:
        for change in sorted({change for node in _code(function) for change in _changes(node, lines)}):
            first, last = change.start[0], change.end[0]
            before = lines[first - 1 : last]
            start, end = b"".join(before)[: change.start[1]], before[-1][change.end[1] :]
            after = b"".join([start, change.text.encode(), end])
            same = [each for other, each in known if other == name]
            yield Mutant(
                change.kind,
                path,
                first,
                name,
                b"".join(before).decode(),
                after.decode(),
                _occurrences(lines, same, before).index(first),
            )


def plant(source: str, mutant: Mutant) -> Planted | None:
    """The module with a mutant, or None if it no longer has the mutant's lines."""
    lines = source.encode().splitlines(keepends=True)
    before = mutant.before.encode().splitlines(keepends=True)
    tree = ast.parse(source)
    same = [function for name, function in functions(tree) if name == mutant.function]
    found = _occurrences(lines, same, before)
    if len(found) <= mutant.occurrence:
        return None
    line = found[mutant.occurrence]
    changed = [*lines[: line - 1], mutant.after.encode(), *lines[line - 1 + len(before) :]]
    own = range(line, line + len(before))
    return Planted(b"".join(changed).decode(), line, frozenset([*own, *_statement(tree, line)]))


def _occurrences(lines: Sequence[bytes], among: Sequence[Function], before: Sequence[bytes]) -> list[int]:
    """The lines of functions with one name at which some text begins."""
    starts = (line for each in among for line in range(each.lineno, _end(each)[0] + 2 - len(before)))
    return [line for line in starts if lines[line - 1 : line - 1 + len(before)] == [*before]]


def _statement(tree: ast.Module, line: int) -> range:
    """The lines of the innermost statement at a line, without inner statements."""
    at = [
        node for node in ast.walk(tree) if isinstance(node, ast.stmt) and node.lineno <= line <= _end(node)[0]
    ]
    inner = max(at, key=lambda node: (node.lineno, -_end(node)[0]))
    body = getattr(inner, "body", None)
    return range(inner.lineno, max(body[0].lineno, inner.lineno + 1) if body else _end(inner)[0] + 1)


def functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, Function]]:
    """The functions that can run, with their qualified names."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Function):
            yield prefix + node.name, node
        if isinstance(node, Function | ast.ClassDef):
            yield from functions(node, f"{prefix}{node.name}.")
        elif not (isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")):
            yield from functions(node, prefix)


def _code(function: Function) -> Iterator[ast.AST]:
    """The nodes of a function that run: without inner functions, docstrings, types and f-strings."""
    left: list[ast.AST] = [*function.body]
    while left:
        node = left.pop()
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if text or isinstance(node, Function | ast.ClassDef):
            continue
        yield node
        # the positions inside an f-string are known only from Python 3.12 on
        if isinstance(node, ast.JoinedStr):
            continue
        children = [*ast.iter_child_nodes(node)]
        if isinstance(node, ast.AnnAssign):
            children.remove(node.annotation)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "cast":
            children.remove(node.args[0])
        left += children


def _changes(node: ast.AST, lines: Sequence[bytes]) -> Iterator[Change]:
    match node:
        case ast.Compare(left=left, ops=ops, comparators=others):
            for operator, one, other in zip(ops, [left, *others], others, strict=False):
                yield _operator("comparison", lines, one, other, *COMPARISONS[type(operator)])
        case ast.BoolOp(op=ast.And(), values=values):
            for one, other in pairwise(values):
                yield _operator("boolean operator", lines, one, other, r"and\b", "or")
        case ast.BoolOp(values=values):
            for one, other in pairwise(values):
                yield _operator("boolean operator", lines, one, other, r"or\b", "and")
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield Change("boolean operator", _start(node), _end(node), f"({_text(lines, operand)})")
        case (
            ast.BinOp(left=one, op=operator, right=other)
            | ast.AugAssign(target=one, op=operator, value=other)
        ):
            if type(operator) in ARITHMETIC:
                yield _operator("arithmetic", lines, one, other, *ARITHMETIC[type(operator)])
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield Change("arithmetic", _start(node), _end(node), f"({_text(lines, operand)})")
        case ast.Constant(value=bool(value)):
            yield Change("constant", _start(node), _end(node), str(not value))
        case ast.Constant(value=int(value) | float(value)):
            yield Change("constant", _start(node), _end(node), "1" if value == 0 else "0")
        case ast.Constant(value=str(value)):
            yield Change("constant", _start(node), _end(node), '""' if value else '"mutated"')
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield Change("returned value", _start(value), _end(value), "None")
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            yield Change("negated condition", _start(test), _end(test), f"(not ({_text(lines, test)}))")
        case ast.match_case(guard=ast.expr() as test):
            yield Change("negated condition", _start(test), _end(test), f"(not ({_text(lines, test)}))")
        case ast.comprehension(ifs=tests):
            for test in tests:
                yield Change("negated condition", _start(test), _end(test), f"(not ({_text(lines, test)}))")
    match node:
        case (
            ast.Expr()
            | ast.AugAssign()
            | ast.Raise()
            | ast.Delete()
            | ast.Assign(targets=[ast.Attribute() | ast.Subscript(), *_])
        ):
            yield Change("removed statement", _start(node), _end(node), "pass")
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            yield Change("off by one", _start(node), _end(node), str(value + 1))
        case ast.Call(func=ast.Name(id="len")):
            yield Change("off by one", _start(node), _end(node), f"({_text(lines, node)} - 1)")
        case ast.Call(func=ast.Name(id="range"), args=[_, stop, *_] | [stop]) if not isinstance(
            stop, ast.Constant
        ):
            yield Change("off by one", _start(stop), _end(stop), f"({_text(lines, stop)}) + 1")


def _operator(
    kind: str, lines: Sequence[bytes], one: ast.expr, other: ast.expr, pattern: str, new: str
) -> Change:
    """The change that replaces the operator between two operands, which may be in parentheses."""
    (line, start), (last, end) = _end(one), _start(other)
    while True:
        stop = end if line == last else None
        if found := re.search(pattern.encode(), lines[line - 1][start:stop].partition(b"#")[0]):
            return Change(kind, (line, start + found.start()), (line, start + found.end()), new)
        line, start = line + 1, 0


def _text(lines: Sequence[bytes], node: ast.AST) -> str:
    (first, start), (last, end) = _start(node), _end(node)
    text = b"".join(lines[first - 1 : last])
    return text[start : len(text) - len(lines[last - 1]) + end].decode()


def _start(node: ast.AST) -> Place:
    assert isinstance(node, ast.stmt | ast.expr)
    return node.lineno, node.col_offset


def _end(node: ast.AST) -> Place:
    assert isinstance(node, ast.stmt | ast.expr)
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return node.end_lineno, node.end_col_offset

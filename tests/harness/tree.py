"""The source tree that the tests belong to, as text and as imports."""

from __future__ import annotations

import ast
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).parents[2]
_COMPILERS = (shutil.which("tsc"), *map(str, ROOT.glob("node_modules/.bin/tsc")))
TSC = next(filter(None, _COMPILERS), None) if shutil.which("node") else None
"""The TypeScript compiler with the node that runs it, if both are installed."""

FOLDERS = {
    "tablero_protocol": ROOT / "protocol",
    "tablero_games": ROOT / "games",
    "tablero_server": ROOT / "server",
    "tablero": ROOT / "clients",
    "generate": ROOT,
}


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
    def statements(self) -> list[tuple[ast.stmt, bool]]:
        """All statements, each with whether it is inside a function."""
        return list(_statements_in(self.tree, in_function=False))

    @cached_property
    def imports(self) -> list[Import]:
        """The imports of a module, resolved: at its top, in functions, and for the type checker."""
        return list(self._imports())

    def _imports(self) -> Iterator[Import]:
        for node, in_function in self.statements:
            if isinstance(node, ast.Import | ast.ImportFrom):
                start = self._start(node) if isinstance(node, ast.ImportFrom) else ""
                relative = isinstance(node, ast.ImportFrom) and node.level > 0
                for name in node.names:
                    yield Import(
                        start + name.name, name.asname or name.name, node.lineno, in_function, relative
                    )

    def _start(self, node: ast.ImportFrom) -> str:
        """The start of `from X import`, with the following dot."""
        parts = self.name.split(".") if self.is_package else self.name.split(".")[:-1]
        here = parts[: len(parts) - node.level + 1] if node.level else []
        return "".join(f"{part}." for part in [*here, *([node.module] if node.module else [])])

    def uses(self) -> Iterator[tuple[str, int]]:
        """Every imported name that the module uses, in full, with its line."""
        names = {}
        for found in self.imports:
            yield found.name, found.line
            if found.alias == found.name:  # `import os.path` binds `os`
                names[found.top] = found.top
            else:
                names[found.alias] = found.name
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Name | ast.Attribute):
                yield in_full(node, names), node.lineno


def _statements_in(node: ast.AST, in_function: bool) -> Iterator[tuple[ast.stmt, bool]]:
    inside = in_function or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    for block in ("body", "orelse", "finalbody", "handlers", "cases"):
        for child in getattr(node, block, ()):
            if isinstance(child, ast.stmt):
                yield child, inside
            yield from _statements_in(child, inside)


def in_full(node: ast.AST, names: dict[str, str]) -> str:
    """The full name of an expression: `r.choice` after `import random as r` is "random.choice". Builtins keep
    their names; other expressions are "?".
    """
    if isinstance(node, ast.Name):
        return names.get(node.id, f"builtins.{node.id}")
    if isinstance(node, ast.Attribute):
        return f"{in_full(node.value, names)}.{node.attr}"
    return "?"


@cache
def modules() -> list[Module]:
    """Every module of the four packages and of `generate`."""
    return [module for package, folder in FOLDERS.items() for module in modules_of(folder / package, folder)]


def modules_of(package: Path, folder: Path) -> Iterator[Module]:
    """Every module of a package in `folder`."""
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        name = ".".join(parts[:-1] if is_package else parts)
        yield Module(name, path.read_text(), is_package)

"""Checks that an installed wheel is complete; .ci/try-wheel runs it with the Python of an empty environment.

python -I installed.py SOURCE [MODULE...] compares with SOURCE, then also imports each MODULE
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

PACKAGES = {
    "protocol": "tablero_protocol",
    "games": "tablero_games",
    "server": "tablero_server",
    "clients": "tablero",
}


def shipped(package: Path) -> set[str]:
    """Every file of a package: modules, py.typed, schemas, tables."""
    files = (path.relative_to(package) for path in package.rglob("*") if path.is_file())
    return {path.as_posix() for path in files if "__pycache__" not in path.parts}


def missing(source: Path) -> list[str]:
    """The files of the source that are missing in the installed packages."""
    lost = []
    for folder, name in PACKAGES.items():
        package = import_module(name)
        installed = Path(str(package.__file__)).parent
        assert source not in installed.parents, f"{name} was imported from the source, not from the wheel"
        lost += [f"{name}/{file}" for file in sorted(shipped(source / folder / name) - shipped(installed))]
    page = Path(str(import_module("tablero_server").__file__)).parent / "web"
    return lost + [f"web/{file}" for file in sorted(shipped(source / "clients" / "web") - shipped(page))]


def main(source: str, *modules: str) -> int:
    for module in modules:
        import_module(module)
    lost = missing(Path(source))
    for file in lost:
        print(f"not in the wheel: {file}", file=sys.stderr)
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

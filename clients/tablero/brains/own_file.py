"""A bot's own file, loaded with the modules beside it into a separate module space.

Law: two files never share a module that lies beside them, even if a bot imports it while thinking. So two
versions of a bot may each have their own `helper.py`.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    ModuleSpec,
    PathFinder,
    SourceFileLoader,
)
from importlib.util import module_from_spec, spec_from_loader
from itertools import count
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any, ClassVar

_one_at_a_time = RLock()
"""Lock for putting one file's modules into `sys.modules`, where the others must not see them."""
_numbers = count(1)


def load(path: Path) -> ModuleType:
    """The file as a new module, with new copies of the modules beside it."""
    return _Space(path.resolve().parent).load(path.resolve())


class _Space:
    """A finder for the modules beside one file. Keeps the imported ones."""

    _entered: ClassVar[_Space | None] = None
    """The space whose modules are in `sys.modules` now."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)
        self._modules: dict[str, ModuleType] = {}
        self._hidden: dict[str, ModuleType] = {}
        self._tops: set[str] = set()
        """The top-level names that were found in the folder."""
        self.builtins = {**vars(builtins), "__import__": self._import}

    def load(self, path: Path) -> ModuleType:
        name = f"brain_{path.stem}_{next(_numbers)}"
        spec = spec_from_loader(name, _Loader(self, name, str(path)))
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules[name] = module_from_spec(spec)
        with self._own_modules():
            spec.loader.exec_module(module)
        return module

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module in the folder, or in a package there, for the import system."""
        top = name.partition(".")[0]
        if path is not None and top not in self._tops:
            return None
        for folder in path if path is not None else [self._folder]:
            loader: Any = partial(_Loader, self)
            sources, extensions = (loader, SOURCE_SUFFIXES), (ExtensionFileLoader, EXTENSION_SUFFIXES)
            spec = FileFinder(folder, sources, extensions).find_spec(name)
            if spec is None or (spec.loader is None and PathFinder.find_spec(name, path) is not None):
                continue  # a folder without modules is a package only if nothing else has its name
            self._tops.add(top)
            return spec
        return None

    def _import(self, *arguments: Any, **named: Any) -> ModuleType:
        with self._own_modules():
            return builtins.__import__(*arguments, **named)

    @contextmanager
    def _own_modules(self) -> Iterator[None]:
        """Let `import` find the modules of this space inside this context, and only there."""
        with _one_at_a_time:
            outer = _Space._entered
            if outer is self:
                yield
                return
            if outer is not None:
                outer._leave()
            self._enter()
            try:
                yield
            finally:
                self._leave()
                if outer is not None:
                    outer._enter()

    def _enter(self) -> None:
        _Space._entered = self
        self._hidden = {name: sys.modules[name] for name in self._modules if name in sys.modules}
        sys.modules.update(self._modules)
        sys.meta_path.insert(0, self)

    def _leave(self) -> None:
        _Space._entered = None
        sys.meta_path.remove(self)
        for name in [name for name in sys.modules if name.partition(".")[0] in self._tops]:
            self._modules[name] = sys.modules.pop(name)
        sys.modules.update(self._hidden)


class _Loader(SourceFileLoader):
    """Run a module so that all its imports, even later ones, are those of its space."""

    def __init__(self, space: _Space, name: str, path: str) -> None:
        super().__init__(name, path)
        self._space = space

    def exec_module(self, module: ModuleType) -> None:
        vars(module)["__builtins__"] = self._space.builtins
        super().exec_module(module)

"""Writes the generated files: `python -m generate`, or `make schema`."""

from __future__ import annotations

from .reference import PAGE, with_tables
from .schema import SHIPPED, as_text, document
from .typescript import DECLARED, declarations

if __name__ == "__main__":
    SHIPPED.write_text(as_text(document()), encoding="utf-8")
    DECLARED.write_text(declarations(), encoding="utf-8")
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")

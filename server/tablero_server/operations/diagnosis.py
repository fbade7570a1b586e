"""What `tablero doctor` says of one thing: whether it is well, what was found, and what to do."""

from __future__ import annotations

from typing import Literal, NamedTuple

Grade = Literal["ok", "warning", "error"]


class Diagnosis(NamedTuple):
    grade: Grade
    about: str
    what: str
    do: str = ""

    def line(self) -> str:
        return f"{self.grade:7}  {self.about:9} {self.what}" + (f" {self.do}" if self.do else "")


def ok(about: str, what: str) -> Diagnosis:
    return Diagnosis("ok", about, what)


def warning(about: str, what: str, do: str) -> Diagnosis:
    return Diagnosis("warning", about, what, do)


def error(about: str, what: str, do: str) -> Diagnosis:
    return Diagnosis("error", about, what, do)

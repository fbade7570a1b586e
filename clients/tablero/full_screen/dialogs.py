"""Questions in the middle of the screen (yes or no, a line of text, one of several), and pages to read."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from ..catalogue.speech import translate

Result = TypeVar("Result")
_CSS = """
{name} {{ align: center middle; background: $background 60%; }}
{name} > Vertical {{
    width: auto; max-width: 95%; min-width: 36; height: auto; max-height: 95%;
    background: $panel; padding: 1 2;
}}
{name} .title {{ text-style: bold; color: $accent; width: auto; max-width: 70; }}
{name} .keys {{ color: $foreground 70%; width: auto; max-width: 70; margin-top: 1; }}
{name} OptionList {{
    width: 60; max-width: 100%; height: auto; max-height: 14; background: $panel; border: none; padding: 0;
}}
{name} Input {{ width: 50; max-width: 100%; border: none; height: 1; background: $background; padding: 0 1; }}
"""


@dataclass(frozen=True)
class Choice:
    """One line of a list: its name and its description."""

    key: str
    title: str
    remark: str = ""


def option(choice: Choice, width: int = 24) -> Option:
    line = f"{choice.title:<{width}} {choice.remark}" if choice.remark else choice.title
    return Option(Content(line), id=choice.key)


async def open_dialog(
    app: App[Any],
    dialog: ModalScreen[Result],
    then: Callable[[Result | None], None] | Callable[[Result | None], Awaitable[None]] | None = None,
) -> None:
    """Open a dialog. Returns when the dialog takes keys, so that keys typed right after opening go
    to the dialog.
    """
    await app.push_screen(dialog, then)
    takes_keys = asyncio.Event()
    dialog.call_later(takes_keys.set)
    await takes_keys.wait()


class Confirm(ModalScreen[bool]):
    """A question that is answered by yes or no. Without an answer nothing happens."""

    DEFAULT_CSS = _CSS.format(name="Confirm")
    BINDINGS: ClassVar = [
        Binding("y,enter", "answer(True)", show=False),
        Binding("n,x,escape,q", "answer(False)", show=False),
    ]

    def __init__(self, question: str, yes: str, no: str) -> None:
        super().__init__()
        self._question, self._yes, self._no = question, yes, no

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self._question, classes="title", markup=False)
            choices = [
                Option(Content(f"y  {self._yes}"), id="yes"),
                Option(Content(f"n  {self._no}"), id="no"),
            ]
            yield OptionList(*choices, markup=False)

    def on_mount(self) -> None:
        self.query_one(OptionList).highlighted = 0

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_id == "yes")

    def action_answer(self, yes: bool) -> None:
        self.dismiss(yes)


class AskLine(ModalScreen[str | None]):
    """A question whose answer is a line of text. Returns None if there is no answer."""

    DEFAULT_CSS = _CSS.format(name="AskLine")
    BINDINGS: ClassVar = [Binding("escape", "give_up", show=False)]

    def __init__(self, question: str, value: str = "", remark: str = "") -> None:
        super().__init__()
        self._question, self._value, self._remark = question, value, remark

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self._question, classes="title", markup=False)
            yield Input(value=self._value)
            yield Static(
                self._remark or translate("Enter: continue, Esc: back."), classes="keys", markup=False
            )

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip() or None)

    def action_give_up(self) -> None:
        self.dismiss(None)


class Choose(ModalScreen[str | None]):
    """A list from which the person chooses one line. Returns None if none is chosen."""

    DEFAULT_CSS = _CSS.format(name="Choose")
    BINDINGS: ClassVar = [Binding("escape,q", "give_up", show=False)]

    def __init__(self, question: str, choices: Sequence[Choice], first: str | None = None) -> None:
        super().__init__()
        self._question, self._choices, self._first = question, choices, first

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self._question, classes="title", markup=False)
            width = max((len(choice.title) for choice in self._choices), default=0)
            yield OptionList(*(option(choice, width) for choice in self._choices), markup=False)
            yield Static(translate("Enter: continue, Esc: back."), classes="keys", markup=False)

    def on_mount(self) -> None:
        choices = self.query_one(OptionList)
        keys = [choice.key for choice in self._choices]
        choices.highlighted = keys.index(self._first) if self._first in keys else 0 if keys else None

    def add(self, choices: Sequence[Choice]) -> None:
        """Add choices that became known after opening."""
        width = max((len(choice.title) for choice in choices), default=0)
        self.query_one(OptionList).add_options([option(choice, width) for choice in choices])

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_id)

    def action_give_up(self) -> None:
        self.dismiss(None)


class Page(ModalScreen[None]):
    """Lines to read, with scrolling."""

    DEFAULT_CSS = (
        _CSS.format(name="Page")
        + "Page VerticalScroll { height: auto; max-height: 70vh; width: auto; max-width: 100%; }"
        + "Page .text { width: auto; max-width: 100%; }"
    )
    BINDINGS: ClassVar = [
        Binding("escape,q,enter,question_mark", "close", show=False),
        Binding("j", "scroll(1)", show=False),
        Binding("k", "scroll(-1)", show=False),
    ]

    def __init__(self, title: str, lines: Sequence[str]) -> None:
        super().__init__()
        self._title, self._lines = title, lines

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self._title, classes="title", markup=False)
            with VerticalScroll():
                yield Static(Content("\n".join(self._lines)), classes="text")
            yield Static(translate("Esc: back."), classes="keys", markup=False)

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()

    def action_close(self) -> None:
        self.dismiss(None)

    def action_scroll(self, lines: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

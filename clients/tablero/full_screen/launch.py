"""Start the full screen if it can be shown here."""

from __future__ import annotations

import errno
import locale
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, cast

from ..catalogue.speech import translate
from ..playing.options import BadOptionsFile, Preferences, glyphs_for, load, place, theme_for

if TYPE_CHECKING:
    from ..table_view.canvas import GlyphSet
    from .app import Visit

_HUNG_UP = 128 + 1
"""The exit code that shells give to a program ended by SIGHUP."""


def end_with_the_terminal(first: Callable[[], None]) -> None:
    """End this program together with the terminal. `first` is called before that, at once and from
    any thread.
    """

    def end() -> None:
        try:
            first()
        finally:
            os._exit(_HUNG_UP)

    def died(args: threading.ExceptHookArgs) -> None:
        if isinstance(args.exc_value, OSError) and args.exc_value.errno == errno.EIO:
            end()
        threading.__excepthook__(args)

    threading.excepthook = died
    hang_up = getattr(signal, "SIGHUP", None)  # Windows has no SIGHUP
    if hang_up is not None and signal.getsignal(hang_up) is not signal.SIG_IGN:
        signal.signal(hang_up, lambda *_: end())


INSTALL = "pip install 'tablero[play]'"


def is_capable(environment: Mapping[str, str], *, is_terminal: bool) -> bool:
    """Whether this is a terminal with a movable cursor."""
    return is_terminal and environment.get("TERM", "dumb") not in ("dumb", "unknown", "")


def is_installed() -> bool:
    return find_spec("textual") is not None


def show(visit: Visit, environment: Mapping[str, str], *, theme: str | None, glyphs: str | None) -> int:
    """Run the full screen to its end, and return the exit code."""
    from .app import TableroApp
    from .launch import end_with_the_terminal

    file = place()
    try:
        options = load(file)
    except BadOptionsFile as bad:
        print(bad, file=sys.stderr)
        return 2
    preferences = Preferences(file, options)
    chosen = glyphs or options.glyphs or glyphs_for(environment, locale.getpreferredencoding(False))
    app = TableroApp(
        visit,
        preferences,
        theme=theme or options.theme or theme_for(environment),
        glyphs=cast("GlyphSet", chosen),
    )
    end_with_the_terminal(app.end_server)
    code = app.run() or 0
    if app.return_code:
        return app.return_code
    return code


def without_textual() -> str:
    """The message when the line mode runs because Textual is missing."""
    return translate("For the full screen: {command}", command=INSTALL)

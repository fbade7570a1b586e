"""The end of the client with its terminal: nobody sees it any more, and it would wait for ever to write.

Textual writes in a thread of its own, which dies when the terminal is gone. What is to be drawn next then
stops the event loop, and with it every gentle way to end.
"""

from __future__ import annotations

import errno
import os
import signal
import threading
from collections.abc import Callable

_HUNG_UP = 128 + 1
"""The exit code that shells give to whoever was ended by SIGHUP."""


def end_with_the_terminal(first: Callable[[], None]) -> None:
    """From now on. `first` is done before, at once, and from any thread."""

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
    hang_up = getattr(signal, "SIGHUP", None)  # Windows has none
    if hang_up is not None and signal.getsignal(hang_up) is not signal.SIG_IGN:
        signal.signal(hang_up, lambda *_: end())

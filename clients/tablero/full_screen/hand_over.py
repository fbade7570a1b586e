"""The page for continuing on another device: a link as a QR code, valid once and for a minute."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from tablero_protocol.messages import QrCode, TokenLine
from tablero_protocol.text import clean

from ..catalogue.refusals import in_words
from ..catalogue.speech import translate
from ..client.addresses import is_this_machine, page
from ..client.client import Client
from ..errors import Disconnected, Refused
from ..table_view.canvas import GlyphSet
from ..table_view.qr_code import half_blocks, runs

if TYPE_CHECKING:
    from .app import TableroApp

_LOOK_SECONDS = 2.0
"""Seconds between two checks for the other device."""
_LIGHT, _DARK = "bold reverse #ffffff on #000000", "bold #ffffff on #000000"


class Way(NamedTuple):
    """The code with which another device continues."""

    link: str
    modules: list[str]
    """The modules of the QR code; empty if the server makes no QR codes."""
    until: int


class HandOverPage(ModalScreen[str | None]):
    """A page with a code for another device. Returns that device's name, or None if none has come."""

    DEFAULT_CSS = """
    HandOverPage { align: center middle; background: $background 60%; }
    HandOverPage > Vertical { width: auto; max-width: 100%; height: auto; background: $panel; padding: 0 1; }
    HandOverPage Static { width: auto; max-width: 100%; }
    HandOverPage .title { text-style: bold; color: $accent; }
    HandOverPage #left { color: $accent; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter", "close", show=False),
        Binding("g", "again", show=False),
    ]

    def __init__(self, client: Client, way: Way, glyphs: GlyphSet) -> None:
        super().__init__()
        self._client = client
        self._glyphs: GlyphSet = glyphs
        self._before: set[str] | None = None
        """The devices at the start."""
        self._way = way

    @property
    def link(self) -> str:
        return self._way.link

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(translate("Continue on another device"), classes="title", markup=False)
            yield Static(id="code")
            yield Static(id="link", markup=False)
            yield Static(id="left", markup=False)

    def on_mount(self) -> None:
        self.set_interval(0.5, self._show_left)
        self.set_interval(_LOOK_SECONDS, self._look)
        self._look()
        self._show()

    def on_resize(self, _: events.Resize) -> None:
        self._show()

    # Drawing

    def _show(self) -> None:
        lines = [
            self.link,
            translate("or on the other device: {command}", command=f"tablero play '{self.link}'"),
        ]
        if is_this_machine(self._client.address):
            told = translate("The server answers only this computer. For other devices, start it with --lan.")
            lines.append(told)
        code = self._code(len(lines) + 2)
        shown = self.query_one("#code", Static)
        shown.display = code is not None
        shown.update(code or Content(""))
        self.query_one("#link", Static).update(Content("\n".join(lines)))
        self._show_left()

    def _code(self, around: int) -> Content | None:
        """The QR code, or None if it doesn't fit or has expired."""
        modules = self._way.modules
        if not modules or self._seconds == 0:
            return None
        if self._glyphs == "ascii":
            lines = [
                Content.assemble(*((" " * length, _DARK if dark else _LIGHT) for length, dark in line))
                for line in runs(modules)
            ]
        else:
            lines = [Content.styled(line, _DARK) for line in half_blocks(modules)]
        width, height = self.app.size
        if lines[0].cell_length + 2 > width or len(lines) + around > height:
            return None
        return Content("\n").join(lines)

    @property
    def _seconds(self) -> int:
        return max(0, -(-(self._way.until - self._client.server_now) // 1000))

    def _show_left(self) -> None:
        if self._seconds > 0:
            told = translate("The code works once, for {seconds} seconds. Esc: back.", seconds=self._seconds)
        else:
            told = translate("The code has expired. g: new code, Esc: back.")
            self.query_one("#code").display = False
        self.query_one("#left", Static).update(Content(told))

    # Events

    def _look(self) -> None:
        self.run_worker(self._look_who_came(), exclusive=True)

    async def _look_who_came(self) -> None:
        with suppress(Refused, Disconnected):
            tokens = await self._client.list_tokens()
            if self._before is None:
                self._before = {token.id for token in tokens}
            new = [token for token in tokens if token.id not in self._before]
            if new and self.is_attached:
                self.dismiss(_called(new[0]))

    def action_again(self) -> None:
        self.run_worker(self._ask_again())

    async def _ask_again(self) -> None:
        with suppress(Refused, Disconnected):
            self._way = await _way(self._client)
            self._show()

    def action_close(self) -> None:
        self.dismiss(None)


async def hand_over(app: TableroApp) -> None:
    """Ask for a code, show it, and name the device that used it."""
    if app.queue is None:
        return
    client = app.queue.client
    try:
        way = await _way(client)
    except Refused as refused:
        app.tell(clean(in_words(refused.reason, refused.fields, refused.sentence)))
    except Disconnected:
        pass
    else:
        came = await app.push_screen_wait(HandOverPage(client, way, app.glyphs))
        if came is not None:
            app.tell(translate("You're also on {device} now.", device=came))


async def _way(client: Client) -> Way:
    given = await client.hand_over()
    link = page(client.address, f"#go={given.code}")
    try:
        drawn = await client.ask("showQrCode", link=link)
    except Refused:
        return Way(link, [], given.until)  # the link can still be typed
    assert isinstance(drawn, QrCode)
    return Way(link, drawn.modules, given.until)


def _called(token: TokenLine) -> str:
    return clean(token.device) or token.id

"""The keys of a screen on its last line; a click on one presses it."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import events
from textual.widget import Widget


class Footer(Widget):
    """One line that is drawn again when the keys change.

    Textual's own footer makes a new widget for each key whenever the focus moves.
    """

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"footer--key", "footer--label"}
    DEFAULT_CSS = """
    Footer { dock: bottom; height: 1; background: $panel; text-wrap: nowrap; pointer: pointer; }
    Footer .footer--key {
        color: $footer-key-foreground; background: $footer-key-background; text-style: bold;
    }
    Footer .footer--label {
        color: $footer-description-foreground; background: $footer-description-background;
    }
    """

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, lambda _: self.refresh())

    def keys(self) -> list[tuple[str, str, str]]:
        """For each action: its key, its name, and its description."""
        shown = (each.binding for each in self.screen.active_bindings.values() if each.binding.show)
        return [(each.key, self.app.get_key_display(each), each.description) for each in shown]

    def render(self) -> Text:
        key_style, label_style = map(self.get_component_rich_style, ("footer--key", "footer--label"))
        parts = [((f" {name} ", key_style), (f"{label} ", label_style)) for _, name, label in self.keys()]
        return Text.assemble(*(part for pair in parts for part in pair), no_wrap=True)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        end = 0
        for key, name, label in self.keys():
            end += len(f" {name} {label} ")
            if event.x < end:
                self.app.simulate_key(key)
                return

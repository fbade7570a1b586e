"""What calls a person back: the bell, as the options file says, and the last seconds of a clock."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablero.playing import options
from tablero.playing.options import Preferences, ScreenOptions, load
from tablero.playing.words import UsageError
from tablero.terminal.bell import Bell
from tests.harness.rig import ANA, BEN, joined, message, turn
from tests.harness.terminal import Desk


class Belfry(Desk):
    """A desk with a bell: what it `rang` for, and what it `said`."""

    def __init__(self, file: Path, when: options.Bell = "turn") -> None:
        super().__init__()
        self.rang: list[str] = []
        self.said: list[str] = []
        self.file = file
        preferences = Preferences(file, ScreenOptions(bell=when))
        self.bell = Bell(self.client, self.table, preferences, self.said.append, self.rang.append)
        self.tell(joined(ANA, BEN, seq=2))


@pytest.mark.parametrize(
    ("when", "rings"),
    [
        ("off", []),
        ("turn", ["Tic-tac-toe: Your turn."] * 2),
        ("on", ["Tic-tac-toe: Your turn.", "New message.", "Tic-tac-toe: Your turn."]),
    ],
)
def test_it_rings_on_our_turn_and_for_what_others_say_only_if_that_is_wanted(
    when: options.Bell, rings: list[str], tmp_path: Path
) -> None:
    desk = Belfry(tmp_path / "screen.toml", when)
    desk.tell(turn(3))
    desk.tell(turn(4, "0........", last={"seat": 0, "move": "a1"}))
    desk.tell(message(type="said", room="r1", seq=5, player=BEN, text="hm"))
    desk.tell(turn(6, "01.......", last={"seat": 1, "move": "b1"}))
    desk.tell(turn(7, "01.......", last={"seat": 1, "move": "b1"}))
    assert desk.rang == rings


def test_the_last_seconds_of_our_own_clock_are_told_and_rung() -> None:
    desk = Belfry(Path("none"))
    desk.tell(turn(3, clocks=[60_000, 5_000], at=0))
    desk.shell.pass_time(29)
    assert desk.said == []
    desk.shell.pass_time(30)
    assert desk.said == ["You have 30 seconds left.", "You have 10 seconds left."]
    assert desk.rang[1:] == desk.said


def test_whoever_has_moved_in_time_hears_nothing_of_it() -> None:
    desk = Belfry(Path("none"))
    desk.tell(turn(3, clocks=[60_000, 60_000], at=0))
    desk.tell(turn(4, "0........", last={"seat": 0, "move": "a1"}, clocks=[59_000, 60_000], at=1_000))
    desk.shell.pass_time(55)
    desk.tell(turn(5, "01.......", clocks=[9_000, 60_000], at=56_000, last={"seat": 1, "move": "b1"}))
    desk.shell.pass_time(60)
    assert desk.said == []


async def test_when_it_rings_is_kept_where_the_full_screen_reads_it(tmp_path: Path) -> None:
    desk = Belfry(tmp_path / "screen.toml")
    await desk.bell.choose(["ON"])
    assert load(desk.file).bell == "on"
    await desk.bell.choose(["off"])
    await desk.bell.choose([])
    with pytest.raises(UsageError, match="off, turn, on"):
        await desk.bell.choose(["loud"])
    assert load(desk.file).bell == "off"
    assert desk.said[1:] == ["The bell is off."] * 2

"""What stands around a board."""

from __future__ import annotations

from tablero.full_screen import table_texts
from tablero.playing.current_table import CurrentTable
from tablero.table_view.table import TableView
from tablero_games import GAMES
from tablero_protocol.messages import NextPlayer
from tests.harness.rig import ANA, BEN, Rig, joined, message, turn

EVIL = {"id": "evil", "name": "E\x1b[31mve\u202e"}


def shown(*seats: object, **more: object) -> tuple[Rig, TableView, CurrentTable]:
    rig = Rig()
    table = CurrentTable(rig.client)
    rig.tell(joined(*(seats or (ANA, BEN)), **more))  # type: ignore[arg-type] # players or None
    view = TableView(rig.client.rooms["r1"])
    table.news.subscribe(lambda news: view.hear(news) if isinstance(news, NextPlayer) else None)
    return rig, view, table


def test_a_title_tells_what_is_unusual() -> None:
    _, view, _ = shown(options={"size": 9, "walls": 4}, game="quoridor", rated=True)
    assert table_texts.title(view) == "Quoridor - walls=4 - rated - table r1"
    _, view, _ = shown(BEN, {"id": "c", "name": "Cy"}, clock={"base": 60, "increment": 1})
    assert table_texts.title(view) == "Tic-tac-toe - clock 60+1 - you watch - table r1"


def test_seats_are_lines_of_one_width() -> None:
    rig, view, _ = shown()
    rig.tell(turn(2, clocks=[60_000, 9_000], at=0))
    lines = table_texts.seat_lines(view, view.board(), 0, "ascii", 24).plain.split("\n")
    assert [line.split() for line in lines] == [[">", "X", "you", "1:00"], ["O", "Ben", "0:09.0"]]
    assert {len(line) for line in lines} == {24 - 1}
    assert table_texts.short_seats(view, view.board(), 0, "ascii") == ">X Ana 1:00  O Ben 0:09.0"


def test_moves_stand_in_pairs() -> None:
    rig, view, _ = shown()
    rig.tell(turn(2), turn(3, "0........", last={"seat": 0, "move": "a1"}))
    rig.tell(turn(4, "01.......", last={"seat": 1, "move": "b1"}))
    rig.tell(turn(5, "010......", last={"seat": 0, "move": "c1"}))
    assert table_texts.moves_text(view, 30, 4).plain.split() == ["1.", "a1", "b1", "2.", "c1"]
    view.step(-2)
    assert table_texts.moves_text(view, 30, 1).plain.split() == ["1.", "a1", "b1"]


def test_one_sentence_says_how_it_stands() -> None:
    rig, view, table = shown()
    client = rig.client
    assert table_texts.status(None, client, "") == ""
    rig.tell(turn(2))
    assert table_texts.status(view, client, "") == "Your turn."
    assert table_texts.status(view, client, "No.") == "No."
    rig.tell(turn(3, "0........", last={"seat": 0, "move": "a1"}))
    assert table_texts.status(view, client, "") == "Ben to move."
    view.choose()
    assert table_texts.status(view, client, "").startswith("Planned: b2.")
    view.cancel()
    view.step(-1)
    assert table_texts.status(view, client, "").startswith("The board after move 0.")
    view.cancel()
    rig.tell(turn(4, "0........", paused=1))
    assert table_texts.status(view, client, "") == "The game is paused."
    rig.tell(turn(5, "000.11...", last={"seat": 0, "move": "c1"}))
    assert table_texts.status(view, client, "") == "You win (line). r: rematch, q: back to the lobby."
    rig.drop()
    assert table_texts.status(view, client, "No.") == "Connection lost. Reconnecting…"
    assert table_texts.prompt(table) == ""


def test_a_race_is_counted_down_and_then_its_time_is_beside_the_board() -> None:
    rig, view, _ = shown(game="minesweeper", options={"mode": "race"}, state="preparing")
    now = rig.client.server_now
    rig.tell(message(type="preparing", room="r1", seq=2, starts=now + 2_500))
    assert table_texts.status(view, rig.client, "") == "The race starts in 3 seconds."
    seen = GAMES["minesweeper"].start(2, mode="race").view(0)
    fields = {"type": "nextPlayer", "room": "r1", "seq": 3, "ply": 0, "seats": [0, 1], "seat": 0}
    rig.tell(message(**fields, view=seen, began=now))
    lines = table_texts.seat_lines(view, view.board(), now + 61_900, "ascii", 30).plain.split("\n")
    assert lines[-1] == "time: 1:01"
    assert table_texts.short_seats(view, view.board(), now + 61_900, "ascii").endswith("time: 1:01")


def test_what_is_asked_has_its_keys() -> None:
    rig, _, table = shown()
    rig.tell(message(type="offered", room="r1", seq=2, offer="o", seat=1, what="draw"))
    assert table_texts.prompt(table) == "Ben offers a draw.  y: yes  x: no"

    async def yes() -> None: ...

    table.question = yes
    assert table_texts.prompt(table) == "Continue?  y: yes  x: no"


def test_nothing_in_a_name_is_obeyed() -> None:
    rig, view, table = shown(ANA, EVIL)
    rig.tell(turn(2))
    rig.tell(message(type="offered", room="r1", seq=3, offer="o", seat=1, what="x\x1b]0;t\x07"))
    texts = [
        table_texts.seat_lines(view, view.board(), 0, "safe", 30).plain,
        table_texts.short_seats(view, view.board(), 0, "safe"),
        table_texts.title(view),
        table_texts.prompt(table),
    ]
    assert not {"\x1b", "\x07", "\u202e"} & set("".join(texts))

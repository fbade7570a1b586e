"""What is typed and ordered, one after the other."""

from __future__ import annotations

from tablero.full_screen.order_queue import OrderQueue
from tablero.playing.news import News, Told
from tests.harness.rig import ANA, BEN, Rig, joined, message, turn


class Desk(Rig):
    def __init__(self, game: str = "tic-tac-toe") -> None:
        super().__init__()
        self.queue = OrderQueue(self.client)
        self.noted: list[str] = []
        self.queue.news.subscribe(self.hear)
        self.tell(joined(ANA, BEN, seq=2, game=game))
        self.sent()

    def hear(self, news: News) -> None:
        match news:
            case Told(line, is_note=True):
                self.noted.append(line)

    def types(self, line: str) -> None:
        self.queue.type(line)
        self.shell.run()


def test_a_move_is_played_however_it_is_written() -> None:
    desk = Desk()
    desk.tell(turn(3))
    desk.types("5")
    assert desk.one("playTurn")["move"] == "b2"


def test_an_order_is_given_without_a_line() -> None:
    desk = Desk()
    desk.tell(turn(3))
    desk.queue.give(desk.queue.orders.offer, "draw")
    desk.queue.give(desk.queue.orders.play, "b2")
    desk.shell.run()
    [offer] = desk.sent()
    assert (offer["type"], offer["what"]) == ("offer", "draw")
    desk.tell(message(type="ok", re=offer["id"], room="r1"))
    assert desk.one("playTurn")["move"] == "b2"


def test_what_only_the_line_mode_does_is_noted() -> None:
    desk = Desk()
    desk.types("menu")
    assert desk.noted == ["Use a key for that. Press ? to list the keys."]


def test_one_thing_is_done_after_the_other() -> None:
    desk = Desk()
    desk.tell(turn(3))
    desk.types("a1")
    desk.types("say hello")
    [move] = desk.sent()
    assert move["type"] == "playTurn"
    desk.tell(turn(4, "0........", re=move["id"], last={"seat": 0, "move": "a1"}))
    assert desk.sent_types() == ["say"]


def test_what_is_refused_is_noted_and_the_next_thing_done() -> None:
    desk = Desk()
    desk.tell(turn(3))
    desk.types("a1")
    desk.types("draw")
    [move] = desk.sent()
    desk.tell(message(type="refused", re=move["id"], code="illegalMove", message="No way."))
    assert desk.noted == ["No: No way."]
    assert desk.sent_types() == ["offer"]


def test_what_makes_no_sense_is_noted() -> None:
    desk = Desk()
    desk.types("frobnicate")
    desk.types("   ")
    assert len(desk.noted) == 1
    assert desk.noted[0].startswith("Unknown")
    assert list(desk.queue.lines)[-1] == desk.noted[0]

"""The line mode: what is typed, what is sent, what is printed."""

from __future__ import annotations

from typing import Any

import pytest

from tablero.playing import verbs
from tablero_games import GAMES
from tablero_protocol.messages import ServerMessage
from tests.harness.client import real_server
from tests.harness.rig import ANA, BEN, HARD, Json, joined, message, turn
from tests.harness.terminal import Desk, a_terminal

# What typing sends


COMMANDS: list[tuple[str, Json]] = [
    ("create tic-tac-toe", {"type": "createRoom", "game": "tic-tac-toe", "options": {}}),
    ("CREATE tic", {"type": "createRoom", "game": "tic-tac-toe"}),
    (
        "create connect-four columns=8 rows=7 private clock=300+5 seat=1 seats=2",
        {
            "game": "connect-four", "options": {"columns": 8, "rows": 7}, "private": True,
            "clock": {"base": 300, "increment": 5}, "seat": 1, "seats": 2,
        },
    ),
    ("create connect-four seat=none clock=60", {"seat": None, "clock": {"base": 60}}),
    ("create tic-tac-toe clock=30/move", {"clock": {"perMove": 30}}),
    ("create tic-tac-toe watchers=no", {"type": "createRoom", "watchers": False, "options": {}}),
    ("create tic-tac-toe noGuess=yes firstDig=cell", {"options": {"noGuess": True, "firstDig": "cell"}}),
    ("join ABCD-EFGH", {"type": "join", "code": "ABCD-EFGH"}),
    ("join abcdefgh 1", {"type": "join", "code": "abcdefgh", "seat": 1}),
    ("join km9ej1fnew49", {"type": "join", "room": "km9ej1fnew49"}),
    ("watch km9ej1fnew49", {"type": "join", "room": "km9ej1fnew49", "watch": True}),
    ("list", {"type": "watchLobby"}),
    ("tv", {"type": "watchBest"}),
    ("play", {"type": "seek"}),
    ("seek quor clock=300+5 size=7 bots=no", {
        "type": "seek", "game": "quoridor", "clock": {"base": 300, "increment": 5},
        "options": {"size": 7}, "bots": False,
    }),
    ("create tic-tac-toe rated", {
        "type": "createRoom", "rated": True, "options": {}, "clock": {"base": 300, "increment": 5},
    }),
    ("create tic-tac-toe rated clock=60", {"rated": True, "clock": {"base": 60}}),
    ("create tic-tac-toe --rated", {"type": "createRoom", "rated": True, "options": {}}),
    ("seek tic rated", {"type": "seek", "game": "tic-tac-toe", "rated": True}),
    ("seek rated", {"type": "seek", "rated": True}),
    ("top quor", {"type": "showRatings", "game": "quoridor", "speed": "rapid"}),
    ("top quor blitz", {"type": "showRatings", "game": "quoridor", "speed": "blitz"}),
    ("player Ben", {"type": "showPlayer", "player": "Ben"}),
    ("player", {"type": "showPlayer", "player": "ana"}),
    ("tonight", {"type": "showTonight"}),
    ("best", {"type": "showTimes", "course": "beginner", "bots": False}),
    ("best expert-n bots", {"type": "showTimes", "course": "expert-no-guess", "bots": True}),
    ("tv quor", {"type": "watchBest", "game": "quoridor"}),
]  # fmt: skip


@pytest.mark.parametrize(("line", "expected"), COMMANDS, ids=[line for line, _ in COMMANDS])
def test_a_command_away_from_the_table(line: str, expected: Json) -> None:
    desk = Desk()
    desk.type(line)
    [wire] = desk.sent()
    assert {key: wire[key] for key in expected} == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("b2", {"type": "playTurn", "seat": 0, "ply": 0, "move": "b2"}),
        ("  B2 ", {"type": "playTurn", "move": "b2"}),
        ("leave", {"type": "leave", "room": "r1"}),
        ("quit", {"type": "leave", "room": "r1"}),
        ("invite tic-tac-toe:hard 1", {"type": "invite", "seat": 1, "bot": "tic-tac-toe:hard"}),
    ],
)
def test_a_command_at_the_table(line: str, expected: Json) -> None:
    desk = Desk(seated=True)
    desk.type(line)
    [wire] = desk.sent()
    assert {key: wire[key] for key in expected} == expected


def test_creating_with_a_bot_invites_it_to_every_free_seat() -> None:
    desk = Desk()
    desk.type("create tic-tac-toe bot=hard")
    card = {"brains": [{"game": "tic-tac-toe", "levels": ["easy", "hard"]}]}
    desk.show_lobby([{**HARD, "games": 0, "card": card}])
    desk.tell(joined(ANA, None, state="waiting", re=desk.one("createRoom")["id"]))
    invite = desk.one("invite")
    assert (invite["room"], invite["seat"], invite["bot"]) == ("r1", 1, "tic-tac-toe:hard")


# One after the other


def test_the_next_line_waits_for_the_answer() -> None:
    desk = Desk(seated=True)
    desk.type("say one", "say two")
    assert desk.one("say")["text"] == "one"
    desk.tell(message(type="said", room="r1", seq=4, player=ANA, text="one"))
    assert desk.sent() == []


def test_after_a_refusal_the_next_line_is_taken() -> None:
    desk = Desk(seated=True)
    desk.type("say one", "say two")
    desk.refuse()
    assert desk.noted == ["No: No way. [forbidden]"]
    assert desk.one("say")["text"] == "two"


def test_in_a_pipe_moves_wait_for_their_turns() -> None:
    desk = Desk(moves_wait=True)
    desk.type("create tic-tac-toe", "b2", "a1")
    desk.tell(joined(ANA, BEN, re=desk.one("createRoom")["id"]))
    assert "playTurn" not in desk.sent_types()
    desk.tell(turn(2))
    move = desk.one("playTurn")
    assert (move["move"], move["ply"]) == ("b2", 0)
    desk.tell(turn(3, "....0....", re=move["id"]))
    assert desk.sent() == []
    desk.tell(turn(4, "1...0...."))
    assert desk.one("playTurn")["move"] == "a1"


def test_a_move_that_waits_for_a_game_that_ends_is_not_played() -> None:
    desk = Desk(moves_wait=True, seated=True)
    desk.tell(turn(4, "0........"))
    desk.type("b2")
    over = {"kind": "win", "winners": [0], "reason": "resign", "scores": None, "ranking": None}
    desk.tell(turn(5, "0........", seats=[], outcome=over, last={"seat": 1, "withdrew": "resign"}))
    assert desk.noted == ["The game is over. b2 was not played."]
    assert desk.sent() == []


def test_at_a_terminal_the_server_judges_a_move_at_once() -> None:
    desk = Desk(seated=True)
    desk.tell(turn(4, "0........"))
    desk.type("b2")
    assert desk.one("playTurn")["ply"] == 1


# What makes no sense


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("jion ABCD-EFGH", "Unknown: 'jion ABCD-EFGH'. Did you mean: join TABLE [SEAT]"),
        ("hello", "Unknown: 'hello'. You're not at a table"),
        ("xyzzy", "Unknown: 'xyzzy'. You're not at a table. Create, join or watch one first."),
        ("b2", "Unknown: 'b2'. You're not at a table. Create, join or watch one first."),
        ("say hi", "You're not at a table. Create, join or watch one first."),
        ("create", "Choose a game: "),
        ("create chess", "There is no game 'chess'; there are "),
        ("create conect-four", "There is no game 'conect-four'; did you mean connect-four?"),
        ("create tic wide", "Write 'wide' as OPTION=VALUE, for example columns=8."),
        ("create tic clock=soon", "Write a clock in seconds, clock=300+5 or clock=30/move"),
        ("create tic seat=first", "A seat is a number, not 'first'."),
        ("join", "Choose a table: join TABLE [SEAT]"),
        ("watch", "Choose a table: watch TABLE"),
        ("join ABCD-EFGH two", "A seat is a number, not 'two'."),
        ("yes", "You have no invitation or offer to answer."),
    ],
)
def test_a_line_that_makes_no_sense_is_explained_and_not_sent(line: str, sentence: str) -> None:
    desk = Desk()
    desk.type(line)
    assert len(desk.noted) == 1
    assert desk.noted[0].startswith(sentence)
    assert desk.sent() == []


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("boadr", "Unknown: 'boadr'. Did you mean: board"),
        ("xyzzy", "Unknown: 'xyzzy'. Type help for the commands, or a move, for example b2."),
        ("say", "Add a message: say TEXT"),
        ("invite", "Choose a player: invite LEVEL|PLAYER [SEAT]"),
        ("invite tic-tac-toe:hard", "All seats are taken."),
        ("create tic-tac-toe", "You're at a table. Leave it first."),
    ],
)
def test_at_the_table_too(line: str, sentence: str) -> None:
    desk = Desk(seated=True)
    desk.type(line)
    assert (desk.noted, desk.sent()) == ([sentence], [])


def test_who_only_watches_cannot_move() -> None:
    desk = Desk()
    desk.tell(joined(BEN, HARD), turn(2, seat=None))
    desk.forget()
    desk.type("a1", "resign")
    assert desk.noted == ["You're watching."] * 2
    assert desk.sent() == []


def test_a_refusal_is_told_without_its_code_unless_it_is_wanted() -> None:
    for verbose, told in ((False, "No: No way."), (True, "No: No way. [forbidden]")):
        desk = Desk(seated=True, verbose=verbose)
        desk.type("a1")
        desk.refuse()
        assert desk.noted == [told]


@pytest.mark.parametrize("word", ["quit", "exit", "EXIT"])
def test_who_wants_to_go_just_goes(word: str) -> None:
    desk = Desk()
    desk.type(word)
    assert desk.shell.finished


def test_how_much_time_everybody_has_can_be_asked() -> None:
    desk = Desk(seated=True)
    desk.type("clock")
    desk.tell(turn(4, clocks=[300_000, 20_000], at=0))
    desk.shell.time += 30
    desk.type("clock")
    assert desk.noted == ["There are no clocks in this game.", "Clocks: You 4:30, Ben 0:20."]


def test_who_makes_a_table_reads_what_to_send_to_a_friend() -> None:
    desk = Desk(asks=True)
    desk.client.address = "ws://10.0.0.1:8470/ws"
    desk.type("create quoridor")
    id = desk.one("createRoom")["id"]
    desk.tell(joined(ANA, None, game="quoridor", state="waiting", code="ABCD-EFGH", re=id))
    link = "http://10.0.0.1:8470/ABCD-EFGH"
    assert desk.noted == [
        f"Link for your friend's browser: {link}",
        f"For a terminal: tablero play {link}",
    ]
    piped = Desk()
    piped.type("create quoridor")
    id = piped.one("createRoom")["id"]
    piped.tell(joined(ANA, None, game="quoridor", state="waiting", code="ABCD-EFGH", re=id))
    assert piped.noted == []


def test_every_verb_is_carried_out_and_helped_with() -> None:
    desk = Desk()
    desk.type("help")
    for verb in verbs.VERBS.values():
        assert (verb.order is None) is (verb.name in ("bell", "menu", "help", "quit"))
        assert any(line.startswith(verb.usage) and verb.help in line for line in desk.noted)


# What is printed


def test_a_game_reads_like_a_story() -> None:
    desk = Desk()
    desk.tell(joined(ANA, None, state="waiting", code="ABCD-EFGH"))
    desk.tell(message(type="joined", room="r1", seq=2, player=HARD, seat=1))
    desk.tell(
        turn(3),
        turn(4, "0........", last={"seat": 0, "move": "a1"}),
        turn(5, "0...1....", last={"seat": 1, "move": "b2"}, clocks=[59000, 125000]),
        message(type="said", room="r1", seq=6, player=HARD, text="hello"),
        message(type="offered", room="r1", seq=7, offer="o1", seat=1, what="draw"),
        message(type="answered", room="r1", seq=8, offer="o1", seat=0, yes=False),
        turn(
            9, "0...1....", seats=[], last={"seat": 1, "withdrew": "time"},
            outcome={"kind": "win", "winners": [0], "reason": "time", "scores": None, "ranking": None},
        ),
        message(type="left", room="r1", seq=10, player=HARD, reason="gone"),
    )  # fmt: skip
    assert desk.printed == [
        "Tic-tac-toe, table r1: you are on seat 0. Waiting for 1 player; others can join ABCD-EFGH, "
        "or you can invite someone.",
        "house (bot, hard) sits down on seat 1.",
        "The game begins. Your turn.",
        "1. You play a1. house (bot, hard) to move.",
        "2. house (bot, hard) plays b2. Your turn. Clocks: You 0:59, house (bot, hard) 2:05.",
        "house (bot, hard): hello",
        "house (bot, hard) offers a draw. Type yes or no.",
        "You decline.",
        "house (bot, hard) is out of time. You win (time).",
        "house (bot, hard) leaves (gone).",
    ]


@pytest.mark.parametrize(
    ("outcome", "sentence"),
    [
        ({"kind": "draw", "winners": [], "reason": "full"}, "The game is a draw (full)."),
        ({"kind": "win", "winners": [1], "reason": "line"}, "Ben wins (line)."),
        ({"kind": "loss", "winners": [], "reason": "mine"}, "Nobody wins (mine)."),
        ({"kind": "win", "winners": [0], "reason": "boxes", "scores": [5, 4]}, "You win (boxes), 5 to 4."),
    ],
)
def test_the_end_is_told(outcome: Json, sentence: str) -> None:
    desk = Desk(seated=True)
    over = {"scores": None, "ranking": None, **outcome}
    desk.tell(turn(4, "0........", seats=[], last={"seat": 0, "move": "a1"}, outcome=over))
    assert desk.printed == [f"1. You play a1. {sentence}"]


def test_the_board_is_drawn_with_who_has_which_mark() -> None:
    desk = Desk(boards=True)
    desk.tell(joined(ANA, BEN), turn(2, "0...1...."))
    assert desk.printed[1] == "\n".join(
        [
            "3    |   |",
            "  ---+---+---",
            "2    | O |",
            "  ---+---+---",
            "1  X |   |",
            "   a   b   c",
            "X you, O Ben",
        ]
    )


def test_in_a_race_it_is_told_that_others_play_and_not_where() -> None:
    desk = Desk()
    desk = Desk(boards=True)
    view = GAMES["minesweeper"].start(2, mode="race").view(1)
    view["players"][0]["opened"] = 14
    race = {"type": "nextPlayer", "room": "r1", "ply": 3, "seat": 1, "seats": [0, 1], "view": view}
    desk.tell(joined(BEN, ANA, game="minesweeper"), message(**race, seq=2, last={"seat": 0}))
    view["players"][0]["out"] = "mine"
    desk.tell(message(**race, seq=3, last={"seat": 0}))
    assert desk.printed[1:] == [
        "Ben has opened 14 of 71 cells.",
        "Ben is out (mine) with 14 of 71 cells open.",
    ]
    assert desk.noted == []


def test_where_boards_go_by_there_is_one_a_round() -> None:
    desk = Desk(seated=True, boards=True)
    desk.tell(turn(4, "0........", last={"seat": 0, "move": "a1"}))
    assert desk.printed == ["1. You play a1. Ben to move."]
    desk.tell(turn(5, "01.......", last={"seat": 1, "move": "b1"}))
    assert desk.printed[1].startswith("3    |")
    assert desk.printed[2:] == ["2. Ben plays b1. Your turn."]


def test_in_another_hidden_game_it_is_told_that_others_play() -> None:
    desk = Desk(boards=True)
    desk.tell(joined(BEN, ANA), turn(2, "0........", seat=1, last={"seat": 0}))
    assert desk.printed[1:] == ["Ben plays."]


def test_one_bot_on_two_seats_is_told_apart() -> None:
    desk = Desk()
    desk.tell(joined(HARD, HARD), turn(2, "0........", seat=None, last={"seat": 1, "move": "a1"}))
    assert desk.printed[1].startswith("1. house (bot, hard) on seat 1 plays a1.")


def test_somebody_with_two_seats_reads_each_turn_once() -> None:
    desk = Desk()
    desk.tell(joined(ANA, ANA), turn(2, seat=0), turn(2, seat=1))
    assert desk.printed[1:] == ["The game begins. Your turn on seat 0."]
    desk.type("a1")
    assert desk.one("playTurn")["seat"] == 0


def test_nothing_that_the_server_sends_can_move_the_cursor() -> None:
    evil = "\x1b]52;c;AAAA\x07\x9b31m\r\n\u202egnp.exe\u200b"
    desk = Desk()
    villain = {"id": "ben", "name": evil}
    desk.tell(joined(ANA, villain), message(type="said", room="r1", seq=2, player=villain, text=evil))
    desk.tell(turn(3, "01.......", last={"seat": 1, "move": evil}))
    desk.tell(message(type="left", room="r1", seq=4, player=villain, reason=evil))
    desk.tell(
        message(
            type="invited", invite="i", room="r", seat=0, game=evil, options={}, by=villain, until=0
        ),
        message(type="declined", room="r1", seat=1, player=villain, reason="gone"),
    )  # fmt: skip
    desk.type("list")
    line = {"room": "r2", "game": evil, "options": {evil: evil}, "state": "waiting", "seats": [villain]}
    card = {"brains": [{"game": evil, "levels": [evil]}]}
    desk.show_lobby([{**villain, "games": 0, "card": card}], [{**line, "watchers": 0}])
    desk.type("say x")
    desk.refuse(code=evil, sentence=evil)
    text = "".join(desk.printed + desk.noted)
    assert len(desk.printed) >= 7
    for character in evil:
        assert character.isprintable() or character not in text


def test_what_becomes_of_a_table_before_its_game_is_told() -> None:
    desk = Desk(seated=True)
    why = "No board without guessing was found; try fewer mines or a larger board."
    desk.tell(
        message(type="preparing", room="r1", seq=4),
        message(type="unprepared", room="r1", seq=5, code="noFieldFound", message=why),
        message(type="optionsSet", room="r1", seq=6, options={"mines": 3, "noGuess": True}),
        message(type="freed", room="r1", seq=7, seat=1, player=BEN),
        message(type="swapped", room="r1", seq=8, seats=[0, 1]),
        message(type="began", room="r1", seq=9, seats=[0, 1]),
    )
    assert desk.printed[-6:] == [
        "All seats are taken. The game starts when the board is ready.",
        f"{why} The table's owner can change it: options NAME=VALUE",
        "The table has changed: mines=3 noGuess=True, no clock.",
        "Ben lost the seat and is watching. Seat 1 is free.",
        "Seats 0 and 1 have been swapped. You are on seat 1.",
        "The table's owner starts the game with 2 players. You are on seat 1.",
    ]


@pytest.mark.parametrize("line", ["options", "options columns", "options columns="])
def test_options_without_a_value_are_explained(line: str) -> None:
    desk = Desk(seated=True)
    desk.type(line)
    assert "columns=8" in desk.noted[-1]


def test_of_a_large_lobby_as_much_is_listed_as_can_be_read_and_free_seats_first() -> None:
    desk = Desk()
    desk.type("list")
    table = {"game": "connect-four", "options": {}, "state": "playing", "seats": [BEN, BEN], "watchers": 0}
    rooms = [{**table, "room": f"r{number}"} for number in range(5_000)]
    rooms[4_000]["seats"] = [BEN, None]
    brains = [{"game": "tic-tac-toe", "levels": ["easy"]}]
    bots = [
        {"id": f"b{number}", "name": f"bot{number}", "bot": True, "games": 0, "card": {"brains": brains}}
        for number in range(100)
    ]
    desk.show_lobby(bots, rooms)
    assert len(desk.printed) == 30 + 1 + 1 + 30
    assert desk.printed[0] == "1. r4000  connect-four  playing  [Ben, free]"
    assert desk.printed[30] == "And 4970 more tables."
    assert desk.printed[31].endswith("bot49 (bot), and 50 more.")


# Questions


def test_yes_and_no_answer_an_invitation() -> None:
    for word, expected in (("yes", "join"), ("no", "decline")):
        desk = Desk()
        about = {"game": "tic-tac-toe", "options": {}, "by": BEN, "until": 0}
        desk.tell(message(type="invited", invite="i1", room="r7", seat=1, **about))
        assert desk.printed == ["Ben invites you to play Tic-tac-toe, seat 1. Type yes or no."]
        desk.type(word)
        [wire] = desk.sent()
        assert (wire["type"], wire["invite"]) == (expected, "i1")


def test_yes_answers_an_offer_and_only_once() -> None:
    desk = Desk(seated=True)
    desk.tell(message(type="offered", room="r1", seq=4, offer="o1", seat=1, what="draw"))
    desk.type("yes")
    answer = desk.one("answer")
    assert (answer["offer"], answer["seat"], answer["yes"]) == ("o1", 0, True)
    desk.tell(message(type="answered", room="r1", seq=5, offer="o1", seat=0, yes=True, re=answer["id"]))
    desk.type("yes")
    assert desk.noted == ["You have no invitation or offer to answer."]


def test_ones_own_offer_is_no_question() -> None:
    desk = Desk(seated=True)
    desk.tell(message(type="offered", room="r1", seq=4, offer="o1", seat=0, what="draw"))
    assert desk.printed == ["You offer a draw."]
    desk.type("yes")
    assert desk.sent() == []


def test_a_rematch_takes_us_to_the_next_table_and_leaves_this_one() -> None:
    desk = Desk(seated=True)
    desk.tell(message(type="rematch", room="r1", seq=4, next="r2"), joined(BEN, ANA, room="r2", seq=2))
    assert desk.printed == [
        "The rematch begins. The seats have changed.",
        "Tic-tac-toe, table r2: you are on seat 1.",
    ]
    assert desk.one("leave")["room"] == "r1"
    desk.forget()
    desk.tell(message(type="said", room="r1", seq=5, player=BEN, text="late"))
    desk.tell(message(type="left", room="r1", seq=6, player=BEN, reason="left"))
    assert desk.printed == []


def test_who_watches_is_not_asked() -> None:
    desk = Desk()
    desk.tell(joined(BEN, HARD))
    desk.forget()
    desk.tell(message(type="offered", room="r1", seq=2, offer="o1", seat=0, what="draw"))
    desk.type("yes")
    assert (desk.printed, desk.noted) == (
        ["Ben offers a draw."],
        ["You have no invitation or offer to answer."],
    )


# Coming, going and the line


def test_a_lost_connection_and_the_return_are_shown_once_each() -> None:
    desk = Desk(seated=True)
    waits = [desk.drop() for _ in range(20)]
    assert sum(wait is not None and wait >= 2 for wait in waits) > 1
    desk.return_()
    desk.drop()
    lost = "Connection lost. Reconnecting…"
    still = "Still offline. Retrying every few seconds…"
    assert desk.noted == [lost, still, "You're back online.", lost]


def test_a_connection_that_will_not_return_says_why() -> None:
    desk = Desk()
    assert desk.drop(4101) is None
    assert desk.noted == ["The same session connected again elsewhere; do not reconnect."]


def test_quit_works_without_a_connection() -> None:
    desk = Desk(seated=True)
    desk.type("say something that is never answered")
    desk.drop()
    desk.type("quit")
    assert desk.shell.finished


@pytest.mark.parametrize("moves_wait", [True, False])
def test_quit_leaves_the_table_first_and_is_the_last_word(moves_wait: bool) -> None:
    desk = Desk(seated=True, moves_wait=moves_wait)
    desk.type("quit", "say more")
    desk.type_no_more()
    leave = desk.one("leave")
    assert not desk.shell.finished
    desk.tell(message(type="left", room="r1", seq=4, player=ANA, reason="left", re=leave["id"]))
    assert desk.shell.finished
    assert (desk.noted, desk.sent()) == ([], [])


@pytest.mark.parametrize("accepted", [True, False])
def test_the_table_of_the_command_line_is_joined_first(accepted: bool) -> None:
    desk = Desk(join="ABCD-EFGH")
    if accepted:
        desk.tell(joined(BEN, ANA, re=desk.one("join")["id"]))
    else:
        desk.refuse("wrongCode", "No room has this code.")
    assert desk.mode.turned_away is not accepted


@pytest.mark.parametrize(
    ("seats", "cells", "state", "stays"),
    [
        pytest.param((ANA, BEN), ".........", "playing", False, id="my turn"),
        pytest.param((ANA, BEN), "0........", "playing", True, id="the other's turn"),
        pytest.param((BEN, HARD), ".........", "playing", True, id="watching"),
        pytest.param((ANA, None), None, "waiting", False, id="waiting for somebody"),
        pytest.param((BEN, None), None, "waiting", True, id="watching others wait"),
        pytest.param((ANA, BEN), "000.11...", "playing", False, id="the end"),
    ],
)
def test_when_the_input_ends_it_stays_for_as_long_as_the_game_goes_on_without_it(
    seats: tuple[Json | None, ...], cells: str | None, state: str, stays: bool
) -> None:
    desk = Desk(moves_wait=True)
    desk.tell(joined(*seats, state=state))
    if cells is not None:
        desk.tell(turn(2, cells, seat=0 if ANA in seats else None))
    desk.forget()
    desk.type_no_more()
    assert ("leave" not in desk.sent_types()) is stays


def test_when_the_input_ends_away_from_the_table_it_is_over() -> None:
    desk = Desk(moves_wait=True)
    desk.type_no_more()
    assert desk.shell.finished


# Minesweeper by number

MENU = "Type numbers until the game is over. Any command ends the menu."
CHOICES = "1.Dig 2.Flag 3.Unflag 4.Chord: "
AXIS_X = "Axis x between 1 and 9 (a to i): "
AXIS_Y = "Axis y between 1 and 9: "


def minefield(**display: Any) -> Desk:
    """Alone at a beginner's board, to move."""
    desk = Desk(**{"boards": True, **display})
    desk.tell(joined(ANA, game="minesweeper"))
    desk.tell(dug(2))
    desk.forget()
    return desk


def dug(seq: int, **more: Any) -> ServerMessage:
    view = GAMES["minesweeper"].start().view(0)
    return message(
        type="nextPlayer", room="r1", seq=seq, ply=seq - 2, seat=0, **{"seats": [0], "view": view} | more
    )


def game_over(seq: int, **more: Any) -> ServerMessage:
    view = GAMES["minesweeper"].start().withdraw(0, "time").view(0)
    return dug(seq, seats=[], view=view, outcome=view["outcome"], **more)


def test_the_menu_asks_by_number_and_plays_move_after_move() -> None:
    desk = minefield()
    desk.type("menu", "2", "12", "3", "7")
    assert desk.noted == [MENU, CHOICES, AXIS_X, AXIS_X, AXIS_Y]
    wire = desk.one("playTurn")
    assert (wire["move"], wire["seat"], wire["ply"]) == ("flag c7", 0, 0)
    desk.tell(dug(3, last={"seat": 0, "move": "flag c7"}, re=wire["id"]))
    desk.type("1", "1", "1")
    wire = desk.one("playTurn")
    assert (wire["move"], wire["ply"]) == ("dig a1", 1)
    desk.tell(game_over(4, last={"seat": 0, "move": "dig a1"}, re=wire["id"]))
    assert desk.noted[5:] == [CHOICES, AXIS_X, AXIS_Y]
    desk.type("1")
    assert desk.one("playTurn")["move"] == "1"  # no answer any more: the server says what it is


def test_without_boards_the_menu_shows_what_to_choose_from() -> None:
    desk = minefield(boards=False)
    desk.type("menu", "1", "1", "1")
    desk.tell(dug(3, last={"seat": 0, "move": "dig a1"}, re=desk.one("playTurn")["id"]))
    assert [line.count("#") for line in desk.noted] == [0, 81, 0, 0, 0, 81, 0]


def test_the_menu_goes_on_after_a_move_that_was_refused() -> None:
    desk = minefield()
    desk.type("menu", "1", "1", "1")
    desk.refuse("illegalMove", "There is a flag on a1.")
    assert desk.noted[-2:] == ["No: There is a flag on a1. [illegalMove]", CHOICES]


@pytest.mark.parametrize("elsewhere", [False, True])
def test_away_from_a_game_the_menu_asks_for_the_level_and_opens_a_table(elsewhere: bool) -> None:
    desk = Desk(boards=True, seated=elsewhere)
    if elsewhere:
        over = {"kind": "win", "winners": [1], "reason": "resign", "scores": None, "ranking": None}
        desk.tell(turn(4, seats=[], last={"seat": 0, "withdrew": "resign"}, outcome=over))
        desk.forget()
    desk.type("menu", "4", "2")
    assert desk.noted == [MENU] + ["1.Beginner 2.Intermediate 3.Expert: "] * 2
    create = desk.one("createRoom")
    assert (create["game"], create["options"]) == ("minesweeper", {"width": 16, "height": 16, "mines": 40})
    room = "r2" if elsewhere else "r1"
    desk.tell(joined(ANA, room=room, game="minesweeper", re=create["id"]))
    assert desk.noted[3:] == []
    view = GAMES["minesweeper"].start(level="intermediate").view(0)
    desk.tell(message(type="nextPlayer", room=room, seq=2, ply=0, seat=0, seats=[0], view=view))
    desk.type("1", "16")
    assert desk.noted[3:] == [CHOICES, "Axis x between 1 and 16 (a to p): ", "Axis y between 1 and 16: "]


@pytest.mark.parametrize(
    ("command", "sent"),
    [("board", "playTurn"), ("say hello", "say"), ("dig c4", "playTurn"), ("leave", "leave")],
)
def test_any_command_or_move_in_words_ends_the_menu(command: str, sent: str) -> None:
    desk = minefield()
    desk.type("menu", "1", command, "9")  # a number by itself is a move again, for the server to judge
    assert desk.noted[:3] == [MENU, CHOICES, AXIS_X]
    assert AXIS_Y not in desk.noted
    assert desk.sent_types() == [sent]


def test_the_menu_itself_begins_again() -> None:
    desk = minefield()
    desk.type("menu", "1", "menu")
    assert desk.noted == [MENU, CHOICES, AXIS_X, MENU, CHOICES]


def test_the_menu_ends_with_the_game() -> None:
    desk = minefield()
    desk.type("menu", "1", "1")
    desk.tell(game_over(3, last={"seat": 0, "withdrew": "time"}))
    desk.type("board")
    assert desk.noted[:4] == [MENU, CHOICES, AXIS_X, AXIS_Y]
    assert desk.noted[4].startswith("9  #")


def test_the_menu_is_for_a_game_that_has_one_and_has_begun() -> None:
    desk = Desk(seated=True)
    desk.type("menu")
    assert desk.noted == ["This game has no menu. Type its moves."]
    for seats, why in {
        (0, None): "The game hasn't begun. Every seat must be taken.",
        (0, 0): "The game begins in a moment.",
    }.items():
        desk = Desk()
        desk.tell(
            joined(*[None if each is None else ANA for each in seats], game="minesweeper", state="waiting")
        )
        desk.type("menu", "board")
        assert desk.noted == [why] * 2


@pytest.mark.parametrize("command", ["menu", "board"])
def test_in_a_pipe_what_needs_a_position_waits_for_the_game_to_begin(command: str) -> None:
    desk = Desk(moves_wait=True)
    desk.type("create minesweeper", command, "1", "3", "4")
    desk.tell(joined(ANA, game="minesweeper", state="waiting", re=desk.one("createRoom")["id"]))
    assert (desk.noted, desk.sent()) == ([], [])
    desk.tell(dug(2))
    assert any(line.startswith("9  # # #") for line in desk.noted)
    assert desk.one("playTurn")["move"] == ("dig c4" if command == "menu" else "1")


def test_what_answers_a_menu_that_cannot_be_goes_nowhere() -> None:
    desk = Desk(moves_wait=True)
    desk.type("menu", "2", "1", "1", "1")
    desk.refuse("tooManyRooms", "You are in 16 rooms.")
    assert desk.sent() == []


@pytest.mark.parametrize(("name", "hinted"), [("guest", True), ("Ana", False)])
async def test_who_is_called_guest_reads_how_to_choose_a_name(name: str, hinted: bool) -> None:
    async with real_server() as url, a_terminal(url, name) as terminal:
        hint = "To change your name: tablero play --name NAME"
        assert (hint in terminal.heard) is hinted

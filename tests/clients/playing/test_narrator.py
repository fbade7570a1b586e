"""What the line mode tells, so that a newcomer knows where they are and what they can do now."""

from __future__ import annotations

import pytest

from tablero.catalogue.speech import speak
from tablero.playing import sentences
from tablero.playing.current_table import CurrentTable
from tablero.playing.narrator import Display, Narrator
from tablero.terminal.editor import LineEditor
from tablero_games import GAMES
from tests.harness.paper import Paper, Sized
from tests.harness.rig import ANA, BEN, HARD, Json, Rig, joined, message, table, turn
from tests.harness.terminal import Desk


@pytest.mark.parametrize("game", GAMES)
def test_a_newcomer_is_shown_moves_that_can_be_played(game: str) -> None:
    shown = sentences.how_to_move(game)
    assert all(move in shown for move in GAMES[game].example_moves)
    desk = Desk()
    desk.tell(joined(ANA, BEN, game=game))
    desk.type("help", "xyzzy")
    assert any(line == f"Any other line is {shown}." for line in desk.noted)
    assert desk.noted[-1].endswith(f"or {shown}.")


def test_away_from_the_tables_help_says_how_to_begin() -> None:
    desk = Desk()
    desk.type("help")
    last = desk.noted[-1]
    assert all(game in last for game in GAMES)
    desk.type(last.partition("To begin: ")[2])
    assert desk.sent_types() == ["watchLobby"]  # is there such a bot?


def test_help_fits_into_eighty_columns_and_answers_at_once() -> None:
    desk = Desk(seated=True)
    desk.type("say hello", "help")
    assert len(desk.noted) > 15
    assert max(len(line) for line in desk.noted[:-2]) <= 80
    assert "Bots of every game: easy, normal, hard, expert; list shows the others." in desk.noted


def test_no_marks_are_told_of_where_none_are_drawn() -> None:
    desk = Desk(boards=True)
    view = GAMES["minesweeper"].start().view(0)
    desk.tell(joined(ANA, game="minesweeper"))
    desk.tell(message(type="nextPlayer", room="r1", seq=2, ply=0, seat=0, seats=[0], view=view))
    assert "you" not in desk.printed[1]


def test_one_players_score_is_no_result() -> None:
    desk = Desk(seated=True)
    over = {"kind": "loss", "winners": [], "reason": "resign", "scores": [7], "ranking": None}
    desk.tell(turn(4, seats=[], last={"seat": 0, "withdrew": "resign"}, outcome=over))
    assert desk.printed == ["You resign. Nobody wins (resign)."]


def test_the_turn_that_is_known_is_not_told_as_if_it_were_new() -> None:
    desk = Desk(seated=True)
    played = {"seat": 0, "move": "a1"}
    desk.tell(turn(4, "0........", last=played))
    desk.drop()
    desk.return_()
    desk.tell(turn(5, "0........", last=played))
    desk.tell(turn(6, "0........", last=played))  # as in a race, where one plays and plays again
    assert desk.printed == [
        "1. You play a1. Ben to move.",
        "The game continues. Ben to move.",
        "1. You play a1. Ben to move.",
    ]


def test_at_a_terminal_a_game_is_one_board_and_its_end_stands_below_the_last_one() -> None:
    rig, paper = Rig(), Paper()
    screen, table = Sized(paper, LineEditor()), CurrentTable(rig.client)
    display = Display(style="ascii", asks=True)
    Narrator(rig.client, table, screen.print, screen.print, display, screen.show_board, screen.keep_board)
    rig.tell(joined(ANA, BEN, seq=2), turn(3))
    rig.tell(turn(4, "0........", last={"seat": 0, "move": "a1"}))
    rig.tell(message(type="said", room="r1", seq=5, player=BEN, text="hm"))
    told = ["The game begins. Your turn.", "1. You play a1. Ben to move.", "Ben: hm"]
    board = ["3    |   |", "  ---+---+---", "2    |   |", "  ---+---+---", "1 (X)|   |", "   a   b   c"]
    assert paper.all[1:] == [*told, *board, "X you, O Ben", ">"]
    over = {"kind": "win", "winners": [0], "reason": "resign", "scores": None, "ranking": None}
    rig.tell(turn(6, "0........", seats=[], last={"seat": 1, "withdrew": "resign"}, outcome=over))
    assert paper.all[1:4] == told
    assert paper.all[10] == "X you, O Ben"
    assert paper.all[11:] == [
        "Ben resigns. You win (resign).",
        "Type rematch or leave. To keep the game: tablero record r1",
        ">",
    ]


def test_who_comes_back_sees_the_board_and_whose_turn_it_is_though_nothing_happened() -> None:
    desk = Desk(seated=True, boards=True)
    desk.tell(turn(4, "0........", last={"seat": 0, "move": "a1"}))
    desk.forget()
    desk.drop()
    desk.return_()
    assert desk.printed == []
    resumed = desk.one("resume")["id"]
    desk.tell(message(type="ok", re=resumed, room="r1", seq=4))
    assert desk.noted[-1] == "You're back online."
    assert desk.printed[0].startswith("3    |   |")
    assert desk.printed[1:] == ["The game continues. Ben to move."]


def test_who_comes_back_to_a_turn_of_the_others_sees_the_board_where_boards_go_by() -> None:
    desk = Desk(seated=True, boards=True)
    played = {"seat": 0, "move": "a1"}
    desk.tell(turn(4, "0........", last=played))
    desk.forget()
    desk.drop()
    desk.return_()
    desk.tell(turn(5, "0........", last=played))
    assert desk.printed[0].startswith("3    |   |")
    assert desk.printed[1:] == ["The game continues. Ben to move."]


def test_who_comes_back_reads_the_time_that_is_left_now() -> None:
    desk = Desk(seated=True)
    begun: Json = {"clocks": [300_000, 300_000], "at": 0}
    desk.tell(turn(4, **begun))
    desk.drop()
    desk.shell.time += 30
    desk.return_(now=30_000)
    desk.tell(turn(5, **begun))
    desk.shell.time += 0.02
    desk.tell(turn(6, "0........", last={"seat": 0, "move": "a1"}, clocks=[269_990, 300_000], at=30_010))
    assert desk.printed == [
        "The game begins. Your turn. Clocks: You 5:00, Ben 5:00.",
        "The game continues. Your turn. Clocks: You 4:30, Ben 5:00.",
        "1. You play a1. Ben to move. Clocks: You 4:30, Ben 5:00.",
    ]


def test_a_new_watcher_reads_the_time_that_is_left_now() -> None:
    desk = Desk()
    desk.shell.time += 30
    desk.tell(joined(BEN, HARD), turn(2, seat=None, clocks=[300_000, 20_000], at=0, seats=[0, 1]))
    assert desk.printed[1].endswith("Clocks: Ben 4:30, house (bot, hard) 0:00.")


# Whose table it is


def test_what_the_owner_of_a_table_settles_is_told() -> None:
    desk = Desk()
    desk.tell(joined(ANA, BEN, state="waiting"))
    desk.forget()
    desk.tell(
        message(type="optionsSet", room="r1", seq=2, options={}, clock={"perMove": 30}, watchers=False),
        message(type="swapped", room="r1", seq=3, seats=[0, 1]),
        message(type="freed", room="r1", seq=4, seat=0, player=BEN),
        message(type="freed", room="r1", seq=5, seat=1, player=ANA),
        message(type="left", room="r1", seq=6, player=BEN, reason="left", owner="ana"),
    )
    assert desk.printed == [
        "The table has changed: clock 30/move, no spectators.",
        "Seats 0 and 1 have been swapped. You are on seat 1.",
        "Ben lost the seat and is watching. Seat 0 is free.",
        "You lost your seat and are watching. Seat 1 is free.",
        "Ben leaves.",
        "You're now the owner of the table.",
    ]


def test_a_pause_and_more_time_are_no_second_turn() -> None:
    desk = Desk(seated=True)
    played: Json = {"last": {"seat": 0, "move": "a1"}, "at": 0}
    desk.tell(turn(4, "0........", clocks=[9_000, 9_000], **played))
    desk.tell(turn(5, "0........", clocks=[9_000, 24_000], **played))
    desk.tell(turn(6, "0........", clocks=[9_000, 24_000], paused=900_000, **played))
    desk.tell(turn(7, "0........", clocks=[9_000, 24_000], **played))
    assert [line.partition(" Ben to move.")[0] for line in desk.printed] == [
        "1. You play a1.",
        "A clock got more time.",
        "The game is paused for at most 15 min. Type continue to resume.",
        "The game continues.",
    ]


@pytest.mark.parametrize(
    ("best", "told"),
    [
        (5_000, "5.000 s is your best time: number 2 overall."),
        (4_000, "Your best time is 4.000 s: number 2 overall."),
    ],
)
def test_the_end_of_a_timed_game_tells_its_place_among_the_best(
    best: int, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(GAMES["tic-tac-toe"]), "course", lambda self, options: "beginner")
    desk = Desk(seated=True)
    desk.tell(turn(4, "000.11...", began=0, milliseconds=5_000))
    places = enumerate(((BEN, 3_000), (ANA, best)), start=1)
    times = [{"place": place, "player": player, "milliseconds": time} for place, (player, time) in places]
    desk.answer("times", course="beginner", bots=False, times=times)
    assert desk.printed[-1] == told


def test_a_lost_game_and_one_that_is_watched_have_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(GAMES["tic-tac-toe"]), "course", lambda self, options: "beginner")
    desk = Desk(seated=True)
    lost = {"kind": "loss", "winners": [], "reason": "mine"}
    desk.tell(turn(4, "000.11...", began=0, milliseconds=5_000, outcome=lost))
    assert [each["type"] for each in desk.sent()] == []
    desk = Desk()
    desk.tell(joined(BEN, None), turn(3, seat=None))
    desk.sent()
    desk.tell(turn(4, "000.11...", seat=None, began=0, milliseconds=5_000))
    assert [each["type"] for each in desk.sent()] == []


# Who is away


def test_it_is_told_who_is_away_for_how_long_and_when_they_are_back() -> None:
    desk = Desk(seated=True)
    away: Json = {"type": "away", "room": "r1", "player": BEN, "seats": [1], "until": 43_000}
    desk.tell(message(type="pong", re="p", now=0, heads={}))
    desk.tell(message(**away), message(type="back", room="r1", player=BEN), message(**away))
    desk.shell.time += 43
    desk.tell(message(**away, claim=True))
    assert desk.printed == [
        "Ben lost the connection: 43 s left to come back.",
        "Ben is back.",
        "Ben lost the connection: 43 s left to come back.",
        "Ben has been away too long: type claim to win, claim draw for a draw, or wait.",
    ]


def test_a_spectator_who_is_away_is_not_told_about() -> None:
    desk = Desk(seated=True)
    eve: Json = {"id": "eve", "name": "Eve"}
    desk.tell(message(type="joined", room="r1", seq=3, player=eve))
    desk.printed.clear()
    desk.tell(message(type="away", room="r1", player=eve, seats=[], until=43_000))
    desk.tell(message(type="back", room="r1", player=eve))
    assert desk.printed == []


@pytest.mark.parametrize(("was", "told"), [(1812, "was 1812"), (1820, "unchanged")])
def test_how_the_ratings_moved_is_told_once(was: int, told: str) -> None:
    desk = Desk(seated=True)
    moved = [{"value": 1338, "provisional": True, "was": 1500}, {"value": 1820, "was": was}]
    for _ in range(2):  # a resume tells it again
        desk.tell(message(type="rated", room="r1", ratings=moved))
    assert desk.printed == [f"New ratings: Ana 1338? (was 1500), Ben 1820 ({told})."]


def test_whoever_comes_to_a_table_reads_who_is_away_from_it() -> None:
    desk = Desk()
    at = table(BEN, HARD)
    at["members"][0]["away"] = 600_000
    desk.tell(message(type="joined", room="r1", seq=2, player=ANA, table=at))
    assert desk.printed[1:] == ["Ben lost the connection: 10 min left to come back."]


# What can be answered


@pytest.mark.parametrize("what", ["a turn", "a player leaves"])
def test_an_offer_that_is_off_the_table_is_no_question_any_more(what: str) -> None:
    desk = Desk(seated=True)
    desk.tell(message(type="offered", room="r1", seq=4, offer="o1", seat=1, what="draw"))
    if what == "a turn":
        desk.tell(turn(5, "0........", last={"seat": 0, "move": "a1"}))
    else:
        desk.tell(message(type="left", room="r1", seq=5, player=BEN, reason="left"))
    desk.type("yes")
    assert (desk.noted, desk.sent()) == (["You have no invitation or offer to answer."], [])


def test_it_is_told_that_an_offer_without_an_answer_is_off_the_table() -> None:
    desk = Desk(seated=True)
    desk.tell(message(type="offered", room="r1", seq=4, offer="o1", seat=1, what="draw"))
    desk.tell(message(type="offered", room="r1", seq=5, offer="o2", seat=0, what="takeback"))
    desk.tell(message(type="answered", room="r1", seq=6, offer="o2", seat=1, yes=False))
    desk.tell(turn(7, "0........", last={"seat": 0, "move": "a1"}))
    assert desk.printed[3:] == [
        "Ben offered a draw. The offer is no longer open.",
        "1. You play a1. Ben to move.",
    ]


def test_nobody_is_told_of_old_offers_when_the_game_is_over() -> None:
    desk = Desk(seated=True)
    desk.tell(message(type="offered", room="r1", seq=4, offer="o1", seat=1, what="draw"))
    over = {"kind": "win", "winners": [1], "reason": "resign"}
    desk.tell(turn(5, seats=[], last={"seat": 0, "withdrew": "resign"}, outcome=over))
    assert desk.printed[1:] == ["You resign. Ben wins (resign)."]


def test_an_invitation_outlives_the_table_and_an_offer_does_not() -> None:
    for outlives in (True, False):
        desk = Desk(seated=True)
        about = {"game": "tic-tac-toe", "options": {}, "by": BEN, "until": 0}
        if outlives:
            desk.tell(message(type="invited", invite="i1", room="r7", seat=1, **about))
        else:
            desk.tell(message(type="offered", room="r1", seq=4, offer="o1", seat=1, what="draw"))
        desk.type("leave")
        desk.tell(
            message(type="left", room="r1", seq=5, player=ANA, reason="left", re=desk.one("leave")["id"])
        )
        desk.type("yes")
        assert ("join" in desk.sent_types()) is outlives


def test_who_sits_at_a_table_can_be_asked_to_one_more_seat_there() -> None:
    desk = Desk()
    desk.tell(joined(ANA, None, state="waiting"))
    about = {"game": "tic-tac-toe", "options": {}, "by": BEN, "until": 0}
    desk.tell(message(type="invited", invite="i1", room="r1", seat=1, **about))
    assert desk.printed[-1] == "Ben invites you to play Tic-tac-toe, seat 1. Type yes or no."
    desk.type("yes")
    assert desk.one("join")["invite"] == "i1"


def test_no_to_an_invitation_is_confirmed() -> None:
    desk = Desk()
    about = {"game": "tic-tac-toe", "options": {}, "by": BEN, "until": 0}
    desk.tell(message(type="invited", invite="i1", room="r7", seat=1, **about))
    desk.forget()
    desk.type("no")
    desk.answer("ok")
    assert desk.printed == ["You decline."]


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("declined", "Ben declined. Seat 1 is free again."),
        ("expired", "Ben didn't come. Seat 1 is free again."),
        ("gone", "Ben left. Seat 1 is free again."),
        ("freed", "The invitation to Ben ended. Seat 1 is free again."),
    ],
)
def test_an_invitation_that_came_to_nothing_is_told(reason: str, told: str) -> None:
    desk = Desk(seated=True)
    desk.tell(message(type="declined", room="r1", seat=1, player=BEN, reason=reason))
    assert desk.printed == [told]


def test_a_phrase_is_said_in_the_language_of_the_listener() -> None:
    desk = Desk(seated=True)
    speak("fr")
    said = {"type": "said", "room": "r1", "seq": 4, "player": BEN, "seats": [1]}
    desk.tell(message(**said, text="Good luck!", phrase="goodLuck"))
    assert desk.printed == ["Ben: Bonne chance !"]


def test_a_refusal_is_told_in_the_language_of_the_reader() -> None:
    desk = Desk(seated=True)
    speak("fr")
    desk.type("b2")
    why = {"reason": "occupied", "fields": {"cell": "b2"}}
    desk.answer("refused", code="illegalMove", message="Cell b2 is occupied.", **why)
    assert desk.noted == ["Non : La case b2 est occupée. [illegalMove]"]


def test_a_move_in_words_ends_the_menu_and_is_played() -> None:
    desk = Desk()
    view = GAMES["minesweeper"].start().view(0)
    desk.tell(joined(ANA, game="minesweeper"))
    desk.tell(message(type="nextPlayer", room="r1", seq=2, ply=0, seat=0, seats=[0], view=view))
    desk.forget()
    desk.type("menu", "1", "x", "dig c4")
    assert desk.one("playTurn")["move"] == "dig c4"
    assert desk.noted[-2:] == ["Axis x between 1 and 9 (a to i): "] * 2


# Going from one table to the next


def test_nothing_is_left_before_the_next_table_is_there() -> None:
    desk = Desk(seated=True)
    over = {"kind": "win", "winners": [1], "reason": "resign", "scores": None, "ranking": None}
    desk.tell(turn(4, seats=[], last={"seat": 0, "withdrew": "resign"}, outcome=over))
    desk.type("create tic-tac-toe")
    [create] = desk.sent()
    desk.tell(joined(ANA, None, room="r2", state="waiting", re=create["id"]))
    assert create["type"] == "createRoom"
    assert desk.one("leave")["room"] == "r1"


def test_a_second_table_never_ends_a_game_under_way() -> None:
    desk = Desk(seated=True)
    desk.tell(joined(BEN, ANA, room="r2"))
    assert desk.printed == ["You're also at table r2. You'll go there when you leave this table."]
    assert desk.sent() == []
    desk.type("leave")
    desk.tell(message(type="left", room="r1", seq=4, player=ANA, reason="left", re=desk.one("leave")["id"]))
    assert desk.printed[1:] == ["You left table r1.", "Tic-tac-toe, table r2: you are on seat 1."]


def test_a_table_where_one_is_already_is_gone_to_when_it_is_asked_for() -> None:
    desk = Desk(seated=True)
    desk.tell(joined(BEN, ANA, room="r2"))
    over = {"kind": "win", "winners": [1], "reason": "resign", "scores": None, "ranking": None}
    desk.tell(turn(4, seats=[], last={"seat": 0, "withdrew": "resign"}, outcome=over))
    desk.forget()
    desk.type("join r2")
    desk.tell(joined(BEN, ANA, room="r2", re=desk.one("join")["id"]))
    assert desk.printed == ["Tic-tac-toe, table r2: you are on seat 1."]
    assert desk.one("leave")["room"] == "r1"


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("left", "You left table r1."),
        ("gone", "You were away for too long. You're no longer at table r1."),
        ("The room is shut.", "You are no longer at table r1: The room is shut."),
    ],
)
def test_why_one_is_at_a_table_no_more(reason: str, told: str) -> None:
    desk = Desk(seated=True)
    desk.tell(message(type="left", room="r1", seq=4, player=ANA, reason=reason))
    assert desk.printed == [told]


# Without a connection


def test_what_is_typed_without_a_connection_waits_and_that_is_said() -> None:
    desk = Desk(seated=True)
    desk.drop()
    desk.forget()
    desk.type("a1", "board", "help")
    waits = "You're offline. Your command is sent when you're back online."
    assert desk.noted[:2] == [waits, waits]
    assert "say TEXT" in "".join(desk.noted)
    desk.return_()
    assert desk.one("playTurn")["move"] == "a1"


def test_what_needs_no_server_is_done_without_one() -> None:
    desk = Desk(seated=True)
    desk.drop()
    desk.forget()
    desk.type("board")
    assert len(desk.noted) == 1
    assert "X you" in desk.noted[0]


def test_going_without_a_word_says_what_becomes_of_the_seat() -> None:
    desk = Desk(seated=True)
    desk.mode.interrupted()
    assert desk.noted == ["Your seat at table r1 is kept for a few minutes. Return as Ana."]
    desk = Desk()
    desk.mode.interrupted()
    desk.client.close()
    assert (desk.noted, desk.printed) == ([], [])


def test_the_end_of_typing_at_a_terminal_gives_up_nothing() -> None:
    desk = Desk(seated=True)
    desk.type_no_more()
    assert desk.shell.finished
    assert "is kept for a few minutes" in desk.noted[0]
    assert desk.sent() == []


def test_the_end_of_the_program_is_no_news_of_the_table() -> None:
    desk = Desk(seated=True)
    desk.client.close()
    assert (desk.noted, desk.printed) == ([], [])


def test_what_the_host_says_is_told_in_a_line_that_moves_no_cursor() -> None:
    desk = Desk()
    text = "The host says: Pizza\x1b[2J is here."
    desk.tell(message(type="announcement", reason="hostSays", fields={"text": "…"}, message=text))
    assert desk.printed[-1] == "The host says: Pizza [2J is here."


@pytest.mark.parametrize(
    ("reason", "line"),
    [
        ("left", "You left table r1."),
        ("closed", "The host closed table r1."),
        ("idle", "Table r1 closed because no one was active."),
        ("kicked", "The host removed you from table r1."),
    ],
)
def test_who_is_at_a_table_no_more_hears_why_in_a_sentence(reason: str, line: str) -> None:
    desk = Desk(seated=True)
    desk.tell(message(type="left", room="r1", seq=4, player=ANA, reason=reason))
    assert line in desk.printed

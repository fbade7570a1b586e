"""The line mode: one line for each event, one typed line for each command; for pipes and screen readers too.

Law: typed lines are taken one after the other, each when the one before is answered; in a pipe a move also
waits for its turn.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from tablero.client.client import Client
from tablero.client.room import Room
from tablero.errors import Disconnected
from tablero_games import GAMES
from tablero_protocol import messages
from tablero_protocol.messages import Invited, LobbyList, NextPlayer, Offered, ServerMessage
from tablero_protocol.text import clean

from . import minesweeper_menu, sentences, verbs
from .commands import Commands, Otherwise, Then, nothing
from .minesweeper_menu import Question
from .narrator import Narrator
from .verbs import Command, UsageError

NO_TABLE = "You are at no table: create, join or watch one first."


class LineMode:
    """A person at the keyboard, or a script in their place; `narrator` tells them what happens."""

    def __init__(self, client: Client, narrator: Narrator) -> None:
        self.turned_away = False
        """The table named on the command line did not let us in."""
        self._client = client
        self._narrator = narrator
        self._commands = Commands(client, narrator, self._ask)
        self._lines: deque[str] = deque()
        self._input_over = False
        self._busy = False
        """A command has no answer yet."""
        self._leaving = False
        self._menu: Question[str] | None = None
        """Questions that are being asked; any command or move ends them."""
        narrator.changed.subscribe(lambda _: self._go_on())

    # What comes from the keyboard

    def begin(self, join: str | None) -> None:
        """The first words, and the table named on the command line."""
        self._narrator.say(f"You are {sentences.named(self._client.player)}. Type help for what you can do.")
        if join is not None:
            self._commands.join([join], self._no_entry)

    def line(self, text: str) -> None:
        at_once = {"quit": self._quit, "help": self._help}.get(text.strip().lower())
        if at_once is not None and not self._narrator.display.moves_wait:
            at_once()  # whatever has no answer yet
            return
        self._lines.append(text)
        self._go_on()
        if text.strip() and self._busy and not self._client.is_open:
            self._narrator.note("There is no connection now; this is done when it is back.")

    def input_over(self) -> None:
        """Nothing more will be typed. With Ctrl-D at a terminal nobody means to give up a game."""
        if self._narrator.display.moves_wait:
            self._input_over = True
            self._go_on()
        elif not self._leaving:
            self.interrupted()
            self._client.finish()

    def _go_on(self) -> None:
        """Takes as many lines as can be taken now."""
        if self._leaving:
            return
        while self._lines and not self._busy:
            line = self._lines.popleft()
            if not self._take(line):
                self._lines.appendleft(line)
                return  # it waits for its turn
        if self._input_over and not self._busy and not self._lines and not self._worth_staying():
            self._narrator.note("Nothing more is typed: leaving.")
            self._quit()

    def _take(self, line: str) -> bool:
        """Carries out one line; False if it has to wait."""
        if not line.strip():
            return True
        command = verbs.read_line(line)
        try:
            if command is None and self._menu is not None and not verbs.is_word_and_number(line):
                self._ask_menu(self._menu, line)
                return True
            self._menu = None
            if command is None:
                return self._move(line)
            getattr(self, f"_do_{command.verb}")(command)
        except UsageError as wrong:
            self._narrator.note(str(wrong))
        return True

    def _worth_staying(self) -> bool:
        """Whether the game in hand can go on without our typing."""
        room = self._narrator.room
        if room is None or room.table.state in ("finished", "closed"):
            return False
        if not room.seats:
            return True
        to_move = [seat for turn in room.turns.values() for seat in turn.seats]
        return room.table.state == "playing" and not set(to_move) & set(room.seats)

    # Moves

    def _move(self, line: str) -> bool:
        room = self._narrator.room
        if room is None:
            raise UsageError(self._unknown(line, NO_TABLE))
        turn = self._own_turn(room)
        if not verbs.looks_like_move(line):
            raise UsageError(self._unknown(line, f"Type help for the commands, or a move, {_example(room)}."))
        if not room.seats:
            raise UsageError("You only watch here.")
        if self._narrator.display.moves_wait and turn is None:
            if room.table.state != "finished":
                return False
            raise UsageError(f"The game is over; {clean(line)} was not played.")
        newest = turn or next(iter(room.turns.values()), None)
        if newest is None:
            raise UsageError("The game has not begun: every seat must be taken.")
        seat = room.seats[0] if newest.seat is None else newest.seat
        self._ask("playTurn", nothing, room=room.id, seat=seat, ply=newest.ply, move=" ".join(line.split()))
        return True

    def _ask_menu(self, menu: Question[str], line: str | None) -> None:
        """The next question, after `line` answered the last one; the move found at the end is as if typed."""
        self._menu = menu
        try:
            self._narrator.note(next(menu) if line is None else menu.send(line))
        except StopIteration as found:
            self._menu = None
            self._lines.appendleft(found.value)

    @staticmethod
    def _own_turn(room: Room) -> NextPlayer | None:
        """The turn of ours that it is now, if it is."""
        newest = max((turn.seq for turn in room.turns.values()), default=0)
        turns = (turn for turn in room.turns.values() if turn.seq == newest)
        return next((turn for turn in turns if turn.seat is not None and turn.seat in turn.seats), None)

    @staticmethod
    def _unknown(line: str, otherwise: str) -> str:
        verb = verbs.nearest_verb(line)
        return f"Unknown: {clean(line)!r:.60}. " + (f"Did you mean: {verb.usage}" if verb else otherwise)

    # Commands, one method a verb

    def _do_help(self, _: Command) -> None:
        self._help()

    def _help(self) -> None:
        width = max(len(verb.usage) for verb in verbs.VERBS.values())
        for verb in verbs.VERBS.values():
            self._narrator.note(f"{verb.usage:<{width}}  {verb.help}")
        self._narrator.note(f"Options of create: {verbs.OPTIONS}, and those of the game.")
        if (room := self._narrator.room) is not None:
            self._narrator.note(f"Anything else is a move, {_example(room)}.")
        else:
            self._narrator.note(f"The games are {', '.join(GAMES)}. To begin: create tic-tac-toe bot=easy")

    def _do_list(self, _: Command) -> None:
        def show(lobby: LobbyList) -> None:
            for line in sentences.lobby_lines(lobby):
                self._narrator.say(line)

        self._commands.with_lobby(show)

    def _do_create(self, command: Command) -> None:
        self._commands.create(command.words)

    def _do_join(self, command: Command) -> None:
        self._commands.join(command.words)

    def _do_watch(self, command: Command) -> None:
        self._commands.watch(command.words)

    def _do_invite(self, command: Command) -> None:
        self._commands.invite(self._here(), command.words)

    def _do_say(self, command: Command) -> None:
        if not command.text:
            raise UsageError("Say what: say TEXT")
        self._ask("say", nothing, room=self._here().id, text=command.text)

    def _do_board(self, _: Command) -> None:
        room = self._here()
        turn = next(iter(room.turns.values()), None)
        if turn is None:
            raise UsageError("The game has not begun: every seat must be taken.")
        self._narrator.note(sentences.board(room, turn, self._narrator.display.style))

    def _do_menu(self, _: Command) -> None:
        room = self._here()
        turn = next(iter(room.turns.values()), None)
        if room.game != "minesweeper":
            raise UsageError("Only moves of Minesweeper are chosen by number; type this game's moves.")
        if turn is None:
            raise UsageError("The game has not begun: every seat must be taken.")
        self._ask_menu(minesweeper_menu.get_move(turn.view), None)

    def _do_resign(self, _: Command) -> None:
        room = self._here()
        self._ask("resign", nothing, room=room.id, seat=self._seat(room))

    def _do_draw(self, _: Command) -> None:
        self._offer("draw")

    def _do_rematch(self, _: Command) -> None:
        self._offer("rematch")

    def _do_yes(self, _: Command) -> None:
        self._reply(True)

    def _do_no(self, _: Command) -> None:
        self._reply(False)

    def _do_leave(self, _: Command) -> None:
        self._ask("leave", nothing, room=self._here().id)

    def _do_quit(self, _: Command) -> None:
        self._quit()

    # What commands are made of

    def _here(self) -> Room:
        if self._narrator.room is None:
            raise UsageError(NO_TABLE)
        return self._narrator.room

    def _seat(self, room: Room) -> int:
        if not room.seats:
            raise UsageError("You only watch here.")
        turn = self._own_turn(room)
        return room.seats[0] if turn is None or turn.seat is None else turn.seat

    def _offer(self, what: str) -> None:
        room = self._here()
        self._ask("offer", nothing, room=room.id, seat=self._seat(room), what=what)

    def _reply(self, yes: bool) -> None:
        question = self._narrator.question
        match question:
            case None:
                raise UsageError("Nobody has asked you anything.")
            case Invited() if yes:
                self._commands.accept(question)
            case Invited():
                self._ask("decline", lambda _: self._narrator.say("You say no."), invite=question.invite)
            case Offered():
                room = self._here()
                fields: dict[str, Any] = {"seat": self._seat(room), "offer": question.offer, "yes": yes}
                self._ask("answer", nothing, room=room.id, **fields)
            case _ if yes:
                question()
        self._narrator.question = None

    def _ask(self, type: str, then: Then, otherwise: Otherwise | None = None, /, **fields: Any) -> None:
        """Sends a command; no further line is taken before its answer is here."""

        def answered(answer: ServerMessage) -> None:
            self._busy = False
            if isinstance(answer, messages.Refused):
                self._narrator.note(f"No: {clean(answer.message)} [{clean(answer.code)}]")
                if otherwise is not None:
                    otherwise(answer)
            else:
                then(answer)
            self._go_on()

        try:
            self._client.command(type, answered, **fields)
            self._busy = True
        except Disconnected as gone:
            self._narrator.note(str(gone))

    def _no_entry(self, _: messages.Refused) -> None:
        self.turned_away = True

    def interrupted(self) -> None:
        """We go without a word to the server; what that means for a game under way is worth saying."""
        room = self._narrator.room
        if room is not None and room.seats and room.table.state == "playing":
            kept = f"Your seat at table {clean(room.id)} is kept for some minutes"
            self._narrator.note(f"{kept}; start again as {sentences.named(self._client.player)} to go on.")

    def _quit(self) -> None:
        room = self._narrator.room
        self._leaving = True
        self._lines.clear()
        if room is None or not self._client.is_open:
            self._client.finish()
        else:
            self._client.command("leave", lambda _: self._client.finish(), room=room.id)


def _example(room: Room) -> str:
    return f"for example {sentences.HOW_TO_MOVE.get(room.game, 'b2')}"

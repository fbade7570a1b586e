"""The narrator prints events, one line each, and does nothing else."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from tablero.catalogue.refusals import in_words
from tablero.catalogue.speech import sentence, translate
from tablero.client.client import Client
from tablero.client.room import Room
from tablero.errors import Disconnected, Refused
from tablero_games.position import Style
from tablero_protocol.messages import (
    Announcement,
    Answered,
    Away,
    Back,
    Began,
    Best,
    Declined,
    Freed,
    Invited,
    Joined,
    Left,
    NextPlayer,
    Offered,
    OptionsSet,
    Preparing,
    Rated,
    Said,
    Swapped,
    Unprepared,
)
from tablero_protocol.phrases import PHRASES
from tablero_protocol.text import clean

from . import sentences
from .board_lines import UNLIMITED, Lay, Size, board_lines, text_of
from .current_table import CurrentTable
from .news import (
    ConnectionBack,
    ConnectionLost,
    Elsewhere,
    Entered,
    Gone,
    News,
    OfferExpired,
    Postponed,
    UpToDate,
)
from .sentences import expired_line, offer_line, setup_line
from .who import named

Print = Callable[[str], None]
ShowBoard = Callable[[Lay, str], None]
"""Function that shows a board in place of the one before, with its news above."""

_GONE_FROM = {
    "closed": sentence("The host closed table {table}."),
    "idle": sentence("Table {table} closed because no one was active."),
    "kicked": sentence("The host removed you from table {table}."),
    "left": sentence("You left table {table}."),
    "gone": sentence("You were away for too long. You're no longer at table {table}."),
}
_NOT_COMING = {
    "declined": sentence("{who} declined. Seat {seat} is free again."),
    "expired": sentence("{who} didn't come. Seat {seat} is free again."),
    "gone": sentence("{who} left. Seat {seat} is free again."),
    "freed": sentence("The invitation to {who} ended. Seat {seat} is free again."),
}

LONG_WAIT = 2.0
"""Minimum seconds to the next attempt for repeating that the connection is lost."""


@dataclass(frozen=True)
class Display:
    """The output and input of a terminal client."""

    boards: bool = True
    """Whether to draw the board after every turn."""
    style: Style = "unicode"
    moves_wait: bool = False
    """Whether a move typed early waits for its turn, as in a pipe. If not, the server judges it at once."""
    size: Callable[[], Size] = lambda: UNLIMITED
    """The size of the terminal, in columns and rows."""
    verbose: bool = False
    """Whether to say the codes of refusals."""
    asks: bool = False
    """Whether a person uses the client. Then it asks before resigning, and lists the next steps
    after a game.
    """


class Narrator:
    """The sentences for a player. `say` prints events, `note` prints messages of this program."""

    def __init__(
        self,
        client: Client,
        table: CurrentTable,
        say: Print,
        note: Print,
        display: Display,
        show_board: ShowBoard | None = None,
        keep_board: Callable[[], None] = lambda: None,
    ) -> None:
        self.display = display
        self.say, self.note = say, note
        self._client = client
        self._table = table
        self._show_board = show_board
        """The function that shows boards; None to print boards as lines."""
        self._keep_board = keep_board
        self._shown: NextPlayer | None = None
        """The newest turn of the current table that was told."""
        self._returned = False
        """Whether we have just returned. Then a known turn may come once more."""
        self._apart = 0
        """The number of messages about the current outage: none, the first, or both."""
        table.news.subscribe(self._hear)

    def _hear(self, news: News) -> None:
        match news:
            case NextPlayer():
                self._next_player(news)
            case Joined() | Left():
                self._came_or_left(news)
            case Away() | Back():
                self._presence_changed(news)
            case Rated() if self._table.room is not None:
                self.say(sentences.ratings_line(self._table.room, news))
            case Said():
                text = news.text if news.phrase is None else translate(PHRASES[news.phrase])
                self.say(f"{named(news.player)}: {clean(text)}")
            case Offered() | Answered() if self._table.room is not None:
                self.say(offer_line(self._table.room, news))
            case OfferExpired(offered) if self._table.room is not None:
                self.say(expired_line(self._table.room, offered))
            case Preparing() | Unprepared() | OptionsSet() | Freed() | Swapped() | Began():
                own = self._table.room.seats if self._table.room is not None else []
                self.say(setup_line(news, self._client.player, own, self._client.server_now))
            case UpToDate():
                self._up_to_date()
            case Entered():
                self._entered(news)
            case Elsewhere(room):
                told = sentence("You're also at table {table}. You'll go there when you leave this table.")
                self.say(translate(told, table=clean(room.id)))
            case Gone():
                self._gone(news)
            case ConnectionBack():
                self._connected()
            case ConnectionLost(wait):
                self._disconnected(wait)
            case Postponed():
                self.postponed()
            case Invited():
                self._invited(news)
            case Announcement():
                self.say(clean(in_words(news.reason, news.fields, news.message)))
            case Best(room=None):
                self.say(translate("No public games right now. You'll see the next one."))
            case Declined():
                told = _NOT_COMING[news.reason]
                self.say(translate(told, who=named(news.player), seat=news.seat))

    def refused(self, refused: Refused) -> None:
        why = sentences.refusal(self._table.room, refused)
        self.note(sentences.refused_line(why, refused.code, verbose=self.display.verbose))

    def show_board(self, room: Room, turn: NextPlayer, told: str = "") -> None:
        """Show the position and its news, even if boards are drawn only on request."""
        style = self.display.style
        if self._show_board is not None:
            self._show_board(lambda size: board_lines(room, turn, style, size), told)
            return
        self.note(text_of(board_lines(room, turn, style, self.display.size())))

    # The connection, and invitations

    def postponed(self) -> None:
        self.note(translate("You're offline. Your command is sent when you're back online."))

    def _connected(self) -> None:
        self._apart = 0
        self._returned = True
        self.note(translate("You're back online."))

    def _disconnected(self, wait: float | None) -> None:
        if wait is None:
            if (ended := self._client.ended) is not None:
                self.note(clean(in_words(ended.reason, ended.fields, ended.sentence)))
        elif self._apart == 0:
            self._apart = 1
            self.note(translate("Connection lost. Reconnecting…"))
        elif self._apart == 1 and wait >= LONG_WAIT:
            self._apart = 2
            self.note(translate("Still offline. Retrying every few seconds…"))

    def _invited(self, invited: Invited) -> None:
        who, game = named(invited.by), sentences.title_of(invited.game)
        here = self._table.room is not None and self._table.room.id == invited.room
        may_come = here or self._table.may_go
        if may_come:
            how = translate("Type yes or no.")
        else:
            how = translate("Type no, or leave this table and then type yes.")
        asks = translate(
            "{who} invites you to play {game}, seat {seat}.", who=who, game=game, seat=invited.seat
        )
        self.say(f"{asks} {how}")

    # Entering and leaving a table

    def _entered(self, entered: Entered) -> None:
        self._shown = None
        self._keep_board()
        if entered.is_rematch:
            self.say(translate("The rematch begins. The seats have changed."))
        self.say(sentences.arrival(entered.room))
        for line in sentences.absences(entered.room, self._client.server_now):
            self.say(line)

    def _gone(self, gone: Gone) -> None:
        self._keep_board()
        table, why = clean(gone.room.id), clean(gone.why)
        otherwise = sentence("You are no longer at table {table}: {why}")
        self.say(translate(_GONE_FROM.get(gone.why, otherwise), table=table, why=translate(why)))

    # At the table

    def _next_player(self, turn: NextPlayer) -> None:
        room, shown = self._table.room, self._shown
        if room is None or (shown is not None and turn.seq <= shown.seq):
            return  # each of our seats gets one: the first is enough
        self._shown = turn
        if turn.outcome is None and turn.last is not None and sentences.is_hidden(room, turn.last):
            self._tell_unseen(room, turn)
            return
        same = shown is not None and turn.outcome is None and (turn.ply, turn.last) == (shown.ply, shown.last)
        beside = sentences.beside_turns(turn, shown) if same and shown is not None else ""
        returned = self._returned
        if same and returned and not beside:
            beside = translate("The game continues.")
        self._returned = False
        told = sentences.turn_line(room, turn, self._client.server_now, beside=beside)
        self._tell_turn(room, turn, told, returned=returned)
        if turn.milliseconds is not None and room.seats:
            self._client.start(self._tell_place(room, turn))
        goes_on = turn.outcome is not None and turn.outcome["reason"] != "closed"
        if goes_on and room.seats and self.display.asks:
            self.note(
                translate(
                    "Type rematch or leave. To keep the game: tablero record {room}", room=clean(room.id)
                )
            )

    async def _tell_place(self, room: Room, turn: NextPlayer) -> None:
        """Tell which place in the list of best times a game has just reached, if its time counts there."""
        course = sentences.course_of(room, turn)
        if course is None:
            return
        with suppress(Refused, Disconnected):
            listed = (await self._client.show_times(course)).times
            own = [each for each in listed if each.player.id == self._client.player.id]
            for best in own:
                self.say(sentences.place_line(best, turn))

    def _up_to_date(self) -> None:
        """Show the state of the game to a player who returns, even if nothing has changed."""
        room, turn = self._table.room, self._table.latest
        if self._returned and room is not None and turn is not None and turn.outcome is None:
            self._returned = False
            going_on = translate("The game continues.")
            told = sentences.turn_line(room, turn, self._client.server_now, beside=going_on)
            self._tell_turn(room, turn, told, returned=True)

    def _tell_unseen(self, room: Room, turn: NextPlayer) -> None:
        """Tell a hidden move in a line, and update the board only if it is in sight."""
        told = sentences.unseen_line(room, turn)
        if self.display.boards and self._show_board is not None:
            self.show_board(room, turn, told)
        else:
            self.say(told)

    def _tell_turn(self, room: Room, turn: NextPlayer, told: str, *, returned: bool) -> None:
        """Tell a turn, with a board if it is useful. A board that stays in place is always updated."""
        in_place = self._show_board is not None and self.display.boards
        if in_place and turn.outcome is None:
            self.show_board(room, turn, told)
            return
        if in_place:
            self.show_board(room, turn)
            self._keep_board()  # the last board stays, and the result follows below
        elif self.display.boards and (returned or _is_worth_a_board(room, turn)):
            self.say(text_of(board_lines(room, turn, self.display.style, self.display.size())))
        self.say(told)

    def _came_or_left(self, event: Joined | Left) -> None:
        if event.player.id != self._client.player.id:
            self.say(sentences.member_line(event))
            if isinstance(event, Left) and event.owner == self._client.player.id:
                self.say(translate("You're now the owner of the table."))
        elif isinstance(event, Joined) and event.seat is not None:
            self.say(translate("You sit down on seat {seat}.", seat=event.seat))

    def _presence_changed(self, event: Away | Back) -> None:
        room = self._table.room
        if room is not None and event.player.id != self._client.player.id and room.waits_for(event.player):
            self.say(sentences.presence_line(room, event, self._client.server_now))


def _is_worth_a_board(room: Room, turn: NextPlayer) -> bool:
    """Whether to print a board. One board a round is enough, so none is printed after an own move that others
    answer.
    """
    ours = bool(set(turn.seats) & set(room.seats))
    return ours or not room.seats or turn.last is None or turn.outcome is not None

"""Public rooms and connected players for those who watch the lobby: page by page, then changes.

Law: no message is longer than a page, however many rooms and players there are.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import count, islice
from typing import Literal, NamedTuple, TypeAlias

from msgpack import Packer

from ..refusal import Message

Kind: TypeAlias = Literal["rooms", "players", "seeks"]
Line = Message
_LOOKED_AT, _MOST_LOOKED_AT = 50, 200
"""The lines compared in one step, normally and when there are thousands: fifty take about half a
millisecond.
"""
_ID_BYTES = 16
_PACK = Packer().pack


class _Told(NamedTuple):
    number: int
    """The line's position by arrival; a page starts after such a number."""
    kind: Kind
    line: Line
    size: int


class Lobby:
    """Collects changes until the next tick, so that watchers get at most one frame a tick."""

    def __init__(
        self,
        room_line: Callable[[str], Line | None],
        player_line: Callable[[str], Line | None],
        page_bytes: int,
    ) -> None:
        self.line_of: dict[Kind, Callable[[str], Line | None]] = {
            "rooms": room_line,
            "players": player_line,
        }
        self._page_bytes = page_bytes
        self._told: dict[str, _Told] = {}
        self._order: list[tuple[int, str]] = []
        """The number and id of each line, in order."""
        self._numbers = count(1)
        self._touched: dict[str, Kind] = {}
        self._unsure: set[str] = set()
        """The lines whose last change may not have reached the watchers."""
        self.watchers: set[str] = set()
        """The sessions that watch the lobby."""

    def room_changed(self, room: str, seats: Iterable[str | None] = ()) -> None:
        """Marks the room as changed, and the players on `seats`: their lines show their number of games."""
        self._touched[room] = "rooms"
        for player in filter(None, seats):
            self._touched[player] = "players"

    def room_never_was(self, room: str) -> None:
        """Removes a room whose creation could not be saved before anyone was told of the room."""
        self._forget(room)

    def player_changed(self, player: str) -> None:
        self._touched[player] = "players"

    def seek_changed(self, seek: str) -> None:
        self._touched[seek] = "seeks"

    def tell_again(self, kind: Kind, id: str) -> None:
        """Sends a line again, because its last change was undone or perhaps never sent."""
        self._touched[id] = kind
        if id in self._told:
            self._unsure.add(id)

    def watch(self, session: str, re: str, after: int | None) -> Message:
        """Sends this session all changes from now on. With `after`, sends only one more page."""
        if not self.watchers:  # with watchers, all lines are as old as the last changes
            self.changes()
        if after is None:
            self.watchers.add(session)
        return self._page(re, after or 0)

    def changes(self) -> Message | None:
        """The changes since the last call, or None. Changes beyond one page wait for the next call."""
        lines: dict[Kind, list[Line]] = {"rooms": [], "players": [], "seeks": []}
        gone: list[str] = []
        size = 0
        few = min(max(_LOOKED_AT, len(self._touched) // 10), _MOST_LOOKED_AT)
        for id, kind in list(islice(self._touched.items(), few)):
            if size >= self._page_bytes and self.watchers:
                break
            del self._touched[id]
            line, told = self.line_of[kind](id), self._told.get(id)
            is_unsure = id in self._unsure
            self._unsure.discard(id)
            if line is None:
                if told is not None:
                    self._forget(id)
                    gone.append(id)
                    size += _ID_BYTES
            elif told is None or told.line != line or is_unsure:
                size += self._tell(id, kind, line).size
                lines[kind].append(line)
        if not size:
            return None
        return {"type": "lobbyChanged", "gone": gone, **{str(kind): each for kind, each in lines.items()}}

    def again(self, ids: Iterable[str]) -> Iterator[Message]:
        """The lines of `ids` as watchers last got them, page by page, and the removed ids."""
        page, size = _changed(), 0
        for id in sorted(ids):
            told = self._told_of(id)
            more = _ID_BYTES if told is None else told.size
            if size and size + more > self._page_bytes:
                yield page
                page, size = _changed(), 0
            size += more
            if told is None:
                page["gone"].append(id)
            else:
                page[told.kind].append(told.line)
        if size:
            yield page

    def _page(self, re: str, after: int) -> Message:
        """A page of lines as they were last sent to watchers, after the line with number `after`."""
        page: Message = {"type": "lobby", "re": re, "rooms": [], "players": [], "seeks": []}
        size = 0
        for at in range(bisect_right(self._order, after, key=_number), len(self._order)):
            told = self._told_of(self._order[at][1])
            assert told is not None
            if size and size + told.size > self._page_bytes:
                page["more"] = self._order[at - 1][0]
                break
            size += told.size
            page[told.kind].append(told.line)
        return page

    def _told_of(self, id: str) -> _Told | None:
        """The line that watchers got last; the current line if the last one may not have reached them."""
        told = self._told.get(id)
        if told is not None and id in self._unsure and (line := self.line_of[told.kind](id)) is not None:
            told = self._told[id] = told._replace(line=line, size=len(_PACK(line)))
        return told

    def _tell(self, id: str, kind: Kind, line: Line) -> _Told:
        before = self._told.get(id)
        number = next(self._numbers) if before is None else before.number
        if before is None:
            self._order.append((number, id))
        told = self._told[id] = _Told(number, kind, line, len(_PACK(line)))
        return told

    def _forget(self, id: str) -> None:
        if (told := self._told.pop(id, None)) is not None:
            del self._order[bisect_left(self._order, (told.number, id))]


def _changed() -> Message:
    return {"type": "lobbyChanged", "rooms": [], "players": [], "gone": []}


def _number(line: tuple[int, str]) -> int:
    return line[0]

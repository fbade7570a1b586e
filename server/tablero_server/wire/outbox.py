"""What waits to be written to one peer: bounded, so that a slow reader costs nobody but itself."""

from __future__ import annotations


class Outbox:
    def __init__(self, most_messages: int, most_bytes: int) -> None:
        self._most_messages = most_messages
        self._most_bytes = most_bytes
        self.frames: list[bytes] = []  # a deque would take ten times the memory while it is empty
        self.size = 0

    def put(self, frame: bytes) -> bool:
        """False when it is full; the frame is then not in it."""
        if len(self.frames) >= self._most_messages or self.size + len(frame) > self._most_bytes:
            return False
        self.frames.append(frame)
        self.size += len(frame)
        return True

    def take(self) -> bytes | None:
        if not self.frames:
            return None
        frame = self.frames.pop(0)
        self.size -= len(frame)
        return frame

    def clear(self) -> None:
        self.frames.clear()
        self.size = 0

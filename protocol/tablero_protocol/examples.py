"""One example of every message, as on the wire: for the schema, the documentation and the tests."""

from __future__ import annotations

from typing import Any

_ANA = {"id": "p7k2m9q4x0ab", "name": "ana", "bot": False}
_ROBOT = {"id": "p3c8v5n1t6zz", "name": "corners", "bot": True, "level": "tic-tac-toe:hard"}
_CARD = {"brains": [{"game": "tic-tac-toe", "levels": ["easy", "hard"]}], "capacity": 8}
_ROOM = "r4d9s2h6w8ey"
_OUTCOME = {"kind": "win", "winners": [0], "reason": "line", "scores": None, "ranking": None}
_LINE = {
    "room": _ROOM,
    "game": "tic-tac-toe",
    "options": {},
    "state": "waiting",
    "seats": [_ANA, None],
    "watchers": 1,
    "clock": {"base": 300, "increment": 2},
}
_TABLE = {
    "room": _ROOM,
    "epoch": "e1f5g7j3k9ma",
    "game": "tic-tac-toe",
    "version": 1,
    "options": {},
    "state": "playing",
    "private": True,
    "seats": [_ANA, _ROBOT],
    "members": [{"player": _ANA, "seats": [0]}, {"player": _ROBOT, "seats": [1]}],
    "clock": {"base": 300, "increment": 2},
    "code": "7QK4-M2XD",
}
_NEXT_PLAYER = {
    "type": "nextPlayer",
    "room": _ROOM,
    "seq": 4,
    "ply": 1,
    "seats": [1],
    "view": {"cells": "....0...."},
    "seat": 0,
    "last": {"seat": 0, "move": "b2"},
    "clocks": [301250, 300000],
    "re": "c-playTurn",
}

CLIENT_EXAMPLES: tuple[dict[str, Any], ...] = (
    {
        "type": "hello",
        "id": "c-hello",
        "protocol": 1,
        "client": "my-bot 0.1",
        "name": "corners",
        "bot": _CARD,
    },
    {"type": "ping", "id": "c-ping"},
    {"type": "watchLobby", "id": "c-watchLobby"},
    {"type": "unwatchLobby", "id": "c-unwatchLobby"},
    {
        "type": "createRoom",
        "id": "c-createRoom",
        "game": "connect-four",
        "options": {"columns": 8, "rows": 7},
        "seats": 2,
        "private": True,
        "clock": {"base": 300, "increment": 2},
        "seat": None,
        "subscribe": ["nextPlayer", "chat"],
    },
    {"type": "join", "id": "c-join", "code": "7QK4-M2XD", "seat": 1, "subscribe": ["nextPlayer"]},
    {"type": "leave", "id": "c-leave", "room": _ROOM},
    {"type": "invite", "id": "c-invite", "room": _ROOM, "seat": 1, "bot": "tic-tac-toe:hard"},
    {"type": "decline", "id": "c-decline", "invite": "i5b0n8c2v4xq"},
    {"type": "subscribe", "id": "c-subscribe", "room": _ROOM, "event": "nextPlayer", "legalMoves": True},
    {"type": "unsubscribe", "id": "c-unsubscribe", "room": _ROOM, "event": "chat"},
    {"type": "playTurn", "id": "c-playTurn", "room": _ROOM, "seat": 0, "ply": 0, "move": "b2"},
    {"type": "resign", "id": "c-resign", "room": _ROOM, "seat": 0},
    {"type": "offer", "id": "c-offer", "room": _ROOM, "seat": 0, "what": "rematch"},
    {"type": "answer", "id": "c-answer", "room": _ROOM, "seat": 1, "offer": "o6t1y3u7p9sd", "yes": True},
    {"type": "say", "id": "c-say", "room": _ROOM, "text": "Good game!"},
    {"type": "resume", "id": "c-resume", "room": _ROOM, "epoch": "e1f5g7j3k9ma", "seq": 3},
    {"type": "takeSeat", "id": "c-takeSeat", "room": _ROOM, "seat": 0},
)

SERVER_EXAMPLES: tuple[dict[str, Any], ...] = (
    {
        "type": "welcome",
        "re": "c-hello",
        "player": _ANA,
        "session": "s0a1b2c3d4e5f6g7h8j9k0m1n2",
        "limits": {
            "frameBytes": 4096,
            "chatLength": 200,
            "rooms": 16,
            "watchers": 100,
            "silenceSeconds": 20.0,
        },
        "now": 1767225600000,
        "token": "dGhpcyBpcyBub3QgYSByZWFsIHRva2VuLCBidXQgbG9uZw",
        "rooms": [{"room": _ROOM, "seats": [0]}],
    },
    {"type": "ok", "re": "c-say", "room": _ROOM, "seq": 5},
    {
        "type": "refused",
        "re": "c-playTurn",
        "code": "stale",
        "reason": "otherPly",
        "fields": {"ply": 0, "now": 1},
        "message": "This turn was meant for ply 0; the game is at ply 1.",
        "missed": [{key: value for key, value in _NEXT_PLAYER.items() if key != "re"}],
    },
    {
        "type": "lobby",
        "re": "c-watchLobby",
        "rooms": [_LINE],
        "players": [{**_ANA, "games": 1}, {**_ROBOT, "card": _CARD, "games": 0}],
    },
    {"type": "lobbyChanged", "rooms": [{**_LINE, "watchers": 2}], "players": [], "gone": ["p9z8y7x6w5vt"]},
    {
        "type": "invited",
        "invite": "i5b0n8c2v4xq",
        "room": _ROOM,
        "seat": 1,
        "game": "tic-tac-toe",
        "options": {},
        "by": _ANA,
        "until": 1767225620000,
        "level": "tic-tac-toe:hard",
    },
    {"type": "declined", "room": _ROOM, "seat": 1, "player": _ROBOT, "reason": "expired"},
    {
        "type": "joined",
        "re": "c-join",
        "room": _ROOM,
        "seq": 2,
        "player": _ROBOT,
        "seat": 1,
        "code": "7QK4-M2XD",
        "table": _TABLE,
    },
    {"type": "left", "re": "c-leave", "room": _ROOM, "seq": 9, "player": _ROBOT, "reason": "left"},
    _NEXT_PLAYER,
    {"type": "said", "re": "c-say", "room": _ROOM, "seq": 5, "player": _ANA, "text": "Good game!"},
    {
        "type": "offered",
        "re": "c-offer",
        "room": _ROOM,
        "seq": 10,
        "offer": "o6t1y3u7p9sd",
        "seat": 0,
        "what": "rematch",
    },
    {
        "type": "answered",
        "re": "c-answer",
        "room": _ROOM,
        "seq": 11,
        "offer": "o6t1y3u7p9sd",
        "seat": 1,
        "yes": True,
    },
    {"type": "rematch", "room": _ROOM, "seq": 12, "next": "r8m3b5q1z7ck"},
    {
        "type": "snapshot",
        "re": "c-resume",
        "room": _ROOM,
        "epoch": "e1f5g7j3k9ma",
        "seq": 8,
        "table": {**_TABLE, "state": "finished", "next": "r8m3b5q1z7ck"},
        "turns": [
            {
                "type": "nextPlayer",
                "room": _ROOM,
                "seq": 8,
                "ply": 5,
                "seats": [],
                "view": {"cells": "011.0...0", "outcome": _OUTCOME},
                "seat": 0,
                "last": {"seat": 0, "move": "c3"},
                "legalMoves": [],
                "outcome": _OUTCOME,
            }
        ],
    },
    {"type": "seq", "room": _ROOM, "seq": 6},
    {"type": "pong", "re": "c-ping", "now": 1767225605000, "heads": {_ROOM: 8}},
    {
        "type": "bye",
        "code": 4000,
        "message": "The server stops or restarts; come back after `retryAfterMs`.",
        "retryAfterMs": 1200,
    },
)

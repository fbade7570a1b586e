"""Reasons why the server refuses a command, each with its code and a sentence with fields.

Law: a reason never changes its meaning. Sentences of refusals are written only here, except for those of the
games, which have separate reasons (`tablero_games.refusals`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .codes import Code


class Why(NamedTuple):
    code: Code
    sentence: str


def _all(reasons: Mapping[Code, Mapping[str, str]]) -> dict[str, Why]:
    return {
        reason: Why(code, sentence)
        for code, sentences in reasons.items()
        for reason, sentence in sentences.items()
    }


REASONS: dict[str, Why] = _all(
    {
        Code.BAD_FRAME: {
            "notAMap": "The frame is not a map.",
            "onlyMsgpack": "This connection speaks msgpack: send binary frames.",
            "onlyJson": "This connection speaks JSON: send text frames.",
            "notMsgpack": "The frame is not valid msgpack.",
            "notJson": "The frame is not valid JSON.",
            "frameTooLong": "The frame is longer than {most} bytes.",
            "tooManyValues": "The frame holds more than {most} values.",
            "tooDeep": "The frame is nested more than {most} deep.",
            "longOrOpenList": "A list or map in the frame has too many values, or there is an extra bracket.",
            "goesOn": "The frame has extra bytes after its value.",
            "notNeeded": "A frame may not contain bytes, extensions or 32-bit lengths.",
            "sameKeyTwice": "The frame holds a map with the same key twice.",
            "noNumber": "The frame contains {name}, which is not a number.",
            "over64Bits": "The frame holds an integer of more than 64 bits.",
            "notFinite": "The frame contains a number that is infinite or undefined.",
        },
        Code.UNKNOWN_TYPE: {
            "unknownType": 'There is no message "{name}".',
            "misspeltType": 'There is no message "{name}"; did you mean "{meant}"?',
        },
        Code.BAD_MESSAGE: {
            "unknownField": '{where} has no field "{name}".',
            "misspeltField": '{where} has no field "{name}"; did you mean "{meant}"?',
            "fieldMissing": "{field} is missing.",
            "fieldNoText": "{field} must be text.",
            "fieldNotWhole": "{field} must be a whole number.",
            "fieldNoNumber": "{field} must be a number.",
            "fieldNotTrueOrFalse": "{field} must be true or false.",
            "fieldNoList": "{field} must be a list.",
            "fieldNoMap": "{field} must be a map.",
            "fieldTooShort": "{field} must have at least {least} character.",
            "fieldTooLong": "{field} must have at most {most} characters.",
            "fieldNotVisible": "{field} must be made of visible ASCII characters without spaces.",
            "fieldUnseen": "{field} must contain a visible character.",
            "fieldTooMany": "{field} must have at most {most} entries.",
            "fieldTooSmall": "{field} must be at least {least}.",
            "fieldTooLarge": "{field} must be at most {most}.",
            "fieldNotAmong": "{field} must be {values}.",
            "fieldNoOption": "{field} must be text, a whole number, or true or false.",
            "fieldNotValid": "{field} is not valid.",
            "roomOrCode": "Send either `room` or `code`.",
            "handOverWithToken": "Send a token or a hand-over code, not both.",
            "playerOrBot": "Send either `player` or `bot`.",
            "textOrPhrase": "Send either `text` or `phrase`.",
            "oneKindOfClock": "A clock has `base` with or without `increment`, or `perMove`, or `days`.",
            "gameNotNamed": "To seek with options or a clock, name a game.",
            "nothingSaid": "The text is empty.",
            "recordTooLong": "A record can have at most {most} bytes.",
            # Its field `wrong` is the name of a complaint, and `wrongFields` are the fields of that.
            "recordInvalid": "Line {line} of the record is wrong: {complaint}.",
            "replayTooLong": "Replaying this record takes longer than {seconds} s.",
            "replayTooLarge": "The replay of this record would have more than {most} bytes.",
            "notDraining": "New games are allowed already.",
            "badDuration": "'{text}' is not a duration; use a number and a unit, such as 30m, 2h or 7d.",
            "networkTooWide": "{network} is too large; ban an address or a smaller network.",
            "tooManySanctions": "There are {most} bans and mutes already, the maximum; lift one first.",
            "hostSaysTooMuch": "That text is too long; use at most {most} characters.",
            "noDay": "Write a day as 2026-11-19, not '{day}'.",
            "unknownHostCommand": "There is no such host command; the commands are {known}.",
        },
        Code.WRONG_PROTOCOL: {
            "otherProtocol": "The server speaks protocol {server}, the client {client}: update the older "
            "one.",
        },
        Code.HELLO_FIRST: {
            "noHello": "Say hello before anything else.",
            "helloTwice": "You have already said hello.",
        },
        Code.BAD_TOKEN: {
            "unknownToken": "This server does not know that token; connect without one.",
            "oldToken": "That token has expired; connect without one.",
        },
        Code.BAD_NAME: {
            "badName": "A name has 2 to 20 letters, digits, - or _ (not first), and no title like admin.",
        },
        Code.ID_REUSED: {
            "otherCommand": "This id was used for another command; make a new random id for each command.",
            "leftSince": "You left the room that this id joined; send a new random id to join again.",
            "closedSince": "This id opened a room that has closed; use a new random id for each command.",
        },
        Code.UNKNOWN_GAME: {
            "unknownGame": "There is no such game here; choose one of {games}.",
        },
        Code.BAD_OPTIONS: {
            "commonClock": "All players of this game share one clock: set a base without an increment.",
        },
        Code.NO_FIELD_FOUND: {
            "noFieldFound": "No board without guessing was found; try fewer mines or a larger board.",
        },
        Code.NOT_RATABLE: {
            "ratedInTurns": "Only turn-based games for two can be rated; play this one unrated.",
            "ratedAsUsual": "Rated {game} allows only the standard options; use those, or play unrated.",
            "ratedByTheClock": "A rated game needs a clock or days for each move; set one, or play unrated.",
            "ratedInPublic": "Rated games are public; open the table to everyone, or play unrated.",
        },
        Code.UNKNOWN_ROOM: {
            "noSuchRoom": "This room does not exist or has closed; look at the lobby.",
            "otherRoom": "This game is in room {room}, not in {named}.",
            "noRoomCalledThat": "There is no room '{room}'; list shows all rooms.",
            "misspeltRoom": "There is no room '{room}'; did you mean '{meant}'?",
            "neverARoom": "There has never been such a room.",
        },
        Code.DAMAGED_ROOM: {
            "roomSetAside": "This room's log is damaged; it stays closed until the host restores it.",
            "damagedLog": "The stored data of this room is damaged.",
        },
        Code.WRONG_CODE: {
            "wrongHandOver": "This code is wrong or has expired; get a new one on the other device.",
            "wrongCode": "No room has this code; check it with the person who sent it.",
        },
        Code.UNKNOWN_PLAYER: {
            "nobodyCalledThat": "No one here is called '{player}'; use a name or an id.",
            "nothingToStrike": "{player} has no rated game and no best time.",
            "nothingToLift": "There is no such ban or mute for '{name}'; list shows all of them.",
            "misspeltSanction": "There is no such ban or mute for '{name}'; did you mean '{meant}'?",
            "misspeltPlayer": "No one here is called '{player}'; did you mean '{meant}'?",
            "nobodyToMute": "There is no other player with this id.",
            "unknownPlayer": "No player with this id is here; look at the lobby.",
        },
        Code.UNKNOWN_INVITE: {
            "unknownInvite": "That invitation has expired or was not for you.",
        },
        Code.UNKNOWN_OFFER: {
            "unknownOffer": "That offer is no longer open.",
        },
        Code.NO_SUCH_SEAT: {
            "otherSeat": "Your seat is {seat}, not {named}.",
            "seatNotHere": "There is no seat {seat}; this game has seats 0 to {last}.",
        },
        Code.SEAT_FREE: {
            "seatIsFree": "Seat {seat} is free.",
        },
        Code.SEAT_TAKEN: {
            "seatTaken": "Seat {seat} is taken; join without a seat to watch.",
            "seatNotFree": "Seat {seat} is taken.",
            "seatKept": "Seat {seat} is reserved for an invited player; try again soon.",
        },
        Code.ONE_SEAT_EACH: {
            "twoSeatsTaken": "With these options each player has one seat, but someone has two; free one.",
            "ratedRival": "You already have a seat, and a rated game needs another player; invite someone.",
            "oneSeatEach": "You already have a seat here, and each player can have only one. Invite someone.",
        },
        Code.ROOM_FULL: {
            "tooManyWatchers": "{most} people are watching already; try later.",
            "youDidTooMuchEverywhere": "You reached the limit of {entries} actions in open rooms; "
            "end some games.",
            "youDidTooMuch": "You have done too much in this room: from now on you can only make moves here.",
            "tooMuchHappened": "This room is at its limit: only seated players can still act. "
            "Open another room.",
            "noTurnsLeft": "This game reached its limit of {turns} turns; offer a draw, or resign.",
        },
        Code.TOO_MANY_ROOMS: {
            "tooManyRooms": "Leave a room first; you can be in at most {rooms}.",
            "tooManyIdleRooms": "Leave a room first; you are already in {rooms} rooms without other people.",
        },
        Code.TOO_MANY_SEEKS: {
            "tooManySeeks": "You have {seeks} seeks already; cancel one first.",
            "seeksOfAddress": "Players at your address have {seeks} seeks already; try again soon.",
        },
        Code.UNKNOWN_SEEK: {
            "unknownSeek": "This seek does not exist or has ended; seek again.",
        },
        Code.TOO_MANY_SESSIONS: {
            "tooManySessions": "Close a connection first; you can have at most {sessions}.",
        },
        Code.TOO_MANY_DEVICES: {
            "tooManyDevices": "You are signed in on {devices} devices already; sign one out first.",
        },
        Code.UNKNOWN_DEVICE: {
            "unknownDevice": "You have no such device.",
        },
        Code.PASSPHRASE_NEEDED: {
            "passphraseNeeded": "New players need this server's passphrase; ask the host.",
            "wrongPassphrase": "The passphrase is wrong; ask the host.",
        },
        Code.CLOSED_TO_GUESTS: {
            "closedToGuests": "This server takes no new players; to return, get a code on your other device.",
        },
        Code.BOT_UNAVAILABLE: {
            "otherGame": "This room plays {game}; invite the bot {game}:LEVEL.",
            "botsBusy": "Every bot that plays {bot} is busy; try again soon.",
            "noSuchBot": "No bot here plays {bot}; the lobby lists what the connected bots offer.",
        },
        Code.FORBIDDEN: {
            "notTheHosts": "The host key is wrong, or this client is not a bot; connect without the key.",
            "tokenOfAPerson": "This token belongs to a person; a bot connects without it.",
            "sessionReplaced": "A newer connection took over this session; this one is closing.",
            "sentAway": "This connection is closing; the bye message says why.",
            "foreignPage": "Pages of other sites can't use this unless TABLERO_ORIGINS lists their site.",
            "notInRoom": "Join this room first.",
            "notOwnLink": "QR codes are made only for links to your own tables; join the table first.",
            "notOwner": "Only the owner of this table can do that; ask the owner.",
            "gameBegun": "The game has begun, so the table can't be changed; open another one.",
            "beginsByItself": "All seats are taken: the game starts automatically.",
            "noWatchers": "This table takes no spectators; watch another one.",
            "pagesForPlayers": "These pages are for players of this server; send a player's token.",
            "notYourGames": "Only the player may see these games; send that player's token.",
            "mayNotInvite": "Only seated players and the owner can invite; take a seat.",
            "mutedMany": "You have muted {players} players; unmute one of them first.",
            "nobodyWaits": "You can't claim here: in this game, a player who is away for too long is out.",
            "noClock": "This game has no clock to stop.",
            "notPaused": "The game is not paused; play on.",
            "noTimeToAdd": "This game has no clock to add time to.",
            "addedOften": "Time can be added at most {most} times in one game; play on.",
            "notYourSeat": "Seat {seat} is not yours.",
            "playedElsewhere": "Another session of yours plays seat {seat}; send takeSeat to play it here.",
            "playerLeft": "A player has left, so there can be no rematch.",
            "notForEngines": "An engine can't send {type}.",
            "otherSideAnswers": "You have already agreed to this offer; the other players must answer it.",
        },
        Code.NO_CHAT: {
            "onlyPhrases": "This server allows only these phrases: {phrases}.",
            "hostMuted": "The host has muted you: {why}.",
            "hostMutedFor": "The host has muted you for {time}: {why}.",
            "chatIsOff": "The chat is off on this server.",
            "onlyLevels": "This server allows only these bot levels: {levels}.",
        },
        Code.NOT_STARTED: {
            "notStarted": "The game starts when every seat is taken.",
            "otherNumberSits": "{here} players are seated; with these options the game needs {allowed}.",
            "stillPreparing": "The game is being prepared and starts automatically.",
            "noRecordYet": "There is no record before the game starts.",
        },
        Code.NOT_OVER: {
            "notOver": "Finish this game first.",
            "replaySealed": "This game can be replayed only when it is over.",
        },
        Code.GAME_OVER: {
            "gameFinished": "The game is over; you can offer a rematch.",
            "seatIsOut": "Seat {seat} is already out of this game.",
            "rematchBegun": "The rematch has already begun.",
        },
        Code.PAUSED: {
            "gamePaused": "The game is paused; offer to continue, or wait until it resumes.",
        },
        Code.NOT_AWAY: {
            "rivalIsHere": "Your opponent is here; offer a draw, or play on.",
            "rivalMayComeBack": "Your opponent may still come back; you can claim in {seconds} s.",
        },
        Code.NO_TAKEBACK: {
            "noTakebackRated": "No takebacks in a rated game; play on.",
            "noTakebackHere": "No takebacks where something is hidden or all play at once; play on.",
            "tookBackOften": "You can take back at most {most} times in one game; play on.",
            "noMoveOfYours": "You have no move to take back; play on.",
        },
        Code.STALE: {
            "otherPly": "This turn was meant for ply {ply}; the game is at ply {now}.",
        },
        Code.DRAINING: {
            "draining": "The server is about to stop: no new games start; finish the current one.",
        },
        Code.BANNED: {
            "keptOut": "The host has banned you from this server: {why}.",
            "keptOutFor": "The host has banned you from this server for {time}: {why}.",
        },
        Code.RATE_LIMITED: {
            "tooFast": "Too many requests; try again in {seconds} s.",
            "talksTooFast": "You send messages too fast; try again in {seconds} s.",
            "renamesTooOften": "You change your name too often; try again in {seconds} s.",
            "invitesTooMany": "You send too many invitations; try again in {seconds} s.",
            "guestsOfAddress": "Too many new players come from your address; try again in {seconds} s.",
            "roomsOfPerson": "You open too many tables; try again in {seconds} s.",
            "roomsOfAddress": "Too many tables are opened from your address; try again in {seconds} s.",
            "tooManyWrongCodes": "Too many wrong codes came from you or your address; "
            "try again in {seconds} s.",
            "askedAlready": "You have invited {player} already; wait for an answer, or {seconds} s.",
            "manyAskThem": "{player} has many invitations to answer; wait for an answer, or {seconds} s.",
            "ownSearches": "{searches} of your games are being prepared; wait for them.",
            "asksTooOften": "You send too many requests; try again soon.",
        },
        Code.RETRY_LATER: {
            "tooMuchEverywhere": "The server is full; end some of your games and leave them, or try again "
            "later.",
            "serverFull": "The server is full; try again soon.",
            "tooManyPlayers": "The server has reached its limit of players; try again later.",
            "manyRecords": "Many records are being made; try again soon.",
            "manyReplays": "Many replays are being made; try again soon.",
            "manySearches": "Too many games are being prepared; try again soon.",
            "notRead": "The server could not read its data just now; try again soon.",
            "ratingsMove": "Ratings changed during the calculation; try again.",
            "notSaved": "The server could not save this; nothing changed. Try again soon.",
        },
    }
)
"""Reasons of the server and the codecs. Games have `illegalMove`, `notYourTurn` and most of `badOptions`."""


def sentence_of(reason: str, fields: Mapping[str, Any]) -> str:
    """The sentence of a reason with its fields; a list becomes "a, b, c"."""
    told = {
        name: ", ".join(map(str, value)) if isinstance(value, list) else value
        for name, value in fields.items()
    }
    return REASONS[reason].sentence.format_map(told)

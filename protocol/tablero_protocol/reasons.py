"""Why the server refuses a command: every reason, its code, and the sentence that is made of its fields.

Law: a reason never changes its meaning. No sentence of a refusal is written elsewhere, but for those of the
games, whose reasons are others (`tablero_games.refusals`).
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
            "longOrOpenList": "The frame has a list or map that is too long, or a bracket too many.",
            "goesOn": "The frame does not end where its value ends.",
            "notNeeded": "The frame holds bytes, an extension or a 32-bit length; no message needs any.",
            "sameKeyTwice": "The frame holds a map with the same key twice.",
            "noNumber": "The frame holds {name}, which is no number.",
            "over64Bits": "The frame holds an integer of more than 64 bits.",
            "notFinite": "The frame holds a number that is infinite or none.",
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
            "fieldUnseen": "{field} must have something that can be seen.",
            "fieldTooMany": "{field} must have at most {most} entries.",
            "fieldTooSmall": "{field} must be at least {least}.",
            "fieldTooLarge": "{field} must be at most {most}.",
            "fieldNotAmong": "{field} must be {values}.",
            "fieldNoOption": "{field} must be text, a whole number, or true or false.",
            "fieldNotValid": "{field} is not valid.",
            "roomOrCode": "Join by `room` or by `code`.",
            "handOverWithToken": "Come in by a token or by a hand-over code, not by both.",
            "playerOrBot": "Invite a `player` or a `bot`.",
            "textOrPhrase": "Say a `text` or a `phrase`.",
            "oneKindOfClock": "A clock has either `base` and perhaps `increment`, or `perMove`, or `days`.",
            "gameNotNamed": "Options and a clock are for one game: name it, or seek without them.",
            "nothingSaid": "There is nothing to say in this text.",
            "recordTooLong": "A record that is sent may have at most {most} bytes.",
            # Its fields `wrong` and `wrongFields` are the name of the complaint and what that is made of.
            "recordInvalid": "Line {line} of the record is wrong: {complaint}.",
            "replayTooLong": "To play this record again takes longer than {seconds} s.",
            "replayTooLarge": "The replay of this record would have more than {most} bytes.",
            "notDraining": "New games begin here anyway.",
            "badDuration": "'{text}' is no time; say a number and a unit, as in 30m, 2h or 7d.",
            "networkTooWide": "{network} is half the world; keep out an address, or a smaller network.",
            "tooManySanctions": "So many are kept out or muted already ({most}); lift one first.",
            "hostSaysTooMuch": "That is too long: say it in {most} characters.",
            "noDay": "Write a day as 2026-11-19, not '{day}'.",
            "unknownHostCommand": "The server does not know that command of a host; it knows {known}.",
        },
        Code.WRONG_PROTOCOL: {
            "otherProtocol": "The server speaks protocol {server}, the client {client}: update the older "
            "one.",
        },
        Code.HELLO_FIRST: {
            "noHello": "Say hello before anything else.",
            "helloTwice": "You have already said hello; once is enough.",
        },
        Code.BAD_TOKEN: {
            "unknownToken": "This server does not know that token; come in without one.",
            "oldToken": "That token has served its time; come in without one.",
        },
        Code.BAD_NAME: {
            "badName": "A name has 2 to 20 letters, digits, - or _ (not first), and no title like admin.",
        },
        Code.ID_REUSED: {
            "otherCommand": "This id was used for another command; make a new random id for each one.",
            "leftSince": "You have left that room since; make a new random id to come in again.",
            "closedSince": "The room it opened has closed since; make a new random id for each command.",
        },
        Code.UNKNOWN_GAME: {
            "unknownGame": "There is no such game here; there are {games}.",
        },
        Code.BAD_OPTIONS: {
            "commonClock": "In this game one clock runs for all: give it a base without an increment.",
        },
        Code.NO_FIELD_FOUND: {
            "noFieldFound": "No such field was found; try fewer mines or a larger board.",
        },
        Code.NOT_RATABLE: {
            "ratedInTurns": "Only games in which two take turns are rated; play this one unrated.",
            "ratedAsUsual": "A rated game of {game} has its usual options; leave them out, or play unrated.",
            "ratedByTheClock": "A rated game needs a clock, or days a move; choose one, or play unrated.",
            "ratedInPublic": "A rated game is for everybody to see; open the table unrated, or not private.",
        },
        Code.UNKNOWN_ROOM: {
            "noSuchRoom": "There is no such room (any more); look at the lobby.",
            "otherRoom": "This game is room {room}, not {named}.",
            "noRoomCalledThat": "There is no room '{room}'; list shows all that there are.",
            "misspeltRoom": "There is no room '{room}'; did you mean '{meant}'?",
            "neverARoom": "There has never been such a room.",
        },
        Code.DAMAGED_ROOM: {
            "roomSetAside": "This room's log is damaged: it is set aside until the host restores it.",
            "damagedLog": "What is stored of this room is damaged.",
        },
        Code.WRONG_CODE: {
            "wrongHandOver": "This code opens nothing (any more); get a new one on the other device.",
            "wrongCode": "No room has this code; check it with whoever gave it to you.",
        },
        Code.UNKNOWN_PLAYER: {
            "nobodyCalledThat": "Nobody here is called '{player}'; say a name or an id.",
            "nothingToStrike": "{player} has no rated game and no best time.",
            "nothingToLift": "Nothing of that kind holds for '{name}'; list shows what does.",
            "misspeltSanction": "Nothing of that kind holds for '{name}'; did you mean '{meant}'?",
            "misspeltPlayer": "Nobody here is called '{player}'; did you mean '{meant}'?",
            "nobodyToMute": "There is no other player with this id.",
            "unknownPlayer": "Nobody of that id is here to be invited; look at the lobby.",
        },
        Code.UNKNOWN_INVITE: {
            "unknownInvite": "That invitation ran out or was never yours.",
        },
        Code.UNKNOWN_OFFER: {
            "unknownOffer": "That offer is no longer on the table.",
        },
        Code.NO_SUCH_SEAT: {
            "otherSeat": "Your seat is {seat}, not {named}.",
            "seatNotHere": "This game has seats 0 to {last}, not {seat}.",
        },
        Code.SEAT_FREE: {
            "seatIsFree": "Nobody sits on seat {seat}.",
        },
        Code.SEAT_TAKEN: {
            "seatTaken": "Seat {seat} is taken; join without a seat to watch.",
            "seatNotFree": "Seat {seat} is taken.",
            "seatKept": "Seat {seat} is kept for a guest who was invited; try again soon.",
        },
        Code.ONE_SEAT_EACH: {
            "twoSeatsTaken": "Somebody has two seats here, and with these options everybody has one.",
            "ratedRival": "You have a seat here already, and a rated game is for two; invite somebody.",
            "oneSeatEach": "You have a seat here already, and everybody has one; invite somebody.",
        },
        Code.ROOM_FULL: {
            "tooManyWatchers": "{most} people are watching already; try later.",
            "youDidTooMuchEverywhere": "You have done {entries} things in open rooms; end some of these "
            "games and leave them.",
            "youDidTooMuch": "You have done so much here that only the game may go on; open another room.",
            "tooMuchHappened": "So much has happened here that only those who play may go on; open "
            "another room.",
            "noTurnsLeft": "This game has had its {turns} turns; offer a draw, or resign.",
        },
        Code.TOO_MANY_ROOMS: {
            "tooManyRooms": "Leave a room first; you are in as many as you may be ({rooms}).",
            "tooManyIdleRooms": "Leave a room first; you are alone or with bots in {rooms} already.",
        },
        Code.TOO_MANY_SEEKS: {
            "tooManySeeks": "You have {seeks} seeks already; cancel one first.",
            "seeksOfAddress": "Players at your address have {seeks} seeks already; try again soon.",
        },
        Code.UNKNOWN_SEEK: {
            "unknownSeek": "You have no such seek (any more); seek anew.",
        },
        Code.TOO_MANY_SESSIONS: {
            "tooManySessions": "Close a connection first; you have as many as you may ({sessions}).",
        },
        Code.TOO_MANY_DEVICES: {
            "tooManyDevices": "You come from {devices} devices already; end one of them first.",
        },
        Code.UNKNOWN_DEVICE: {
            "unknownDevice": "You have no such device (any more).",
        },
        Code.PASSPHRASE_NEEDED: {
            "passphraseNeeded": "Newcomers need the passphrase of this server; ask its host.",
            "wrongPassphrase": "That is not the passphrase of this server; ask its host.",
        },
        Code.CLOSED_TO_GUESTS: {
            "closedToGuests": "This server takes no newcomers; come in as who you are on another device.",
        },
        Code.BOT_UNAVAILABLE: {
            "otherGame": "This room plays {game}; invite {game}:LEVEL.",
            "botsBusy": "Every bot that plays {bot} is busy; try again soon.",
            "noSuchBot": "No bot here plays {bot}; the lobby lists what the connected bots offer.",
        },
        Code.FORBIDDEN: {
            "notTheHosts": "Only a bot with this server's key is its host's own; come in without the key.",
            "tokenOfAPerson": "This token belongs to a person; a bot comes in without it.",
            "sessionReplaced": "A newer connection took this session over; this one closes.",
            "sentAway": "This connection closes; its bye has said why.",
            "foreignPage": "A page of another site may not ask for this; see TABLERO_ORIGINS.",
            "notInRoom": "Join this room first.",
            "notOwnLink": "A QR code is made of links to your own tables alone; join the table first.",
            "notOwner": "Only the owner of this table settles that; ask them.",
            "gameBegun": "The game has begun, so its table stays as it is; open another one.",
            "beginsByItself": "Every seat is taken, so the game begins by itself.",
            "noWatchers": "This table is for its players alone; join one that may be watched.",
            "pagesForPlayers": "These pages are for players of this server; ask with the token of one.",
            "notYourGames": "These games are for their player alone; ask with that player's token.",
            "mayNotInvite": "Only who sits here or owns this table invites to it; take a seat.",
            "mutedMany": "You have muted {players} players; let one of them be heard first.",
            "nobodyWaits": "Nobody waits for others in this game; whoever is away for too long is out of it.",
            "noClock": "This game has no clock that could be stopped.",
            "notPaused": "The game is not paused; play on.",
            "noTimeToAdd": "Here nobody has a clock that time could be added to.",
            "addedOften": "Time was added {most} times in this game, and that is all; play on.",
            "notYourSeat": "Seat {seat} is not yours.",
            "playedElsewhere": "Another session of yours plays seat {seat}; send takeSeat to play it here.",
            "playerLeft": "A player has left, so there is nobody to play again with.",
            "notForEngines": "A host has no {type} for an engine.",
            "otherSideAnswers": "The other side has to answer this offer.",
        },
        Code.NO_CHAT: {
            "onlyPhrases": "On this server only phrases are said: {phrases}.",
            "hostMuted": "The host has muted you: {why}.",
            "hostMutedFor": "The host has muted you for {time}: {why}.",
            "chatIsOff": "On this server nothing is said.",
            "onlyLevels": "On this server the levels of a bot are among these: {levels}.",
        },
        Code.NOT_STARTED: {
            "notStarted": "The game starts when every seat is taken.",
            "otherNumberSits": "{here} sit here, and with these options the game is for {allowed}.",
            "stillPreparing": "The game is being prepared, and starts by itself.",
            "noRecordYet": "There is no record before the game starts.",
        },
        Code.NOT_OVER: {
            "notOver": "Play this game to its end first.",
            "replaySealed": "This game hides something until it is over; then it can be replayed.",
        },
        Code.GAME_OVER: {
            "gameFinished": "The game is over; you can offer a rematch.",
            "seatIsOut": "Seat {seat} is already out of this game.",
            "rematchBegun": "The rematch has already begun.",
        },
        Code.PAUSED: {
            "gamePaused": "The game is paused; offer to continue, or wait until it goes on by itself.",
        },
        Code.NOT_AWAY: {
            "rivalIsHere": "Your rival is here; offer a draw, or play on.",
            "rivalMayComeBack": "Your rival may still come back, for {seconds} s; then claim.",
        },
        Code.NO_TAKEBACK: {
            "noTakebackRated": "Nothing is taken back in a rated game; play on.",
            "noTakebackHere": "Nothing is taken back where something is hidden or all play at once; play on.",
            "tookBackOften": "You can take back at most {most} times in one game; play on.",
            "noMoveOfYours": "There is no move of yours to take back; play on.",
        },
        Code.STALE: {
            "otherPly": "This turn was meant for ply {ply}; the game is at ply {now}.",
        },
        Code.DRAINING: {
            "draining": "The server is about to stop, so no new game begins; play on where you are.",
        },
        Code.BANNED: {
            "keptOut": "The host keeps you out of this server: {why}.",
            "keptOutFor": "The host keeps you out of this server for {time}: {why}.",
        },
        Code.RATE_LIMITED: {
            "tooFast": "You are too fast; try again in {seconds} s.",
            "talksTooFast": "You are talking too fast; try again in {seconds} s.",
            "renamesTooOften": "You change your name too often; try again in {seconds} s.",
            "invitesTooMany": "You invite too many; try again in {seconds} s.",
            "guestsOfAddress": "Too many new players come from your address; try again in {seconds} s.",
            "roomsOfPerson": "You open too many tables; try again in {seconds} s.",
            "roomsOfAddress": "Too many tables are opened from your address; try again in {seconds} s.",
            "tooManyWrongCodes": "Too many wrong codes came from you or your address; "
            "try again in {seconds} s.",
            "askedAlready": "You have asked {player} already; wait for an answer, or {seconds} s.",
            "manyAskThem": "{player} has many invitations to answer; wait for an answer, or {seconds} s.",
            "ownSearches": "{searches} games are being prepared for you; wait for them.",
            "asksTooOften": "You ask too often; try again soon.",
        },
        Code.RETRY_LATER: {
            "tooMuchEverywhere": "The server is full; end some of your games and leave them, or try again "
            "later.",
            "serverFull": "The server is full; try again soon.",
            "tooManyPlayers": "The server knows as many players as it may; try again later.",
            "manyRecords": "Many records are being made; try again soon.",
            "manyReplays": "Many replays are being made; try again soon.",
            "manySearches": "Too many games are being prepared; try again soon.",
            "notRead": "The server could not read that just now; try again soon.",
            "ratingsMove": "Ratings have moved while this was computed; try again.",
            "notSaved": "The server could not save this; nothing has changed. Try again soon.",
        },
    }
)
"""What the server and the codecs say; the games say `illegalMove`, `notYourTurn` and most of `badOptions`."""


def sentence_of(reason: str, fields: Mapping[str, Any]) -> str:
    """A list is told as "a, b, c"."""
    told = {
        name: ", ".join(map(str, value)) if isinstance(value, list) else value
        for name, value in fields.items()
    }
    return REASONS[reason].sentence.format_map(told)

"""Complaints about a record: a name for each, and a sentence with fields.

Law: a name never changes its meaning; its sentence may be improved. For a move or option that the rules
refuse, the name is the rules' reason (`tablero_games.refusals`), whose sentence is not here.
"""

from __future__ import annotations

from ..refusals import SENTENCES

COMPLAINTS: dict[str, str] = {
    "breaksOff": "The record breaks off.",
    "notClosed": "The record breaks off: its last line has no `hash`.",
    "otherFormat": "A record must have the format {format}.",
    "lineTooNested": "This line is nested too deep.",
    "lineNotJson": "This line is not JSON.",
    "lineNoObject": "This line is not a JSON object.",
    "lineChanged": "This is not the line that followed line {before}: one of the two was changed.",
    "lineRewritten": "This line is not written in the exact form of a record.",
    "lineLacks": "The field {field} is missing.",
    "lineUnknownField": "This kind of line has no field {field}.",
    "lineWrongField": "The field {field} cannot have this value.",
    "manyTurns": "A replay has at most {most} turns.",
    "gameNotHere": "There is no game '{game}' here.",
    "otherRules": "The record has version {theirs} of the rules; only version {ours} is known here.",
    "optionsByHalves": "The record's options are not written out in full.",
    "otherSeats": "The record has a wrong number of seats or names for its game.",
    "otherClock": "A clock has a base and an increment, or a time for each move, or days.",
    "needsCommitment": "A record of this game needs a valid commitment, and no seed, in line 1.",
    "needsSeed": "A record of this game needs a valid seed, and no commitment, in line 1.",
    "opensNothing": "The record reveals hidden information, but its game hides nothing.",
    "opensTooEarly": "The record reveals hidden information before the end of the game.",
    "staysSealed": "The record lacks the salt or the seed of its commitment.",
    "otherPromise": "The salt and seed do not match the commitment in line 1.",
    "preparedTooLong": "The prepared start of the game could not be made again in time.",
    "preparedOtherwise": "The prepared start of the game does not follow from the seed.",
    "preparedUnfit": "The prepared start of the game is not valid.",
    "notOneDeed": "A turn has exactly one action: a move, a withdrawal, a takeback, and so on.",
    "noSeatOfGame": "The seats of this game are 0 to {last}.",
    "seatOut": "This seat is out of the game.",
    "beforeTheLast": "This turn has an earlier time than the turn before it.",
    "clocksMissing": "This turn does not have one clock time for each seat.",
    "noClocks": "There are no clocks in this game.",
    "noTimeAmongDays": "No time can be added in a game with days for each move.",
    "stillPaused": "The game is paused.",
    "neverPaused": "The game is not paused.",
    "otherTakeback": "A takeback undoes the last move of its seat and all after it.",
    "takesBackHidden": "There are no takebacks in a game with hidden information.",
    "otherOutcome": "The record's outcome does not follow from its turns.",
    "sealedYet": "The game is not over: its hidden information is sealed, so no board is drawn.",
}
"""All complaints. The last complaint is used by clients that draw the positions of a record."""


def sentence_about(complaint: str) -> str:
    """The English sentence for a complaint, or for a reason of the rules."""
    return COMPLAINTS.get(complaint) or SENTENCES[complaint]

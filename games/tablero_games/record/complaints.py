"""Complaints about a record: a name for each, and a sentence with fields.

Law: a name never changes its meaning; its sentence may be improved. For a move or option that the rules
refuse, the name is the rules' reason (`tablero_games.refusals`), whose sentence is not here.
"""

from __future__ import annotations

from ..refusals import SENTENCES

COMPLAINTS: dict[str, str] = {
    "breaksOff": "The record breaks off.",
    "notClosed": "The record breaks off: this line does not close it.",
    "otherFormat": "Here a record has the format {format}.",
    "lineTooNested": "This line is nested too deep.",
    "lineNotJson": "This line is not JSON.",
    "lineNoObject": "This line is not a JSON object.",
    "lineChanged": "This is not the line that followed line {before}: one of the two was changed.",
    "lineRewritten": "This line is not written as a record writes it.",
    "lineLacks": "The field {field} is missing.",
    "lineUnknownField": "A line like this has no field {field}.",
    "lineWrongField": "The field {field} cannot have this value.",
    "manyTurns": "A replay has at most {most} turns.",
    "gameNotHere": "There is no game '{game}' here.",
    "otherRules": "It follows version {theirs} of the rules; here is version {ours}.",
    "optionsByHalves": "Its options are not written out in full.",
    "otherSeats": "It does not have as many seats or names as this game.",
    "otherClock": "A clock has a base and an increment, or so much for each move, or days.",
    "needsCommitment": "It needs a commitment, and not both.",
    "needsSeed": "It needs a seed, and not both.",
    "opensNothing": "It opens what was never hidden.",
    "opensTooEarly": "It opens what is hidden before the end.",
    "staysSealed": "It does not open its commitment.",
    "otherPromise": "Its salt and seed are not those that line 1 promised.",
    "preparedTooLong": "What was prepared for it could not be made again in time.",
    "preparedOtherwise": "What was prepared for it does not follow from the seed.",
    "preparedUnfit": "What was prepared for it does not fit.",
    "notOneDeed": "A turn is one deed: a move, a withdrawal, a takeback, and so on.",
    "noSeatOfGame": "The seats of this game are 0 to {last}.",
    "seatOut": "This seat is out of the game.",
    "beforeTheLast": "It was played before the turn before.",
    "clocksMissing": "Every seat has a clock, or none has.",
    "noClocks": "There are no clocks in this game.",
    "noTimeAmongDays": "Nobody is given time where there are days for each move.",
    "stillPaused": "The game is paused.",
    "neverPaused": "The game is not paused.",
    "otherTakeback": "A takeback undoes the last move of its seat and all after it.",
    "takesBackHidden": "Nothing is taken back where something is hidden.",
    "otherOutcome": "The turns lead to another outcome.",
    "sealedYet": "The game is not over: what it hides is sealed, and nothing is drawn.",
}
"""All complaints. The last complaint is used by clients that draw the positions of a record."""


def sentence_about(complaint: str) -> str:
    """The English sentence for a complaint, or for a reason of the rules."""
    return COMPLAINTS.get(complaint) or SENTENCES[complaint]

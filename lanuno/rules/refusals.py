"""Why the engine refuses an act: one member for every reason.

Here: the enumeration and nothing else. Texts for people belong to the translations; codes on the
wire are the members' values, so a value is never reused for another meaning.
"""

from __future__ import annotations

from enum import IntEnum, unique


@unique
class ActRefusal(IntEnum):
    """A reason for refusing an act.

    The comment beside each member says when it is given, and whether every peer can check it (live)
    or only a peer that knows the hidden cards concerned (hand).
    """

    ROUND_OVER = 1  # live: the round has ended, or has not started
    WAITING = 2  # live: the table owes a shuffle or an opened card first
    NOT_SEATED = 3  # live: this seat does not play in this round (any more)
    NOT_YOUR_TURN = 4  # live: another seat must decide now
    WRONG_MOMENT = 5  # live: this kind of act answers no question that is open now
    NOT_YOUR_CARD = 6  # live: the slot is not in this seat's hand
    NO_SUCH_CARD = 7  # live: the deck has no card of this number
    WRONG_CARD = 8  # live or hand: the slot is known to hold another card
    UNPLAYABLE = 9  # live: neither colour nor number nor symbol match, and it is no wild card
    ONLY_DRAWN_CARD = 10  # live: after drawing only the drawn card may be played
    COLOUR_MISSING = 11  # live: a wild card needs one of the four colours
    COLOUR_UNWANTED = 12  # live: a coloured card names no colour
    NOTHING_TO_SAY = 13  # live: this seat owes no "UNO"
    NOTHING_TO_CATCH = 14  # live: the seat named owes no "UNO"
    NO_CATCHING = 15  # live: under this ruleset a missing "UNO" is punished by itself
    NOT_ONESELF = 16  # live: one cannot catch, accuse, object to or swap with oneself
    HOLDS_COLOUR = 17  # hand: a Wild Draw Four while holding the current colour (strict)
    HOLDS_PLAYABLE = 18  # hand: a Wild Draw Four while holding another playable card (strictest)
    MUST_PLAY = 19  # hand: drawing is not allowed while holding a playable card
    MUST_PLAY_DRAWN = 20  # hand: the drawn card is playable and has to be played
    FALSE_VERDICT = 21  # hand: the verdict is not what the shown hand says
    NOT_CHALLENGEABLE = 22  # live: the pending penalty does not come from a doubtful +4
    NO_SUCH_SEAT = 23  # live: the seat named does not play in this round (any more)
    MUST_DRAW = 24  # hand: drawing goes on until the drawn card is playable (house rule)
    RIGHT_CARD = 25  # live: the card objected to was right
    NO_VOTING = 26  # live: no accusation is running, or the ruleset knows none
    VOTE_RUNNING = 27  # live: another accusation is being voted on
    ALREADY_DONE = 28  # live: one vote per accusation, one accusation per seat and lap
    DRAWN_FITS = 29  # hand: the drawn card is playable, so drawing stops (house rule)

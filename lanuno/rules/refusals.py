"""The reasons for which the engine refuses an act.

The texts for people are in the translations. The members' values are codes on the wire, so never
reuse a value for another meaning.
"""

from __future__ import annotations

from enum import IntEnum, unique


@unique
class ActRefusal(IntEnum):
    """A reason for refusing an act.

    The comment beside each member says when it applies, and who can check it: every peer (live), or
    only a peer that knows the hidden cards concerned (hand).
    """

    ROUND_OVER = 1  # live: the round has ended
    WAITING = 2  # live: the table must first start the round, shuffle or open a card
    NOT_SEATED = 3  # live: this seat does not play in this round, or has left it
    NOT_YOUR_TURN = 4  # live: another seat has to decide now
    WRONG_MOMENT = 5  # live: nothing that this kind of act answers is open now
    NOT_YOUR_CARD = 6  # live: the slot is not in this seat's hand
    NO_SUCH_CARD = 7  # live: the deck has no card with this id
    WRONG_CARD = 8  # live or hand: the slot is known to hold another card
    UNPLAYABLE = 9  # live: neither colour, number nor symbol matches, and the card is not wild
    ONLY_DRAWN_CARD = 10  # live: after a draw only the drawn card may be played
    COLOUR_MISSING = 11  # live: a wild card must name one of the four colours
    COLOUR_UNWANTED = 12  # live: a coloured card must not name a colour
    NOTHING_TO_SAY = 13  # live: this seat does not owe "UNO", or would not after this card
    NOTHING_TO_CATCH = 14  # live: the named seat does not owe "UNO"
    NO_CATCHING = 15  # live: under this ruleset a missing "UNO" is punished automatically
    NOT_ONESELF = 16  # live: no seat can catch, accuse, judge, object to or swap with itself
    HOLDS_COLOUR = 17  # hand: a Wild Draw Four while holding the current colour (strict)
    HOLDS_PLAYABLE = 18  # hand: a Wild Draw Four while holding another playable card (strictest)
    MUST_PLAY = 19  # hand: drawing is not allowed with a playable card in hand
    MUST_PLAY_DRAWN = 20  # hand: the drawn card is playable and must be played
    FALSE_VERDICT = 21  # hand: the verdict contradicts the shown hand
    NOT_CHALLENGEABLE = 22  # live: no Wild Draw Four that may be a bluff caused the penalty
    NO_SUCH_SEAT = 23  # live: the named seat does not play in this round, or has left it
    MUST_DRAW = 24  # hand: drawing continues until the drawn card is playable (house rule)
    RIGHT_CARD = 25  # live: the card objected to is right
    NO_VOTING = 26  # live: no accusation is running, or accusations are not possible here
    VOTE_RUNNING = 27  # live: another accusation is being voted on
    ALREADY_DONE = 28  # live: one vote per accusation, one accusation per seat and lap
    DRAWN_FITS = 29  # hand: the drawn card is playable, so drawing ends (house rule)

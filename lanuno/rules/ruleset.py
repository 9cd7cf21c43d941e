"""Every setting of a table's rules, with its default, as one value that goes into the log.

Here: the fields and the enums of their values. Not here: bounds and everything else about a setting
(settings.py), the check that names a wrong one (validation.py), the presets (presets.py) and what a
setting does to a game (the engine).
"""

from __future__ import annotations

from enum import IntEnum, unique

import msgspec


@unique
class WildFour(IntEnum):
    """When a Wild Draw Four is legal and who checks it."""

    BLUFF = 0  # illegal with the current colour in hand; the seat that is hit may challenge
    STRICT = 1  # the same condition, checked by the audit; no challenge
    STRICTEST = 2  # only without any other playable card; audit; no challenge


@unique
class UnoRule(IntEnum):
    """What happens to a player who does not say "UNO"."""

    CATCH = 0  # somebody has to catch them
    AUTOMATIC = 1  # punished as soon as the next player begins a turn


@unique
class DrawRule(IntEnum):
    """When one's own turn may be spent drawing."""

    FREE = 0  # always
    STUCK = 1  # only without a playable card


@unique
class DrawnRule(IntEnum):
    """Whether a playable card that was just drawn has to be played."""

    FREE = 0  # it may be kept
    STUCK = 1  # it must be played if the hand held no playable card before the draw
    FORCED = 2  # it must be played


@unique
class Manners(IntEnum):
    """What keeps a wrong card off the table."""

    ENFORCED = 0  # it cannot be laid
    HONOUR = 1  # it can be laid, and anybody may object


@unique
class Format(IntEnum):
    """What a match is: how rounds score, who plays the next one, and when it ends."""

    POINTS = 0  # the winner of a round takes the points in the other hands; first to the target
    LOW_SCORE = 1  # own points add up; when somebody reaches the target the lowest wins
    SINGLE = 2  # one round
    LAPS = 3  # one round of `laps` laps; fewest cards
    ELIMINATION = 4  # own points add up; at the target one is out
    PAIRS = 5  # as POINTS, by pairs sitting opposite
    PARTNERS = 6  # four seats, `hands` rounds with each partner
    ROTATION = 7  # four seats, `hands` rounds with one partner: a table of a tournament
    DEALS = 8  # `hands` rounds; each card left in a hand counts one point, the fewest win


FOUR_SEAT_FORMATS = (Format.PARTNERS, Format.ROTATION)
"""Formats for four seats, in which everybody deals in turn."""


class Ruleset(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """All settings. The defaults are the `classic` rulebook. Field order is the wire format."""

    preset: str = "classic"
    """The preset this ruleset started from (a name for people; the settings decide)."""
    deck: int = 108
    """Cards: the number by which `DECKS` knows the deck."""
    seats_min: int = 2
    seats_max: int = 10
    format: Format = Format.POINTS
    target: int = 500
    """Points that end the match or, in ELIMINATION, a seat's part in it."""
    target_two: int = 500
    """The same for a match that starts with two seats."""
    laps: int = 10
    """LAPS: how many laps; a lap is as many turns as there are seats."""
    hands: int = 4
    """PARTNERS and ROTATION: rounds with each partner. DEALS: rounds in all."""
    cycles: int = 1
    """PARTNERS: how often the whole rotation of partners is played."""
    hand_size: int = 7
    wild_four: WildFour = WildFour.BLUFF
    uno: UnoRule = UnoRule.CATCH
    draw: DrawRule = DrawRule.FREE
    drawn: DrawnRule = DrawnRule.FREE
    uno_penalty: int = 2
    """Cards for not saying "UNO"."""
    challenge_penalty: int = 2
    """Cards on top of the pending ones for a challenge that fails."""
    objection_penalty: int = 2
    """Cards for a wrong card that somebody objected to."""
    advice_penalty: int = 2
    """Cards for advising."""
    uno_hold_ms: int = 2500
    """How long the next beginning of a turn is held while "UNO" is owed."""
    uno_catch_ms: int = 1000
    """From when on after the card a catch counts."""
    objection_ms: int = 3000
    """How long the effects of a card wait for objections (HONOUR)."""
    vote_ms: int = 15000
    """How long a vote on advice runs."""
    turn_clock_s: int = 60
    """Seconds for a decision; 0 is no clock."""
    turn_extra_ms: int = 1000
    """Added to every turn for what the screen shows."""
    grace_first_s: int = 60
    """How long the table waits at once for a lost player."""
    grace_total_s: int = 180
    """How long it waits for one player in a whole match."""
    manners: Manners = Manners.ENFORCED
    advice: bool = False
    """Whether advising a play can be accused and voted on."""
    stack_draw_two: bool = False
    stack_wild_four: bool = False
    stack_cross: bool = False
    seven_zero: bool = False
    jump_in: bool = False
    draw_until_playable: bool = False
    forced_play: bool = False
    no_bluff: bool = False
    winner_deals: bool = False


PRESET_LENGTH = 32
"""Code points of the name of a preset, at most."""

"""Every setting of a table's rules, with its default, as one value that goes into the log.

This module holds the fields and the enums of their values. settings.py describes each setting,
bounds included; validation.py names a setting that cannot be played; presets.py holds the presets;
the engine applies the settings to a game.
"""

from __future__ import annotations

from enum import IntEnum, unique

import msgspec


@unique
class WildFour(IntEnum):
    """When a Wild Draw Four is legal, and who checks it."""

    BLUFF = 0  # illegal with the current colour in hand; the seat that is hit may challenge
    STRICT = 1  # the same condition, checked by the audit; no challenge
    STRICTEST = 2  # only without any other playable card; audit; no challenge


@unique
class UnoRule(IntEnum):
    """What happens to a player who does not say "UNO"."""

    CATCH = 0  # another player has to catch them
    AUTOMATIC = 1  # punished as soon as the next player begins a turn


@unique
class DrawRule(IntEnum):
    """When players may spend their turn on drawing."""

    FREE = 0  # always
    STUCK = 1  # only without a playable card in hand


@unique
class DrawnRule(IntEnum):
    """Whether a playable card that was just drawn has to be played."""

    FREE = 0  # it may be kept
    STUCK = 1  # it must be played if the hand held no playable card before the draw
    FORCED = 2  # it must be played


@unique
class Manners(IntEnum):
    """How wrong cards are kept off the table."""

    ENFORCED = 0  # a wrong card cannot be laid
    HONOUR = 1  # a wrong card can be laid, and any player may object


@unique
class Format(IntEnum):
    """The kind of match: how rounds score, who plays the next one, and when it ends."""

    POINTS = 0  # the winner of a round takes the points in the other hands; first to the target
    LOW_SCORE = 1  # points in one's own hand add up; once a seat is at the target, the lowest wins
    SINGLE = 2  # one round
    LAPS = 3  # one round of `laps` laps; the fewest cards win
    ELIMINATION = 4  # points in one's own hand add up; a player at the target is out
    PAIRS = 5  # like POINTS, for pairs sitting opposite
    PARTNERS = 6  # four seats, `hands` rounds with each partner
    ROTATION = 7  # four seats, `hands` rounds with one partner: a table of a tournament
    DEALS = 8  # `hands` rounds; each card left in a hand counts one point, and the fewest win


FOUR_SEAT_FORMATS = (Format.PARTNERS, Format.ROTATION)
"""Formats for four seats in which every seat deals in turn."""


class Ruleset(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """All settings; the defaults are the preset `classic`. The field order is the wire format."""

    preset: str = "classic"
    """The preset that this ruleset started from: a name for people; the settings decide."""
    deck: int = 108
    """The deck, by its number of cards; a key of `DECKS`."""
    seats_min: int = 2
    seats_max: int = 10
    format: Format = Format.POINTS
    target: int = 500
    """Points that end the match or, in ELIMINATION, put a seat out of it."""
    target_two: int = 500
    """The target of a match that starts with two seats."""
    laps: int = 10
    """LAPS: the number of laps; a lap has as many turns as the round has seats."""
    hands: int = 4
    """PARTNERS and ROTATION: rounds with each partner. DEALS: rounds in total."""
    cycles: int = 1
    """PARTNERS: how often the whole rotation of partners is played."""
    hand_size: int = 7
    wild_four: WildFour = WildFour.BLUFF
    uno: UnoRule = UnoRule.CATCH
    draw: DrawRule = DrawRule.FREE
    drawn: DrawnRule = DrawnRule.FREE
    uno_penalty: int = 2
    """Cards to draw for not saying "UNO"."""
    challenge_penalty: int = 2
    """Cards to draw on top of the pending ones when a challenge fails."""
    objection_penalty: int = 2
    """Cards to draw for a wrong card that another player objected to."""
    advice_penalty: int = 2
    """Cards to draw for advising a play."""
    uno_hold_ms: int = 2500
    """How long the next act that begins a turn is held back while "UNO" is owed."""
    uno_catch_ms: int = 1000
    """How long after the card a catch does not count yet."""
    objection_ms: int = 3000
    """How long the effects of a card wait for objections (HONOUR)."""
    vote_ms: int = 15000
    """How long a vote on advice lasts."""
    turn_clock_s: int = 60
    """Seconds for a decision; 0 means no clock."""
    turn_extra_ms: int = 1000
    """Time added to every turn for the animations on the screen."""
    grace_first_s: int = 60
    """How long the table waits for a lost player at a time; exceptions: table/host/grace.py."""
    grace_total_s: int = 180
    """How long the table waits for one player in a whole match, with the same exceptions."""
    manners: Manners = Manners.ENFORCED
    advice: bool = False
    """Whether players can be accused of advising a play, followed by a vote."""
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
"""The maximum length of a preset's name, in code points."""

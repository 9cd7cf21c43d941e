"""The exceptions that the rules raise.

The reasons for refusing an act are members of `lanuno.rules.refusals.ActRefusal`.
"""

from __future__ import annotations

from lanuno.rules.refusals import ActRefusal


class RulesError(Exception):
    """A use of the engine that no log can justify, which is a bug in the calling code."""


class IllegalAction(RulesError):
    """An act that the rules refuse, with the reason in `refusal`."""

    def __init__(self, refusal: ActRefusal) -> None:
        super().__init__(refusal.name)
        self.refusal = refusal

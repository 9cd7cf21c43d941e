"""The errors that the rules raise.

Here: one base class and its children. Not here: the reasons for which an act is refused, which
are members of `lanuno.rules.refusals.ActRefusal`.
"""

from __future__ import annotations

from lanuno.rules.refusals import ActRefusal


class RulesError(Exception):
    """The engine was used in a way that no log can justify (a fault of the calling code)."""


class IllegalAction(RulesError):
    """An act that the rules refuse; `refusal` says why."""

    def __init__(self, refusal: ActRefusal) -> None:
        super().__init__(refusal.name)
        self.refusal = refusal

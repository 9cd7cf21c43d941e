"""Run in the changed copy: the effect of a Skip with and without the new house rule.

Prints JSON: the number of cards that the skipped player holds and the seat on turn, with the rule
off and on, after a Skip that is played and after one that starts the round; and such a table's
advert.
"""

from __future__ import annotations

import json
import sys

import msgspec

from lanuno.rules.cards import Rank
from lanuno.rules.engine.actions import Play
from lanuno.rules.house_bits import house_bits, house_names
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.ruleset_changes import changes
from tests.harness.rounds.table_of_cards import CardTable, stacked


def skipped(ruleset: Ruleset, *, starting: bool) -> tuple[int, int | None]:
    """Return the number of cards that the skipped seat holds, and the seat then on turn."""
    start = "rs" if starting else "r5"
    deck = stacked({0: "rs r1", 1: "r2"}, start, order=(0, 1, 2))
    table = CardTable.deal(ruleset, 3, deck=deck)
    hit = 0
    if not starting:
        skip = next(card for card in table.hand(0) if table.round.deck.ranks[card] == Rank.SKIP)
        table.act(0, Play(table.slot_of(0, skip), skip))
        hit = 1
    return len(table.round.hands[hit]), table.round.decider


def main() -> None:
    """Play the four rounds."""
    on = msgspec.structs.replace(Ruleset(), skip_draws=True)
    bits = house_bits(changes(on).house)
    found = {
        "off": [skipped(Ruleset(), starting=starting) for starting in (False, True)],
        "on": [skipped(on, starting=starting) for starting in (False, True)],
        "bits": bits,
        "names": house_names(bits),
    }
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()

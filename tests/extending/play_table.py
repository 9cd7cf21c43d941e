"""Run in the changed copy: a whole table with real dealing and log, saved to a file.

    python -m tests.extending.play_table RULESET FILE

RULESET is a JSON object of settings by name. Plays rounds until one contains both new cards and
their effects. Audits every round. Prints what was played as one JSON object.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import msgspec

from lanuno.log.audit.audit import audit_bytes
from lanuno.log.faults import AuditVerdict
from lanuno.log.round.events import ActionTaken
from lanuno.rules.cards import Rank
from lanuno.rules.decks import deck_tables
from lanuno.rules.engine.events import Played
from lanuno.rules.ruleset import Ruleset
from tests.harness.host_and_seats.table_sim import TableSim

MOST_ROUNDS = 20


def main(settings: str, file: str) -> None:
    """Play, audit every round, and save the last."""
    ruleset = msgspec.structs.replace(Ruleset(), **json.loads(settings))
    ranks = deck_tables(ruleset.deck).ranks
    for seed in range(MOST_ROUNDS):
        table = TableSim(3, seed, ruleset)
        table.run()
        (data,) = {peer.file for peer in table.seated}
        assert audit_bytes(data).verdict is AuditVerdict.VERIFIED
        happened = table.peers[0].events
        played = Counter(
            Rank(ranks[each.card]).name for each in happened if isinstance(each, Played)
        )
        acts = Counter(
            type(each.action).__name__ for each in happened if isinstance(each, ActionTaken)
        )
        if played["DISCARD_ALL"] and played["SWAP_HANDS"] and acts["Swap"]:
            Path(file).write_bytes(data)
            sys.stdout.write(json.dumps({"played": played, "acts": acts}))
            return
    raise AssertionError(f"no such round among {MOST_ROUNDS}")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""A file replays what was played: the same state at every entry, and every card in one place."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from lanuno.dealing.secrets import RoundSecrets
from lanuno.dealing.verify import dealt_cards
from lanuno.log.audit.audit import audit_bytes
from lanuno.log.faults import AuditVerdict
from lanuno.log.format.entries import Entry
from lanuno.log.format.genesis import Genesis
from lanuno.log.format.transcript import read
from lanuno.log.replay.replay import Replay
from lanuno.log.round.round_record import ProtocolPhase, RoundRecord
from lanuno.rules.decks import deck_tables
from lanuno.rules.engine.dealer import DealerRound
from lanuno.rules.engine.round import Round
from lanuno.rules.ruleset import Manners, Ruleset
from tests.harness.host_and_seats.table_sim import TableSim
from tests.harness.log_table.log_table import new_table

RULES = (
    Ruleset(),
    Ruleset(hand_size=3, seven_zero=True),
    Ruleset(hand_size=3, manners=Manners.HONOUR, deck=112),
    Ruleset(hand_size=4, jump_in=True, stack_cross=True, draw_until_playable=True),
)


@pytest.mark.parametrize("players", [2, 4])
def test_every_peer_holds_what_the_host_holds(players: int) -> None:
    """After every message, each peer's state is the one that the host signed in its last entry."""
    sim = TableSim(players, seed=11, ruleset=Ruleset(hand_size=3))
    sim.start()
    compared = 0
    for _ in range(20_000):
        if not sim.step() and (sim.host_role is None or sim.host_role.settled):
            break
        for peer in sim.peers:
            if peer.session is not None and peer.session.replay.seq:
                replay = peer.session.replay
                assert replay.state() == sim.journal[replay.seq - 1].read().state
                compared += 1
        if sim.host_role is not None:
            host = sim.host_role.replay
            assert not host.seq or host.state() == sim.journal[host.seq - 1].read().state
    assert compared > 500
    for peer in sim.peers:
        assert peer.journal == sim.journal
        assert audit_bytes(peer.file).verdict is AuditVerdict.VERIFIED
        transcript = read(peer.file)
        states_agree(transcript.genesis, list(transcript.entries))


def states_agree(genesis: Genesis, entries: list[Entry]) -> None:
    """Check that a fresh replay computes the state that every entry names."""
    replay = Replay(genesis)
    for entry in entries:
        replay.follow(entry)
        assert replay.state() == entry.read().state


@pytest.mark.parametrize("ruleset", RULES)
@pytest.mark.parametrize("players", [2, 3])
def test_every_card_is_in_one_place_at_every_moment(ruleset: Ruleset, players: int) -> None:
    table = new_table(players, ruleset, salt=4).run()
    assert table.audit().verdict is AuditVerdict.VERIFIED
    states_agree(table.genesis, table.entries)
    seeds = all_seeds(table.genesis, table.entries)
    whole = list(range(deck_tables(ruleset.deck).size))
    replay = Replay(table.genesis)
    cards: dict[int, int] = {}
    known = (-1, 0)
    for entry in table.entries:
        replay.follow(entry)
        current = replay.round
        if current is not None and current.slots.deals:
            if known != (current.number, len(current.slots.deals)):
                known = (current.number, len(current.slots.deals))
                cards = dealt_cards(current.slots.deals, seeds[current.number])
            assert sorted(places(current, cards)) == whole


def all_seeds(genesis: Genesis, entries: list[Entry]) -> dict[int, dict[int, RoundSecrets]]:
    """Return the seeds of all rounds, which are public once the log is closed."""
    found: dict[int, dict[int, RoundSecrets]] = {}
    replay = Replay(genesis)
    for entry in entries:
        replay.follow(entry)
        current = replay.round
        if current is not None and current.phase is ProtocolPhase.ATTEST:
            found[current.number] = {
                seat: RoundSecrets(reveal.seed, current.context(seat))
                for seat, reveal in current.reveals.items()
            }
    return found


def places(current: RoundRecord, cards: Mapping[int, int]) -> list[int]:
    """Return every card wherever it lies: in a hand, the pile, the discards or a shuffle."""
    engine = current.engine
    slots = [slot for hand in engine.hands.values() for slot in hand]
    if isinstance(engine, DealerRound):
        return [cards[slot] for slot in [*slots, *range(engine.next_slot, len(cards))]]
    assert isinstance(engine, Round)
    found = [card for _, card in engine.discard]
    slots += engine.leaver_slots
    if engine.starting_slot is not None:
        slots.append(engine.starting_slot)
    if engine.shuffle is None:
        slots += range(engine.pile_next, engine.pile_end)
    else:
        found += engine.shuffle.cards
        slots += engine.shuffle.slots
    return found + [cards[slot] for slot in slots]

"""What other players cannot know: a hand whose owner keeps the last keys of its cards.

All other seats and the host pool everything that they hold and try it. Nothing that a program
prints, logs or shows of its state machines contains a secret.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from msgspec.structs import replace

from lanuno.dealing.deal import Deal, common_scalar, mask_scalar, slot_scalars
from lanuno.dealing.errors import DealingError
from lanuno.dealing.group import ORDER, card_numbers, inverse, multiply, parse_scalar
from lanuno.dealing.secrets import RoundSecrets
from lanuno.log.format import bodies
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.cards import MAX_SEATS
from lanuno.rules.engine.actions import Draw, Play
from lanuno.rules.engine.round import Round
from lanuno.rules.presets import CLASSIC
from lanuno.table.errors import TableError
from lanuno.table.outputs import Send, StoreBody, StoreSeed
from tests.harness.adversaries.forging import log_of, secrets_of, view_secrets_of
from tests.harness.host_and_seats.players import CROWDED, DOUBTERS
from tests.harness.host_and_seats.table_sim import SimPeer, TableSim

VICTIM = 1


def in_the_middle(seed: int, players: int = 3) -> TableSim:
    """Return a table that has played for a while."""
    sim = TableSim(players, seed)
    for number, make in DOUBTERS.items():
        if number < players:
            sim.peers[number].player = make(sim.peers[number])

    def played() -> bool:
        replay = sim.host_role.replay if sim.host_role is not None else None
        current = None if replay is None else replay.round
        if replay is None or current is None or current.phase is not ProtocolPhase.PLAY:
            return False
        engine = current.engine
        # No message is in transit: all hold the same log, and no card is being played.
        quiet = not any(peer.to_host for peer in sim.peers) and all(
            peer.seat_session.replay.seq == replay.seq for peer in sim.seated
        )
        settled = isinstance(engine, Round) and engine.turns >= 4 and not current.needs
        return quiet and settled

    sim.run_until(played)
    return sim


def all_scalars(secrets: RoundSecrets, deals: Iterable[Deal]) -> Iterator[int]:
    """Yield every scalar by which a seat multiplies points in finished deals of a round."""
    for deal in deals:
        yield mask_scalar(deal, secrets)
        yield from slot_scalars(deal, secrets)
        if deal.locked:
            yield common_scalar(deal, secrets)


def deals_of(peer: SimPeer) -> list[Deal]:
    return log_of(peer).deals


def boxes_of(peer: SimPeer) -> set[bytes]:
    """Return the keys of all boxes that may have been sealed to a seat."""
    return {view_secrets_of(peer).box_private(giver) for giver in range(MAX_SEATS)}


def published(sim: TableSim) -> Iterator[int]:
    """Yield every 32 bytes of any entry that could be a key."""
    for entry in sim.journal:
        payload = entry.read().signed_body.read().payload
        texts: list[bytes] = []
        match payload:
            case bodies.Unlock():
                texts = [keys.keys for keys in payload.lists]
            case bodies.Act():
                texts = [payload.proof]
            case bodies.Reveal():
                texts = [payload.seed, payload.view]
            case bodies.Commit():
                texts = [payload.seed, payload.view, *payload.boxes, payload.view_key]
            case bodies.Pass():
                texts = [payload.points[1:33], payload.keys[1:33]]
            case _:
                pass
        for text in texts:
            for start in range(0, len(text) - 31, 32):
                try:
                    yield parse_scalar(text[start : start + 32])
                except DealingError:
                    continue


def card_behind(sim: TableSim, attackers: list[SimPeer], slot: int, scalars: set[int]) -> list[int]:
    """Return the cards that the scalars reveal in a slot once the attackers' locks are removed."""
    log = log_of(attackers[0])
    known = card_numbers(log.roster.ruleset.deck)
    point = log.slots.point(slot)
    for peer in attackers:
        deal = next(each for each in log.slots.deals if slot in each.slots)
        keys = slot_scalars(deal, secrets_of(peer))
        point = multiply(point, inverse(keys[slot - deal.first_slot]))
    found = [known.get(multiply(point, scalar)) for scalar in scalars]
    return [card for card in found if card is not None]


@pytest.mark.parametrize("seed", [1, 2])
def test_no_key_that_others_hold_opens_a_card_of_a_hand(seed: int) -> None:
    sim = in_the_middle(seed)
    victim = sim.peers[VICTIM]
    others = [peer for peer in sim.seated if peer is not victim]
    log = log_of(others[0])
    assert isinstance(log.engine, Round)
    hidden = [slot for slot in log.engine.hands[VICTIM] if slot not in log.engine.face_up]
    assert hidden
    held = {1, *published(sim)}
    for peer in others:
        held |= set(all_scalars(secrets_of(peer), deals_of(peer)))
        held |= {int.from_bytes(secret, "big") % ORDER or 1 for secret in peer.secrets}
    masks = [mask_scalar(log.deals[0], secrets_of(peer)) for peer in others]
    tried = held | {inverse(scalar) for scalar in held}
    tried |= {scalar * mask % ORDER for scalar in held for mask in (masks[0], inverse(masks[0]))}
    for slot in hidden[:2]:
        assert card_behind(sim, others, slot, tried) == []
    # The attack itself works: with the victim's own key every card opens.
    own = secrets_of(victim)
    for slot in hidden:
        deal = next(each for each in log.slots.deals if slot in each.slots)
        key = slot_scalars(deal, own)[slot - deal.first_slot]
        [card] = card_behind(sim, others, slot, {inverse(key)})
        assert victim.seat_session._keys.readable().get(slot, card) == card


def test_no_bytes_that_others_hold_are_a_secret_of_a_hand() -> None:
    """Neither the messages nor the files of other players hold a key of a hidden card."""
    sim = in_the_middle(3)
    victim = sim.peers[VICTIM]
    log = log_of(victim)
    assert isinstance(log.engine, Round)
    secrets = secrets_of(victim)
    needles = {secrets.seed, view_secrets_of(victim).seed, *boxes_of(victim)}
    needles.add(view_secrets_of(victim).private_key)
    for slot in log.engine.hands[VICTIM]:
        needles.add(victim.seat_session._keys.own_key(slot))
    haystack = b"".join(entry.core for entry in sim.journal)
    for peer in sim.seated:
        if peer is not victim:
            haystack += peer.file + b"".join(peer.secrets)
    for data in [*victim.to_host, *(data for peer in sim.peers for data in peer.to_peer)]:
        haystack += data
    assert not [needle for needle in needles if needle in haystack]


def spellings(secret: bytes) -> set[str]:
    """Return the ways in which a secret could be printed."""
    number = int.from_bytes(secret, "big")
    return {secret.hex(), str(number), f"{number:x}", repr(secret)[2:-1], secret.hex(" ")}


def secret_words(peer: SimPeer) -> set[str]:
    """Return everything of a peer that must stay invisible during a round."""
    secrets, view = secrets_of(peer), view_secrets_of(peer)
    found = {secrets.seed, view.seed, *boxes_of(peer), view.private_key}
    found |= {number.to_bytes(32, "big") for number in all_scalars(secrets, deals_of(peer)[:1])}
    return {word for secret in found for word in spellings(secret)}


def test_nothing_shown_of_a_machine_holds_a_secret(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    sim = in_the_middle(4)
    for peer in sim.seated:
        log = log_of(peer)
        released = set()
        for slot in (slot for deal in log.slots.deals for slot in deal.slots):
            key = log.slots.key(peer.number, slot)
            if key is not None:
                released |= spellings(key)
        words = secret_words(peer) - released
        session = peer.seat_session
        hands = session._keys._hands
        shown = [
            repr(thing)
            for thing in (
                *(session, session._keys, hands, hands and hands.secrets, hands and hands.view),
                *(session._sent, session._steps, vars(session)),
                *peer.outputs_done,
            )
        ]
        for slot, card in list(peer.seat_session._keys.readable().items())[:3]:
            for action in (Play(slot, card), Play(slot, card + 1), Draw()):
                try:
                    session.act(action)
                except TableError as error:
                    shown += [repr(error), str(error), repr(error.__context__)]
        text = "\n".join(shown)
        assert len(text) > 10_000
        assert not [word for word in words if word in text]
    out, err = capfd.readouterr()
    assert (out, err, caplog.records) == ("", "", [])


def test_what_is_kept_for_the_disk_shows_no_seed() -> None:
    sim, stored = TableSim(2, 5), 0
    sim.run()
    for peer in sim.seated:
        for output in peer.outputs_done:
            if isinstance(output, StoreSeed):
                stored += 1
                assert not [
                    word
                    for secret in peer.secrets
                    for word in spellings(secret)
                    if word in repr(output)
                ]
    assert stored


def test_seeds_are_on_disk_before_anything_is_said_of_them() -> None:
    """Bodies, too, are on disk before they are sent, and entries before they are acknowledged."""
    sim = TableSim(4, 6, replace(CLASSIC, hand_size=2))
    sim.run()
    for peer in sim.seated:
        kinds = [type(output) for output in peer.outputs_done]
        sent = [place for place, kind in enumerate(kinds) if kind is Send]
        secrets = [place for place, kind in enumerate(kinds) if kind is StoreSeed]
        commits = [place for place in sent if _payload(peer, place).__class__ is bodies.Commit]
        assert len(secrets) == 2 * len(commits)
        for number, place in enumerate(commits):
            assert secrets[2 * number + 1] < place
        for place in sent:
            if _payload(peer, place) is not None:
                assert kinds[place - 1] is StoreBody


def _payload(peer: SimPeer, place: int) -> object:
    message = getattr(peer.outputs_done[place], "message", None)
    body = getattr(message, "body", None)
    return None if body is None else body.read().payload


def test_shown_hands_are_for_the_challenger_alone() -> None:
    """The others' and the host's keys open neither the box nor the cards."""
    sim = TableSim(3, 7, CROWDED)
    for number, make in DOUBTERS.items():
        sim.peers[number].player = make(sim.peers[number])

    def shown() -> bool:
        replay = None if sim.host_role is None else sim.host_role.replay
        return replay is not None and replay.round is not None and bool(replay.round.shown)

    sim.run_until(shown)
    log = log_of(sim.peers[0])
    while not log.shown:
        assert sim.step()
    hand = log.shown[0]
    for peer in sim.seated:
        cards = peer.seat_session._keys.readable()
        if peer.number not in (hand.seat, hand.to):
            assert not set(hand.slots) & set(cards)
        if peer.number == hand.seat:
            assert set(hand.slots) <= set(cards)

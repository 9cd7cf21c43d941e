"""Over real sockets: when a host says that a player is gone, the other nodes ask the player."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from lanuno.log.format import bodies
from lanuno.log.format.bodies import DropReason
from lanuno.net.runtime.endings import TableEnding
from lanuno.table.messages import PeerAddress
from tests.harness.sockets.running import run, until
from tests.net.loopback_network import Network
from tests.net.succession import PATIENT, Played, network, playing, verified

__all__ = ["network"]  # the fixture of the network with short time limits

VICTIM = 3


async def everybody_has_met(at: Played, owners: int = 4) -> None:
    """Wait until all guests have links to all others."""
    for number in range(1, owners):
        contacts = at.guest(number).node._links
        others = {*range(owners)} - {number}
        await until(partial(lambda here, wanted: here.seats >= wanted, contacts, others))


def drop(at: Played, reason: DropReason) -> None:
    """Let the host drop the victim, and give the other guests a wrong address for it."""
    node = at.host.node
    host_role = node.host_role
    assert host_role is not None
    node.main_session.presence_of = lambda owner, entry: b""
    for number in (1, 2):
        at.guest(number).node._links.set_places([PeerAddress(VICTIM, "10.9.9.9", 9)])
    said = partial(host_role._drop, VICTIM, reason, at.host._now)
    at.host._run(lambda: node._run(lambda: node._route_host_role(said())))


@pytest.mark.parametrize("owners", [3, 10])
def test_all_owners_keep_links_to_each_other(network: Network, owners: int) -> None:
    async def story() -> None:
        async with playing(network, owners, PATIENT) as at:
            at.own.held = True  # so that the match outlasts the pause between attempts
            await everybody_has_met(at, owners)
            node = at.guest(1).node
            for link, there in list(node._links.links.items()):
                if there.seat == 2:
                    at.guest(1)._connections[link].channel.abort()
            await until(lambda: 2 not in node._links.seats)
            await everybody_has_met(at, owners)
            at.host.stop()
            await asyncio.gather(*at.running)

    run(story())


@pytest.mark.parametrize("reason", [DropReason.LOST, DropReason.SILENT])
@pytest.mark.parametrize("linked", [True, False])
def test_a_player_that_is_there_signs_so_and_keeps_its_seed(
    network: Network, reason: DropReason, *, linked: bool
) -> None:
    async def story() -> None:
        async with playing(network, 4, PATIENT) as at:
            await everybody_has_met(at)
            if not linked:
                node = at.guest(VICTIM).node
                for link, there in list(node._links.links.items()):
                    if there.seat != 0:
                        at.guest(VICTIM)._connections[link].channel.abort()
            drop(at, reason)
            absence = at.guest(1).node.replay.absence
            await until(lambda: bool(absence.disputed_drops))
            assert (absence.voided_rounds, absence.disputed_drops) == ({}, {(VICTIM, 0): 1})
            assert await asyncio.gather(*at.running) == [TableEnding.CLOSED] * 3
            verified(at.at.host_records, *at.at.records)
            said = [each.read().signed_body.read() for each in at.at.host_records.entries]
            assert {each.author for each in said if isinstance(each.payload, bodies.Share)} <= {0}

    run(story())

"""A host that says that a player is gone, over real sockets: the others ask the player itself."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from lanuno.log import bodies
from lanuno.log.bodies import DropReason
from lanuno.net.endings import Ending
from lanuno.table.messages import Place
from tests.harness.sockets.running import run, until
from tests.net.neighbours import Network
from tests.net.succession import PATIENT, Played, network, playing, verified

__all__ = ["network"]  # the fixture of the network on which everybody is impatient

VICTIM = 3


async def everybody_has_met(at: Played) -> None:
    """The guests have links to each other."""
    for number in (1, 2, 3):
        contacts = at.guest(number).member._contacts
        others = {0, 1, 2, 3} - {number}
        await until(partial(lambda here, wanted: here.seats >= wanted, contacts, others))


def drop(at: Played, reason: DropReason) -> None:
    """The host says that the victim is gone, and that it is where nobody is."""
    member = at.host.member
    office = member.sequencer
    assert office is not None
    member.first.presence = lambda owner, entry: b""
    for number in (1, 2):
        at.guest(number).member._contacts.told([Place(VICTIM, "10.9.9.9", 9)])
    said = partial(office._drop, VICTIM, reason, at.host._now)
    at.host._do(lambda: member._run(lambda: member._from_office(said())))


@pytest.mark.parametrize("reason", [DropReason.LOST, DropReason.SILENT])
@pytest.mark.parametrize("linked", [True, False])
def test_a_player_that_is_there_signs_so_and_keeps_its_seed(
    network: Network, reason: DropReason, *, linked: bool
) -> None:
    async def story() -> None:
        async with playing(network, 4, PATIENT) as at:
            await everybody_has_met(at)
            if not linked:
                member = at.guest(VICTIM).member
                for link, there in list(member._contacts.links.items()):
                    if there.seat != 0:
                        at.guest(VICTIM)._lines[link].channel.abort()
            drop(at, reason)
            absence = at.guest(1).member.replay.absence
            await until(lambda: bool(absence.denied))
            assert (absence.voided, absence.denied) == ({}, {(VICTIM, 0): 1})
            assert await asyncio.gather(*at.running) == [Ending.CLOSED] * 3
            verified(at.at.office, *at.at.records)
            said = [each.read().signed_body.read() for each in at.at.office.entries]
            assert {each.author for each in said if isinstance(each.payload, bodies.Share)} <= {0}

    run(story())

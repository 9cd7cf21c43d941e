"""The host is lost, hands over or changes its address: real connections in one event loop."""

from __future__ import annotations

import asyncio
import logging

import pytest

from lanuno.client.observed_state import ObservedState, observe
from lanuno.log.format.bodies import DropReason
from lanuno.net.runtime.endings import TableEnding
from lanuno.net.runtime.lobby_guest import LobbyGuest
from lanuno.net.transport.connect import connect, probe
from lanuno.table.lobby.peer import Seating
from lanuno.table.messages import LobbyRefusal
from lanuno.table.outputs import SeatsAwaited
from lanuno.table.succession import election
from tests.harness.log_table.replaying import replayed
from tests.harness.sockets.running import run, until
from tests.harness.sockets.tables import Memory, identity, runtime_config
from tests.net.loopback_network import Network
from tests.net.succession import PATIENT, network, playing, verified

__all__ = ["network"]  # the fixture of the network with short time limits


def terms(records: Memory) -> list[tuple[int, bool]]:
    """Return the terms of a log, and whether the first host was the host in each."""
    assert records.genesis is not None
    replay = replayed(records.genesis, records.entries)
    return [(term.number, term.host == 0) for term in replay.terms]


def test_a_host_that_is_gone_for_good(network: Network) -> None:
    async def story() -> None:
        async with playing(network, 4) as at:
            at.part(0)
            assert await asyncio.gather(*at.running) == [TableEnding.CLOSED] * 3
            verified(*at.at.records)
            assert terms(at.at.records[0]) == [(0, True), (1, False)]
            replay = at.guest(1).node.replay
            assert replay.summaries[1].counted
            assert replay.match.absent == {0}
            shared = replay.terms[1].first
            assert at.at.host_records.entries[:shared] == at.at.records[0].entries[:shared]
            assert at.host.node.host_role is not None
            assert at.host.node.host_role.no_quorum

    run(story())


def test_a_host_that_hands_over(network: Network) -> None:
    async def story() -> None:
        async with playing(network, 4) as at:
            await at.at.host.leave()
            await at.at.host.close()
            assert await asyncio.gather(*at.running) == [TableEnding.CLOSED] * 3
            verified(*at.at.records)
            assert terms(at.at.records[0]) == [(0, True), (1, False)]
            assert at.guest(1).node.replay.dropped == {0: DropReason.LEFT}
            assert at.guest(1).node.replay.summaries[1].counted

    run(story())


def test_a_host_that_comes_back_plays_on_and_its_own_end_of_the_log_is_kept(
    network: Network,
) -> None:
    async def story() -> None:
        async with playing(network, 3, PATIENT) as at:
            host_records = at.at.host_records
            held = len(host_records.entries)
            at.part(0)
            # No other node ever receives what its own seat decides now.
            await until(lambda: len(host_records.entries) > held)
            await until(lambda: at.guest(1).node.replay.term == 1)
            alone = list(host_records.entries)
            at.join(0)
            await at.at.host.wait()
            await at.at.host.close()
            assert await asyncio.gather(*at.running) == [TableEnding.CLOSED] * 2
            verified(host_records, *at.at.records)
            assert terms(host_records) == [(0, True), (1, False)]
            shared = at.host.node.replay.terms[1].first
            assert host_records.aside == alone[shared:] != []
            replay = at.guest(1).node.replay
            assert (replay.dropped, replay.summaries[1].counted) == ({}, True)

    run(story())


def test_a_host_with_another_address_is_found_again(
    network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All known addresses are wrong. The host is announced, and the table continues."""
    monkeypatch.setattr(election, "SUSPECT_SECONDS", 60.0)

    async def story() -> None:
        async with playing(network, 3, PATIENT) as at:
            for number in (1, 2, 0):
                at.move(number)
            at.host.abort()
            await at.at.host.wait()
            await at.at.host.close()
            assert await asyncio.gather(*at.running) == [TableEnding.CLOSED] * 2
            verified(at.at.host_records, *at.at.records)
            assert terms(at.at.host_records) == [(0, True)]
            assert network.refused >= 2, "the guests first tried the old address"

    run(story())


def test_two_wait_for_each_other(network: Network) -> None:
    """With two owners neither can continue alone, so no election takes place."""

    async def story() -> None:
        async with playing(network, 2, PATIENT) as at:
            at.part(1)
            await until(lambda: any(isinstance(each, SeatsAwaited) for each in at.at.events))
            # Far longer than it takes to suspect a host.
            await until(lambda: network.refused > 4)
            assert not at.guest(1).node.hosts
            assert at.guest(1).node.replay.term == 0
            at.join(1)
            await at.at.host.wait()
            await at.at.host.close()
            assert await asyncio.gather(*at.running) == [TableEnding.CLOSED]
            verified(at.at.host_records, *at.at.records)
            assert terms(at.at.host_records) == [(0, True)]
            assert at.host.node.replay.dropped == {}

    run(story())


def test_everybody_learns_whom_the_second_host_waits_for(network: Network) -> None:
    async def story() -> None:
        async with playing(network, 4, PATIENT) as at:
            at.part(0)
            await until(lambda: at.guest(1).node.hosts)

            def known(number: int) -> bool:
                state = ObservedState()
                for event in at.at.heard[number - 1]:
                    state = observe(state, event, None, 0.0)
                return state.host == 1 and [seat for seat, _ in state.waits] == [0]

            await until(lambda: all(map(known, (1, 2, 3))))
            at.join(0)
            await at.at.host.wait()
            await at.at.host.close()
            await asyncio.gather(*at.running)

    run(story())


def test_a_lost_host_an_election_and_a_return_are_logged(
    network: Network, caplog: pytest.LogCaptureFixture
) -> None:
    """The log covers a lost host, an election, and a host that stepped down and returned."""

    async def story() -> None:
        async with playing(network, 3, PATIENT) as at:
            at.part(0)
            await until(lambda: at.guest(1).node.replay.term == 1)
            at.join(0)
            await at.at.host.wait()
            await at.at.host.close()
            await asyncio.gather(*at.running)

    caplog.set_level(logging.INFO, "lanuno")
    run(story())
    said = caplog.text
    for words in (
        *("waiting for seat 0 (host), 60 s at most", "seat 0 (host) cannot be reached"),
        *(
            "election of term 1: asking for a pre-vote: seat ",
            "election of term 1: would vote for seat ",
        ),
        *("election of term 1: asking for the vote: seat ", "election of term 1: voted for seat "),
        *("the host of term 1 is seat ", "this computer is no longer the host"),
        *("frozen: 1 players in contact, 2 needed", "caught up with seat "),
        *("no longer waiting for seat 0 (host)", "connection 0: lost seat "),
    ):
        assert words in said, words


@pytest.mark.parametrize("watch", [False, True])
def test_a_player_who_does_not_host_sends_strangers_away(network: Network, watch: bool) -> None:
    async def story() -> None:
        async with playing(network, 3) as at:
            listener = at.guest(1)._config.listener
            assert listener is not None
            assert not (await probe(["127.0.0.1"], listener.port)).host.hosts
            channel = await connect(["127.0.0.1"], listener.port, identity(9))
            eve = LobbyGuest(
                channel,
                identity(9),
                Seating(name="eve", lobby=channel.context, host=channel.identity),
                runtime_config(Memory(), 9, watch=watch),
                lambda event: None,
                watch=watch,
            )
            assert await eve.run() is TableEnding.TURNED_AWAY
            assert eve.refusal is LobbyRefusal.NOT_HOST
            at.part(0)
            await until(lambda: at.guest(1).node.hosts)
            assert (await probe(["127.0.0.1"], listener.port)).host.hosts
            await asyncio.gather(*at.running)

    run(story())


def test_a_table_may_be_watched_under_its_second_host(network: Network) -> None:
    async def story() -> None:
        async with playing(network, 3, rounds=2) as at:
            at.part(0)
            await until(lambda: at.guest(1).node.hosts)
            listener = at.guest(1)._config.listener
            assert listener is not None
            channel = await connect(["127.0.0.1"], listener.port, identity(9))
            records = Memory()
            eve = LobbyGuest(
                channel,
                identity(9),
                Seating(name="eve", lobby=channel.context, host=channel.identity),
                runtime_config(records, 9, watch=True),
                lambda event: None,
                watch=True,
            )
            assert await eve.run() is TableEnding.CLOSED
            assert await asyncio.gather(*at.running) == [TableEnding.CLOSED] * 2
            verified(records, *at.at.records)

    run(story())

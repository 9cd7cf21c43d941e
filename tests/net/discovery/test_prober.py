"""Which of many announced hosts really answer, by probing all of them over real connections."""

from __future__ import annotations

import asyncio
import socket

import pytest
from msgspec.structs import replace

from lanuno.net.discovery import prober
from lanuno.net.discovery.probe_limits import ProbeLimits
from lanuno.net.discovery.prober import ProbeAnswer, Prober, ProbeTarget
from lanuno.net.errors import NetFault
from tests.harness.sockets.false_adverts import REAL
from tests.harness.sockets.running import LOBBY, run, serving, until


def test_a_host_that_does_not_answer_is_probed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prober, "SILENT_RETRY_SECONDS", 0.05)
    told: list[tuple[str, bool]] = []

    async def main() -> None:
        hosts = Prober(lambda key, there: told.append((key, there)))
        sock = socket.socket()
        sock.setblocking(False)
        sock.bind(("127.0.0.1", 0))
        target = ProbeTarget(("127.0.0.1",), sock.getsockname()[1], REAL.fp)
        assert hosts.probe("one", target) == ProbeAnswer()
        await hosts.wait()
        assert hosts.answer("one") == ProbeAnswer(fault=NetFault.UNREACHABLE)
        # The host starts listening only now.
        sock.listen()
        async with serving(sockets=[sock]):
            await until(lambda: hosts.probe("one", target).reached)
            # Read before the host goes, because another probe may be running.
            known = hosts.answer("one")
        assert (known.address, known.context, known.fault) == ("127.0.0.1", LOBBY, None)
        # The target names no table, so the host is probed regularly.
        await until(lambda: not hosts.probe("one", target).reached)
        assert hosts.answer("one").address == "127.0.0.1"
        hosts.forget_all_but(())
        assert hosts.answer("one") == ProbeAnswer()
        await hosts.close()

    run(main())
    assert told[0] == ("one", False)
    assert ("one", True) in told


def test_a_host_that_answered_is_probed_again_while_it_is_announced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A killed host sends no goodbye, and its advert lasts a minute."""
    monkeypatch.setattr(prober, "REPROBE_SECONDS", 0.05)

    async def main() -> None:
        hosts = Prober(lambda _key, _there: None)
        async with serving() as (server, _):
            target = ProbeTarget(("127.0.0.1",), server.port, REAL.fp, LOBBY)
            await until(lambda: hosts.probe("one", target).reached)
        await until(lambda: not hosts.probe("one", target).reached)
        assert hosts.answer("one").fault is NetFault.UNREACHABLE
        await hosts.close()

    run(main())


def test_a_withdrawn_host_is_probed_again_a_limited_number_of_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It may have been closing when it was probed; or a stranger forges withdrawals repeatedly."""
    monkeypatch.setattr(prober, "DOUBTFUL_RETRY_SECONDS", 0.0)
    asked: list[bool] = []

    async def main() -> None:
        hosts = Prober(lambda _key, there: asked.append(there))
        async with serving() as (server, _):
            target = ProbeTarget(("127.0.0.1",), server.port, REAL.fp, LOBBY)
            await until(lambda: hosts.probe("one", target).reached)
            gone = replace(target, doubtful=True)
            for _ in range(20):
                hosts.probe("one", gone)
                await hosts.wait()
            assert asked == [True] * (1 + prober.DOUBTFUL_TRIES)
            hosts.probe("one", target)
            await hosts.wait()
            hosts.probe("one", gone)
            await hosts.wait()
            assert len(asked) > 1 + prober.DOUBTFUL_TRIES
        await hosts.close()

    run(main())


def test_no_number_of_silent_addresses_keeps_the_last_one_from_its_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """There is no time for all of them in one probe, so the next one begins with the others."""
    monkeypatch.setattr(prober, "PROBE_SECONDS", 1.0)
    monkeypatch.setattr(prober, "SILENT_RETRY_SECONDS", 0.0)

    async def main() -> None:
        hosts = Prober(lambda _key, _there: None, ProbeLimits("127.0.0.1"))
        async with serving() as (server, _):
            silent = [f"127.0.9.{number}" for number in range(1, 9)]
            holes = [socket.create_server((each, server.port)) for each in silent]
            target = ProbeTarget((*silent, "127.0.0.1"), server.port, REAL.fp)
            await until(lambda: hosts.probe("one", target).reached)
            for hole in holes:
                hole.close()
        await hosts.close()

    run(main())


def test_probes_can_be_cancelled() -> None:
    async def main() -> None:
        hosts = Prober(lambda _key, _there: None)
        hosts.probe("silent", ProbeTarget(("127.0.0.1",), 1, REAL.fp))
        await asyncio.sleep(0)
        await hosts.close()
        await hosts.wait()
        await hosts.close()

    run(main())

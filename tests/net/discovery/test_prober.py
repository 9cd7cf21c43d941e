"""Which of many announced hosts really answer, by probing all of them over real connections."""

from __future__ import annotations

import asyncio
import queue
import socket
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from lanuno.cli.main import main as main_of_commands
from lanuno.client import find
from lanuno.net.discovery import prober
from lanuno.net.discovery.dedupe import table_key
from lanuno.net.discovery.prober import ProbeAnswer, Prober, ProbeTarget
from lanuno.net.errors import NetFault
from tests.harness.sockets.running import LOBBY, run, serving, until
from tests.net.discovery.false_adverts import REAL, Said, fakes


def test_a_table_of_a_name_is_the_one_that_answers(said: Said) -> None:
    async def main() -> None:
        async with serving() as (server, _):
            real = replace(REAL, port=server.port)
            said.adverts = [*fakes(real), real]
            async with find.TableFinder() as finder:
                place = (await finder.find_by_name(real.name, 20.0))[0]
            assert (place.fingerprint, place.context) == (real.fp, real.id)
            assert (place.hosts[0], place.port) == ("127.0.0.1", server.port)
            assert said.marks[table_key(real)]

    run(main())


def test_if_no_host_answers_one_of_them_is_returned(
    said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(find, "PROOF_SECONDS", 60.0)

    async def main() -> None:
        real = replace(REAL, port=1)
        said.adverts = [real, replace(real, fp="z" * 32)]

        def host_probed(key: str, answered: bool) -> None:
            """End the time limit after the last answer, however long the answers take."""
            said.marks[key] = answered
            if len(said.marks) == len(said.adverts):
                monkeypatch.setattr(find, "PROOF_SECONDS", 0.0)

        monkeypatch.setattr(said, "host_probed", host_probed)
        async with find.TableFinder() as finder:
            place = (await finder.find_by_name(real.name, 20.0))[0]
        assert place.fingerprint == real.fp
        assert said.marks == {table_key(each): False for each in said.adverts}

    run(main())


def test_find_lists_who_answers_first_and_the_keys_where_names_are_the_same(
    said: Said, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    door: queue.SimpleQueue[int] = queue.SimpleQueue()
    over = threading.Event()

    async def main() -> None:
        async with serving() as (server, _):
            door.put(server.port)
            await asyncio.to_thread(over.wait)

    host = threading.Thread(target=run, args=(main(),))
    host.start()
    try:
        real = replace(REAL, port=door.get())
        other = replace(real, id=bytes(16), name="Another", port=1)
        said.adverts = [*fakes(real)[:3], other, real]
        arguments = ["find", "--seconds", "0.5", "--home", str(tmp_path), "--lang", "en"]
        assert main_of_commands(arguments) == 0
    finally:
        over.set()
        host.join()
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith(real.name)
    assert "does not answer" not in out[0]
    assert real.fp in out[1]
    assert sum("the key of this one" in line for line in out) == 4
    assert sum("does not answer" in line for line in out) == 4


def test_a_host_that_does_not_answer_is_probed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prober, "SILENT_RETRY_SECONDS", 0.05)
    told: list[tuple[str, bool]] = []

    async def main() -> None:
        hosts = Prober(lambda key, there: told.append((key, there)))
        door = socket.socket()
        door.setblocking(False)
        door.bind(("127.0.0.1", 0))
        target = ProbeTarget(("127.0.0.1",), door.getsockname()[1], REAL.fp)
        assert hosts.probe("one", target) == ProbeAnswer()
        await hosts.wait()
        assert hosts.answer("one") == ProbeAnswer(fault=NetFault.UNREACHABLE)
        # The host starts listening only now.
        door.listen()
        async with serving(sockets=[door]):
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


def test_probes_can_be_cancelled() -> None:
    async def main() -> None:
        hosts = Prober(lambda _key, _there: None)
        hosts.probe("silent", ProbeTarget(("127.0.0.1",), 1, REAL.fp))
        await asyncio.sleep(0)
        await hosts.close()
        await hosts.wait()
        await hosts.close()

    run(main())

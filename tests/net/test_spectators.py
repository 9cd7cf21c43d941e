"""What spectators may do at a table: watch. Over real sockets on loopback."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages, outputs
from lanuno.table.lobby import MAX_SPECTATORS
from lanuno.table.messages import LobbyRefusal
from tests.net.running import run, until
from tests.net.tables import Table, table
from tests.net.watching import Onlooker, come, coming

LONG = Ruleset(hand_size=7, grace_first_s=5, grace_total_s=30)


async def seated(at: Table, number: int = 1) -> asyncio.Task[object]:
    """A guest who plays by itself, called "guest 1"."""
    [task] = await at.sit_down(await at.peer(number))
    return task  # type: ignore[return-value]


@pytest.mark.parametrize("plays", [False, True], ids=["waiting room", "playing"])
def test_nobody_watches_under_the_name_of_a_seat(plays: bool) -> None:
    async def story() -> None:
        async with table(2 if plays else 3, rounds=None, ruleset=LONG) as at:
            guest = await seated(at)
            if plays:
                await until(lambda: at.host.driver is not None)
            for name in ("guest 1", "GUEST  1", "gu\u0435st 1"):
                async with coming(at, 300, name) as eve:
                    assert eve.refused is LobbyRefusal.NAME_TAKEN
            async with coming(at, 301, "Eve"), coming(at, 302, "eve") as second:
                assert second.refused is LobbyRefusal.NAME_TAKEN
            at.host.stop()
            await guest

    run(story())


def test_twenty_who_chat_as_fast_as_they_can() -> None:
    async def story() -> None:
        loop = asyncio.get_running_loop()
        async with table(2, rounds=None, ruleset=LONG) as at, AsyncExitStack() as here:
            guest = await seated(at)
            await until(lambda: at.host.driver is not None)
            crowd = [
                await here.enter_async_context(
                    coming(at, 400 + number, f"eve {number}", f"127.9.1.{1 + number}")
                )
                for number in range(MAX_SPECTATORS)
            ]
            assert not any(each.refused for each in crowd)
            before = len(lines(at))
            began = loop.time()
            listening = [asyncio.create_task(each.until_end()) for each in crowd[1:]]
            async with asyncio.timeout(4):
                with pytest.raises(TimeoutError):
                    async with asyncio.timeout(3):
                        while True:
                            for each in crowd:
                                each.say(messages.Say(f"hello {loop.time()}"))
                            await asyncio.sleep(1 / 15)
            seconds = loop.time() - began
            heard = len(lines(at)) - before
            print(f"{heard} lines in {seconds:.1f} s, {heard / seconds:.0f}/s")
            assert heard <= 20 + 4 * seconds + 1
            at.host.stop()
            await guest
            for task in listening:
                await task

    run(story())


def lines(at: Table) -> list[outputs.ChatHeard]:
    return [each for each in at.events if isinstance(each, outputs.ChatHeard)]


def test_six_who_fetch_as_fast_as_they_can() -> None:
    async def story() -> None:
        loop = asyncio.get_running_loop()
        async with table(2, rounds=None, ruleset=LONG) as at:
            guest = await seated(at)
            await until(lambda: at.host.driver is not None)
            driver = at.host.driver
            assert driver is not None
            await until(lambda: driver.member.replay.seq > 120)
            calm = driver.member.replay.seq
            await asyncio.sleep(3)
            calm = driver.member.replay.seq - calm
            fetched, over = 0, asyncio.Event()

            async def ask(eve: Onlooker) -> None:
                while eve.channel.open:
                    for _ in range(10):
                        eve.say(messages.Fetch(0))
                    await asyncio.sleep(1 / 38)

            async def fetch(number: int) -> None:
                nonlocal fetched
                while not over.is_set():
                    eve = await come(at, 500 + number, f"eve {number}", f"127.9.0.{1 + number}")
                    asking = asyncio.create_task(ask(eve))
                    reading = asyncio.create_task(eve.until_end())
                    waiting = asyncio.create_task(over.wait())
                    await asyncio.wait((reading, waiting), return_when=asyncio.FIRST_COMPLETED)
                    await eve.close()
                    await asyncio.wait((reading, asking))
                    waiting.cancel()
                    await asyncio.wait((waiting,))
                    fetched += eve.bytes

            before, began = driver.member.replay.seq, loop.time()
            crowd = [asyncio.create_task(fetch(number)) for number in range(6)]
            await asyncio.sleep(6)
            over.set()
            await asyncio.gather(*crowd)
            seconds = loop.time() - began
            entries = driver.member.replay.seq - before
            print(
                f"{fetched / seconds / 1e6:.2f} MB/s;"
                f" entries/s {calm / 3:.0f} before, {entries / seconds:.0f} meanwhile"
            )
            at.host.stop()
            await guest

    run(story())


@pytest.mark.parametrize("plays", [False, True], ids=["waiting room", "playing"])
def test_a_line_is_shown_once_at_a_host_with_two_bots(plays: bool) -> None:
    async def story() -> None:
        async with table(4 if plays else 5, bots=2, rounds=None, ruleset=LONG) as at:
            guest = await at.peer(1)
            heard: list[object] = []
            guest._observe = heard.append
            guest.waiting._observe = heard.append
            [task] = await at.sit_down(guest)
            if plays:
                await until(lambda: at.host.driver is not None and guest.driver is not None)
            async with coming(at, 600, "eve") as eve:
                eve.say(messages.Say("hello"))
                await eve.until(messages.Said)
                await until(lambda: any(isinstance(e, outputs.ChatHeard) for e in heard))
                assert [each.text for each in lines(at)] == ["hello"]
            at.host.stop()
            await task

    run(story())

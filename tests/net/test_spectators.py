"""What spectators may do at a table, over real sockets on loopback.

`-s` shows the measured rates. The tests assert no speed, only limits on how much arrives in a given
time.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from lanuno.net.runtime.admission import BAN_SECONDS
from lanuno.net.runtime.endings import TableEnding
from lanuno.net.runtime.lobby_guest import LobbyGuest
from lanuno.net.runtime.message_budget import (
    SHOWN_CHAT_BURST,
    SHOWN_CHAT_RATE,
    SHOWN_REACTIONS_BURST,
    SHOWN_REACTIONS_RATE,
    MessageBudget,
)
from lanuno.net.transport.channel import Channel
from lanuno.rules.ruleset import Ruleset
from lanuno.table import budget, messages, outputs
from lanuno.table.messages import MAX_SPECTATORS, PAGE_BYTES, LobbyRefusal, Reaction
from tests.harness.sockets.running import run, until
from tests.harness.sockets.tables import Table, table
from tests.net.spectator_clients import SpectatorClient, come, coming

LONG = Ruleset(hand_size=7, grace_first_s=5, grace_total_s=30)
SECONDS = 3.0
"""How long a client floods the host."""

EITHER = pytest.mark.parametrize("plays", [False, True], ids=["waiting room", "playing"])


@asynccontextmanager
async def room(
    *, plays: bool, bots: int = 0
) -> AsyncIterator[tuple[Table, LobbyGuest, list[object]]]:
    """Run a table, begun or not, with a bot as guest; yield it and the guest's events."""
    seats = 2 + bots if plays else 3 + bots
    async with table(seats, bots=bots, rounds=None, ruleset=LONG) as at:
        guest = await at.peer(1)
        heard: list[object] = []
        guest._observe = guest.lobby_seat._observe = heard.append
        [task] = await at.sit_down(guest)
        if plays:
            await until(lambda: at.host.runtime is not None and guest.runtime is not None)
        try:
            yield at, guest, heard
        finally:
            at.host.stop()
            await at.host.wait()
            await at.host.close()
            await task


def lines(events: list[object]) -> list[outputs.ChatReceived]:
    return [each for each in events if isinstance(each, outputs.ChatReceived)]


async def read_by_now(channel: Channel, heard: list[object]) -> None:
    """Wait until the other end of the host's channel has read everything sent on it so far."""
    enough = messages.to_bytes(messages.Said("host", 0, "enough"))
    while not any(each.text == "enough" for each in lines(heard)):
        # Repeatedly, because the chat limit may hide the line after a flood of chat.
        channel.send(enough)
        await asyncio.sleep(0.1)


def tell(text: str) -> None:
    """Print a measured figure."""
    sys.stdout.write(f"{text}\n")


# ---- names ------------------------------------------------------------------------------------


@EITHER
def test_nobody_watches_under_the_name_of_another(plays: bool) -> None:
    async def story() -> None:
        async with room(plays=plays) as (at, _, heard):
            for name in ("guest 1", "GUEST  1", "gu\u0435st 1", "host"):
                async with coming(at, 300, name) as eve:
                    assert eve.refused is LobbyRefusal.NAME_TAKEN
                    eve.say(messages.Say("it is my turn"))
            async with coming(at, 301, "Eve") as eve, coming(at, 302, "eve") as second:
                assert second.refused is LobbyRefusal.NAME_TAKEN
                eve.say(messages.Say("hello"))
                await until(lambda: bool(lines(heard)))
            [said] = lines(heard)
            assert (said.name, said.seat, said.spectator) == ("Eve", -1, eve.key)

    run(story())


def test_a_new_player_displaces_a_spectator_of_the_same_name() -> None:
    async def story() -> None:
        async with table(3, rounds=None) as at, coming(at, 300, "guest 1") as eve:
            [task] = await at.sit_down(await at.peer(1))
            await eve.until_end()
            assert eve.refused is LobbyRefusal.NAME_TAKEN
            assert at.host.lobby.taken == 2
            assert not at.host.lobby.watching
            await at.host.close()
            await task

    run(story())


# ---- chat -------------------------------------------------------------------------------------


@EITHER
def test_twenty_spectators_together_stay_within_the_chat_limit(plays: bool) -> None:
    async def story() -> None:
        loop = asyncio.get_running_loop()
        async with room(plays=plays) as (at, guest, heard):
            crowd = [
                await come(at, 400 + number, f"eve {number}", f"127.9.1.{1 + number}")
                for number in range(MAX_SPECTATORS)
            ]
            assert not any(each.refused for each in crowd)
            began = loop.time()
            reading = [asyncio.create_task(each.until_end()) for each in crowd]
            while loop.time() < began + SECONDS:
                for each in crowd:
                    each.say(messages.Say("hello"))
                await asyncio.sleep(1 / 15)
            # A player's line is still shown, after all of the spectators' lines.
            assert at.host.lobby.taken == 2
            (guest.runtime or guest.lobby_seat).send_chat("quiet!")
            await until(lambda: any(line.text == "quiet!" for line in lines(at.events)))
            seconds = loop.time() - began
            said = [line for line in lines(at.events) if line.seat < 0]
            reached = len(lines(heard))
            for each in crowd:
                await each.close()
            await asyncio.gather(*reading)
            tell(f"{len(said)} lines in {seconds:.1f} s: {len(said) / seconds:.0f} a second")
            most = budget.SPECTATORS_CHAT_BURST + budget.SPECTATORS_CHAT_RATE * seconds
            assert 0 < len(said) <= most + 1
            assert reached <= len(said) + 1

    run(story())


@EITHER
def test_a_spectator_and_a_player_stay_within_the_chat_limit(plays: bool) -> None:
    """The limit holds for a player too."""

    async def story() -> None:
        loop = asyncio.get_running_loop()
        async with room(plays=plays) as (at, guest, _), coming(at, 300) as eve:
            began = loop.time()
            while loop.time() < began + SECONDS:
                eve.say(messages.Say("hello"))
                (guest.runtime or guest.lobby_seat).send_chat("hello")
                await asyncio.sleep(1 / 15)
            seconds = loop.time() - began
            most = budget.CHAT_BURST + budget.CHAT_RATE * (seconds + 1)
            for seat in (-1, 1):
                count = sum(line.seat == seat for line in lines(at.events))
                assert 0 < count <= most + 1

    run(story())


@EITHER
def test_a_flood_of_chat_from_a_host_is_not_all_shown(plays: bool) -> None:
    async def story() -> None:
        loop = asyncio.get_running_loop()
        async with room(plays=plays) as (at, _, heard):
            began, sent = loop.time(), 0
            line = messages.to_bytes(messages.Said("host", 0, "hello"))
            [channel] = at.host._guests.values()
            for _ in range(5 * SHOWN_CHAT_BURST):
                channel.send(line)
                sent += 1
            await read_by_now(channel, heard)
            most = SHOWN_CHAT_BURST + SHOWN_CHAT_RATE * (loop.time() - began)
            assert 0 < len(lines(heard)) <= most + 1 < sent

    run(story())


def test_a_flood_of_reactions_from_a_host_is_not_all_shown() -> None:
    async def story() -> None:
        loop = asyncio.get_running_loop()
        async with room(plays=True) as (at, _, heard):
            began, sent = loop.time(), 0
            wow = messages.to_bytes(messages.Reacted(0, Reaction.WOW))
            [channel] = at.host._guests.values()
            for _ in range(5 * SHOWN_REACTIONS_BURST):
                channel.send(wow)
                sent += 1
            await read_by_now(channel, heard)
            shown = [each for each in heard if isinstance(each, outputs.ReactionSeen)]
            most = SHOWN_REACTIONS_BURST + SHOWN_REACTIONS_RATE * (loop.time() - began)
            assert 0 < len(shown) <= most + 1 < sent

    run(story())


def test_players_react_and_spectators_only_see_it() -> None:
    async def story() -> None:
        async with room(plays=True, bots=1) as (at, guest, heard), coming(at, 600) as eve:
            assert guest.runtime is not None
            assert at.host.runtime is not None
            eve.say(messages.React(Reaction.OH_NO))
            guest.runtime.react(Reaction.WOW)
            at.host.runtime.react(Reaction.LAUGH)

            def shown(events: list[object]) -> set[tuple[str, Reaction]]:
                found = [each for each in events if isinstance(each, outputs.ReactionSeen)]
                assert len(found) == len(set(found)), "each is reported once"
                return {(each.name, each.reaction) for each in found}

            both = {("guest 1", Reaction.WOW), ("host", Reaction.LAUGH)}
            await until(lambda: shown(heard) == both and shown(at.events) == both)

    run(story())


def test_the_hosts_bots_wait_for_each_player_who_looks_at_the_score() -> None:
    """A player speaks for nobody else, and a spectator for nobody."""

    async def story() -> None:
        async with room(plays=True, bots=1) as (at, guest, _), coming(at, 600) as eve:
            assert guest.runtime is not None
            assert at.host.runtime is not None
            seat, reading = guest.runtime.node.seat, at.host.runtime._bots._delays._reading
            assert seat is not None
            eve.say(messages.ReadsScore(7, reading=True))
            guest.runtime.read_score(7, reading=True)
            at.host.runtime.read_score(7, reading=True)
            await until(lambda: reading == {0: 7, seat: 7})
            at.host.runtime.read_score(7, reading=False)
            assert reading == {seat: 7}
            guest.runtime.read_score(7, reading=False)
            await until(lambda: not reading)

    run(story())


@EITHER
def test_a_line_is_shown_once_at_a_host_with_two_bots(plays: bool) -> None:
    async def story() -> None:
        async with room(plays=plays, bots=2) as (at, guest, heard), coming(at, 600) as eve:
            eve.say(messages.Say("hello"))
            await until(lambda: bool(lines(heard)))
            (guest.runtime or guest.lobby_seat).send_chat("and you")
            await until(lambda: len(lines(heard)) > 1)
            for events in (at.events, heard):
                assert [line.text for line in lines(events)] == ["hello", "and you"]

    run(story())


# ---- the log ----------------------------------------------------------------------------------


async def follow(eve: SpectatorClient) -> int:
    """Fetch the log correctly; return its number of entries once all have arrived."""
    held = 0
    while True:
        eve.say(messages.Fetch(held))
        page = await eve.until(messages.Entries)
        assert isinstance(page, messages.Entries)
        if not page.entries:
            return held
        held = page.first + len(page.entries)


def test_six_who_fetch_as_fast_as_they_can(monkeypatch: pytest.MonkeyPatch) -> None:
    burst = 4 * PAGE_BYTES
    monkeypatch.setattr("lanuno.table.host.subscribers.SPECTATORS_LOG_BURST", burst)

    async def story() -> None:
        loop = asyncio.get_running_loop()
        async with room(plays=True) as (at, _, _):
            runtime = at.host.runtime
            assert runtime is not None
            replay = runtime.node.replay
            await until(lambda: replay.seq > 120)
            calm, began = replay.seq, loop.time()
            await asyncio.sleep(SECONDS)
            calm_rate = (replay.seq - calm) / (loop.time() - began)
            fetched, over = 0, asyncio.Event()

            async def ask(eve: SpectatorClient) -> None:
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
                    fetched += eve.pages

            before, began = replay.seq, loop.time()
            crowd = [asyncio.create_task(fetch(number)) for number in range(6)]
            await asyncio.sleep(SECONDS)
            over.set()
            await asyncio.gather(*crowd)
            seconds, entries = loop.time() - began, replay.seq - before
            tell(
                f"{fetched / seconds / 1e6:.2f} MB a second; entries a second:"
                f" {calm_rate:.0f} before, {entries / seconds:.0f} meanwhile"
            )
            # Plus the new entries that the host sends to each of them.
            live = 6 * 8 * 1024 * (entries + 1)
            assert fetched <= burst + 2 * PAGE_BYTES + budget.LOG_RATE * seconds + live
            # A client that fetches correctly still gets the whole log.
            async with coming(at, 600, "ada") as ada:
                assert await follow(ada) >= before

    run(story())


@pytest.mark.parametrize("ahead", [False, True])
def test_asking_out_of_order_ends_with_a_goodbye(ahead: bool) -> None:
    async def story() -> None:
        async with room(plays=True) as (at, _, _), coming(at, 600) as eve:
            held = await follow(eve)
            eve.say(messages.Fetch(held + 50_000 if ahead else 0))
            await eve.until_end()
            assert eve.goodbye

    run(story())


def test_a_spectators_program_acknowledges_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[object] = []
    charge = MessageBudget.charge

    def see(
        self: MessageBudget, who: bytes, message: messages.AtTable, now: float, *, plays: bool
    ) -> float | None:
        if not plays:
            said.append(message)
        return charge(self, who, message, now, plays=plays)

    monkeypatch.setattr(MessageBudget, "charge", see)

    async def story() -> None:
        async with room(plays=True) as (at, _, _):
            spectator = await at.peer(9, watch=True)
            task = asyncio.create_task(spectator.run())
            await until(lambda: spectator.runtime is not None)
            runtime = spectator.runtime
            assert runtime is not None
            await until(lambda: runtime.seat_session.replica.caught_up)
            before = runtime.node.replay.seq
            await until(lambda: runtime.node.replay.seq > before + 20)
            at.host.stop()
            await task
        assert any(isinstance(each, messages.Fetch) for each in said)
        assert not [each for each in said if isinstance(each, messages.Statements)]

    run(story())


# ---- sending away -----------------------------------------------------------------------------


@EITHER
def test_a_removed_spectator_cannot_come_back(plays: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with room(plays=plays) as (at, _, _):
            changes = [each for each in at.events if isinstance(each, outputs.SpectatorsChanged)]
            assert not changes
            async with coming(at, 700, "eve", "127.9.2.1") as eve, coming(at, 701, "ada") as ada:
                at.host.send_away(eve.key)
                await eve.until_end()
                assert eve.refused is LobbyRefusal.KICKED
                changes = [
                    each for each in at.events if isinstance(each, outputs.SpectatorsChanged)
                ]
                assert [[who.name for who in each.spectators] for each in changes] == [
                    ["eve"],
                    ["eve", "ada"],
                    ["ada"],
                ]
                # The banned key from another address, and another key from the banned address.
                for number, address, why in (
                    (700, "127.9.2.2", LobbyRefusal.KICKED),
                    (702, "127.9.2.1", LobbyRefusal.KICKED),
                    (702, "127.9.2.2", None),
                ):
                    async with coming(at, number, "mallory", address) as again:
                        assert again.refused is why
                # A banned spectator cannot take a seat either.
                async with coming(at, 700, "", "127.9.2.3", sit=True) as again:
                    assert again.refused is (LobbyRefusal.STARTED if plays else LobbyRefusal.KICKED)
                monkeypatch.setattr("lanuno.net.runtime.admission.BAN_SECONDS", 0.0)
                async with coming(at, 702, "mallory", "127.9.2.1") as later:
                    assert later.refused is None
                assert ada.channel.open

    assert BAN_SECONDS > 0
    run(story())


@EITHER
def test_all_spectators_leave_when_the_host_allows_none(plays: bool) -> None:
    async def story() -> None:
        async with room(plays=plays) as (at, _, _):
            async with coming(at, 700, "eve") as eve, coming(at, 701, "ada") as ada:
                at.host.allow_spectators(False)
                for each in (eve, ada):
                    await each.until_end()
                    assert each.refused is LobbyRefusal.NO_SPECTATORS
                    assert each.goodbye
            async with coming(at, 702) as late:
                assert late.refused is LobbyRefusal.NO_SPECTATORS
            at.host.allow_spectators(True)
            async with coming(at, 702) as late:
                assert late.refused is None

    run(story())


@EITHER
def test_a_removed_spectator_is_told_why(plays: bool) -> None:
    """The spectator is LanUNO's own `LobbyGuest`."""

    async def story() -> None:
        async with room(plays=plays) as (at, _, _):
            eve = await at.peer(9, watch=True)
            eve._config.search_seconds = 0.0
            watching = asyncio.create_task(eve.run())
            await until(lambda: any(isinstance(e, outputs.SpectatorsChanged) for e in at.events))
            [who] = next(
                each.spectators for each in at.events if isinstance(each, outputs.SpectatorsChanged)
            )
            at.host.send_away(who.identity)
            assert await watching is (TableEnding.LOST if plays else TableEnding.TURNED_AWAY)
            assert eve.refusal is LobbyRefusal.KICKED

    run(story())


# ---- from the waiting room to the table ---------------------------------------------------------


def test_a_spectator_stays_although_another_at_its_address_is_removed() -> None:
    async def story() -> None:
        async with table(2, rounds=None, ruleset=LONG) as at:
            async with (
                coming(at, 800, "ada", "127.9.4.1") as ada,
                coming(at, 801, "eve", "127.9.4.1") as eve,
            ):
                at.host.send_away(eve.key)
                await eve.until_end()
                [task] = await at.sit_down(await at.peer(1))
                assert isinstance(await ada.until(messages.Began), messages.Began)
                ada.say(messages.Fetch(0))
                assert isinstance(await ada.until(messages.Entries), messages.Entries)
            at.host.stop()
            await at.host.wait()
            await at.host.close()
            await task

    run(story())

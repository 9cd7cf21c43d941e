"""Tests of visits to tables: a PIN is sent to no other table than the one that asked for it.

The tables at the other end are real listeners on loopback that record all requests.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from functools import partial

import pytest
from msgspec.structs import replace

from lanuno.app.controllers.application import Application
from lanuno.app.loop import LoopThread
from lanuno.dealing.identity import Identity, fingerprint
from lanuno.net.discovery.table_link import TableLink
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.listener import Listener, listen
from lanuno.table import messages
from lanuno.table.messages import BeginPinProof, Join, LobbyRefusal, Watch
from tests.app.network import AppFactory, follow_link, open_table, shows_page, wait_for_table
from tests.app.waiting import until

ELSEWHERE = "127.44.0.10"


class RecordingHost:
    """A host that records requests to join or watch, and refuses all of them for a wrong PIN."""

    def __init__(self, loop: LoopThread, address: str, context: bytes | None = None) -> None:
        self._loop = loop
        self._identity = Identity.from_seed(secrets.token_bytes(32))
        self.said: list[Join | Watch | BeginPinProof] = []
        self.refuses = True
        self.context = secrets.token_bytes(16) if context is None else context
        work = listen(self._identity, self.context, self._serve, hosts=(address,), port=0)
        self.server: Listener = loop.submit(work).result()
        self.address, self.port = address, self.server.port
        self.fingerprint = fingerprint(self._identity.public)
        self.link = str(TableLink(address, self.port, self.context, self.fingerprint))

    async def _serve(self, channel: Channel) -> None:
        async for data in channel:
            said = messages.from_peer(data)
            if isinstance(said, Join | Watch | BeginPinProof):
                self.said.append(said)
                refusal = messages.Refused(LobbyRefusal.WRONG_PIN)
                channel.send(messages.to_bytes(refusal))

    @property
    def pins(self) -> list[str]:
        """What each request said: "" without a PIN."""
        return ["a proof" if isinstance(each, BeginPinProof) else "" for each in self.said]

    def close(self) -> None:
        self._loop.submit(self.server.close()).result()


@pytest.fixture
def loop() -> Iterator[LoopThread]:
    made = LoopThread()
    made.start()
    yield made
    made.close()


@pytest.fixture
def recording_host(loop: LoopThread) -> Iterator[RecordingHost]:
    made = RecordingHost(loop, ELSEWHERE)
    yield made
    made.close()


def test_a_pin_goes_to_no_other_table(
    app_of: AppFactory, table_name: str, recording_host: RecordingHost
) -> None:
    ana, ben = app_of("Ana"), app_of("Ben")
    open_table(ana, table_name, pin="4711")
    ben.join_controller.setProperty("text", ana.room_controller.property("link"))
    ben.join_controller.setProperty("pin", "4711")
    follow_link(ben, recording_host.link)
    until(lambda: ben.join_controller.property("error"))
    assert recording_host.pins == [""]
    until(lambda: ben.session_controller.session is None)
    # After the PIN was accepted at that table, it is not sent to another by link or address either.
    ben.join_controller.setProperty("text", ana.room_controller.property("link"))
    ben.join_controller.setProperty("pin", "4711")
    ben.join_controller.join()
    until(partial(shows_page, ben, "room"))
    assert (ben.join_controller.property("pin"), ben.join_controller.property("pinKnown")) == (
        "",
        True,
    )
    ben.back()
    ben.confirmLeave()
    until(lambda: ben.session_controller.session is None)
    ben.open("join")
    for text in (recording_host.link, f"{recording_host.address}:{recording_host.port}"):
        ben.join_controller.setProperty("text", text)
        assert not ben.join_controller.property("pinKnown")
        ben.join_controller.join()
        until(lambda: ben.join_controller.property("error"))
        until(lambda: ben.session_controller.session is None)
    assert recording_host.pins == ["", "", ""]
    # The PIN still opens its own table, without being typed again.
    follow_link(ben, ana.room_controller.property("link"))
    until(partial(shows_page, ben, "room"))
    assert "4711" not in repr(ben.join_controller) + repr(vars(ben.home_controller._visiting))


def test_a_pin_for_an_address_is_for_the_table_that_asked_there(
    app: Application, loop: LoopThread
) -> None:
    """Another host may have taken over the address before the player types the PIN."""
    app.settings_controller.change("language", "en")
    first = RecordingHost(loop, ELSEWHERE)
    app.join_controller.setProperty("text", f"{first.address}:{first.port}")
    app.open("join")
    app.join_controller.join()
    until(lambda: app.join_controller.property("pinWanted"))
    until(lambda: app.session_controller.session is None)
    app.join_controller.setProperty("pin", "4711")
    app.join_controller.join()
    until(lambda: len(first.said) == 2)
    until(lambda: app.session_controller.session is None)
    assert first.pins == ["", "a proof"]
    first.close()
    second = RecordingHost(loop, ELSEWHERE, first.context)
    try:
        # Pretend that the second host has the same port, too.
        place = app.join_controller._place
        assert place is not None
        app.join_controller._place = replace(place, port=second.port)
        app.join_controller.setProperty("pin", "4712")
        app.join_controller.join()
        until(
            lambda: (
                app.join_controller.property("error") and not app.join_controller.property("busy")
            )
        )
        until(lambda: app.session_controller.session is None)
        assert second.said == []
    finally:
        second.close()


def test_a_pin_in_the_list_is_for_the_table_that_asked(app_of: AppFactory, table_name: str) -> None:
    ana, ben = app_of("Ana"), app_of("Ben")
    open_table(ana, table_name, pin="1234")
    ben.start()
    seen = wait_for_table(ben, table_name)
    # The table has not asked for a PIN yet.
    ben.home_controller.join(seen.id, "1234")
    assert ben.home_controller.property("pinWanted") == seen.id
    assert ben.session_controller.session is None
    # Another table has asked in the meantime.
    ben.home_controller._visiting.asked_by = (bytes(16), "a" * 32)
    ben.home_controller.join(seen.id, "1234")
    assert ben.session_controller.session is None
    ben.home_controller.join(seen.id, " 1234 ")
    until(partial(shows_page, ben, "room"))
    ben.back()
    ben.confirmLeave()
    until(lambda: ben.session_controller.session is None)
    # The PIN is remembered now, until the table refuses it.
    again = wait_for_table(ben, table_name)
    ben.home_controller.join(again.id, "")
    until(partial(shows_page, ben, "room"))
    ben.back()
    ben.confirmLeave()
    until(lambda: ben.session_controller.session is None)
    (table,) = ben.home_controller._visiting.pins._known
    ben.home_controller._visiting.pins.remember(table, "0000")
    ben.home_controller.join(wait_for_table(ben, table_name).id, "")
    until(lambda: ben.home_controller.property("pinWanted"))
    assert ben.home_controller._visiting.pins.pin_of(table) == ""
    until(lambda: ben.session_controller.session is None)

"""Tests of what the user is told about a table before going there."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import Qt

from lanuno.app.running import Running
from lanuno.client.find import DiscoveredTables
from lanuno.net.discovery.table_link import parse_link
from lanuno.store.app_state import KnownPlace
from lanuno.store.known_people import KnownName, KnownPeople
from tests.app.pictures.scenes_entry import found_table, see
from tests.app.waiting import until

LINK = "lanuno://203.0.113.7:47474/00112233445566778899aabbccddeeff#" + "a" * 32


def test_each_statement_about_a_table_names_its_source(running: Running) -> None:
    app = running.app
    app.settings_controller.change("language", "en")
    link = parse_link(LINK)
    app.invitation_controller.ask(LINK)
    assert app.invitation_controller.property("table") == "The name of this table is not known."
    assert (
        app.invitation_controller.property("host") == "You have not played with this host before."
    )
    # A waiting room that was shared is remembered, but no game was signed there.
    app.app_state.remember_host(
        KnownPlace(host="192.0.2.1", port=1, fingerprint=link.fingerprint, name="Ana")
    )
    app.invitation_controller._withdraw()
    app.invitation_controller.ask(LINK)
    assert (
        app.invitation_controller.property("host") == "You have not played with this host before."
    )
    app.join_controller.setProperty("text", LINK)
    app.invitation_controller._ready = True
    # A program that is started by a link asks before it has read who is known.
    app.known_people.receive(KnownPeople((KnownName("Ana", link.fingerprint),)))
    for told in (
        app.invitation_controller.view.host,
        app.join_controller.property("where")["host"],
    ):
        assert told.startswith(
            "You have played with this host before; the name was \u2068Ana\u2069 then."
        )
    assert not app.invitation_controller.property("ready")

    def heard(*names: str, of: str = link.fingerprint) -> None:
        tables = [
            replace(found_table(0), key=name, id=link.id, fingerprint=of, name=name)
            for name in names
        ]
        see(running, DiscoveredTables(tuple(tables), None, True))

    # A table of another host with the same id is ignored.
    heard("False", of="b" * 32)
    assert app.invitation_controller.property("table") == "The name of this table is not known."
    # Two names for one table are ignored, because at least one of them is false.
    heard("One", "Two")
    assert app.invitation_controller.property("table") == "The name of this table is not known."
    app.invitation_controller._ready_timer.setInterval(0)
    app.invitation_controller.application_state_changed(Qt.ApplicationState.ApplicationActive)
    until(lambda: app.invitation_controller.property("ready"))
    app.invitation_controller._ready_timer.setInterval(10**6)
    heard("Kitchen")
    assert app.invitation_controller.property("table") == (
        "\u2068Kitchen\u2069, as it is announced on this network. Nobody has checked this name."
    )
    # The new text must be read before an answer counts, and it does not change again.
    assert not app.invitation_controller.property("ready")
    heard("Cellar")
    assert "Kitchen" in app.invitation_controller.property("table")
    app.invitation_controller._withdraw()

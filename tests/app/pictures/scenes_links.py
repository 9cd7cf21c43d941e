"""Scenes of a link from outside and of a typed place, with what is known of the target."""

from __future__ import annotations

from dataclasses import replace

from lanuno.app.running import Running
from lanuno.client.find import DiscoveredTables
from lanuno.net.discovery.table_link import parse_link
from lanuno.store.app_state import KnownPlace
from tests.app.pictures.scene import Scene, View
from tests.app.pictures.scenes_entry import found_table, see
from tests.app.pictures.tables import NAMES

REST = ":47474/00112233445566778899aabbccddeeff#" + "a" * 32
PUBLIC = "lanuno://203.0.113.7" + REST
HERE = "lanuno://127.0.0.1" + REST
LONG = "lanuno://" + ".".join(("mesa-de-ana-y-begonia", "example") * 8) + REST


def asked(running: Running, view: View, link: str = PUBLIC) -> None:
    see(running, DiscoveredTables((), None, True))
    running.app.invitation_controller._withdraw()
    running.app.invitation_controller._ready_timer.setInterval(0)
    running.app.invitation_controller.ask(link)


def of_a_known_host(running: Running, view: View) -> None:
    link = parse_link(HERE)
    name = NAMES[5]
    running.app.app_state.remember_host(
        KnownPlace(host="192.0.2.1", port=1, fingerprint=link.fingerprint, name=name)
    )
    asked(running, view, HERE)
    table = replace(found_table(0), id=link.id, fingerprint=link.fingerprint, name="Mesa de Ana")
    see(running, DiscoveredTables((table,), None, True))


def of_a_name(running: Running, view: View) -> None:
    asked(running, view, LONG)


def typed(running: Running, view: View) -> None:
    running.app.join_controller.setProperty("text", PUBLIC)
    running.app.open("join")


SCENES: list[Scene] = [
    Scene("home-link", asked, often=False),
    Scene("home-link-known", of_a_known_host, often=False),
    Scene("home-link-name", of_a_name),
    Scene("join-where", typed, often=False),
]

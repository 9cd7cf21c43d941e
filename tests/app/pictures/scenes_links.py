"""Scenes of a link from outside and of a typed place, with what is known of the target."""

from __future__ import annotations

from msgspec.structs import replace

from lanuno.app.running import Running
from lanuno.client.find import DiscoveredTables
from lanuno.net.discovery.table_link import parse_link
from lanuno.store.known_people import KnownName, KnownPeople
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
    known = KnownPeople((KnownName(NAMES[5], link.fingerprint),))
    asked(running, view, HERE)
    table = replace(found_table(0), id=link.id, fingerprint=link.fingerprint, name="Mesa de Ana")
    see(running, DiscoveredTables((table,), None, True), known)


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

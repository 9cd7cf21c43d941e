"""A link from outside, and a place that was typed, with what is known of where they lead."""

from __future__ import annotations

from dataclasses import replace

from lanuno.app.running import Running
from lanuno.app.worker.discovery import Sightings
from lanuno.net.links import parse_link
from lanuno.store.remembered import KnownPlace
from tests.app.pictures.scene import Scene, View
from tests.app.pictures.scenes_doors import see, sighting
from tests.app.pictures.tables import NAMES

REST = ":47474/00112233445566778899aabbccddeeff#" + "a" * 32
PUBLIC = "lanuno://203.0.113.7" + REST
HERE = "lanuno://127.0.0.1" + REST
LONG = "lanuno://" + ".".join(("mesa-de-ana-y-begonia", "example") * 8) + REST


def asked(running: Running, view: View, link: str = PUBLIC) -> None:
    see(running, Sightings((), None, True))
    running.app.asked._withdraw()
    running.app.asked._reading.setInterval(0)
    running.app.asked.ask(link)


def of_a_known_host(running: Running, view: View) -> None:
    link = parse_link(HERE)
    name = NAMES[5]
    running.app.memory.met(
        KnownPlace(host="192.0.2.1", port=1, fingerprint=link.fingerprint, name=name)
    )
    asked(running, view, HERE)
    table = replace(sighting(0), id=link.id, fingerprint=link.fingerprint, name="Mesa de Ana")
    see(running, Sightings((table,), None, True))


def of_a_name(running: Running, view: View) -> None:
    asked(running, view, LONG)


def typed(running: Running, view: View) -> None:
    running.app.door.setProperty("text", PUBLIC)
    running.app.open("join")


SCENES: list[Scene] = [
    Scene("home-link", asked, often=False),
    Scene("home-link-known", of_a_known_host, often=False),
    Scene("home-link-name", of_a_name),
    Scene("join-where", typed, often=False),
]

"""A computer that finds a table and floods the network with false adverts to hide it."""

from __future__ import annotations

import asyncio
import secrets
import socket
import sys
from dataclasses import replace

from lanuno.net.discovery.advert import TableAdvert, encode_txt
from lanuno.net.discovery.beacon import BEACON_PORT, datagram
from lanuno.net.discovery.table_listener import listen_for_tables
from tests.harness.sockets import dns

KIND = (b"_lanuno", b"_tcp", b"local")


def false(real: TableAdvert) -> list[TableAdvert]:
    """Return false tables: five similar to the real one, and a hundred random ones."""
    like_it = [
        replace(real, port=1),
        replace(real, fp="z" * 32),
        replace(real, id=secrets.token_bytes(16)),
        replace(real, name="Join here"),
        replace(real, taken=real.seats),
    ]
    many = [replace(real, id=secrets.token_bytes(16), fp="z" * 32) for _ in range(100)]
    return [*like_it, *many]


async def main(here: str, broadcast: str, name: str) -> None:
    """`here` is this computer's address."""
    async with await listen_for_tables() as listener:
        while True:
            real = next((each for each in listener.tables.values() if each.name == name), None)
            if real is not None:
                break
            await asyncio.sleep(0.05)
    words = false(real)
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as beacon,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as multicast,
    ):
        beacon.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        multicast.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(here))
        multicast.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
        multicast.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        multicast.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        multicast.bind((here, dns.GROUP[1]))
        for turn in range(1_000_000):
            for number, each in enumerate(words):
                beacon.sendto(datagram(each), (broadcast, BEACON_PORT))
                text = encode_txt(replace(each, update=turn % 1000))
                instance = b"stranger-%d" % number
                multicast.sendto(dns.service(instance, KIND, text, each.port), dns.GROUP)
                await asyncio.sleep(0.002)
            if not turn:
                sys.stdout.write("shouting\n")
                sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))

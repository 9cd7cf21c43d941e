"""Where adverts may lead this computer, and how often. The rates are measured on connections."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import count

import pytest

from lanuno.net.discovery import probe_limits
from lanuno.net.discovery.advert import TableAdvert
from lanuno.net.discovery.dedupe import table_key
from lanuno.net.discovery.directory import TableDirectory
from lanuno.net.discovery.probe_limits import (
    ADDRESS_PROBES_PER_SECOND,
    PROBES_PER_SECOND,
    ProbeLimits,
)
from lanuno.net.discovery.prober import Prober, ProbeTarget
from lanuno.net.errors import NetFault
from lanuno.net.transport.adapters import Adapter, choose
from lanuno.net.transport.listener import bind
from tests.harness.sockets.false_adverts import REAL
from tests.harness.sockets.running import run, serving, until

LOOP = Adapter("lo", 1, ("127.0.0.1",), ("::1",), networks=("127.0.0.0/8", "::1/128"))
WIRE = Adapter(
    "enp3s0",
    2,
    ("192.168.1.5",),
    ("2001:db8::5", "fe80::5"),
    networks=("192.168.1.0/24", "2001:db8::/64", "fe80::/64"),
)
WIFI = Adapter("wlp2s0", 3, ("192.168.7.5",), ("fe80::6",), networks=("192.168.7.0/24",))
VPN = Adapter("tap0", 7, ("10.8.0.2",), (), networks=("10.8.0.0/24",))


@pytest.mark.parametrize(
    ("address", "adapter", "nearby"),
    [
        ("192.168.1.20", None, ("192.168.1.20",)),
        ("192.168.7.20", None, ("192.168.7.20",)),
        # Another program on this computer may host, too.
        ("192.168.1.5", None, ("192.168.1.5",)),
        ("::ffff:192.168.1.20", None, ("::ffff:192.168.1.20",)),
        ("2001:db8::20", None, ("2001:db8::20",)),
        ("fe80::20", None, ("fe80::20%2", "fe80::20%3")),
        ("fe80::20%3", None, ("fe80::20%3",)),
        ("fe80::20%7", None, ()),
        # A LAN that a VPN relays is a network of the VPN's adapter, if that is chosen.
        ("10.8.0.9", "tap0", ("10.8.0.9",)),
        ("10.8.0.9", None, ()),
        ("192.168.7.20", "enp3s0", ()),
        # Programs that trust this computer listen there.
        ("127.0.0.1", None, ()),
        ("::1", None, ()),
        ("127.0.0.9", "lo", ("127.0.0.9",)),
        ("0.0.0.0", None, ()),
        ("::", None, ()),
        ("192.168.1.255", None, ()),
        ("255.255.255.255", None, ()),
        ("224.0.0.251", None, ()),
        ("ff02::fb%2", None, ()),
        ("203.0.113.7", None, ()),
        ("::ffff:203.0.113.7", None, ()),
        ("192.168.2.20", None, ()),
        ("2606:4700::1111", None, ()),
        ("router.example", None, ()),
        ("192.168.1.20", "no-such", ()),
    ],
)
def test_only_the_networks_of_the_chosen_adapters_are_near(
    monkeypatch: pytest.MonkeyPatch, address: str, adapter: str | None, nearby: tuple[str, ...]
) -> None:
    everything = (LOOP, WIRE, WIFI, VPN)
    monkeypatch.setattr(probe_limits, "chosen", lambda wanted: choose(everything, wanted))

    async def main() -> None:
        limits = ProbeLimits(adapter)
        assert limits.nearby((address, address)) == nearby

    run(main())


@dataclass
class Victim:
    """A third computer, which counts connections and closes them."""

    ports: list[int] = field(default_factory=list)
    arrivals: list[float] = field(default_factory=list)


@asynccontextmanager
async def victim(addresses: Sequence[str], ports: int = 1) -> AsyncIterator[Victim]:
    """Listen at all of these addresses, at the same ports."""
    made = Victim()

    async def arrive(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        made.arrivals.append(asyncio.get_running_loop().time())
        writer.close()

    servers = []
    try:
        for _ in range(ports):
            sockets = [bind(addresses[:1], 0)[0]]
            port = sockets[0].getsockname()[1]
            sockets += [socket.create_server((each, port)) for each in addresses[1:]]
            servers += [await asyncio.start_server(arrive, sock=each) for each in sockets]
            made.ports.append(port)
        yield made
    finally:
        for server in servers:
            server.close()
            await server.wait_closed()


@pytest.mark.parametrize(
    ("number", "rate", "probes"),
    [(1, ADDRESS_PROBES_PER_SECOND, 5), (8, PROBES_PER_SECOND, 17)],
)
def test_adverts_aim_few_probes_at_a_third_computer(number: int, rate: float, probes: int) -> None:
    """They name two of its ports, and other addresses each time, so each probe is due at once."""
    addresses = tuple(f"127.0.7.{each}" for each in range(1, number + 1))

    async def main() -> None:
        async with victim(addresses, ports=2) as third:
            hosts = Prober(lambda _key, _there: None, ProbeLimits("127.0.0.1"))
            numbers = count(10)

            def probe() -> bool:
                for port in third.ports:
                    for key in range(16):
                        named = (*addresses, f"127.0.8.{next(numbers) % 250}")
                        hosts.probe(f"{port}-{key}", ProbeTarget(named[:number], port, REAL.fp))
                return len(third.arrivals) >= probes

            await until(probe)
            # A timer may be early by the resolution of the clock.
            took = third.arrivals[probes - 1] - third.arrivals[0]
            assert took > (probes - 1) / rate - 0.1
            await hosts.close()

    run(main())


def test_no_advert_leads_elsewhere_and_a_known_address_does() -> None:
    """A player who once typed an address has agreed to it."""

    async def main() -> None:
        async with serving() as (server, _):
            known = ProbeTarget(("127.0.0.1",), server.port, REAL.fp)
            hosts = Prober(lambda _key, _there: None, ProbeLimits("no-such"))
            hosts.probe("announced", known)
            await hosts.wait()
            assert hosts.answer("announced").fault is NetFault.ELSEWHERE
            await hosts.close()
            hosts = Prober(lambda _key, _there: None)
            await until(lambda: hosts.probe("known", known).reached)
            await hosts.close()

    run(main())


def test_adverts_of_a_hosts_own_address_delay_its_probe_but_do_not_prevent_it() -> None:
    """Each names another port. One that has failed is replaced by a new one immediately."""

    async def main() -> None:
        async with serving() as (server, _):
            real = replace(REAL, port=server.port)
            directory = TableDirectory(lambda _key, _there: None, ProbeLimits("127.0.0.1"))
            ports = iter(range(1, 400))
            false = [replace(real, port=next(ports)) for _ in range(6)]

            def reached() -> bool:
                adverts = {table_key(each): each for each in (*false, real)}
                entries = directory.update(adverts)
                for each in tuple(false):
                    if entries[table_key(each)].answer.settled:
                        false.remove(each)
                        false.insert(0, replace(real, port=next(ports)))
                return entries[table_key(real)].answer.reached

            await until(reached)
            assert next(ports) > 7, "some were probed first"
            await directory.close()

    run(main())


def test_a_table_leads_only_to_the_address_at_which_its_host_answered() -> None:
    """The other addresses of its advert may come from somebody else."""

    async def main() -> None:
        async with serving() as (server, _):
            real = replace(REAL, port=server.port, addresses=("127.0.0.66", "127.0.0.1", "::1"))
            key = table_key(real)
            directory = TableDirectory(lambda _key, _there: None, ProbeLimits("127.0.0.1"))

            def addresses(said: TableAdvert = real) -> tuple[str, ...]:
                return directory.update({key: said})[key].advert.addresses

            assert addresses() == real.addresses
            await until(lambda: addresses() == ("127.0.0.1",))
            await directory.close()

    run(main())

"""Matches between several computers during network failures.

Run as `python -m tests.lan.matches NAME`, inside `unshare`. The commands are started as people
start them, without network options. The assertions live here.
"""

from __future__ import annotations

import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from lanuno.log.format.transcript import read
from lanuno.log.replay.replay import Replay
from tests.harness.log_table.replaying import replayed
from tests.harness.processes.programs import GRACE, Program
from tests.lan.switch import Computers, Wiring, address_of, computers, ip, on

THREE: Final = ("Ana", "Beto", "Carla")
AWAY: Final = 1.5
"""Seconds of a host without a cable. After 4 s the other nodes would look for another host."""

FOUR: Final = (*THREE, "Dora")
ONE_ROUND: Final = ("--rounds", "1", "--set", "target=9999")
UNKNOWN: Final = "incoming_unknown"


def told(what: str, since: float) -> None:
    """Print how long something took, for people who run this by hand."""
    sys.stdout.write(f"  {what}: {time.monotonic() - since:.1f} s\n")


def seated(
    here: Computers, *more: str, names: tuple[str, ...] = THREE, by_link: str = ""
) -> dict[str, Program]:
    """Let the first computer open a table and the others find it, and wait for the first cards.

    `by_link` is the one player who is given the link.
    """
    host = here.opens(names[0], *ONE_ROUND, *more, seats=len(names))
    host.heard("is open on port")
    link = (host.heard("lanuno://").split()[-1],) if by_link else ()
    players = {names[0]: host}
    players |= {
        name: here.sits_down(name, *(link if name == by_link else ())) for name in names[1:]
    }
    for each in players.values():
        each.heard(" plays ")
    return players


def forget(players: dict[str, Program]) -> None:
    """Ignore everything that the programs have printed so far."""
    for each in players.values():
        each.forget()


def all_ends_well(here: Computers, players: dict[str, Program]) -> None:
    """Check that the match ends without a dropped player or a void round, and with one log."""
    for each in players.values():
        each.end(0)
    replay = one_log(here, players)
    assert not any(each.void for each in replay.summaries)
    assert not replay.absence.dropped


def one_log(here: Computers, names: Iterable[str]) -> Replay:
    """Check that these computers hold the same log, byte for byte and verified; return it."""
    for report in here.verify(*names):
        assert (report["verdict"], report["blame"]) == ("verified", []), report
    logs = [here.transcript(name).read_bytes() for name in names]
    assert all(log == logs[0] for log in logs)
    log = read(logs[0])
    return replayed(log.genesis, log.entries)


def cables_are_pulled_and_put_back(folder: Path) -> None:
    """The host's cable is out for less time than an election takes; then a player's cable."""
    wiring = Wiring(*THREE)
    with computers(folder, wiring) as here:
        players = seated(here)
        since = time.monotonic()
        ip("Ana", "link", "set", "eth0", "down")
        forget(players)
        # Within this time no program notices the silence, so there is no output to wait for.
        time.sleep(AWAY)
        ip("Ana", "link", "set", "eth0", "up")
        for each in players.values():
            each.heard(" plays ")
        told("cards are played again", since)
        since = time.monotonic()
        wiring.pull("Carla")
        players["Ana"].heard("waiting for Carla")
        told("noticed", since)
        since = time.monotonic()
        wiring.put_back("Carla")
        players["Ana"].heard("Carla is back")
        told("back", since)
        all_ends_well(here, players)


def addresses_change(folder: Path) -> None:
    """The address of a player changes first, then that of the host."""
    wiring = Wiring(*THREE, ipv6=False)
    with computers(folder, wiring) as here:
        players = seated(here)
        since = time.monotonic()
        wiring.give("Beto", 12)
        # Either side may notice first. If it is Beto, Ana never misses him.
        players["Beto"].heard("in contact with the host")
        told("the player is back", since)
        players["Beto"].heard(" plays ")
        since = time.monotonic()
        wiring.give("Ana", 11)
        forget(players)
        for name in THREE[1:]:
            players[name].heard(" plays ")
        told("the others have found the host", since)
        all_ends_well(here, players)


def the_hosts_link_is_cut_for_good(folder: Path) -> None:
    """Another host takes over, with the scores and hands. The old one stops, and reports it.

    Everything runs over IPv6 link-local addresses, whose scope differs on every computer.
    """
    wiring = Wiring(*FOUR, ipv4=False)
    with computers(folder, wiring) as here:
        players = seated(here, *GRACE, names=FOUR, by_link="Dora")
        since = time.monotonic()
        wiring.pull("Ana")
        forget(players)
        old = players.pop("Ana")
        for each in players.values():
            each.heard(" is the host now")
        told("a new host", since)
        for each in players.values():
            each.heard(" plays ")
        told("cards are played again", since)
        old.heard("the table has stopped")
        for each in players.values():
            each.end(0)
        told("the match is over", since)
        old.process.kill()
        old.end(-signal.SIGKILL)
        replay = one_log(here, players)
        assert {term.host == 0 for term in replay.terms[1:]} == {False}
        assert set(replay.absence.dropped) == {0}
        assert not any(each.void for each in replay.summaries)
        (report,) = here.verify("Ana")
        assert (report["verdict"], report["blame"]) == ("incomplete", []), report


def without_multicast(folder: Path) -> None:
    """A beacon, a link, or a remembered address of a host: each alone is enough."""
    wiring = Wiring(*FOUR, ipv6=False)
    wiring.keep_multicast_back()
    with computers(folder, wiring) as here:
        host = here.opens("Ana", *ONE_ROUND, seats=4)
        link = host.heard("lanuno://").split()[-1]
        for name in ("Carla", "Dora"):
            wiring.firewall(name, "udp dport { 5353, 47474 }")
        beacon, nothing = here.finds("Beto"), here.finds("Carla", "1")
        known = here.module("Dora", "tests.lan.known_host", address_of(1), link.split("#")[1])
        (found,) = beacon.end(0).json["tables"]
        assert (found["name"], found["confirmed"]) == (here.table, True)
        assert nothing.end(0).json["tables"] == []
        known.heard("still there")
        known.end(0)
        players = {"Ana": host, "Beto": here.sits_down("Beto")}
        players |= {name: here.sits_down(name, link) for name in ("Carla", "Dora")}
        all_ends_well(here, players)


def two_networks(folder: Path) -> None:
    """A computer in both networks sees the tables of both, and a table in both only once."""
    wiring = Wiring("Ana", "Beto", "Carla", "Dora")
    with computers(folder, wiring) as here:
        # Ana is in the first network, Carla in the second, Beto and Dora are in both.
        ip("Carla", "link", "set", "eth0", "down")
        for name in ("Beto", "Carla", "Dora"):
            wiring.plug(name, 1)
        tables = {name: f"{here.table[:20]} {name}" for name in ("Ana", "Beto", "Carla")}
        for name, table in tables.items():
            own = ("--table", table, "--name", name, "--seats", "2", *ONE_ROUND)
            here.on(name, "host", *own).heard("is open on port")
            if name == "Ana":
                # She gets a second cable while her table is open; it is soon announced there too.
                wiring.plug(name, 1)
        views = {name: here.finds(name) for name in ("Dora", "Ana", "Carla")}
        seen = {name: view.end(0).json["tables"] for name, view in views.items()}
        names = {name: [each["name"] for each in found] for name, found in seen.items()}
        assert all(each["confirmed"] for found in seen.values() for each in found), seen
        assert names["Dora"] == sorted(tables.values())
        assert names["Ana"] == sorted(tables.values())
        assert names["Carla"] == sorted(tables.values())
        # A match is played over the second network.
        guest = here.on("Dora", "bot", "--table", tables["Carla"], "--name", "Dora")
        guest.end(0)


def what_the_doctor_says(folder: Path) -> None:
    """The doctor reports every problem, and nothing else."""
    names = ("Well", "Pulled", "Off", "Six", "Deaf", "Walled", "Bare", "Virtual")
    wiring = Wiring(*names)
    wiring.pull("Pulled")
    ip("Off", "link", "set", "eth0", "down")
    ip("Six", "-4", "address", "flush", "dev", "eth0")
    wiring.firewall("Deaf", "udp dport 5353")
    wiring.firewall("Walled", "ct state new iifname != lo")
    ip("Bare", "link", "delete", "eth0")
    ip("Virtual", "link", "add", "docker0", "type", "veth", "peer", "name", "enp9s0")
    ip("Virtual", "address", "add", "172.17.0.1/16", "dev", "docker0")
    ip("Virtual", "link", "set", "docker0", "up")
    wanted = {
        "Well": (0, [UNKNOWN]),
        "Pulled": (5, ["disconnected", "alone"]),
        "Off": (5, ["disconnected", "alone"]),
        "Six": (0, ["no_ipv4", UNKNOWN]),
        "Deaf": (5, ["no_multicast", UNKNOWN]),
        "Walled": (5, ["no_multicast", "no_broadcast", UNKNOWN]),
        "Bare": (5, ["alone"]),
        "Virtual": (0, ["skipped_virtual", UNKNOWN]),
    }
    with computers(folder, wiring) as here:
        asked = {name: here.on(name, "doctor", "--json") for name in names}
        for name, (code, whats) in wanted.items():
            told = asked[name].end().json
            found = [each for each in told["findings"] if each["health"] != "good"]
            assert (told["exit"], [each["what"] for each in found]) == (code, whats), (name, told)
            assert told["healthy"] == (code == 0)
            assert all(each["advice"] for each in found)
            unused = [each["name"] for each in told["findings"] if each["what"] == "no_address"]
            assert unused == (["enp9s0"] if name == "Virtual" else []), told


def a_refused_port_is_not_called_taken(folder: Path) -> None:
    """The host has no right to listen on port 80."""
    unprivileged = ("setpriv", "--bounding-set=-net_bind_service", "--inh-caps=-net_bind_service")
    with computers(folder, Wiring("Ana")):
        within = (*on("Ana"), *unprivileged)
        with Program("host", "--port", "80", "--json", home=folder / "Ana", within=within) as host:
            error = host.end(5).json["error"]
        assert error["id"] == "net.port_refused", error
        assert "Permission denied" in error["text"]


def another_program_has_the_multicast_port(folder: Path) -> None:
    """Everything names the taken port instead of a firewall, and the beacon still works."""
    wiring = Wiring("Ana", "Beto", ipv6=False)
    with computers(folder, wiring) as here:
        taker = here.module("Beto", "tests.lan.port_taker", "5353")
        taker.heard("taken")
        doctor = here.on("Beto", "doctor", "--json")
        told = doctor.end(5).json
        (bad,) = (each for each in told["findings"] if each["health"] == "bad")
        assert (bad["what"], bad["port"]) == ("multicast_taken", "5353")
        # The process that `ip netns exec` became.
        assert bad["pid"] == str(taker.process.pid)
        assert f"{bad['program']} (process {bad['pid']}" in bad["text"]
        nothing = here.finds("Beto", "1").end(0).json
        assert (nothing["tables"], nothing["multicast_fault"]) == ([], "multicast-port")
        lost = here.on("Beto", "bot", "--table", "Nowhere", "--seconds", "1", "--json").end(5)
        assert lost.json["error"]["id"] == "bot.not_found_port"
        # Neither multicast nor a beacon: links and codes are left.
        alone = here.on("Beto", "host", "--adapter", "lo", "--table", "Alone", home="alone")
        alone.heard("lanuno://")
        alone.heard("UDP port 5353")
        host = here.opens("Beto", *ONE_ROUND, seats=2)
        host.heard("lanuno://")
        host.heard("UDP port 5353")
        (found,) = here.finds("Ana", "3").end(0).json["tables"]
        assert (found["name"], found["confirmed"]) == (here.table, True)
        all_ends_well(here, {"Beto": host, "Ana": here.sits_down("Ana")})


def the_way_to_a_host_is_tested(folder: Path) -> None:
    """From another computer, a silent firewall differs from a closed port and a missing computer.

    The host's own doctor cannot see its firewall, and says how to test it.
    """
    wiring = Wiring("Ana", "Beto", ipv6=False)
    with computers(folder, wiring) as here:

        def asked(place: str, code: int) -> str:
            (finding,) = here.on("Beto", "doctor", place, "--json").end(code).json["findings"]
            assert bool(finding["advice"]) == bool(code)
            return str(finding["what"])

        place = f"{address_of(1)}:47474"
        assert asked(place, 5) == "place_refused"
        host = here.opens("Ana", seats=2)
        link = host.heard("lanuno://").split()[-1]
        assert asked(place, 0) == "place_reached"
        wiring.firewall("Ana", "tcp dport 47474 iifname != lo")
        own = here.on("Ana", "doctor", "--json", home="doctor").end(0).json["findings"]
        (unknown,) = (each for each in own if each["what"] == UNKNOWN)
        assert unknown["advice"].endswith(f"lanuno doctor {place}")
        assert asked(place, 5) == "place_silent"
        assert asked(link, 5) == "place_silent"
        assert asked(f"{address_of(9)}:47474", 5) == "place_unreachable"
        assert asked("192.0.2.1:47474", 5) == "place_unreachable"


def a_stranger_shouts(folder: Path) -> None:
    """A stranger announces 100 false tables, and five that differ from the real one in one way."""
    wiring = Wiring("Ana", "Beto", "Eva", ipv6=False)
    with computers(folder, wiring) as here:
        players = {"Ana": here.opens("Ana", *ONE_ROUND, seats=2)}
        players["Ana"].heard("is open on port")
        eva = (address_of(3), "10.77.0.255", here.table)
        with here.module("Eva", "tests.lan.stranger", *eva) as stranger:
            stranger.heard("shouting")
            since = time.monotonic()
            tables = here.finds("Beto").end(0).json["tables"]
            told(f"{len(tables)} tables are listed", since)
            real = next(each for each in tables if each["confirmed"])
            assert (real["name"], real["address"]) == (here.table, address_of(1))
            # Every other confirmed table must be the real one under another name.
            others = [each["fingerprint"] for each in tables if each["confirmed"]]
            assert set(others) == {real["fingerprint"]}
            since = time.monotonic()
            players["Beto"] = here.sits_down("Beto")
            players["Beto"].heard(" plays ")
            told("found, seated and dealt", since)
        all_ends_well(here, players)


MATCHES: dict[str, Callable[[Path], None]] = {
    each.__name__: each
    for each in (
        cables_are_pulled_and_put_back,
        addresses_change,
        the_hosts_link_is_cut_for_good,
        without_multicast,
        two_networks,
        what_the_doctor_says,
        a_refused_port_is_not_called_taken,
        another_program_has_the_multicast_port,
        the_way_to_a_host_is_tested,
        a_stranger_shouts,
    )
}


def main(name: str) -> None:
    """Run one match."""
    with tempfile.TemporaryDirectory() as folder:
        homes = Path(folder, "homes")
        homes.mkdir()
        MATCHES[name](homes)


if __name__ == "__main__":
    main(sys.argv[1])

"""Tables open, are found, fill and play, between programs over TLS and mDNS on loopback."""

from __future__ import annotations

import json
import socket
from pathlib import Path

from lanuno.dealing.identity import Identity, fingerprint
from lanuno.log.format.genesis import VERSION
from lanuno.store.sidecar import Sidecar
from tests.cli.matches import all_go, link_of, turned_away
from tests.harness.processes.programs import WorkingFolder, secrets_of

ROUND = ("--rounds", "1")
FOUND = [
    *(
        "address",
        "changed_count",
        "confirmed",
        "fault",
        "fingerprint",
        "host",
        "house_rules",
        "id",
        "name",
        "other_key_than",
    ),
    *("pin", "port", "preset", "seats", "state", "taken", "unknown_house_rules", "version"),
]


def test_a_table_is_found_fills_plays_and_vanishes(table: WorkingFolder, tmp_path: Path) -> None:
    saved = tmp_path / "saved.lanuno"
    rules = ("--set", "jump_in=on", "--set", "target=300")
    host = table.host("--seats", "3", "--bots", "0", *ROUND, *rules, "--save", str(saved), "--json")
    host.heard("is open on port")
    (found,) = table.find()
    assert sorted(found) == FOUND
    assert found["house_rules"] == ["jump_in"]
    # The target for two players follows the target for more players.
    assert (found["unknown_house_rules"], found["changed_count"]) == (0, 2)
    assert (found["host"], found["preset"], found["seats"]) == ("Ana", "classic", 3)
    assert (found["taken"], found["state"], found["pin"]) == (1, "open", False)
    assert (found["address"], found["confirmed"], found["version"]) == ("127.0.0.1", True, VERSION)
    (key,) = secrets_of(table.folder / "Ana")
    assert found["fingerprint"] == fingerprint(Identity.from_seed(key).public)
    assert len(bytes.fromhex(found["id"])) == 16
    first = table.bot("--json", name="Beto")
    host.heard("seats 2/3", "Ana, Beto")
    (changed,) = table.find()
    assert {**changed, "taken": 1} == found
    second = table.bot("--json", name="Carla")
    told = [each.end(0).json for each in (host, first, second)]
    assert table.find() == []
    for said in told:
        assert said["verdict"] == "verified"
        assert said["players"] == ["Ana", "Beto", "Carla"]
        assert (said["rounds"], said["blame"]) == (1, [])
        best = max(said["scores"], key=said["scores"].get)
        assert said["winner"] == best, "the player who is ahead after the agreed round"
        assert said["attestations"] == 6
    assert len({json.dumps(said["scores"]) for said in told}) == 1
    assert told[0]["transcript"] == str(saved)
    assert saved.read_bytes() == table.transcript("Ana").read_bytes()
    assert [each["verdict"] for each in table.verify("Ana", "Beto", "Carla")] == ["verified"] * 3


def test_a_host_with_bots_of_its_own(table: WorkingFolder) -> None:
    host = table.run(
        *(
            "host",
            "--table",
            table.table,
            "--adapter",
            "127.0.0.1",
            "--name",
            "bot 1",
            "--bots",
            "2",
        ),
        *("--seats", "3", *ROUND, "--json"),
        name="Ana",
    )
    said = host.end(0).json
    assert said["players"] == ["bot 1", "Bot 2", "Bot 3"]
    assert said["verdict"] == "verified"
    (report,) = table.verify("Ana")
    assert report["verdict"] == "verified"
    (kept,) = (table.folder / "Ana" / "private").glob("*.sidecar")
    with Sidecar(kept) as sidecar:
        assert len(sidecar.bots()) == 2
        assert sorted(sidecar.seeds()) == [0, 1, 2]


def test_a_port_that_is_taken(table: WorkingFolder) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        host = table.host("--json", "--port", str(server.getsockname()[1]))
        turned_away(host, "net.port")
    assert not list((table.folder / "Ana" / "games").iterdir())


def test_one_home_is_used_by_one_program(table: WorkingFolder) -> None:
    host = table.host("--seats", "2")
    link = link_of(host.heard("link: "))
    for arguments in (["bot", link], ["host", "--table", "Other"]):
        second = table.run(*arguments, "--adapter", "127.0.0.1", "--json", name="Ana")
        said = second.end(6).json
        assert said["error"]["id"] == "store.in_use"
    host.interrupt()
    host.end(130)


def test_ten_come_at_once(table: WorkingFolder) -> None:
    host = table.host("--seats", "10")
    host.heard("is open on port")
    bots = [table.bot("--json", name=f"Guest {number}") for number in range(9)]
    host.heard("seats 10/10")
    host.heard("safety hand")
    for ended in all_go(*bots, host):
        assert "error" not in ended.out


def test_programs_play_at_a_speed_that_people_can_follow(table: WorkingFolder) -> None:
    """Checks the outcome only; `tests.net.runtime.test_bot_runner` measures the speed."""
    rules = ("--set", "hand_size=2", *ROUND)
    host = table.host("--seats", "3", "--bots", "1", "--bot-speed", "fast", *rules, "--json")
    host.heard("is open on port")
    guest = table.bot("--bot-speed", "fast", "--json", name="Beto")
    told = [each.end(0).json for each in (host, guest)]
    assert [each["rounds"] for each in told] == [1, 1]
    wrong = table.bot("--bot-speed", "soon", "--json", name="Carla")
    assert wrong.end(2).json["error"]["id"]


def test_a_host_of_a_tournament_has_neither_bots_nor_rounds(table: WorkingFolder) -> None:
    ended = table.host("--preset", "tournament", "--bots", "2").end(2)
    assert "eight players" in ended.err
    ended = table.host("--preset", "tournament", "--rounds", "2").end(2)
    assert "a tournament has 7 rotations" in ended.err

"""Tables open, are found, fill and play, between programs over TLS and mDNS on loopback."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from contextlib import suppress
from pathlib import Path

from lanuno.dealing.identity import Identity, fingerprint
from lanuno.log.format.genesis import VERSION, nonce_commitment
from lanuno.store.sidecar import Sidecar
from lanuno.table.messages import Join, LobbyState
from tests.cli.matches import link_of, run
from tests.harness.processes.programs import Ended, Program, WorkingFolder, secrets_of
from tests.harness.sockets import tables

ROUND = ("--rounds", "1")
FOUND = [
    *("address", "changed_count", "confirmed", "fingerprint", "host", "house_rules", "id", "name"),
    *("pin", "port", "preset", "seats", "state", "taken", "unknown_house_rules", "version"),
]


def turned_away(program: Program, why: str) -> None:
    """Assert that the program was refused for this reason, by the host or on its own computer."""
    said = program.end(5).json
    assert said["error"]["id"] == why
    assert sorted(said) == ["command", "error", "exit"]


def all_go(*programs: Program) -> list[Ended]:
    """Let all programs leave simultaneously. The last one may win the match by that."""
    for each in programs:
        each.interrupt()
    ended = [each.end() for each in programs]
    assert {each.code for each in ended} <= {0, 130}
    return ended


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
        assert (said["rounds"], said["blame"], said["winner"]) == (1, [], None)
        assert said["attestations"] == 6
    assert len({json.dumps(said["scores"]) for said in told}) == 1
    assert told[0]["transcript"] == str(saved)
    assert saved.read_bytes() == table.transcript("Ana").read_bytes()
    assert [each["verdict"] for each in table.verify("Ana", "Beto", "Carla")] == ["verified"] * 3


def test_by_link_and_by_address_with_a_pin(table: WorkingFolder) -> None:
    host = table.host("--seats", "3", "--pin", "q7X", "--json")
    link = link_of(host.heard("link: "))
    address = link.removeprefix("lanuno://").partition("/")[0]
    six = link_of(host.heard("link: lanuno://[::1]").replace("[::1]", "127.0.0.1"))
    assert six == link
    assert "q7X" not in link
    wrong = [
        table.bot("--json", address, name="Nobody"),
        table.bot("--json", link, "--pin", "q7x", name="Somebody"),
        table.bot("--json", "--pin", "q7X", link.replace("#", "#aaaa")[: len(link)], name="Misled"),
    ]
    turned_away(wrong[0], "lobby.wrong_pin")
    turned_away(wrong[1], "lobby.wrong_pin")
    turned_away(wrong[2], "net.identity")
    (found,) = table.find()
    assert (found["pin"], found["taken"]) == (True, 1)
    first = table.bot("--json", link, "--pin", "q7X", name="Beto")
    host.heard("seats 2/3")
    taken = table.run(
        *("bot", address, "--pin", "q7X", "--name", "bETO", "--json", "--adapter", "lo"),
        name="Double",
    )
    turned_away(taken, "lobby.name_taken")
    last = table.bot("--json", address.replace("127.0.0.1", "[::1]"), "--pin", "q7X", name="Carla")
    host.heard("seats 3/3")
    # Until it begins, the table is full, but a seat may still become free.
    table.begun("Ana", "Beto", "Carla")
    late = [
        table.bot("--json", address, "--pin", "q7X", name="Late"),
        table.bot("--json", "--pin", "q7X", "--seconds", "5", name="Later"),
    ]
    for each in late:
        turned_away(each, "lobby.started")
    told = [each.json for each in all_go(host, first, last)]
    assert {tuple(each["players"]) for each in told} == {("Ana", "Beto", "Carla")}


def test_a_host_with_bots_of_its_own(table: WorkingFolder) -> None:
    host = table.run(
        *("host", "--table", table.table, "--adapter", "lo", "--name", "bot 1", "--bots", "2"),
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


def test_a_table_that_is_not_there(table: WorkingFolder) -> None:
    bot = table.bot("--json", "--seconds", "0.3", name="Beto")
    turned_away(bot, "bot.not_found")


def test_a_table_that_is_full(table: WorkingFolder) -> None:
    """The table has not begun, because the player in the last seat is not ready."""

    async def story() -> None:
        async with tables.table(2) as full, await full.channel(1) as guest:
            key = tables.identity(1).public
            nonce = nonce_commitment(key, bytes(32))
            await tables.say(guest, Join(VERSION, "guest", nonce, key, False, False))
            await tables.hear(guest, LobbyState)
            bot = table.bot("--json", f"127.0.0.1:{full.port}", name="Beto")
            await asyncio.to_thread(turned_away, bot, "lobby.full")

    run(story())


def test_nobody_is_at_an_address(table: WorkingFolder) -> None:
    # The port is bound, so that no other program can use it, but nothing listens on it.
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        where = f"127.0.0.1:{nobody.getsockname()[1]}"
        turned_away(table.bot("--json", where, name="Beto"), "net.unreachable")


def test_a_port_that_is_taken(table: WorkingFolder) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        host = table.host("--json", "--port", str(server.getsockname()[1]))
        turned_away(host, "net.port")
    assert not list((table.folder / "Ana" / "games").iterdir())


def test_by_code(table: WorkingFolder) -> None:
    host = table.host("--seats", "2")
    code = host.heard("code").split()[-1]
    bot = table.run("bot", code, "--name", "Beto", "--adapter", "lo", name="Beto")
    bot.heard("safety hand")
    all_go(host, bot)


def test_something_else_is_at_an_address(table: WorkingFolder) -> None:
    def answer() -> None:
        with suppress(OSError):
            while True:
                client, _ = server.accept()
                with client:
                    client.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=answer)
        thread.start()
        port = server.getsockname()[1]
        bot = table.bot("--json", "--seconds", "1", f"127.0.0.1:{port}", name="Beto")
        turned_away(bot, "net.tls")
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


def test_one_home_is_used_by_one_program(table: WorkingFolder) -> None:
    host = table.host("--seats", "2")
    link = link_of(host.heard("link: "))
    for arguments in (["bot", link], ["host", "--table", "Other"]):
        second = table.run(*arguments, "--adapter", "lo", "--json", name="Ana")
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

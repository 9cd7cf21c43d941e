"""Bots join by link, address, code and name, or are told why they cannot. Over TLS and mDNS."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from contextlib import suppress

import pytest

from lanuno.cli.exits import ExitCode
from lanuno.cli.main import main
from lanuno.client import find
from lanuno.log.format.genesis import VERSION, nonce_commitment
from lanuno.table.messages import Join, LobbyState
from tests.cli.matches import all_go, link_of, run, turned_away
from tests.harness.processes.programs import WorkingFolder
from tests.harness.sockets import tables


def test_bots_join_by_link_and_by_address_with_a_pin(table: WorkingFolder) -> None:
    host = table.host("--seats", "3", "--pin", "q7X", "--json")
    link = link_of(host.heard("link: "))
    address = link.removeprefix("lanuno://").partition("/")[0]
    six = link_of(host.heard("link: lanuno://[::1]").replace("[::1]", "127.0.0.1"))
    assert six == link
    assert "q7X" not in link
    wrong = [
        table.bot("--json", address, name="Nobody"),
        table.bot("--json", link, "--pin", "q8x", name="Somebody"),
        table.bot("--json", "--pin", "q7X", link.replace("#", "#aaaa")[: len(link)], name="Misled"),
    ]
    turned_away(wrong[0], "lobby.wrong_pin")
    turned_away(wrong[1], "lobby.wrong_pin")
    turned_away(wrong[2], "net.identity")
    (found,) = table.find()
    assert (found["pin"], found["taken"]) == (True, 1)
    first = table.bot("--json", link, "--pin", "Q7x", name="Beto")
    host.heard("seats 2/3")
    taken = table.run(
        *("bot", address, "--pin", "q7X", "--name", "bETO", "--json", "--adapter", "127.0.0.1"),
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


def test_names_have_joiners_and_pictographs_younger_than_python(table: WorkingFolder) -> None:
    """The name of the table is typed decomposed and with a variation selector, as keyboards do."""
    table.table = f"{table.table} \u00f3\u2764\U0001fae8"
    names = ("Ana \U0001fae8", "علی\u200cرضا", "\U0001f468\u200d\U0001f4bb")
    host = table.host("--seats", "3", "--rounds", "1", "--json", "--name", names[0])
    host.heard("link: ")
    (found,) = table.find()
    assert (found["host"], found["confirmed"]) == (names[0], True)
    typed = table.table.replace("\u00f3\u2764", "o\u0301\u2764\ufe0f")
    bots = [
        table.bot("--table", typed, "--json", "--name", names[1], name="Ali"),
        table.bot("--table", typed, "--json", "--name", names[2], name="Dev"),
    ]
    ended = [each.end(0).json for each in (host, *bots)]
    assert {tuple(sorted(each["players"])) for each in ended} == {tuple(sorted(names))}
    assert {each["verdict"] for each in table.verify("Ana", "Ali", "Dev")} == {"verified"}


def test_a_bot_does_not_find_a_missing_table(table: WorkingFolder) -> None:
    bot = table.bot("--json", "--seconds", "0.3", name="Beto")
    turned_away(bot, "bot.not_found")


def test_a_bot_does_not_choose_between_tables_of_one_name(
    table: WorkingFolder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The user does, by one of the links."""
    # However long the second table takes to be found on a busy machine.
    monkeypatch.setattr(find, "GATHER_SECONDS", 60.0)
    host = table.host("--seats", "2")
    link = link_of(host.heard("link: "))
    names = ("--table", table.table, "--name", "Eva")
    other = table.run("host", *names, "--seats", "2", "--adapter", "127.0.0.1", name="Eva")
    other_link = link_of(other.heard("link: "))
    where = ("--table", table.table, "--adapter", "127.0.0.1", "--home", str(table.folder / "Beto"))
    assert main(["bot", *where, "--name", "Beto", "--json"]) == ExitCode.NETWORK
    out, err = capsys.readouterr()
    said = json.loads(out)
    assert said["error"]["id"] == "error.several_tables"
    assert {each["host"] for each in said["tables"]} == {"Ana", "Eva"}
    for each in (link, other_link):
        assert f"\n{each}  host: " in err
    guest = table.bot(other_link, name="Carla")
    other.heard("seats 2/2")
    all_go(other, guest)
    all_go(host)


def test_a_bot_is_refused_at_a_full_table(table: WorkingFolder) -> None:
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


def test_a_bot_cannot_reach_an_address_without_a_host(table: WorkingFolder) -> None:
    # The port is bound, so that no other program can use it, but nothing listens on it.
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        where = f"127.0.0.1:{nobody.getsockname()[1]}"
        turned_away(table.bot("--json", where, name="Beto"), "net.unreachable")


def test_a_bot_joins_by_code(table: WorkingFolder) -> None:
    host = table.host("--seats", "2")
    code = host.heard("code").split()[-1]
    bot = table.run("bot", code, "--name", "Beto", "--adapter", "127.0.0.1", name="Beto")
    bot.heard("safety hand")
    all_go(host, bot)


def test_a_bot_does_not_join_another_program(table: WorkingFolder) -> None:
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
        with suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)  # on Linux, closing would not wake the thread
        server.close()
        thread.join()

"""`lanuno find`: how the tables on the network are listed. Real tables are found in `test_host`."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import queue
import threading
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from lanuno.cli import find
from lanuno.cli.exits import ExitCode
from lanuno.cli.main import main
from lanuno.client.find import DiscoveredTable, DiscoveredTables
from lanuno.dealing.hashing import H, u32
from lanuno.dealing.identity import fingerprint
from lanuno.net.discovery.advert import TableState
from lanuno.net.errors import NetFault
from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.house_bits import house_bits
from lanuno.store.profile import load_profile
from lanuno.store.table_metadata import save_metadata
from lanuno.table.metadata import TableMetadata
from tests.harness.homes.played_games import keep, new_home
from tests.harness.log_table.log_table import new_table
from tests.harness.sockets.false_adverts import REAL, fakes, replace_listeners
from tests.harness.sockets.running import run, serving

pytestmark = pytest.mark.usefixtures("own_home")

TABLE = DiscoveredTable(
    key="k",
    id=bytes(16),
    fingerprint="AAAA-BBBB",
    addresses=("10.0.0.7", "10.0.0.8"),
    port=47474,
    name="Kitchen",
    host="Ana",
    preset="classic",
    seats=4,
    taken=2,
    state=TableState.OPEN,
    answered=True,
)


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[DiscoveredTable]:
    """The tables that the network has, in place of those around this computer."""
    tables: list[DiscoveredTable] = []

    async def find_tables(*_: object) -> DiscoveredTables:
        return DiscoveredTables(tuple(tables), None, True)

    monkeypatch.setattr(find, "find_tables", find_tables)
    return tables


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    assert main(["find", "--lang", "en"]) == ExitCode.OK
    return capsys.readouterr().out.splitlines()


def fields(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    assert main(["find", "--json"]) == ExitCode.OK
    tables = json.loads(capsys.readouterr().out)["tables"]
    assert isinstance(tables, list)
    return tables


def test_without_tables_it_says_what_to_do(
    found: list[DiscoveredTable], capsys: pytest.CaptureFixture[str]
) -> None:
    (line,) = lines(capsys)
    assert line.startswith("no tables found")
    assert "lanuno host" in line
    assert fields(capsys) == []


def test_a_table_is_one_line(
    found: list[DiscoveredTable], capsys: pytest.CaptureFixture[str]
) -> None:
    found.append(TABLE)
    (line,) = lines(capsys)
    assert line.startswith("Kitchen (classic), host Ana, 2/4 seats, ")
    assert line.endswith(": 10.0.0.7:47474")


def test_an_ipv6_address_is_in_brackets(
    found: list[DiscoveredTable], capsys: pytest.CaptureFixture[str]
) -> None:
    found.append(replace(TABLE, addresses=("fe80::1%eth0",)))
    (line,) = lines(capsys)
    assert line.endswith("[fe80::1%eth0]:47474")
    assert fields(capsys)[0]["address"] == "fe80::1%eth0"


def test_house_rules_are_named_and_unknown_ones_counted(
    found: list[DiscoveredTable], capsys: pytest.CaptureFixture[str]
) -> None:
    unknown = 1 << len(HOUSE_RULES)
    found += [
        replace(TABLE, house=house_bits(["jump_in"]) | unknown, changed=2),
        replace(TABLE, name="Cellar", house=unknown),
    ]
    said = lines(capsys)
    assert "classic + 2 house rules, 2 changed settings" in said[0]
    assert said[1] == "  house rules: jump_in"
    assert said[3] == "  house rules: ?"
    named, other = fields(capsys)
    assert (named["house_rules"], named["unknown_house_rules"]) == (["jump_in"], 1)
    assert (other["house_rules"], other["unknown_house_rules"]) == ([], 1)
    assert named["changed_count"] == 2


def test_tables_of_one_name_are_told_apart_by_their_keys(
    found: list[DiscoveredTable], capsys: pytest.CaptureFixture[str]
) -> None:
    found += [
        TABLE,
        replace(TABLE, key="l", fingerprint="CCCC-DDDD"),
        replace(TABLE, key="m", name="Cellar"),
    ]
    said = lines(capsys)
    assert len(said) == 5
    assert "AAAA-BBBB" in said[1]
    assert "CCCC-DDDD" in said[3]
    assert not any("key" in line for line in (said[0], said[2], said[4]))


def test_tables_that_look_alike_are_told_apart_by_their_keys(
    found: list[DiscoveredTable], capsys: pytest.CaptureFixture[str]
) -> None:
    found += [TABLE, replace(TABLE, key="f", name="K\u0456tchen", fingerprint="CCCC-DDDD")]
    said = lines(capsys)
    assert "AAAA-BBBB" in said[1]
    assert "CCCC-DDDD" in said[3]


def test_a_table_that_only_looks_like_a_known_one_says_so(
    found: list[DiscoveredTable], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, table = new_home(tmp_path / "known"), new_table(2, host=1)
    load_profile(home, lambda _: H("test-player", u32(0)))
    keep(home, table)
    save_metadata(home, table.genesis.table_id, TableMetadata(name="Kitchen"))
    key = fingerprint(table.genesis.read().seats[1].identity)
    found += [
        replace(TABLE, key="real", fingerprint=key, host="p1"),
        replace(TABLE, key="false", name="K\u0456tchen", fingerprint="CCCC-DDDD", host="Bea"),
        replace(TABLE, key="host", name="Cellar", fingerprint="CCCC-DDDD", host="\u0440l"),
        replace(TABLE, key="other", name="Garden", fingerprint="CCCC-DDDD", host="Bea"),
    ]
    options = ["find", "--lang", "en", "--home", str(tmp_path / "known")]
    assert main([*options, "--json"]) == ExitCode.OK
    tables = json.loads(capsys.readouterr().out)["tables"]
    assert [each["other_key_than"] for each in tables] == [None, "Kitchen", "p1", None]
    assert main(options) == ExitCode.OK
    said = capsys.readouterr().out.splitlines()
    assert [line for line in said if "may not be" in line] == [
        f"  this may not be the {name} you know from a game: its host has another key"
        for name in ("Kitchen", "p1")
    ]


def test_a_table_that_does_not_answer_is_not_confirmed(
    found: list[DiscoveredTable], capsys: pytest.CaptureFixture[str]
) -> None:
    found += [replace(TABLE, answered=False), replace(TABLE, name="Cellar")]
    said = lines(capsys)
    assert ["does not answer" in line for line in said] == [True, False]
    assert [each["confirmed"] for each in fields(capsys)] == [False, True]


@pytest.mark.parametrize("fault", NetFault)
def test_a_firewall_is_suspected_only_where_nothing_comes_back(
    fault: NetFault, found: list[DiscoveredTable], capsys: pytest.CaptureFixture[str]
) -> None:
    found.append(replace(TABLE, answered=False, fault=fault))
    (line,) = lines(capsys)
    assert ("firewall" in line) == (fault is NetFault.TIMEOUT)
    assert fields(capsys)[0]["fault"] == fault.value


def test_an_adapter_that_does_not_exist_is_a_failure_of_the_network(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["find", "--adapter", "nowhere", "--seconds", "0.1", "--json"]) == ExitCode.NETWORK
    assert json.loads(capsys.readouterr().out)["error"]["id"].startswith("net.")


def test_find_lists_who_answers_first_and_the_keys_where_names_are_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = replace_listeners(monkeypatch)
    port: queue.SimpleQueue[int] = queue.SimpleQueue()
    over = threading.Event()

    async def host_table() -> None:
        async with serving() as (server, _):
            port.put(server.port)
            await asyncio.to_thread(over.wait)

    host = threading.Thread(target=run, args=(host_table(),))
    host.start()
    try:
        real = dataclasses.replace(REAL, port=port.get())
        other = dataclasses.replace(real, id=bytes(16), name="Another", port=1)
        said.adverts = [*fakes(real)[:3], other, real]
        arguments = ["find", "--adapter", "127.0.0.1", "--seconds", "0.5", "--home", str(tmp_path)]
        assert main([*arguments, "--lang", "en"]) == 0
    finally:
        over.set()
        host.join()
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith(real.name)
    assert "does not answer" not in out[0]
    assert real.fp in out[1]
    # One false advert names the real host, which says that it serves another table.
    assert sum("only the key" in line for line in out) == 3
    assert sum("cannot be joined" in line for line in out) == 3

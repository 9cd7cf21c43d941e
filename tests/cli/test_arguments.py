"""Odd arguments of every command, in both languages: one line, one code, never a traceback.

The commands run in this process, and none of them may play, listen, or write a file.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from lanuno.cli.main import main
from lanuno.client.languages import Language, catalogue, languages
from lanuno.client.texts import Texts

pytestmark = pytest.mark.usefixtures("own_home")

LONG = "x" * 5_000
RIGHT_TO_LEFT = "Ana\u202eanA"
NOT_A_LETTER = "\udcff"

USAGE: list[list[str]] = [
    [""],
    ["--"],
    ["-1"],
    ["--json=1"],
    ["HOST"],
    [NOT_A_LETTER],
    ["--home", "", "find"],
    *([] if sys.platform == "win32" else [["--home", "~nobody-of-this-name/x", "find"]]),
    ["find", "--home"],
    ["find", "--lang", ""],
    ["find", "--seconds", "1e3"],
    ["find", "--seconds", "-1"],
    ["find", "--seconds", "0"],
    ["find", "--seconds", "٣"],
    ["find", "--seconds", "inf"],
    ["find", "--seconds", LONG],
    ["find", "more"],
    ["find", "--adapter"],
    *(["host", "--table", name] for name in ("", " ", "x" * 33, RIGHT_TO_LEFT, "a\tb", "\u3164")),
    *(["host", "--name", name] for name in ("", " ", "x" * 21, RIGHT_TO_LEFT, NOT_A_LETTER)),
    *(["host", "--seats", seats] for seats in ("1", "11", "0", "-2", "2.0", "x", "", LONG)),
    *(["host", "--bots", bots] for bots in ("-1", "10", "x")),
    ["host", "--seats", "2", "--bots", "2"],
    ["host", "--seats", "4", "--bots", "4"],
    *(["host", "--port", port] for port in ("0", "65536", "-1", "http")),
    *(["host", "--pin", pin] for pin in ("x" * 33, "a\u202eb", NOT_A_LETTER, "a\n")),
    *(["host", "--rounds", rounds] for rounds in ("0", "1001", "one")),
    *(["host", "--preset", preset] for preset in ("", "none", NOT_A_LETTER, LONG)),
    *(["host", "--set", value] for value in ("", "=", "a", "a=", "=a", "A=1", "1a=1", "a b=1")),
    ["host", "--set", "none=1"],
    ["host", "--set", "preset=classic"],
    *(["host", "--set", f"hand_size={value}"] for value in ("", "-1", "7.0", "٣", LONG, "0")),
    ["host", "--set", "hand_size=60"],
    ["host", "--set", "seven_zero=maybe"],
    ["host", "--set", "wild_four=sometimes"],
    ["host", "--set", "deck=54"],
    ["host", "--set", "format=pairs", "--seats", "3"],
    ["host", "--set", "__class__=1"],
    ["host", "--save", ""],
    ["bot"],
    ["bot", "--table", "T", "127.0.0.1:1"],
    *(["bot", "--table", name] for name in ("", " ")),
    *(
        ["bot", where]
        for where in (
            *("", ":", "host", "host:", ":1", "host:0", "host:65536", "host:99999", "a:b:1"),
            *("[host]", "[::1:1", "::1:47474", "[]:1", "host:x", "http://host:1/x", "a b:1", LONG),
            *("lanuno:", "lanuno://", "lanuno://host", "LANUNO://host:1/00#x", "lanuno://host:1/"),
            "lanuno://127.0.0.1:1/00112233445566778899aabbccddeeff#short",
        )
    ),
    ["bot", "127.0.0.1:1", "--pin", LONG],
    ["bot", "127.0.0.1:1", "--pin", NOT_A_LETTER],
    ["bot", "127.0.0.1:1", "--name", RIGHT_TO_LEFT],
    ["bot", "127.0.0.1:1", "--seconds", "3601"],
    ["bot", "127.0.0.1:1", "--save", ""],
    ["verify"],
    ["verify", ""],
    ["verify", "a\0b"],
    ["demo", "--players", "1"],
    ["demo", "--players", "11"],
    ["demo", "--rounds", "0"],
    ["demo", "--preset", "none"],
    ["demo", "--set", "hand_size=60"],
    ["demo", "--set", "format=pairs", "--players", "3"],
    ["demo", "more"],
]

NETWORK: list[list[str]] = [
    ["find", "--adapter", ""],
    ["find", "--adapter", "no such adapter"],
    ["find", "--adapter", NOT_A_LETTER],
    ["host", "--adapter", LONG],
    ["bot", "--table", "T", "--adapter", RIGHT_TO_LEFT],
    ["bot", "[fe80::1%nosuchadapter]:1"],
    ["bot", "[fe80::1%none]:1"],
    ["bot", f"{NOT_A_LETTER}:1"],
    ["bot", "a..b:1"],
    ["bot", "127.0.0.1%lo:1"],
]

FILES: list[list[str]] = [
    ["host", "--home", "/dev/null"],
    ["host", "--home", "/dev/null/x"],
    ["bot", "127.0.0.1:1", "--home", "/proc/lanuno"],
    ["bot", "127.0.0.1:1", "--home", f"/tmp/{LONG}"],
    ["demo", "--home", "/dev/null"],
]


def short(arguments: list[str]) -> str:
    return ascii(" ".join(arguments))[:60]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param(arguments, code, id=f"{code}-{number}-{short(arguments)}")
        for code, table in ((2, USAGE), (5, NETWORK), (6, FILES))
        for number, arguments in enumerate(table)
    ],
)
def test_one_line_and_one_code(
    arguments: list[str],
    code: int,
    language: Language,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--lang", language, *arguments]) == code
    out, err = capsys.readouterr()
    assert out == ""
    looking = tuple(Texts(each)("bot.looking", table="").split(" ")[0] for each in languages())
    *usage, said = [line for line in err.splitlines() if not line.startswith(looking)]
    assert said.startswith("lanuno: ")
    assert len(said) > 20
    # A command line that ends without a language is answered in the system's language.
    beginnings = "usage: ", catalogue(language).pgettext("argparse", "usage: "), " "
    assert [line for line in usage if line and not line.startswith(beginnings)] == []
    assert not any(mark in said for mark in ("\u202e", "\udcff", "\n", "{", "Error"))
    assert main(["--json", "--lang", language, *arguments]) == code
    found = json.loads(capsys.readouterr().out)
    assert found["exit"] == code
    assert found["error"]["text"] == said.removeprefix("lanuno: ")
    if code == 2:
        assert not (tmp_path / "xdg").exists()

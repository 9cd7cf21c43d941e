"""Tests of the desktop integration: its files are valid, installed, and removed again."""

from __future__ import annotations

import configparser
import re
import shlex
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication, QIcon

from lanuno import __version__
from lanuno.app.desktop import (
    ENTRIES,
    HANDLED,
    METAINFO,
    MIME,
    entry_for,
    main,
    placed,
    quoted,
    translated,
)
from lanuno.cli.parser import COMMANDS
from lanuno.client.languages import catalogue, languages
from lanuno.log.format.transcript import MAGIC
from lanuno.store.resources import resource

MIME_SPACE = "{http://www.freedesktop.org/standards/shared-mime-info}"


class CaseParser(configparser.RawConfigParser):
    """A parser that keeps the case of keys."""

    def optionxform(self, optionstr: str) -> str:
        return optionstr


def entry(text: str) -> configparser.SectionProxy:
    parser = CaseParser(interpolation=None, strict=True)
    parser.read_string(text)
    return parser["Desktop Entry"]


@pytest.mark.parametrize("name", ENTRIES)
def test_every_entry_is_what_the_specification_wants(name: str, tmp_path: Path) -> None:
    text = translated(resource("desktop", name))
    fields = entry(text)
    assert fields["Type"] == "Application"
    assert fields["Icon"] == "lanuno"
    assert {"Name", "Comment", "Comment[es]", "Exec"} <= set(fields)
    words = shlex.split(fields["Exec"])
    assert words[0] == "lanuno"
    assert words[1:] in ([], ["open", "%f"], ["join", "%u"])
    assert set(words[1:2]) <= set(COMMANDS)
    for kind in fields.get("MimeType", "").split(";"):
        assert not kind or HANDLED[kind] == name
    checker = shutil.which("desktop-file-validate")
    if checker is not None:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        subprocess.run([checker, str(path)], check=True)


def test_the_file_type_is_known_by_its_first_bytes() -> None:
    (kind,) = ET.parse(resource("desktop", MIME)).getroot()
    assert HANDLED[kind.attrib["type"]] == "lanuno-open.desktop"
    glob, match = kind.find(f"{MIME_SPACE}glob"), kind.find(f"{MIME_SPACE}magic/{MIME_SPACE}match")
    assert glob is not None
    assert match is not None
    assert glob.attrib["pattern"] == "*.lanuno"
    value = match.attrib["value"].encode().decode("unicode_escape").encode()
    assert MAGIC.startswith(value)
    assert len(value) == len(MAGIC) - 1


def test_the_description_for_software_centres(tmp_path: Path) -> None:
    path = tmp_path / METAINFO
    path.write_text(translated(resource("desktop", METAINFO)), encoding="utf-8")
    root = ET.parse(path).getroot()
    assert path.name == f"{root.findtext('id')}.metainfo.xml"
    assert root.findtext("launchable") == "lanuno.desktop"
    assert root.findtext("provides/mediatype") in HANDLED
    (release,) = root.iter("release")
    assert release.attrib["version"] == __version__
    lang = "{http://www.w3.org/XML/1998/namespace}lang"
    for name in ("summary", "description/p", "description/ul/li"):
        spoken = [each.attrib.get(lang, "en") for each in root.findall(name)]
        wanted = [language.replace("_", "-") for language in languages()]
        assert {spoken.count(language) for language in wanted} == {spoken.count("en")}
    checker = shutil.which("appstreamcli")
    if checker is not None:
        command = [checker, "validate", "--no-net", str(path)]
        checked = subprocess.run(command, capture_output=True, text=True, check=False)
        faults = [each for each in checked.stdout.splitlines() if each.startswith(("E:", "W:"))]
        # Later versions of the checker require a homepage, but the project has none.
        assert [each for each in faults if not each.endswith(" url-homepage-missing")] == []
        assert checked.returncode == (3 if faults else 0), checked.stdout + checked.stderr


def test_the_icon_can_be_drawn(qt: QGuiApplication) -> None:
    image = QIcon(str(resource("art", "icon.svg"))).pixmap(64, 64).toImage()
    colours = {image.pixelColor(x, y).name() for x in range(64) for y in range(64)}
    assert len(colours) > 50


def test_words_of_a_command_are_quoted() -> None:
    assert quoted("/usr/bin/lanuno") == "/usr/bin/lanuno"
    assert quoted("/my games/100%/lanuno") == '"/my games/100%%/lanuno"'
    assert quoted('a"$b`\\') == '"a\\\\"\\\\$b\\\\`\\\\\\\\"'
    text = entry_for("Name=lanuno\nExec=lanuno open %f\n", ["/a b/python", "-m", "lanuno.cli.main"])
    assert text == 'Name=lanuno\nExec="/a b/python" -m lanuno.cli.main open %f\n'


def test_installed_and_removed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls: list[list[str]] = []

    def run(command: list[str], **_options: object) -> None:
        calls.append([Path(command[0]).name, *command[1:]])

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr("subprocess.run", run)
    assert main(["install"]) == 0
    written = capsys.readouterr().out.split()
    assert [Path(each) for each in written] == [each.target for each in placed(tmp_path)]
    for name in ENTRIES:
        fields = entry((tmp_path / "applications" / name).read_text())
        assert re.match(r"/usr/bin/lanuno\b", fields["Exec"])
        assert fields["Comment[es]"] == catalogue("es").pgettext("desktop", fields["Comment"])
    assert ["xdg-mime", "default", "lanuno-join.desktop", "x-scheme-handler/lanuno"] in calls
    assert ["update-mime-database", str(tmp_path / "mime")] in calls
    assert main(["remove"]) == 0
    assert not any(each.target.exists() for each in placed(tmp_path))
    assert capsys.readouterr().out.split() == written
    assert main(["remove"]) == 0
    assert capsys.readouterr().out == ""


def test_a_folder_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "applications").write_text("in the way")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(["install"]) == 1
    assert "applications" in capsys.readouterr().err

"""One more catalogue file adds its language to what the packages contain and say."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator

import pytest
from distribution import deb, readme
from distribution.system import Needs

from lanuno.app import desktop
from lanuno.client.languages import languages, own_name
from lanuno.store.resources import resource
from tests.harness.pseudo_language import CODE, not_in_brackets, resources_with_it

NEEDS = Needs("2.36", ("libc6 (>= 2.36)",))


@pytest.fixture(scope="module", autouse=True)
def _language(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with resources_with_it(tmp_path_factory.mktemp("resources")):
        yield


def test_the_archive_has_a_section_in_it() -> None:
    sections = readme.text(NEEDS).split("\n\n\n")
    assert len(sections) == len(languages())
    (ours,) = (each for each in sections if own_name(CODE) in each.splitlines()[0])
    _, _, *paragraphs = not_in_brackets(ours).splitlines()
    said = [line for line in paragraphs if line.strip() and not line.startswith("    ")]
    assert said == []


def test_the_description_of_the_debian_package_names_it() -> None:
    lines = deb.control("1.0-1", "amd64", "Ana <ana@example.org>", NEEDS, 1).splitlines()
    assert any(own_name(CODE) in line for line in lines)
    assert all(line.startswith(" ") for line in lines[lines.index(" .") :])


def test_software_centres_show_it() -> None:
    root = ET.fromstring(desktop.translated(resource("desktop", desktop.METAINFO)))
    lang = "{http://www.w3.org/XML/1998/namespace}lang"
    items = root.findall("description/ul/li")
    ours = [each.text or "" for each in items if each.attrib.get(lang) == CODE]
    assert len(ours) == sum(lang not in each.attrib for each in items)
    for text in (each.text or "" for each in items):
        assert "{" not in text
    assert any(own_name(CODE) in text for text in ours)

"""The app's translations: collects the texts to translate, and fills them in.

    python packaging/catalogues.py update        take new texts from the sources, drop old ones
    python packaging/catalogues.py missing       what is not translated yet, as JSON
    python packaging/catalogues.py fill FILE     translations from such a JSON file ("-": stdin)

`update` needs lupdate, which comes with PySide6-Essentials. compile_languages.py turns the
catalogues into what the app loads. `missing` prints, for each language, {context: {text:
translation}}; a text with a number has a list: [for one, for several]. An empty translation is not
filled in. In what is filled in, the context "*" stands for any.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "i18n"
SOURCES = (ROOT / "lanuno" / "app", ROOT / "resources" / "qml")
LANGUAGES = ("es", "en")

Missing = dict[str, dict[str, dict[str, object]]]


def catalogue(language: str) -> Path:
    """The file of a language."""
    return FOLDER / f"lanuno_{language}.ts"


def update() -> None:
    """Take the texts of today from the sources; what is translated stays."""
    FOLDER.mkdir(exist_ok=True)
    files = sorted(str(path) for folder in SOURCES for path in folder.rglob("*.qml"))
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "texts.py"
        plain.write_text("\n".join(python_texts()) + "\n", encoding="utf-8")
        collect([*files, str(plain)])


def python_texts() -> list[str]:
    """Every call in the Python sources that translates, in the one form that lupdate understands.

    Left to itself it overlooks calls whose arguments are more than a name, and numbers.
    """
    found: list[str] = []
    paths = sorted(path for folder in SOURCES for path in folder.rglob("*.py"))
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            if node.func.id not in ("translate", "QT_TRANSLATE_NOOP"):
                continue
            words = [each.value for each in node.args[:2] if isinstance(each, ast.Constant)]
            if len(words) == 2:
                number = ', "", 1' if len(node.args) > 3 else ""
                quoted = ", ".join(json.dumps(word, ensure_ascii=False) for word in words)
                found.append(f"translate({quoted}{number})")
    return found


def collect(files: list[str]) -> None:
    """Let lupdate read these."""
    import PySide6

    lupdate = str(Path(PySide6.__file__).parent / "lupdate")
    for language in LANGUAGES:
        # The texts are English already: only what depends on a number has to be filled in there.
        plural = ["-pluralonly"] if language == "en" else []
        subprocess.run(
            [
                *(lupdate, "-silent", "-no-obsolete", "-locations", "none"),
                *("-source-language", "en", "-target-language", language, *plural),
                *(*files, "-ts", str(catalogue(language))),
            ],
            check=True,
            stdout=subprocess.DEVNULL,
        )


def unfinished(tree: ET.ElementTree) -> Iterator[tuple[str, ET.Element, ET.Element]]:
    """Context, message and translation of everything that is not translated."""
    for context in tree.iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            if translation is not None and translation.get("type") == "unfinished":
                yield context.findtext("name", ""), message, translation


def missing() -> Missing:
    """What is not translated, by language, context and text."""
    found: Missing = {}
    for language in LANGUAGES:
        for context, message, translation in unfinished(ET.parse(catalogue(language))):
            forms = ["", ""] if translation.find("numerusform") is not None else ""
            texts = found.setdefault(language, {}).setdefault(context, {})
            texts[message.findtext("source", "")] = forms
    return found


def fill(given: Missing) -> int:
    """Fill in translations; how many texts got one."""
    filled = 0
    for language, contexts in given.items():
        path = catalogue(language)
        tree = ET.parse(path)
        for context, message, translation in unfinished(tree):
            text = message.findtext("source", "")
            forms = contexts.get(context, {}).get(text) or contexts.get("*", {}).get(text)
            if not forms or forms == ["", ""]:
                continue
            if isinstance(forms, list):
                for element, form in zip(translation.iter("numerusform"), forms, strict=True):
                    element.text = str(form)
            else:
                translation.text = str(forms)
            del translation.attrib["type"]
            filled += 1
        body = ET.tostring(tree.getroot(), encoding="unicode")
        path.write_text(
            f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{body}\n', encoding="utf-8"
        )
    return filled


def main(arguments: list[str]) -> int:
    """Do what is asked for."""
    match arguments:
        case ["update"]:
            update()
        case ["missing"]:
            sys.stdout.write(json.dumps(missing(), ensure_ascii=False, indent=1) + "\n")
        case ["fill", name]:
            text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
            sys.stdout.write(f"{fill(json.loads(text))} filled in\n")
        case _:
            sys.stderr.write(__doc__ or "")
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

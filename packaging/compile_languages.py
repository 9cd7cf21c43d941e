"""Compile the app's translations: each .ts in resources/i18n to the .qm that QTranslator loads.

    python packaging/compile_languages.py

Standard library only: neither Qt nor its tools have to be installed to build LanUNO.

The format is what QTranslator reads (qtbase, `src/corelib/kernel/qtranslator.cpp`) and lrelease
writes (qttools, `src/linguist/shared/qm.cpp`): a magic number, then sections of a tag, a length and
data, all big-endian. A lookup hashes the source text with its disambiguation, finds the hash by
bisection, and compares the context and both texts that are stored with the translation.
"""

from __future__ import annotations

import os
import struct
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).resolve().parent.parent / "resources" / "i18n"

_MAGIC: Final = bytes.fromhex("3cb86418caef9c95cd211cbf60a1bddd")

# Sections of the file.
_HASHES, _MESSAGES, _NUMERUS_RULES, _LANGUAGE = 0x42, 0x69, 0x88, 0xA7
# Fields of a message.
_END, _TRANSLATION, _SOURCE_TEXT, _CONTEXT, _COMMENT = 1, 3, 6, 7, 8

_PLURAL_RULES: Final = {"en": b"\x01\x01", "es": b"\x01\x01"}
"""When Qt uses each plural form but the last, by language: `01 n` is "the number is n",
`ff` stands between the rules of two forms.

Another language's rule is in qttools, `src/linguist/shared/numerus.cpp`.
"""


class BadCatalogue(Exception):
    """A .ts file that cannot be compiled; the message names it and says why."""


def compile_all(folder: Path = FOLDER, target: Path | None = None) -> list[Path]:
    """Compile every .ts of `folder` into `target` (default: beside its source).

    Returns the paths of the .qm files. One that is up to date is left alone, one without a source
    is removed. Raises `BadCatalogue`, and `OSError` if a file cannot be read or written.
    """
    made = [
        _write(compiled(source), (target or folder) / f"{source.stem}.qm")
        for source in sorted(folder.glob("*.ts"))
    ]
    for stale in set((target or folder).glob("*.qm")) - set(made):
        stale.unlink()
    return made


def compiled(source: Path) -> bytes:
    """The .qm of one .ts. Raises `BadCatalogue`."""
    try:
        root = ET.parse(source).getroot()
    except ET.ParseError as error:
        raise BadCatalogue(f"{source}: {error}") from None
    language = root.get("language", "")
    if language not in _PLURAL_RULES:
        raise BadCatalogue(f"{source}: no plural rule for the language {language!r}")
    forms = _PLURAL_RULES[language].count(b"\xff") + 2
    messages = bytearray()
    hashes: list[tuple[int, int]] = []
    for context in root.iter("context"):
        for message in context.iter("message"):
            texts = list(_translations(message))
            if not texts:
                continue
            if message.get("numerus") == "yes" and len(texts) != forms:
                raise BadCatalogue(f"{source}: {message.findtext('source')!r}: not {forms} forms")
            # Qt reads these three as UTF-8 and wants the comment even if it is empty.
            text = message.findtext("source", "").encode()
            comment = message.findtext("comment", "").encode()
            hashes.append((_elf_hash(text + comment), len(messages)))
            for each in texts:
                messages += _field(_TRANSLATION, each.encode("utf-16-be"))
            messages += _field(_COMMENT, comment)
            messages += _field(_SOURCE_TEXT, text)
            messages += _field(_CONTEXT, context.findtext("name", "").encode())
            messages.append(_END)
    index = b"".join(struct.pack(">II", *each) for each in sorted(hashes))
    return (
        _MAGIC
        + _field(_LANGUAGE, language.encode())
        + _field(_HASHES, index)
        + _field(_MESSAGES, bytes(messages))
        + _field(_NUMERUS_RULES, _PLURAL_RULES[language])
    )


def _translations(message: ET.Element) -> Iterator[str]:
    """The finished translations of a message: one, or one for each plural form."""
    translation = message.find("translation")
    if translation is None or translation.get("type") is not None:
        return  # unfinished, or no longer in the sources
    if message.get("numerus") == "yes":
        yield from (form.text or "" for form in translation.iter("numerusform"))
    elif translation.text:
        yield translation.text


def _field(tag: int, data: bytes) -> bytes:
    return struct.pack(">BI", tag, len(data)) + data


def _elf_hash(text: bytes) -> int:
    """The hash of symbol names in ELF files, but never 0 (System V ABI, chapter 5)."""
    value = 0
    for byte in text:
        value = (value << 4) + byte
        high = value & 0xF0000000
        value = (value ^ (high >> 24)) & ~high & 0xFFFFFFFF
    return value or 1


def _write(data: bytes, path: Path) -> Path:
    if not path.exists() or path.read_bytes() != data:
        # A running app has the file mapped into its memory: it may be replaced, never changed.
        new = path.with_name(f"{path.name}.{os.getpid()}")
        try:
            new.write_bytes(data)
            new.replace(path)
        finally:
            new.unlink(missing_ok=True)
    return path


def main() -> int:
    """Compile all of them; 1 if one cannot be compiled."""
    try:
        compile_all()
    except (BadCatalogue, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

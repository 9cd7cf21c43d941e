"""Writes the tables of lanuno/log/format/confusables.py: what looks like what (Unicode TS 39).

    python packaging/confusables.py confusables.txt

The argument is https://www.unicode.org/Public/security/17.0.0/confusables.txt, whose SHA-256 is
below. Only visible characters of the table of names are written, so every version of Python
normalises them in the same way.
"""

from __future__ import annotations

import hashlib
import sys
import textwrap
import unicodedata
from collections import defaultdict
from pathlib import Path

from lanuno.log.format import confusables
from lanuno.log.format.name_characters import VISIBLE

SHA256 = "ec88ecebcf89f63f813d460842b0cf8322744b40a0b2c06f88a2cea48c0351ea"


def prototypes(text: str) -> dict[str, str]:
    """Return the prototype, in NFD, of each character that can occur in a name after NFKD."""
    alike: dict[str, list[str]] = defaultdict(list)
    for line in text.splitlines():
        fields = [each.strip() for each in line.lstrip("\ufeff").partition("#")[0].split(";")]
        if len(fields) < 3:
            continue
        source = chr(int(fields[0], 16))
        if source in VISIBLE and unicodedata.normalize("NFKD", source) == source:
            alike["".join(chr(int(each, 16)) for each in fields[1].split())].append(source)
    found: dict[str, str] = {}
    for prototype, sources in alike.items():
        # A prototype that a name cannot contain stands for its class; so does one of the others.
        visible = all(each in VISIBLE for each in prototype)
        standing = unicodedata.normalize("NFD", prototype) if visible else min(sources)
        found |= {each: standing for each in sources if each != standing}
    table = str.maketrans(found)
    # A prototype that NFD takes apart may consist of characters with prototypes.
    while found != (found := {each: found[each].translate(table) for each in found}):
        pass
    return found


def main() -> None:
    """Write the table."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    data = Path(sys.argv[1]).read_bytes()
    if hashlib.sha256(data).hexdigest() != SHA256:
        sys.exit("This is not confusables.txt of Unicode 17.0.0.")
    found = prototypes(data.decode("utf-8"))
    words = [
        " ".join(f"{ord(each):X}" for each in (source, *prototype)).replace(" ", ":", 1)
        for source, prototype in sorted(found.items())
    ]
    strokes = [
        f"{ord(each):X}"
        for each, prototype in sorted(found.items())
        if prototype == "l" and unicodedata.category(each) != "Ll"
    ]
    module = Path(confusables.__file__)
    text = module.read_text("utf-8")
    text = with_table(text, "_PAIRS", "; ".join(each.replace(" ", "+") for each in words))
    text = with_table(text, "_STROKES", " ".join(strokes))
    module.write_text(text, encoding="utf-8")


def with_table(text: str, name: str, table: str) -> str:
    """Return the text of a module in which the constant has this value, broken into lines."""
    lines = textwrap.indent(textwrap.fill(table, 92), "    ")
    before, _, rest = text.partition(f'\n{name} = """\n')
    _, _, after = rest.partition('"""')
    return f'{before}\n{name} = """\n{lines}\n"""{after}'


if __name__ == "__main__":
    main()

"""Writes lanuno/log/format/confusables.py: which characters look like which (Unicode TS 39).

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

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from lanuno.log.format.name_characters import VISIBLE  # noqa: E402

TABLE = ROOT / "lanuno" / "log" / "format" / "confusables.py"
SHA256 = "ec88ecebcf89f63f813d460842b0cf8322744b40a0b2c06f88a2cea48c0351ea"

HEADER = '''"""Characters that look alike: the prototypes of Unicode TS 39, "Confusable Detection".

`packaging/confusables.py` has made this file from confusables.txt of Unicode 17.0.0. It holds the
characters that a name may contain after NFKD, so the answers do not depend on the version of
Python. It must never change, because logs contain names.

confusables.txt is published under the Unicode License V3:

Copyright © 1991-2025 Unicode, Inc.

Permission is hereby granted, free of charge, to any person obtaining a
copy of data files and any associated documentation (the "Data Files") or
software and any associated documentation (the "Software") to deal in the
Data Files or Software without restriction, including without limitation
the rights to use, copy, modify, merge, publish, distribute, and/or sell
copies of the Data Files or Software, and to permit persons to whom the
Data Files or Software are furnished to do so, provided that either (a)
this copyright and permission notice appear with all copies of the Data
Files or Software, or (b) this copyright and permission notice appear in
associated Documentation.

THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY
KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT OF
THIRD PARTY RIGHTS.

IN NO EVENT SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN THIS NOTICE
BE LIABLE FOR ANY CLAIM, OR ANY SPECIAL INDIRECT OR CONSEQUENTIAL DAMAGES,
OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS,
WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION,
ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THE DATA
FILES OR SOFTWARE.

Except as contained in this notice, the name of a copyright holder shall
not be used in advertising or otherwise to promote the sale, use or other
dealings in these Data Files or Software without prior written
authorization of the copyright holder.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from lanuno.log.format.name_characters import Characters

'''


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
    pairs = "; ".join(each.replace(" ", "+") for each in words)
    body = textwrap.indent(textwrap.fill(pairs, 92), "    ")
    strokes = textwrap.indent(
        textwrap.fill(
            " ".join(
                f"{ord(each):X}"
                for each, prototype in sorted(found.items())
                if prototype == "l" and unicodedata.category(each) != "Ll"
            ),
            92,
        ),
        "    ",
    )
    TABLE.write_text(
        f'{HEADER}_PAIRS = """\n{body}\n"""\n'
        '"""A character and its prototype, in code points."""\n\n\n'
        "@cache\n"
        "def prototypes() -> dict[int, str]:\n"
        '    """Return the prototype of each character, other than itself, for `translate`."""\n'
        '    pairs = (pair.split(":") for pair in _PAIRS.split(";"))\n'
        "    return {\n"
        '        int(source, 16): "".join(chr(int(each, 16)) for each in prototype.split("+"))\n'
        "        for source, prototype in pairs\n"
        "    }\n\n\n"
        f'STROKES: Final = Characters(\n    """\n{strokes}\n    """\n)\n'
        '"""Characters like a small l that are no small letter, such as I and 1."""\n',
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()

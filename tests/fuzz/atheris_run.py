"""Lets atheris (libFuzzer for Python) loose on one parser, in a process of its own.

    python -m tests.fuzz.atheris_run NAME FOLDER SECONDS

FOLDER: where it keeps what leads to new branches, and an input that broke something. The last lines
that it prints are libFuzzer's statistics. Nothing here is imported by a test: atheris rewrites the
bytecode of what it watches.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["lanuno"]):
    from tests.fuzz.parser import LONGEST
    from tests.fuzz.parsers import PARSERS, kept


def main(name: str, folder: Path, seconds: int) -> None:
    """Feed it until the time is over; ends the process."""
    parser = PARSERS[name]
    corpus = folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate((*parser.examples(), *kept(name))):
        (corpus / f"example-{number:03}").write_bytes(data)

    def feed(data: bytes) -> None:
        parser.takes(data)

    options = [
        f"-max_total_time={seconds}",
        f"-max_len={LONGEST * 4 if name == 'audit' else LONGEST}",
        "-rss_limit_mb=1024",
        "-timeout=20",
        "-print_final_stats=1",
        "-verbosity=1",
        f"-artifact_prefix={folder}/",
    ]
    atheris.Setup([sys.argv[0], *options, str(corpus)], feed)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))

"""Runs atheris (libFuzzer for Python) on one parser, in a separate process.

    python -m tests.fuzz.atheris_run NAME FOLDER SECONDS

FOLDER receives inputs that reach new branches, and an input that broke the parser. The last lines
printed are libFuzzer's statistics. Tests must not import this module, because atheris rewrites the
bytecode of the instrumented modules.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["lanuno"]):
    from tests.fuzz.parser import MAX_INPUT_BYTES
    from tests.fuzz.parsers import PARSERS, kept


def main(name: str, folder: Path, seconds: int) -> None:
    """Fuzz until the time is up, then end the process."""
    parser = PARSERS[name]
    corpus = folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate((*parser.examples(), *kept(name))):
        (corpus / f"example-{number:03}").write_bytes(data)

    def feed(data: bytes) -> None:
        parser.takes(data)

    options = [
        f"-max_total_time={seconds}",
        f"-max_len={MAX_INPUT_BYTES * 4 if name == 'audit' else MAX_INPUT_BYTES}",
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

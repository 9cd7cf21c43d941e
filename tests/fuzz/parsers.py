"""All parsers by name, and the stored examples of each."""

from __future__ import annotations

from pathlib import Path

from tests.fuzz import connection, network_input, stored_files, table_log
from tests.fuzz.parser import Parser

PARSERS: dict[str, Parser] = {
    parser.name: parser
    for module in (connection, table_log, network_input, stored_files)
    for parser in module.PARSERS
}

CORPUS = Path(__file__).parent / "corpus"
"""One folder per parser; one file per input that found a fault or reaches new branches."""


def kept(name: str) -> list[bytes]:
    """Return the stored inputs of one parser, in the order of their names."""
    folder = CORPUS / name
    return [file.read_bytes() for file in sorted(folder.iterdir())] if folder.is_dir() else []

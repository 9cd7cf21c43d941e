"""The language of the scenarios; `tests/rules/scenarios/README.md` explains it to their authors."""

"""The language of the scenarios; `scenarios/README.md` explains it to their authors."""

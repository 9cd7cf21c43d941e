"""The language of the scenarios; explained for people in `scenarios/README.md`."""

"""Fuzzing: every parser reads arbitrary bytes or refuses them with its own exception."""

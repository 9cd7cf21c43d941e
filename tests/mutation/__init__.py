"""Mutation testing of the pure packages: faults that the tests miss. Not a part of the tests."""

PACKAGES = ("dealing", "log", "rules")
"""The packages whose tests are measured."""

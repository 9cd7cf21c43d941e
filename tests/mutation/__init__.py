"""Mutation testing of the pure packages: what the tests would miss. Not a part of the tests."""

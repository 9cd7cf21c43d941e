"""Tests of lanuno.rules.match."""

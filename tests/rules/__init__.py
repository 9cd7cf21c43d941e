"""Tests of lanuno.rules."""

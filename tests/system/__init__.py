"""Tests of lanuno.store."""

"""Tests of lanuno.table."""

"""Tests of lanuno.table.host."""

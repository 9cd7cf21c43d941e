"""Tests of lanuno.table.replica."""

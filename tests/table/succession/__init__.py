"""Tests of lanuno.table.succession."""

"""Tests of lanuno.table.lobby."""

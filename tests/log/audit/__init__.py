"""Tests of lanuno.log.audit."""

"""Tests of lanuno.log.round."""

"""Tests of `lanuno.client`."""

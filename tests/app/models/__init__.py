"""Tests of the list models."""

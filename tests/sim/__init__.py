"""Whole tables in one process: honest ones, and dishonest ones of every kind."""

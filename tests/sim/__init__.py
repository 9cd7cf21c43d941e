"""Whole tables in one process: honest ones, and tables with every kind of dishonest player."""

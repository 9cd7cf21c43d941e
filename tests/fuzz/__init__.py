"""Bytes from outside, made up: every parser either reads them or refuses them in its own word."""

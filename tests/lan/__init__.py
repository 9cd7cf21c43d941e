"""Tests of the network package with real tools, on isolated networks of namespaces and cables."""

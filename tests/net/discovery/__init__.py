"""Tests of lanuno.net.discovery."""

"""Find what keeps this computer from finding tables or being found: adapters, firewalls, ports.

Start with `doctor.py`.
"""

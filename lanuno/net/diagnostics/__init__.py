"""Find what keeps this computer from finding tables or being found: adapters, firewalls, ports.

Start with `doctor.py`. Finding and announcing tables belongs to `lanuno.net.discovery`. Findings
are values; their words belong to the user interfaces.
"""

"""Finding tables and announcing them: multicast DNS, beacons, links, codes, and probes.

Start with `announcer.py` for a host and `directory.py` for a client.
"""

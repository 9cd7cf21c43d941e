"""What is kept on this computer: profile and keys, journals, private sidecars, settings, resources.

Files and folders only; no sockets, and no knowledge of what the kept bytes mean.
"""

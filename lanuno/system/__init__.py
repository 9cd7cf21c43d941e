"""What differs between operating systems: files, users, processes and signals.

Only this package calls what one system has and another has not.
"""

"""Players and hosts with a changed program, as programs of their own over real connections.

For each fault that a log can prove (PROTOCOL: "What is checked when") one player and one host
commit it: `faults.py` is the whole list. `changed.py` is the changed program, `playing.py` plays a
table with it and looks at what everybody else makes of it. `python -m tests.cheats` plays all.
"""

"""Players and hosts with a changed program, as programs of their own over real connections.

For each fault that a log can prove (PROTOCOL: "What is checked when") one player and one host
commit it: `faults.py` is the whole list. `modified_program.py` is the changed program;
`cheated_table.py` plays a table with it and checks what all others report. `python -m tests.cheats`
plays all.
"""

"""Players and hosts with a modified program, each in a process of its own, over real connections.

Each fault that a log can prove (section 10 of the protocol) is committed by one player and by one
host, where that is possible; `faults.py` is the whole list. `modified_program.py` is the program.
`cheated_table.py` plays a table with it and checks what all others report. `python -m tests.cheats`
plays all lies.
"""

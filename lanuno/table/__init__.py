"""A table without input or output: lobby, sequencer, session, resume and succession.

Time is handed in, outputs (send, persist, notify, wake me) are data. No sockets, files or clocks.
"""

"""Stands in for a program that a fork server runs: streams, signals, exit code. Loads nothing.

`python -I -S forked_program.py SOCKET LIAR python -c ... host ...`: the fork server at that socket
runs the command line after the interpreter's own arguments, with these streams. Signals are passed
on. If this process is killed, so is the program. This process ends with the program's exit code.
See `fork_server.py`.
"""

import json
import os
import signal
import socket
import sys

fork_server = socket.socket(socket.AF_UNIX)
fork_server.connect(sys.argv[1])
wanted = json.dumps([sys.argv[2], sys.argv[6:], dict(os.environ)]).encode()
signal.signal(signal.SIGINT, lambda *_: fork_server.send(b"I"))
socket.send_fds(fork_server, [len(wanted).to_bytes(4, "big")], [1, 2])
fork_server.sendall(wanted)
code = int(fork_server.recv(16) or b"70")
os._exit(code)

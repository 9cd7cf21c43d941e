"""Stands in for a program that a nursery runs: its streams, its signals, its end. Loads nothing.

`python -I -S cradle.py SOCKET LIAR python -c ... host ...`: the nursery at that socket runs the
command line behind the interpreter's own arguments with these streams. A signal that comes here
goes there; if this is killed, so is the program; and this ends as the program ends. See
`nursery.py`.
"""

import json
import os
import signal
import socket
import sys

nursery = socket.socket(socket.AF_UNIX)
nursery.connect(sys.argv[1])
wanted = json.dumps([sys.argv[2], sys.argv[6:], dict(os.environ)]).encode()
signal.signal(signal.SIGINT, lambda *_: nursery.send(b"I"))
socket.send_fds(nursery, [len(wanted).to_bytes(4, "big")], [1, 2])
nursery.sendall(wanted)
code = int(nursery.recv(16) or b"70")
os._exit(code)

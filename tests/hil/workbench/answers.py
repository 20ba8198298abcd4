"""What a worker of the tests does."""

import time
from multiprocessing.connection import Connection


def answer(line: Connection) -> None:
    """Echo, refuse, or sleep."""
    while True:
        name, arguments = line.recv()
        if name == "sleep":
            time.sleep(0.5)
        line.send((False, "this cannot be done") if name == "refuse" else (True, (arguments or (None,))[0]))

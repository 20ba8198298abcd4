"""The three streams that a program begins with, if its caller has closed some of them (`>&-`)."""

import os
import sys

STREAMS = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))


def open_standard_streams() -> None:
    """Give streams that were closed by our caller to /dev/null.

    Otherwise the next file or socket that is opened gets their number, and what is printed goes there: by
    libraries, and by the processes of a run, which inherit the numbers. To be called before anything opens.
    """
    for descriptor in range(len(STREAMS)):
        try:
            os.fstat(descriptor)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # the lowest number that is free
    for name, mode in STREAMS:
        if getattr(sys, name) is None:  # its number may be a file's by now
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))

"""What a process prints, kept where neither its end nor a slow reader takes the last line away.

The process appends to memory of the kernel: it waits for nobody, nothing that it wrote is refused, and what
it wrote last is still there when it has died, of whatever. What has been read is given back to the kernel.
"""

import ctypes
import fcntl
import os

AT_ONCE = 65536  # [bytes] that are read at once: of a backlog beyond, the newest
LONGEST = 4096  # [bytes] of a line: of a longer one its end
TOLD = 300  # [characters] of the last line
PUNCH_HOLE, KEEP_SIZE = 0x02, 0x01  # of linux/falloc.h
LIBC = ctypes.CDLL(None, use_errno=True)


class Printed:
    """The other end of a process's standard output and error.

    Attributes:
        descriptor: what the process is to write to.
        last: the last line so far that is not blank, shown as one line of a terminal.
    """

    def __init__(self) -> None:
        self.descriptor = os.memfd_create("zerog-printed", os.MFD_CLOEXEC)
        fcntl.fcntl(self.descriptor, fcntl.F_SETFL, os.O_APPEND)
        self.last = ""
        self._read = 0  # bytes that have been read or passed over
        self._rest = b""  # of a line that has no end yet

    def lines(self, ended: bool = False) -> list[str]:
        """Return the lines that are new; with `ended` also what has come of a last one without an end."""
        data = self._new()
        *whole, self._rest = (self._rest + data).split(b"\n")
        self._rest = self._rest[-LONGEST:]
        if ended and self._rest:
            whole, self._rest = [*whole, self._rest], b""
        lines = [line[-LONGEST:].decode("utf-8", "replace") for line in whole]
        for line in lines:
            self.last = _shown(line) or self.last
        return lines

    def close(self) -> None:
        """Give everything back."""
        os.close(self.descriptor)

    def _new(self) -> bytes:
        size = os.fstat(self.descriptor).st_size
        if size == self._read:
            return b""
        begin = max(self._read, size - AT_ONCE)
        if begin > self._read:
            self._rest = b""  # what lies between is passed over, and with it the line's beginning
        data = os.pread(self.descriptor, size - begin, begin)
        self._read = size
        mode, nothing = PUNCH_HOLE | KEEP_SIZE, ctypes.c_int64(0)
        LIBC.fallocate(self.descriptor, mode, nothing, ctypes.c_int64(size))
        return data


def _shown(line: str) -> str:
    """Return a line without what moves a terminal's cursor; of a long one the end."""
    plain = "".join(c if c.isprintable() else " " for c in line).strip()
    return plain if len(plain) <= TOLD else f"… {plain[-TOLD:]}"

"""What an account or a container may not have more of, in a line with the limit's name."""

import errno

MEMORY = "the memory that this account may use is used up (`ulimit -v`, or a container's limit)"
FILES = "no more files may be open at once (`ulimit -n`, 256 are enough)"
PROCESSES = "no more processes and threads may run (`ulimit -u`, or a container's limit)"
_BY_NUMBER = {errno.EMFILE: FILES, errno.ENFILE: FILES, errno.ENOMEM: MEMORY}
_BY_WORDS = {"failed to map segment": MEMORY, "cannot allocate memory": MEMORY, "start new thread": PROCESSES}


def exhausted(error: BaseException) -> str:
    """Return which limit an error comes from, in words; empty if from none."""
    if isinstance(error, MemoryError):
        return MEMORY
    if said := _BY_NUMBER.get(getattr(error, "errno", None) or 0, ""):  # of the system, or of ZMQ
        return said
    if isinstance(error, OSError) and error.errno == errno.EAGAIN:
        return PROCESSES
    if isinstance(error, ImportError | RuntimeError | OSError):
        found = next((said for words, said in _BY_WORDS.items() if words in str(error).lower()), "")
        return found or (exhausted(error.__context__) if error.__context__ else "")
    return ""

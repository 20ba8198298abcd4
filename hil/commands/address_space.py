"""A limit of the address space (`ulimit -v`), looked at before the libraries that break under it are loaded.

Where it does not suffice, each of them ends in its own way, and OpenBLAS tries again for ever.
"""

import os
import resource

from hil.common.errors import ConfigurationError

LEAST = 1 << 30  # bytes; a report of a minute's recording takes 0.9e9
MIB = 1 << 20
LIGHT = (
    "float",
    "hold",
    "reset",
    "stop",
    "status",
    "thresholds",
    "push",
)  # to an arm that moves: never refused


def look_at_address_space(command: str) -> None:
    """Refuse a command that the address space cannot hold; under any limit, calculate in one thread.

    The memory of further threads would be taken for each of the machine's cores, used or not.

    Raises:
        ConfigurationError: `command` needs more.
    """
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if limit < LEAST and command not in LIGHT:
        raise ConfigurationError(
            f"the limit of address space (`ulimit -v`) is {limit // MIB} MiB, {LEAST // MIB} MiB are needed: "
            "raise it, or take it away (`ulimit -v unlimited`)"
        )

"""What this process may do beyond its limits: by its capabilities, and never by who it is.

Root in a container often has few of them; and those of a user namespace of its own do not count for real time
and locked memory, which the kernel asks the first namespace about (capabilities(7), user_namespaces(7)).
"""

from pathlib import Path

CAP_IPC_LOCK, CAP_SYS_NICE = 14, 23
WHOLE = ["0", "0", "4294967295"]  # the first namespace's own map of users


def is_capable(capability: int, root: Path = Path("/")) -> bool:
    """Return whether this process has a capability that counts for the machine; `root`: of the files."""
    try:
        status = (root / "proc/self/status").read_text(encoding="utf-8").splitlines()
        if (root / "proc/self/uid_map").read_text(encoding="utf-8").split() != WHOLE:
            return False
    except OSError:
        return False
    effective = next((line.split()[1] for line in status if line.startswith("CapEff:")), "0")
    return bool(int(effective, 16) >> capability & 1)

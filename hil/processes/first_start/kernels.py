"""What a first start has to compile: for which processes, in which parts, and how many kernels that is."""

from collections.abc import Iterable

from hil.configuration import Configuration
from hil.processes.table import Process

# Side by side in two parts of about the same length; processes of one part share most.
PARTS = (("driver",), ("planner", "emulator", "sim"))
CONTACT_PARTS = (("driver", "emulator", "planner"), ("sim",))  # pins and plates take as long as all else
WARMED = tuple(name for part in PARTS for name in part)

# How many kernels each adds to those before it. Only what is shown as left depends on it; a test counts them.
KERNELS = {
    "driver": 138,
    "emulator": 31,
    "emulator at a port": 46,
    "emulator at a plate": 76,
    "planner": 39,
    "sim": 19,
    "sim in a room": 23,
    "sim among contacts": 117,
}


def warmed_names(table: Iterable[Process]) -> list[str]:
    """Return which processes have kernels that are compiled, or loaded, before they are ready."""
    return [process.name for process in table if process.name in WARMED]


def key_of(name: str, configuration: Configuration) -> str:
    """Return the name of all that a process needs with a configuration."""
    if name == "emulator" and configuration.port is not None:
        return "emulator at a port" if configuration.port.interfaces is None else "emulator at a plate"
    if name != "sim":
        return name
    scene = configuration.scene
    if configuration.docking is not None or (scene is not None and scene.interfaces is not None):
        return "sim among contacts"
    return "sim" if scene is None else "sim in a room"


def keys_of(names: Iterable[str], configuration: Configuration) -> list[str]:
    """Return the names of all that some processes need with a configuration."""
    return [key_of(name, configuration) for name in names]


def parts_of(names: Iterable[str], configuration: Configuration) -> list[list[str]]:
    """Return in which parts the kernels of some processes are compiled."""
    among_contacts = key_of("sim", configuration) == "sim among contacts"
    wanted = list(names)
    parts = [
        [name for name in part if name in wanted] for part in (CONTACT_PARTS if among_contacts else PARTS)
    ]
    parts = [part for part in parts if part]
    return parts if len(parts) > 1 else [[name] for part in parts for name in part]


def kernels_of(names: Iterable[str], configuration: Configuration) -> int:
    """Return how many kernels the processes of a run have together."""
    return sum(KERNELS[key_of(name, configuration)] for name in names)

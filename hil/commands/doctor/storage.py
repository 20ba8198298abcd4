"""Folders, disk and memory: what a run writes to and lives in."""

import os
import shutil
from pathlib import Path

from hil.commands.doctor.finding import FAIL, OK, WARN, Finding, Look, read
from hil.common.errors import LinkError
from hil.common.kernel_cache import COMPLETE, SETTING, stands_in, use_kernel_cache
from hil.common.state_directory import StateDirectory, state_directory
from hil.configuration.schema import Run
from hil.messaging.runtime_directory import may_hold_sockets, runtime_directory

LEAST_DISK, SPARE_DISK = 50 * 2**20, 500 * 2**20  # bytes
LEAST_MEMORY, SPARE_MEMORY = 700 * 2**20, 1500 * 2**20  # a run takes about 600 MiB
MIB = 2**20


def storage_looks(run: Run, root: Path = Path("/")) -> list[tuple[str, Look]]:
    """Return all looks at what lies on disk and in memory."""

    def state() -> StateDirectory:
        return state_directory(run.state_directory, os.environ)

    return [
        ("compiled kernels", lambda: kernels(use_kernel_cache())),
        ("run-time directory", lambda: sockets(runtime_directory(run.runtime_directory))),
        ("state directory", lambda: lasting(state())),
        ("free disk", lambda: disk(state().path)),
        ("free memory", lambda: memory(root)),
    ]


def kernels(cache: Path) -> Finding:
    """Is everything compiled?"""
    name = "compiled kernels"
    count = len(list(cache.rglob("*.nbi"))) if cache.is_dir() else 0
    if not os.access(_existing(cache), os.W_OK):
        return Finding(name, FAIL, f"{cache} is not writable", "set NUMBA_CACHE_DIR to a folder that is")
    if (cache / COMPLETE).exists():
        return Finding(name, OK, f"{count}, complete for these sources, in {cache}")
    if why := stands_in():
        return Finding(name, WARN, why, f"set {SETTING} to a folder of yours, and the next start finds them")
    text = f"{count} in {cache}, not complete for these sources"
    return Finding(name, WARN, text, "the first `zerog run` compiles for about half a minute")


def sockets(runtime: Path) -> Finding:
    """Can the run's sockets lie there?"""
    name = "run-time directory"
    try:
        may_hold_sockets(runtime)
    except LinkError as error:
        return Finding(name, FAIL, str(error))
    return Finding(name, OK, f"{runtime}{'' if runtime.is_dir() else ' (can be made)'}")


def lasting(state: StateDirectory) -> Finding:
    """Does what a run leaves behind last until the next one?"""
    name = "state directory"
    if not state.forgets:
        return Finding(name, OK, f"{state.path}{'' if state.path.is_dir() else ' (can be made)'}")
    remedy = "a real arm does not float; set run.state_directory to a folder that lasts"
    return Finding(name, WARN if state.stands_in else FAIL, state.forgets, remedy)


def disk(folder: Path) -> Finding:
    """Is there room for marks and logs?"""
    free = shutil.disk_usage(_existing(folder)).free
    verdict = OK if free >= SPARE_DISK else WARN if free >= LEAST_DISK else FAIL
    return Finding("free disk", verdict, f"{free / MIB:.0f} MiB", f"at least {SPARE_DISK // MIB} MiB")


def memory(root: Path) -> Finding:
    """Is there room for the processes?"""
    lines = dict(line.split(":", 1) for line in read(root / "proc/meminfo").splitlines() if ":" in line)
    if "MemAvailable" not in lines:
        return Finding("free memory", WARN, "unknown", "/proc/meminfo cannot be read")
    free = int(lines["MemAvailable"].split()[0]) * 1024
    verdict = OK if free >= SPARE_MEMORY else WARN if free >= LEAST_MEMORY else FAIL
    return Finding("free memory", verdict, f"{free / MIB:.0f} MiB", f"at least {SPARE_MEMORY // MIB} MiB")


def _existing(folder: Path) -> Path:
    """Return the folder, or the nearest above it that exists."""
    return next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())

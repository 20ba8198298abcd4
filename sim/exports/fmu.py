"""FMI 2 co-simulation unit, built by pythonfmu: its host needs Python, numpy, numba and this package."""

import hashlib
import importlib
import sys
import tempfile
from pathlib import Path
from typing import Any

from hil.common.errors import AssemblyError
from sim.assembly.manipulator import Manipulator
from sim.drives.drive import DriveParameters
from sim.exports.stored import stored_text
from sim.exports.text import identifier

SCRIPT = '''\
"""The script that pythonfmu's library runs: the arm is in arm.json, what runs it in the package."""

from sim.exports.fmu_slave import ArmSlave


class {name}(ArmSlave):
    """{title}."""
'''


def fmu_bytes(manipulator: Manipulator, drives: tuple[DriveParameters, ...]) -> bytes:
    """Return a manipulator as a co-simulation unit, the content of a file `.fmu`.

    Raises:
        AssemblyError: pythonfmu is not there.
    """
    builder = _builder()
    name = identifier(manipulator.name)
    content = stored_text(manipulator, drives)
    module = f"{name}_{hashlib.sha256(content.encode()).hexdigest()[:8]}"  # units of one process share names
    with tempfile.TemporaryDirectory() as folder:
        script, arm, unit = (Path(folder) / file for file in (f"{module}.py", "arm.json", "unit.fmu"))
        script.write_text(SCRIPT.format(name=name, title=manipulator.name), encoding="utf-8")
        arm.write_text(content, encoding="utf-8")
        before = list(sys.path)
        sys.modules.pop(module, None)  # of a unit that runs in this process
        importlib.invalidate_caches()
        try:
            builder.build_FMU(script, dest=unit, project_files=[arm])
        finally:  # the builder imports the script, and leaves both behind
            sys.path[:] = before
            sys.modules.pop(module, None)
        return unit.read_bytes()


def _builder() -> Any:
    try:
        from pythonfmu import FmuBuilder
    except ImportError:
        raise AssemblyError("an FMU needs pythonfmu: pip install 'zerog-emulator[fmu]'") from None
    return FmuBuilder

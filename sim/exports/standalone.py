"""The stand-alone simulator: a folder with one program that needs nothing else, its sources, its README.

source: Krenn et al., DYMO-SIM, "a stand-alone simulation application of the robot, that runs independently
from specific simulation software packages". `simulator.c` has the equations of sim/chain and sim/drives once
more, in C; `arm.h` is written here. The tests hold the program to the workbench's simulation within 1e-9.
"""

import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import AssemblyError
from sim.assembly.manipulator import Manipulator
from sim.chain.dynamics import bias
from sim.drives.drive import DriveParameters, packed
from sim.drives.resting import rest
from sim.drives.state import STATE
from sim.exports.swing import home_of
from sim.exports.text import number
from sim.exports.tip_follower import JOINT_DAMPING, LENGTH, RATE

SOURCE = Path(__file__).with_name("simulator.c")
README = Path(__file__).with_name("simulator.md")
DT = 0.001  # s
FLAGS = ("-std=c11", "-O2", "-ffp-contract=off", "-static")  # static: any Linux of this processor runs it


def standalone_files(
    manipulator: Manipulator, drives: Sequence[DriveParameters], dt: float = DT
) -> dict[str, bytes]:
    """Return the folder's files by name, the program among them.

    Args:
        manipulator: see there.
        drives: of its joints, base first.
        dt: step [s].

    Raises:
        AssemblyError: there is no C compiler, or it fails.
    """
    folder, source = f"{manipulator.name}_simulator", SOURCE.read_text(encoding="utf-8")
    header = header_text(manipulator, drives, dt)
    readme = README.read_text(encoding="utf-8").replace("NAME", manipulator.name)
    return {
        f"{folder}/simulator": _compiled(source, header),
        f"{folder}/simulator.c": source.encode(),
        f"{folder}/arm.h": header.encode(),
        f"{folder}/README.md": readme.encode(),
    }


def header_text(manipulator: Manipulator, drives: Sequence[DriveParameters], dt: float) -> str:
    """Return arm.h: the layout of drives and states, the numbers of the arm, its start at rest at home."""
    records = packed(drives)
    rigid = records["elastic"] == 0
    arm = manipulator.chain._replace(
        armatures=np.where(rigid, records["rotor_inertia"] * records["ratio"] ** 2, 0.0)
    )
    home, states = home_of(manipulator), np.zeros(len(records), STATE)
    rest(records, states, home, bias(arm, home, np.zeros(len(drives)), manipulator.gravity))
    names = ", ".join(f'"{axis.name}"' for axis in manipulator.axes)
    constants = {"H": dt, "RATE": RATE, "L": LENGTH, "DAMPING": JOINT_DAMPING}
    constant = {
        "joint_axes[N][3]": arm.axes,
        "centres[N + 1][3]": arm.centres,
        "masses[N + 1]": arm.masses,
        "armatures[N]": arm.armatures,
        "lower[N]": manipulator.lower,
        "upper[N]": manipulator.upper,
        "speeds[N]": manipulator.speeds,
        "q_start[N]": home,
        "gravity[3]": manipulator.gravity,
    }
    lines = [
        f"/* {manipulator.name}; SI units. */",
        f"#define N {len(drives)}",
        *(f"#define {name} {number(value)}" for name, value in constants.items()),
        *_layout("Drive", records.dtype),
        *_layout("State", states.dtype),
        f"static const char *joint_names[N] = {{{names}}};",
        f"static const int linear[N] = {{{', '.join(str(int(v)) for v in arm.linear)}}};",
        f"static double placements[N][3][4] = {_braces(arm.placements[:, :3])};",
        f"static double last_to_tip[3][4] = {_braces(arm.T_last_tip[:3])};",
        f"static double inertias[N + 1][3][3] = {_braces(arm.inertias)};",
        *(f"static const double {name} = {_braces(values)};" for name, values in constant.items()),
        f"static const Drive drive_values[N] = {_records(records)};",
        f"static const State state_values[N] = {_records(states)};",
    ]
    return "\n".join(lines) + "\n"


def _layout(name: str, kind: Any) -> list[str]:
    kinds = {"f": "double", "i": "long"}
    return ["typedef struct {", *(f"    {kinds[kind[k].kind]} {k};" for k in kind.names), f"}} {name};"]


def _braces(values: Array | Iterable[Any]) -> str:
    return "{" + ", ".join(number(v) if np.ndim(v) == 0 else _braces(v) for v in values) + "}"


def _records(records: Any) -> str:
    rows = ("{" + ", ".join(f".{k} = {number(row[k])}" for k in records.dtype.names) + "}" for row in records)
    return "{\n    " + ",\n    ".join(rows) + "}"


def _compiled(source: str, header: str) -> bytes:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise AssemblyError(
            "the stand-alone simulator is made by a C compiler, and there is neither cc nor gcc: install one"
        )
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "simulator.c").write_text(source, encoding="utf-8")
        (Path(folder) / "arm.h").write_text(header, encoding="utf-8")
        command = [compiler, *FLAGS, "-o", "simulator", "simulator.c", "-lm"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            first = (done.stderr.strip() or "no message").splitlines()[0]
            raise AssemblyError(f"the stand-alone simulator cannot be compiled by {compiler}: {first}")
        return (Path(folder) / "simulator").read_bytes()

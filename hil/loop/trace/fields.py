"""The trace of a lock-step run: one table of arrays with shape, unit and meaning, and its file.

Letters in shapes: n rows (one an FRI cycle), m pushes, i impulses, r slice revisions, l plans,
a arm angles of all plans, c slices named by all plans; k rows as n, none without an emulated port; b states
of
bodies inside, none of a rigid object.
"""

import dataclasses
import zipfile
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import numpy as np

from hil.common.arrays import Array, BoolArray, IntArray
from hil.common.errors import TraceError

Text = np.ndarray[Any, np.dtype[np.str_]]
ZIP_DATE = (1980, 1, 1, 0, 0, 0)  # a fixed date: the same content gives the same bytes


@dataclasses.dataclass(frozen=True)
class Column:
    """An array of the trace; `shape` is a blank-separated list of letters and lengths.

    `frame` says in which axes it is where its name does not (`hil/common/flat_columns.py: frame_of`).
    `of`: only a run with an emulated `port`, or with bodies `inside` the object, has rows of it; in the file
    of another one it is absent.
    """

    shape: str
    unit: str
    meaning: str
    dtype: str = "f8"
    frame: str = ""
    of: str = ""


@dataclasses.dataclass(frozen=True, eq=False)
class Trace:
    """What happened in a run, as arrays. Frames and moment points: docs/understand/trace.md."""

    # one row an FRI cycle
    t: Annotated[Array, Column("n", "s", "virtual time of the row")]
    wrench_true: Annotated[
        Array,
        Column(
            "n 6",
            "N, N m",
            "true push at t; world axes, about the centre of mass",
            frame="world",
        ),
    ]
    wrench_measured: Annotated[
        Array,
        Column(
            "n 6",
            "N, N m",
            "the driver's unfiltered estimate; object axes, about the centre of mass",
            frame="object",
        ),
    ]
    q_command: Annotated[Array, Column("n 7", "rad", "joint positions commanded in this cycle")]
    q_measured: Annotated[Array, Column("n 7", "rad", "joint positions measured in this cycle")]
    commanded: Annotated[
        BoolArray, Column("n", "1", "the command was the driver's own, not a mirror of the robot", "?")
    ]
    p_world_object_sim: Annotated[Array, Column("n 3", "m", "centre of mass as simulated, believed at t")]
    quat_world_object_sim: Annotated[Array, Column("n 4", "w x y z", "attitude as simulated, believed at t")]
    twist_world_object_sim: Annotated[
        Array, Column("n 6", "m/s, rad/s", "velocity as simulated, per object time")
    ]
    p_world_object_arm: Annotated[Array, Column("n 3", "m", "centre of mass as the arm really held it at t")]
    quat_world_object_arm: Annotated[
        Array, Column("n 4", "w x y z", "attitude as the arm really held it at t")
    ]
    p_world_object_ideal: Annotated[Array, Column("n 3", "m", "centre of mass of the ideal body")]
    quat_world_object_ideal: Annotated[Array, Column("n 4", "w x y z", "attitude of the ideal body")]
    twist_world_object_ideal: Annotated[Array, Column("n 6", "m/s, rad/s", "velocity of the ideal body")]
    ideal_reset: Annotated[
        BoolArray, Column("n", "1", "the ideal body was set to the simulated one at this row", "?")
    ]
    contact_sim: Annotated[BoolArray, Column("n", "1", "the simulated body touches a stop or a wall", "?")]
    pressed_sim: Annotated[
        BoolArray, Column("n", "1", "pins or plates press on the simulated body, or did 10 ms before", "?")
    ]
    contact_ideal: Annotated[BoolArray, Column("n", "1", "the ideal body touches a stop", "?")]
    state: Annotated[Text, Column("n", "text", "state of the machine", "U11")]
    rate: Annotated[Array, Column("n", "1", "pace of object time; 1 is true physics")]
    epoch: Annotated[IntArray, Column("n", "1", "counts how often floating began anew", "i8")]
    # one row a push of the operator
    push_t_start: Annotated[Array, Column("m", "s", "start of the true force")]
    push_t_end: Annotated[Array, Column("m", "s", "end of the true force")]
    push_value: Annotated[
        Array,
        Column("m 6", "N s, N m s", "true impulse; world axes, about the centre of mass", frame="world"),
    ]
    # one row an impulse that the detector reported, its slices summed
    impulse_id: Annotated[IntArray, Column("i", "1", "the detector's number", "i8")]
    impulse_t_start: Annotated[Array, Column("i", "s", "start, as detected")]
    impulse_t_end: Annotated[Array, Column("i", "s", "end, as detected")]
    impulse_t_centroid: Annotated[Array, Column("i", "s", "centroid, as detected")]
    impulse_value: Annotated[
        Array,
        Column("i 6", "N s, N m s", "detected impulse; world axes, about the centre of mass", frame="world"),
    ]
    impulse_deviation: Annotated[
        Array,
        Column("i", "N s", "its standard deviation, as detected: of an axis of force, mean square of three"),
    ]
    impulse_sustained: Annotated[BoolArray, Column("i", "1", "the push lasted longer than 0.5 s", "?")]
    impulse_ended: Annotated[BoolArray, Column("i", "1", "the detector reported its end", "?")]
    slice_t: Annotated[Array, Column("r", "s", "when a slice or a revision of one was reported")]
    # one row a plan
    plan_t: Annotated[Array, Column("l", "s", "instant that the plan rests on")]
    plan_epoch: Annotated[IntArray, Column("l", "1", "epoch of the plan", "i8")]
    plan_number: Annotated[IntArray, Column("l", "1", "number of the prediction that was planned", "i8")]
    plan_object_time_0: Annotated[Array, Column("l", "s", "object time of the plan's first sample")]
    plan_step: Annotated[Array, Column("l", "s", "object time from one arm angle to the next")]
    plan_time_map: Annotated[
        Array, Column("l 4", "s, s, 1, 1", "wall time to object time, counted from plan_t")
    ]
    plan_branch: Annotated[IntArray, Column("l", "1", "branch of the inverse kinematics", "i8")]
    plan_policy: Annotated[Text, Column("l", "text", "RUN, SLOW or HOLD", "U4")]
    plan_arm_angle: Annotated[
        Array, Column("a", "rad", "arm angles of the first second of all plans, end to end")
    ]
    plan_arm_angle_end: Annotated[
        IntArray, Column("l", "1", "where a plan's arm angles end in plan_arm_angle", "i8")
    ]
    plan_slices: Annotated[
        IntArray, Column("c 3", "1", "impulse, slice and revision that plans contain", "i8")
    ]
    plan_slices_end: Annotated[IntArray, Column("l", "1", "where a plan's slices end in plan_slices", "i8")]
    # constants
    cut_from: Annotated[
        Array, Column("", "s", "the end cuts off what begins from here on: neither right nor wrong")
    ]
    mass_kg: Annotated[Array, Column("", "kg", "mass of the emulated object")]
    inertia_object: Annotated[
        Array, Column("3 3", "kg m2", "its inertia about the centre of mass, object axes")
    ]
    T_tcp_object: Annotated[Array, Column("4 4", "m", "pose of the object in the tcp")]
    T_world_base: Annotated[Array, Column("4 4", "m", "pose of the robot's base in the world")]
    limit_lower: Annotated[Array, Column("7", "rad", "lowest commanded position: URDF and margin")]
    limit_upper: Annotated[Array, Column("7", "rad", "highest commanded position: URDF and margin")]
    limit_velocity: Annotated[Array, Column("7", "rad/s", "largest joint speed")]
    limit_acceleration: Annotated[Array, Column("7", "rad/s2", "largest joint acceleration")]
    limit_jerk: Annotated[Array, Column("7", "rad/s3", "largest joint jerk")]
    # one row an FRI cycle of a run with an emulated port
    port_wrench: Annotated[
        Array,
        Column(
            "k 6",
            "N, N m",
            "what the port truly exerts on the mock-up at t; world axes, about the centre of mass",
            frame="world",
            of="port",
        ),
    ]
    port_penetration: Annotated[
        Array, Column("k", "m", "how deep the deepest foot is in its face; negative: a gap", of="port")
    ]
    p_world_port: Annotated[Array, Column("k 3", "m", "the point of its face", of="port")]
    v_world_port: Annotated[Array, Column("k 3", "m/s", "velocity of the port", of="port")]
    port_deflection: Annotated[
        Array,
        Column(
            "k 3",
            "m",
            "of the mock-up from where the joints have it; world axes",
            frame="world",
            of="port",
        ),
    ]
    port_measured: Annotated[
        Array,
        Column(
            "k 6",
            "N, N m",
            "what the port's own sensor measured on it; world axes, about the point of its face",
            frame="world",
            of="port",
        ),
    ]

    # one row a state of the bodies inside, about as often as predictions
    inside_t: Annotated[Array, Column("b", "s", "when it was so", of="inside")]
    inside_momentum: Annotated[
        Array,
        Column(
            "b 6",
            "N s, N m s",
            "of all bodies, angular about their centre of mass; world axes",
            frame="world",
            of="inside",
        ),
    ]
    inside_energy: Annotated[Array, Column("b", "J", "of all bodies, and of all springs", of="inside")]
    inside_work: Annotated[
        Array, Column("b", "J", "what bodies that move by themselves had done", of="inside")
    ]

    def names(self) -> list[str]:
        """Return the names of its arrays, in order: those of port or bodies inside only if it had any."""
        return [name for name, column in COLUMNS.items() if not column.of or len(getattr(self, name))]

    def save(self, path: Path) -> None:
        """Write the trace as an `.npz` file; equal traces give equal bytes.

        Raises:
            TraceError: the file cannot be written.
        """
        try:
            with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
                for name in sorted(self.names()):
                    entry = zipfile.ZipInfo(f"{name}.npy", ZIP_DATE)
                    entry.create_system = 3  # not the machine's: bytes must not depend on it
                    with archive.open(entry, "w", force_zip64=True) as file:
                        np.lib.format.write_array(file, np.asarray(getattr(self, name)), allow_pickle=False)
        except OSError as error:
            raise TraceError(f"{path}: cannot be written: {error.strerror}") from error

    @classmethod
    def load(cls, path: Path) -> "Trace":
        """Return the trace in the file at `path`.

        Raises:
            TraceError: the file cannot be read or is no trace; arrays that are missing are named.
        """
        try:
            with np.load(path, allow_pickle=False) as archive:
                arrays = {name: archive[name] for name in archive.files}
        except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
            raise TraceError(f"{path}: is no readable .npz file: {error}") from error
        return trace_from(arrays, str(path))


COLUMNS: dict[str, Column] = {
    name: hint.__metadata__[0] for name, hint in get_type_hints(Trace, include_extras=True).items()
}


def trace_from(arrays: dict[str, Any], name: str = "trace") -> Trace:
    """Return the trace made of `arrays`, with shapes checked and dtypes brought to the table's.

    Raises:
        TraceError: an array is missing, or its shape does not fit the others.
    """
    parts = {""} | {COLUMNS[key].of for key in arrays if key in COLUMNS}
    missing = [key for key, column in COLUMNS.items() if key not in arrays and column.of in parts]
    if missing:
        raise TraceError(f"{name}: lacks the arrays {', '.join(missing)}; record it again with this version")
    lengths: dict[str, int] = {}
    checked = {}
    for key, wanted in COLUMNS.items():
        given = arrays[key] if key in arrays else np.zeros([0, *map(int, wanted.shape.split()[1:])])
        array = np.asarray(given, dtype=wanted.dtype, order="C")
        _check_shape(f"{name}: {key}", array.shape, wanted.shape.split(), lengths)
        checked[key] = array
    return Trace(**checked)


def _check_shape(name: str, shape: tuple[int, ...], wanted: list[str], lengths: dict[str, int]) -> None:
    """Refuse a shape that is not the wanted one; the first use of a letter sets its length."""
    expected = []
    for axis, item in enumerate(wanted):
        if not item.isdigit() and axis < len(shape):
            lengths.setdefault(item, shape[axis])
        expected.append(int(item) if item.isdigit() else lengths.get(item, -1))
    if tuple(expected) != shape:
        raise TraceError(f"{name} has shape {shape}, expected {tuple(expected)} ({' '.join(wanted)})")

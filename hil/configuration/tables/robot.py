"""The arm, its limits and its interface."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from hil.common.arrays import Array
from hil.configuration.addresses import Address, Controller
from hil.configuration.quantities import Quantity, Section
from hil.configuration.tables.kinds import JOINT_DEGREES, Degrees3, Millimetres3, Reason


class Robot(Section):
    """The arm, where it stands, and where it holds the mock-up.

    In: driver, sim, planner, emulator, daemon.
    """

    kind: Literal["emulated", "fri"]
    """`emulated`: the run brings its own arm; `fri`: it speaks to a controller, or to `zerog emulate`."""
    model: Path
    """URDF or assembly of the arm, relative to the configuration's folder."""
    mount_position: Millimetres3
    """Origin of the base in world axes."""
    mount_rotvec: Degrees3
    """Turn of the base in the world: axis times angle."""
    tcp_position: Millimetres3
    """Where the mock-up is held (tcp), in flange axes."""
    tcp_rotvec: Degrees3
    """Turn of the tcp in the flange: axis times angle."""
    start: Annotated[Array, JOINT_DEGREES]
    """Joints of the pose from which to float; `zerog approach` leads there."""


class Limits(Section):
    """Bounds on every command; the model's position limits hold as well. In: driver, planner, emulator."""

    velocity: Annotated[Array, Quantity("deg_s", gt=0.0, le=400.0, length=7)]
    """Largest speed of each joint."""
    acceleration: Annotated[Array, Quantity("rad_s2", gt=0.0, le=100.0, length=7)]
    """Largest acceleration of each joint."""
    jerk: Annotated[Array, Quantity("rad_s3", gt=0.0, le=5000.0, length=7)]
    """Largest jerk of each joint."""
    position_margin: Annotated[float, Quantity("deg", ge=0.5, le=20.0)] = 0.0174532925
    """By which commands stay inside the model's joint limits."""
    command_fraction: Annotated[float, Quantity(gt=0.1, le=0.98)] = 0.95
    """Share of the limits that the limiter uses; the guard holds the rest. In: driver."""
    following_error: Annotated[Array | None, Quantity("deg", gt=0.0, le=90.0, length=7)] = None
    """By which a measured joint may be off its command, the interface's delay apart: beyond it the arm is
    stuck, pushed away or not under control, and brakes. Absent: from velocity and delay (docs/theory.md,
    section 8). In: driver."""


class Override(Section):
    """What a real arm may lack and move all the same, each with the reason; empty: it may not lack it.

    In: daemon.
    """

    stops: Reason = ""
    """Why it may move without stops (`stops.enabled = false`)."""
    certificate: Reason = ""
    """Why it may move though `stops.certified` is not that of these stops."""
    force_path: Reason = ""
    """Why it may move though the force path's ratio is above its bound."""
    wrench_reading: Reason = ""
    """Why it may move though `wrench_sign` or `wrench_frame` is not written down."""
    wrench_check: Reason = ""
    """Why it may move though `zerog check-wrench` has not passed."""


class Fri(Section):
    """KUKA's Fast Research Interface, version 1.0. In: driver, emulator."""

    bind_address: Address = "127.0.0.1"
    """Of this machine, on the controller's cable: IPv4, no name."""
    port: int = Field(default=49938, ge=1024, le=65535)
    """UDP port on which the controller's packets arrive."""
    controller_address: Controller = "127.0.0.1"
    """Of the controller, IPv4: packets from elsewhere are dropped."""
    sample_time: Annotated[float, Quantity("ms", ge=1.0, le=20.0)] = 0.002
    """Of the controller's packets, as its KRL program calls FRIOPEN."""
    timeout: Annotated[float, Quantity("ms", ge=20.0, le=5000.0)] = 0.1
    """Without a packet for so long the robot counts as silent. In: driver, daemon."""
    wrench_frame: Literal["tool", "base"] = "base"
    """Axes of the controller's estimate of the wrench. For a real arm it must be written down."""
    wrench_sign: Literal[-1, 1] = 1
    """1: the estimate is what the environment exerts on the tool; -1: the reverse. For a real arm it must be
    written down; `zerog check-wrench` tells which."""
    torque_sign: Literal[-1, 0, 1] = 1
    """The same for the estimate of external joint torques; 0: they are no witness of the wrench."""
    handshake: Literal["automatic", "krl_int"] = "automatic"
    """`automatic`: the controller's program starts command mode by itself; `krl_int`: it waits until the
    client's first KRL integer goes from 1 to 10, which it does at quality OK or better
    (docs/use/own/krl.md)."""
    control_strategy: Literal["either", "position", "joint_impedance"] = "either"
    """Control law under which the arm is commanded (`$STIFFNESS.STRATEGY` 10 or 30), and under no other."""
    echo_cycles: int = Field(default=1, ge=1, le=20)
    """After how many cycles a command shows in the controller's own: what it then commands must be that."""
    override: Override = Override()

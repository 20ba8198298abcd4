"""What a configuration may say about a second arm that grasps the held mock-up, and about what it grasps."""

import math
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from hil.common.arrays import Array, frozen_array
from hil.configuration.addresses import OtherController
from hil.configuration.quantities import Quantity, Section
from hil.configuration.tables.kinds import Degrees3, Millimetres3

TOOL_IN_BAR = frozen_array([[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]])  # it comes from above


class Grasp(Section):
    """A bar on the mock-up and the pads that grip it; when a grasp begins, acts and ends.

    Absent: nobody grasps the mock-up. In: emulator, driver.
    """

    bar_position: Millimetres3
    """Its middle, from the object's centre of mass, object axes."""
    bar_rotvec: Degrees3 = frozen_array([0.0, 0.0, 0.0])
    """Its axes in those of the object. Pads press along its y; the tool comes from its +z, against z."""
    bar_size: Annotated[Array, Quantity("mm", gt=0.0, le=1000.0, length=3)]
    """Its edges along its x, y and z."""
    pad_half: Annotated[float, Quantity("mm", gt=0.0, le=100.0)] = 0.012
    """Half the way between the four points of a pad, along its x and z."""
    pad_stiffness: Annotated[float, Quantity("n_per_m", ge=100.0, le=1e6)]
    """Of a whole pad along its normal; along its face half of it."""
    pad_damping: Annotated[float, Quantity("n_s_per_m", ge=0.0, le=1e5)]
    """Beside that spring; it never pulls."""
    friction: Annotated[float, Quantity(ge=0.0, le=2.0)] = 0.6
    """Coulomb's coefficient between pad and bar."""
    grip: Annotated[float, Quantity("n", gt=0.0, le=40.0)] = 25.0
    """With which each pad presses when the gripper is closed."""
    opening: Annotated[float, Quantity("mm", gt=0.0, le=200.0)] = 0.03
    """Of each pad from the middle when it is open."""
    closing_speed: Annotated[float, Quantity("mm_s", gt=0.0, le=100.0)] = 0.1
    """Of each pad; faster ones would hit the bar with more than the gripper's force."""
    finger_mass: Annotated[float, Quantity("kg", ge=0.05, le=5.0)] = 0.25
    """Of each finger with its pad."""
    near: Annotated[float, Quantity("mm", ge=5.0, le=500.0)] = 0.05
    """Between bar and pad, below which the wrench's baseline is frozen."""
    touch_force: Annotated[float, Quantity("n", gt=0.0, le=20.0)] = 2.0
    """Felt, or told by the pads, from which on every force acts."""
    max_force: Annotated[float, Quantity("n", gt=0.0, le=150.0)] = 40.0
    """Above it the gripper opens, and object time is held."""
    max_torque: Annotated[float, Quantity("n_m", gt=0.0, le=50.0)] = 6.0
    """The same about the middle of the bar."""
    max_energy: Annotated[float, Quantity("n_m", gt=0.0, le=10.0)] = 0.05
    """That the held mock-up may gain beyond the work done on it [J], before the gripper opens."""
    unseen_force: Annotated[float, Quantity("n", ge=0.0, le=20.0)] = 1.0
    """By which the measured force may be wrong: its work is no gain."""
    clearance: Annotated[float, Quantity("mm", ge=0.0, le=500.0)] = 0.03
    """Between the two arms at least."""
    law: Literal["auto", "full", "closing"] = "auto"
    """How a force that is late acts: carried on to now in place and speed, or in speed at once and in place
    little by little. `auto`: `full` while pads and delay allow it (docs/understand/second_arm.md)."""

    @property
    def T_object_tool(self) -> Array:
        """Pose of a tool that grasps the bar's middle, in the object, shape (4, 4)."""
        T = np.eye(4)
        T[:3, :3] = rotation_of(self.bar_rotvec) @ TOOL_IN_BAR
        T[:3, 3] = self.bar_position
        return T


class Partner(Section):
    """The second arm: where it stands, its Cartesian impedance, and what it does. In: emulator."""

    plan: Path
    """What it does: phases of a grasp, a TOML file."""
    port: int = Field(default=49939, ge=1024, le=65535)
    """UDP port on which its controller's packets arrive, at `fri.bind_address`: of `zerog partner`, or of a
    client of one's own (docs/use/own/partner.md)."""
    controller_address: OtherController = ""
    """Of its controller, IPv4: packets from elsewhere are dropped. Empty: as `fri.controller_address`."""
    mount_position: Millimetres3
    """Its base in world."""
    mount_rotvec: Degrees3
    """Its base's axes in world."""
    tool_length: Annotated[float, Quantity("mm", ge=0.0, le=1000.0)] = 0.1
    """From its flange to the middle between its pads."""
    mass: Annotated[float, Quantity("kg", ge=0.2, le=50.0)]
    """Apparent at its tip."""
    inertia: Annotated[float, Quantity("kg_m2", ge=1e-3, le=10.0)]
    """Apparent about its tip."""
    stiffness: Annotated[float, Quantity("n_per_m", ge=10.0, le=1e5)]
    """Of its tip."""
    damping: Annotated[float, Quantity("n_s_per_m", ge=0.0, le=1e4)]
    """Of its tip."""
    stiffness_turning: Annotated[float, Quantity("n_m_per_rad", ge=1.0, le=1e4)]
    """The same about its tip."""
    damping_turning: Annotated[float, Quantity("n_m_s_per_rad", ge=0.0, le=1e3)]
    """The same about its tip."""
    force_limit: Annotated[float, Quantity("n", gt=0.0, le=40.0)] = 40.0
    """With which its impedance pulls at most."""
    torque_limit: Annotated[float, Quantity("n_m", gt=0.0, le=6.0)] = 6.0
    """The same about its tip."""


def rotation_of(rotvec: Array) -> Array:
    """Return the rotation matrix (3, 3) of a rotation vector [rad], without kernels."""
    angle = math.hypot(*rotvec)
    x, y, z = rotvec / angle if angle else rotvec
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + math.sin(angle) * K + (1.0 - math.cos(angle)) * K @ K)

"""An assembled manipulator, driven: bodies from the assembly, drives from the components."""

from collections.abc import Sequence

import numpy as np

from hil.common.arrays import Array
from sim.assembly.database import Database
from sim.assembly.manipulator import Manipulator
from sim.drives.drive import DriveParameters
from sim.drives.driven_arm import DrivenArm
from sim.drives.of_assembly import ControllerName, drives_of


class ArmSimulation(DrivenArm):
    """A manipulator from the database as a running model; see `DrivenArm` for what it does and shows."""

    def __init__(
        self,
        manipulator: Manipulator,
        database: Database,
        dt: float = 0.001,
        *,
        controller: ControllerName = "cascade",
        drives: Sequence[DriveParameters] | None = None,
        q_start: Array | None = None,
        gravity: Array | None = None,
        base_mass: float | None = None,
        base_inertia: Array | None = None,
        base_twist: Array | None = None,
        T_world_base: Array | None = None,
        rotors_spin: bool | None = None,
    ) -> None:
        """Place the manipulator at rest and in balance.

        Args:
            manipulator: an assembly as a mechanism.
            database: of the components that its joints name.
            dt: step [s].
            controller: of all joints: "cascade", "impedance" or "off".
            drives: instead of those that the components say, base first.
            q_start: where it begins [rad, m], shape (n,); the middle of each joint's range.
            gravity: in world axes [m/s2], shape (3,); the assembly's, turned with the base, or none where
                that floats.
            base_mass: of a satellite that floats with the arm on it [kg]; None: the base stands.
            base_inertia: of the satellite about the base's origin [kg m2], shape (3, 3).
            base_twist: with which a floating base begins; see `DrivenArm`.
            T_world_base: pose of the base, shape (4, 4).
            rotors_spin: see `DrivenArm`.

        Raises:
            DriveError: numbers that do not fit together, or a component of the wrong kind.
            AssemblyError: a component that is not in the database.
        """
        self.manipulator = manipulator
        if gravity is None:
            turned = np.eye(3) if T_world_base is None else T_world_base[:3, :3]
            gravity = np.zeros(3) if base_mass is not None else turned @ manipulator.gravity
        super().__init__(
            manipulator.chain,
            drives_of(manipulator, database, controller) if drives is None else drives,
            gravity,
            dt,
            q_start=0.5 * (manipulator.lower + manipulator.upper) if q_start is None else q_start,
            base_mass=base_mass,
            base_inertia=base_inertia,
            base_twist=base_twist,
            T_world_base=T_world_base,
            rotors_spin=rotors_spin,
        )

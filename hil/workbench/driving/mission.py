"""A mission: an arm with where it stands, what is around and what it does. A bare assembly is one as well."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from hil.common.arrays import Array
from hil.common.errors import DrivingError
from hil.configuration.faults import sentences
from hil.configuration.loading import table_of, text_of
from hil.workbench.driving.around.satellite import Satellite, satellite_moving
from hil.workbench.driving.around.surface import Surface
from hil.workbench.driving.follower import TwistLimits
from hil.workbench.driving.mission_schema import MissionFile, SatelliteSection, SurfaceSection
from hil.workbench.driving.ready import WHOLE, ready
from hil.workbench.driving.session import DriveSession, Inverse
from planner.inverse.lagrange import LagrangeInverse
from planner.inverse.passive_chain import LENGTH, PassiveChain
from sim.assembly.assembly_file import assembly_text, load_assembly
from sim.assembly.chain import Chain, pose_of
from sim.assembly.component_rules import inertia_matrix
from sim.assembly.database import Database
from sim.assembly.manipulator import Manipulator, manipulator_of
from sim.drives.arm_simulation import ArmSimulation


def _length(m: Manipulator) -> float:
    """Return the length by which angles count [m]; none where joints are too few: then the place does."""
    return LENGTH if len(m.axes) >= WHOLE else 0.0


CALM = (
    1e-2  # [s2] weight of joint speeds beside positions: within its null space the arm comes home in seconds
)


def inverse_of(kind: str, m: Manipulator, q: Array) -> Inverse:
    """Return an inverse kinematics, by its name, for an arm that begins at `q` (n,), and is at home there."""
    if kind == "passive-chain":
        return PassiveChain(m.chain, m.lower, m.upper, length=_length(m))
    return LagrangeInverse(
        m.chain, m.lower, m.upper, ("position", "speed"), (1.0, CALM), q_ref=q, length=_length(m)
    )


@dataclass(frozen=True)
class Mission:
    """What is driven.

    Attributes:
        file: what its file says; of a bare assembly the defaults.
        chain: the arm.
        text: the mission's file; empty for a bare assembly.
    """

    file: MissionFile
    chain: Chain
    text: str = ""

    @property
    def assembly_text(self) -> str:
        """The arm as an assembly's file."""
        return assembly_text(self.chain)


def load_mission(path: Path, database: Database) -> Mission:
    """Return the mission, or the bare assembly, in a file.

    Raises:
        DrivingError: the file breaks a rule; each is named with its key.
        AssemblyError: so does the assembly.
    """
    text = text_of(path)
    table = table_of(text, path)
    if "parts" in table:
        chain = load_assembly(path, database)
        return Mission(MissionFile(name=chain.name, assembly=path.name), chain)
    try:
        file = MissionFile.model_validate(table)
    except ValidationError as error:
        raise DrivingError("\n".join(f"{path}: {s}" for s in sentences(error, MissionFile))) from None
    if file.satellite is not None and file.surface is not None:
        raise DrivingError(f"{path}: satellite and surface: a mission has one of them around the tip")
    if file.base.kind == "free" and not file.weightless:
        raise DrivingError(f"{path}: base.kind = 'free' needs weightless = true: a free base would fall")
    assembly = path.parent / file.assembly
    if not assembly.is_file():
        raise DrivingError(f"{path}: assembly = {file.assembly!r}: there is no such file beside it")
    return Mission(file, load_assembly(assembly, database), text)


def session_of(mission: Mission, q: Array | None = None) -> DriveSession:
    """Return a session with the mission's arm at rest at `q` (n,), or where arms begin, and what is around.

    Raises:
        AssemblyError: the assembly is no mechanism.
        DrivingError: its numbers make no arm that can be driven.
    """
    file, manipulator = mission.file, manipulator_of(mission.chain)
    if q is not None and (q.shape != (len(manipulator.axes),) or not np.isfinite(q).all()):
        raise DrivingError(
            f"{manipulator.name}: begins at {len(manipulator.axes)} joint positions, not at {q.tolist()}"
        )
    arm = arm_of(mission, manipulator, q)
    limits = TwistLimits(
        file.limits.speed, file.limits.turn, file.limits.acceleration, file.limits.turn_acceleration
    )
    T_tip = arm.T_world_base @ arm.T_base_tip
    around: Surface | Satellite | None = None
    if file.surface is not None:
        around = surface_of(file.surface, T_tip)
    elif file.satellite is not None:
        around = satellite_of(file.satellite, T_tip)
    return DriveSession(arm, inverse_of(file.inverse, manipulator, arm.q), limits, around)


def arm_of(mission: Mission, manipulator: Manipulator, q: Array | None = None) -> ArmSimulation:
    """Return the arm's simulation, at rest at `q` (n,), or where arms begin."""
    base = mission.file.base
    free = base.kind == "free"
    return ArmSimulation(
        manipulator,
        mission.chain.database,
        q_start=ready(manipulator) if q is None else q,
        T_world_base=pose_of(base.position, base.rotvec),
        gravity=np.zeros(3) if mission.file.weightless else None,
        base_mass=base.mass if free else None,
        base_inertia=inertia_matrix(base.inertia) if free else None,
    )


def surface_of(said: SurfaceSection, T_world_tip: Array) -> Surface:
    """Return a surface that lies where its table says from the tip."""
    normal = said.normal / max(float(np.linalg.norm(said.normal)), 1e-12)
    return Surface(T_world_tip[:3, 3] + said.away, normal, said.stiffness, said.damping, said.friction)


def satellite_of(said: SatelliteSection, T_world_tip: Array) -> Satellite:
    """Return a satellite whose grapple lies where its table says from the tip, turned as the tip is."""
    T_body_grapple = pose_of(said.grapple, np.zeros(3))
    T_grapple = T_world_tip.copy()
    T_grapple[:3, 3] += said.away
    T = T_grapple @ np.linalg.inv(T_body_grapple)
    return satellite_moving(
        said.mass, inertia_matrix(said.inertia), T, T_body_grapple, said.velocity, said.spin
    )

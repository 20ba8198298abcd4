"""What hangs at the flange, weighed by the tool's sensor in several attitudes, beside what should.

What the sensor reads with the tool less what it reads without is the tool's weight alone, bias and drift
apart. With the attitude's gravity g in the sensor's axes

    f = m g,    tau = (m c) x g,

which is linear in the mass m and the first moment m c: least squares over all attitudes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array
from hil.configuration.frames import pose_of
from hil.trials.validation.rack.loading import RackPlan
from hil.trials.validation.rack.schema import Changer, RackPeg
from planner.kinematics.forward import flange_pose

GRAVITY = 9.81  # [m/s2]
NOTHING = 0.25  # of the declared mass: less, and no tool hangs there
WELL, MISSING, WRONG = "well", "tool missing", "load wrong"


@dataclass(frozen=True, eq=False)
class Load:
    """What was weighed.

    Attributes:
        mass: [kg].
        centre: of mass, flange axes [m], shape (3,); of no worth where hardly anything hangs.
        mass_error: standard error [kg].
    """

    mass: float
    centre: Array
    mass_error: float

    def in_words(self) -> str:
        """Return it for people."""
        x, y, z = 1e3 * self.centre
        return f"{self.mass:.3f} kg with its centre at ({x:.0f}, {y:.0f}, {z:.0f}) mm"


def gravities(plan: RackPlan) -> Array:
    """Return gravity's acceleration in the sensor's axes in each attitude [m/s2], shape (n, 3)."""
    setup = plan.setups[0]
    sensor = setup.experiment.sensor
    turn = setup.T_world_base[:3, :3]
    R_flange_sensor = pose_of(sensor.rotvec, sensor.position)[:3, :3]
    down = np.array([0.0, 0.0, -GRAVITY])
    return np.array(
        [
            (turn @ flange_pose(setup.arm.geometry, q)[:3, :3] @ R_flange_sensor).T @ down
            for q in plan.attitudes
        ]
    )


def weighed(plan: RackPlan, empty: Array, loaded: Array, noise: Array) -> Load:
    """Return the load between two readings in all attitudes.

    Args:
        plan: the campaign.
        empty: without the tool, sensor axes [N, N m], shape (n, 6).
        loaded: with it, shape (n, 6).
        noise: standard deviation of a reading's mean, shape (6,).
    """
    sensor = plan.setups[0].experiment.sensor
    T = pose_of(sensor.rotvec, sensor.position)
    rows, values = [], []
    weights = 1.0 / np.maximum(noise, 1e-12)
    for g, apart in zip(gravities(plan), loaded - empty, strict=True):
        turned = np.array([[0.0, g[2], -g[1]], [-g[2], 0.0, g[0]], [g[1], -g[0], 0.0]])  # of m c: (m c) x g
        block = np.zeros((6, 4))
        block[:3, 0], block[3:, 1:] = g, turned
        rows.append(weights[:, None] * block)
        values.append(weights * apart)
    A = np.concatenate(rows)
    found, *_ = np.linalg.lstsq(A, np.concatenate(values), rcond=None)
    covariance = np.linalg.pinv(A.T @ A)
    mass = float(found[0])
    centre = found[1:] / mass if abs(mass) > 1e-6 else np.zeros(3)
    return Load(mass, np.asarray(T[:3, :3] @ centre + T[:3, 3]), float(np.sqrt(covariance[0, 0])))


def verdict(load: Load, peg: RackPeg, changer: Changer, pegs: Sequence[RackPeg]) -> tuple[str, str]:
    """Return what a load is beside a peg's declared one, `WELL`, `MISSING` or `WRONG`, and a line why."""
    said = f"peg {peg.name!r} of slot {peg.slot}"
    if load.mass < NOTHING * peg.mass:
        return MISSING, f"{said}: nothing hangs at the flange ({load.mass:.3f} kg, declared {peg.mass:g} kg)"
    if fits(load, peg, changer):
        return WELL, f"{said}: weighs {load.in_words()}, as declared"
    x, y, z = 1e3 * peg.centre
    others = [other.name for other in pegs if other is not peg and fits(load, other, changer)]
    guess = f"; it is as peg {others[0]!r} declares" if others else ""
    return WRONG, (
        f"{said}: weighs {load.in_words()}, declared {peg.mass:g} kg, ({x:.0f}, {y:.0f}, {z:.0f}) mm "
        f"(changer.mass_tolerance_kg = {changer.mass_tolerance:g}, centre_tolerance_mm = "
        f"{1e3 * changer.centre_tolerance:g}){guess}"
    )


def fits(load: Load, peg: RackPeg, changer: Changer) -> bool:
    """Return whether a load is a peg's within the tolerances."""
    near = float(np.linalg.norm(load.centre - peg.centre)) <= changer.centre_tolerance
    return abs(load.mass - peg.mass) <= changer.mass_tolerance and near

"""What no single key of [grasp] and [partner] shows: what goes with them, which grasp the loop can bear."""

from typing import NamedTuple

import numpy as np

from hil.configuration.grasp import Grasp, Partner
from hil.configuration.schema import Configuration

STIFFEST = 5000.0  # [N/m] of a partner: two stiff arms in one chain press by their calibration's error
LONGEST_DELAY = 0.06  # [s] from force to motion with which a grasp was ever stable
RESERVE = 1.3  # of the damping of the partner over the bound
MOST_FULL = 0.5  # of Kc T^2 / M up to which a force is carried on to now


class Delayed(NamedTuple):
    """A grasp in the loop's delay.

    Attributes:
        delay: from force to motion [s].
        mass: of the object at the bar, across the most yielding line [kg].
        stiffness_share: `Kc T^2 / M`.
        law: by which a late force acts, `full` or `closing`.
    """

    delay: float
    mass: float
    stiffness_share: float
    law: str


def configured_delay(c: Configuration) -> float:
    """Return after which time a configured emulation makes motion of force [s].

    A cycle for which a force is held, one that a command takes, and what arm and wrench have beyond that. Of
    a real arm what is known before it has moved: the delay with which the identification begins.
    """
    if c.robot.kind == "fri":
        return c.interpolation.lead_time + c.fri.sample_time + c.force.wrench_skew
    errors = c.emulator.wrench
    return 2.0 * c.fri.sample_time + c.emulator.delay + c.emulator.lag + errors.lag + errors.skew


def mass_at_bar(c: Configuration, grasp: Grasp) -> float:
    """Return the least mass of the object along any line through the bar's middle [kg].

    `1/M = max eigenvalue of (1/m + [r]^T J^-1 [r])`, docs/understand/contact_loop.md (1).
    """
    x, y, z = grasp.bar_position
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    mobility = np.eye(3) / c.object.mass + cross.T @ np.diag(1.0 / c.object.inertia) @ cross
    return float(1.0 / np.linalg.eigvalsh(mobility)[-1])


def delayed(c: Configuration, grasp: Grasp, delay: float) -> Delayed:
    """Return what a delay [s] makes of a grasp."""
    mass = mass_at_bar(c, grasp)
    share = grasp.pad_stiffness * delay**2 / mass
    auto = "full" if share < MOST_FULL else "closing"
    return Delayed(delay, mass, share, auto if grasp.law == "auto" else grasp.law)


def unbearable(c: Configuration, grasp: Grasp, partner: Partner, delay: float) -> str:
    """Return why no grasp may begin with a delay [s], with both numbers; empty if it may.

    theory: docs/understand/second_arm.md, (2) to (4).
    """
    at = delayed(c, grasp, delay)
    told = f"with {1e3 * delay:.1f} ms from force to motion"
    if delay > LONGEST_DELAY:
        return f"{told} no grasp is stable: {1e3 * LONGEST_DELAY:g} ms at most; a faster interface is needed"
    if grasp.law == "full" and at.stiffness_share >= 1.0:
        return (
            f"{told} grasp.law = 'full' swings up: grasp.pad_stiffness_n_per_m x delay^2 / mass at the bar = "
            f"{at.stiffness_share:.2f}, 1 is the border; take 'auto', or softer pads"
        )
    M, inertia = c.object.mass, float(c.object.inertia.max())
    for words, ratio, least in (
        (
            "partner.damping_n_s_per_m / stiffness_n_per_m",
            partner.damping / partner.stiffness,
            RESERVE * delay * M / (M + partner.mass),
        ),
        (
            "partner.damping_turning_n_m_s_per_rad / stiffness_turning_n_m_per_rad",
            partner.damping_turning / partner.stiffness_turning,
            RESERVE * delay * inertia / (inertia + partner.inertia),
        ),
        (
            "grasp.pad_damping_n_s_per_m / pad_stiffness_n_per_m",
            grasp.pad_damping / grasp.pad_stiffness,
            delay * partner.mass / (at.mass + partner.mass),
        ),
    ):
        if ratio < least:
            return f"{told} {words} = {1e3 * ratio:.1f} ms is too little, {1e3 * least:.1f} ms needed"
    return ""


def grasp_faults(c: Configuration) -> list[str]:
    """Return what is wrong with a second arm and what it grasps, a sentence each."""
    grasp, partner = c.grasp, c.partner
    if grasp is None and partner is None:
        return []
    if grasp is None or partner is None:
        missing, given = ("grasp", "partner") if grasp is None else ("partner", "grasp")
        return [f"[{given}] needs [{missing}]: who grasps, and what is grasped"]
    faults = _beside(c)
    if partner.stiffness > STIFFEST:
        faults.append(
            f"partner.stiffness_n_per_m = {partner.stiffness:g} is above {STIFFEST:g}: two stiff arms press "
            "on each other by whatever their calibration misses, and a held mock-up pulls with it"
        )
    if c.force.mode != "contact":
        faults.append(
            f"[grasp] needs force.mode = 'contact', not {c.force.mode!r}: what holds for seconds is no push"
        )
    if partner.port == c.fri.port:
        faults.append(
            f"partner.port = {partner.port} is fri.port as well: each controller sends to a port of its own"
        )
    half = 0.5 * grasp.bar_size
    if grasp.opening <= half[1]:
        faults.append(
            f"grasp.opening_mm = {1e3 * grasp.opening:g} must be above half of the bar's thickness along y, "
            f"{1e3 * half[1]:g} mm: an open gripper must pass beside it"
        )
    if grasp.pad_half >= min(half[0], half[2]):
        faults.append(
            f"grasp.pad_half_mm = {1e3 * grasp.pad_half:g} must be below half of the bar's x and z, "
            f"{1e3 * min(half[0], half[2]):g} mm: a pad must lie on it"
        )
    if not faults and (text := unbearable(c, grasp, partner, configured_delay(c))):
        faults.append(text)
    return faults


def _beside(c: Configuration) -> list[str]:
    """Return what may not be given beside a second arm."""
    beside = {
        f"base.kind = {c.base.kind!r}": c.base.kind != "none",
        "[port]": c.port is not None,
        "[scene]": c.scene is not None,
        "[docking]": c.docking is not None,
        "[network]": c.network is not None,
        "[experiments]": c.experiments is not None,
        "[object.inside]": c.object.inside is not None,
        "planner.inverse": c.planner.inverse != "branches",
    }
    return [
        f"[grasp] and {name} are both given: a second arm is known to the emulated arm and the stops alone"
        for name, given in beside.items()
        if given
    ]

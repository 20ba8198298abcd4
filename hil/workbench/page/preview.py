"""The preview's numbers: which bodies an arm has, its joints, and where all is at given joint positions."""

from typing import Any

import numpy as np

from hil.common.arrays import Array
from hil.workbench.page.numbers import numbers
from sim.assembly.chain import Chain
from sim.assembly.database import Database
from sim.assembly.manipulator import Manipulator, manipulator_of
from sim.chain.dynamics import inverse_dynamics
from sim.chain.kinematics import body_poses


def structure(chain: Chain, manipulator: Manipulator) -> dict[str, Any]:
    """Return joints and bodies for the page; lengths in m, angles in rad, poses row by row, shape (16,)."""
    return {
        "joints": [
            {
                "name": axis.name,
                "linear": axis.linear,
                "lower": axis.joint.lower,
                "upper": axis.joint.upper,
                "speed": axis.joint.speed,
                "effort": axis.effort,
            }
            for axis in manipulator.axes
        ],
        "units": [
            [
                {"part": part, "T": placed.T_unit_body.ravel().tolist()}
                for part, placed in zip(parts, unit, strict=True)
            ]
            for parts, unit in zip(_parts(chain), manipulator.units, strict=True)
        ],
    }


def _parts(chain: Chain) -> list[list[int]]:
    """Return for each link unit the places in the chain of the parts that its bodies are of."""
    units: list[list[int]] = [[]]
    for place, part in enumerate(chain):
        for k in range(len(part.component.bodies)):
            if k > 0:
                units.append([])
            units[-1].append(place)
    return units


def posture(manipulator: Manipulator, q: Array) -> dict[str, Any]:
    """Return where link units and tip are, and what the joints hold at rest there.

    Args:
        manipulator: the arm of n joints.
        q: joint positions [rad, m], shape (n,).

    Returns:
        `poses` in the base, n + 1 of shape (16,), `tip`, and `holding` torques and forces [N m, N], (n,).
    """
    poses = body_poses(manipulator.chain, q)
    rest = np.zeros_like(q)
    holding, _ = inverse_dynamics(manipulator.chain, q, rest, rest, manipulator.gravity, np.zeros(6))
    return {
        "poses": poses[:-1].reshape(-1, 16).tolist(),
        "tip": poses[-1].ravel().tolist(),
        "holding": holding.tolist(),
    }


def clipped(manipulator: Manipulator, told: Any) -> Array:
    """Return joint positions from what a page tells, within the limits, shape (n,).

    Raises:
        ValueError: it tells something else than n numbers.
    """
    q = numbers(told, len(manipulator.axes), "joint positions")
    return np.clip(q, manipulator.lower, manipulator.upper)


def warm_up(database: Database) -> None:
    """Compile what a first posture needs, or take it from the cache, before anybody asks for one."""
    for base in database.of_kind("base")[:1]:
        posture(manipulator_of(Chain("warm-up", database).add(base.name)), np.zeros(0))

"""Chains as a task sees them: with the payload at the tip, and with a free turn about the tip's axis."""

import numpy as np

from hil.common.arrays import Array, frozen_array
from hil.workbench.design.task_file import Payload
from sim.assembly.component_rules import inertia_matrix
from sim.chain.serial_chain import SerialChain, serial_chain


def loaded(chain: SerialChain, payload: Payload) -> SerialChain:
    """Return a chain whose last body carries the payload.

    theory: masses add; each inertia moves to the common centre by the parallel axes.
    """
    if payload.mass == 0.0:
        return chain
    masses, centres, inertias = (np.array(part) for part in (chain.masses, chain.centres, chain.inertias))
    R = chain.T_last_tip[:3, :3]
    own, theirs = masses[-1], R @ payload.centre + chain.T_last_tip[:3, 3]
    masses[-1] += payload.mass
    centre = (own * centres[-1] + payload.mass * theirs) / masses[-1]
    inertias[-1] += own * _square(centres[-1] - centre)
    inertias[-1] += R @ inertia_matrix(payload.inertia) @ R.T + payload.mass * _square(theirs - centre)
    centres[-1] = centre
    return chain._replace(
        masses=frozen_array(masses), centres=frozen_array(centres), inertias=frozen_array(inertias)
    )


def turning(chain: SerialChain) -> SerialChain:
    """Return a chain with one joint more, without mass, that turns the tip about its z."""
    return serial_chain(
        [*chain.linear, False],
        [*chain.placements, chain.T_last_tip],
        [*chain.axes, np.array([0.0, 0.0, 1.0])],
        np.eye(4),
        [*chain.masses, 0.0],
        [*chain.centres, np.zeros(3)],
        [*chain.inertias, np.zeros((3, 3))],
        [*chain.armatures, 0.0],
    )


def _square(r: Array) -> Array:
    return np.eye(3) * (r @ r) - np.outer(r, r)

"""The cheap filter never refuses a pose that an arm takes, and is exact where lengths decide."""

import math

import numpy as np
import pytest

from hil.common.arrays import Array, frozen_array
from hil.workbench.design.reach_bounds import first_out_of_reach
from sim.chain.kinematics import tip_pose
from sim.chain.serial_chain import SerialChain
from tests.sim.chain.chains import random_chain

EXACT = np.zeros((1, 2))


def refused(
    chain: SerialChain, limits: tuple[Array, Array], T: Array, prescribed: float, slack: Array
) -> bool:
    """Whether a pose is refused."""
    return first_out_of_reach(chain, *limits, T[None], np.array([prescribed]), slack) == 0


@pytest.mark.parametrize("joints", [1, 2, 3, 6])
def test_what_is_reached_is_never_refused(joints: int) -> None:
    """Poses of random joints of random chains, sliding joints among them, orientation prescribed or free."""
    rng = np.random.default_rng(joints)
    for _ in range(150):
        chain = random_chain(rng, joints)
        limits = rng.uniform(-2.0, 0.0, joints), rng.uniform(0.0, 2.0, joints)
        T = tip_pose(chain, rng.uniform(*limits))
        assert not refused(chain, limits, T, 0.0, EXACT) and not refused(chain, limits, T, 1.0, EXACT)
        off = T.copy()
        off[:3, 3] += 0.02 * rng.standard_normal(3)
        far = np.array([[float(np.linalg.norm(off[:3, 3] - T[:3, 3])), 0.0]])
        assert not refused(chain, limits, off, 1.0, far) and not refused(chain, limits, off, 0.0, far)


def two_hinges() -> SerialChain:
    """Return an arm whose edges are 0.5 and 0.3 m long; frozen like all, or it would be compiled for anew."""
    still, edge, tip = np.eye(4), np.eye(4), np.eye(4)
    edge[0, 3], tip[2, 3] = 0.5, 0.3
    return random_chain(np.random.default_rng(1), 2)._replace(
        linear=frozen_array([False, False], np.bool_),
        placements=frozen_array([still, edge]),
        T_last_tip=frozen_array(tip),
    )


def test_two_hinges_reach_a_ring() -> None:
    """Edges of 0.5 and 0.3 m: what is nearer than 0.2 or farther than 0.8 m is refused, the slack added."""
    chain = two_hinges()
    limits = np.full(2, -3.0), np.full(2, 3.0)
    for away, slack, wrong in (
        (0.799, 0.0, False), (0.801, 0.0, True), (0.801, 0.002, False),
        (0.201, 0.0, False), (0.199, 0.0, True), (0.199, 0.002, False),
    ):  # fmt: skip
        T = np.eye(4)
        T[:3, 3] = away * np.array([math.sqrt(0.5), 0.5, -0.5])
        assert refused(chain, limits, T, 0.0, np.array([[slack, 0.0]])) == wrong, (away, slack)


def test_a_tolerance_of_the_orientation_moves_the_last_joint() -> None:
    """The last joint is 0.3 m behind the tip: turned by 0.1 rad it is 30 mm too far, which 0.1 rad allow."""
    chain = two_hinges()
    limits = np.full(2, -3.0), np.full(2, 3.0)
    T = chain.T_last_tip.copy()
    T[0, 3] = 0.5
    assert not refused(chain, limits, T, 1.0, EXACT)
    c, s = math.cos(0.1), math.sin(0.1)
    T[:3, :3] = np.array([[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]])
    assert refused(chain, limits, T, 1.0, EXACT)
    assert refused(chain, limits, T, 1.0, np.array([[0.0, 0.09]]))
    assert not refused(chain, limits, T, 1.0, np.array([[0.0, 0.1]]))

"""Loads of parts in generalised coordinates, and the accelerations of closed loops, by differences."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from hil.common.arrays import Array
from sim.insertion.closed_loops import ClosedLoops
from sim.insertion.elastic_robot import ElasticRobot, puma_robot
from sim.insertion.insertion import HeldPart, add_law
from sim.insertion.instant import linear_instant
from sim.insertion.joint_drives import Servo
from sim.insertion.pegs import candidates_of, in_hole, pair_of
from sim.insertion.puma import ROUND_POSITION
from sim.insertion.reach import Nominal, nominal_path
from sim.insertion.robot_step import no_law
from sim.mating.round_peg import RoundNumbers
from sim.mating.wrench import Derivative, Wrench, moved

UP = np.diag([1.0, -1.0, -1.0, 1.0])  # z out of the hole, against the tool's


def robot_on_path() -> tuple[ElasticRobot, Nominal]:
    servo = Servo((6.0, 6.0, 6.0, 60.0, 60.0, 60.0), 0.7)
    robot = puma_robot(ROUND_POSITION, 0.3, 3.0, 0.15, np.array([6e4, 6e4, 2e4]), 0.04, servo)
    return robot, nominal_path(robot, np.array([0.0, 0.0, -1.0]), 0.04)


class Springs:
    """A linear part with a full matrix of stiffness and of damping."""

    def __init__(self) -> None:
        rng = np.random.default_rng(3)
        self.K, self.D = rng.normal(size=(6, 6)), rng.normal(size=(6, 6))

    def load(self, T: Array, twist: Array) -> tuple[Wrench, Derivative]:
        """Return -K of place and turn, and -D of the twist."""
        at = np.concatenate([T[:3, 3], Rotation.from_matrix(T[:3, :3]).as_rotvec()])
        return Wrench(-self.K @ at - self.D @ twist, ""), Derivative(-self.K, -self.D)


def test_loads_of_parts_do_the_same_work_in_the_coordinates() -> None:
    """Power of the force is that of the load at the part's origin; derivatives by finite differences."""
    rng, springs = np.random.default_rng(4), Springs()
    counterpart, T_tip, J = np.eye(4), np.eye(4), rng.normal(size=(6, 9))
    counterpart[:3, :3], counterpart[:3, 3] = (
        Rotation.from_rotvec([0.3, -0.2, 0.5]).as_matrix(),
        [0.3, 0.1, -0.2],
    )
    part = np.eye(4)
    part[:3, 3] = [0.05, -0.08, 0.03]
    T_tip[:3, :3], T_tip[:3, 3] = counterpart[:3, :3], counterpart[:3, 3] - counterpart[:3, :3] @ part[:3, 3]
    held = HeldPart(springs, part, counterpart)

    def force(q: Array, V: Array) -> Array:
        law = no_law(9)
        add_law(law, held, moved(T_tip, J @ q), J, V)
        return law.force

    V, h = 1e-3 * rng.normal(size=9), 1e-6
    law = no_law(9)
    wrench, _ = add_law(law, held, moved(T_tip, J @ (h * V)), J, V)
    before, after = (moved(T_tip, J @ (s * h * V)) @ part for s in (-1.0, 1.0))
    velocity = counterpart[:3, :3].T @ (after - before)[:3, 3] / (2.0 * h)
    turn = counterpart[:3, :3].T @ J[3:] @ V
    assert law.force @ V == pytest.approx(wrench.load @ np.concatenate([velocity, turn]), rel=1e-5)
    still, law = np.zeros(9), no_law(9)
    add_law(law, held, moved(T_tip, J @ (h * np.ones(9))), J, still)
    by_v = np.array([force(still, e) - force(still, -e) for e in np.eye(9)]).T / 2.0
    by_q = np.array([force(h * e, still) - force(-h * e, still) for e in np.eye(9)]).T / (2.0 * h)
    assert law.by_v == pytest.approx(by_v, abs=1e-4) and law.by_q == pytest.approx(by_q, abs=1e-4)


def test_a_closed_contact_stays_closed_to_second_order() -> None:
    """Equation 64 with the whole of w: along the accelerations that it gives the gap does not bend."""
    _, nominal = robot_on_path()
    depth = 0.008
    hole = nominal.T_begin @ UP
    hole[:3, 3] += 2e-3 * hole[:3, 0] - [0.0, 0.0, 0.013]
    pair = pair_of(RoundNumbers(0.01995, 0.004, 0.02, 0.006, 0.1), UP.copy(), hole, (0.0, 0.0, 1e-3))
    loops = ClosedLoops(nominal, np.full(3, depth), 1e-3, pair)

    def gaps(q: Array) -> Array:
        tip = linear_instant(nominal, depth, np.zeros(9), q, 0.0).T
        return candidates_of(pair, in_hole(pair, tip)).gaps

    place, e = int(gaps(np.zeros(9)).argmin()), 1e-6
    normal = np.array([(gaps(e * d) - gaps(-e * d))[place] / (2.0 * e) for d in np.eye(9)])
    V = 0.1 * np.random.default_rng(1).normal(size=9)
    V -= normal * (normal @ V) / (normal @ normal)  # along the contact

    def bend(acceleration: Array, t: float = 1e-3) -> float:
        ways = [gaps(V * s + 0.5 * acceleration * s * s)[place] for s in (-t, 0.0, t)]
        return float((ways[0] - 2.0 * ways[1] + ways[2]) / t**2)

    loops.closed = {place: False}
    loops.V = V
    closed = loops.accelerations(0.0, loops.q, V)[0]
    assert abs(bend(np.zeros(9))) > 1e-2
    assert abs(bend(closed)) < 0.02 * abs(bend(np.zeros(9)))

"""A step of contacts in hand, on a body that six coordinates move in space: balance of momenta, friction."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from hil.common.arrays import Array
from sim.chain.dynamics import bias
from sim.complementarity.step_work import step_work
from sim.drives.controllers import Impedance
from sim.drives.drive import DriveParameters
from sim.drives.gear import Gear
from sim.drives.motor import CurrentLoop, Motor
from sim.insertion.elastic_dynamics import RobotNumbers
from sim.insertion.insertion import simulate
from sim.insertion.instant import Instant, linear_instant, whole_instant
from sim.insertion.joint_drives import numbers_of
from sim.insertion.motors import motors_at_rest
from sim.insertion.pegs import Pair, pair_of
from sim.insertion.plane import in_plane
from sim.insertion.puma import GRAVITY, ROUND_POSITION, puma
from sim.insertion.robot_step import DIVERGED, GOING, Law, Touch, advance, contact_axes, no_law
from sim.mating.rectangular_peg import RectangularNumbers
from tests.sim.insertion.test_contacts_in_hand import robot_on_path

MASS, TURNING = 3.0, np.array([0.02, 0.03, 0.05])
MU, H = 0.25, 1e-3
HALF = 0.02  # of the hole; the peg is 0.2 mm narrower either side


def cartesian() -> RobotNumbers:
    """A robot of six coordinates without controllers; its bodies are not looked at by a step."""
    motor = Motor(0.1, 1.0, 1e-3, 1e-4, CurrentLoop(1.0, 1.0))
    drive = DriveParameters(motor, Gear(1.0), controller=Impedance(0.0, 0.0))
    return numbers_of(puma(0.3, 3.0, 0.15), GRAVITY, ROUND_POSITION, [drive] * 6, False)


def pair(
    give: tuple[float, float, float] = (0.0, 0.0, 1e-3), across: int = -1, mu: float = MU
) -> tuple[Pair, Array]:
    """A peg deep in its hole, both turned about; also the tip's pose at which it touches a wall across y."""
    planes = np.ones(4, np.bool_) if across < 0 else np.arange(4) // 2 == 2 - across
    numbers = RectangularNumbers(
        np.full(2, 2.0 * HALF - 4e-4), np.array([2e-3, 2e-3]), 0.1, np.full(2, 2.0 * HALF), planes, mu
    )
    peg, hole, inside = np.eye(4), np.eye(4), np.eye(4)
    peg[:3, :3], peg[:3, 3] = Rotation.from_rotvec([0.4, 0.2, -0.7]).as_matrix(), [0.02, -0.03, 0.05]
    hole[:3, :3], hole[:3, 3] = Rotation.from_rotvec([-0.3, 0.8, 0.5]).as_matrix(), [0.4, 0.1, -0.2]
    inside[:3, 3] = [0.03, 2e-4, 0.0]
    return pair_of(numbers, peg, hole, give, across), hole @ inside @ np.linalg.inv(peg)


def instant(T: Array, force: Array, turning: Array = TURNING) -> Instant:
    """A body with its centre at the tip."""
    M = np.diag([MASS] * 3 + [0.0] * 3)
    M[3:, 3:] = T[:3, :3] @ np.diag(turning) @ T[:3, :3].T
    zeros = np.zeros((6, 6))
    return Instant(M, zeros.copy(), zeros.copy(), np.eye(6), T.copy(), force.copy(), np.zeros(6))


def stepped(
    two: Pair, T: Array, V: Array, force: Array, turning: Array = TURNING, law: Law | None = None
) -> tuple[int, Touch, Array, Array]:
    """Return status, what touched, and coordinates and velocity after a step."""
    q, after, rest = np.zeros(6), V.copy(), np.zeros(6)
    now, room = instant(T, force, turning), step_work(6, 0, 3)
    status, touch, _ = advance(
        cartesian_robot, motors_at_rest(6), now, two, law or no_law(6), rest, q, after, H, room,
    )  # fmt: skip
    return status, touch, q, after


@pytest.mark.parametrize("across", [-1, 2])
@pytest.mark.parametrize("slip", [(0.3, 0.0), (-0.2, 0.25)])
def test_momenta_change_by_the_wrench_that_is_told(across: int, slip: tuple[float, float]) -> None:
    """Newton and Euler about the tip; the peg meets the wall and stays; friction is against the slip."""
    two, T = pair(across=across)
    R = two.T_base_hole[:3, :3]
    V, force = np.zeros(6), np.zeros(6)
    V[:3] = R @ [slip[0], 0.1, slip[1]]
    force[:3] = R @ [0.0, 40.0, 0.0]
    status, touch, q, after = stepped(two, T, V, force)
    assert status == GOING and touch.T[:3, 3] == pytest.approx([0.03, 2e-4, 0.0])
    M = instant(T, force).M
    arm = R @ touch.T[:3, 3] + two.T_base_hole[:3, 3] - T[:3, 3]
    push, moment = R @ touch.wrench[:3], R @ touch.wrench[3:]
    load = np.concatenate([push, moment + np.cross(arm, push)])
    assert M @ (after - V) / H == pytest.approx(force + load, rel=1e-9, abs=1e-7)
    assert q == pytest.approx(H * after)
    assert touch.normal.sum() == pytest.approx(-touch.wrench[1], rel=1e-9) and touch.normal.min() >= 0.0
    assert touch.wrench[1] < -200.0  # it was stopped within the step
    corners = [touch.points[k] for k in np.flatnonzero(touch.normal > 1e-6)]
    turns, go = R.T @ after[3:], R.T @ after[:3]
    tip = R.T @ (T[:3, 3] - two.T_base_hole[:3, 3])
    drag = np.zeros(3)
    for k in np.flatnonzero(touch.normal > 1e-6):
        speed = go + np.cross(turns, touch.points[k] - tip)
        assert abs(speed[1]) < 1e-9  # no restitution
        along = np.array([speed[0], 0.0, 0.0 if across == 2 else speed[2]])
        drag -= MU * touch.normal[k] * along / np.linalg.norm(along)
    assert len(corners) >= 1 and touch.wrench[[0, 2]] == pytest.approx(drag[[0, 2]], rel=1e-6)


def test_axes_of_a_contact() -> None:
    """Normal and two tangents are of unit length, stand on each other, and are those of the hole's base."""
    rng, hole = np.random.default_rng(7), np.eye(4)
    hole[:3, :3] = Rotation.from_rotvec([0.4, -1.0, 0.3]).as_matrix()
    for own in rng.normal(size=(20, 3)):
        own /= np.linalg.norm(own)
        axes = contact_axes(hole, own, -1)
        assert axes @ axes.T == pytest.approx(np.eye(3), abs=1e-12)
        assert axes[0] == pytest.approx(hole[:3, :3] @ own)
    axes = contact_axes(hole, np.array([0.6, 0.8, 0.0]), 2)
    assert np.abs(axes[2] @ hole[:3, 2]) == pytest.approx(1.0)


def test_within_the_cone_it_sticks() -> None:
    """A push aside below friction's is held."""
    two, T = pair()
    R, force = two.T_base_hole[:3, :3], np.zeros(6)
    force[:3] = R @ [0.9 * MU * 40.0, 40.0, 0.0]
    heavy = np.full(3, 1e6)
    _, touch, _, after = stepped(two, T, np.zeros(6), force, heavy)
    assert after == pytest.approx(np.zeros(6), abs=1e-7)
    assert touch.wrench[0] == pytest.approx(-0.9 * MU * 40.0, rel=1e-4)
    force[:3] = R @ [1.1 * MU * 40.0, 40.0, 0.0]
    _, touch, _, after = stepped(two, T, np.zeros(6), force, heavy)
    assert touch.wrench[0] == pytest.approx(-MU * 40.0, rel=1e-4) and (R.T @ after[:3])[0] > 0.0


def test_contacts_that_give_way_carry_and_creep() -> None:
    """At rest springs hold the force; aside it creeps at slip x / sqrt(1 - x^2), x the share of the cone."""
    stiffness, slip = 2e5, 1e-3
    two, T = pair((stiffness, 400.0, slip), mu=MU)
    R, heavy = two.T_base_hole[:3, :3], np.full(3, 1e6)
    q, V, force, motors, room = np.zeros(6), np.zeros(6), np.zeros(6), motors_at_rest(6), step_work(6, 0, 3)
    force[:3] = R @ [0.6 * MU * 40.0, 40.0, 0.0]
    for _ in range(300):
        here = T.copy()
        here[:3, 3] += q[:3]
        status, touch, room = advance(
            cartesian_robot, motors, instant(here, force, heavy), two, no_law(6), np.zeros(6), q, V, H, room
        )
        assert status == GOING and touch.normal.min() >= 0.0
    count = int((touch.normal > 0.0).sum())
    assert touch.normal.sum() == pytest.approx(40.0, rel=1e-6)
    assert (R.T @ q[:3])[1] == pytest.approx(40.0 / (count * stiffness), rel=1e-5)
    assert (R.T @ V[:3])[0] == pytest.approx(0.75 * slip, rel=1e-3)
    assert touch.wrench[0] == pytest.approx(-0.6 * MU * 40.0, rel=1e-3)
    V = np.zeros(6)  # it leaves fast: a damper does not pull it back
    V[:3] = R @ [0.0, -0.5, 0.0]
    _, touch, _ = advance(
        cartesian_robot, motors, instant(here, 0.0 * force, heavy), two, no_law(6), np.zeros(6), q.copy(),
        V, H, room,
    )  # fmt: skip
    assert touch.normal.max() == 0.0 and R.T @ V[:3] == pytest.approx([0.0, -0.5, 0.0])


cartesian_robot = cartesian()


def test_laws_are_taken_at_the_end_of_the_step() -> None:
    """Force F + F_q dq + F_v dv, implicit: (M - h F_v - h^2 F_q) V+ = M V + h (F - F_v V)."""
    rng, two = np.random.default_rng(2), pair_of(None, np.eye(4), np.eye(4), (0.0, 0.0, 1e-3))
    law = Law(rng.normal(size=6), -1e3 * np.eye(6) + rng.normal(size=(6, 6)), -rng.random((6, 6)))
    given, V = Law(*(part.copy() for part in law)), rng.normal(size=6)
    _, _, q, after = stepped(two, np.eye(4), V, np.zeros(6), law=law)
    M = instant(np.eye(4), np.zeros(6)).M
    left = M @ (after - V) / H - given.force - given.by_v @ (after - V) - given.by_q @ q
    assert left == pytest.approx(np.zeros(6), abs=1e-9) and q == pytest.approx(H * after)


@pytest.mark.parametrize("huge", [1e9, np.nan])
def test_what_diverges_is_told(huge: float) -> None:
    """A force beyond all bounds, or none: the state stays what it was."""
    two = pair_of(None, np.eye(4), np.eye(4), (0.0, 0.0, 1e-3))
    status, _, q, after = stepped(two, np.eye(4), np.ones(6), np.full(6, huge))
    assert status == DIVERGED and (q == 0.0).all() and (after == 1.0).all()


def test_linear_and_whole_robot_at_an_instant() -> None:
    """To first order the same, between the nodes too; rates count for the whole one."""
    robot, nominal = robot_on_path()
    rng, way = np.random.default_rng(5), 0.01025
    node = 10
    base = 0.75 * nominal.q[node] + 0.25 * nominal.q[node + 1]
    going = 0.1 * rng.normal(size=9)
    still = linear_instant(nominal, way, going, np.zeros(9), 1e-3)
    whole = whole_instant(robot.numbers, nominal, base, going, np.zeros(9), np.zeros(9), 1e-3)
    for ours, theirs in ((still.M, whole.M), (still.J, whole.J), (still.held, whole.held)):
        assert ours == pytest.approx(theirs, abs=1e-5 * np.abs(theirs).max())
    assert still.T == pytest.approx(whole.T, abs=1e-6)
    assert still.force == pytest.approx((nominal.P + 1e-3 * still.Q) @ going, rel=1e-9)
    assert whole.force == pytest.approx((nominal.P + 1e-3 * nominal.servo) @ going, rel=1e-9, abs=1e-9)
    q = 1e-5 * rng.normal(size=9)
    line = linear_instant(nominal, way, np.zeros(9), q, 1e-3)
    bent = whole_instant(robot.numbers, nominal, base, np.zeros(9), q, np.zeros(9), 1e-3)
    assert line.T - still.T == pytest.approx(bent.T - whole.T, abs=1e-9)
    ours, theirs = line.force - line.Q @ q, bent.force - bent.Q @ q
    assert ours == pytest.approx(theirs, abs=2e-4 * np.abs(ours).max())
    V = rng.normal(size=9)
    fast = whole_instant(robot.numbers, nominal, base, np.zeros(9), q, V, 1e-3)
    turning = bias(robot.chain, (base + q)[3:], V[3:], np.zeros(3))
    assert (bent.force - fast.force)[3:] == pytest.approx(turning, abs=1e-9) and np.abs(turning).max() > 0.1


def test_both_models_follow_the_same_path() -> None:
    """Free in space, speeding up: the same deviations, and in the linear one those of a dense integrator."""
    robot, nominal = robot_on_path()
    nothing = pair_of(None, np.eye(4), np.eye(4), (0.0, 0.0, 1e-3))
    t = 1e-3 * np.arange(81)
    way = 0.5 * 1.0 * t**2
    line = simulate(robot, nominal, way, 1e-3, nothing)
    bent = simulate(robot, nominal, way, 1e-3, nothing, model="nonlinear")
    size = np.abs(line.rows.deviations).max(axis=0)
    assert size[3:].max() > 1e-5
    assert line.rows.deviations == pytest.approx(bent.rows.deviations, abs=2e-2 * size.max())
    M, P, Q, slope = nominal.M[0], nominal.P, nominal.Q[0], nominal.slope[0]
    q, v, h = np.zeros(9), np.zeros(9), 1e-5  # deviations: M v' + P v + Q q = -M q_n''
    for _ in range(3000):
        v = np.linalg.solve(M + h * P + h * h * Q, M @ v - h * Q @ q - h * M @ slope)
        q = q + h * v
    assert line.rows.deviations[30] == pytest.approx(q, abs=5e-2 * np.abs(q).max())
    along = line.rows.tips[:, :3, 3] @ nominal.direction
    assert line.rows.speeds[1:-1] == pytest.approx((along[2:] - along[:-2]) / 2e-3, abs=2e-3)


def test_in_one_plane_inertia_does_not_tell_the_sides() -> None:
    """Three directions are left; no inertia couples joints that move the tip along and across."""
    _, nominal = robot_on_path()
    c, s = np.cos(ROUND_POSITION[0]), np.sin(ROUND_POSITION[0])
    hole = np.array([[0.0, -s, c], [0.0, c, s], [-1.0, 0.0, 0.0]])
    flat = in_plane(nominal, hole, 2)
    J = hole.T @ flat.J[:, :3], hole.T @ flat.J[:, 3:]
    before = hole.T @ nominal.J[:, :3], hole.T @ nominal.J[:, 3:]
    for ours, theirs, kept in ((J[0], before[0], (0, 1)), (J[1], before[1], (2,))):
        for axis in range(3):
            wanted = theirs[:, axis] if axis in kept else np.zeros_like(theirs[:, axis])
            assert ours[:, axis] == pytest.approx(wanted, abs=1e-12)
    aside = (np.abs(J[0][:, 1]) + np.abs(J[1][:, 2])).max(axis=0) > 1e-6
    assert aside.any() and not aside.all()
    across = aside[:, None] != aside[None, :]
    assert np.abs(nominal.M[:, across]).max() > 1e-3 and np.abs(flat.M[:, across]).max() < 1e-12
    assert flat.M[:, ~across] == pytest.approx(nominal.M[:, ~across])

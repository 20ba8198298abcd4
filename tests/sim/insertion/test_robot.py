"""The PUMA and robots with elastic gears: published geometry, a second library, closed forms."""

import math
from pathlib import Path

import numpy as np
import pytest

from hil.common.arrays import Array
from hil.common.errors import InsertionError
from sim.chain.dynamics import bias, mass_matrix
from sim.chain.kinematics import tip_pose
from sim.insertion.elastic_robot import ElasticRobot, compliance, linear_model, puma_robot
from sim.insertion.joint_drives import Servo
from sim.insertion.motion import minimum_jerk, recorded, times_of, trapezoid
from sim.insertion.puma import RATIOS, RECTANGULAR_POSITION, ROTORS, ROUND_POSITION, puma
from sim.insertion.reach import coordinates_at, nominal_path, position_at

STIFFNESS = np.array([6e4, 6e4, 2e4])
GRAVITY = np.array([0.0, 0.0, -9.81])
FREQUENCIES = (10.0, 10.0, 10.0, 25.0, 25.0, 25.0)


def robot(position: Array) -> ElasticRobot:
    return puma_robot(position, 0.3, 3.0, 0.15, STIFFNESS, 0.04, Servo(FREQUENCIES, 0.7))


@pytest.mark.parametrize(
    ("position", "place"),
    [(RECTANGULAR_POSITION, (-0.728, 0.092, -0.425)), (ROUND_POSITION, (-0.648, 0.248, -0.423))],
)
def test_both_published_positions_hold_the_tool_upright(position: Array, place: tuple[float, ...]) -> None:
    """By these Denavit-Hartenberg numbers the tool looks down within 0.3 degrees; where the tip then is."""
    T = tip_pose(puma(0.3, 3.0, 0.15), position)
    assert math.degrees(math.acos(min(1.0, -T[2, 2]))) < 0.3
    assert T[:3, 3] == pytest.approx(place, abs=6e-4)


@pytest.mark.parametrize("position", [RECTANGULAR_POSITION, ROUND_POSITION])
def test_an_upward_force_moves_the_tip_outwards_and_never_aside(position: Array) -> None:
    """Couplings of the stiffness: out and up together, lateral and up none (paper, section 6.2)."""
    c, s = math.cos(position[0]), math.sin(position[0])
    arm = np.array([[-c, -s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])  # outwards, aside, up
    C = arm @ compliance(robot(position), position) @ arm.T
    assert C[0, 2] > 0.0 and 0.5 < C[0, 2] / C[2, 2] < 2.0
    assert abs(C[1, 2]) < 1e-9 * C[2, 2]


def test_dynamics_against_pinocchio() -> None:
    """Mass matrix and weight of the chain with tool and payload, by another library."""
    pin = pytest.importorskip("pinocchio")
    chain, model, parent = puma(0.4, 3.0, 0.24), pin.Model(), 0
    for k in range(6):
        placement = pin.SE3(chain.placements[k][:3, :3].copy(), chain.placements[k][:3, 3].copy())
        parent = model.addJoint(parent, pin.JointModelRZ(), placement, f"j{k}")
        inertia = pin.Inertia(
            float(chain.masses[k + 1]), chain.centres[k + 1].copy(), chain.inertias[k + 1].copy()
        )
        model.appendBodyToJoint(parent, inertia, pin.SE3.Identity())
    data, q = model.createData(), RECTANGULAR_POSITION
    M = pin.crba(model, data, q)
    assert mass_matrix(chain, q) == pytest.approx(np.triu(M) + np.triu(M, 1).T, abs=1e-12)
    weight = pin.computeGeneralizedGravity(model, data, q)
    assert bias(chain, q, np.zeros(6), GRAVITY) == pytest.approx(weight, abs=1e-11)


def test_linear_model_has_nine_coordinates_in_their_places() -> None:
    """Blocks of M, P, Q and B; the weight's stiffness is that of finite differences."""
    made = robot(RECTANGULAR_POSITION)
    model, numbers = linear_model(made, RECTANGULAR_POSITION), made.numbers
    rotors = ROTORS * RATIOS**2
    assert made.dof == 9 and model.M.shape == (9, 9)
    assert np.diag(model.M)[:3] == pytest.approx(rotors[:3]) and not model.M[:3, 3:].any()
    links = mass_matrix(made.chain, RECTANGULAR_POSITION) + np.diag([0.0, 0.0, 0.0, *rotors[3:]])
    assert model.M[3:, 3:] == pytest.approx(links)
    assert model.Q[:3, 3:6] == pytest.approx(-np.diag(STIFFNESS))
    assert model.Q[0, 0] == pytest.approx(6e4 + numbers.kp[0])
    assert model.P[0, 3] < 0.0 and model.P[0, 0] == pytest.approx(numbers.kd[0] - model.P[0, 3])
    assert np.argwhere(model.B == 1.0).tolist() == [[0, 0], [1, 1], [2, 2], [6, 3], [7, 4], [8, 5]]
    h, still = 1e-6, np.zeros(6)
    columns = [
        bias(made.chain, RECTANGULAR_POSITION + h * e, still, GRAVITY)
        - bias(made.chain, RECTANGULAR_POSITION - h * e, still, GRAVITY)
        for e in np.eye(6)
    ]
    weight = np.array(columns).T / (2.0 * h)
    known = np.diag([*STIFFNESS, *numbers.kp[3:]])
    assert model.Q[3:, 3:] - known == pytest.approx(weight, abs=1e-5)


def test_frequencies_become_gains() -> None:
    """A joint alone swings at its frequency with its damping: kp and kd over the inertia about it."""
    numbers = robot(ROUND_POSITION).numbers
    inertia = np.diag(mass_matrix(numbers.chain, ROUND_POSITION)) + ROTORS * RATIOS**2
    rate = np.sqrt(numbers.kp / inertia)
    assert rate / (2.0 * np.pi) == pytest.approx(FREQUENCIES)
    assert numbers.kd / (2.0 * inertia * rate) == pytest.approx(np.full(6, 0.7))


def test_nominal_path_is_straight_and_smooth() -> None:
    """Forward kinematics along it, between the nodes too; motors ahead by what the weight twists gears."""
    made = robot(RECTANGULAR_POSITION)
    nominal = nominal_path(made, np.array([0.0, 0.0, -1.0]), 0.08)
    ways = np.array([0.0, 0.0123, 0.0555, 0.08])
    for way, q in zip(ways, coordinates_at(nominal, ways), strict=True):
        T = tip_pose(made.chain, q[3:])
        assert T[:3, 3] == pytest.approx(nominal.T_begin[:3, 3] - [0.0, 0.0, way], abs=1e-10)
        assert T[:3, :3] == pytest.approx(nominal.T_begin[:3, :3], abs=1e-9)
        sag = bias(made.chain, q[3:], np.zeros(6), GRAVITY)[:3] / STIFFNESS
        assert q[:3] - q[3:6] == pytest.approx(sag, rel=1e-4, abs=1e-7)


def test_out_of_reach_is_refused_in_one_line() -> None:
    """A target beyond the arm, a path that leaves its reach, stiffness that is none."""
    made = robot(RECTANGULAR_POSITION)
    T = tip_pose(made.chain, RECTANGULAR_POSITION)
    T[0, 3] = -1.6
    with pytest.raises(InsertionError, match=r"^puma560 cannot reach \(-1600, .* move the hole$"):
        position_at(made, T)
    with pytest.raises(InsertionError, match=r"^puma560 cannot follow its path of 900 mm .*path shorter$"):
        nominal_path(made, np.array([-1.0, 0.0, 0.0]), 0.9, 0.02)
    with pytest.raises(InsertionError, match=r"^joint 2: stiffness = -1 must be above 0$"):
        puma_robot(
            RECTANGULAR_POSITION, 0.3, 3.0, 0.1, np.array([6e4, -1.0, 2e4]), 0.04, Servo(FREQUENCIES, 0.7)
        )


def test_profiles(tmp_path: Path) -> None:
    """Ends, areas and peaks of the laws of motion; a recorded one goes through its points."""
    duration, way = trapezoid(0.08, 0.022, 0.1)
    t = times_of(duration, 0.0, 1e-4)
    assert duration == pytest.approx(0.08 / 0.022 + 0.1) and way(t)[[0, -1]] == pytest.approx([0.0, 0.08])
    assert np.gradient(way(t), t).max() == pytest.approx(0.022)
    assert way(np.array([0.1]))[0] == pytest.approx(0.0011)
    duration, way = minimum_jerk(0.08, 0.05)
    t = times_of(duration, 0.0, 1e-4)
    assert way(t)[[0, -1]] == pytest.approx([0.0, 0.08])
    assert np.gradient(way(t), t).max() == pytest.approx(0.05, rel=1e-4)
    file = tmp_path / "depth.csv"
    file.write_text("t_s,depth_mm\n" + "".join(f"{k * 0.1},{-5 + k * k}\n" for k in range(6)))
    duration, way, begin = recorded(file)
    assert begin == pytest.approx(-0.005) and duration == pytest.approx(0.5)
    assert way(np.array([0.3, 0.5])) == pytest.approx([0.009, 0.025])
    file.write_text("t_s,depth_mm\n0,0\n0,1\n1,2\n2,3\n")
    with pytest.raises(InsertionError, match="rising t_s"):
        recorded(file)

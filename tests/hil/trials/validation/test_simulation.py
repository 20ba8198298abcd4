"""Simulated experiments against statics and geometry of their own: springs, friction cone, rim."""

from pathlib import Path

import numpy as np
import pytest

from hil.common.errors import SimulationError
from hil.trials.validation.arm_run import ArmRun
from hil.trials.validation.setup import Setup
from hil.trials.validation.simulation import simulate
from planner.kinematics.forward import flange_pose, jacobian
from tests.hil.trials.validation.setups import changed, rim, slide

JOINTS_RUB_NOT = ("coulomb",)


@pytest.fixture(scope="module")
def slid() -> tuple[Setup, ArmRun]:
    """The slide without dry friction in the joints."""
    setup = slide()
    return setup, simulate(setup, changed(setup.parameters, 1e-4, JOINTS_RUB_NOT))


@pytest.fixture(scope="module")
def rimmed() -> tuple[Setup, ArmRun]:
    """The first rim contact, sample by sample of the simulation."""
    setup = rim("simulation.sample_ms=1", "campaign.moves=1", moves=2)
    return setup, simulate(setup, setup.parameters)


def pressed(run: ArmRun) -> int:
    """The last sample of the rest at the lowest target: 6.1 s after the start."""
    return int(np.searchsorted(run.t, 6.1))


def sphere(setup: Setup, q: np.ndarray) -> np.ndarray:
    """Centre of the peg's outer half sphere, world."""
    T = setup.T_world_base @ flange_pose(setup.arm.geometry, q)
    peg = setup.experiment.peg
    return T[:3, 3] + (peg.tip - peg.radius) * T[:3, 2]


def test_the_springs_bear_the_contact(slid: tuple[Setup, ArmRun]) -> None:
    """At rest the torques of the environment are those of the contact force at the contact point."""
    setup, run = slid
    k = pressed(run)
    assert np.abs(run.q[k] - run.q[k - 20]).max() < 1e-5
    T = setup.T_world_base @ flange_pose(setup.arm.geometry, run.q[k])
    touched = sphere(setup, run.q[k]) - [0.0, 0.0, setup.experiment.peg.radius]
    point = np.eye(4)
    point[:3, 3] = T[:3, :3].T @ (touched - T[:3, 3])
    J = setup.T_world_base[:3, :3] @ jacobian(setup.arm.geometry, run.q[k], point)[:3]
    assert run.force[k, 2] > 60.0
    np.testing.assert_allclose(run.external[k], J.T @ run.force[k], atol=0.05)


def test_the_table_gives_way_as_its_stiffness_says(slid: tuple[Setup, ArmRun]) -> None:
    """At rest the depth below the face is force over stiffness, half of it being the peg's."""
    setup, run = slid
    k = pressed(run)
    e = setup.experiment
    depth = e.plate.position[2] + e.peg.radius - sphere(setup, run.q[k])[2]
    assert depth == pytest.approx(run.force[k, 2] / e.contact.stiffness, rel=0.01)


def test_a_sliding_peg_keeps_to_the_friction_cone(slid: tuple[Setup, ArmRun]) -> None:
    """While the tip slides the lateral force is the coefficient times the normal one, against the motion."""
    setup, run = slid
    rows = (run.t > 2.6) & (run.t < 3.4)
    speed = np.gradient(run.tip[:, :2], run.t, axis=0)
    assert np.linalg.norm(speed[rows], axis=1).min() > 0.01
    lateral, normal = np.linalg.norm(run.force[rows, :2], axis=1), run.force[rows, 2]
    np.testing.assert_allclose(lateral / normal, setup.experiment.contact.friction, rtol=2e-3)
    along = np.sum(run.force[rows, :2] * speed[rows], axis=1)
    assert np.all(along < -0.99 * lateral * np.linalg.norm(speed[rows], axis=1))


def test_the_peg_slides_where_the_joints_compliance_leads_it() -> None:
    """Without friction the slip is that of C = J K^-1 J^T: its last column over C_zz, of the way not done.

    The force leads through the half sphere's centre, so that point's Jacobian counts.
    """
    setup = slide()
    run = simulate(setup, changed(setup.parameters, 1e-3, ("coulomb", "contact_friction")))
    k = pressed(run)
    point = np.eye(4)
    e = setup.experiment
    point[2, 3] = e.peg.tip - e.peg.radius
    middle = 0.5 * (run.q[k] + run.command[k])
    # the springs' torques are those at the end, the way is that of the mean joints: exact to third order
    J, J_end = (
        setup.T_world_base[:3, :3] @ jacobian(setup.arm.geometry, q, point)[:3] for q in (middle, run.q[k])
    )
    C = J / setup.parameters.control.stiffness @ J_end.T
    moved = sphere(setup, run.q[k]) - sphere(setup, run.command[k])
    np.testing.assert_allclose(moved[:2], C[:2, 2] / C[2, 2] * moved[2], rtol=0.01)
    assert run.force[k, 2] == pytest.approx(moved[2] / C[2, 2], rel=0.01)


def test_the_joints_do_not_reach_the_command_in_the_slide(slid: tuple[Setup, ArmRun]) -> None:
    """As in the paper's figure 10: A1 stays behind, the tip on the table and slides by centimetres."""
    _, run = slid
    k = pressed(run)
    assert abs(run.q[k, 0] - run.command[k, 0]) > 0.03
    assert np.linalg.norm(run.tip[k, :2]) > 0.03
    assert abs(run.q[-1, 0] - run.command[-1, 0]) < 2e-3


def test_the_rim_is_met_where_geometry_says(rimmed: tuple[Setup, ArmRun]) -> None:
    """The first contact is where the half sphere's centre is a radius away from the rim's nearest point."""
    setup, run = rimmed
    k = int(np.argmax(run.touching))
    e = setup.experiment
    c = sphere(setup, run.q[k]) - e.plate.position
    rim_distance = np.hypot(np.hypot(*c[:2]) - e.plate.hole[0].radius, c[2])
    assert rim_distance == pytest.approx(e.peg.radius, abs=1e-4)
    assert np.hypot(*c[:2]) > 0.004 and c[2] > 0.01


def test_the_peg_slides_over_the_rim_into_the_hole(rimmed: tuple[Setup, ArmRun]) -> None:
    """A6 gives way most, until the half sphere is in the hole; then the peg goes free again."""
    setup, run = rimmed
    gone = np.abs(run.q - run.command).max(axis=0)
    assert np.argmax(gone) == 5 and gone[5] > 2.0 * np.sort(gone)[-2]
    k = int(np.argmin(run.tip[:, 2]))
    e = setup.experiment
    assert run.tip[k, 2] < -e.peg.radius
    inside = np.hypot(*(sphere(setup, run.q[k]) - e.plate.position)[:2])
    # held by the wall: clearance, and what the contact gives way
    assert inside < e.plate.hole[0].radius - e.peg.radius + 5e-4
    assert not run.touching[-1]


def test_contacts_come_at_the_papers_times() -> None:
    """As shipped: the first between second 23 and 26, the second between 36 and 39."""
    setup = Setup.load("rim-contact")
    contacts = simulate(setup, setup.parameters).contacts()
    assert len(contacts) == 2
    assert 23.0 <= contacts[0][0] <= contacts[0][1] <= 26.0
    assert 36.0 <= contacts[1][0] <= contacts[1][1] <= 39.0


def test_the_same_run_twice_is_the_same_to_the_bit(slid: tuple[Setup, ArmRun]) -> None:
    """Nothing is random."""
    setup, run = slid
    again = simulate(setup, changed(setup.parameters, 1e-4, JOINTS_RUB_NOT))
    assert np.array_equal(run.q, again.q) and np.array_equal(run.torque, again.torque)


@pytest.mark.parametrize("name", ["tool_mass", "stiffness_A2", "contact_friction"])
def test_runs_are_smooth_in_their_parameters(name: str) -> None:
    """A change of nothing changes nothing, and differences over 1e-6 and 1e-4 give the same derivatives."""
    setup = rim()
    base = simulate(setup, setup.parameters, forces=False)
    nothing, small, large = (
        simulate(setup, changed(setup.parameters, 1.0 + h, (name,)), forces=False).q - base.q
        for h in (1e-9, 1e-6, 1e-4)
    )
    assert np.abs(nothing).max() < 1e-9
    assert np.linalg.norm(small / 1e-6 - large / 1e-4) < 0.02 * np.linalg.norm(large / 1e-4)


def test_a_diverging_simulation_saves_the_state_before(tmp_path: Path) -> None:
    """A peg that begins within a plate of steel is thrown out; the error names the file."""
    setup = slide("contact.stiffness_n_per_m=1e9")
    with pytest.raises(SimulationError, match=r"stopped at .* s: .*diverged-.*\.npz"):
        simulate(setup, setup.parameters, shift=np.array([0.0, 0.0, 0.09]), folder=tmp_path)
    (file,) = tmp_path.glob("diverged-*.npz")
    saved = np.load(file)
    assert np.all(np.isfinite(saved["state"])) and np.all(np.isfinite(saved["qpos"]))

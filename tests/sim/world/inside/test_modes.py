"""Panels and tanks as modes: closed forms and MuJoCo's hinges judge."""

import mujoco
import numpy as np
import pytest

from bench.acceptance import inside_trials as trials
from bench.acceptance.inside_oracle import judge_of, mass_matrix, place
from sim.world.flight.inside_setting import inside_flight


@pytest.mark.parametrize("kind", ["modes", "tree"])
def test_a_free_object_rings_at_the_closed_form(kind: str) -> None:
    """Frequency within 1e-4 and damping within 1e-3 of cantilever over the root of the modal mass left."""
    frequency, damping = trials.ringing(kind, 2.0, 0.005)
    assert frequency < 1e-4 and damping < 1e-3


def test_frequencies_and_mobility_are_those_of_a_hinged_panel_in_mujoco() -> None:
    """Modes and hinge, built apart, have the same free frequency and answer a push the same."""
    c, known, _ = trials.one_panel("modes", 0.5, 0.005)
    tree, _, _ = trials.one_panel("tree", 0.5, 0.005)
    modal, hinged = inside_flight(c), inside_flight(tree)
    assert modal.vibrations()[0] / (2.0 * np.pi) == pytest.approx([known], rel=1e-12)
    assert hinged.vibrations()[0] / (2.0 * np.pi) == pytest.approx([known], rel=1e-5)
    model = judge_of(tree, 1e-3)
    data = mujoco.MjData(model)
    place(model, data, (np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(6)), np.zeros(1), np.zeros(1))
    Jp, Jr, mass = np.zeros((3, model.nv)), np.zeros((3, model.nv)), float(model.body_subtreemass[1])
    centre = np.array([0.0, 4.0 * 1.0 / mass, 0.0])
    mujoco.mj_jac(model, data, Jp, Jr, centre, 1)
    J = np.vstack((Jp, Jr))
    wanted = J @ np.linalg.inv(mass_matrix(model, data)) @ J.T
    row = np.zeros(modal.row_size)
    modal.start_into(row, np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(6))
    assert modal.mobility(row) == pytest.approx(wanted, abs=1e-15)


def test_a_tree_steps_as_mujoco_does() -> None:
    """Two seconds of tumbling with three hinges are those of the engine's own Runge-Kutta method."""
    c = trials.shipped("hinged")
    flight = inside_flight(c)
    row = np.zeros(flight.row_size)
    flight.start_into(row, *trials.START, trials.TUMBLE)
    model = judge_of(c, 1e-3)
    data = mujoco.MjData(model)
    place(model, data, flight.motion(row), flight.joints(row), np.zeros(3))
    for _ in range(500):
        flight.carry_into(row, 1e-3)
        mujoco.mj_step(model, data)
    assert row[15 : 15 + model.nq] == pytest.approx(data.qpos, abs=1e-13)
    assert row[15 + model.nq :] == pytest.approx(data.qvel, abs=1e-13)

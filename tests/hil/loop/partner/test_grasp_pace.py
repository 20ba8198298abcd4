"""A grasp while object time slows down, stands and runs again: the object is given the force over it."""

import numpy as np
import pytest

from bench.acceptance.partner_trials import two_arms
from hil.loop.grasp.states import GraspState
from hil.loop.lockstep import LockStep
from hil.loop.partner.lockstep_grasp import LockStepGrasp
from tests.hil.loop.partner.test_grasp_loop import PLAN

MASS = 60.0  # [kg]
HELD, RUNS = 1.75, 2.2  # [s] while the bar is dragged


@pytest.fixture(scope="module")
def slowed(tmp_path_factory) -> tuple[np.ndarray, LockStepGrasp]:
    """A grasp that is held in its drag and goes on: a row a cycle of both times, velocity, true force."""
    file = tmp_path_factory.mktemp("pace") / "quick.toml"
    file.write_text(PLAN)
    quiet = "emulator.wrench.noise_force_n=0.0", "emulator.wrench.noise_torque_n_m=0.0"
    c = two_arms(12.0, (f'partner.plan="{file}"', *quiet))
    states, rows, orders = [], [], {HELD: "hold", RUNS: "float"}
    loop = LockStep(c, listener=lambda topic, msg: states.append(msg) if topic == "sim_state" else None)
    while not loop.floated_for(3.8):
        loop.turn()
        for t in [t for t in orders if loop.floated_s >= t]:
            loop.judge.order(orders.pop(t))
        if loop.floated_s:
            state = states[-1]
            v = state.twist_world_object[:3]
            rows.append([loop.floated_s, state.object_time, *v, *loop.port.wrench_world[:3]])
    assert loop.fault == ""
    return np.array(rows), loop.grasp


def test_what_the_object_is_given_is_the_force_over_its_own_time(slowed) -> None:
    """`M (V - V_0) = integral f ds`, over all of the grasp; over time it would be a good part more."""
    rows, grasp = slowed
    assert grasp.watch.supervision.state in (GraspState.FREE, GraspState.NEAR)
    given = MASS * (rows[-1, 2:5] - rows[200, 2:5])
    force = 0.5 * (rows[1:, 5:] + rows[:-1, 5:])
    by_object_time = (np.diff(rows[:, 1])[:, None] * force).sum(axis=0)
    runs = np.diff(rows[:, 1]) > 1e-9
    by_time = (np.diff(rows[:, 0])[runs, None] * force[runs]).sum(axis=0)
    assert np.linalg.norm(by_time - by_object_time) > 0.05
    assert np.linalg.norm(given - by_object_time) < 0.2 * np.linalg.norm(by_time - by_object_time)


def test_a_slower_object_time_creates_no_energy(slowed) -> None:
    """A body that is shown slowly, and faster again, gains none; once all that it had was gained."""
    _, grasp = slowed
    supervision = grasp.watch.supervision
    assert supervision.opened == ""
    assert supervision.gain < 5e-3

"""A world that blows up: nothing of it leaves the simulation, and the reason is said."""

import numpy as np
import pytest

from hil.common.errors import SimulationError
from hil.configuration import Configuration
from hil.loop.judging.state_machine import Machine, State
from hil.loop.sim_core import SimCore, _standing_robot
from planner.kinematics.arm_model import load_arm_model


def test_a_world_that_blows_up_ends_the_simulation(cube: Configuration) -> None:
    """From the turn on in which a state is not finite the core raises, and neither tells nor predicts it."""
    core = SimCore(cube, load_arm_model(cube.robot.model))
    robot = _standing_robot(cube.robot.start)
    for turn in range(1, 20):
        t_ns = turn * 5_000_000
        state = core.step(t_ns, Machine(State.FLOATING, 1).mode(t_ns), robot, [], None)
        assert state is not None and np.isfinite(state.p_world_object).all()
    core._world._ring[:, 3] = np.nan
    for turn in range(20, 25):
        t_ns = turn * 5_000_000
        with pytest.raises(SimulationError, match="no longer finite at object time"):
            core.step(t_ns, Machine(State.FLOATING, 1).mode(t_ns), robot, [], None)
        assert core.predict(t_ns) is None

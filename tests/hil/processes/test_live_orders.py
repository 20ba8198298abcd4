"""What an order carries beside the state: the motion that floating begins with, and the thresholds."""

import numpy as np
import pytest

from hil.configuration import Configuration
from hil.loop.judging.state_machine import Machine, State
from hil.loop.lockstep import LockStep
from hil.loop.sim_core import SimCore, _standing_robot
from hil.wrench.detector.thresholds import PushThresholds
from planner.kinematics.arm_model import load_arm_model

TWIST = (0.02, -0.03, 0.01, 0.05, 0.0, -0.1)
PERIOD_NS = 5_000_000


def test_floating_begins_with_the_motion_that_was_asked_for(cube: Configuration) -> None:
    """In free flight the centre of mass keeps the velocity, and a cube the angular velocity, to rounding."""
    core = SimCore(cube, load_arm_model(cube.robot.model))
    robot = _standing_robot(cube.robot.start)
    machine = Machine(State.READY).float(TWIST)
    for turn in range(1, 60):
        state = core.step(turn * PERIOD_NS, machine.mode(turn * PERIOD_NS), robot, [], None)
    assert state is not None
    np.testing.assert_allclose(state.twist_world_object, TWIST, atol=1e-9)


@pytest.mark.parametrize(("floor", "found"), [(None, True), (1e5, False)])
def test_a_threshold_that_no_push_passes_finds_none(
    cube: Configuration, floor: float | None, found: bool
) -> None:
    """The same pushes with the thresholds as configured, and with both beyond their reach by order."""
    loop = LockStep(cube)
    thresholds = PushThresholds.of(cube.detector)
    if floor is not None:
        thresholds = PushThresholds(thresholds.start_sigma, floor, 200.0)
    driver, plain = loop._driver, loop._driver.cycle
    driver.cycle = lambda sample, mode: plain(  # type: ignore[method-assign]
        sample, loop._machine.mode(sample.t_ns, thresholds.as_order())
    )
    trace = loop.run(6.0)
    assert len(trace.push_t_start) > 0
    assert bool(len(trace.impulse_id)) is found

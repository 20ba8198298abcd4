"""The states of a grasp: each arrow, and what is not assumed."""

import pytest

from hil.loop.grasp.states import GraspMachine, GraspState, Seen

NOTHING = Seen(gap=0.2, closed=False, grip=0.0, pads=0.0, force=0.0)


def after(machine, seconds=0.002, **seen):
    """The machine after a time in which this is seen."""
    for _ in range(round(seconds / 0.002)):
        machine = machine.step(Seen(**{**vars(NOTHING), **seen}), 0.05, 2.0, 25.0, 0.002)
    return machine


def in_state(state):
    """A machine in a state."""
    return GraspMachine(state)


def test_a_whole_grasp():
    """FREE, NEAR, TOUCH, GRASPED, RELEASING, FREE."""
    machine = after(GraspMachine(), gap=0.06)
    assert machine.state is GraspState.FREE
    machine = after(machine, gap=0.04)
    assert machine.state is GraspState.NEAR
    machine = after(machine, gap=0.0, pads=3.0)
    assert machine.state is GraspState.TOUCH
    machine = after(machine, gap=-0.001, closed=True, grip=24.0, pads=26.0, force=1.0)
    assert machine.state is GraspState.GRASPED
    machine = after(machine, gap=-0.001, closed=False, grip=24.0, pads=26.0)
    assert machine.state is GraspState.RELEASING
    assert after(machine, 0.28, gap=0.02).state is GraspState.RELEASING
    assert after(machine, 0.32, gap=0.2).state is GraspState.FREE


def test_force_alone_is_a_touch_and_no_grasp():
    """What the first arm feels begins it; a grasp needs word and grip force both."""
    machine = after(in_state(GraspState.NEAR), gap=0.01, force=2.5)
    assert machine.state is GraspState.TOUCH
    assert after(machine, gap=0.0, pads=20.0, force=20.0, grip=20.0).state is GraspState.TOUCH
    assert after(machine, gap=0.0, closed=True, grip=5.0, pads=20.0).state is GraspState.TOUCH


def test_a_lost_grip_is_a_release():
    """Word of a closed gripper without force is none."""
    machine = after(in_state(GraspState.GRASPED), gap=0.0, closed=True, grip=3.0, pads=3.0)
    assert machine.state is GraspState.RELEASING
    assert after(machine, gap=0.0, closed=True, grip=20.0, pads=20.0).state is GraspState.GRASPED


def test_a_touch_that_ends_is_near_again():
    """After 0.3 s without a force."""
    machine = after(in_state(GraspState.TOUCH), 0.28, gap=0.01)
    assert machine.state is GraspState.TOUCH
    assert after(machine, 0.04, gap=0.01).state is GraspState.NEAR


@pytest.mark.parametrize(("gap", "state"), [(0.055, GraspState.NEAR), (0.07, GraspState.FREE)])
def test_it_does_not_flutter_at_its_edge(gap, state):
    """Near is left a fifth further away than it is entered."""
    assert after(in_state(GraspState.NEAR), gap=gap).state is state

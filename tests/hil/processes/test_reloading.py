"""A changed configuration is taken up while the arm stands, and only by the same run."""

import numpy as np
import pytest

from bench.fidelity import changed
from hil.common.errors import OperatorError
from hil.configuration import Configuration
from hil.loop.judging.state_machine import BY_HAND, Machine, State
from hil.processes.supervisor.reloading import may_reload, same_run
from tests.hil.loop.test_liveness import robot


@pytest.mark.parametrize("state", list(State))
def test_never_while_the_arm_may_move(state: State) -> None:
    """Whatever moves it refuses it, all other states allow it; so does an arm never heard of."""
    for seen in (None, robot()):
        if state in (State.FLOATING, State.HOLDING, *BY_HAND):
            with pytest.raises(OperatorError, match="stop` first"):
                may_reload(Machine(state), seen)
        else:
            may_reload(Machine(state), seen)


@pytest.mark.parametrize("moving", [{"following": True}, {"dq_command": np.full(7, 1e-6)}])
def test_never_while_the_arm_comes_to_rest(moving: dict) -> None:
    """STOPPED already, but the commands still move: refused, with what to do."""
    with pytest.raises(OperatorError, match="still comes to rest"):
        may_reload(Machine(State.STOPPED), robot(**moving))


def test_another_robot_or_folder_needs_a_restart(cube: Configuration) -> None:
    """Each of these keys is named; others may change."""
    same_run(cube, changed(cube, "object", mass=61.0))
    for table, name, value in (
        ("robot", "kind", "fri"),
        ("run", "runtime_directory", "elsewhere"),
        ("run", "state_directory", "elsewhere"),
    ):
        with pytest.raises(OperatorError, match=rf"{table}\.{name} has changed"):
            same_run(cube, changed(cube, table, **{name: value}))

"""Whether the daemon may take up a changed configuration: never while the arm may move."""

from hil.common.errors import OperatorError
from hil.configuration import Configuration
from hil.loop.judging.liveness import moves
from hil.loop.judging.state_machine import Machine
from hil.messaging.messages import RobotState

NEEDS_RESTART = (
    "robot.kind",
    "emulator.patient",
    "run.runtime_directory",
    "run.state_directory",
    "network",
    "base.kind",
    "base.vehicle",
    "grasp",
    "partner",
    "shared",
)


def may_reload(machine: Machine, robot: RobotState | None) -> None:
    """Raise unless the arm stands and is not about to move.

    Raises:
        OperatorError: with what the operator has to do first.
    """
    if machine.driven:
        raise OperatorError(f"reload is refused in {machine.state}: the arm may move; `zerog stop` first")
    if moves(robot):
        raise OperatorError("reload is refused: the arm still comes to rest; try again in a moment")


def same_run(old: Configuration, new: Configuration) -> None:
    """Raise if a change needs more than new processes.

    Raises:
        OperatorError: with the key.
    """
    for key in NEEDS_RESTART:
        before, after = old, new
        for name in key.split("."):
            before, after = getattr(before, name), getattr(after, name)
        if repr(before) != repr(after):  # tables hold arrays
            raise OperatorError(f"reload is refused: {key} has changed, which needs a restart")

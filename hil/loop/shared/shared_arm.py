"""One arm of a pair in lock-step: its body flies free, and its plan is made before the moving observer."""

from drivers.emulation.port.noses import NoseEnd
from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.shared_pair import flying_free
from hil.loop.lockstep import LockStep, Operator
from hil.loop.shared.shared_observer import SharedObserver
from hil.loop.sim_core import SimCore
from hil.messaging.messages import Mode, Plan, Prediction, SimState
from planner.kinematics.arm_model import load_arm_model


class SharedArm(LockStep):
    """The lock-step loop of one arm, with a world without stops.

    Attributes:
        state: the simulation's newest; None before the first.
    """

    def __init__(self, c: Configuration, index: int, observer: SharedObserver, operator: Operator) -> None:
        """Set up before the body floats.

        Args:
            c: of the arm. Its stops are the set that it serves, which its certificate goes by.
            index: of the arm.
            observer: of both.
            operator: gives orders.
        """
        super().__init__(c, operator=operator)
        self._index, self._observer = index, observer
        self.state: SimState | None = None
        self._sim = SimCore(flying_free(c), load_arm_model(c.robot.model))

    def meets(self, end: NoseEnd) -> None:
        """Put the other mock-up in this one's way."""
        self._controller.port = self.port = end

    @property
    def emulated_s(self) -> float:
        """Time by the emulation's clock [s]."""
        return self._controller.t

    @property
    def T_world_object(self) -> Array:
        """Where the arm really holds its mock-up's object, shape (4, 4)."""
        return self._controller.arm.T_world_object.copy()

    @property
    def twist_world_object(self) -> Array:
        """How it really moves, world axes, shape (6,)."""
        return self._controller.arm.twist_world_object.copy()

    def planned(self, prediction: Prediction, q_command: Array) -> Plan:
        """Return the arm's plan before the observer."""
        shown = self._observer.shown(self._index, prediction)
        return self._observer.going(self._index, self._planner.step(shown, q_command))

    def _simulate_and_plan(self, t_ns: int, mode: Mode | None) -> SimState | None:
        self.state = super()._simulate_and_plan(t_ns, mode)
        return self.state

"""The driver's peers in a soak: simulation, planner and daemon on virtual time, each of which can fail."""

from collections import deque

import numpy as np

from hil.common.errors import OperatorError
from hil.configuration import Configuration
from hil.loop.judging.energy_monitor import EnergyMonitor
from hil.loop.judging.state_machine import Machine, State
from hil.loop.sim_core import SimCore
from hil.messaging.codec import over_the_wire
from hil.messaging.messages import ImpulseSlice, Mode, Plan, Prediction, RobotState, SimState
from hil.trials.soak.faults import Fault, made_up_slice, spoiled_plan
from planner.branches.branch_planner import BranchPlanner
from planner.kinematics.arm_model import ArmModel

PLAN_LATENCY_NS = 4_000_000  # from a prediction to its plan in the driver
SLOW_PLAN_NS = 400_000_000  # the same at most while the planner is slow
SIM_PERIOD_NS = 5_000_000
SLOW_SIM_NS = 200_000_000
TICK_NS = 20_000_000  # of the daemon
SILENT_NS = 1_000_000_000  # a peer that has not turned for so long is a fault
STUCK_NS = 1_500_000_000  # an arm that follows nothing for so long is one
ORDERS = ("hold", "stop", "reset", "float")


class Peers:
    """Simulation, planner and the daemon's state machine.

    Attributes:
        machine: the daemon's state machine.
        died: how often a core raised an exception; it is then replaced, as the daemon does.
        deaths: what was raised, each kind once.
    """

    def __init__(self, configuration: Configuration, model: ArmModel, rng: np.random.Generator) -> None:
        self._c, self._model, self._rng = configuration, model, rng
        self._sim = SimCore(configuration, model)
        self._planner = BranchPlanner(model, configuration)
        self._energy = EnergyMonitor(configuration)
        self.machine = Machine()
        self.mode: Mode | None = None
        self.died = 0
        self.deaths: set[str] = set()
        self._robot: RobotState | None = None
        self._state: SimState | None = None
        self._slices: deque[ImpulseSlice] = deque()
        self._prediction: Prediction | None = None
        self._plan: Plan | None = None  # on its way to driver, simulation and daemon
        self._heard: Plan | None = None
        self._plan_due_ns = self._sim_due_ns = self._tick_ns = self._order_ns = 0
        self._sim_ns = self._planner_ns = self._followed_ns = 0

    def hear(self, item: ImpulseSlice) -> None:
        """Take a slice from the driver."""
        item = over_the_wire(item)
        self._energy.push(item)
        self._slices.append(item)

    def told(self, t_ns: int, robot: RobotState) -> None:
        """Take the driver's state."""
        self._robot = over_the_wire(robot)
        if robot.following:
            self._followed_ns = t_ns

    def turn(self, t_ns: int, active: dict[str, Fault]) -> Plan | None:
        """Let each of them do what is due; return a plan that reaches the driver now."""
        if t_ns >= self._sim_due_ns and "simulation frozen" not in active:
            slow = active.get("simulation slow")
            self._sim_due_ns = t_ns + (int(slow.size * SLOW_SIM_NS) if slow else SIM_PERIOD_NS)
            self._simulate(t_ns, active)
        if "planner frozen" not in active:
            self._plan_ahead(t_ns, active)
        if "orders stale" not in active:
            self._supervise(t_ns, active)
        if self._plan is None or t_ns < self._plan_due_ns:
            return None
        plan, self._plan = self._plan, None
        self._heard = plan
        if plan.epoch == self.machine.epoch:
            self.machine = self.machine.policy(plan.policy, plan.reason)
        return plan

    def order(self, verb: str) -> bool:
        """Do what an operator asks for; return whether it is legal now."""
        try:
            self.machine = getattr(self.machine, verb)()
        except OperatorError:
            return False
        return True

    def _simulate(self, t_ns: int, active: dict[str, Fault]) -> None:
        self._sim_ns = t_ns
        slices = [*self._slices]
        self._slices.clear()
        if (made_up := made_up_slice(t_ns, active, self._rng)) is not None:
            slices.append(over_the_wire(made_up))
        plan, self._heard = self._heard, None
        try:
            self._state = self._sim.step(t_ns, self.mode, self._robot, slices, plan)
            prediction = self._sim.predict(t_ns)
        except Exception as error:
            self._die("simulation", error)
            self._sim = SimCore(self._c, self._model)
            return
        if prediction is not None:
            self._prediction = over_the_wire(prediction)

    def _plan_ahead(self, t_ns: int, active: dict[str, Fault]) -> None:
        self._planner_ns = t_ns
        if self._plan is not None or self._prediction is None or self._robot is None:
            return
        prediction, self._prediction = self._prediction, None
        try:
            plan = self._planner.step(prediction, self._robot.q_command)
        except Exception as error:
            self._die("planner", error)
            self._planner = BranchPlanner(self._model, self._c)
            return
        slow = active.get("planner slow")
        self._plan = over_the_wire(spoiled_plan(plan, active, self._rng))
        self._plan_due_ns = t_ns + PLAN_LATENCY_NS + (int(slow.size * SLOW_PLAN_NS) if slow else 0)

    def _die(self, name: str, error: Exception) -> None:
        self.died += 1
        self.deaths.add(f"{name}: {type(error).__name__}: {error}"[:120])
        self.machine = self.machine.fault(f"the {name} process ended")

    def _supervise(self, t_ns: int, active: dict[str, Fault]) -> None:
        """Judge as the daemon does, and send the order; an operator may meddle."""
        if "orders flip" in active and t_ns >= self._order_ns:
            self._order_ns = t_ns + int(10.0 ** self._rng.uniform(6.3, 8.3))
            self.order(str(self._rng.choice(ORDERS)))
        elif t_ns < self._tick_ns:
            return
        self._tick_ns = t_ns + TICK_NS
        machine = self.machine.health(self._missing(t_ns))
        if self._robot is not None and self._robot.fault and machine.moving:
            machine = machine.fault(self._robot.fault)
        if not machine.moving:
            self._followed_ns = t_ns
        elif t_ns - self._followed_ns > STUCK_NS:
            machine = machine.fault("the arm follows nothing")
        self.machine = self._energy.step(t_ns, machine, self._state)
        self.mode = self.machine.mode(t_ns)

    def _missing(self, t_ns: int) -> str:
        for name, last_ns in (("simulation", self._sim_ns), ("planner", self._planner_ns)):
            if t_ns - last_ns > SILENT_NS:
                return f"the {name} process is silent"
        if self._robot is None or self._robot.session != "command":
            return "robot not in command mode"
        return ""

    @property
    def stands(self) -> bool:
        """Whether the machine waits for an operator."""
        return self.machine.state in (State.FAULT, State.STOPPED, State.READY)

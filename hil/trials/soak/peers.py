"""The driver's peers in a soak: simulation, planner and daemon on virtual time, each of which can fail.

The daemon's turn is that of `hil.processes.supervisor.daemon`: what is heard goes to `Liveness`, what that
has seen to the `Judge`, and the order goes out.
"""

import json

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import OperatorError
from hil.configuration import Configuration
from hil.configuration.base_rules import vehicle_emulated
from hil.loop.carried.planning import CarriedPlanner
from hil.loop.judging.judge import Judge
from hil.loop.judging.liveness import Liveness, stalled
from hil.loop.judging.state_machine import Machine, State
from hil.loop.partner.in_the_way import in_the_way
from hil.loop.sim_core import SimCore
from hil.messaging.base_messages import BasePlan, BaseReport
from hil.messaging.codec import over_the_wire
from hil.messaging.grasp_messages import GraspReport
from hil.messaging.messages import Heartbeat, ImpulseSlice, Mode, Plan, Prediction, RobotState, Witness
from hil.processes.table import processes_of
from hil.trials.soak.faults import Fault, made_up_slice, spoiled_plan
from hil.trials.soak.impossible_planner import ImpossiblePlanner
from planner.branches.path_planner import PathPlanner
from planner.kinematics.arm_model import ArmModel

PLAN_LATENCY_NS = 4_000_000  # from a prediction to its plan in the driver
SLOW_PLAN_NS = 400_000_000  # the same at most while the planner is slow
SIM_PERIOD_NS = 5_000_000
SLOW_SIM_NS = 200_000_000
TICK_NS = 20_000_000  # of the daemon
ORDERS = ("hold", "stop", "reset", "float")
FROZEN = {  # by process
    "driver": "driver frozen",
    "sim": "simulation frozen",
    "planner": "planner frozen",
    "vehicle": "vehicle frozen",
}


class Peers:
    """Simulation, planner and what the daemon sees, judges and orders.

    Attributes:
        mode: the daemon's newest order.
        base_plan: of the base, with the newest plan that reached the driver; None: the arm stands.
        died: how often a core raised an exception; it is then replaced, as the daemon does.
        deaths: what was raised, each kind once.
    """

    def __init__(self, configuration: Configuration, model: ArmModel, rng: np.random.Generator) -> None:
        self._c, self._model, self._rng = configuration, model, rng
        self._sim = SimCore(configuration, model)
        self._planner = planner_of(configuration, model)
        self._base = BaseReport(0, np.zeros(3), np.zeros(3), np.zeros(3), "")  # what is told of a base
        self._impossible = ImpossiblePlanner(configuration, model, rng)
        self._processes = [
            process.name
            for process in processes_of(configuration.robot.kind, carried=vehicle_emulated(configuration))
        ]
        self._seen = Liveness(self._processes, robot_timeout=configuration.fri.timeout)
        self._judge = Judge(configuration)
        self.mode: Mode | None = None
        self.base_plan: BasePlan | None = None
        self._base_plan: BasePlan | None = None  # on its way
        self.died = 0
        self.deaths: set[str] = set()
        self._slices: list[ImpulseSlice] = []  # that the simulation has not had yet,
        self._reported: list[ImpulseSlice] = []  # and the daemon
        self._witnesses: list[Witness] = []
        self._prediction: Prediction | None = None
        self._plan: Plan | None = None  # on its way to driver, simulation and daemon
        self._heard: Plan | None = None
        self._plan_due_ns = self._sim_due_ns = self._tick_ns = self._order_ns = 0
        self._turned_ns = 0
        self._trouble = ""  # of the driver's heartbeat

    @property
    def machine(self) -> Machine:
        """The daemon's state machine."""
        return self._judge.machine

    def hear(self, slices: list[ImpulseSlice], witnesses: list[Witness]) -> None:
        """Take what the driver reports of pushes."""
        slices = [over_the_wire(item) for item in slices]
        self._slices += slices
        self._reported += slices
        self._witnesses += [over_the_wire(statement) for statement in witnesses]

    def told(self, t_ns: int, robot: RobotState, trouble: str) -> None:
        """Take the driver's state, and why it says that nothing can begin."""
        self._trouble = trouble
        self._seen.hear(t_ns, over_the_wire(robot))

    def told_of_base(self, report: BaseReport) -> None:
        """Take what the driver tells of a base."""
        self._base = report
        self._sim.base_pose = report.pose

    def turn(self, t_ns: int, active: dict[str, Fault]) -> Plan | None:
        """Let each of them do what is due; return a plan that reaches the driver now."""
        for name in self._processes:
            if FROZEN.get(name) not in active:
                detail = self._trouble if name == "driver" else ""
                self._seen.hear(t_ns, Heartbeat(t_ns, name, "ready", detail, 0, ""))
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
        self._heard, self.base_plan = plan, self._base_plan
        self._seen.hear(t_ns, plan)
        return plan

    def order(self, verb: str) -> bool:
        """Do what an operator asks for; return whether it is legal now."""
        try:
            self._judge.order(verb, "by the operator" if verb == "stop" else "")
        except OperatorError:
            return False
        return True

    def hear_grasp(self, report: GraspReport, active: dict[str, Fault]) -> None:
        """Do what the daemon does by the driver's reports of a grasp."""
        if "orders stale" in active:
            return
        if report.floating and report.why and self.machine.state is State.FLOATING:
            self._judge.order("hold", report.why)
        self._judge.second_arm = in_the_way(self._c, report)
        if self._judge.second_arm and self.machine.by_hand:
            self._judge.order("stop", self._judge.second_arm)

    def asked(self, errand: str, speed: float) -> int | None:
        """Ask for a way, to the start pose at `speed` [rad/s] or of calibration; return its session."""
        try:
            self._judge.order(errand, repr(speed) if errand == "approach" else "")
        except OperatorError:
            return None
        return int(json.loads(self._judge.approaching.granted)["session"])

    def beat(self, session: int, number: int, sent_ns: int) -> bool:
        """Send a hand's heartbeat; return whether it counts."""
        try:
            self._judge.order("beat", json.dumps([session, number, sent_ns, False]))
        except OperatorError:
            return False
        return True

    def _simulate(self, t_ns: int, active: dict[str, Fault]) -> None:
        slices, self._slices = self._slices, []
        if (made_up := made_up_slice(t_ns, active, self._rng)) is not None:
            slices.append(over_the_wire(made_up))
        plan, self._heard = self._heard, None
        try:
            state = self._sim.step(t_ns, self.mode, self._seen.robot, slices, plan)
            prediction = self._sim.predict(t_ns)
        except Exception as error:
            self._die("sim", error)
            self._sim = SimCore(self._c, self._model)
            return
        self._seen.hear(t_ns, state)
        if prediction is not None:
            self._prediction = over_the_wire(prediction)

    def _plan_ahead(self, t_ns: int, active: dict[str, Fault]) -> None:
        robot = self._seen.robot
        if self._plan is not None or self._prediction is None or robot is None:
            return
        prediction, self._prediction = self._prediction, None
        try:
            plan = self._planned(prediction, robot.q_command)
        except Exception as error:
            self._die("planner", error)
            self._planner = planner_of(self._c, self._model)
            return
        slow = active.get("planner slow")
        plan = self._impossible.spoiled(spoiled_plan(plan, active, self._rng), active)
        self._plan = over_the_wire(plan)
        self._plan_due_ns = t_ns + PLAN_LATENCY_NS + (int(slow.size * SLOW_PLAN_NS) if slow else 0)

    def _planned(self, prediction: Prediction, q_command: Array) -> Plan:
        """Return the arm's plan; that of a base is kept until it arrives with it."""
        if isinstance(self._planner, PathPlanner):
            return self._planner.step(prediction, q_command)
        plan, base_plan = self._planner.step(prediction, q_command, self._base.pose, self._base.trouble)
        self._base_plan = over_the_wire(base_plan)
        return plan

    def _die(self, name: str, error: Exception) -> None:
        self.died += 1
        self.deaths.add(f"{name}: {type(error).__name__}: {error}"[:120])
        self._seen.forget(name)
        self._judge.order("fault", f"the {name} process has ended")

    def _supervise(self, t_ns: int, active: dict[str, Fault]) -> None:
        """Judge and send the order; an operator may meddle."""
        meddles = "orders flip" in active and t_ns >= self._order_ns
        if t_ns < self._tick_ns and not meddles:
            return
        self._tick_ns = t_ns + TICK_NS
        gap_ns, self._turned_ns = t_ns - self._turned_ns, t_ns
        if self.machine.moving and (reason := stalled(gap_ns)):
            self._judge.order("fault", reason)
        self._judge.hear(self._reported, self._witnesses)
        self._reported, self._witnesses = [], []
        self._judge.step(t_ns, self._seen.evidence(t_ns, self.machine, self._c.run.follow))
        if meddles:
            self._order_ns = t_ns + int(10.0 ** self._rng.uniform(6.3, 8.3))
            self.order(str(self._rng.choice(ORDERS)))
        self._judge.taken()  # nobody records it
        self.mode = self.machine.mode(t_ns)


def planner_of(c: Configuration, model: ArmModel) -> PathPlanner | CarriedPlanner:
    """Return a planner of an arm that stands, or that a base carries."""
    return PathPlanner(model, c) if c.base.kind == "none" else CarriedPlanner(model, c)

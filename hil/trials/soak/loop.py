"""One arm in a soak: controller, link, driver and peers on virtual time, faults drawn by seed.

The cores are those of the product, and the robot's packets are real bytes on the emulated link. After
each scenario an operator resets and floats again.
"""

from collections.abc import Callable

import numpy as np

from drivers.emulation.controller.controller import EmulatedController
from drivers.emulation.disturbances import CALM, FROM_DRIVER, TO_DRIVER
from drivers.emulation.link import EmulatedLink
from drivers.fri.layout import SEQUENCE_MODULUS
from drivers.fri.session import FriSession, joined
from drivers.sensor.rdt import decode_record
from hil.common.arrays import Array
from hil.common.errors import BadMessage
from hil.configuration import Configuration
from hil.loop.driver.core import DriverCore
from hil.loop.driver.cycle import Counters
from hil.loop.judging.state_machine import BY_HAND, State
from hil.loop.real_port import port_of
from hil.messaging.messages import Plan
from hil.trials.soak.base import SoakBase
from hil.trials.soak.contacts import SoakContacts, drawn_port
from hil.trials.soak.faults import Fault, disturbance, hand_scenario, kinds_of, scenario
from hil.trials.soak.grasping import GRASP_CALM, grasp_of
from hil.trials.soak.hand import SoakHand
from hil.trials.soak.host_clock import LONGEST_PAUSE, HostClock
from hil.trials.soak.ledger import Ledger, Stops
from hil.trials.soak.peers import Peers
from planner.kinematics.arm_model import ArmModel

SLOTS = (0.25, 0.75)  # of a cycle: when the driver looks for packets
STATE_PERIOD_NS = 10_000_000
RESTING = 1e-4  # [rad/s] below which every joint of the arm stands
CALM_TIME = 0.3, 1.0  # [s] of floating between two scenarios
SETTLING = 3.0  # [s] within which the arm must stand or follow when the faults are over
WAY_HOME = 10.0  # [s] for which a hand holds on to bring the arm to its start
RECOVERY = 4.0  # [s] within which it follows again, else it is taken home
FINDINGS_KEPT = 10


def bridging(c: Configuration, number: int) -> tuple[Configuration, str]:
    """Return the configuration of one arm and how its controller bridges lost answers: by turns."""
    way = ("extrapolate", "hold")[number % 2]
    return c.model_copy(update={"emulator": c.emulator.model_copy(update={"lost_answers": way})}), way


class SoakLoop:
    """One arm and its loop until it has to be taken home."""

    def __init__(self, c: Configuration, model: ArmModel, seed: int, ledger: Ledger) -> None:
        """Stand at the start pose; `seed` is named in findings, the cycles before are counted in `ledger`."""
        rng = np.random.default_rng([seed, ledger.homed])
        c, self._bridges = bridging(drawn_port(c, rng), seed + ledger.homed)
        self._c, self._rng, self._ledger, self._seed = c, rng, ledger, seed
        self._T = c.fri.sample_time
        self.controller = EmulatedController(c, port_of=port_of)
        contacts_rng = np.random.default_rng([seed, ledger.homed, 2])
        self._contacts = SoakContacts(self.controller.port, contacts_rng, ledger)
        wrong = self.controller.disturbances
        number = int(rng.integers(2**31))
        self._to_driver = EmulatedLink(0.0, 0.0, number, TO_DRIVER, wrong)
        self._from_driver = EmulatedLink(0.0, 0.0, number, FROM_DRIVER, wrong)
        carried = c.base.kind != "none"
        self._base = SoakBase(c, model, seed + ledger.homed, self._find_command) if carried else None
        self._session = FriSession(c.fri)
        self._driver = DriverCore(c, model, None if self._base is None else self._base.arm)
        self._peers = Peers(c, model, rng)
        self._grasp = grasp_of(c, model, self.controller, self._driver, [seed, ledger.homed, 3], ledger)
        self._inbox: list[bytes] = []
        self._felt: list[bytes] = []  # a force sensor's records that wait for the driver
        self._kinds = kinds_of(c)
        self._plan: Plan | None = None  # for the driver's next turn
        self._faults: list[Fault] = []
        self._active: dict[str, Fault] = {}
        self._change = 0  # cycle at which the active faults change
        self._heard_ns = self._state_ns = 0
        self._host = HostClock()
        self._stop: tuple[int, Array, Array, list[str]] | None = None
        self._followed = False
        self._state = self._peers.machine.state
        self._over = 0  # cycle at which the last scenario's faults were over
        self._quiet_until = 0  # cycle at which the next scenario may begin
        self._settled = self._afloat = False
        self._hand = SoakHand(np.random.default_rng([seed, ledger.homed, 1]))
        self._grasped = False  # a hand may have taken hold since the arm floated last
        self._brought = False  # a hand has been asked to bring it to its start since then

    def run(self, cycles: int) -> None:
        """Run so many cycles, or fewer if the arm has to be taken home or anything fails that must not."""
        monitor, ledger = self.controller.monitor, self._ledger
        try:
            self._turns(cycles)
        except Exception as error:
            ledger.died += 1
            ledger.cycles += 1  # one that fails is one as well: a soak ends
            ledger.homed += 1
            self._find(f"{type(error).__name__}: {error}")
        ledger.commands += monitor.commands
        ledger.bridged[self._bridges] = ledger.bridged.get(self._bridges, 0) + self.controller.bridged
        ledger.violations += monitor.violations
        for name, share in monitor.worst.items():
            ledger.worst[name] = max(ledger.worst.get(name, 0.0), float(share))
        ledger.died += self._peers.died
        for death in sorted(self._peers.deaths):
            self._find(death)

    def _turns(self, cycles: int) -> None:
        monitor = self.controller.monitor
        for _ in range(cycles):
            known = monitor.violations
            home = self._turn()
            if monitor.violations > known:
                self._find(monitor.last)
            if home:
                self._ledger.homed += 1
                break

    def _find(self, text: str) -> None:
        """Note what must not be, and how to have it again."""
        faults = ", ".join(self._active) or "no fault at present"
        if len(self._ledger.findings) < FINDINGS_KEPT:
            self._ledger.findings.append(f"seed {self._seed} cycle {self._ledger.cycles}: {text} ({faults})")

    def _find_command(self, text: str) -> None:
        """Note a command that breaks a bound of the vehicle."""
        self._ledger.violations += 1
        self._find(text)

    def _turn(self) -> bool:
        """One cycle of the robot; return whether the arm must be taken home."""
        controller, n = self.controller, self.controller.cycle
        if n >= self._change:
            self._change_faults(n)
        t = n * self._T
        if fault := self._active.get("clocks drift"):
            self._host.drift(fault.size, self._T)
        self._let_peers_turn(t)
        self._felt += [measured.data for measured in controller.sense()]
        self._to_driver.submit(controller.send(), t)
        for slot in SLOTS:
            at = t + slot * self._T
            self._inbox += [data for _, data in self._to_driver.due(at)]
            if "driver frozen" not in self._active:
                self._drive(at)
        for arrival, data in self._from_driver.due(t + self._T):
            try:
                controller.receive(data, max(0.0, arrival - t))
            except BadMessage:  # an answer to a packet of before the controller's restart
                self._ledger.refused += 1
        self._lead_second(t)
        self._ride()
        controller.advance()
        self._ledger.cycles += 1
        self._watch(n)
        return self._operate(n)

    def _lead_second(self, t: float) -> None:
        """Let a second arm, if there is one, do its cycle; what holds all holds the run."""
        if self._grasp is None:
            return
        report, floats = self._grasp.report, self._peers.machine.state is State.FLOATING
        if report is not None:
            self._peers.hear_grasp(report, self._active)
        if found := self._grasp.cycle(self._host.ns(t), self._active, report, floats):
            self._find(found)

    def _let_peers_turn(self, t: float) -> None:
        plan = self._peers.turn(self._host.ns(t), self._active)
        self._hand.turn(self._host.ns(t), self._active, self._peers)
        self._plan = plan or self._plan
        if self._base is not None and plan is not None:
            self._base.arrives(self._peers.base_plan, self._active)

    def _ride(self) -> None:
        """Let a base, if there is one, carry the arm on by a cycle."""
        if self._base is not None:
            self.controller.arm.carry(self._base.advance(self._active))

    def _pause(self, t: float, seconds: float) -> None:
        """The controller stands still, its counter too, and the host goes on."""
        for _ in range(round(seconds / self._T)):
            self._host.pass_by(self._T)
            self._ride()
            self._let_peers_turn(t)
            if "driver frozen" not in self._active:
                self._drive(t)

    def _drive(self, t: float) -> None:
        """Let the driver do its turn, and command what carries the arm."""
        t_ns = self._host.ns(t)
        if self._base is not None:
            self._base.hear(t_ns, self._active)
        self._answer(t, t_ns)
        if self._base is not None:
            silent = t_ns - self._heard_ns > self._c.fri.timeout * 1e9
            self._base.drive(t_ns, None if silent or self._driver.fault else self._peers.mode)

    def _answer(self, t: float, t_ns: int) -> None:
        """The driver takes all packets that have come and answers the newest, or tells that none comes."""
        address = self._c.fri.controller_address
        silent = t_ns - self._heard_ns > self._c.fri.timeout * 1e9
        if silent and self._driver.silence() and not self._inbox:
            self._tell(t_ns)
            if self._grasp is not None:
                self._grasp.judge(t_ns, 0, None)
        if not self._inbox:
            return
        self._heard_ns = t_ns
        self._session.keep_steady(self._driver.afloat)
        received = [self._session.receive(data, address, t_ns) for data in self._inbox]
        samples = joined([sample for sample in received if sample is not None])
        self._inbox.clear()
        if not samples:
            return
        plan, self._plan = self._plan, None
        if self._base is not None:
            plan = self._base.paired(plan)
        newest, mode = samples[-1], self._peers.mode
        failing = self._failing()
        records, self._felt = [decode_record(data, t_ns) for data in self._felt], []
        try:
            self._driver.sense(records)
            for sample in samples:
                self._driver.observe(sample)
            cycle = self._driver.cycle(newest, mode)
        except Exception as error:
            cycle = self._driver.emergency(newest, error)
        if not cycle.withheld:
            self._from_driver.submit(self._session.answer(newest, cycle.q_command), t)
        slices = self._driver.slices_of(cycle)
        conclusion = self._driver.conclude(newest, slices, plan)
        failing()
        if self._grasp is not None:
            self._grasp.judge(t_ns, newest.t_ns, mode)
        self._peers.hear(slices, conclusion.witnesses)
        spoiled = bool(self._faults) or not self._afloat  # what was held back comes when a fault is over
        if found := self._contacts.hear(conclusion.contacts, spoiled):
            self._find(found)
        self._tell(t_ns)

    def _tell(self, t_ns: int) -> None:
        """Tell the others of the robot, now and then."""
        if t_ns - self._state_ns >= STATE_PERIOD_NS:
            self._state_ns = t_ns
            self._peers.told(t_ns, self._driver.state(t_ns, Counters()), self._driver.lacking(t_ns))
            if self._base is not None:
                self._peers.told_of_base(self._base.report(t_ns))

    def _failing(self) -> Callable[[], None]:
        """Let a part of the driver raise, if that is at work; return what mends it."""
        fault = self._active.get("exception in a cycle")
        if fault is None:
            return lambda: None
        driver = self._driver
        victims = ((driver, "observe"), (driver._interpolator, "step"), (driver._delay, "step"))
        victim, name = victims[int(fault.size * len(victims))]

        def broken(*_: object) -> None:
            raise RuntimeError("broken on purpose")

        setattr(victim, name, broken)
        return lambda: delattr(victim, name)

    def _change_faults(self, n: int) -> None:
        """Let faults begin and end, and draw the next scenario when it is time."""
        if not self._faults and self._afloat and n >= self._quiet_until:
            self._begin_scenario(scenario(self._rng, n, self._T, self._kinds))
        active = [fault for fault in self._faults if fault.begin <= n < fault.end]
        if self._faults and n >= self._over:
            self._faults = []
        before, self._active = self._active, {fault.kind: fault for fault in active}
        now = disturbance(active)
        if now is not CALM or self.controller.disturbances.current is not CALM:
            self.controller.disturbances.begin(now, n * self._T)
        self._begin_at_once([fault for fault in active if fault.kind not in before])
        edges = [edge for fault in self._faults for edge in (fault.begin, fault.end) if edge > n]
        self._change = min(edges) if edges else n + 1

    def _begin_scenario(self, faults: list[Fault]) -> None:
        self._faults = faults
        self._ledger.scenarios += 1
        for fault in faults:
            self._ledger.faults[fault.kind] = self._ledger.faults.get(fault.kind, 0) + 1
        self._settled = self._afloat = False
        self._over = max(fault.end for fault in faults)

    def _begin_at_once(self, begun: list[Fault]) -> None:
        for fault in begun:
            if fault.kind == "controller restarts":
                self.controller.restart(int(fault.size * SEQUENCE_MODULUS))
            elif fault.kind == "arrivals step in time":
                self._host.step(fault.size)
            elif fault.kind == "controller pauses":
                self._pause(self.controller.cycle * self._T, fault.size * LONGEST_PAUSE)

    def _watch(self, n: int) -> None:
        """Count states; measure stops: from the last cycle that followed until the arm stands."""
        state = self._peers.machine.state
        if state is not self._state:
            self._ledger.states[state.value] = self._ledger.states.get(state.value, 0) + 1
        self._state = state
        by_hand = state in BY_HAND and self._driver.moving
        if by_hand and self._hand.lonely(self._host.ns(n * self._T)):
            self._find("the arm moves without a hand")
        following = self._driver.following
        if self._followed and not following and self._stop is None:
            kinds = list(self._active) or ["afterwards"]
            T = self.controller.arm.T_world_object
            self._stop = n, self.controller.arm.q.copy(), T[:3, 3].copy(), kinds
        self._followed = following
        if self._stop is None:
            return
        begun, q, p, kinds = self._stop
        arm = self.controller.arm
        if not following and np.abs(arm.dq).max() > RESTING:
            return
        if not following:
            angle = float(np.abs(arm.q - q).max())
            way = float(np.linalg.norm(arm.T_world_object[:3, 3] - p))
            for kind in kinds:
                self._ledger.stops.setdefault(kind, Stops()).add((n - begun) * self._T, angle, way)
        self._stop = None

    def _operate(self, n: int) -> bool:
        """What an operator does when the faults are over; return whether the arm must be taken home."""
        if self._contacts.touched() and self._afloat:
            self._quiet_until = min(self._quiet_until, n + round(self._contacts.until_fault() / self._T))
        if self._faults or self._afloat:
            return False
        waited = (n - self._over) * self._T
        resting = bool(np.abs(self.controller.arm.dq).max() < RESTING)
        following = self._driver.following
        if not self._settled:
            self._settled = resting or following
            if not self._settled and waited > SETTLING:
                self._ledger.unsettled += 1
                self._find("the arm neither stands nor follows")
                return True
            return False
        if following and self._peers.machine.state is State.FLOATING:
            self._afloat, self._grasped, self._brought = True, False, False
            self._quiet_until = n + round(self._rng.uniform(*self._calm()) / self._T)
            self._change = n + 1
            return False
        if self._hand.holds:
            return False
        if resting and not self._grasped and self._peers.machine.state is State.READY:
            self._grasped = True
            if self._hand.takes_hold(self._host.ns(n * self._T)):
                self._begin_scenario(hand_scenario(self._rng, n, self._T, self._kinds))
                self._change = n + 1
                return False
        if n % 10 == 0 and (resting or self._peers.machine.state is State.HOLDING):
            self._go_on(n)
        return waited > SETTLING + RECOVERY

    def _calm(self) -> tuple[float, float]:
        """Return the bounds of how long the object floats until a scenario begins [s]."""
        return GRASP_CALM if self._grasp is not None else self._contacts.calm(CALM_TIME)

    def _go_on(self, n: int) -> None:
        """Let the object float; where that is refused, reset, bring the arm to its start by hand, or stop."""
        if self._peers.order("float"):
            return
        if self._peers.machine.state is not State.READY:
            self._peers.order("reset")
        elif not self._brought:
            self._brought = True
            self._hand.holds_on(self._host.ns(n * self._T), WAY_HOME)
            self._over = n + round(WAY_HOME / self._T)
        else:  # what a hand has met is said to press still
            self._peers.order("stop")

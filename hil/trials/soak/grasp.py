"""A second arm in a soak: it grasps again and again, while its own parts and the first arm's fail.

The cores are those of the product. Whatever fails, the mock-up must never feel more than the grasp's limit.
"""

from dataclasses import replace

import numpy as np

from drivers.emulation.controller.controller import EmulatedController
from drivers.emulation.grasp.partner_arm import PartnerArm
from hil.configuration import Configuration
from hil.configuration.grasp_plan import GraspPlan
from hil.loop.driver.core import DriverCore
from hil.loop.driver.grasp_force import GraspForce
from hil.loop.judging.state_machine import State
from hil.loop.partner.client import PartnerCore
from hil.loop.partner.second import second_controller
from hil.loop.partner.tip_link import tip_fri, tip_session
from hil.loop.partner.watch import GraspWatch
from hil.messaging.codec import over_the_wire
from hil.messaging.grasp_messages import GraspReport
from hil.messaging.messages import Mode
from hil.trials.soak.faults import Fault
from hil.trials.soak.ledger import Ledger
from planner.kinematics.arm_model import ArmModel

LOST_SHARE = 0.5  # of packets, at most
STARTED_AGAIN = 0.5  # [s] after which a partner that is over, or gave up, is started again
WAITED = 2.0  # [s] without floating after which whoever operates starts the partner anew: it opens
BESIDE = [0.0, 1.0, 0.0]  # [mm] from the place of a grasp: one pad touches first
QUICK = {  # the gripper stands around the bar from the beginning
    "start_mm": BESIDE, "speed_mm_s": 60.0, "turning_deg_s": 20.0, "brake_s": 0.3,
    "phase": [
        {"phase": "approach", "frame": "object", "place_mm": BESIDE, "wait_s": 0.5, "duration_s": 0.5},
        {"phase": "close", "frame": "object", "duration_s": 0.6},
        {"phase": "hold", "frame": "world", "duration_s": 0.6},
        {"phase": "drag", "frame": "world", "place_mm": [0.0, 15.0, 0.0], "duration_s": 0.8},
        {"phase": "release", "frame": "object", "place_mm": BESIDE, "wait_s": 0.5, "duration_s": 0.5},
    ],
}  # fmt: skip


class SoakGrasp:
    """The second arm of one arm's soak, its client and the driver's share."""

    def __init__(
        self,
        configuration: Configuration,
        model: ArmModel,
        controller: EmulatedController,
        driver: DriverCore,
        rng: np.random.Generator,
        ledger: Ledger,
    ) -> None:
        """Stand around the bar."""
        c = configuration
        assert isinstance(controller.port, PartnerArm) and isinstance(driver.touching, GraspForce)
        assert c.grasp is not None
        self._c, self._rng, self._ledger, self._driver = c, rng, ledger, driver
        self._arm = controller.port
        self._plan = GraspPlan.model_validate(QUICK)
        held = controller.arm.T_world_object @ c.grasp.T_object_tool
        held[:3, 3] += held[:3, :3] @ self._plan.start
        self._arm.begin(held)
        self._second = second_controller(c, model, self._arm)
        self._most, self._T = c.grasp.max_force, c.fri.sample_time
        self._client, self._session = PartnerCore(c, self._plan), tip_session(c)
        self._watch = GraspWatch(c, driver.touching)
        self._report: GraspReport | None = None
        self._again = self._idle = 0.0
        self._grasped = self._over = False

    @property
    def report(self) -> GraspReport | None:
        """What the driver says of the grasp, since the last call; None: nothing new."""
        found, self._report = self._report, None
        return found

    def judge(self, t_ns: int, sampled_ns: int, mode: Mode | None) -> None:
        """Let the driver judge, after it answered, or waited in vain (`sampled_ns` 0)."""
        floats = mode is not None and mode.state == State.FLOATING and self._driver.afloat
        self._watch.step(t_ns, sampled_ns, self._driver.lead, floats)
        self._report = over_the_wire(self._watch.report())
        grasped = self._report.state == "GRASPED"
        self._ledger.grasps += grasped and not self._grasped
        self._grasped = grasped

    def cycle(self, t_ns: int, active: dict[str, Fault], report: GraspReport | None, floats: bool) -> str:
        """Do a cycle of the second controller, and return what must not be.

        Args:
            t_ns: by the host's clock.
            active: faults at work.
            report: the driver's newest.
            floats: the run does.
        """
        self._second.power_on = "second arm's drives off" not in active
        self._arm.grips = "gripper lost" not in active
        data = self._second.send()
        lost = "second arm's link lost" in active
        if fault := active.get("second arm's packets lost"):
            lost |= self._rng.random() < LOST_SHARE * fault.size
        if report is not None and "partner does not hear the run" not in active:
            self._client.hear(report, t_ns)
        if not lost and "partner frozen" not in active and "partner ends" not in active:
            self._lead(data, t_ns, active)
        self._second.advance()
        self._start_again(active, floats)
        return self._too_much()

    def _lead(self, data: bytes, t_ns: int, active: dict[str, Fault]) -> None:
        """Let the client answer a packet and say where the arm is."""
        sample = self._session.receive(data, tip_fri(self._c).controller_address, t_ns)
        if sample is None:
            return
        led = self._client.turn(self._session.tip, sample, t_ns)
        self._second.receive(self._session.answer_tip(sample, *led))
        if "partner's words lost" in active:
            return
        words = self._client.words(self._session.tip, sample.t_ns, self._session.trouble)
        if "partner's words not finite" in active:
            words = replace(words, p_world_tip=np.full(3, np.nan))
        self._watch.hear(over_the_wire(words), t_ns)

    def _start_again(self, active: dict[str, Fault], floats: bool) -> None:
        """Start the client anew where it is over, gave up, or nothing floats for long."""
        self._idle = 0.0 if floats else self._idle + self._T
        ended = self._client.over or bool(self._client.failed) or "partner ends" in active
        self._again = self._again + self._T if ended else 0.0
        if self._again > STARTED_AGAIN or self._idle > WAITED:
            self._again = self._idle = 0.0
            self._client, self._session = PartnerCore(self._c, self._plan), tip_session(self._c)

    def _too_much(self) -> str:
        """Return that the mock-up feels more than it may, once as long as it does."""
        force = float(np.linalg.norm(self._arm.wrench_world[:3]))
        self._ledger.peak_grasp = max(self._ledger.peak_grasp, force)
        before, self._over = self._over, force > self._most
        if not self._over or before:
            return ""
        self._ledger.overforces += 1
        return f"the mock-up feels {force:.1f} N of the second arm, {self._most:g} N at most"

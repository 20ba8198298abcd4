"""What the daemon knows of a second arm and its grasp: why all must be held, in status and in words."""

import math
from typing import TYPE_CHECKING, Any

from hil.common.freshness import is_fresh
from hil.configuration import Configuration
from hil.loop.grasp.states import ACTING
from hil.loop.partner.in_the_way import holds_on, in_the_way
from hil.messaging.bus import Bus
from hil.messaging.grasp_messages import GraspReport, PartnerWords
from hil.messaging.messages import RobotState

if TYPE_CHECKING:
    from hil.loop.partner.nearness import Nearness

OLD_NS = 500_000_000  # what is older says nothing of now
LOOK_NS = 50_000_000  # between two looks at the distance between the arms


class GraspNews:
    """Keeps the newest that driver and partner told, and looks at the distance between the arms."""

    def __init__(self, bus: Bus, configuration: Configuration) -> None:
        """Listen on a run's bus, if its configuration has a second arm."""
        self._nearness: Nearness | None = None
        self._report: GraspReport | None = None
        self._words: PartnerWords | None = None
        self._heard_ns = self._said_ns = self._looked_ns = 0
        self._forgotten = ""  # what a driver that has ended knew of a grasp
        self._c = configuration
        if configuration.grasp is None:
            return
        from hil.loop.partner import nearness  # a run without a second arm loads nothing of it
        from planner.kinematics.arm_model import load_arm_model

        self._reports = bus.subscriber("grasp_report", GraspReport)
        self._partners = bus.subscriber("partner_words", PartnerWords)
        self._nearness = nearness.Nearness(configuration, load_arm_model(configuration.robot.model))

    def turn(self, now_ns: int, robot: RobotState | None) -> str:
        """Take what has come and return why all must be held; empty if nothing must.

        Args:
            now_ns: now.
            robot: the first arm, as it was heard of last.
        """
        if self._nearness is None:
            return ""
        report, words = self._reports.newest(), self._partners.newest()
        if report is not None:
            self._report, self._heard_ns = report, now_ns
        if words is not None:
            self._words, self._said_ns = words, now_ns
            self._forgotten = self._forgotten if self._holds_on else ""
        # a report of before the driver heard of the order to float says nothing of now
        why = report.why if report is not None and report.floating else ""
        return why or self._too_near(now_ns, robot)

    def driver_ended(self) -> None:
        """Forget what the driver told of the grasp: another one knows nothing of it."""
        if self._nearness is None:
            return
        state = "" if self._report is None else self._report.state
        if state in ACTING or self._holds_on:
            self._forgotten = state or "closed"
        self._report = None

    @property
    def _holds_on(self) -> bool:
        """Whether the gripper holds on, by what its partner said last."""
        if self._words is None or self._c.grasp is None:
            return False
        return holds_on(self._words, self._c.grasp.touch_force)

    @property
    def grip_unknown(self) -> str:
        """Why nothing may float since a driver has ended, in words; empty if something may."""
        if not self._forgotten:
            return ""
        return (
            f"the driver has ended while the second arm held on ({self._forgotten}), and nobody has said "
            "since that its gripper is open: `zerog partner` opens it"
        )

    @property
    def in_the_way(self) -> str:
        """Why the first arm may not be brought anywhere by hand; empty if it may."""
        return in_the_way(self._c, self._report)

    def _too_near(self, now_ns: int, robot: RobotState | None) -> str:
        """Return that the arms are too near; who has fallen silent counts where it was last."""
        if now_ns - self._looked_ns < LOOK_NS or robot is None or self._words is None:
            return ""
        self._looked_ns = now_ns
        assert self._nearness is not None
        state = "" if self._report is None else self._report.state
        return self._nearness.look(robot.q_measured, self._words, state)

    def status(self, now_ns: int) -> dict[str, Any]:
        """Return how the grasp is, units in the names; `grasp` is None without a second arm."""
        if self._nearness is None:
            return {"grasp": None}
        report, words = self._report, self._words
        if report is None or not is_fresh(now_ns, self._heard_ns, OLD_NS):
            return {"grasp": "nothing is heard of it"}
        said = words is not None and is_fresh(now_ns, self._said_ns, OLD_NS)
        partner = "not heard"
        if words is not None and said:
            partner = words.trouble or words.phase
        gap, apart = report.gap, self._nearness.gap
        status: dict[str, Any] = {
            "grasp": report.state,
            "grasp_law": report.law,
            "grasp_why": report.why,
            "grasp_force_n": round(report.force, 2),
            "grasp_torque_n_m": round(report.torque, 3),
            "grasp_peak_n": round(report.peak, 2),
            "grasp_gain_mj": round(1e3 * report.gain, 2),
            "grasp_gap_mm": round(1e3 * gap, 1) if math.isfinite(gap) else None,
            "grasp_clearance_mm": round(1e3 * apart, 1) if math.isfinite(apart) else None,
            "gripper_n": [round(f, 1) for f in words.pads.tolist()] if words is not None and said else None,
            "partner": partner,
        }
        return status | {"grasp_told": grasp_words(status)}


def grasp_words(status: dict[str, Any]) -> str:
    """Return how the grasp is, in words: state, law, force, distances, what the partner does."""
    law = f", law {status['grasp_law']}" if status["grasp_law"] else ""
    gap, apart = status["grasp_gap_mm"], status["grasp_clearance_mm"]
    told = [
        f"{status['grasp']}{law}, {status['grasp_force_n']:.1f} N felt, "
        f"{status['grasp_peak_n']:.1f} N at most, {status['grasp_gain_mj']:.1f} mJ created",
        "" if gap is None else f"pad {gap:.0f} mm from the bar",
        "" if apart is None else f"arms {apart:.0f} mm apart",
        f"partner: {status['partner']}",
    ]
    return "; ".join(filter(None, told))


def grasp_lines(status: dict[str, Any]) -> list[str]:
    """Return the line of `zerog status`; none without a second arm."""
    if status.get("grasp") is None:
        return []
    return [f"grasp: {status.get('grasp_told') or status['grasp']}"]

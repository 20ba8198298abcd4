"""Who is alive and whether the arm moves as it should, judged from what the processes say of themselves.

A pure core: it is told the time and what was heard. What it sees of a turn is the judge's evidence.
"""

import json

from hil.common.clock import nanoseconds
from hil.common.freshness import is_fresh
from hil.loop.judging.judge import Evidence
from hil.loop.judging.state_machine import MODE_TIMEOUT_NS, Machine
from hil.messaging.link_messages import LinkState
from hil.messaging.messages import Heartbeat, Plan, RobotState, SimState
from hil.messaging.topics import heartbeat_topic

SILENT = "robot: silent, no packet of it comes"
LOST = "lost"  # the session of a robot that has fallen silent
SILENT_NS = 1_000_000_000  # no heartbeat for so long: the process hangs
STATE_LATE_NS = 400_000_000  # by which the driver may tell of the robot too late, beside `fri.timeout_ms`
STUCK_NS = 1_500_000_000  # the arm stands though it should move: for a reason that does not pass
WARMING_NS = 600_000_000_000  # a first compilation on a slow machine


class Liveness:
    """The newest message of each kind with the time at which it came.

    `split` says that some of the processes run on another host, which the `link` topic tells about;
    `robot_timeout` [s] is how long the robot may be silent (`fri.timeout_ms`).
    """

    def __init__(self, processes: list[str], split: bool = False, robot_timeout: float = 0.1) -> None:
        self._processes, self._split = processes, split
        self.configured(robot_timeout)
        self._beats: dict[str, tuple[int, Heartbeat]] = {}
        self.robot: RobotState | None = None
        self.sim: SimState | None = None
        self.plan: Plan | None = None
        self.link: LinkState | None = None
        self._listened_ns = self._resumed_ns = 0  # the last look, and the one that ended the last deafness
        self._followed_ns = 0
        self._epoch = self._floated_ns = 0  # the present floating, and when it was first seen

    def configured(self, robot_timeout: float) -> None:
        """Take another time for which the robot may be silent [s]."""
        self._state_old_ns = nanoseconds(robot_timeout) + STATE_LATE_NS

    def topics(self) -> list[str]:
        """Return the topics whose messages `hear` wants."""
        alive = [heartbeat_topic(name) for name in self._processes]
        return [*alive, "robot_state", "sim_state", "plan", *(["link"] if self._split else [])]

    def listens(self, now_ns: int) -> None:
        """Whoever listens is there now.

        While the arm is driven, silence and age are counted from the end of a deafness: what waited meanwhile
        may still be on its way through our own threads, and is no fault. Nothing is lost by it: whoever was
        deaf for longer than its orders hold has let the driver brake. A motion begins on no such grace.
        """
        if now_ns - self._listened_ns > MODE_TIMEOUT_NS:
            self._resumed_ns = now_ns
        self._listened_ns = now_ns

    def hear(self, now_ns: int, msg: object) -> None:
        """Take note of a message."""
        if isinstance(msg, Heartbeat):
            self._beats[msg.process] = (now_ns, msg)
        elif isinstance(msg, RobotState):
            self.robot = msg
            if msg.following:
                self._followed_ns = now_ns
        elif isinstance(msg, SimState):
            self.sim = msg
        elif isinstance(msg, Plan):
            self.plan = msg
        elif isinstance(msg, LinkState):
            self.link = msg

    def forget(self, process: str) -> None:
        """A process has ended: what it last said no longer counts."""
        self._beats.pop(process, None)
        if process == "driver":
            self.robot = None
        elif process == "sim":
            self.sim = None
        elif process == "planner":
            self.plan = None
        elif process == "bridge":
            self.link = None

    def heard_ns(self) -> int:
        """Return the age's instant of the oldest of all that ages here; 0 while anything is lacking."""
        came = [self._beats[name] for name in self._processes if name in self._beats]
        if self.robot is None or len(came) < len(self._processes):
            return 0
        if any(beat.phase == "warming" for _, beat in came):
            return 0
        return min(told_ns(self.robot), *(came_ns for came_ns, _ in came))

    def beat(self, process: str) -> Heartbeat | None:
        """Return the newest heartbeat of a process."""
        heard = self._beats.get(process)
        return None if heard is None else heard[1]

    def beats(self) -> list[Heartbeat]:
        """Return the newest heartbeats of all processes."""
        return [beat for _, beat in self._beats.values()]

    def real_time(self) -> dict[str, list[dict[str, str]]]:
        """Return by process what it asked of the scheduler and got; empty while it is starting."""
        return {name: json.loads(beat.real_time or "[]") for name, (_, beat) in self._beats.items()}

    def evidence(self, now_ns: int, machine: Machine, follow: bool) -> Evidence:
        """Return what a turn has seen, for the judge.

        Args:
            now_ns: now.
            machine: as the last turn left it.
            follow: whether the arm shall follow plans at all (`run.follow`).
        """
        if machine.epoch != self._epoch:
            self._epoch, self._floated_ns = machine.epoch, now_ns
        stuck = self.stuck(now_ns) if follow and machine.moving else ""
        fault = "" if self.robot is None else self.robot.fault
        return Evidence(
            self.missing(now_ns, forgiving=machine.driven),
            stuck,
            fault,
            moves(self.robot),
            self.plan,
            self.sim,
            self.robot,
        )

    def stuck(self, now_ns: int) -> str:
        """Return why the arm has not followed any plan for too long in this floating; else empty."""
        idle_ns = now_ns - max(self._followed_ns, self._floated_ns)
        if self.robot is None or idle_ns < STUCK_NS:
            return ""
        return f"the arm has not followed for {idle_ns * 1e-9:.1f} s: {self.robot.braking_reason}"

    def missing(self, now_ns: int, forgiving: bool = False) -> str:
        """Return in words what is missing for readiness; empty when nothing is.

        Args:
            now_ns: now.
            forgiving: what was said before a deafness counts as said at its end, see `listens`.
        """
        missing = self.missing_processes(now_ns, forgiving)
        if missing:
            return missing
        beat = self.beat("driver")
        trouble = f": {beat.detail}" if beat is not None and beat.detail else ""
        if self.robot is None:
            return f"robot: no packet yet{trouble}"
        of_ns = max(told_ns(self.robot), self._resumed_ns if forgiving else 0)
        if not is_fresh(now_ns, of_ns, self._state_old_ns):
            return f"robot: what the driver tells of it is {(now_ns - of_ns) * 1e-9:.1f} s old"
        if self.robot.session == LOST:
            return f"{SILENT}{trouble}"
        lacking = robot_missing(self.robot.session, self.robot.quality, self.robot.power_on)
        if forgiving or not trouble:
            return lacking
        return f"{lacking}{trouble}" if lacking else f"robot{trouble}"

    def missing_processes(self, now_ns: int, forgiving: bool = False) -> str:
        """Return which process, or the link to those of the other host, is not there; empty when all are."""
        if self._split and self.link is not None and not self.link.live:
            return f"link to the other host: {self.link.reason}"
        for name in self._processes:
            heard = self._beats.get(name)
            if heard is None:
                return f"{name}: starting"
            came_ns, beat = heard
            silence = now_ns - max(came_ns, self._resumed_ns if forgiving else 0)
            if beat.phase == "warming" and silence < WARMING_NS:
                return f"{name}: {beat.detail}"
            if silence > SILENT_NS:
                return f"the {name} process has been silent for {silence * 1e-9:.1f} s"
        return ""


def robot_missing(session: str, quality: int, power_on: bool) -> str:
    """Return in words that the robot takes no commands; empty when it does."""
    if session == "command":
        return ""
    if session == LOST:
        return SILENT
    return f"robot: {session} mode, quality {quality}" + ("" if power_on else ", drives off")


def told_ns(robot: RobotState) -> int:
    """Return the instant of which the driver tells: of a silent robot it says that its packet is old."""
    return robot.t_ns if robot.session == LOST else robot.arrival_ns


def moves(robot: RobotState | None) -> bool:
    """Return whether the arm moves, or is about to."""
    return robot is not None and (robot.following or bool(robot.dq_command.any()))


def stalled(gap_ns: int) -> str:
    """Return in words that orders grew stale between two of the daemon's turns; else empty.

    The driver has braked meanwhile: nothing goes on by itself.
    """
    return f"the daemon stalled for {gap_ns * 1e-9:.1f} s" if gap_ns > MODE_TIMEOUT_NS else ""

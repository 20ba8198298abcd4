"""The loop on virtual time with an operator who holds on, floats and lets go; nothing goes by itself."""

import json

import numpy as np

from drivers.fri.session import FriSample
from hil.common.arrays import Array
from hil.common.errors import OperatorError
from hil.configuration import Configuration
from hil.loop.approach.held_cube import HeldCube
from hil.loop.driver.robot_session import session_name
from hil.loop.judging.judge import Evidence
from hil.loop.judging.liveness import moves, robot_missing
from hil.loop.judging.state_machine import State
from hil.loop.lockstep import START_NS, LockStep
from hil.messaging.messages import Plan, SimState

BEAT_S = 0.05  # between two heartbeats of a hand that holds


class HandLoop(LockStep):
    """A loop whose operator is the test."""

    def __init__(self, configuration: Configuration) -> None:
        super().__init__(configuration)
        self._cycle, self._due = 0, 0.0
        self._dt = configuration.fri.sample_time
        self.session = self.number = 0
        self.holds = False
        self.t: list[float] = []
        self.commands: list[Array] = []

    @property
    def state(self) -> State:
        return self._judge.machine.state

    @property
    def reason(self) -> str:
        return self._judge.machine.reason

    @property
    def now_ns(self) -> int:
        return START_NS + self._cycle * self._period_ns

    @property
    def judge(self):
        return self._judge

    @property
    def controller(self):
        return self._controller

    @property
    def driver(self):
        return self._driver

    def _look(self, t_ns: int, sample: FriSample, plan: Plan | None, state: SimState | None) -> Evidence:
        missing = robot_missing(session_name(sample), sample.quality, sample.power_on)
        seen = Evidence(missing, "", self._driver.fault, moves(self._robot), plan, state, self._robot)
        self._judge.step(t_ns, seen)
        if self.holds and 1e-9 * t_ns >= self._due:
            self._due = 1e-9 * t_ns + BEAT_S
            try:
                self.beat()
            except OperatorError:
                self.holds = False
        return seen

    def go(self, seconds: float) -> None:
        """Let time pass."""
        for _ in range(round(seconds / self._dt)):
            self._turn(self.now_ns, None)
            self.t.append(1e-9 * self.now_ns)
            self.commands.append(self._driver.q_command.copy())
            self._cycle += 1

    def ready(self) -> None:
        """Wait until the arm may be moved."""
        while self.state is not State.READY:
            assert self._cycle < 5000, self.reason
            self.go(0.01)

    def ask(self, speed_deg_s: float = 3.0) -> dict[str, object]:
        """Ask for a session and return what was granted."""
        self._judge.order("approach", repr(float(np.radians(speed_deg_s))))
        granted = json.loads(self._judge.approaching.granted)
        self.session, self.number = granted["session"], 0
        return granted

    def beat(self, age_s: float = 0.0, released: bool = False) -> None:
        """Send one heartbeat, which was sent `age_s` ago."""
        self.number += 1
        sent_ns = self.now_ns - round(1e9 * age_s)
        self._judge.order("beat", json.dumps([self.session, self.number, sent_ns, released]))

    def hold(self, seconds: float) -> None:
        """Hold on for a while, or until it is over; heartbeats come all the time."""
        self.holds, self._due = True, 0.0
        for _ in range(round(seconds / BEAT_S)):
            self.go(BEAT_S)
            if not self.holds:
                break
        self.holds = False


def speeds(configuration: Configuration, loop: HandLoop) -> tuple[float, float]:
    """The largest speeds of a joint [rad/s] and of a corner of the mock-up [m/s] in all commands."""
    q, dt = np.array(loop.commands), configuration.fri.sample_time
    corners = HeldCube(configuration).corners(q)
    return (
        float(np.abs(np.diff(q, axis=0)).max()) / dt,
        float(np.linalg.norm(np.diff(corners, axis=0), axis=2).max()) / dt,
    )

"""A session that pages drive, in a process of its own: in real time, and asked between two commands."""

import time
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from hil.common.errors import DrivingError, ZeroGError
from hil.workbench.driving.inputs import source_of
from hil.workbench.driving.mission import Mission, session_of
from hil.workbench.driving.mission_schema import Base, MissionFile
from hil.workbench.driving.pace import Pace
from hil.workbench.driving.session import DriveSession
from hil.workbench.driving.tables.library import TABLES
from hil.workbench.page.jog import PageJog
from hil.workbench.page.terms import Terms
from hil.workbench.page.watch import Watch
from sim.assembly.chain import Chain
from sim.chain.kinematics import body_poses

PAGE, MOUSE = "page", "spacemouse"
INPUTS = (PAGE, MOUSE, *TABLES)
CURVES = 7  # at most, besides the tip's error, until others are chosen


class Running:
    """An arm under simulation, its input, and who looks at it."""

    def __init__(self, chain: Chain, terms: Terms) -> None:
        """Put the arm under command of the page's jog.

        Raises:
            ZeroGError: it cannot be simulated, or not under these terms.
        """
        self.terms = terms
        file = MissionFile(
            name=chain.name,
            assembly="arm.toml",
            weightless=terms.weightless,
            base=Base(kind="free" if terms.free else "fixed"),
            inverse=terms.inverse,
        )
        self._mission = Mission(file, chain)
        self.session = session_of(self._mission, np.array(terms.q) if terms.q else None)
        self._jog = PageJog(*self.session.limits.speeds)
        self.session.take(self._jog)
        self._input = PAGE
        self._watch = Watch()
        variables = self.session.variables()
        self._watch.choose(first_curves(list(variables)), variables)
        self._events: list[str] = []

    def step(self) -> None:
        """Go on by one command; a hand that has gone leaves the page's."""
        s = self.session
        self._events += s.step()
        if s.lost:
            self._input = PAGE
            self._jog.release()
            s.take(self._jog)
        self._watch.take(s.t, s.variables)

    def facts(self) -> dict[str, Any]:
        """Return what a page must know about the session."""
        terms = self.terms
        return {
            "inputs": list(INPUTS),
            "input": self._input,
            "terms": {"inverse": terms.inverse, "weightless": terms.weightless, "free": terms.free},
            "variables": list(self.session.variables()),
            "parameters": self.session.parameters(),
            "chosen": list(self._watch.chosen),
        }

    def jog(self, axes: list[float]) -> None:
        """Let a page's hand move the tip; it does while the tip follows the page.

        Raises:
            ValueError: it is no six numbers.
        """
        if self._input == PAGE:
            self._jog.push(axes, self.session.source_t)

    def listen(self, name: str) -> str:
        """Let the tip follow another input and return that it is so.

        Raises:
            ZeroGError: there is none of that name, or its hardware is not there.
        """
        if name not in INPUTS:  # of all that a drive knows, a page must name no files of this machine
            raise DrivingError(f"the tip cannot follow {name[:80]!r} here: there are {', '.join(INPUTS)}")
        s = self.session
        self._jog.release()
        s.take(self._jog if name == PAGE else source_of(str(name), self._mission, s))
        self._input = name
        return f"the tip follows: {name}"

    def set_parameter(self, name: str, value: float) -> str:
        """Change a parameter of the running model and return that it is so.

        Raises:
            ZeroGError: there is none of that name, or it must not have this value.
        """
        self.session.set_parameter(name, value)
        self._jog.speeds(*self.session.limits.speeds)
        return f"{name} = {self.session.parameters()[name]:g}"

    def choose(self, names: list[str]) -> None:
        """Draw other variables from now on."""
        self._watch.choose(names, self.session.variables())

    def drain(self, pace: Pace) -> dict[str, Any]:
        """Return what is new for pages: how the arm stands, curves, numbers, sentences."""
        events, self._events = self._events, []
        return {**picture(self.session, pace), **self._watch.drain(), "events": events, "input": self._input}


def first_curves(variables: list[str]) -> list[str]:
    """Return the variables that are drawn until others are chosen: the error of the tip, joints' loads."""
    torques = [name for name in variables if name.endswith((".torque_n_m", ".force_n"))]
    return ["tip.error_m", *torques[:CURVES]]


def picture(session: DriveSession, pace: Pace) -> dict[str, Any]:
    """Return how the arm stands, poses in the world row by row, (16,) each, and how the run keeps time."""
    arm = session.arm
    T_world_base = arm.T_world_base
    poses = T_world_base @ body_poses(arm.manipulator.chain, arm.q)
    return {
        "t": session.t,
        "q": arm.q.tolist(),
        "poses": poses[:-1].reshape(-1, 16).tolist(),
        "tip": poses[-1].ravel().tolist(),
        "goal": (T_world_base @ session.follower.T).ravel().tolist(),
        "holding": arm.torque.tolist(),
        "reachable": bool(session.solved.reachable),
        "factor": pace.factor,
        "late_ms": 1e3 * pace.late_s,
        "worst_ms": 1e3 * pace.worst_s,
        "missed": pace.missed,
    }


def perform(line: Connection, chain: Chain, terms: Terms) -> None:
    """Simulate, as `hil.workbench.page.worker` says, until the line ends.

    A first answer, of facts, comes unasked when all is ready.
    """
    try:
        running = Running(chain, terms)
        running.step()  # compiles what is not compiled yet
        line.send((True, running.facts()))
        pace = Pace(running.session.period, True, time.monotonic_ns, time.sleep)
        while True:
            running.step()
            while line.poll():
                name, arguments = line.recv()
                line.send(_answer(running, pace, name, arguments))
            pace.wait()
    except ZeroGError as error:
        line.send((False, str(error)))


def _answer(running: Running, pace: Pace, name: str, arguments: tuple[Any, ...]) -> tuple[bool, Any]:
    try:
        if name == "drain":
            return True, running.drain(pace)
        deeds = {deed.__name__: deed for deed in (running.facts, running.jog, running.listen,
                                                  running.set_parameter, running.choose)}  # fmt: skip
        return True, deeds[name](*arguments)  # type: ignore[operator]
    except ZeroGError as error:
        return False, str(error)
    except (ValueError, TypeError, KeyError, OverflowError) as error:  # a page says what it likes
        return False, f"{name} {arguments!r:.80} cannot be: {error}"

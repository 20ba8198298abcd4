"""A session that pages drive: on a thread of its own, in real time; pages ask, and look at what it left.

Whatever is asked of it is carried out between two commands, so nothing of the session is shared.
"""

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from hil.common.errors import ZeroGError
from hil.workbench.driving.inputs import source_of
from hil.workbench.driving.mission import INVERSES, Mission, session_of
from hil.workbench.driving.mission_schema import Base, MissionFile
from hil.workbench.driving.pace import Pace
from hil.workbench.driving.session import DriveSession
from hil.workbench.driving.tables.library import TABLES
from hil.workbench.page.jog import PageJog
from hil.workbench.page.watch import Watch
from sim.assembly.chain import Chain
from sim.chain.kinematics import body_poses

PAGE, MOUSE = "page", "spacemouse"
SHOWN_S = 1.0 / 30.0


@dataclass(frozen=True)
class Terms:
    """Under which terms an arm is simulated.

    Attributes:
        inverse: name of the inverse kinematics.
        weightless: no gravity acts.
        free: the base floats.
    """

    inverse: str = "passive-chain"
    weightless: bool = False
    free: bool = False


def inputs() -> list[str]:
    """Return what may move the tip: the page, a space mouse at the host, the tables of paths."""
    return [PAGE, MOUSE, *TABLES]


class Running:
    """An arm under simulation."""

    def __init__(self, chain: Chain, terms: Terms) -> None:
        """Make the session and begin; what the kernels need is compiled first, which may take its time.

        Raises:
            ZeroGError: the arm cannot be simulated, or not under these terms.
        """
        self.terms = terms
        base = Base(kind="free" if terms.free else "fixed")
        file = MissionFile(
            name=chain.name,
            assembly="arm.toml",
            weightless=terms.weightless or terms.free,
            base=base,
            inverse=terms.inverse,  # type: ignore[arg-type]  # validated by the caller
        )
        self._mission = Mission(file, chain)
        self._session = session_of(self._mission)
        self._session.arm.compile()
        self._jog = PageJog(*self._session.limits.speeds)
        self._session.take(self._jog)
        self.input = PAGE
        self._watch = Watch()
        self._watch.choose(first_curves(self._session), self._session.variables())
        self._asked: queue.Queue[tuple[Callable[[], Any], Future[Any]]] = queue.Queue()
        self._picture: dict[str, Any] = {}
        self._events: list[str] = []
        self.failed = ""
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="simulation", daemon=True)
        self._thread.start()

    def facts(self) -> dict[str, Any]:
        """Return what a page must know about the session once."""
        s, terms = self._session, self.terms
        return {
            "inputs": inputs(),
            "inverses": list(INVERSES),
            "input": self.input,
            "terms": {"inverse": terms.inverse, "weightless": terms.weightless, "free": terms.free},
            "variables": list(s.variables()),
            "parameters": s.parameters(),
            "chosen": list(self._watch.chosen),
        }

    def jog(self, axes: Any) -> None:
        """Let a page's hand move the tip; not obeyed while another source does.

        Raises:
            ValueError: it is no six numbers.
        """
        self._jog.push(axes, self._session.t)

    def listen(self, name: str) -> str:
        """Listen to another input and return that it is so.

        Raises:
            ZeroGError: there is none of that name, or its hardware is not there.
        """

        def change() -> str:
            s = self._session
            s.take(self._jog if name == PAGE else source_of(name, self._mission, s))
            self.input = name
            return f"the tip follows: {name}"

        return str(self._between(change))

    def set_parameter(self, name: str, value: float) -> str:
        """Change a parameter of the running model and return that it is so.

        Raises:
            ZeroGError: there is none of that name, or it must not have this value.
        """

        def change() -> str:
            self._session.set_parameter(name, value)
            return f"{name} = {self._session.parameters()[name]:g}"

        return str(self._between(change))

    def choose(self, names: list[str]) -> None:
        """Draw other variables from now on."""
        self._between(lambda: self._watch.choose(names, self._session.variables()))

    def drain(self) -> dict[str, Any]:
        """Return what is new for pages: the picture, curves, numbers, sentences."""

        def take() -> dict[str, Any]:
            events, self._events = self._events, []
            return {**self._picture, **self._watch.drain(), "events": events, "input": self.input}

        return dict(self._between(take))

    def end(self) -> None:
        """End the session."""
        self._ending.set()
        self._thread.join()

    def _between(self, deed: Callable[[], Any]) -> Any:
        """Have something done between two commands and return what comes of it."""
        future: Future[Any] = Future()
        self._asked.put((deed, future))
        if not self._thread.is_alive():
            raise ZeroGError(self.failed or "the simulation has ended")
        return future.result(timeout=5.0)

    def _run(self) -> None:
        s = self._session
        pace = Pace(s.period, True, time.monotonic_ns, time.sleep)
        shown = 0.0
        try:
            while not self._ending.is_set():
                self._events += s.step()
                if s.lost and self.input != PAGE:
                    self.input = PAGE
                    s.take(self._jog)
                self._watch.take(s.t, s.variables)
                if s.t >= shown:
                    shown = s.t + SHOWN_S
                    self._picture = picture(s, pace)
                self._answer()
                pace.wait()
        except ZeroGError as error:
            self.failed = str(error)
        finally:
            self._answer()

    def _answer(self) -> None:
        while not self._asked.empty():
            deed, future = self._asked.get()
            try:
                future.set_result(deed())
            except Exception as error:  # it belongs to who has asked
                future.set_exception(error)


def first_curves(session: DriveSession) -> list[str]:
    """Return the variables that are drawn until others are chosen: how well the tip follows, the torques."""
    torques = [name for name in session.variables() if name.endswith(".torque_n_m")]
    return ["tip.error_m", *[name for name in torques if not name.startswith("tip")][:7]]


def picture(session: DriveSession, pace: Pace) -> dict[str, Any]:
    """Return how the arm stands, poses in the world row by row, (16,) each, and how the run keeps its time."""
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


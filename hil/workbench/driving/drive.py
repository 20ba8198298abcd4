"""The shell around a session: what was asked, the loop with its pace, files, sockets and the live line."""

import gc
import json
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from rich.console import Console
from rich.live import Live
from rich.table import Table

from hil.common.errors import ConfigurationError, DrivingError, OperatorError
from hil.common.output_file import write_output
from hil.workbench.driving.csv_out import CsvOut
from hil.workbench.driving.drive_recorder import DriveRecorder
from hil.workbench.driving.inputs import source_of
from hil.workbench.driving.link import Link, drive_directory
from hil.workbench.driving.mission import Mission, load_mission, session_of
from hil.workbench.driving.pace import Pace
from hil.workbench.driving.session import DriveSession
from hil.workbench.driving.source import Source
from hil.workbench.driving.sources.keyboard import Keyboard
from hil.workbench.driving.tally import Tally
from sim.assembly.database import load_database

HANDS = ("spacemouse", "gamepad", "keyboard", "bus")
AFTER_S = 1.0  # simulated, after a table or a file has ended, and after a lost source has come to rest
SHOWN_S = 0.1  # between two live lines


class Terminal(Protocol):
    """A terminal that gives single characters; a context manager."""

    def keys(self, timeout_s: float) -> str:
        """Return what has been typed."""


@dataclass(frozen=True)
class Asked:
    """What the command line asked for; see `zerog drive --help`."""

    arm: Path
    input: str
    inverse: str | None
    settings: tuple[str, ...]
    duration: float | None
    real_time: bool
    fast: bool
    csv: Path | None
    record: Path | None
    json: Path | None
    runtime_directory: str


def prepared(asked: Asked) -> tuple[Mission, DriveSession]:
    """Return mission and session as asked, parameters set.

    Raises:
        ZeroGError: something of it breaks a rule.
    """
    mission = load_mission(asked.arm, load_database())
    changed = {"input": asked.input or mission.file.input or "circle"}
    if asked.inverse is not None:
        changed["inverse"] = asked.inverse
    mission = Mission(mission.file.model_copy(update=changed), mission.chain, mission.text)
    session = session_of(mission)
    for setting in asked.settings:
        name, _, value = setting.partition("=")
        try:
            number = float(value)
        except ValueError as error:
            raise ConfigurationError(f"--set {setting}: must be NAME=NUMBER") from error
        session.set_parameter(name.strip(), number)
    return mission, session


def drive_arm(asked: Asked, terminal: Callable[[], Any]) -> int:
    """Drive as asked, print the figures and write what was asked for.

    Args:
        asked: see there.
        terminal: returns a terminal for the keyboard, a context manager.
    """
    mission, session = prepared(asked)
    name = mission.file.input
    if name in HANDS and asked.fast:
        raise DrivingError(f"--input {name} --fast: a hand lives in real time; leave --fast away")
    with ExitStack() as stack:
        link = None
        if name == "bus":
            link = Link(drive_directory(asked.runtime_directory), session)
            stack.callback(link.close)
            print(
                f"bus: commands, states and requests in {drive_directory(asked.runtime_directory)}",
                flush=True,
            )

        def outside(which: str) -> Source:
            if which == "bus":
                assert link is not None
                return link.source()
            print("keys: w s a d r f move, u o i k j l turn, + - change the speed, space halts, Ctrl-C ends")
            return keyboard_of(stack.enter_context(terminal()), session)

        source = source_of(name, mission, session, outside)
        session.take(source)
        outputs = _outputs(asked, mission, session, stack)
        loop = Loop(session, _end(asked, mission, source), outputs, link)
        figures = loop.run(name in HANDS or asked.real_time)
    _print(figures)
    if asked.json is not None:
        write_output(asked.json, json.dumps(figures, indent=1) + "\n")
    return 1 if session.lost and not name.endswith(".csv") else 0


def keyboard_of(terminal: Terminal, session: DriveSession) -> Keyboard:
    """Return the keyboard that a terminal is."""

    def read(t: float) -> str:
        try:
            return terminal.keys(0.0)
        except OperatorError as error:
            raise OSError(str(error)) from error

    return Keyboard(read, *session.limits.speeds)


def _end(asked: Asked, mission: Mission, source: Source) -> float | None:
    if asked.duration is not None:
        return asked.duration
    if mission.file.duration is not None and asked.input in ("", mission.file.input):
        return mission.file.duration
    own = getattr(source, "duration", None)
    return None if own is None else own + AFTER_S


class Output(Protocol):
    """What takes the session's state after each command."""

    def take(self, news: list[str]) -> None:
        """Take it."""


def _outputs(asked: Asked, mission: Mission, session: DriveSession, stack: ExitStack) -> list[Output]:
    outputs: list[Output] = []
    if asked.csv is not None:
        table = CsvOut(asked.csv, session)
        stack.callback(table.end)
        outputs.append(table)
    if asked.record is not None:
        recorder = DriveRecorder(asked.record, mission, session, list(asked.settings))
        stack.callback(recorder.end)
        outputs.append(recorder)
    return outputs


class Loop:
    """A session until its end."""

    def __init__(
        self, session: DriveSession, end: float | None, outputs: list[Output], link: Link | None
    ) -> None:
        """Drive until a simulated time, or until an interrupt."""
        self._session, self._end, self._outputs, self._link = session, end, outputs, link
        self._tally = Tally(session)
        self._console = Console(stderr=True)
        self._rest_s: float | None = None

    def run(self, real_time: bool) -> dict[str, Any]:
        """Go on until the end and return the figures."""
        s = self._session
        s.warm_up()
        gc.collect()
        gc.freeze()
        pace = Pace(s.period, real_time, time.monotonic_ns, time.sleep)
        shown = time.monotonic()
        live = Live(console=self._console, transient=True, auto_refresh=False)
        screen: AbstractContextManager[Any] = live if self._console.is_terminal else nullcontext()
        try:
            with screen:
                while not self._over():
                    self._turn()
                    pace.wait()
                    if self._console.is_terminal and time.monotonic() - shown >= SHOWN_S:
                        shown = time.monotonic()
                        live.update(self._line(pace, real_time), refresh=True)
        except KeyboardInterrupt:
            pass  # as good an end as any
        finally:
            gc.unfreeze()
        pacing = {"real_time_factor": pace.factor}
        if real_time:
            pacing |= {
                "late_p50_ms": 1e3 * pace.late_within(0.5),
                "late_p99_ms": 1e3 * pace.late_within(0.99),
                "late_most_ms": 1e3 * pace.worst_s,
                "late_commands": pace.missed,
            }
        return self._tally.figures() | pacing

    def _turn(self) -> None:
        for text in (news := self._session.step()):
            self._console.print(f"{self._session.t:8.3f} s  {text}", highlight=False)
        self._tally.take()
        for output in self._outputs:
            output.take(news)
        if self._link is not None:
            self._link.turn()

    def _over(self) -> bool:
        s = self._session
        if s.lost and self._rest_s is None and not s.follower.twist.any():
            self._rest_s = s.t + AFTER_S
        ends = [end for end in (self._end, self._rest_s) if end is not None]
        return bool(ends) and s.t >= min(ends) - 0.5 * s.period

    def _line(self, pace: Pace, real_time: bool) -> str:
        s = self._session
        values = s.variables()
        heard = f"late {1e3 * pace.late_s:.1f} ms, worst {1e3 * pace.worst_s:.1f} ms, " if real_time else ""
        reach = "" if s.solved.reachable else ", out of reach"
        return (
            f"{s.t:8.1f} s simulated, {pace.factor:.2f} x real time, {heard}{pace.missed} late commands, tip "
            f"{1e3 * values['tip.error_m']:.2f} mm behind its command{reach}"
        )


def _print(figures: dict[str, Any]) -> None:
    table = Table("figure", "value")
    for name, value in figures.items():
        if isinstance(value, dict):
            value = ", ".join(f"{key} {one:.3g}" for key, one in value.items())
        elif isinstance(value, float):
            value = f"{value:.4g}"
        table.add_row(name, str(value) or "no")
    Console().print(table)


def print_variables(asked: Asked) -> None:
    """Print the variables and the parameters of a session with their values at the beginning."""
    _, session = prepared(asked)
    for title, values in (("variable", session.variables()), ("parameter, for --set", session.parameters())):
        table = Table(title, "value")
        for name, value in values.items():
            table.add_row(name, f"{value:.6g}")
        Console().print(table)

"""The controller's side of the wire alone, for a run with `robot.kind = "fri"` to command."""

import signal
from pathlib import Path

from drivers.emulation.controller.controller import EmulatedController
from drivers.emulation.process import run
from drivers.emulation.shell import ANY_ADDRESS, EmulationReport
from drivers.emulation.surroundings import Surroundings
from hil.common.errors import ConfigurationError
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.loop.driver.leaving import outlives_by
from hil.loop.partner.found import second_of
from hil.loop.real_port import port_of as port_in_the_way
from hil.messaging.bus import Bus
from hil.messaging.messages import Disturbance, Push
from hil.messaging.runtime_directory import runtime_directory
from hil.processes.controller_desk import ControllerDesk
from hil.processes.controller_news import Changes, SkippedCycles, skipped_words
from hil.processes.mains.emulator import warm_core
from hil.processes.real_time.set_up import enter_real_time
from hil.processes.supervisor.display import Display
from hil.processes.supervisor.instance_lock import InstanceLock

FOLDER = "controller"  # of its socket, below the run-time directory of the run
HIGHEST_PORT = 65535


def controller_directory(configured: str) -> Path:
    """Return the folder of the socket of the controller beside a run with that run-time directory."""
    return runtime_directory(configured) / FOLDER


def port_of(c: Configuration, asked: int | None) -> int:
    """Return the port from which the controller sends.

    As a real one it has `fri.port` at its own address; where both ends share an address, the next one.

    Raises:
        ConfigurationError: the client is bound to the port that was asked for.
    """
    shared = c.fri.bind_address in (c.fri.controller_address, ANY_ADDRESS)
    if asked is not None and shared and asked == c.fri.port:
        raise ConfigurationError(
            f"--port {asked} is the client's own (fri.port at {c.fri.bind_address}): give another one, or "
            "give the controller an address of its own, for example 127.0.0.2"
        )
    if asked is not None or not shared:
        return asked or c.fri.port
    return c.fri.port + 1 if c.fri.port < HIGHEST_PORT else c.fri.port - 1


class ControllerAlone(Surroundings):
    """The emulated controller with its desk, and a line for the operator when something changes."""

    tells_why = True

    def __init__(self, configuration: Configuration, port: int | None, directory: Path) -> None:
        """Take the folder of the socket and the signals that end it.

        Raises:
            LinkError: another one runs there.
            ConfigurationError: the port is the client's.
        """
        self._c, self._port = configuration, port_of(configuration, port)
        self._directory = directory
        self._lock = InstanceLock(directory)
        self._bus = Bus(directory)
        self._desk = ControllerDesk(self._bus, Frames.from_configuration(configuration))
        self._display = Display()
        self._controller: EmulatedController | None = None
        self._changes, self._skips = Changes(), SkippedCycles(configuration.fri.sample_time)
        self._ending = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._end)

    def run(self) -> int:
        """Emulate until told to end and nobody commands the arm any longer; return the exit status."""
        self._display.event("  … loading the emulated arm; a first start compiles it")
        try:
            warm_core(self._c)
            outlive, second = outlives_by(self._c.limits), second_of
            report = run(self._c, self, None, outlive, None, self._port, port_in_the_way, second)
        finally:
            self._bus.close()
            self._lock.release()
        self._summary(report)
        return 0

    def ready(self, controller: EmulatedController) -> None:
        """Say where it is."""
        self._controller = controller
        real_time = enter_real_time("emulator", self._c)
        fri = self._c.fri
        self._display.event(
            f"emulated controller at {fri.controller_address} port {self._port}, sends every "
            f"{1e3 * fri.sample_time:g} ms to {fri.bind_address} port {fri.port}\n{self._second}"
            "`zerog weight`, `zerog disturb` and `zerog push` find it by --runtime-directory "
            f"{self._directory}"
        )
        for item in real_time.refused:
            self._display.event(f"real time: {item}")

    @property
    def _second(self) -> str:
        """A line that says where a second arm's controller is; nothing without one."""
        partner, fri = self._c.partner, self._c.fri
        if partner is None:
            return ""
        at = partner.controller_address or fri.controller_address
        return f"the second arm's controller at {at}, sends to {fri.bind_address} port {partner.port}\n"

    def pushes(self) -> list[Push]:
        """Those that the desk was asked for."""
        return self._desk.take_pushes()

    def disturbances(self) -> list[Disturbance]:
        """Those that the desk was asked for."""
        return self._desk.take_disturbances()

    def over(self) -> bool:
        """Serve the desk and say what has changed; return whether a signal asked for the end."""
        controller = self._controller
        if controller is not None:
            self._desk.serve(controller)
            monitor = controller.monitor
            for line in self._changes.news(controller.state, controller.fall_back_reason, monitor.first):
                self._display.event(line)
        return self._ending

    def cycle(self, controller: EmulatedController, sent_ns: int, answered_ns: int) -> None:
        """Tell of cycles that this machine could not send."""
        if line := self._skips.sent(controller.cycle):
            self._display.event(line)

    def _summary(self, report: EmulationReport) -> None:
        controller = self._controller
        if controller is None:
            return
        monitor = controller.monitor
        first = f"; first: {monitor.first}" if monitor.first else ""
        self._display.event(
            f"{report.cycles} cycles, {skipped_words(report.skipped, report.cycles)}; {report.missed} "
            f"packets sent and not answered in time; {report.refused} datagrams refused; "
            f"{monitor.commands} commands, {monitor.violations} beyond a limit{first}"
        )
        for line in self._changes.falls():
            self._display.event(line)

    def _end(self, *_: object) -> None:
        self._ending = True


def emulate(configuration: Configuration, port: int | None, directory: str) -> int:
    """Emulate the controller of a configuration; return the exit status.

    Args:
        configuration: of the run that commands it.
        port: from which to send; None: see `port_of`.
        directory: folder of its socket; empty: below the run's own.
    """
    folder = Path(directory) if directory else controller_directory(configuration.run.runtime_directory)
    return ControllerAlone(configuration, port, folder).run()

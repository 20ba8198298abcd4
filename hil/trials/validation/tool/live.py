"""A run of the emulated arm at the clock's pace, with the tool's sensor read over the wire beside it.

The run is computed before; it is then played, and an emulated sensor that speaks RDT on loopback feels what
the arm feels. Arm and sensor have a clock each, as they would have in a laboratory: rows of the arm's log are
due at its own instants, records come when the sensor has measured.
"""

import time
from collections.abc import Callable

import numpy as np

from drivers.emulation.sensor.measuring import MeasuringSensor
from drivers.emulation.sensor.server import SensorServer
from hil.common.arrays import Array
from hil.common.clock import NS
from hil.common.errors import LinkError
from hil.common.run_clock import RunClock
from hil.trials.validation.arm_run import ArmRun
from hil.trials.validation.setup import Setup
from hil.trials.validation.tool.recorder import ToolRecorder
from hil.trials.validation.tool.sensor_log import SensorLog

TURN = 0.002  # [s] between two looks at the sockets
SETTLING = 5.0  # [s] within which the sensor's clock must be known
BESIDE = 0.05  # [s] at the end in which records of the last rows still come


class Played:
    """Feels a run at an instant."""

    def __init__(self, run: ArmRun) -> None:
        assert run.wrench is not None  # asked for only with a sensor
        self._t, self._wrench = run.t, run.wrench

    def at(self, t: float) -> Array:
        """Return the load at `t` [s] from the run's start, beyond its ends that of the end, shape (6,)."""
        return np.array([np.interp(t, self._t, column) for column in self._wrench.T])


def live_log(
    setup: Setup,
    run: ArmRun | None,
    seed: int,
    progress: Callable[[float], None] = lambda t: None,
    clock: RunClock | None = None,
    faults: Callable[[float], str] = lambda t: "",
) -> SensorLog:
    """Return what the tool's sensor measured during a run, its time zero the run's first row.

    Args:
        setup: of the experiment.
        run: of the emulated arm, which an emulated sensor feels; None: a real sensor at a real arm, listened
            to for as long as the sequence takes.
        seed: of the emulated sensor's noise.
        progress: is told the run's time [s].
        clock: of the host.
        faults: what goes wrong with the emulated sensor at a time of the run [s], in a word.

    Raises:
        LinkError: the sensor is not there, is lost on the way, or cannot be believed.
    """
    clock = clock or RunClock()
    end = (len(setup.commands) - 1) * setup.experiment.simulation.step
    server = None if run is None else _Emulated(setup, run, seed, faults)
    try:
        recorder = ToolRecorder(setup.experiment.sensor, clock)
        try:
            begun_ns = clock.now_ns()
            turn = min(TURN, 0.5 / setup.experiment.sensor.rate)  # a Bota's driver has the newest only
            while not recorder.settled:
                _turn(server, recorder, -1.0)
                if clock.now_ns() - begun_ns > SETTLING * NS:
                    raise LinkError("the tool's sensor: its clock was not found within 5 s: look at its rate")
                time.sleep(turn)
            zero_ns = clock.now_ns()
            while (t := 1e-9 * (clock.now_ns() - zero_ns)) < end + BESIDE:
                _turn(server, recorder, t)
                progress(min(t, end))
                time.sleep(turn)
            return recorder.log(zero_ns)
        finally:
            recorder.close()
    finally:
        if server is not None:
            server.close()


def _turn(server: "_Emulated | None", recorder: ToolRecorder, t: float) -> None:
    if server is not None:
        server.turn(t)
    recorder.poll()


class _Emulated:
    """The emulated sensor and its socket; it runs from its making on."""

    def __init__(self, setup: Setup, run: ArmRun, seed: int, faults: Callable[[float], str]) -> None:
        e = setup.experiment
        self._sensor = MeasuringSensor(e.sensor, e.sensor_errors, seed)
        self._server = SensorServer(self._sensor, e.sensor)
        self._played, self._faults = Played(run), faults
        self._on_ns = time.monotonic_ns()

    def turn(self, t: float) -> None:
        """Do what was asked, and send what was measured up to now, at the run's time `t` [s]."""
        own = 1e-9 * (time.monotonic_ns() - self._on_ns)
        self._server.take_requests()
        self._server.send(self._sensor.take(own, self._played.at(t), self._faults(t)))

    def close(self) -> None:
        self._server.close()

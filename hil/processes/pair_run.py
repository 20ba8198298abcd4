"""Two live runs whose arms share a motion, below this process: started together, heard, and ended."""

import json
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

from hil.common.errors import ConfigurationError, LinkError, OutputError
from hil.common.run_clock import FILE
from hil.configuration.shared import ARMS
from hil.configuration.shared_pair import Pair, load_pair
from hil.loop.judging.state_machine import State
from hil.loop.shared.flown_pair import FlownPair
from hil.loop.shared.heard_pair import HeardArm, flown_pair
from hil.messaging.messages import Mode, PortBlock, SimState, TruthBlock
from hil.processes.own_run import OwnRun

POLL_S = 0.02
CLOCK_PATIENCE_S = 60.0
SETTLE_S = 0.5  # after both are held, until both stand
PERIODS = 2.0  # of predictions that must be committed of the observer's path, beside
LATE_S = 0.05  # what processes take to hear of one another


class PairRun:
    """Both runs; a context manager that always ends them.

    Attributes:
        pair: whose.
        runs: of the first arm, which emulates both, and of the second one.
    """

    def __init__(self, path: Path, settings: Sequence[str] = (), record: Path | None = None) -> None:
        """Prepare the runs.

        Args:
            path: of the pair.
            settings: lines KEY=VALUE that stand in for the file's.
            record: folder for a recording of each arm; None: none.

        Raises:
            ConfigurationError: the file, or one of the arms', breaks a rule, or cannot run live.
        """
        self.pair = load_pair(path, settings)
        may_run_live(path, self.pair)
        if record is not None:
            may_record(record)
        arms = self.pair.shared.first, self.pair.shared.second
        self.runs = tuple(
            OwnRun(
                path.parent / arm.configuration, arm.settings, f"share, the {name} arm",
                [] if record is None else ["--record", str(record / f"{name}.mcap")],
            )
            for name, arm in zip(ARMS, arms, strict=True)
        )  # fmt: skip
        first, second = self.runs
        for name, run, other in zip(ARMS, self.runs, (second, first), strict=True):
            run.settle(
                [
                    f"shared.pair = {json.dumps(str(path.absolute()))}",
                    f"shared.settings = {json.dumps(list(settings))}",
                    f"shared.arm = {json.dumps(name)}",
                    f"shared.other = {json.dumps(str(other.directory))}",
                    f"shared.other_port = {other.configuration.fri.port}",
                ]
            )
        self._all = ExitStack()
        self._heard = tuple(_Ears(run) for run in self.runs)

    def __enter__(self) -> "PairRun":
        for run in self.runs:
            self._all.enter_context(run)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for run in self.runs:  # at once: what one has left alone the other one would hold
            run.interrupt()
        self._all.close()

    def start(self, waiting: Callable[[str], None]) -> None:
        """Start both and return when both objects float; `waiting` is told what is being waited for.

        Raises:
            LinkError: a run ended, or did not come so far, or may not float where its arm stands.
        """
        first, second = self.runs
        first.begin()
        deadline = time.monotonic() + CLOCK_PATIENCE_S
        while not (first.directory / FILE).exists() and first.configuration.emulator.patient:
            first.check()
            if time.monotonic() > deadline:
                raise LinkError(f"share: the first arm's run has not begun:\n{first.log}")
            time.sleep(POLL_S)
        second.begin()
        for run in self.runs:
            run.wait_floating(waiting)

    def fly(self, duration: float, progress: Callable[[float], None] | None = None) -> FlownPair:
        """Hear both until they have floated for a time [s], or are held, and return what was flown.

        Raises:
            LinkError: a run has ended, or both were held before they floated together.
        """
        ended, until = "", 0.0
        while True:
            for run, ears in zip(self.runs, self._heard, strict=True):
                run.check()
                ears.hear()
            floated = max(ears.object_time for ears in self._heard)
            if progress is not None:
                progress(floated)
            ended = ended or next((why for ears in self._heard if (why := ears.held)), "")
            if ended and not until:
                until = time.monotonic() + SETTLE_S
            if (until and time.monotonic() > until) or (not ended and floated >= duration):
                return flown_pair(self.pair, [ears.arm for ears in self._heard], ended)
            time.sleep(POLL_S)


class _Ears:
    """Hears one run.

    Attributes:
        arm: what it has said.
        held: why it was held first, or what else ended its floating; empty as long as it floats.
        object_time: of its body [s].
    """

    def __init__(self, run: OwnRun) -> None:
        self.arm, self.held, self.object_time = HeardArm(), "", 0.0
        self._truths = run.bus.subscriber("truth", TruthBlock)
        self._ports = run.bus.subscriber("port", PortBlock)
        self._states = run.bus.subscriber("sim_state", SimState, every=True)
        self._modes = run.bus.subscriber("mode", Mode, every=True)

    def hear(self) -> None:
        """Take what has come."""
        self.arm.truths += self._truths.drain()
        self.arm.ports += self._ports.drain()
        self.arm.states += self._states.drain()
        if self.arm.states:
            self.object_time = self.arm.states[-1].object_time
        for mode in self._modes.drain():
            if mode.epoch and mode.state != State.FLOATING and not self.held:
                self.held = f"{mode.state}: {mode.reason}"


def may_run_live(path: Path, pair: Pair) -> None:
    """Return if a pair can run live.

    Raises:
        ConfigurationError: too little of the observer's path is committed for processes apart, or the runs
            would go by different clocks.
    """
    patient = [c.emulator.patient for c in pair.arms]
    if patient[0] != patient[1]:
        first, second = (str(value).lower() for value in patient)
        raise ConfigurationError(
            f"{path}: second.configuration: emulator.patient = {second} must be the first one's, {first}: "
            "one clock holds for both runs"
        )
    least = PERIODS / pair.arms[0].simulation.prediction_rate + LATE_S
    committed = pair.shared.observer.committed
    if committed < least - 1e-9:
        rate = pair.arms[0].simulation.prediction_rate
        raise ConfigurationError(
            f"{path}: observer.committed_ms = {1e3 * committed:g} is too short for --live: a path that "
            f"another process has laid is followed for as long, {1e3 * least:g} ms at least (two periods of "
            f"simulation.prediction_rate_hz = {rate:g}, and 50 ms): commit "
            "more, or let the simulations predict oftener"
        )


def may_record(folder: Path) -> None:
    """Make the folder of both recordings.

    Raises:
        OutputError: one is there already, or the folder cannot be made.
    """
    for name in ARMS:
        if (folder / f"{name}.mcap").exists():
            raise OutputError(f"--record {folder} cannot be begun: {name}.mcap is there; give another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"--record {folder} cannot be made: {error.strerror}") from error

"""A calibration with the daemon that runs: the hand that holds, and what the motion showed."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from hil.commands.holding import Holding
from hil.commands.key_terminal import KeyTerminal
from hil.configuration import Configuration, load_configuration
from hil.loop.calibration.newest_motion import BLOCKS_COME, NewestMotion
from hil.loop.calibration.shown_motion import load_shown
from hil.loop.calibration.shown_timing import timing_shown
from hil.loop.calibration.timing_words import timing_lines
from hil.loop.judging.state_machine import State
from hil.messaging.bus import Bus
from hil.messaging.messages import CycleBlock
from hil.processes.supervisor.children import ACCEPTED
from hil.wrench.load.found_words import found_lines

Shown = Callable[[Sequence[CycleBlock], Configuration], list[str]]  # what a motion's cycles show, in lines


def load_words(blocks: Sequence[CycleBlock], c: Configuration) -> list[str]:
    """Return what load data misses, by a motion's cycles, and the table for it."""
    return found_lines(*load_shown(blocks, c), c)


def timing_words(blocks: Sequence[CycleBlock], c: Configuration) -> list[str]:
    """Return the drives' lag and the wrench's skew, by a motion's cycles, and the keys for them."""
    return timing_lines(timing_shown(blocks, c), c)


class MotionTrial:
    """A trial with the daemon that runs in a run-time directory."""

    def __init__(self, directory: Path, shown: Shown) -> None:
        """Join the daemon; `shown` says what the motion shows."""
        self._bus, self._directory, self._shown = Bus(directory), directory, shown
        self._cycles = self._bus.subscriber("cycles", CycleBlock)
        self._motion = NewestMotion()

    def close(self) -> None:
        """Close the sockets."""
        self._bus.close()

    def held(self, terminal: KeyTerminal) -> int:
        """Let an operator hold on, and print what was found; return the exit status.

        Raises:
            OperatorError: it is refused, or the motion shows nothing.
        """
        holding = Holding(self._bus, self._directory, "calibrate", {})
        status = holding.status()
        accepted = self._directory / ACCEPTED  # what the run goes by, whatever its file says now
        c = load_configuration(Path(status["configuration"]), status["settings"], accepted)
        print(
            f"{holding.ask()}\nNobody touches it. Hold the space bar until it is over; let go, and it brakes."
        )
        with terminal:
            if not holding.held(terminal, "the motion is over", self._listen):
                return 0
        time.sleep(BLOCKS_COME)
        self._listen(State.READY)
        print("\n".join(self._shown(self._motion.blocks, c)))
        return 0

    def _listen(self, state: str) -> None:
        self._motion.take(state == State.CALIBRATING, self._cycles.drain())

"""The calibration of the load with the daemon that runs: the hand that holds, and what the motion showed."""

import time
from pathlib import Path

from hil.commands.holding import Holding
from hil.commands.key_terminal import KeyTerminal
from hil.configuration import load_configuration
from hil.loop.calibration.newest_motion import BLOCKS_COME, NewestMotion
from hil.loop.calibration.shown_motion import load_shown
from hil.loop.judging.state_machine import State
from hil.messaging.bus import Bus
from hil.messaging.messages import CycleBlock
from hil.processes.supervisor.children import ACCEPTED
from hil.wrench.load.found_words import found_lines


class LoadTrial:
    """A trial with the daemon that runs in a run-time directory."""

    def __init__(self, directory: Path) -> None:
        self._bus, self._directory = Bus(directory), directory
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
        print("\n".join(found_lines(*load_shown(self._motion.blocks, c), c)))
        return 0

    def _listen(self, state: str) -> None:
        self._motion.take(state == State.CALIBRATING, self._cycles.drain())

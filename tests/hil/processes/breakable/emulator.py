"""The emulator: on SIGUSR1 one datagram says that the controller has another sample time."""

import signal
import sys

from drivers.emulation.controller.controller import EmulatedController
from hil.processes.context import run_process
from hil.processes.mains.emulator import body
from tests.hil.processes.breakable import Asked

asked = Asked(signal.SIGUSR1)
send = EmulatedController.send


def breakable_send(self: EmulatedController) -> bytes:
    """Lie once if asked to."""
    if not asked.now:
        return send(self)
    asked.now = False
    true = self._message.sample_time
    self._message.sample_time = 2.0 * true
    data = send(self)
    self._message.sample_time = true
    return data


if __name__ == "__main__":
    EmulatedController.send = breakable_send  # type: ignore[method-assign]
    sys.exit(run_process("emulator", body))

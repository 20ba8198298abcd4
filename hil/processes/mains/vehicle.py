"""The vehicle of a base, emulated: it stands in for the process that owns a real one's link.

The arm stands on it. So one that is started again in a run stands where the one before was last.
"""

import os
import struct
import sys
from pathlib import Path

import numpy as np

from hil.common.arrays import Array
from hil.common.clock import Ticker
from hil.configuration import Configuration
from hil.loop.carried.stand_in import StandIn
from hil.messaging.base_messages import BaseCommand
from hil.processes.context import ProcessContext, run_process

PERIOD_NS = 4_000_000  # of its poses: 250 Hz
PLACE = "vehicle"  # in the run-time directory: whose run it is, and the pose
WRITTEN = struct.Struct("<q3d")


class Place:
    """Where the vehicle stands, for the one that is started after it."""

    def __init__(self, directory: Path, run: int) -> None:
        """Keep it in a run-time directory; `run` is the process id of the run's daemon."""
        self._file = os.open(directory / PLACE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._run = run

    def read(self) -> Array | None:
        """Return the pose that was kept in this run, shape (3,); None if there is none."""
        found = os.pread(self._file, WRITTEN.size, 0)
        if len(found) < WRITTEN.size:
            return None
        run, *pose = WRITTEN.unpack(found)
        return np.array(pose) if run == self._run and np.isfinite(pose).all() else None

    def write(self, pose: Array) -> None:
        """Keep a pose."""
        os.pwrite(self._file, WRITTEN.pack(self._run, *pose.tolist()), 0)


def body(context: ProcessContext) -> None:
    """Wire the emulated vehicle to its topics, as one of a laboratory is."""
    c, bus, now_ns = context.configuration, context.bus, context.clock.now_ns
    place = Place(context.directory, os.getppid())
    context.warmed("loading the emulated vehicle", lambda: warm_core(c))
    core = StandIn(c, now_ns(), place.read())
    commands = bus.subscriber("base_command", BaseCommand)
    states, truths = bus.publisher("base_state"), bus.publisher("base_truth")
    ticker = Ticker(PERIOD_NS, now_ns)
    context.ready()
    while not context.stopping:
        ticker.wait()
        command = commands.newest()
        if command is not None:
            core.obey(command)
        core.advance(now_ns())
        place.write(core.vehicle.motion[0])
        states.send(core.state())
        truths.send(core.truth())
        context.beat()
    context.clock.ended("vehicle")


def warm_core(c: Configuration) -> None:
    """Compile or load all that the emulated vehicle needs."""
    StandIn(c, 0).advance(PERIOD_NS)


if __name__ == "__main__":
    sys.exit(run_process("vehicle", body))

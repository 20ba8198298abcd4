"""The bare answering loop: the least that can be done, measured as the product is.

The same client on the same emulated controller answers every packet with the mirror at once and
computes nothing. Both ends are as real-time as in the product.
"""

import multiprocessing
import time
from typing import Any

import numpy as np

from drivers.emulation.controller.controller import EmulatedController
from drivers.emulation.process import run as emulate
from drivers.emulation.surroundings import Surroundings
from drivers.fri.client import FriClient
from hil.common.arrays import IntArray
from hil.configuration import Configuration
from hil.configuration.spin import granted_spin
from hil.processes.real_time.set_up import enter_real_time

SETTLING_S = 1.0  # left out at the beginning: the sockets find each other


def bare_loop(c: Configuration, seconds: float) -> tuple[IntArray, int]:
    """Return the latencies of a bare loop [ns], shape (n,), and how many packets were sent to it.

    From packet sent by the emulated controller to answer sent by the loop, answered packets only.
    """
    spawn = multiprocessing.get_context("spawn")  # the caller's threads and sockets stay its own
    far, near = spawn.Pipe()
    robot = spawn.Process(target=_robot, args=(c, seconds, far))
    loop = spawn.Process(target=_loop, args=(c, seconds, far))
    for process in (robot, loop):
        process.start()
    try:
        parts: dict[str, IntArray] = dict(near.recv() for _ in range(2))
    finally:
        for process in (robot, loop):
            process.join(10.0)
            process.kill()
    return _joined(parts["robot"], parts["loop"])


def _joined(sent: IntArray, answered: IntArray) -> tuple[IntArray, int]:
    """Return latencies and packets from rows (sequence, instant) of both ends, each (n, 2)."""
    instants = dict(answered.tolist())  # fewer packets than the counter has numbers
    found = [instants[number] - at for number, at in sent.tolist() if number in instants]
    return np.array(found, np.int64), len(sent)


class _Watched(Surroundings):
    """Notes when packets leave, once the loop has settled, and ends after so long."""

    def __init__(self, c: Configuration, seconds: float) -> None:
        self._c, self._seconds, self._begin = c, seconds, 0.0
        self.rows: list[tuple[int, int]] = []

    def ready(self, controller: EmulatedController) -> None:
        enter_real_time("emulator", self._c)
        self._begin = time.monotonic()

    def cycle(self, controller: EmulatedController, sent_ns: int, answered_ns: int) -> None:
        if time.monotonic() - self._begin > SETTLING_S:
            self.rows.append((controller.cycle % (1 << 16), sent_ns))

    def over(self) -> bool:
        return bool(self._begin) and time.monotonic() - self._begin > self._seconds + SETTLING_S


def _robot(c: Configuration, seconds: float, pipe: Any) -> None:
    watched = _Watched(c, seconds)
    emulate(c, watched)
    pipe.send(("robot", np.array(watched.rows, np.int64).reshape(-1, 2)))


def _loop(c: Configuration, seconds: float, pipe: Any) -> None:
    rows: list[tuple[int, int]] = []
    with FriClient(c.fri, granted_spin(c)[0]) as client:
        enter_real_time("driver", c)
        begin = 0.0
        while not begin or time.monotonic() - begin < seconds + 2.0 * SETTLING_S:
            samples = client.receive(0.2)
            if samples:
                client.reply(samples[-1], None)
                rows.append((samples[-1].sequence, time.monotonic_ns()))
                begin = begin or time.monotonic()
    pipe.send(("loop", np.array(rows, np.int64).reshape(-1, 2)))
